import { type Kind, LanyardError } from '../errors.ts';
import { compact } from '../wire/objects.ts';
import { isAnonymousAccessor, type ServiceName } from '../wire/services.ts';
import { isAccessControlOff, isDeniedByPolicy, isGoneToken, isUnidentifiedCaller } from './conditions.ts';
import { anything } from './decode.ts';
import type { Endpoint } from './endpoint.ts';
import type { Send } from './http/response.ts';
import type { Operation } from './operation.ts';
import { fieldsOf } from './product.ts';
import { services } from './services.ts';
import {
  isExpiredToken,
  isMalformedToken,
  isTakenForUuid,
  isUnknownSchedulerToken,
  isWithoutStoredToken,
} from './token-conditions.ts';

/** What a service reports about a token. */
export interface TokenCheck {
  readonly token: 'valid' | 'not accepted' | 'expired' | 'access control is off' | 'not checked';
  /** ISO 8601; null: no end, or not known. */
  readonly validUntil: string | null;
  /** Why the token is not valid, or could not be checked. */
  readonly problem: string | null;
  /** The kind of failure that a token is which cannot be used; null: it can. */
  readonly kind: Kind | null;
  /** The service responded, and took the caller for one without a token, or for another one. */
  readonly isAnonymous: boolean;
}

/** The datacenter of the registry, where a call names one. */
interface Asked {
  dc?: string;
  id?: string;
}

const paths: { readonly [S in ServiceName]: string } = {
  secrets: '/v1/auth/token/lookup-self',
  registry: '/v1/acl/token/self',
  box: '/api/v1/authenticate',
  scheduler: '/v1/acl/token/self',
  accounts: '/v1/auth-tokens/{id}',
};

const ownToken = (service: ServiceName): Operation<Asked, unknown> => ({
  name: 'read own token',
  service,
  method: 'GET',
  path: paths[service],
  ...(service === 'registry' ? { query: ['dc'] as const } : {}),
  token: 'required',
  accepts: [200],
  retry: 'read',
  decode: anything,
});

const unproven = { validUntil: null, problem: null, kind: null, isAnonymous: false } as const;

const notAccepted = (problem: string, isAnonymous = false, kind: Kind = 'unauthenticated'): TokenCheck => ({
  ...unproven,
  token: 'not accepted',
  problem,
  kind,
  isAnonymous,
});

const notChecked = (problem: string, kind: Kind | null = null): TokenCheck => ({
  ...unproven,
  token: 'not checked',
  problem,
  kind,
});

/**
 * Asks a service whether it knows a token. Valid is only what the service confirms: a response about an anonymous
 * caller or about another token does not confirm it.
 *
 * @param token the one that `send` sends.
 * @param dc the datacenter, if it is not that of the settings.
 * @returns what was found; failures of the service too.
 * @throws LanyardError interrupted, and what is no LanyardError.
 */
export async function checkToken(
  send: Send,
  service: ServiceName,
  token: string,
  dc?: string,
): Promise<TokenCheck> {
  const id = service === 'accounts' ? authTokenId(token) : undefined;
  if (service === 'accounts' && id === undefined) return notChecked('the token has no ID');
  const input: Asked = compact({ dc, id });
  try {
    const { body } = await send(ownToken(service), input);
    return confirmed(service, token, fieldsOf(body));
  } catch (error) {
    if (!(error instanceof LanyardError) || error.kind === 'interrupted') throw error;
    return failed(service, token, error);
  }
}

