import { LanyardError, usage } from '../errors.ts';
import type { ServiceName } from '../wire/services.ts';
import { operationNames } from './operation-names.ts';
import type { ClientOptions, Running } from './types.ts';

type ClientOf<Name extends ServiceName> = ReturnType<Running[Name]['client']>;
type Method = (input?: unknown) => Promise<unknown>;
type Loaded = Readonly<Record<string, Method>>;

/** A client whose operations, settings and transport are loaded with its first call. */
export function lazyClient<Name extends ServiceName>(service: Name, options: ClientOptions): ClientOf<Name> {
  let loading: Promise<Loaded> | undefined;
  const load = (): Promise<Loaded> => {
    // Settings that could not be read may be corrected before the next call.
    loading ??= create(service, options).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const call = async (name: string, input: unknown = {}): Promise<unknown> => {
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      throw usage(`invalid input of ${service}.${name}: expected an object`);
    const { [name]: operation } = await load();
    return operation?.(input);
  };
  const methodOf = (name: string): Method => {
    const method: Method = async (input) => {
      try {
        return await call(name, input);
      } catch (error) {
        // The stack of the program: frames of the package would take all of its places.
        if (error instanceof LanyardError) Error.captureStackTrace(error, method);
        throw error;
      }
    };
    return method;
  };
  // Not a proxy: a name that is no operation is undefined, and inspecting or serializing the client calls nothing.
  const methods = operationNames[service].map((name) => [name, { value: methodOf(name) }]);
  const prototype = Object.create(Object.prototype, {
    ...Object.fromEntries(methods),
    [Symbol.toStringTag]: { value: `${service} client` },
  });
  return Object.freeze(Object.create(prototype)) as ClientOf<Name>;
}

async function create(service: ServiceName, options: ClientOptions): Promise<Loaded> {
  const { clientOf } = await import('./client.ts');
  return (await clientOf(service, options)) as Loaded;
}
