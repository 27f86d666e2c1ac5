import type { Json } from '../../../wire/json.ts';
import * as s from '../../core/schema/types.ts';
import { defaultSettings, type Settings, settingFields, shownSettings, showSettings } from './settings.ts';

/** Milliseconds since 1970. */
const time = s.number();
type Time = number;

const versionSchema = s.object({
  number: s.number(),
  created: time,
  /** When it was, or will be, deleted. */
  deletion: s.nullable(time),
  destroyed: s.boolean(),
});
export type Version = s.Stored<typeof versionSchema>;

export const secretSchema = s.object({
  ...settingFields,
  created: time,
  updated: time,
  /** Number of the oldest version; 0 until the maximum number of versions is reached. */
  oldest: s.number(),
  /** The stored versions, without gaps, the latest last. */
  versions: s.list(versionSchema),
  customMetadata: s.nullable(s.map(s.string())),
});
export type Secret = s.Stored<typeof secretSchema>;

const defaultMaxVersions = 10;

/** A key without versions. */
export function newSecret(now: Time): Secret {
  return { ...defaultSettings, created: now, updated: now, oldest: 0, versions: [], customMetadata: null };
}

/** Number of the latest version; 0: none. */
export function currentVersion(secret: Secret): number {
  return secret.versions.at(-1)?.number ?? 0;
}

/** @param requested number of the version; 0 or less: the latest. */
export function findVersion(secret: Secret, requested: number): Version | undefined {
  const number = requested > 0 ? requested : currentVersion(secret);
  return secret.versions.find((version) => version.number === number);
}

export function isDestroyedOrDeleted(version: Version, now: Time): boolean {
  return version.destroyed || isDeleted(version, now);
}

function isDeleted({ deletion }: Version, now: Time): boolean {
  return deletion !== null && deletion <= now;
}

/** Adds a version; removes the oldest beyond the maximum of the key or the mount, whichever is greater. */
export function addVersion(secret: Secret, mount: Settings, now: Time): AddedVersion {
  const version: Version = {
    number: currentVersion(secret) + 1,
    created: now,
    deletion: deletionOf(secret, mount, now),
    destroyed: false,
  };
  const maxVersions = Math.max(secret.maxVersions, mount.maxVersions) || defaultMaxVersions;
  const all = [...secret.versions, version];
  const versions = all.slice(-maxVersions);
  const oldest = versions.length === maxVersions ? (versions[0]?.number ?? 0) : secret.oldest;
  const dropped = all.slice(0, all.length - versions.length);
  return { secret: { ...secret, updated: now, oldest, versions }, version, dropped };
}

interface AddedVersion {
  readonly secret: Secret;
  readonly version: Version;
  readonly dropped: readonly Version[];
}

/** When a version written or undeleted now will be deleted: by the shorter setting of key and mount. */
function deletionOf(secret: Secret, mount: Settings, now: Time): Time | null {
  if (mount.deleteVersionAfter < 0) return null;
  const delays = [secret.deleteVersionAfter, mount.deleteVersionAfter].filter((seconds) => seconds > 0);
  return delays.length === 0 ? null : now + Math.min(...delays) * 1000;
}

type VersionNumbers = readonly number[];

/** Versions that are already deleted keep their deletion time. */
export function deleteVersions(secret: Secret, numbers: VersionNumbers, now: Time): Secret {
  return changeVersions(secret, numbers, (version) =>
    isDeleted(version, now) ? version : { ...version, deletion: now },
  );
}

/** The time until automatic deletion restarts. */
export function undeleteVersions(secret: Secret, numbers: VersionNumbers, mount: Settings, now: Time) {
  const deletion = deletionOf(secret, mount, now);
  return changeVersions(secret, numbers, (version) => ({ ...version, deletion }));
}

export function destroyVersions(secret: Secret, numbers: VersionNumbers): Secret {
  return changeVersions(secret, numbers, (version) => ({ ...version, destroyed: true }));
}

/** Destroyed versions do not change. */
function changeVersions(secret: Secret, numbers: VersionNumbers, change: (version: Version) => Version) {
  const chosen = new Set(numbers);
  const versions = secret.versions.map((version) =>
    chosen.has(version.number) && !version.destroyed ? change(version) : version,
  );
  return { ...secret, versions };
}

/** A version as in responses. */
export function showVersion(secret: Secret, version: Version): { [key: string]: Json } {
  return { version: version.number, ...showTimes(version), custom_metadata: secret.customMetadata };
}

const timesType = {
  created_time: s.string('RFC 3339.'),
  deletion_time: s.string('RFC 3339; empty: none.'),
  destroyed: s.boolean(),
};
const shownCustomMetadata = s.nullable(s.map(s.string()));

export const shownVersion = s.named(
  'SecretVersion',
  s.object({ version: s.integer(), ...timesType, custom_metadata: shownCustomMetadata }),
);

export const shownSecret = s.named(
  'SecretMetadata',
  s.object({
    versions: s.map(s.object(timesType), 'By number.'),
    current_version: s.integer(),
    oldest_version: s.integer(),
    created_time: s.string('RFC 3339.'),
    updated_time: s.string('RFC 3339.'),
    ...shownSettings,
    custom_metadata: shownCustomMetadata,
  }),
);

/** A key as in the response to reading its metadata. */
export function showSecret(secret: Secret): { [key: string]: Json } {
  return {
    versions: Object.fromEntries(secret.versions.map((version) => [version.number, showTimes(version)])),
    current_version: currentVersion(secret),
    oldest_version: secret.oldest,
    created_time: timeText(secret.created),
    updated_time: timeText(secret.updated),
    ...showSettings(secret),
    custom_metadata: secret.customMetadata,
  };
}

function showTimes({ created, deletion, destroyed }: Version): { [key: string]: Json } {
  return {
    created_time: timeText(created),
    deletion_time: deletion === null ? '' : timeText(deletion),
    destroyed,
  };
}

/** RFC 3339 with nine fractional digits. */
function timeText(time: Time): string {
  return new Date(time).toISOString().replace('Z', '000000Z');
}
