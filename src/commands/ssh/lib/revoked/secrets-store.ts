import { removedVersion } from '../../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../../api/secrets.ts';
import { confirmWrite, conflict, insteadOf, isEmptyListError, isKind, usage } from '../../../../errors.ts';
import { describeMissingSecret, requireSecret, type SecretPath } from '../../../kv/lib/secret-path.ts';
import { secretSource } from '../../../kv/lib/secret-source.ts';
import { type Pairs, readState } from '../../../kv/lib/secret-state.ts';
import { maxAttempts, pauseAfterConflict } from './limits.ts';
import type { Edit, ListCodec, ListStore, StoreContext } from './list.ts';
import { type ListLocation, locationText } from './location.ts';

/** The field of the secret; other fields are kept. */
const field = 'krl';

/** A list in a key-value secret, in base64; writes have the version of the read. */
export function secretsStore(
  secrets: SecretsClient,
  location: ListLocation,
  { decode, edited, empty }: ListCodec,
  { system }: StoreContext,
): ListStore {
  const decoded = (pairs: Pairs) => {
    const text = pairs[field];
    if (text === undefined) return undefined;
    if (typeof text === 'string') return decode(Buffer.from(text));
    throw usage(`the field "${field}" of ${locationText(location)} is not text`);
  };
  let path: SecretPath | undefined;
  const read = async () => {
    path ??= await requireSecret(secrets, location.path, undefined);
    const { pairs, version } = await readPairs(secrets, path);
    return { path, pairs, version, list: decoded(pairs) };
  };
  const hasEverything = async (edit: Edit) => {
    const { list } = await read();
    return { done: edited(list?.krl, edit) === undefined, found: `${locationText(location)} is unchanged` };
  };
  return {
    read: async () => (await read()).list,
    async change(edit) {
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        const { path: at, pairs, version, list } = await read();
        const isNew = list === undefined;
        const after = edited(list?.krl, edit);
        if (!after) return { ...(list ?? { krl: empty, bytes: Buffer.alloc(0) }), isChanged: false, isNew };
        rejectVersion1(at, location);
        const data = { ...pairs, [field]: after.bytes.toString('base64') };
        const write = () =>
          secrets.writeKv({ mount: at.mount, path: at.path, data, options: { cas: version } });
        const isWritten = await confirmWrite(write, () => hasEverything(edit)).then(
          () => true,
          insteadOf(isKind('conflict'), false),
        );
        if (isWritten) return { ...after, isChanged: true, isNew };
        await pauseAfterConflict(system);
      }
      throw conflict(`${locationText(location)} was changed by others ${maxAttempts} times in a row`);
    },
    source: () => {
      const states = secretSource(secrets, { path: location.path, mount: undefined, version: undefined });
      return {
        read: async (after, signal) => {
          const { value } = await states.read(after, signal);
          return { value: decoded(value?.pairs ?? {})?.bytes };
        },
      };
    },
  };
}

/**
 * The fields of a secret, and its version for check-and-set; 0: it never existed.
 *
 * @throws LanyardError not found: its latest version was deleted or destroyed, and the list with it.
 */
async function readPairs(
  secrets: SecretsClient,
  path: SecretPath,
): Promise<{ readonly pairs: Pairs; readonly version: number }> {
  try {
    const { pairs, metadata } = await readState(secrets, path);
    return { pairs: pairs ?? {}, version: metadata?.version ?? 0 };
  } catch (error) {
    if (removedVersion(error)) return describeMissingSecret(path)(error);
    if (isEmptyListError(error)) return { pairs: {}, version: 0 };
    throw error;
  }
}

function rejectVersion1({ mount, version }: SecretPath, location: ListLocation): void {
  if (version === 2) return;
  throw usage(
    `cannot write ${locationText(location)}: ${mount}/ is a key-value engine of version 1 without check-and-set`,
    {
      hint: 'Two people who revoke at the same time would lose entries. Use an engine of version 2, registry:KEY or a file.',
    },
  );
}
