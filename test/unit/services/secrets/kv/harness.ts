import type { Storage } from '../../../../../src/services/core/store/storage.ts';
import { kvEngine } from '../../../../../src/services/secrets/engines.ts';
import type { Json } from '../../../../../src/wire/json.ts';
import { memoryStorage } from '../../../../support/memory-storage.ts';
import { engineCalls } from '../engine-calls.ts';

export const noon = new Date('2026-03-04T12:00:00Z');
export const noonText = '2026-03-04T12:00:00.000000000Z';

/** A key-value mount with a fixed clock at noon, advanced by the test. */
export function mount(version: 1 | 2, storage: Storage = memoryStorage()) {
  let now = noon;
  const engine = kvEngine({
    storage,
    random: (length) => new Uint8Array(length),
    options: { version: String(version) },
    clock: () => now,
  });

  const calls = engineCalls(engine, () => now);
  return {
    engine,
    storage,
    ...calls,
    /** Advances the clock, in seconds. */
    pass(seconds: number) {
      now = new Date(now.getTime() + seconds * 1000);
    },
    keys: async (path: string): Promise<Json | undefined> => (await calls.call('list', path))?.data?.keys,
  };
}

export type Mount = ReturnType<typeof mount>;

/** Names that are special in plain JavaScript objects. */
export const awkwardNames = [
  '__proto__',
  'constructor',
  'toString',
  'ключ',
  '鍵 🔑',
  'with space',
  'a%2Fb',
  '*',
];
