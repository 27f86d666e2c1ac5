import type { ServiceName } from '../wire/services.ts';
import type { Decoder, Operation } from './operation.ts';

type Defaults = Pick<Operation<object, unknown>, 'accepts' | 'body' | 'retry'>;

/** The fields of an operation besides those with a position; they override the defaults of the method. */
type Options<Input> = Omit<Partial<Operation<Input, unknown>>, 'body' | 'decode'> & {
  /** `undefined`: no body. */
  readonly body?: Operation<Input, unknown>['body'] | undefined;
};

/** The parameters of a blocking query: it returns when the index of the state exceeds `index`, or after `wait`. */
export interface Blocking {
  index?: string;
  /** A duration with its unit. */
  wait?: string;
}

export const blockingParameters = ['index', 'wait'] as const;

/** The datacenter of a request to the registry (default: the agent's). */
export interface InDatacenter {
  dc?: string;
}

/** The consistency of a read of the registry. */
export interface Fresh extends InDatacenter {
  stale?: '';
  consistent?: '';
}

export const inDatacenter = { query: ['dc'] } as const;
export const freshParameters = ['dc', 'stale', 'consistent'] as const;

/** A blocking query of the registry. */
export type Watched = Fresh & Blocking;
export const watchedParameters = [...freshParameters, ...blockingParameters] as const;

/**
 * Builders for the rows of a service, one per method: `get<Input>(name, path, options)(decode)`. By default a read
 * accepts 200 and is sent again; a write accepts 200 and 204, sends JSON (except `remove` and `recover`) and is
 * never sent twice blindly.
 */
export function operationBuilders(service: ServiceName, written: Partial<Defaults> = {}) {
  const builder =
    (method: string, defaults: Defaults) =>
    <Input extends object>(name: string, path: string, options: Options<Input> = {}) =>
    <Output>(decode: Decoder<Output>): Operation<Input, Output> => {
      const { body, ...row } = { name, service, method, path, ...defaults, ...options, decode };
      return body === undefined ? row : { ...row, body };
    };
  const read: Defaults = { accepts: [200], retry: 'read' };
  const write: Defaults = { accepts: [200, 204], retry: 'write' };
  const send: Defaults = { ...write, body: 'json', ...written };
  return {
    get: builder('GET', read),
    head: builder('HEAD', read),
    list: builder('LIST', read),
    scan: builder('SCAN', read),
    post: builder('POST', send),
    put: builder('PUT', send),
    patch: builder('PATCH', send),
    remove: builder('DELETE', write),
    recover: builder('RECOVER', write),
  };
}
