import { setTimeout as after } from 'node:timers/promises';
import { isFailure, LanyardError } from '../errors.ts';
import type { Endpoint, TransportOptions } from './endpoint.ts';
import type { Servers } from './http/connection.ts';
import type { Send, SendFrom, ServiceResponse } from './http/response.ts';
import type { Body, Operation } from './operation.ts';
import { requestOf } from './request.ts';

/**
 * Standbys of the secrets service respond to reads from a state that is behind (OpenBao 2.5 and later, ADR 32). After
 * the first write, and in a command that reads before it writes from the start, reads go to the active server:
 * - directly, if the settings have its address;
 * - otherwise, behind a load balancer, as wrapped responses, which a standby cannot create and forwards.
 * One server alone is asked once whether it is one.
 */
export function readingActive(
  send: SendFrom,
  endpoint: Endpoint,
  servers: Servers,
  options: TransportOptions,
): Send {
  let isActiveNeeded = options.readsActive === true;
  let hasWritten = false;
  /** A standby did not have a mount that the active server has. */
  let isBehind = false;
  let known: Found | undefined;
  let finding: Promise<Found> | undefined;

  /** Asks once for all reads at the same time, and again when the current server has changed. */
  async function routeNow(): Promise<Found> {
    if (known?.address === servers.current().address) return known;
    finding ??= findActive(send, servers)
      .then((found) => {
        known = found;
        return found;
      })
      .finally(() => {
        finding = undefined;
      });
    return finding;
  }

  async function read<Input extends object, Output>(
    operation: Operation<Input, Output>,
    input: Input,
  ): Promise<ServiceResponse<Output>> {
    // Nothing is sent for an invalid name.
    requestOf(endpoint, operation, input);
    for (let attempt = 1; ; attempt += 1) {
      const { route, address } = await routeNow();
      if (route === 'wrapped') {
        const isTemporary = async (error: LanyardError, count: number): Promise<boolean> =>
          (await conditions()).isUnknownWrappingToken(error) && pause(count);
        return readWrapped(send, operation, input, isTemporary);
      }
      if (route === 'only') return send(operation, input);
      servers.choose(originOf(address));
      let responder = address;
      const reading = send(operation, input, (server) => {
        responder = server;
      });
      // Another server than the active one may have been a standby.
      const isLast = async (): Promise<boolean> => {
        if (responder === address) return true;
        known = undefined;
        return !(await pause(attempt));
      };
      try {
        const response = await reading;
        if (await isLast()) return response;
      } catch (error) {
        if (await isLast()) throw error;
      }
    }
  }

  /** A mount that was created a moment ago may be unknown to a standby, which then rejects the write. */
  async function write<Input extends object, Output>(
    operation: Operation<Input, Output>,
    input: Input,
  ): Promise<ServiceResponse<Output>> {
    const mayLag = hasWritten || isBehind;
    hasWritten = true;
    isActiveNeeded = true;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send(operation, input);
      } catch (error) {
        // The server may be another one when it responds again.
        if (isLost(error)) known = undefined;
        const isTemporary =
          mayLag &&
          (await isUnmounted(error)) &&
          (await routeNow()).route === 'wrapped' &&
          (await pause(attempt));
        if (!isTemporary) throw error;
      }
    }
  }

  /** Waits until the standby may have received a change; false: it took too long. */
  async function pause(attempt: number): Promise<boolean> {
    const { electionDelayMs } = await import('./http/retry.ts');
    const delayMs = electionDelayMs(attempt);
    if (delayMs === undefined) return false;
    await after(options.random() * delayMs, undefined, { signal: options.signal }).catch(() => undefined);
    return !options.signal.aborted;
  }

  /** A standby may not have a mount yet that the active server has; a server without standbys is asked once. */
  async function findMount<Input extends object, Output>(
    operation: Operation<Input, Output>,
    input: Input,
  ): Promise<ServiceResponse<Output>> {
    let responder = '';
    try {
      return await send(operation, input, (server) => {
        responder = server;
      });
    } catch (error) {
      if (!(await isUnknownMount(error))) throw error;
      const { route, address } = await routeNow();
      if (route === 'only' || (route === 'active' && responder === address)) throw error;
      const response = await read(operation, input);
      isBehind = true;
      return response;
    }
  }

  return (operation, input) => {
    const isRead = operation.retry === 'read' || readMethods.includes(operation.method);
    if (!isRead) return write(operation, input);
    const isOfServer = operation.namespace === 'none' || operation.token === 'none';
    if (isOfServer) return send(operation, input);
    const isLookup = operation.path.endsWith(mountPath);
    const isForced = (isActiveNeeded && (hasWritten || !isLookup)) || known || finding;
    if (isForced) return read(operation, input);
    return isLookup ? findMount(operation, input) : send(operation, input);
  };
}

const conditions = () => import('./conditions/secrets.ts');

