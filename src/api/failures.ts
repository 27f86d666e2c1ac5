import { type ErrorFacts, type Kind, LanyardError } from '../errors.ts';
import { formatJson, type Json } from '../wire/json.ts';
import type { ServiceName } from '../wire/services.ts';
import { isLostInGateway, isOwnUnavailability, lostInGateway } from './gateway.ts';
import { misdirectedRequest } from './misdirected.ts';
import type { Body } from './operation.ts';
import { redact, type Secret } from './redaction.ts';
import { howToLogIn } from './request.ts';
import { type Call, type RawResponse, readBody, unexpectedResponse } from './response.ts';
import {
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
      if (service === 'box' && token !== 'required') return notAuthorised(call);
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
        // The box registry says so of parameters too (docs/protocol/box.md#errors).
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

// The box registry says so of a valid token too, where its owner may not do what was asked.
function notAuthorised({ tokenSent }: Call): Meaning {
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

/** The service's own messages in an error body, one a line, without the secrets that it may echo. */
export function messagesOf(
  service: ServiceName,
  body: Body,
  secrets: readonly Secret[] = [],
): readonly string[] {
  const texts = typeof body === 'string' ? [body] : isMembers(body) ? readers[service](body) : [];
  // Before the lines are parted: a private key has several.
  return texts.map((text) => redact(text, secrets)).flatMap(lines);
}

type Members = { readonly [name: string]: Json };

const readers: { readonly [S in ServiceName]: (body: Members) => readonly string[] } = {
  // A 404 may be a whole envelope, with what is wrong among its warnings.
  secrets: ({ errors, warnings }) => elements(errors ?? warnings ?? null).map(textOf),
  box: ({ errors }) => elements(errors ?? null).map(textOf),
  // Plain text but for a transaction that was rolled back.
  registry: ({ Errors }) =>
    elements(Errors ?? null)
      .filter(isMembers)
      .map(({ OpIndex, What }) => `operation ${textOf(OpIndex ?? null)}: ${textOf(What ?? null)}`),
  // Plain text but for the variable that is in the way.
  scheduler: ({ ModifyIndex }) =>
    ModifyIndex === undefined
      ? []
      : ModifyIndex === 0
        ? ['the variable is locked or does not exist']
        : [`the stored variable has ModifyIndex ${textOf(ModifyIndex)}`],
  accounts: ({ message, details }) => [
    ...(message === undefined ? [] : accountMessages(textOf(message))),
    ...elements(isMembers(details) ? (details.request_fields ?? null) : null)
      .filter(isMembers)
      .map(({ name, description }) => `${textOf(name ?? null)}: ${textOf(description ?? null)}`),
  ],
};

/**
 * The message of the account service, and the fields that it holds as text. Boundary quotes some errors a second time
 * and cuts them off at the last quote: `Error in provided request.", Details: {{name: "filter", desc: "This field …`.
 */
function accountMessages(message: string): readonly string[] {
  const end = message.indexOf('", Details: {');
  if (end < 0) return [unquoted(message)];
  const fields = [...message.slice(end).matchAll(/\{name: "((?:[^"\\]|\\.)*)", desc: "((?:[^"\\]|\\.)*)/g)];
  return [unquoted(message.slice(0, end)), ...fields.map((field) => field.slice(1).map(unquoted).join(': '))];
}

/** A text that was inside a quoted one. */
const unquoted = (text: string): string =>
  text.replace(/\\([\\"tn])/g, (_all, char: string) => ({ t: '\t', n: '\n' })[char] ?? char);

function elements(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : value === null ? [] : [value];
}

function isMembers(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  const message = isMembers(value) ? (value.message ?? value.detail ?? value.title) : undefined;
  return typeof message === 'string' ? message : formatJson(value);
}

// A list of errors is decorated as "2 errors occurred:\n\t* one\n\t* two\n\n".
function lines(message: string): readonly string[] {
  return message
    .replace(/^\d+ errors? occurred:/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* /, '').trim())
    .filter((line) => line !== '');
}