/** Reads what a service reports about the caller's token. */
function confirmed(service: ServiceName, token: string, body: Readonly<Record<string, unknown>>): TokenCheck {
  const valid = (end: unknown): TokenCheck => ({
    ...unproven,
    token: 'valid',
    validUntil: typeof end === 'string' && end !== '' ? end : null,
  });
  const { title } = services[service];
  const another = `the ${title} responded for another token`;
  switch (service) {
    // Nothing but the status is known.
    case 'box':
      return valid(null);
    case 'accounts':
      return body.id === authTokenId(token) ? valid(body.expiration_time) : notAccepted(another);
    case 'secrets': {
      const { id, accessor, policies, expire_time } = fieldsOf(body.data);
      if (typeof id === 'string') return id === token ? valid(expire_time) : notAccepted(another, true);
      return accessor === undefined && policies === undefined
        ? notAccepted(`the ${title} did not identify the token`)
        : valid(expire_time);
    }
    case 'registry':
    case 'scheduler': {
      const { AccessorID, SecretID, ExpirationTime } = body;
      if (typeof AccessorID !== 'string' || AccessorID === '')
        return notAccepted(`the ${title} did not identify the token`);
      if (isAnonymousAccessor(AccessorID))
        return notAccepted(`the ${title} treats the caller as anonymous`, true);
      const isShown = typeof SecretID === 'string' && SecretID !== '' && SecretID !== '<hidden>';
      return isShown && SecretID !== token ? notAccepted(another, true) : valid(ExpirationTime);
    }
  }
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const webToken = /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/;

function failed(service: ServiceName, token: string, error: LanyardError): TokenCheck {
  const { title } = services[service];
  if (isAccessControlOff(error)) return { ...unproven, token: 'access control is off' };
  if (isExpiredToken(error))
    return { ...notAccepted(`the ${title} says that the token has expired`), token: 'expired' };
  if (service === 'accounts' && isGoneToken(error))
    return notAccepted(`the ${title} does not know the token: it has expired or was deleted`);
  if (service === 'registry' && isUnidentifiedCaller(error))
    return notAccepted(`the ${title} does not know the token`, true);
  if (service === 'scheduler' && isUnknownToScheduler(token, error))
    return notAccepted(
      `the ${title} does not accept the token (${error.status})`,
      true,
      error.status === 404 ? 'unauthenticated' : error.kind,
    );
  if (service === 'scheduler' && isTakenForUuid(error) && webToken.test(token))
    return notChecked(`the ${title} cannot look up workload tokens (${error.status})`);
  if (service === 'scheduler' && isMalformedToken(error))
    return notAccepted('the token is neither a UUID nor a JSON web token');
  // A rate limit, a policy, a route that does not exist: none of them is about the token.
  if (service === 'secrets' && isDeniedByPolicy(error))
    return notChecked('the token is known and has no permission to look itself up');
  if (rejections[service].includes(error.status ?? 0))
    return notAccepted(`the ${title} does not accept the token (${error.status})`, false, error.kind);
  // The route does not exist, or is not permitted: the token may be valid for every other call.
  if (error.kind === 'not_found' || error.kind === 'forbidden')
    return notChecked(`the ${title} cannot look up the token (${error.status})`);
  return notChecked(error.message, error.kind);
}

/** The statuses that reject a token whatever the text; the scheduler's 403 is also that of a gateway in front of it. */
const rejections: { readonly [S in ServiceName]: readonly number[] } = {
  secrets: [401, 403],
  registry: [401, 403],
  box: [401],
  scheduler: [],
  accounts: [401],
};

// A workload has no stored token either; its token is a JSON web token.
const isUnknownToScheduler = (token: string, error: LanyardError): boolean =>
  isUnknownSchedulerToken(error) || (isWithoutStoredToken(error) && uuid.test(token));

/**
 * A `Send` that does not return the result of an anonymous caller for a call with a token: registry and scheduler respond
 * to an unknown token with an empty list, or with "not found". After such a response to a call with a token, the token is
 * checked, once for all calls.
 *
 * @param note called after an empty list without a token, if the service denies access by default.
 * @throws LanyardError unauthenticated: the service does not know the token.
 */
export function confirmingIdentity(
  send: Send,
  endpoint: Endpoint,
  note: (message: string) => void = () => {},
): Send {
  const { service } = endpoint;
  // The other services report a missing or invalid token; a box registry is public.
  if (service !== 'registry' && service !== 'scheduler') return send;
  let check: Promise<TokenCheck> | undefined;
  const confirm = async (operation: Operation<never, unknown>, input: object): Promise<void> => {
    if (operation.token === 'none') return;
    const token = await endpoint.token();
    if (!token) return;
    const dc = (input as { dc?: string }).dc ?? operation.fixedQuery?.find(([name]) => name === 'dc')?.[1];
    check ??= checkToken(send, service, token, dc);
    const { isAnonymous, problem } = await check;
    if (isAnonymous) throw anonymous(operation.name, endpoint, problem ?? '');
  };
  return async (operation, input) => {
    try {
      const response = await send(operation, input);
      if (operation.retry !== 'read' || !isEmpty(response.body)) return response;
      await confirm(operation, input);
      if (isDenyingByDefault(response.headers) && !(await endpoint.token())) {
        note(
          `no token was sent, and the ${services[service].title} shows anonymous callers only what they may read`,
        );
      }
      return response;
    } catch (error) {
      if (error instanceof LanyardError && error.kind === 'not_found') await confirm(operation, input);
      throw error;
    }
  };
}

const isDenyingByDefault = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  Object.entries(headers).some(
    ([name, value]) => /^x-\w+-default-acl-policy$/.test(name) && value === 'deny',
  );

/** Whether a response has no results: an empty list, or an object with an empty list of results. */
function isEmpty(body: unknown): boolean {
  if (body === undefined || body === null) return true;
  if (Array.isArray(body)) return body.length === 0;
  if (typeof body !== 'object') return false;
  const names = Object.keys(body);
  const results = names.find((name) => name === 'Nodes' || name === 'Results');
  return results === undefined ? names.length === 0 : isEmpty(fieldsOf(body)[results]);
}

function anonymous(
  name: string,
  { service, headerPrefixes, tokenSource }: Endpoint,
  problem: string,
): LanyardError {
  const from =
    tokenSource && 'variable' in tokenSource ? tokenSource.variable : (tokenSource?.words ?? 'the token');
  const headers = headerPrefixes.map((prefix) => `${prefix}-Token`).join(' and ');
  return new LanyardError('unauthenticated', `cannot ${name}: ${problem}`, {
    service,
    details: [`The token was sent as ${headers}. What anonymous callers get is not shown.`],
    hint:
      headerPrefixes.length > 1
        ? `Check ${from}: it may have expired or belong to another cluster. Run \`lanyard status\` to see which token is used.`
        : `Remove header-prefix from the profile to send both header names, and check ${from}.`,
  });
}

/** The ID in a token of the account service (`at_ID_SECRET`); undefined: another form. */
export const authTokenId = (token: string): string | undefined => /^(at_[^_]+)_./.exec(token)?.[1];
