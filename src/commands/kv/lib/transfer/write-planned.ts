import type { SecretsClient } from '../../../../api/secrets.ts';
import { confirmWrite, conflict, describeAs, isKind, LanyardError } from '../../../../errors.ts';
import { isEqual } from '../../../../output/diff.ts';
import { compact } from '../../../../wire/objects.ts';
import { writePairs } from '../pairs.ts';
import { inOrder } from './each-secret.ts';
import type { Planned } from './plan-transfer.ts';
import { keptMetadata, readStored } from './stored-secret.ts';

/**
 * The requests of a planned secret, in order: the metadata first, because "cas_required" and the time of deletion apply to
 * the version that is written next. Each is guarded by the version that was read.
 */
export function writesOf(secrets: SecretsClient, planned: Planned): readonly (() => Promise<unknown>)[] {
  const { to, wanted, found, action, changes, changesMetadata, earlier } = planned;
  if (action === 'unchanged') return [];
  const { mount, path } = to;
  const { metadata } = wanted;
  const writesData = action === 'create' || changes.length > 0;
  return [
    ...(changesMetadata && metadata
      ? [
          () =>
            confirmWrite(
              () =>
                secrets.writeKvMetadata({
                  mount,
                  path,
                  ...metadata,
                  ...compact({ metadata_cas: found.metadataVersion }),
                }),
              async () => {
                const { data } = (await secrets.readKvMetadata({ mount, path })).body;
                return { done: isEqual(keptMetadata(data), metadata), found: 'the stored metadata differs' };
              },
            ),
        ]
      : []),
    ...(writesData ? [...earlier, wanted.data] : []).map((data, index) => async () => {
      if (to.version === 1) await requireUnchanged(secrets, planned);
      const cas = found.version === undefined ? undefined : found.version + index;
      await writePairs(secrets, to, data, cas).catch(describeConflict(to.name));
    }),
  ];
}

/** Writes a planned secret. */
export async function writePlanned(secrets: SecretsClient, planned: Planned): Promise<void> {
  await inOrder(writesOf(secrets, planned), `${planned.to.name} is only partly written`);
}

const changedMeanwhile = (name: string): string =>
  `cannot write ${name}: changed concurrently; it was not overwritten`;

const describeConflict = (name: string) =>
  describeAs(isKind('conflict'), 'conflict', changedMeanwhile(name), { details: [] });

/** Version 1 has no check-and-set: the secret is compared just before the write. @throws LanyardError conflict */
async function requireUnchanged(secrets: SecretsClient, { to, found }: Planned): Promise<void> {
  const now = await readStored(secrets, to, new Date(0));
  if (!isEqual(now.data, found.data)) throw conflict(changedMeanwhile(to.name), { service: 'secrets' });
}

/** Verifies that a path has exactly what was to be written. @throws LanyardError failure */
export async function verifyWritten(secrets: SecretsClient, planned: Planned, now: Date): Promise<void> {
  const { to, wanted } = planned;
  const { data, metadata, older } = await readStored(secrets, to, now);
  const { earlier = [] } = wanted;
  if (to.version === 2 && older.length < earlier.length)
    throw new LanyardError(
      'failure',
      `the destination keeps only ${older.length + 1} of the ${earlier.length + 1} versions of ${to.name}`,
      {
        service: 'secrets',
        hint: 'Raise the limit of its mount with `lanyard kv config put MOUNT --max-versions N`.',
      },
    );
  const isSame =
    data !== undefined &&
    isEqual(data, wanted.data) &&
    (to.version === 1 || wanted.metadata === undefined || isEqual(metadata, wanted.metadata));
  if (!isSame)
    throw new LanyardError('failure', `cannot verify ${to.name}: it differs from what was written`, {
      service: 'secrets',
    });
}
