import { isFailure, type Kind, type LanyardError } from '../errors.ts';
import { shellWord } from '../wire/printable.ts';
import { isAccessControlOff } from './conditions/any.ts';
import {
  isAnonymous,
  isUnidentifiedCaller,
  isUnknownRegistryToken,
  missingPermissionIn,
} from './conditions/registry.ts';
import {
  isExpiredToken,
  isUnknownSchedulerToken,
  isWithoutStoredToken,
  saysUnknownToken,
} from './conditions/scheduler.ts';
import { isDeniedByPolicy, isHiddenMount, isUnknownSecretsToken } from './conditions/secrets.ts';
import type { Endpoint, TokenOwner } from './endpoint.ts';
import type { Send } from './http/response.ts';
import { checkToken, isOwnTokenPath } from './identity.ts';
import { policyForVariable } from './missing-variable-permission.ts';
import type { Operation } from './operation.ts';
import { tokenSecret } from './redaction.ts';
import { tokenOperations } from './secrets-tokens.ts';
import { ServiceError } from './service-error.ts';
import { shownRequest } from './shown-request.ts';

/** What a denial says of the token; undefined: the response does not tell. */
type Verdict = 'expired' | 'unknown' | 'valid' | undefined;

type Explainer = (
  error: LanyardError,
  operation: Operation<never, unknown>,
  input: object,
) => Promise<LanyardError>;

/** Explains the denials of one service; see `explainingDenials`. */
export function denialExplainer(send: Send, endpoint: Endpoint, lookups: 'once' | 'each'): Explainer {
  const { service } = endpoint;
  let asked: Promise<Verdict> | undefined;
  return async (error, operation, input) => {
    if (!(error instanceof ServiceError) || isHiddenMount(error) || isAccessControlOff(error)) return error;
    if (isAboutOtherToken(operation) && isUnknownSecretsToken(error)) return error;
    const token = await endpoint.token();
    if (!token) return error;
    let verdict = verdictOf(error, operation, endpoint);
    if (verdict === undefined && !isOwnTokenPath(operation)) {
      asked ??= service === 'secrets' ? lookUpSelf(send) : askForToken(send, endpoint, token);
      verdict = await asked;
      if (lookups === 'each') asked = undefined;
    }
    if (verdict === 'expired' || verdict === 'unknown')
      return rejectedToken(error, operation, endpoint, verdict);
    return missingPermission(error, operation, endpoint, {
      ...shownRequest(operation, input, [tokenSecret(token)]),
      verdict,
      namespace: namespaceOf(input) ?? endpoint.namespace ?? 'default',
    });
  };
}

