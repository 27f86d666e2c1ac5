import { setTimeout as after } from 'node:timers/promises';
import { LanyardError } from '../../errors.ts';
import type { Endpoint, TransportOptions } from '../endpoint.ts';
import type { Body, Operation } from '../operation.ts';
import { requestOf } from './request.ts';
import type { Send, ServiceResponse } from './response.ts';
import { electionDelayMs, type Servers } from './retry.ts';

/**
 * Standbys of the secrets service respond to reads from a state that is behind (OpenBao 2.5 and later, ADR 32). After
 * the first write, and in a command that reads before it writes from the start, reads go to the active server:
 * - directly, if the settings have its address;
 * - otherwise, behind a load balancer, as wrapped responses, which a standby cannot create and forwards.
 * One server alone is asked once whether it is one.
 */
export function readingActive(
  send: Send,
  endpoint: Endpoint,
  servers: Servers,
  options: TransportOptions,
): Send {
  let isActiveNeeded = options.readsActive === true;
  let hasWritten = false;
  /** A standby did not know a mount. */
  let isLagging = false;
  let found: { readonly route: Promise<Route>; address: string } | undefined;

  /** Asks once for all reads at the same time. */
  async function routeNow(): Promise<Route> {
    const { address } = servers.current();
    if (found?.address !== address) found = { route: findActive(send, servers), address };
    const current = found;
    const route = await current.route;
    current.address = servers.current().address;
    return route;
  }

  async function read<Input extends object, Output>(
    operation: Operation<Input, Output>,
    input: Input,
  ): Promise<ServiceResponse<Output>> {
    // Nothing is sent for an invalid name.
    requestOf(endpoint, operation, input);
    // After a change of the server during the read it may have been a standby.
    for (let attempt = 1; ; attempt += 1) {
      const route = await routeNow();
      const { address } = servers.current();
      const reading =
        route === 'wrapped'
          ? readWrapped(
              send,
              operation,
              input,
              async (error, count) => (await isNotReplicated(error)) && pause(count),
            )
          : send(operation, input);
      const isLast = async (): Promise<boolean> =>
        route !== 'active' || servers.current().address === address || !(await pause(attempt));
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
    const mayLag = hasWritten || isLagging;
    hasWritten = true;
    isActiveNeeded = true;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send(operation, input);
      } catch (error) {
        const isTemporary =
          mayLag && (await isUnmounted(error)) && (await routeNow()) === 'wrapped' && (await pause(attempt));
        if (!isTemporary) throw error;
      }
    }
  }

  /** From any server first; one that does not know the mount may be a standby that is behind. */
  async function readMount<Input extends object, Output>(
    operation: Operation<Input, Output>,
    input: Input,
  ): Promise<ServiceResponse<Output>> {
    try {
      return await send(operation, input);
    } catch (error) {
      if (!(error instanceof LanyardError) || ![403, 404].includes(error.status ?? 0)) throw error;
      if ((await routeNow()) === 'only') throw error;
      const response = await read(operation, input);
      isLagging = true;
      return response;
    }
  }

  /** Waits until the standby may have received a change; false: it took too long. */
  async function pause(attempt: number): Promise<boolean> {
    const delayMs = electionDelayMs(attempt);
    if (delayMs === undefined) return false;
    await after(options.random() * delayMs, undefined, { signal: options.signal }).catch(() => undefined);
    return !options.signal.aborted;
  }

  return (operation, input) => {
    const isRead = operation.retry === 'read' || readMethods.includes(operation.method);
    if (!isRead) return write(operation, input);
    const isOfServer = operation.namespace === 'none' || operation.token === 'none';
    if (isOfServer || !(isActiveNeeded || found)) return send(operation, input);
    if (hasWritten || found || operation.path !== mountPath) return read(operation, input);
    return readMount(operation, input);
  };
}

async function isNotReplicated(error: unknown): Promise<boolean> {
  const { isUnknownWrappingToken } = await import('../secrets-conditions.ts');
  return isUnknownWrappingToken(error);
}

async function isUnmounted(error: unknown): Promise<boolean> {
  const { unmountedPathIn } = await import('../conditions.ts');
  return error instanceof LanyardError && unmountedPathIn(error.details) !== undefined;
}

const readMethods = ['GET', 'HEAD', 'LIST', 'SCAN'];
/** Where a path is mounted: read before most writes, and rarely changed. */
const mountPath = '/v1/sys/internal/ui/mounts/{+path}';

/**
 * How a read gets to the active server: `only`: every server that responds is it; `active`: it is the current server;
 * `wrapped`: only a wrapped response is certainly its.
 */
type Route = 'only' | 'active' | 'wrapped';

interface Leader {
  readonly ha_enabled?: boolean;
  readonly is_self?: boolean;
  readonly leader_address?: string;
}

/** `sys/leader`, which requires no token. */
const readLeader: Operation<object, Leader> = {
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

/** Makes the active server the current one, if the settings have its address. */
async function findActive(send: Send, servers: Servers): Promise<Route> {
  let leader: Leader;
  try {
    leader = (await send(readLeader, {})).body;
  } catch (error) {
    // A proxy that allows only some paths; other reads report a server that cannot be reached.
    if (!(error instanceof LanyardError) || error.kind === 'interrupted') throw error;
    return 'only';
  }
  if (leader.ha_enabled !== true) return 'only';
  const origin = URL.parse(leader.leader_address ?? '')?.origin;
  if (origin !== undefined && servers.choose(origin)) return 'active';
  // Of several addresses each is a server; one alone may be a load balancer.
  return leader.is_self === true && servers.count > 1 ? 'active' : 'wrapped';
}

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
  const wrapped = await send(wrapping, { ...input, wrapTtl: '60s' }).catch((error: unknown) => {
    // A policy may limit wrapping: what the standby has is better than nothing.
    if (error instanceof LanyardError && error.kind === 'forbidden') return undefined;
    throw error;
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
