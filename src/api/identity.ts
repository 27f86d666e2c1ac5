import { isFailure } from '../errors.ts';
import { compact } from '../wire/objects.ts';
import { accessControlOffAccessor, isAnonymousAccessor, type ServiceName } from '../wire/services.ts';
import { anything } from './decode.ts';
import type { Send } from './http/response.ts';
import type { Operation } from './operation.ts';
import { fieldsOf } from './product.ts';
import { services } from './services.ts';
import { accessControlOff, notAccepted, notChecked, type TokenCheck, unproven } from './token-check.ts';

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

/** Whether an operation reads the caller's own token: its response says whether the token is valid. */
export const isOwnTokenPath = ({
  method,
  path,
}: Pick<Operation<never, unknown>, 'method' | 'path'>): boolean =>
  method === 'GET' && Object.values(paths).includes(path) && !path.includes('{');

const ownToken = (
  service: ServiceName,
  token: 'optional' | 'required' = 'required',
): Operation<Asked, unknown> => ({
  name: 'read own token',
  service,
  method: 'GET',
  path: paths[service],
  ...(service === 'registry' ? { query: ['dc'] as const } : {}),
  token,
  accepts: [200],
  retry: 'read',
  decode: anything,
});

/**
 * Asks a service whether it knows a token. Valid is only what the service confirms: a response about an anonymous
 * caller or about another token does not confirm it.
 *
 * @param token the one that `send` sends.
 * @param dc the datacenter, if it differs from the settings.
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
    if (!isFailure(error)) throw error;
    return (await import('./rejected-token.ts')).rejectedToken(service, token, error);
  }
}

/**
 * Asks registry or scheduler whether it shows a caller without a token less than everything: access control is on, and
 * in the registry its default is to deny.
 *
 * @returns not if that is unknown.
 * @throws LanyardError interrupted, and what is no LanyardError.
 */
export async function isAnonymousCaller(send: Send, service: ServiceName): Promise<boolean> {
  try {
    if (service === 'registry') return defaultPolicy((await send(leader, {})).headers) === 'deny';
    const { body } = await send(ownToken(service, 'optional'), {});
    return isAnonymousAccessor(String(fieldsOf(body).AccessorID ?? ''));
  } catch (error) {
    if (!isFailure(error)) throw error;
    return false;
  }
}

/** Every response of the registry has its default policy. */
const leader: Operation<object, unknown> = {
  name: 'read leader',
  service: 'registry',
  method: 'GET',
  path: '/v1/status/leader',
  token: 'none',
  accepts: [200],
  retry: 'read',
  decode: anything,
};

/** What the registry does without a rule, if it says so. */
export const defaultPolicy = (headers: Readonly<Record<string, string | undefined>>): string | undefined =>
  Object.entries(headers).find(([name]) => /^x-\w+-default-acl-policy$/.test(name))?.[1];

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
      if (AccessorID === accessControlOffAccessor) return accessControlOff;
      if (isAnonymousAccessor(AccessorID))
        return notAccepted(`the ${title} treats the caller as anonymous`, true);
      const isShown = typeof SecretID === 'string' && SecretID !== '' && SecretID !== '<hidden>';
      if (isShown && SecretID !== token) return notAccepted(another, true);
      return { ...valid(ExpirationTime), isLimited: service === 'scheduler' && body.Type === 'client' };
    }
  }
}

/** The ID in a token of the account service (`at_ID_SECRET`); undefined: another form. */
export const authTokenId = (token: string): string | undefined => /^(at_[^_]+)_./.exec(token)?.[1];
