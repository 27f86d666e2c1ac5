import { type Kind, LanyardError } from '../errors.ts';
import { toPrintable } from '../wire/printable.ts';
import type { ServiceName } from '../wire/services.ts';
import {
  isLostInCluster,
  isNotProcessed,
  isPlainHttpToTls,
  isSealed,
  saysAccessControlOff,
  saysOnlyNotFound,
} from './conditions/any.ts';
import { missingOwnerIn } from './conditions/box.ts';
import { missingNamespaceIn } from './conditions/scheduler.ts';
import { saysCheckAndSetMismatch, saysCheckAndSetRequired, unmountedPathIn } from './conditions/secrets.ts';
import { messagesOf } from './error-messages.ts';
import { type Call, effectDetails, type RawResponse, readBody, unexpectedResponse } from './http/response.ts';
import { type Body, isRepeatable } from './operation.ts';
import { howToLogIn } from './request.ts';
import { ServiceError } from './service-error.ts';
import { services } from './services.ts';

/**
 * The error for an error status. Where the status is clear, `details` has only the service's own messages; a 404 of the
 * secrets service without a message (nothing is stored) has none.
 */
export function failure(call: Call, response: RawResponse): LanyardError {
  const { service, name } = call.operation;
  const { status } = response;
  if (status >= 600) return unexpectedResponse(call, response, 'not a valid HTTP status');
  let body: Body;
  try {
    body = readBody(response);
  } catch (error) {
    if (isLostInGateway(call, status)) return lostInGateway(call, status, []);
    return unexpectedResponse(call, response, (error as Error).message);
  }
  const messages = messagesOf(service, body, call.secrets);
  const isNotApplied =
    status === 503 && isNotProcessed(service, messages.join('\n'), typeof body === 'string');
  if ((isLostInGateway(call, status) && !isNotApplied) || isLostInServers(call, response))
    return lostInGateway(call, status, messages);
  const { kind, what, hint } = meaning(call, response, messages);
  const shown = kind === 'not_found' ? messages.filter((line) => !saysOnlyNotFound(service, line)) : messages;
  return new ServiceError(
    kind,
    `cannot ${name}: ${what}`,
    {
      service,
      status,
      details: response.incomplete ? [...shown, 'The response is incomplete.'] : shown,
      retryable: [429, 503, 504].includes(status) || (status === 412 && service === 'secrets'),
      hint,
    },
    { body, headers: response.headers },
  );
}

/** The meaning of a 503 in the specification of a service. */
const down: { readonly [S in ServiceName]?: string } = {
  secrets: 'is sealed or down for maintenance',
  box: 'is down for maintenance',
};

const turnOnAcls =
  'On Nomad, enable ACLs in the configuration of the servers. Then run `lanyard scheduler acl bootstrap`.';

interface Meaning {
  readonly kind: Kind;
  /** Completes "cannot <operation>: …". */
  readonly what: string;
  readonly hint?: string | undefined;
}

const meaningOf =
  (kind: Kind) =>
  (what: string, hint?: string): Meaning => ({ kind, what, hint });
const failed = meaningOf('failure');
const unauthenticated = meaningOf('unauthenticated');
const forbidden = meaningOf('forbidden');
const notFound = meaningOf('not_found');
const conflict = meaningOf('conflict');

function meaning(call: Call, response: RawResponse, messages: readonly string[]): Meaning {
  const { service, token } = call.operation;
  const { title } = services[service];
  const { status } = response;
  const isTokenMissing = !call.tokenSent && token !== 'none';
  const logIn = call.tokenHint ?? howToLogIn(service);
  const unavailable = (state: string, hint?: string): Meaning =>
    meaningOf('unavailable')(`the ${title} ${state} (${status})`, hint);
  const specific =
    misdirectedRequest(call, status, messages) ??
    (status === 400 && service === 'secrets' ? checkAndSet(messages) : undefined) ??
    (status === 500 && service === 'scheduler' ? missingNamespace(messages) : undefined);
  if (specific) return specific;
  switch (status) {
    case 400:
      if (service === 'scheduler' && messages.some(saysAccessControlOff))
        return failed(`access control is off at the ${title} (400)`, turnOnAcls);
      return failed(`the ${title} rejected the request as invalid (400)`);
    case 401:
      // The box registry responds so to a valid token too, if its owner lacks the permission.
      if (service === 'box' && token !== 'required')
        return call.tokenSent
          ? unauthenticated(
              'unauthorized (401)',
              'Run `lanyard box token check` to see whether the token is valid.',
            )
          : unauthenticated('unauthorized: no token was sent (401)', logIn);
      if (messages.some(saysAccessControlOff))
        return unauthenticated(`access control is off at the ${title} (401)`);
      return unauthenticated(
        isTokenMissing
          ? 'unauthorized: no token was sent (401)'
          : `the ${title} does not accept the token (401)`,
        logIn,
      );
    case 402:
      return failed('payment required (402)', 'The owner must settle the bill with the service.');
    case 403:
      if (isTokenMissing) return unauthenticated('permission denied: no token was sent (403)', logIn);
      // The box registry responds so to invalid parameters too (docs/protocol/box.md#errors).
      if (service === 'box')
        return forbidden('permission denied, or a parameter is missing or invalid (403)');
      return forbidden(
        'permission denied (403)',
        call.tokenSent
          ? 'Run `lanyard status` to see which token is used: it may lack the permission or have expired.'
          : undefined,
      );
    case 404:
      return notFound(
        service === 'box' ? `${boxIn(call.path)}not found (404)` : 'not found (404)',
        service === 'box' && isTokenMissing
          ? `Private boxes are not visible without a token. ${logIn}`
          : undefined,
      );
    case 409:
      return conflict('conflict (409)');
    case 412:
      return service === 'secrets'
        ? unavailable('has not replicated an earlier write yet', 'Try again in a moment.')
        : failed(`the ${title} rejected the request (412)`);
    case 422:
      return failed(`the ${title} cannot process the request (422)`, missingOwnerHint(messages));
    case 429:
      return service === 'secrets' && messages.length === 0 && response.headers['retry-after'] === undefined
        ? unavailable('is a standby node', 'Send the request to the active node.')
        : unavailable('is limiting the rate of requests', tryAfter(response));
    case 472:
      return unavailable('is a disaster-recovery secondary', 'Send the request to the primary.');
    case 473:
      return unavailable('is a performance standby', 'Send the request to the active node.');
    case 501:
      return service === 'secrets'
        ? unavailable('is not initialized', 'Initialize and unseal it first.')
        : unavailable('does not support this operation');
    case 503:
      return isSealed(service, response)
        ? unavailable('is sealed', 'Unseal it, then try again.')
        : unavailable(down[service] ?? 'is unavailable', tryAfter(response));
    default:
      return failed(`the ${title} responded with status ${status}`);
  }
}