const isUnmounted = async (error: unknown): Promise<boolean> =>
  error instanceof LanyardError && (await conditions()).unmountedPathIn(error.details) !== undefined;

const isUnknownMount = async (error: unknown): Promise<boolean> => (await conditions()).isHiddenMount(error);

const isLost = (error: unknown): boolean =>
  error instanceof LanyardError && ['unknown', 'unreachable'].includes(error.kind);

const originOf = (address: string): string => URL.parse(address)?.origin ?? 'null';

const readMethods = ['GET', 'HEAD', 'LIST', 'SCAN'];
/** Where a path is mounted: read before most writes, and rarely changed. A namespace may be before it. */
const mountPath = '/sys/internal/ui/mounts/{+path}';

/**
 * How a read gets to the active server: `only`: every server that responds is it; `active`: it is the current server;
 * `wrapped`: only a wrapped response is certainly its.
 */
type Route = 'only' | 'active' | 'wrapped';

export interface Leader {
  readonly ha_enabled?: boolean;
  readonly is_self?: boolean;
  readonly leader_address?: string;
}

/** `sys/leader`, which requires no token. */
export const readLeader: Operation<object, Leader> = {
  name: 'read leader',
  service: 'secrets',
  method: 'GET',
  path: '/v1/sys/leader',
  token: 'none',
  namespace: 'none',
  accepts: [200],
  retry: 'read',
  decode: (body) => (typeof body === 'object' && body !== null ? (body as Leader) : {}),
};

/** A route, and the server that it was found for: for `active` the active server. */
interface Found {
  readonly route: Route;
  readonly address: string;
}

/**
 * Finds the active server in the settings. Another server may name one that is active no more, also after that one has
 * started again as a standby: it is asked itself.
 */
async function findActive(send: Send, servers: Servers): Promise<Found> {
  for (let asked = 1; ; asked += 1) {
    let leader: ServiceResponse<Leader>;
    try {
      leader = await send(readLeader, {});
    } catch (error) {
      // A proxy that allows only some paths; other reads report a server that cannot be reached.
      if (!isFailure(error)) throw error;
      return { route: 'only', address: servers.current().address };
    }
    const { address = servers.current().address, body } = leader;
    const { ha_enabled: isCluster, is_self: isActive, leader_address: active = '' } = body;
    if (isCluster !== true) return { route: 'only', address };
    // Of several addresses each is a server; one alone may be a load balancer.
    if (isActive === true && (servers.count > 1 || originOf(active) === originOf(address)))
      return { route: 'active', address };
    if (asked === maxAsked || !servers.choose(originOf(active))) return { route: 'wrapped', address };
  }
}

/** How many servers are asked which one is active. */
const maxAsked = 3;

interface Wrapped {
  readonly wrap_info?: { readonly token?: string } | null;
}

const wrappingTokenOf = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null ? (body as Wrapped).wrap_info?.token : undefined;

/**
 * Reads with a wrapped response, and unwraps it. A standby that does not have the wrapping token yet rejects it.
 *
 * @param pause waits, if the error is temporary.
 */
async function readWrapped<Input extends object, Output>(
  send: Send,
  operation: Operation<Input, Output>,
  input: Input,
  pause: (error: LanyardError, attempt: number) => Promise<boolean>,
): Promise<ServiceResponse<Output>> {
  if ('wrapTtl' in input && input.wrapTtl !== undefined) return send(operation, input);
  const wrapping = {
    ...operation,
    headers: { ...operation.headers, 'Wrap-TTL': 'wrapTtl' },
    decode: (body: Body, status?: number) =>
      wrappingTokenOf(body) === undefined ? operation.decode(body, status) : body,
  } as Operation<Input & { wrapTtl: string }, Output | Body>;
  const wrapped = await send(wrapping, { ...input, wrapTtl: '60s' }).catch(async (error: unknown) => {
    if (!(error instanceof LanyardError)) throw error;
    // A policy may limit wrapping: what the standby has is better than nothing.
    if (error.kind === 'forbidden' && !(await isUnknownMount(error))) return undefined;
    const isEmptyList = operation.method === 'LIST' && (await conditions()).isUnwrappableList(error);
    throw isEmptyList ? error.withDetails([]) : error;
  });
  if (!wrapped) return send(operation, input);
  const token = wrappingTokenOf(wrapped.body);
  if (token === undefined) return wrapped as ServiceResponse<Output>;
  const { headers: _headers, query: _query, fixedQuery: _fixed, search: _search, ...rest } = operation;
  const unwrapping = {
    ...rest,
    method: 'POST',
    path: '/v1/sys/wrapping/unwrap',
    headers: { Token: 'token' },
    token: 'none',
    retry: 'once',
  } as Operation<{ token: string }, Output>;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(unwrapping, { token });
    } catch (error) {
      if (!(error instanceof LanyardError) || !(await pause(error, attempt))) throw error;
    }
  }
}
