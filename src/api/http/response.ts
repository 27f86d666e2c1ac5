import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type Kind, LanyardError } from '../../errors.ts';
import { parseJson } from '../../wire/json.ts';
import { type Body, isRepeatable, type Operation } from '../operation.ts';
import { redact, type Secret } from '../redaction.ts';
import { services } from '../services.ts';

/** A response before it is interpreted. */
export interface RawResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The same, not decoded. */
  readonly bytes?: Uint8Array;
  /** The connection ended within the body, which is not in `text`. */
  readonly incomplete?: true;
}

/** The response to an operation. */
export interface ServiceResponse<Output> {
  /** Of the server that responded. */
  readonly address?: string;
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Output;
  /** Unchanged, where the operation is `exact`. */
  readonly bytes?: Uint8Array;
}

/** Sends operations to one service. */
export type Send = <Input extends object, Output>(
  operation: Operation<Input, Output>,
  input: Input,
) => Promise<ServiceResponse<Output>>;

/** Sends an operation, and says which server responded last, also before an error. */
export type SendFrom = <Input extends object, Output>(
  operation: Operation<Input, Output>,
  input: Input,
  onResponder?: (address: string) => void,
) => Promise<ServiceResponse<Output>>;

/** A response from its head and its complete body; without a body its text is empty. */
export function rawResponse(head: IncomingMessage | undefined, body?: Uint8Array): RawResponse {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(head?.headers ?? {}))
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  const status = head?.statusCode ?? 0;
  if (body === undefined) return { status, headers, text: '' };
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  return { status, headers, text, bytes: body };
}

/** What messages about a response need to know of the call. */
export interface Call {
  readonly operation: Pick<
    Operation<never, unknown>,
    'name' | 'service' | 'retry' | 'token' | 'accepts' | 'engine' | 'secretBody' | 'secretKeys'
  > &
    Partial<Pick<Operation<never, unknown>, 'decode'>>;
  /** Where the engine that the call is for is mounted. */
  readonly mount?: string | undefined;
  /** The path of the request; undefined: of a URL that a service handed out, which may be a secret with invalid escapes. */
  readonly path?: string | undefined;
  /** The namespace of the call. */
  readonly namespace?: string | undefined;
  readonly tokenSent: boolean;
  /** What to do where the service requires a token; undefined: `howToLogIn`. */
  readonly tokenHint?: string | undefined;
  /** What must not be shown if the service repeats it. */
  readonly secrets: readonly Secret[];
}

/** The limit of a response. */
export const maxResponseBytes = 64 * 1024 * 1024;
const maxLineLength = 120;

/**
 * Reads the body of a response by its content type: JSON, else text. Without a content type it is JSON if it
 * reads as JSON. A JSON object with an error status is JSON under any type: Nomad sends conflicts as text/plain.
 *
 * @param exact the bytes are returned too, so that JSON which is not UTF-8 is not an error.
 * @throws Error that names what it is instead: an HTML page, malformed JSON, compressed bytes.
 */
export function readBody({ status, headers, text, bytes }: RawResponse, exact = false): Body {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (text === '') return undefined;
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new Error('a compressed body');
  }
  if (isHtml(type, text)) throw new Error('an HTML page');
  const isJson = type === 'application/json' || type?.endsWith('+json') === true;
  if (!isJson && type !== undefined && !(status >= 400 && /^\s*\{/.test(text))) return text;
  if (isJson && bytes && !exact && !isUtf8(bytes)) throw new Error('JSON that is not valid UTF-8');
  if (isTooDeep(text)) throw new Error(`JSON nested deeper than ${maxDepth} levels`);
  try {
    return parseJson(text);
  } catch {
    if (!isJson) return text;
    throw new Error('malformed JSON');
  }
}

/** Levels of JSON that a response may have: the serializer has stack space for a few thousand of them. */
const maxDepth = 1000;

function isTooDeep(text: string): boolean {
  // Most responses have too few brackets; looking at each string in them takes longer than parsing.
  if (!hasMoreThan(maxDepth / 2, '[', text) && !hasMoreThan(maxDepth / 2, '{', text)) return false;
  let depth = 0;
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/gs)) {
    if (part === '[' || part === '{') depth++;
    else if (part === ']' || part === '}') depth--;
    if (depth > maxDepth) return true;
  }
  return false;
}

function hasMoreThan(count: number, character: string, text: string): boolean {
  let at = -1;
  for (let found = 0; found <= count; found++) {
    at = text.indexOf(character, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** Whether a body is an HTML page, by its content type or its first bytes. */
export function isHtml(type: string | undefined, text: string): boolean {
  // Before the patterns, which take longer to compile than to match: nearly every body is JSON.
  if (type === 'application/json' && !text.trimStart().startsWith('<')) return false;
  return /^(text\/html|application\/xhtml\+xml)\b/i.test(type ?? '') || /^\s*<(!doctype|html)\b/i.test(text);
}

/**
 * The error for a response that violates the specification of the service: something else may be responding. Shows the
 * first line, without values if it is JSON (an issued key may be among them).
 */
export function unexpectedResponse(
  { operation, secrets }: Call,
  response: RawResponse,
  cause: string,
): LanyardError {
  // Before the line is truncated: half a secret would not be found.
  const line = firstLine(redact(response.text, secrets));
  return new LanyardError(
    kindOf(operation, response.status),
    `unexpected response from the ${services[operation.service].title}: status ${response.status}, ${cause}`,
    {
      service: operation.service,
      status: response.status,
      details: [...(line === '' ? [] : [line]), ...effectDetails(operation)],
      hint: 'Check the address: a proxy, a login page or another service may be responding there.',
    },
  );
}

/** After a write, what responded may not be the service, and the service may have applied the write. */
function kindOf({ retry }: Call['operation'], status: number): Kind {
  if (status === 429) return 'unavailable';
  if (!isRepeatable(retry)) return 'unknown';
  return status === 503 ? 'unavailable' : 'failure';
}

/** Details about the effect of a request that was sent and got no clear response. */
export function effectDetails({ name, retry }: Call['operation']): readonly string[] {
  return isRepeatable(retry) ? [] : [`The request was sent; whether "${name}" took effect is not known.`];
}

/** The first line that is not empty: printable, at most 120 characters, JSON without its values. */
export function firstLine(text: string): string {
  const start = text.trimStart().slice(0, 10 * maxLineLength);
  const shown = /^[{["]/.test(start) ? start.replaceAll(jsonString, withoutValue) : start;
  const line = shown
    .split(/[\r\n]/, 1)
    .join('')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
    .replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
    .trim();
  return line.length > maxLineLength ? `${line.slice(0, maxLineLength - 1)}…` : line;
}

// A string, closed or cut off, and the colon that makes it a name.
const jsonString = /"(?:[^"\\]|\\.)*(?:"(\s*:)?|\\?$)/gs;

function withoutValue(string: string, colon: string | undefined): string {
  return colon === undefined ? '"…"' : string;
}
