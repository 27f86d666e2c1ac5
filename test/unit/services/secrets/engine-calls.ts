import type { Engine, EngineRequest } from '../../../../src/services/secrets/engine.ts';
import { SecretsError } from '../../../../src/services/secrets/errors.ts';
import { systemTtlLimits } from '../../../../src/services/secrets/model/ttl.ts';
import type { Json } from '../../../../src/wire/json.ts';

// Without the service and without the test runner: a child process uses it.

export type Data = Record<string, Json>;

/** Requests to an engine without a service, by a token named `root`. */
export function engineCalls(engine: Engine, now: () => Date) {
  async function call(
    operation: EngineRequest['operation'],
    path: string,
    data: Data = {},
    more: Partial<EngineRequest> = {},
  ) {
    const fixed = { headers: {}, displayName: 'root', now: now(), ttlLimits: systemTtlLimits };
    const response = await engine.handle({ operation, path, data, ...fixed, ...more });
    if (!response) return undefined;
    const { returns: _, ...content } = response;
    return content;
  }
  return {
    call,
    write: (path: string, data?: Data, more?: Partial<EngineRequest>) => call('update', path, data, more),
    /** The `data` of a read. */
    read: async (path: string, data?: Data): Promise<Data> => ({ ...(await call('read', path, data))?.data }),
  };
}

/** `400 the message` of a call of an engine, or the result if there was no error. */
export async function errorOf(act: Promise<unknown>): Promise<string> {
  try {
    return `not rejected: ${JSON.stringify(await act)}`;
  } catch (error) {
    if (error instanceof SecretsError) return [error.status, ...error.errors].join(' ');
    throw error;
  }
}

/** The error format of the service itself. */
export const decorated = (text: string) => `1 error occurred:\n\t* ${text}\n\n`;
