import * as s from '../core/schema/types.ts';
import { checksumTypes } from './images/images.ts';

/** Architectures of virtual machines (docs/protocol/box.md#architectures); default `unknown`. */
const architectures = [
  ...(['amd64', 'i386', 'arm', 'arm64', 'ppc64le', 'ppc64'] as const),
  ...(['mips64le', 'mips64', 'mipsle', 'mips', 's390x', 'unknown'] as const),
];

const description = {
  description_html: s.nullable(s.string('The description as HTML.')),
  description_markdown: s.nullable(s.string()),
};
const times = { created_at: s.time(), updated_at: s.time() };
const checksum = {
  checksum: s.nullable(s.string('Hexadecimal digits.')),
  checksum_type: s.nullable(s.oneOf(checksumTypes)),
};
const architecture = s.oneOf(architectures, 'Architecture of the virtual machine.');
const defaultArchitecture = s.boolean('Whether it is the provider for clients that name no architecture.');

export const providerSummary = s.named(
  'ProviderSummary',
  s.object(
    {
      name: s.string(),
      hosted: s.boolean('Whether the image is uploaded, not at a URL.'),
      hosted_token: s.nullable(s.string('Always null.')),
      original_url: s.nullable(s.string('The URL of an image that is not uploaded.')),
      ...times,
      download_url: s.string(),
      architecture,
      default_architecture: defaultArchitecture,
    },
    'A provider without its checksum.',
  ),
);
export const provider = s.named('Provider', s.object({ ...providerSummary.fields, ...checksum }));

export const version = s.named(
  'Version',
  s.object({
    version: s.string(),
    number: s.string('The same as `version`.'),
    status: s.oneOf(['unreleased', 'active', 'revoked']),
    ...description,
    ...times,
    release_url: s.string(),
    revoke_url: s.string(),
    providers: s.list(providerSummary, 'At `api/v1`: the default provider of each name.'),
  }),
);

export const boxSummary = s.named(
  'BoxSummary',
  s.object(
    {
      ...times,
      tag: s.string('`username/name`.'),
      name: s.string(),
      short_description: s.string(),
      ...description,
      username: s.string('The user or organization that owns the box.'),
      private: s.boolean(),
      downloads: s.integer(),
      current_version: s.nullable(version),
    },
    'A box without its versions.',
  ),
);
export const box = s.named('Box', s.object({ ...boxSummary.fields, versions: s.list(version) }));

export const owner = s.named(
  'Owner',
  s.object({
    username: s.string(),
    ...s.each(['avatar_url', 'profile_html', 'profile_markdown'], s.string()),
    boxes: s.list(boxSummary, 'The boxes that the caller may see.'),
  }),
);

export const metadata = s.named(
  'Metadata',
  s.object(
    {
      name: s.string('`username/name`.'),
      short_description: s.string(),
      description: s.string(),
      versions: s.list(
        s.object({
          version: s.string(),
          status: s.oneOf(['active']),
          ...description,
          providers: s.list(
            s.object({
              name: s.string(),
              url: s.string('URL of the image.'),
              ...checksum,
              architecture,
              default_architecture: defaultArchitecture,
            }),
          ),
        }),
      ),
    },
    'The document from which clients add a box: released versions with their images.',
  ),
);

const text = (about?: string) => s.optional(s.string(about));

const boxFields = {
  name: text('Default of an update: unchanged.'),
  short_description: text(),
  description: text('Markdown.'),
  is_private: s.boolean(undefined, { default: true }),
};
const versionFields = { version: text('Such as `1.2.3` or `1.2.3-rc.1`.'), description: text('Markdown.') };
const providerFields = {
  name: text(),
  architecture: s.optional(s.oneOf([...architectures, ''])),
  default_architecture: s.optional(defaultArchitecture),
  url: text('HTTP or HTTPS URL of the image; empty: the image is uploaded.'),
  checksum: text('Hexadecimal digits.'),
  checksum_type: s.optional(s.oneOf([...checksumTypes, ''])),
};

/** The object in a body that is named after the resource. */
const wrapped = <const Name extends string, F extends s.Fields>(name: Name, fields: F) =>
  s.object({ [name]: s.required(s.object(fields)) } as { readonly [Each in Name]: s.ObjectType<F> });

/** The fields of a box may also be in the body itself, as some clients send them (docs/protocol/box.md#endpoints). */
const bare = <F extends s.Fields>(about: string, fields: F) => {
  const type = s.described(about, wrapped('box', fields));
  return { ...type, alternative: s.object(fields) };
};

export const bodies = {
  newBox: bare('The fields of the box, in `box` or in the body itself.', {
    ...boxFields,
    username: s.required(s.string('The user or organization.')),
    name: s.required(s.string()),
  }),
  box: bare(
    'The fields to change, in `box` or in the body itself. Without `is_private`, the box becomes private.',
    boxFields,
  ),
  newVersion: wrapped('version', { ...versionFields, version: s.required(s.string('Such as `1.2.3`.')) }),
  version: wrapped('version', versionFields),
  newProvider: wrapped('provider', { ...providerFields, name: s.required(s.string()) }),
  provider: wrapped('provider', providerFields),
  organization: s.object({
    organization: s.required(
      s.open(s.object({ username: s.required(s.string('Name of the organization.')) })),
    ),
  }),
};
export type ProviderFields = s.Input<typeof bodies.provider>['provider'];

export const user = s.object({
  login: s.required(s.string('Name or email address.')),
  password: s.required(s.string()),
});

const failed = { errors: s.list(s.string()), success: s.boolean(undefined, { const: false }) };
export const error = s.named('Error', s.object(failed));
export const codeRequired = s.named(
  'TwoFactorRequired',
  s.object({
    ...failed,
    two_factor: s.object({ default_delivery_method: s.string(), delivery_methods: s.list(s.string()) }),
  }),
);