/** The box, version and provider of a path, or the owner, with a space at the end. */
function boxIn(path = ''): string {
  const found =
    /\/user\/([^/]+)$/.exec(path) ??
    /\/box\/([^/]+\/[^/]+)(?:\/version\/([^/]+)(?:\/provider\/([^/]+))?)?/.exec(path);
  if (!found) return '';
  const words = found.slice(1).filter((name) => name !== undefined);
  return `${words.map((word) => toPrintable(decodeURIComponent(word))).join(' ')} `;
}

function missingOwnerHint(messages: readonly string[]): string | undefined {
  const owner = messages.map(missingOwnerIn).find((each) => each !== undefined);
  return owner === undefined
    ? undefined
    : `Run \`lanyard box org create ${owner}\` to create the organization.`;
}

/** The meaning of a 400 about check-and-set (docs/protocol/kv.md#check-and-set). */
function checkAndSet(messages: readonly string[]): Meaning | undefined {
  if (messages.some(saysCheckAndSetMismatch))
    return conflict(
      'conflict: the current version differs from the given one',
      'Read the current version and write with it.',
    );
  if (!messages.some(saysCheckAndSetRequired)) return undefined;
  return conflict(
    'conflict: check-and-set is required',
    'Set the current version with --cas (0 if the secret does not exist yet).',
  );
}

/** The namespace of a variable that is written does not exist (Nomad 500). */
function missingNamespace(messages: readonly string[]): Meaning | undefined {
  const [name] = messages.flatMap((message) => missingNamespaceIn(message) ?? []);
  return name === undefined
    ? undefined
    : notFound(`namespace "${name}" not found (500)`, `Run \`lanyard namespace put ${name}\` to create it.`);
}

function tryAfter({ headers }: RawResponse): string {
  const after = headers['retry-after'] ?? '';
  if (/^\d+$/.test(after)) return `Try again in ${after} s.`;
  // Date.parse reads other texts as dates of long ago: "soon 5".
  const date = /\d\d:\d\d:\d\d/.test(after) ? Date.parse(after) : Number.NaN;
  return Number.isNaN(date) ? 'Try again later.' : `Try again after ${new Date(date).toUTCString()}.`;
}

/** The meaning of a response to a request that went to the wrong place: a port with TLS, a path without a mount. */
function misdirectedRequest(
  { operation, mount, namespace }: Call,
  status: number,
  messages: readonly string[],
): Meaning | undefined {
  const { engine, service, token } = operation;
  if (status === 400 && isPlainHttpToTls(messages))
    return meaningOf('unreachable')(
      `the ${services[service].title} expects TLS (400)`,
      'Use https:// in its address.',
    );
  // Without a token, the service does not report that the mount does not exist.
  if (status === 403 && engine !== undefined && token === 'none')
    return forbidden('permission denied (403)', `Check that an ${engine} engine is mounted at ${mount}/.`);
  const path = status === 404 ? unmountedPathIn(messages) : undefined;
  if (path === undefined) return undefined;
  const inNamespace = namespace === undefined ? '' : ` -n ${namespace}`;
  return engine === undefined
    ? notFound(
        `nothing is mounted at the path "${path}" (404)`,
        `Run \`lanyard secrets mount list${inNamespace}\` to see what is mounted.`,
      )
    : notFound(
        `no ${engine} engine is mounted at ${mount}/ (404)`,
        `Run \`lanyard secrets mount enable ${engine} --path ${mount}${inNamespace}\` to mount it.`,
      );
}

/**
 * Does a status leave the outcome of a write unknown? A gateway without a response from the service does not know what
 * the service did, and neither does a service that waited too long for another one.
 */
const isLostInGateway = ({ operation }: Call, status: number): boolean =>
  [502, 503, 504].includes(status) && !isRepeatable(operation.retry);

/** Did the servers of a cluster lose each other while they carried out a write? */
const isLostInServers = ({ operation }: Call, response: RawResponse): boolean =>
  !isRepeatable(operation.retry) && isLostInCluster(operation.service, response);

/** The error of a write with an unknown outcome. */
function lostInGateway({ operation }: Call, status: number, messages: readonly string[]): LanyardError {
  const { title } = services[operation.service];
  return new LanyardError(
    'unknown',
    `${operation.name}: outcome unknown: the ${title}, or a gateway in front of it, did not complete the request (${status})`,
    {
      service: operation.service,
      status,
      details: [...messages, ...effectDetails(operation)],
      hint: 'Check the current state before you retry.',
    },
  );
}
