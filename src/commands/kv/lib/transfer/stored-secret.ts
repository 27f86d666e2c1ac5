import { removedVersion } from '../../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../../api/secrets.ts';
import { insteadOf, isEmptyListError, isForbidden, unlessNotFound } from '../../../../errors.ts';
import type { KvMetadata } from '../../../../objects/kv-settings.ts';
import { formatDuration, parseDuration } from '../../../../wire/duration.ts';
import { compact } from '../../../../wire/objects.ts';
import type { SecretPath } from '../secret-path.ts';
import { type BodyOf, type Pairs, readState } from '../secret-state.ts';

/** The metadata of a secret that a copy keeps; all have a value, so that they also reset others. */
export type KeptMetadata = Required<
  Pick<KvMetadata, 'max_versions' | 'cas_required' | 'delete_version_after' | 'custom_metadata'>
>;

/** What a path has. */
export interface StoredSecret {
  /** Undefined: no data, because the secret does not exist or its newest version is deleted or destroyed. */
  readonly data: Pairs | undefined;
  /** The number of the newest version, deleted or not, for check-and-set; 0: none. Undefined: engine of version 1. */
  readonly version: number | undefined;
  /** Why a secret that exists has no data: `deleted`, `destroyed`, or `without data` (null). */
  readonly removed?: 'deleted' | 'destroyed' | 'without data';
  /** Undefined: none, or an engine of version 1; null: the token may not read it. */
  readonly metadata: KeptMetadata | null | undefined;
  /** OpenBao: the version of the metadata, for check-and-set; 0: none. */
  readonly metadataVersion?: number;
  /** The numbers of the versions before the newest that still have data, oldest first. */
  readonly older: readonly number[];
}

/** Reads a secret with its metadata. @param now a version whose deletion is later than that still has data. @throws LanyardError forbidden: the data cannot be read. */
export async function readStored(secrets: SecretsClient, at: SecretPath, now: Date): Promise<StoredSecret> {
  if (at.version === 1) return { ...(await readNewest(secrets, at)), metadata: undefined, older: [] };
  const { mount, path } = at;
  const [newest, metadata] = await Promise.all([
    readNewest(secrets, at),
    unlessNotFound(secrets.readKvMetadata({ mount, path }), isEmptyListError).catch(
      insteadOf(isForbidden, null),
    ),
  ]);
  const { data } = metadata ?? {};
  return {
    ...newest,
    ...(metadata !== null && { metadataVersion: data?.current_metadata_version ?? 0 }),
    metadata: metadata === null ? null : data && keptMetadata(data),
    older: data ? olderVersions(data, newest.version ?? 0, now) : [],
  };
}

/** Reads the newest version of a secret. @throws LanyardError forbidden. */
export async function readNewest(
  secrets: SecretsClient,
  at: SecretPath,
): Promise<Pick<StoredSecret, 'data' | 'version' | 'removed'>> {
  const none = { data: undefined, version: at.version === 1 ? undefined : 0 };
  try {
    const { pairs, metadata } = await readState(secrets, at);
    if (pairs !== null) return { data: pairs, version: metadata?.version };
    return { ...none, ...compact({ version: metadata?.version }), removed: 'without data' };
  } catch (error) {
    const removed = removedVersion(error);
    if (removed)
      return { ...none, version: removed.version, removed: removed.destroyed ? 'destroyed' : 'deleted' };
    if (isEmptyListError(error)) return none;
    throw error;
  }
}

type Metadata = BodyOf<'readKvMetadata'>['data'];

/** The settings as they are compared and written: each with a value, durations in one notation. */
export const keptMetadata = (
  found: Pick<Metadata, 'max_versions' | 'cas_required' | 'delete_version_after' | 'custom_metadata'>,
): KeptMetadata => ({
  max_versions: found.max_versions ?? 0,
  cas_required: found.cas_required ?? false,
  delete_version_after: formatDuration(parseDuration(found.delete_version_after ?? '0s') ?? 0),
  custom_metadata: found.custom_metadata ?? {},
});

/** What a secret has whose metadata was never written. */
export const defaultMetadata: KeptMetadata = keptMetadata({
  max_versions: 0,
  cas_required: false,
  delete_version_after: '0s',
  custom_metadata: null,
});

const olderVersions = ({ versions }: Metadata, newest: number, now: Date): readonly number[] =>
  Object.entries(versions)
    .filter(([number, { destroyed, deletion_time }]) => {
      const isDeleted = deletion_time !== '' && Date.parse(deletion_time) <= now.getTime();
      return Number(number) < newest && !destroyed && !isDeleted;
    })
    .map(([number]) => Number(number))
    .sort((one, other) => one - other);
