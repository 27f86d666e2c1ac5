import { field, type ObjectSchema } from '../objects/schema.ts';
import type { Json } from '../wire/json.ts';
import type { KvSettings } from '../wire/secrets.ts';
import type { JsonObject } from './kind.ts';
import { normalize } from './normalize.ts';
import { durationText } from './secrets-mounts.ts';

/** The settings of a mount of version 2, or of one key. */
export const kvSettings = {
  max_versions: field.integer({ minimum: 0, description: 'Versions to keep; 0: inherit.' }),
  cas_required: field.boolean({ description: 'Writes must name the version they replace.' }),
  delete_version_after: field.duration('seconds', {
    description: 'Age at which versions are deleted; 0: never.',
  }),
  metadata_cas_required: field.boolean({
    description: 'OpenBao: writes of metadata must name the version they replace.',
  }),
};

/** Whether all fields have their defaults: an object that always exists counts as missing then. */
export const isDefault = (schema: ObjectSchema, spec: JsonObject): boolean =>
  normalize(schema, spec) === undefined;

/** The settings as they are sent; those that are missing get their defaults. */
export const settingsOf = (spec: JsonObject): KvSettings & { metadata_cas_required?: boolean } => ({
  max_versions: Number(spec.max_versions ?? 0),
  cas_required: isTrue(spec.cas_required),
  delete_version_after: durationText(spec.delete_version_after ?? 0),
  // Only OpenBao returns it, so only there is it in what is merged.
  ...(spec.metadata_cas_required !== undefined && {
    metadata_cas_required: isTrue(spec.metadata_cas_required),
  }),
});

const isTrue = (value: Json | undefined): boolean => value === true || value === 'true';
