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

/** The secrets service: on HTTP, and its state for who starts it. */
export interface SecretsService extends HttpService {
  readonly state: State;
}

/** The secrets service on a storage, in the state that the storage is in (docs/protocol/secrets.md). */
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
      // A disk that is full is worth saying; any other fault is not the caller's to read.
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

  /** Puts a request that was let in before what its path leads to. */
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
    // What was seen of a write that is not durable yet may not be told before it is.
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

/** A read without an answer, or a list without keys, found nothing. */
function isEmpty(operation: EngineRequest['operation'], response: CoreResponse | undefined): boolean {
  if (operation !== 'read' && operation !== 'list') return false;
  if (response === undefined) return true;
  const keys = response.data?.keys;
  return operation === 'list' && Array.isArray(keys) && keys.length === 0;
}

/**
 * The path among those that answer without a token. They are about the whole service, so those that are not
 * `rootOnly` answer in every namespace; sealed, the service does not know its namespaces and a header that names one
 * counts for nothing.
 */
function openPath(state: State, request: HttpRequest): readonly string[] {
  const { header, own } = segmentsOf(request);
  return state.sealed ? own : state.core.namespaces.resolve([...header, ...own]).rest;
}

/** Is it a path of the root namespace only, and a namespace is named: any in the header, or one in the path? */
function isUnavailable(state: State, request: HttpRequest): boolean {
  const { own } = segmentsOf(request);
  const path = openPath(state, request);
  const isNamed = (request.prefixed('namespace') ?? '') !== '' || path.length < own.length;
  return isNamed && [own, path].some((each) => rootOnly.has(each.join('/')));
}

/** Refusals from outside the service's own rules, in its form; 404 has no text. */
function refuseHttp(status: number, message: string): Answer {
  return refusalAnswer({ status, errors: status === 404 ? [] : [message] });
}
