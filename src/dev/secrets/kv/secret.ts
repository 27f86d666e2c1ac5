import type { Json } from '../../../wire/json.ts';
import type { CustomMetadata } from './custom-metadata.ts';
import { noSettings, type Settings, showSettings } from './settings.ts';

/** Milliseconds since 1970. */
type Time = number;

/** One version of a secret, but for its data. */
export interface Version {
  readonly number: number;
  readonly created: Time;
  /** When it was, or will be, deleted. */
  readonly deletion: Time | null;
  /** Is its data gone for good? */
  readonly destroyed: boolean;
}

/** What is kept of a key, but for the data of its versions. */
export interface Secret extends Settings {
  readonly created: Time;
  /** When the newest version was written. */
  readonly updated: Time;
  /** Number of the oldest version that is kept; 0 until there are as many as are kept at most. */
  readonly oldest: number;
  /** Those that are kept, without a gap, the newest last. */
  readonly versions: readonly Version[];
  readonly customMetadata: CustomMetadata | null;
}

const defaultMaxVersions = 10;

/** A key of which there is no version yet. */
export function newSecret(now: Time): Secret {
  return { ...noSettings, created: now, updated: now, oldest: 0, versions: [], customMetadata: null };
}

/** Number of the newest version; 0: there is none. */
export function currentVersion(secret: Secret): number {
  return secret.versions.at(-1)?.number ?? 0;
}

/** @param wanted number of the version; 0 or less: the newest. */
export function findVersion(secret: Secret, wanted: number): Version | undefined {
  const number = wanted > 0 ? wanted : currentVersion(secret);
  return secret.versions.find((version) => version.number === number);
}

export function isDestroyedOrDeleted(version: Version, now: Time): boolean {
  return version.destroyed || isDeleted(version, now);
}

function isDeleted({ deletion }: Version, now: Time): boolean {
  return deletion !== null && deletion <= now;
}

/** Adds a version; the oldest go when there are more than the key or the mount keeps, whichever keeps more. */
export function addVersion(secret: Secret, mount: Settings, now: Time): Added {
  const version: Version = {
    number: currentVersion(secret) + 1,
    created: now,
    deletion: deletionOf(secret, mount, now),
    destroyed: false,
  };
  const most = Math.max(secret.maxVersions, mount.maxVersions) || defaultMaxVersions;
  const all = [...secret.versions, version];
  const versions = all.slice(-most);
  const oldest = versions.length === most ? (versions[0]?.number ?? 0) : secret.oldest;
  const dropped = all.slice(0, all.length - versions.length);
  return { secret: { ...secret, updated: now, oldest, versions }, version, dropped };
}

interface Added {
  /** As it is with the new version. */
  readonly secret: Secret;
  readonly version: Version;
  /** The versions that went. */
  readonly dropped: readonly Version[];
}

/** When a version that begins to count now will be deleted: the shorter of what key and mount say. */
function deletionOf(secret: Secret, mount: Settings, now: Time): Time | null {
  if (mount.deleteVersionAfter < 0) return null;
  const given = [secret.deleteVersionAfter, mount.deleteVersionAfter].filter((seconds) => seconds > 0);
  return given.length === 0 ? null : now + Math.min(...given) * 1000;
}

type Numbers = readonly number[];

/** Those that are deleted already keep their time. */
export function deleteVersions(secret: Secret, numbers: Numbers, now: Time): Secret {
  return changeVersions(secret, numbers, (version) =>
    isDeleted(version, now) ? version : { ...version, deletion: now },
  );
}

/** The time after which a version is deleted begins anew. */
export function undeleteVersions(secret: Secret, numbers: Numbers, mount: Settings, now: Time): Secret {
  const deletion = deletionOf(secret, mount, now);
  return changeVersions(secret, numbers, (version) => ({ ...version, deletion }));
}

export function destroyVersions(secret: Secret, numbers: Numbers): Secret {
  return changeVersions(secret, numbers, (version) => ({ ...version, destroyed: true }));
}

/** What is destroyed stays as it is. */
function changeVersions(secret: Secret, numbers: Numbers, change: (version: Version) => Version): Secret {
  const chosen = new Set(numbers);
  const versions = secret.versions.map((version) =>
    chosen.has(version.number) && !version.destroyed ? change(version) : version,
  );
  return { ...secret, versions };
}

/** A version as the answers about it have it. */
export function showVersion(secret: Secret, version: Version): { [key: string]: Json } {
  return { version: version.number, ...showTimes(version), custom_metadata: secret.customMetadata };
}

/** A key as the answer to reading its metadata has it. */
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

/** RFC 3339 with nine digits of a second. */
function timeText(time: Time): string {
  return new Date(time).toISOString().replace('Z', '000000Z');
}
