import { type ErrorFacts, type Kind, LanyardError } from '../errors.ts';
import type { ServiceName } from '../wire/services.ts';
import { isPlainHttpToTls, unmountedPathIn } from './conditions.ts';
import { messagesOf } from './error-messages.ts';
import { howToLogIn } from './http/request.ts';
import { type Call, effectDetails, type RawResponse, readBody, unexpectedResponse } from './http/response.ts';
import { type Body, isRepeatable } from './operation.ts';
import {
  isNotProcessed,
  isSealed,
  saysAccessControlOff,
  saysCheckAndSetMismatch,
  saysCheckAndSetRequired,
} from './response-conditions.ts';
import { services } from './services.ts';

/** A service responded with an error status; its own messages are the `details`. */
export class ServiceError extends LanyardError {
  // Not a property: a conflict's body may hold a variable's items, and properties reach logs.
  readonly #body: Body;

  constructor(kind: Kind, message: string, facts: ErrorFacts, body: Body) {
    super(kind, message, facts);
    this.name = 'ServiceError';
    this.#body = body;
  }

  /** The body as the service sent it: a rolled-back transaction, a conflicting variable. */
  get body(): Body {
    return this.#body;
  }
}

/**
 * Gives an error status its meaning. `details` holds the service's own messages and nothing else where the
 * status is a clear one; a 404 of the secrets service without a message ("nothing there") has none.
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
  if (isLostInGateway(call, status) && !isOwnUnavailability(service, status, body, messages)) {
    return lostInGateway(call, status, messages);
  }
  const { kind, what, hint } = meaning(call, response, messages);
  return new ServiceError(
    kind,
    `cannot ${name}: ${what}`,
    {
      service,
      status,
      details: response.incomplete ? [...messages, 'The response is incomplete.'] : messages,
      retryable: [429, 503, 504].includes(status) || (status === 412 && service === 'secrets'),
      hint,
    },
    body,
  );
}

/** What a 503 is, where the specification says it. */
const down: { readonly [S in ServiceName]?: string } = {
  secrets: 'is sealed or down for maintenance',
  box: 'is down for maintenance',
};

interface Meaning {
  readonly kind: Kind;
  /** Completes "cannot <operation>: …". */
  readonly what: string;
  readonly hint?: string | undefined;
}

function meaning(call: Call, response: RawResponse, messages: readonly string[]): Meaning {
  const elsewhere = misdirectedRequest(call, response.status, messages);
  if (elsewhere) return elsewhere;
  const { service, token } = call.operation;
  const { title } = services[service];
  const logIn = howToLogIn(service);
  switch (response.status) {
    case 400:
      return (
        (service === 'secrets' ? checkAndSet(messages) : undefined) ?? {
          kind: 'failure',
          what: `the ${title} rejected the request as invalid (400)`,
        }
      );
    case 401:
      if (service === 'box' && token !== 'required') return notAuthorized(call);
      return messages.some(saysAccessControlOff)
        ? { kind: 'unauthenticated', what: `access control is off at the ${title} (401)` }
        : { kind: 'unauthenticated', what: `the ${title} does not accept the token (401)`, hint: logIn };
    case 402:
      return {
        kind: 'failure',
        what: 'payment required (402)',
        hint: 'The owner must settle the bill with the service.',
      };
    case 403:
      if (!call.tokenSent && token !== 'none') {
        return { kind: 'unauthenticated', what: 'permission denied: no token was sent (403)', hint: logIn };
      }
      return {
        kind: 'forbidden',
        // The box registry has this status for parameters too (docs/protocol/box.md#errors).
        what:
          service === 'box'
            ? 'permission denied, or a parameter is missing or invalid (403)'
            : 'permission denied (403)',
        ...(call.tokenSent && service !== 'box'
          ? {
              hint: 'Run `lanyard status` to see which token is used: it may lack the permission or have expired.',
            }
          : {}),
      };
    case 404:
      return {
        kind: 'not_found',
        what: 'not found (404)',
        ...(service === 'box' && !call.tokenSent && token !== 'none'
          ? { hint: `Private boxes are not visible without a token. ${logIn}` }
          : {}),
      };
    case 409:
      return { kind: 'conflict', what: 'conflict (409)' };
    case 412:
      return service === 'secrets'
        ? unavailable('has not replicated an earlier write yet (412)', 'Try again in a moment.')
        : { kind: 'failure', what: `the ${title} rejected the request (412)` };
    case 422:
      return { kind: 'failure', what: `the ${title} cannot process the request (422)` };
    case 429:
      return service === 'secrets' && messages.length === 0 && response.headers['retry-after'] === undefined
        ? unavailable('is a standby node (429)', 'Send the request to the active node.')
        : unavailable('is limiting the rate of requests (429)', tryAfter(response));
    case 472:
      return unavailable('is a disaster-recovery secondary (472)', 'Send the request to the primary.');
    case 473:
      return unavailable('is a performance standby (473)', 'Send the request to the active node.');
    case 501:
      return service === 'secrets'
        ? unavailable('is not initialized (501)', 'Initialize and unseal it first.')
        : unavailable('does not support this operation (501)');
    case 503:
      if (isSealed(service, response)) return unavailable('is sealed (503)', 'Unseal it, then try again.');
      return unavailable(`${down[service] ?? 'is unavailable'} (503)`, tryAfter(response));
    default:
      return { kind: 'failure', what: `the ${title} responded with status ${response.status}` };
  }

  function unavailable(state: string, hint?: string): Meaning {
    return { kind: 'unavailable', what: `the ${title} ${state}`, hint };
  }
}

