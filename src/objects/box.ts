import { type FieldsOf, field } from './schema.ts';

const textSource = { value: 'TEXT|@FILE|-', completes: 'file', isFile: true } as const;

/** A box (docs/protocol/box.md#boxes-and-versions). */
export const box = field.object({
  short_description: field.string({
    description: 'Shown in search results.',
    flag: { help: 'short description, shown in search results' },
  }),
  description: field.lines({
    description: 'Description in Markdown.',
    flag: { ...textSource, what: 'description' },
  }),
  is_private: field.boolean({
    default: true,
    description: 'Visible only to authorized users.',
    // --private and --public
    flag: false,
  }),
});

/** A version of a box (docs/protocol/box.md#boxes-and-versions). */
export const boxVersion = field.object({
  description: field.lines({
    description: 'Description in Markdown.',
    flag: { ...textSource, what: 'description', help: 'description of the version in Markdown' },
  }),
});

/** The number of hexadecimal digits of each checksum type. */
export const checksumTypes = { md5: 32, sha1: 40, sha256: 64, sha384: 96, sha512: 128 } as const;
export type ChecksumType = keyof typeof checksumTypes;

/** A provider of a version, with its image (docs/protocol/box.md#architectures). */
export const boxProvider = field.object({
  url: field.string({
    description: 'URL of the image, instead of a file.',
    flag: { value: 'URL', help: 'URL of the image, instead of an upload' },
  }),
  file: field.string({
    flag: false,
    isLocal: true,
    description: 'Image file to upload, relative to this file. It is uploaded if its checksum differs.',
  }),
  checksum: field.string({
    form: 'name',
    description: 'Checksum of the image, in hexadecimal digits.',
    flag: { value: 'HEX', help: 'checksum of the image, verified on download' },
  }),
  checksum_type: field.choice(Object.keys(checksumTypes), {
    isAssigned: true,
    description: 'Type of the checksum (default: by its length).',
    flag: { help: 'type of --checksum (default: by its length)' },
  }),
  default_architecture: field.boolean({
    flag: false,
    isAssigned: true,
    description: 'For clients that do not request an architecture.',
  }),
});

/** The fields of a box on create and update. */
export type BoxFields = FieldsOf<typeof box>;
/** The fields of a version on create and update. */
export type VersionFields = FieldsOf<typeof boxVersion>;
/** The fields of a provider on create and update. */
export type ProviderFields = Omit<FieldsOf<typeof boxProvider>, 'file'>;
