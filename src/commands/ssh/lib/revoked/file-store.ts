import { maxListBytes } from './limits.ts';
import type { ListCodec, ListStore, StoreContext, StoredList } from './list.ts';
import type { ListLocation } from './location.ts';

const what = 'the revocation list';

/** A list in a file, in binary form as sshd reads it. Changes are locked and atomic. */
export function fileStore(
  { path }: ListLocation,
  { decode, edited, empty }: ListCodec,
  { files }: StoreContext,
): ListStore {
  const read = async (): Promise<StoredList | undefined> =>
    (await files.exists(path)) ? decode(await files.readBytes(path, what, maxListBytes)) : undefined;
  return {
    read,
    async change(edit) {
      let isNew = false;
      let result: StoredList = { krl: empty, bytes: Buffer.alloc(0) };
      const isChanged = await files.editBytes({ path, what, mode: 0o644 }, (content) => {
        isNew = content === undefined;
        const before = content && decode(content);
        result = edited(before?.krl, edit) ?? before ?? { ...result };
        return result.bytes;
      });
      return { ...result, isChanged, isNew };
    },
    source: () => ({ read: async () => ({ value: (await read())?.bytes }) }),
  };
}