/** What a 400 means that says something of check-and-set (docs/protocol/kv.md#check-and-set). */
function checkAndSet(messages: readonly string[]): Meaning | undefined {
  if (messages.some(saysCheckAndSetMismatch)) {
    return {
      kind: 'conflict',
      what: 'conflict: the current version differs from the given one',
      hint: 'Read the current version and write with it.',
    };
  }
  if (!messages.some(saysCheckAndSetRequired)) return undefined;
  return {
    kind: 'conflict',
    what: 'conflict: check-and-set is required',
    hint: 'Set the current version with --cas (0 if the secret does not exist yet).',
  };
}

// The box registry has this status for a valid token too, if its owner lacks the permission.
function notAuthorized({ tokenSent }: Call): Meaning {
  return tokenSent
    ? {
        kind: 'unauthenticated',
        what: 'unauthorized (401)',
        hint: 'Run `lanyard box token check` to see whether the token is valid.',
      }
    : {
        kind: 'unauthenticated',
        what: 'unauthorized: no token was sent (401)',
        hint: howToLogIn('box'),
      };
}

function tryAfter({ headers }: RawResponse): string {
  const after = headers['retry-after'] ?? '';
  if (/^\d+$/.test(after)) return `Try again in ${after} s.`;
  // Date.parse takes other texts for dates of long ago: "soon 5".
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
  if (status === 400 && isPlainHttpToTls(messages)) {
    return {
      kind: 'unreachable',
      what: `the ${services[service].title} expects TLS (400)`,
      hint: 'Use https:// in its address.',
    };
  }
  // Without a token, the service does not say that there is no mount.
  if (status === 403 && engine !== undefined && token === 'none') {
    return {
      kind: 'forbidden',
      what: 'permission denied (403)',
      hint: `Check that an ${engine} engine is mounted at ${mount}/.`,
    };
  }
  const path = status === 404 ? unmountedPathIn(messages) : undefined;
  if (path === undefined) return undefined;
  const inNamespace = namespace === undefined ? '' : ` -n ${namespace}`;
  return engine === undefined
    ? {
        kind: 'not_found',
        what: `nothing is mounted at the path "${path}" (404)`,
        hint: `Run \`lanyard secrets read sys/mounts${inNamespace}\` to see what is mounted.`,
      }
    : {
        kind: 'not_found',
        what: `no ${engine} engine is mounted at ${mount}/ (404)`,
        hint: `Run \`lanyard secrets write sys/mounts/${mount} type=${engine}${inNamespace}\` to mount it.`,
      };
}

/**
 * Does a status leave open what became of a write? A gateway that got no response from the service behind it cannot say
 * what the service did, and neither can a service that waited too long for another one.
 */
function isLostInGateway({ operation }: Call, status: number): boolean {
  return (status === 502 || status === 503 || status === 504) && !isRepeatable(operation.retry);
}

/** Is this the 503 of a service that says that it did not look at the request? */
function isOwnUnavailability(
  service: ServiceName,
  status: number,
  body: Body,
  messages: readonly string[],
): boolean {
  const isPlain = typeof body === 'string';
  return status === 503 && isNotProcessed(service, messages.join('\n'), isPlain);
}

/** The failure of a write whose outcome is not known. */
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
