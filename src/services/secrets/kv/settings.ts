import { formatDuration } from '../../../wire/duration.ts';
import type { Json } from '../../../wire/json.ts';
import * as s from '../../core/schema/types.ts';
import { secondsOf } from '../model/ttl.ts';
import { fieldError } from '../reading-rules.ts';
import type { InputOf } from '../resource.ts';

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

/** The settings in a request; omitted ones are missing. */
export const settingInput = s.partial({
  max_versions: s.integer('Maximum versions per key; 0: the default, 10.'),
  cas_required: s.boolean('Whether every write requires `cas`.'),
  delete_version_after: s.converted(
    s.duration('Time after which a version is deleted.'),
    readDeleteVersionAfter,
  ),
});

/** 32 bits, and the seconds in 64 bits of nanoseconds. */
const limits = { versions: 4_294_967_295, seconds: 9_223_372_036 };

/** @throws Error that says what was expected */
function readDeleteVersionAfter(value: Json): number {
  const seconds = secondsOf(value);
  if (seconds === undefined) throw new Error('expected a duration such as 90, "30s" or "1h30m"');
  if (seconds > limits.seconds) throw new Error(`a duration cannot exceed ${limits.seconds} seconds`);
  return seconds < 0 ? Math.floor(seconds) : Math.trunc(seconds);
}

/**
 * The settings that a request changes.
 * @param owner only the mount's `delete_version_after` may be negative.
 * @throws SecretsError 400
 */
export function changedSettings(input: InputOf<typeof settingInput>, owner: 'mount' | 'key') {
  const { max_versions: maxVersions, cas_required: casRequired, delete_version_after: after } = input;
  if (maxVersions !== undefined && (maxVersions < 0 || maxVersions > limits.versions))
    throw fieldError('max_versions', `expected 0 to ${limits.versions}`);
  if (after !== undefined && owner === 'key' && after < 0)
    throw fieldError('delete_version_after', 'a duration cannot be negative');
  return {
    ...(maxVersions !== undefined && { maxVersions }),
    ...(casRequired !== undefined && { casRequired }),
    ...(after !== undefined && { deleteVersionAfter: Math.max(-1, after) }),
  };
}

export const shownSettings = {
  max_versions: s.integer('0: the default.'),
  cas_required: s.boolean(),
  delete_version_after: s.string('A duration; `0s`: never.'),
};

export function showSettings(settings: Settings): { [key: string]: Json } {
  return {
    max_versions: settings.maxVersions,
    cas_required: settings.casRequired,
    delete_version_after: formatDuration(settings.deleteVersionAfter),
  };
}
