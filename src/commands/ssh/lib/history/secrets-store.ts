import type { SecretsClient } from '../../../../api/secrets.ts';
import {
  confirmDelete,
  confirmWrite,
  insteadOf,
  isEmptyListError,
  isForbidden,
  listOrEmpty,
} from '../../../../errors.ts';
import { mapConcurrently } from '../../../../wire/concurrently.ts';
import { resolveSecretPath, type SecretPath, version1Path } from '../../../kv/lib/secret-path.ts';
import { readState } from '../../../kv/lib/secret-state.ts';
import { isDay, parseEntry } from './entry.ts';
import type { RecordStore, StoredEntry } from './store.ts';

/**
 * The field of a secret that has the entry as JSON text. Messages hide the values of secrets: of an entry with fields of its
 * own, they would hide the name of the role and the like.
 */
const field = 'entry';

/** Requests at the same time. */
const concurrency = 16;

/** A record in secrets of a key-value engine: one request for the list of days, one for each day and each entry. */
export function secretsStore(path: string, secrets: SecretsClient): RecordStore {
  let resolving: Promise<SecretPath> | undefined;
  const at = async (name: string): Promise<SecretPath> => {
    resolving ??= resolveSecretPath(secrets, path, undefined);
    const top = await resolving;
    return { ...top, path: [top.path, name].filter((part) => part !== '').join('/') };
  };
  const namesIn = async (directory: string): Promise<readonly string[]> => {
    const { body } = await listOrEmpty(secrets.list({ path: listPath(await at(directory)) }));
    return body.data.keys ?? [];
  };
  const read = async (name: string): Promise<StoredEntry | 'forbidden' | undefined> => {
    const reading = readState(secrets, await at(name));
    const state = await reading
      .catch(insteadOf(isForbidden, 'forbidden' as const))
      // Removed a moment ago.
      .catch(insteadOf(isEmptyListError, undefined));
    if (state === undefined || state === 'forbidden') return state;
    return { name, entry: parseEntry(String(state.pairs?.[field])) };
  };
  return {
    async add(name, entry) {
      const location = await at(name);
      await confirmWrite(
        () => write(secrets, location, entry),
        async () => {
          const stored = await read(name);
          const isStored = typeof stored === 'object' && stored.entry?.serial === entry.serial;
          return { done: isStored, found: 'the entry was not written' };
        },
      );
    },
    async listDays() {
      const names = await namesIn('');
      const days = names.filter((name) => name.endsWith('/') && isDay(name.slice(0, -1)));
      const sorted = days.map((name) => name.slice(0, -1)).sort();
      return { days: sorted, others: names.length - days.length, isPartial: false };
    },
    async readDay(day, isWanted) {
      const names = (await namesIn(day)).filter((name) => !name.endsWith('/') && isWanted(name));
      const found = await mapConcurrently(names.toSorted(), (name) => read(`${day}/${name}`), concurrency);
      return {
        entries: found.filter((each) => typeof each === 'object'),
        isPartial: found.includes('forbidden'),
      };
    },
    async remove(name) {
      const location = await at(name);
      const { mount, version } = location;
      await confirmDelete(
        async () => {
          if (version === 1) await secrets.remove({ path: version1Path(location) });
          // All versions of the secret, and its metadata.
          else await secrets.deleteKvMetadata({ mount, path: location.path });
        },
        () => readState(secrets, location),
        'the secret',
      );
    },
  };
}

/** Version 1 cannot guard a write: the name of an entry is unique. */
const write = (secrets: SecretsClient, location: SecretPath, entry: object): Promise<unknown> => {
  const data = { [field]: JSON.stringify(entry) };
  if (location.version === 1)
    return secrets.write({ path: version1Path(location), content: JSON.stringify(data) });
  return secrets.writeKv({ mount: location.mount, path: location.path, data, options: { cas: 0 } });
};

/** The path to list: version 2 has its names below `metadata`. */
const listPath = (location: SecretPath): string =>
  location.version === 1 ? version1Path(location) : `${location.mount}/metadata/${location.path}`;
