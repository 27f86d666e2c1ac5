import { headersOf, mayOmitObjects } from '../../../../api/filtered-results.ts';
import type { ServiceResponse } from '../../../../api/http/response.ts';
import type { RegistryClient } from '../../../../api/registry.ts';
import type { Api } from '../../../../command/api.ts';
import { confirmWrite, conflict, isEmptyListError } from '../../../../errors.ts';
import { bytesOf, findEntry } from '../../../registry/lib/kv.ts';
import { isDay, parseEntry } from './entry.ts';
import type { RecordStore } from './store.ts';

/** A record in keys of the registry: one request for the list of days, and one for each day. */
export function registryStore(
  prefix: string,
  registry: RegistryClient,
  api: Pick<Api, 'settings'>,
): RecordStore {
  const keyOf = (name: string): string => `${prefix}/${name}`;
  const find = (name: string) => findEntry(registry, keyOf(name), {});
  /** The body of a list, and whether the token may see only a part of it. */
  const listed = async <Item>(
    reading: Promise<Pick<ServiceResponse<readonly Item[] | null>, 'body' | 'headers'>>,
  ): Promise<{ readonly items: readonly Item[]; readonly isPartial: boolean }> => {
    const { body, headers } = await reading.catch((error: unknown) => {
      if (!isEmptyListError(error)) throw error;
      return { body: [], headers: headersOf(error) };
    });
    return { items: body ?? [], isPartial: await mayOmitObjects(headers, api) };
  };
  return {
    async add(name, entry) {
      const content = JSON.stringify(entry);
      const isStored = async (): Promise<boolean> => {
        const stored = await find(name);
        return stored !== undefined && bytesOf(stored).toString() === content;
      };
      const response = await confirmWrite(
        () => registry.writePublicValue({ key: keyOf(name), content, cas: 0 }),
        async () => ({ done: await isStored(), found: 'the entry was not written' }),
      );
      if (response?.body === false && !(await isStored()))
        throw conflict(`key "${keyOf(name)}" already exists`);
    },
    async listDays() {
      const top = `${prefix}/`;
      const { items, isPartial } = await listed(registry.listKeys({ prefix: top, separator: '/' }));
      const names = items.map((key) => key.slice(top.length));
      const days = names.filter((name) => name.endsWith('/') && isDay(name.slice(0, -1)));
      const sorted = days.map((name) => name.slice(0, -1)).sort();
      // The prefix itself may be a key, as a folder of Consul's web interface.
      return { days: sorted, others: names.filter((name) => name !== '').length - days.length, isPartial };
    },
    async readDay(day, isWanted) {
      const top = `${prefix}/${day}/`;
      const { items, isPartial } = await listed(registry.readKeys({ prefix: top }));
      const wanted = items.filter(({ Key }) => Key !== top && isWanted(Key.slice(top.length)));
      const entries = wanted.map((found) => ({
        name: found.Key.slice(prefix.length + 1),
        entry: parseEntry(bytesOf(found).toString()),
      }));
      return { entries, isPartial };
    },
    async remove(name) {
      await confirmWrite(
        () => registry.deleteKey({ key: keyOf(name) }),
        async () => ({ done: (await find(name)) === undefined, found: 'the key still exists' }),
      );
    },
  };
}
