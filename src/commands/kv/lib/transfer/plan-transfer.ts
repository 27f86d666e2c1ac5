import type { SecretsClient } from '../../../../api/secrets.ts';
import { conflict } from '../../../../errors.ts';
import { isEqual, type KeyChange, keyChanges } from '../../../../output/diff.ts';
import { countText } from '../../../../output/humanize.ts';
import { mapConcurrently } from '../../../../wire/concurrently.ts';
import { namedFew, type ReadSecret } from '../read-secrets.ts';
import type { SecretPath } from '../secret-path.ts';
import type { Pairs } from '../secret-state.ts';

import { defaultMetadata, type KeptMetadata, readStored, type StoredSecret } from './stored-secret.ts';

/** What a secret is to have. */
export interface WantedSecret {
  readonly data: Pairs;
  /** Undefined: the metadata of the destination is unchanged. */
  readonly metadata: KeptMetadata | undefined;
  /** The data of the versions before, oldest first; undefined: only the newest version is wanted. */
  readonly earlier?: readonly Pairs[];
}

export interface Planned {
  readonly to: SecretPath;
  readonly wanted: WantedSecret;
  readonly found: StoredSecret;
  readonly action: 'create' | 'update' | 'unchanged';
  readonly changes: readonly KeyChange[];
  readonly changesMetadata: boolean;
  /** What is written as versions before the data, oldest first. */
  readonly earlier: readonly Pairs[];
}

/** What to write so that a path has a secret. */
export async function planSecret(
  secrets: SecretsClient,
  to: SecretPath,
  wanted: WantedSecret,
  now: Date,
): Promise<Planned> {
  const found = await readStored(secrets, to, now);
  const changesMetadata =
    to.version === 2 &&
    wanted.metadata !== undefined &&
    !isEqual(found.metadata ?? defaultMetadata, wanted.metadata);
  if (wanted.earlier !== undefined && to.version === 2 && found.version !== 0)
    return continueVersions(secrets, { to, wanted, found, changesMetadata }, wanted.earlier);
  const changes = keyChanges(found.data ?? {}, wanted.data);
  const isSame = found.data !== undefined && changes.length === 0 && !changesMetadata;
  const action = found.data === undefined ? 'create' : isSame ? 'unchanged' : 'update';
  const { earlier = [] } = wanted;
  return { to, wanted, found, action, changes: action === 'create' ? [] : changes, changesMetadata, earlier };
}

/**
 * Continues a copy of all versions that was interrupted: the destination has the first of them, and nothing else.
 *
 * @throws LanyardError conflict: it has other versions, between which none can be written.
 */
async function continueVersions(
  secrets: SecretsClient,
  planned: Pick<Planned, 'to' | 'wanted' | 'found' | 'changesMetadata'>,
  earlier: readonly Pairs[],
): Promise<Planned> {
  const { to, wanted, found } = planned;
  const all = [...earlier, wanted.data];
  const { version: count = 0, data } = found;
  const { mount, path } = to;
  const older = await mapConcurrently(found.older, async (version) => {
    const { body } = await secrets.readKv({ mount, path, version });
    return body.data.data;
  });
  const isBegun = data !== undefined && older.length === count - 1 && count <= all.length;
  if (!isBegun || !isEqual([...older, data], all.slice(0, count)))
    throw conflict(`cannot copy all versions to ${to.name}: it already has versions`, { service: 'secrets' });
  const rest = all.slice(count);
  const action = rest.length > 0 ? 'create' : planned.changesMetadata ? 'update' : 'unchanged';
  return { ...planned, action, changes: [], earlier: rest.slice(0, -1) };
}

/** @throws LanyardError conflict: a secret exists with other data, and `--overwrite` was not given. */
export function rejectExisting(planned: readonly Planned[], overwrites: boolean, hint: string): void {
  const existing = planned.filter(({ action }) => action === 'update');
  if (overwrites || existing.length === 0) return;
  const [only] = existing;
  throw conflict(
    existing.length === 1
      ? `cannot overwrite ${only?.to.name}: it already exists and differs; nothing was written`
      : `${countText(existing.length, 'secret')} already exist and differ; nothing was written`,
    {
      service: 'secrets',
      details: existing.length === 1 ? [] : namedFew(existing.map(({ to }) => to.name)),
      hint,
    },
  );
}

/** A secret of the source with its metadata. */
export type SourceSecret = ReadSecret<StoredSecret>;
