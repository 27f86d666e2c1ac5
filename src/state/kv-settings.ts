import type { KvSettings } from '../objects/kv-settings.ts';
import type { ObjectSchema } from '../objects/schema.ts';
import type { Json } from '../wire/json.ts';
import type { JsonObject } from './kind.ts';
import { normalize } from './normalize.ts';
import { durationText } from './secrets-mounts.ts';

/** Whether all fields have their defaults: an object that always exists counts as missing then. */
export const isDefault = (schema: ObjectSchema, spec: JsonObject): boolean =>
  normalize(schema, spec) === undefined;

/** The settings as they are sent; those that are missing get their defaults. */
export const settingsOf = (spec: JsonObject): KvSettings => ({
  max_versions: Number(spec.max_versions ?? 0),
  cas_required: isTrue(spec.cas_required),
  delete_version_after: durationText(spec.delete_version_after ?? 0),
  // Only OpenBao returns it, so only there is it in what is merged.
  ...(spec.metadata_cas_required !== undefined && {
    metadata_cas_required: isTrue(spec.metadata_cas_required),
  }),
});

const isTrue = (value: Json | undefined): boolean => value === true || value === 'true';
