import { parseDuration } from '../../../../wire/duration.ts';
import type { Json } from '../../../../wire/json.ts';
import {
  type Engine,
  type EngineParts,
  type EngineRequest,
  type EngineResponse,
  SecretsError,
} from '../../engine.ts';
import { notFound, unsupportedOperation } from '../../errors.ts';
import { unversionedPaths } from '../../kv/help.ts';
import { directoryPrefix, listNames } from '../../kv/list-names.ts';

type Data = Readonly<Record<string, Json>>;

/** Default lease duration in seconds, if the secret has no `ttl`: 768 hours. */
const defaultDuration = 2_764_800;

/** Version 1: each path is a secret, an object with any fields. */
export function unversionedEngine(parts: EngineParts): Engine {
  const storage = parts.storage.withPrefix('secret/');

  function read(path: string): EngineResponse {
    const data = storage.get(path) as Data | undefined;
    if (data === undefined) throw notFound();
    return { data, duration: leaseDurationOf(data) };
  }

  function list(path: string): EngineResponse {
    const keys = listNames(storage, directoryPrefix(path));
    if (keys.length === 0) throw notFound();
    return { data: { keys } };
  }

  async function write({ path, data }: EngineRequest): Promise<undefined> {
    if (path === '') throw new SecretsError(400, 'missing path');
    if (Object.keys(data).length === 0) throw new SecretsError(400, 'missing data fields');
    await storage.write([{ key: path, value: { ...data } }]);
  }

  return {
    type: 'kv',
    unauthenticated: [],
    exists: (path) => storage.get(path) !== undefined,
    describe: () => unversionedPaths,
    async handle(request) {
      switch (request.operation) {
        case 'read':
          return read(request.path);
        case 'list':
          return list(request.path);
        case 'create':
        case 'update':
          return write(request);
        case 'delete':
          await storage.write([{ key: request.path }]);
          return undefined;
        default:
          throw unsupportedOperation();
      }
    },
  };
}

/** The secret's own `ttl` (or `lease`, its older name), if it is a duration. */
function leaseDurationOf(data: Data): number {
  const name = ['ttl', 'lease'].find((each) => Object.hasOwn(data, each)) ?? 'ttl';
  const ttl = Object.hasOwn(data, name) ? data[name] : undefined;
  const seconds = typeof ttl === 'string' || typeof ttl === 'number' ? parseDuration(ttl) : undefined;
  return seconds === undefined || seconds < 0 ? defaultDuration : Math.trunc(seconds);
}
