import type { Storage } from '../../../../../src/services/core/store/storage.ts';
import type { EngineRequest, EngineResponse } from '../../../../../src/services/secrets/engine.ts';
import { kvEngine } from '../../../../../src/services/secrets/engines.ts';
import { SecretsError } from '../../../../../src/services/secrets/errors.ts';
import { systemTtlLimits } from '../../../../../src/services/secrets/model/ttl.ts';
import type { Json } from '../../../../../src/wire/json.ts';
import { memoryStorage } from '../../../../support/memory-storage.ts';

export const noon = new Date('2026-03-04T12:00:00Z');
export const noonText = '2026-03-04T12:00:00.000000000Z';

export type Data = Record<string, Json>;

/** A key-value mount with a fixed clock at noon, advanced by the test. */
export function mount(version: 1 | 2, storage: Storage = memoryStorage()) {
  let now = noon;
  const engine = kvEngine({
    storage,
    random: (length) => new Uint8Array(length),
    options: { version: String(version) },
    clock: () => now,
  });

  async function call(
    operation: EngineRequest['operation'],
    path: string,
    data: Data = {},
  ): Promise<EngineResponse | undefined> {
    const response = await engine.handle({
      operation,
      path,
      data,
      headers: {},
      displayName: 'root',
      now,
      ttlLimits: systemTtlLimits,
    });
    if (!response) return undefined;
    const { returns: _, ...content } = response;
    return content;
  }

  return {
    engine,
    storage,
    call,
    /** Advances the clock, in seconds. */
    pass(seconds: number) {
      now = new Date(now.getTime() + seconds * 1000);
    },
    write: (path: string, data?: Data) => call('update', path, data),
    /** The `data` of a read. */
    read: async (path: string, data?: Data): Promise<Data> => ({ ...(await call('read', path, data))?.data }),
    keys: async (path: string): Promise<Json | undefined> => (await call('list', path))?.data?.keys,
  };
}

export type Mount = ReturnType<typeof mount>;

/** `400 the message`, or the result if there was no error. */
export async function errorOf(act: Promise<unknown>): Promise<string> {
  try {
    return `not rejected: ${JSON.stringify(await act)}`;
  } catch (error) {
    if (error instanceof SecretsError) return [error.status, ...error.errors].join(' ');
    throw error;
  }
}

/** The format of errors of the service itself. */
export function decorated(message: string): string {
  return `1 error occurred:\n\t* ${message}\n\n`;
}

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
