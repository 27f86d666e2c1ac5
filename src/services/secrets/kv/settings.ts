import { formatDuration } from '../../../wire/duration.ts';
import type { Json } from '../../../wire/json.ts';
import type { JsonObject } from '../../core/http/fields.ts';
import * as s from '../../core/schema/types.ts';
import { booleanField, fieldError, integerField } from '../fields.ts';
import { flag, integer, text } from '../help/field.ts';
import { secondsOf } from '../model/ttl.ts';

/** Settings of a mount and of each key. */
export const settingFields = {
  /** Maximum versions per key; 0: not set. */
  maxVersions: s.number(),
  /** Whether a write requires `cas`, the version it is based on. */
  casRequired: s.boolean(),
  /** Seconds after which a new version is deleted; 0: not set; -1 on the mount: disabled for all keys. */
  deleteVersionAfter: s.number(),
};
export const settingsSchema = s.object(settingFields);
export type Settings = s.Stored<typeof settingsSchema>;

export const defaultSettings: Settings = { maxVersions: 0, casRequired: false, deleteVersionAfter: 0 };

export const settingDescriptions = {
  max_versions: integer('Maximum versions per key; 0: the default, 10.'),
  cas_required: flag('Whether every write requires `cas`.'),
  delete_version_after: text(
    'Time after which a version is deleted: seconds, or a duration such as `1h30m`.',
  ),
};

/**
 * The settings in a request; omitted ones are missing.
 * @param owner only the mount's `delete_version_after` may be negative.
 * @throws SecretsError 400
 */
export function readSettings(data: JsonObject, owner: 'mount' | 'key'): Partial<Settings> {
  const maxVersions = integerField(data, 'max_versions');
  const casRequired = booleanField(data, 'cas_required');
  const deleteVersionAfter = readDeleteVersionAfter(data);
  if (maxVersions !== undefined && (maxVersions < 0 || maxVersions > limits.versions)) {
    throw fieldError('max_versions', `expected 0 to ${limits.versions}`);
  }
  if (deleteVersionAfter !== undefined && owner === 'key' && deleteVersionAfter < 0) {
    throw fieldError('delete_version_after', 'a duration cannot be negative');
  }
  return {
    ...(maxVersions !== undefined && { maxVersions }),
    ...(casRequired !== undefined && { casRequired }),
    ...(deleteVersionAfter !== undefined && { deleteVersionAfter: Math.max(-1, deleteVersionAfter) }),
  };
}

/** 32 bits, and the seconds in 64 bits of nanoseconds. */
const limits = { versions: 4_294_967_295, seconds: 9_223_372_036 };

function readDeleteVersionAfter(data: JsonObject): number | undefined {
  const name = 'delete_version_after';
  const value = Object.hasOwn(data, name) ? (data[name] ?? undefined) : undefined;
  if (value === undefined) return undefined;
  const parsed = secondsOf(value);
  if (parsed === undefined) throw fieldError(name, 'expected a duration such as 90, "30s" or "1h30m"');
  if (parsed > limits.seconds) throw fieldError(name, `a duration cannot exceed ${limits.seconds} seconds`);
  return parsed < 0 ? Math.floor(parsed) : Math.trunc(parsed);
}

export function showSettings(settings: Settings): { [key: string]: Json } {
  return {
    max_versions: settings.maxVersions,
    cas_required: settings.casRequired,
    delete_version_after: formatDuration(settings.deleteVersionAfter),
  };
}