function verdictOf(error: ServiceError, operation: Operation<never, unknown>, endpoint: Endpoint): Verdict {
  const isOwn = isOwnTokenPath(operation);
  const isPlain = isPlainDenial(error);
  switch (endpoint.service) {
    case 'secrets':
      if (isUnknownSecretsToken(error)) return 'unknown';
      if (isDeniedByPolicy(error)) return 'valid';
      return isOwn && isPlain ? 'unknown' : undefined;
    case 'registry':
      // The token that the path names may be meant, or the token of a prepared query.
      if (!isOwn && /^\/v1\/acl\/(token|rules\/translate)\/\{/.test(operation.path)) return undefined;
      if (isUnknownRegistryToken(error) && operation.path.startsWith('/v1/query/')) return undefined;
      if (isUnknownRegistryToken(error) || (isOwn && isUnidentifiedCaller(error))) return 'unknown';
      return isAnonymous(error) ? undefined : 'valid';
    case 'scheduler':
      if (isExpiredToken(error)) return 'expired';
      // Every token may read itself.
      if (isOwn && isUnknownSchedulerToken(error)) return 'unknown';
      return saysUnknownToken(error) || isWithoutStoredToken(error) ? 'unknown' : undefined;
    case 'accounts':
      return error.status === 401 ? 'unknown' : 'valid';
    case 'box':
      return error.status === 401 && !isOwn ? undefined : error.status === 401 ? 'unknown' : 'valid';
  }
}

async function askForToken(send: Send, endpoint: Endpoint, token: string): Promise<Verdict> {
  const check = await checkToken(send, endpoint.service, token);
  if (check.token === 'expired' || check.token === 'valid') return check.token;
  return check.token === 'not accepted' ? 'unknown' : undefined;
}

/** An invalid token may not look itself up, in other words than one without the permission. */
async function lookUpSelf(send: Send): Promise<Verdict> {
  try {
    await send(tokenOperations.lookupSelf, {});
    return 'valid';
  } catch (error) {
    if (!isFailure(error)) throw error;
    if (isDeniedByPolicy(error)) return 'valid';
    return isPlainDenial(error) || isUnknownSecretsToken(error) ? 'unknown' : undefined;
  }
}

/** Whether the service may say of the token in the body that it does not know it. */
const isAboutOtherToken = ({ path }: Operation<never, unknown>): boolean =>
  /^\/v1\/(auth\/token\/(lookup|renew|revoke|revoke-orphan)|sys\/capabilities)$/.test(path);

/** The response to a token that OpenBao does not know, and to a live one that is bound to other addresses. */
const isPlainDenial = ({ status, details }: LanyardError): boolean =>
  status === 403 && details.join() === 'permission denied';

/** The same error with another kind, cause and hint. The conditions of its text and body apply as before. */
function explained(error: ServiceError, kind: Kind, message: string, hint: string | undefined): ServiceError {
  return new ServiceError(kind, message, { ...error, hint }, error);
}

async function rejectedToken(
  error: ServiceError,
  { name }: Operation<never, unknown>,
  endpoint: Endpoint,
  verdict: 'expired' | 'unknown',
): Promise<LanyardError> {
  const owner: TokenOwner = (await endpoint.tokenOwner?.()) ?? {
    text: 'the token',
    hint: endpoint.tokenHint,
  };
  const isBound = endpoint.service === 'secrets' && !isUnknownSecretsToken(error);
  const cause =
    verdict === 'expired' || owner.hasExpired
      ? 'has expired'
      : `is not valid: it has expired, was revoked${isBound ? ', or is bound to other addresses' : ' or belongs to another cluster'}`;
  return explained(
    error,
    'unauthenticated',
    `cannot ${name}: ${owner.text} ${cause} (${error.status})`,
    owner.hint,
  );
}

function missingPermission(
  error: ServiceError,
  operation: Operation<never, unknown>,
  endpoint: Endpoint,
  denied: ReturnType<typeof shownRequest> & { readonly verdict: Verdict; readonly namespace: string },
): LanyardError {
  const { service, program = 'lanyard' } = endpoint;
  const { method, path, verdict } = denied;
  // The box registry responds with 403 to invalid parameters too, and with 401 to a token without the permission.
  if (service === 'box' ? error.status === 403 || verdict !== 'valid' : error.status === 401) return error;
  const request = `${method} ${path}`;
  const cannot = `cannot ${operation.name}: permission denied (${error.status})`;
  if (service === 'secrets' && verdict === 'valid') {
    const namespace =
      endpoint.namespace && operation.namespace !== 'none' ? ` -n ${shellWord(endpoint.namespace)}` : '';
    const command = `${program} secrets token capabilities${namespace} ${shellWord(path)}`;
    return explained(
      error,
      'forbidden',
      `${cannot}: ${request} requires ${requiredCapability(method, path)}`,
      `Run \`${command}\` to see what the token may do.`,
    );
  }
  if (service === 'box')
    return explained(
      error,
      'forbidden',
      `${cannot}: ${request}`,
      'The token is valid. Ask an owner of the boxes for access.',
    );
  const policy = verdict === 'valid' ? policyForVariable(denied, program) : undefined;
  if (service === 'scheduler' && policy !== undefined)
    return explained(
      error,
      'forbidden',
      `${cannot}: ${request}`,
      `The token is valid, but no policy of it allows this. With a management token, run \`${policy}\` and add the policy to the token.`,
    );
  const permission = service === 'registry' ? missingPermissionIn(error) : undefined;
  if (permission === undefined) {
    const hint =
      verdict === 'valid'
        ? `The token is valid, but lacks the permission. Run \`${program} status\` to see which token is used.`
        : error.hint;
    return explained(error, 'forbidden', `${cannot}: ${request}`, hint);
  }
  const { access, name } = permission;
  const object = name === undefined ? '' : ` ${shellWord(name)}`;
  return explained(
    error,
    'forbidden',
    `${cannot}: ${request} requires ${access}`,
    `Run \`${program} acl can ${access}${object}\` to check the token, and \`${program} status\` to see which token is used.`,
  );
}

/** The namespace in the input of a request of the scheduler. */
const namespaceOf = ({ namespace }: { readonly namespace?: unknown }): string | undefined =>
  typeof namespace === 'string' ? namespace : undefined;

const capabilityOf: Readonly<Record<string, string>> = {
  GET: '"read"',
  HEAD: '"read"',
  LIST: '"list"',
  SCAN: '"scan"',
  PATCH: '"patch"',
  DELETE: '"delete"',
};

/** The paths that need `sudo` too (Vault, OpenBao). */
const privileged =
  /^(sys\/(auth\/.|remount$|audit|raw|rotate|seal$|step-down$|config\/(cors|auditing|ui)|plugins\/catalog\/|revoke-(prefix|force)\/|leases(\/(revoke-prefix|revoke-force|lookup)\/.|\/?$)|internal\/inspect)|auth\/token\/(accessors|revoke-orphan))/;

const requiredCapability = (method: string, path: string): string =>
  `the capability ${capabilityOf[method] ?? '"create" or "update"'}${privileged.test(path) ? ', and "sudo"' : ''}`;
