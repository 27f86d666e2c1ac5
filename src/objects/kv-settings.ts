import { type FieldsOf, field } from './schema.ts';

const settings = {
  max_versions: field.integer({
    minimum: 0,
    description: 'Versions to keep; 0: inherit.',
    flag: { help: 'versions to keep; the larger of secret and mount applies (0: inherit)' },
  }),
  cas_required: field.boolean({
    description: 'Writes must name the version they replace.',
    flag: { choices: ['true', 'false'], help: 'require --cas for every write' },
  }),
  delete_version_after: field.duration('seconds', {
    description: 'Age at which versions are deleted; 0: never.',
    flag: { help: 'age at which versions are deleted (0s: never)' },
  }),
  metadata_cas_required: field.boolean({
    flag: false,
    description: 'OpenBao: writes of metadata must name the version they replace.',
  }),
};

/** The settings of a key-value engine of version 2 (docs/protocol/kv.md#version-2). */
export const kvConfig = field.object(settings);

/** The metadata of a key of a key-value engine of version 2 (docs/protocol/kv.md#version-2). */
export const kvMetadata = field.object({
  ...settings,
  custom_metadata: field.map(field.string({ maxLength: 512 }), {
    maxProperties: 64,
    description: 'Texts by name.',
    flag: { help: 'custom metadata, replaces the existing; repeatable' },
  }),
});

/** The settings of a mount on update: absent fields are unchanged. */
export type KvSettings = FieldsOf<typeof kvConfig>;
/** The metadata of a key on update: absent fields are unchanged, `custom_metadata` is replaced completely. */
export type KvMetadata = FieldsOf<typeof kvMetadata>;
