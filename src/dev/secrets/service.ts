import { EmbeddedError, messageOf } from '../errors.ts';
import {
  type Answer,
  HttpRefusal,
  type HttpRequest,
  type HttpService,
  type ServiceParts,
} from '../http/service.ts';
import type { Storage } from '../storage.ts';
import { type Admitted, admit, decide, find, segmentsOf, type Target } from './admission.ts';
import type { CoreResponse } from './backend.ts';
import type { Core, CoreParts } from './core.ts';
import { type EngineRequest, Refusal } from './engine.ts';
import { bare, envelope, refusalAnswer } from './envelope.ts';
import { helpOn, helpWanted } from './help/help.ts';
import { logIn } from './login.ts';
import { openRoutes, rootOnly } from './open.ts';
import * as refuse from './refusals.ts';
import { dataOf, operationOf } from './request.ts';
import { State } from './state.ts';
import { uuidOf } from './uuid.ts';

export interface SecretsParts
  extends ServiceParts,
    Pick<CoreParts, 'random' | 'engines' | 'methods' | 'mounts'> {
  readonly storage: Storage;
  readonly log: (line: string) => void;
}

/** The secrets service: its HTTP interface, and its state for the code that starts it. */
export interface SecretsService extends HttpService {
  readonly state: State;
}

/** The secrets service on a storage, in the state of that storage (docs/protocol/secrets.md). */
export function secretsService(parts: SecretsParts): SecretsService {
  const { storage, random, clock, version } = parts;
  const log = (error: unknown) => parts.log(`secrets: ${messageOf(error)}`);
  const state = new State(storage, { ...parts, failed: log });
  const open = openRoutes({ state, clock, version });

  async function handle(request: HttpRequest): Promise<Answer> {
    try {
      return await route(request);
    } catch (error) {
      if (error instanceof HttpRefusal) return refuseHttp(error.status, error.message);
      if (error instanceof Refusal) return refusalAnswer(error);
      log(error);
      // Report a full disk to the caller; any other fault is internal.
      const known = error instanceof EmbeddedError ? new Refusal(500, error.message) : refuse.internal();
      return refusalAnswer(known);
    }
  }

  async function route(request: HttpRequest): Promise<Answer> {
    if (request.path.segments[0] !== 'v1') throw refuse.nothing();
    if (!helpWanted(request) && isUnavailable(state, request)) throw refuse.rootOnly();
    const own = open.find(openPath(state, request));
    if (own && !helpWanted(request)) {
      const handler = own.handlers.get(request.method === 'HEAD' ? 'GET' : request.method);
      if (!handler) throw refuse.unsupportedOperation();
      return handler(request);
    }
    const { core } = state;
    await core.reaper.sweep();
    const asked = operationOf(request);
    const target = find(core, request);
    if (helpWanted(request)) return bare(200, helpOn(core, request, target, version));
    const data = await dataOf(request, asked);
    const operation = decide(target, asked);
    const admitted = await admit(core, request, target, operation);
    try {
      return await ask(core, request, target, { operation, data, ...admitted });
    } finally {
      if (admitted) await core.tokens.spend(admitted.caller.token);
      core.reaper.arm();
    }
  }

  /** Passes an authorized request to the backend of its path. */
  async function ask(
    core: Core,
    request: HttpRequest,
    { namespace, mount, full, within, path }: Target,
    asking: Pick<EngineRequest, 'operation' | 'data'> & Partial<Admitted>,
  ): Promise<Answer> {
    if (request.prefixed('wrap-ttl') !== undefined)
      throw new Refusal(400, 'response wrapping is not supported');
    if (!mount) throw refuse.noRoute(full);
    const { operation, data, caller, entity } = asking;
    // Only the service's own paths may end in a slash without being a list.
    const slash = request.path.slash && operation !== 'list' && mount.entry.type !== 'system';
    if (slash || path.endsWith('.')) throw refuse.unsupportedPath();
    const { token: _token, namespace: _namespace, ...headers } = request.prefixedAll();
    const displayName = caller?.token.displayName ?? '';
    const response = await mount.backend.handle({
      ...{ operation, path, data, headers, displayName, now: clock() },
      ...{ caller, entity, mayUpdate: caller?.acl.allows(within, 'update') ?? false },
    });
    // A response must not reveal a write before it is durable.
    await storage.write([]);
    if (isEmpty(operation, response)) throw refuse.nothing();
    const lease = caller && response?.lease;
    const leaseId =
      lease && (await core.leases.create({ namespace, mount, path, token: caller.token }, lease));
    const auth = response?.login && (await logIn(core, { namespace, mount, path }, response.login));
    const whole = response && { ...response, ...(leaseId && { leaseId }), ...(auth && { auth }) };
    return envelope(whole, uuidOf(random(16)), mount.entry.type);
  }

  return { name: 'secrets', prefixes: ['X-Secrets', 'X-Vault'], handle, refuse: refuseHttp, state };
}

/** A read without a response, or a list without keys, is "not found". */
function isEmpty(operation: EngineRequest['operation'], response: CoreResponse | undefined): boolean {
  if (operation !== 'read' && operation !== 'list') return false;
  if (response === undefined) return true;
  const keys = response.data?.keys;
  return operation === 'list' && Array.isArray(keys) && keys.length === 0;
}

/**
 * The path, if it is one of those that require no token. They concern the entire service, so those that are
 * not `rootOnly` respond in every namespace; while sealed, namespaces are unknown and a namespace header is
 * ignored.
 */
function openPath(state: State, request: HttpRequest): readonly string[] {
  const { header, own } = segmentsOf(request);
  return state.sealed ? own : state.core.namespaces.resolve([...header, ...own]).rest;
}

/**
 * Whether the path exists only in the root namespace and the request names a namespace, in the header or in
 * the path.
 */
function isUnavailable(state: State, request: HttpRequest): boolean {
  const { own } = segmentsOf(request);
  const path = openPath(state, request);
  const isNamed = (request.prefixed('namespace') ?? '') !== '' || path.length < own.length;
  return isNamed && [own, path].some((each) => rootOnly.has(each.join('/')));
}

/** HTTP errors in the service's own format; 404 has no text. */
function refuseHttp(status: number, message: string): Answer {
  return refusalAnswer({ status, errors: status === 404 ? [] : [message] });
}
