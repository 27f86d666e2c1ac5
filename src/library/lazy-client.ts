import { LanyardError } from '../errors.ts';
import type { ServiceName } from '../wire/services.ts';
import { checkInput } from './check-input.ts';
import { methodName } from './method-names.ts';
import { requiredFields } from './required-fields.ts';
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
  const methodOf = (operation: string, required: readonly string[]): Method => {
    const method: Method = async (input = {}) => {
      try {
        checkInput(`${service}.${methodName(operation)}`, required, input);
        const { [operation]: send } = await load();
        return await send?.(input);
      } catch (error) {
        // The stack of the program: frames of the package would take all of its places.
        if (error instanceof LanyardError) Error.captureStackTrace(error, method);
        throw error;
      }
    };
    return method;
  };
  // Not a proxy: a name that is no operation is undefined, and inspecting or serializing the client calls nothing.
  const methods = operationsOf(service).map(([operation, required]) => [
    methodName(operation),
    { value: methodOf(operation, required) },
  ]);
  const prototype = Object.create(Object.prototype, {
    ...Object.fromEntries(methods),
    [Symbol.toStringTag]: { value: `${service} client` },
  });
  return Object.freeze(Object.create(prototype)) as ClientOf<Name>;
}

/** The operations of a service and their required fields. */
const operationsOf = (
  service: ServiceName,
): readonly (readonly [name: string, required: readonly string[]])[] =>
  requiredFields[service].split(' ').map((operation) => {
    const [name = '', fields = ''] = operation.split(/[()]/);
    return [name, fields === '' ? [] : fields.split(',')];
  });

async function create(service: ServiceName, options: ClientOptions): Promise<Loaded> {
  const { clientOf } = await import('./client.ts');
  return (await clientOf(service, options)) as Loaded;
}
