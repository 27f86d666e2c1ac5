import { formatDuration, parseDuration } from '../../../wire/duration.ts';
import type { Json } from '../../../wire/json.ts';
import { booleanField, integerField } from '../fields.ts';
import { type JsonObject, wrongField } from './members.ts';

/** Settings of a mount and of each key. */
export interface Settings {
  /** Maximum versions per key; 0: not set. */
  readonly maxVersions: number;
  /** Whether a write requires `cas`, the version it is based on. */
  readonly casRequired: boolean;
  /** Seconds after which a new version is deleted; 0: not set; -1 on the mount: disabled for all keys. */
  readonly deleteVersionAfter: number;
}

export const noSettings: Settings = { maxVersions: 0, casRequired: false, deleteVersionAfter: 0 };

export const settingNames = ['max_versions', 'cas_required', 'delete_version_after'];

/**
 * The settings in a request; omitted ones are missing.
 * @param whose only the mount's `delete_version_after` may be negative.
 * @throws Refusal 400
 */
export function givenSettings(data: JsonObject, whose: 'mount' | 'key'): Partial<Settings> {
  const maxVersions = integerField(data, 'max_versions');
  const casRequired = booleanField(data, 'cas_required');
  const deleteVersionAfter = seconds(data);
  if (maxVersions !== undefined && (maxVersions < 0 || maxVersions > most.versions)) {
    throw wrongField('max_versions', `expected 0 to ${most.versions}`);
  }
  if (deleteVersionAfter !== undefined && whose === 'key' && deleteVersionAfter < 0) {
    throw wrongField('delete_version_after', 'a duration cannot be negative');
  }
  return {
    ...(maxVersions !== undefined && { maxVersions }),
    ...(casRequired !== undefined && { casRequired }),
    ...(deleteVersionAfter !== undefined && { deleteVersionAfter: Math.max(-1, deleteVersionAfter) }),
  };
}

/** 32 bits, and the seconds in 64 bits of nanoseconds. */
const most = { versions: 4_294_967_295, seconds: 9_223_372_036 };

function seconds(data: JsonObject): number | undefined {
  const name = 'delete_version_after';
  const value = Object.hasOwn(data, name) ? (data[name] ?? undefined) : undefined;
  if (value === undefined) return undefined;
  const read = typeof value === 'string' || typeof value === 'number' ? parseDuration(value) : undefined;
  if (read === undefined) throw wrongField(name, 'expected a duration such as 90, "30s" or "1h30m"');
  if (read > most.seconds) throw wrongField(name, `a duration cannot exceed ${most.seconds} seconds`);
  return read < 0 ? Math.floor(read) : Math.trunc(read);
}

export function showSettings(settings: Settings): { [key: string]: Json } {
  return {
    max_versions: settings.maxVersions,
    cas_required: settings.casRequired,
    delete_version_after: formatDuration(settings.deleteVersionAfter),
  };
}
