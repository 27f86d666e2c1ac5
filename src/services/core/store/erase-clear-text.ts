import { messageOf } from '../errors.ts';
import type { Store } from './store.ts';

/** Set once the file no longer contains rows stored in clear by earlier versions. */
const clearTextErasedKey = 'store/clear-text-forgotten';

/** Rewrites the file of an earlier version, which has the overwritten bytes of rows that were stored in clear. */
export async function eraseClearText(store: Store, log: (line: string) => void): Promise<void> {
  if (store.get(clearTextErasedKey) !== undefined) return;
  try {
    await store.compact();
    await store.write([{ key: clearTextErasedKey, value: true }]);
  } catch (error) {
    log(
      `${messageOf(error)}; parts of the file may contain tokens of an earlier version until the next start`,
    );
  }
}
