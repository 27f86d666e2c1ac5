import { insteadOf, isFailure, type Kind, LanyardError } from '../errors.ts';
import type { ServiceName } from '../wire/services.ts';
import { isDatabaseDown } from './conditions/accounts.ts';
import { anonymousText } from './confirming-identity.ts';
import type { Endpoint } from './endpoint.ts';
import type { Send } from './http/response.ts';
import { checkToken, defaultPolicy, isAnonymousCaller } from './identity.ts';
import { ask, healthPath, isScheduler, respondsHere, whoElse } from './other-service.ts';
import { type Evidence, fieldsOf, isFrom, type Recognized, recognize } from './product.ts';
import { howToLogIn } from './request.ts';
import { services } from './services.ts';
import type { TokenCheck } from './token-check.ts';

export type State =
  | 'ok'
  | 'standby'
  | 'sealed'
  | 'not initialized'
  | 'wrong service'
  | 'database down'
  | 'unreachable'
  | 'failed';

/** What is known of a service from its responses. */
export interface Probe extends Recognized {
  /** Of the server that is reported. */
  readonly address: string;
  readonly state: State;
  readonly token: TokenCheck['token'] | 'none';
  /** ISO 8601; null: no end, or not known. */
  readonly tokenValidUntil: string | null;
  /** One sentence: why the state is not ok or the token not valid; null: nothing is wrong. */
  readonly problem: string | null;
  /** The kind of failure that a token is which cannot be used; null: nothing is wrong with it. */
  readonly tokenKind: Kind | null;
  /** What to do about a token that is missing or not accepted, one sentence; null: nothing, or not known. */
  readonly tokenHint: string | null;
}

/** How the servers of a cluster are reached. */
export interface Reach {
  /** Sends to this address only. */
  readonly sendTo: (address: string) => Send;
  /** Sends to this server of the endpoint first, and to others where it fails or redirects to them. */
  readonly sendFrom: (address: string) => Send;
}

/** The state of one server, and the response that shows it. */
interface ServerState extends Pick<Probe, 'state' | 'problem'> {
  readonly address: string;
  readonly health?: Evidence;
}

/** The best state first. A state with a problem comes after the same one without. */
const states: readonly State[] = [
  ...(['ok', 'standby', 'sealed', 'not initialized', 'database down'] as const),
  ...(['failed', 'wrong service', 'unreachable'] as const),
];
const rank = ({ state, problem }: ServerState): number =>
  2 * states.indexOf(state) + (problem === null ? 0 : 1);

/**
 * Asks a service for its state, product and version, and about the token of its settings. Of several servers the first
 * that is ok is reported, or the one with the best state.
 *
 * @throws LanyardError interrupted, and what is no LanyardError.
 */
export async function probe(endpoint: Endpoint, { sendTo, sendFrom }: Reach): Promise<Probe> {
  const { service } = endpoint;
  const found: ServerState[] = [];
  for (const address of endpoint.addresses ?? [endpoint.address]) {
    found.push(await probeServer({ ...endpoint, address }, sendTo));
    if (found.at(-1)?.state === 'ok') break;
  }
  const [best] = found.sort((one, other) => rank(one) - rank(other));
  if (best === undefined) throw new Error('an endpoint has at least one address');
  const { address, state, health } = best;
  // Where no server is reachable, each may have its own cause.
  const problem = state === 'unreachable' ? found.map((each) => each.problem).join('; ') : best.problem;
  const nothing: Probe = {
    address,
    state,
    problem,
    product: null,
    version: null,
    token: 'not checked',
    tokenValidUntil: null,
    tokenKind: null,
    tokenHint: null,
  };
  if (health === undefined) return nothing;
  const [more, token] = await Promise.all([
    moreEvidence(service, sendTo(address), state),
    tokenAt(endpoint, best, sendFrom),
  ]);
  return { ...nothing, ...recognize(service, [health, ...more]), ...token };
}

/** Asks one server for its state. */
async function probeServer(endpoint: Endpoint, sendTo: Reach['sendTo']): Promise<ServerState> {
  const { service, address } = endpoint;
  const send = sendTo(address);
  let health: Evidence;
  try {
    health = await send(ask(service, healthPath(service)), {});
  } catch (error) {
    if (!isFailure(error)) throw error;
    if (error.kind === 'unreachable') return { address, state: 'unreachable', problem: error.message };
    // A page is what another program sends, or a proxy whose service is away.
    if (error.status === undefined || error.status >= 500)
      return { address, state: 'failed', problem: error.message };
    return { address, state: 'wrong service', problem: await whoElse(endpoint, sendTo, error.message) };
  }
  if (!isFrom(service, health)) {
    const unexpected = `unexpected response for the ${services[service].title}: status ${health.status}`;
    if (health.status >= 500) return { address, state: 'failed', problem: unexpected };
    return { address, state: 'wrong service', problem: await whoElse(endpoint, sendTo, unexpected) };
  }
  if (service === 'registry' && (await isScheduler(send, health)))
    return { address, state: 'wrong service', problem: respondsHere('scheduler') };
  return { address, health, ...stateOf(service, health) };
}

