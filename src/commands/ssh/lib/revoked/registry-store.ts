import type { RegistryClient } from '../../../../api/registry.ts';
import type { KvEntry } from '../../../../api/registry-kv.ts';
import { confirmWrite, conflict, usage } from '../../../../errors.ts';
import type { Reading, Source } from '../../../../watch/watch.ts';
import { bytesOf, checkKey, findEntry, maxValueSize } from '../../../registry/lib/kv.ts';
import { keySource } from '../../../registry/lib/sources.ts';
import { maxAttempts, pauseAfterConflict } from './limits.ts';
import type { Edit, ListCodec, ListStore, StoreContext } from './list.ts';
import { type ListLocation, locationText } from './location.ts';

/** A list in a key of the registry, in base64; writes have the ModifyIndex of the read. */
export function registryStore(
  registry: RegistryClient,
  location: ListLocation,
  { decode, edited, empty }: ListCodec,
  { system }: StoreContext,
): ListStore {
  const key = location.path;
  checkKey(key);
  const decoded = (entry: KvEntry | undefined) => entry && decode(bytesOf(entry));
  const read = async () => {
    const entry = await findEntry(registry, key, {});
    return { entry, list: decoded(entry) };
  };
  const hasEverything = async (edit: Edit) => {
    const { list } = await read();
    return { done: edited(list?.krl, edit) === undefined, found: `${locationText(location)} is unchanged` };
  };
  return {
    read: async () => (await read()).list,
    async change(edit) {
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        const { entry, list } = await read();
        const isNew = list === undefined;
        const after = edited(list?.krl, edit);
        if (!after) return { ...(list ?? { krl: empty, bytes: Buffer.alloc(0) }), isChanged: false, isNew };
        const content = after.bytes.toString('base64');
        checkSize(content, location);
        const [cas, flags] = [Number(entry?.ModifyIndex ?? 0), entry?.Flags?.toString()];
        const response = await confirmWrite(
          () => registry.writeKey({ key, content, cas, ...(flags === undefined ? {} : { flags }) }),
          () => hasEverything(edit),
        );
        if (response?.body !== false) return { ...after, isChanged: true, isNew };
        await pauseAfterConflict(system);
      }
      throw conflict(`${locationText(location)} was changed by others ${maxAttempts} times in a row`);
    },
    source(): Source<Buffer> {
      const entries = keySource(registry, key, {});
      const toBytes = ({ value, ...rest }: Reading<KvEntry>): Reading<Buffer> => ({
        ...rest,
        value: decoded(value)?.bytes,
      });
      const confirm = entries.confirm?.bind(entries);
      return {
        read: async (after, signal) => toBytes(await entries.read(after, signal)),
        ...(confirm && { confirm: async (signal: AbortSignal) => toBytes(await confirm(signal)) }),
      };
    },
  };
}

function checkSize(content: string, location: ListLocation): void {
  if (content.length <= maxValueSize) return;
  throw usage(
    `cannot write ${locationText(location)}: the list has ${content.length} bytes in base64; the registry accepts at most ${maxValueSize}`,
    { hint: 'Nothing was changed. Revoke ranges of serials, or keep the list in a secret or a file.' },
  );
}