type TokenFindings = Partial<
  Pick<Probe, 'token' | 'tokenValidUntil' | 'problem' | 'tokenKind' | 'tokenHint'>
>;

/**
 * The token, if the server can check it. A standby forwards requests to the active server or redirects to it; the response
 * of one that does not is not about the token.
 */
async function tokenAt(
  endpoint: Endpoint,
  { address, state, problem, health }: ServerState,
  sendFrom: Reach['sendFrom'],
): Promise<TokenFindings> {
  const isStandby = state === 'standby' && problem === null;
  if (state !== 'ok' && !isStandby) return {};
  const token = await tokenOf(endpoint, sendFrom(address), health);
  return isStandby && token.token === 'not checked' ? {} : token;
}

function stateOf(service: ServiceName, { status, body }: Evidence): Pick<Probe, 'state' | 'problem'> {
  const fields = fieldsOf(body);
  const failed = (problem: string) => ({ state: 'failed', problem }) as const;
  const message = typeof fields.message === 'string' ? fields.message : String(body ?? '').split('\n', 1)[0];
  const statusMessage = `status ${status}${message ? `: ${message}` : ''}`;
  switch (service) {
    case 'secrets':
      if (fields.initialized === false) return { state: 'not initialized', problem: null };
      if (fields.sealed === true) return { state: 'sealed', problem: null };
      if (status === 472)
        return { state: 'standby', problem: 'it is a disaster-recovery secondary, which serves no requests' };
      if ([429, 473].includes(status)) return { state: 'standby', problem: null };
      return status === 200 ? ok : failed(status === 503 ? 'it is down for maintenance' : statusMessage);
    case 'registry':
      if (status !== 200) return failed(statusMessage);
      return body === '' ? failed('the cluster has no leader') : ok;
    case 'scheduler': {
      const bad = [fields.server, fields.client].map(fieldsOf).find((part) => part.ok === false);
      return bad ? failed(`it is not healthy: ${bad.message ?? 'no reason given'}`) : ok;
    }
    case 'accounts':
      if (status < 500) return ok;
      return isDatabaseDown(message ?? '')
        ? { state: 'database down', problem: 'it cannot reach its database' }
        : failed(statusMessage);
    case 'box':
      return status < 500 ? ok : failed(status === 503 ? 'it is down for maintenance' : statusMessage);
  }
}

const ok = { state: 'ok', problem: null } as const;

/** Responses that show product and version where the one to the health request does not. Failures show nothing. */
async function moreEvidence(service: ServiceName, send: Send, state: State): Promise<readonly Evidence[]> {
  const get = (path: string, token: 'none' | 'optional'): Promise<Evidence | undefined> =>
    send({ ...ask(service, path), token }, {}).catch(insteadOf(isFailure, undefined));
  const requests = service === 'secrets' || state === 'ok' ? (evidenceRequests[service] ?? []) : [];
  const found = await Promise.all(requests.map(([path, token]) => get(path, token)));
  return found.filter((each) => each !== undefined);
}

const evidenceRequests: {
  readonly [S in ServiceName]?: readonly (readonly [path: string, token: 'none' | 'optional'])[];
} = {
  secrets: [['/v1/sys/seal-status', 'none']],
  registry: [['/v1/agent/self', 'optional']],
  scheduler: [
    ['/v1/agent/self', 'optional'],
    ['/v1/namespaces', 'none'],
  ],
};

/** The token of the settings, if there is one. */
async function tokenOf(endpoint: Endpoint, send: Send, health?: Evidence): Promise<TokenFindings> {
  let token: string | undefined;
  try {
    token = await endpoint.token();
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    return { problem: error.message, tokenKind: 'unauthenticated' };
  }
  if (!token) {
    const { service } = endpoint;
    const isAnonymous =
      service === 'registry'
        ? defaultPolicy(health?.headers ?? {}) === 'deny'
        : service === 'scheduler' && (await isAnonymousCaller(send, service));
    const tokenHint = endpoint.tokenHint ?? howToLogIn(service);
    const isRequired = service === 'secrets' || service === 'accounts';
    if (!isAnonymous) return { token: 'none', ...(isRequired ? { tokenHint } : {}) };
    return { token: 'none', problem: anonymousText(service), tokenKind: 'unauthenticated', tokenHint };
  }
  const check = await checkToken(send, endpoint.service, token);
  const isRejected = check.token === 'not accepted' || check.token === 'expired';
  return {
    tokenHint: (isRejected && (await endpoint.tokenOwner?.())?.hint) || null,
    token: check.token,
    tokenValidUntil: check.validUntil,
    problem: check.problem,
    tokenKind: check.kind,
  };
}
