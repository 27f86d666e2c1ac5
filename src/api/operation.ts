import { usage } from '../errors.ts';
import { parseDuration } from '../wire/duration.ts';
import { formatJson, type Json } from '../wire/json.ts';
import type { ServiceName } from '../wire/services.ts';
import { contentOf, required, scalar } from './input-fields.ts';

/**
 * What a lost response or a failed attempt means for a retry:
 * - `read`: no effect; sent again.
 * - `repeat`: has an effect that may happen twice without harm (signing); sent again.
 * - `write`: never sent twice blindly; a lost response can be settled by reading back.
 * - `once`: never sent twice, and the result cannot be verified (bootstrap, credentials).
 */
export type Retry = 'read' | 'repeat' | 'write' | 'once';

/** Whether an operation may be sent twice. Then a lost response needs no verification. */
export function isRepeatable(retry: Retry): boolean {
  return retry === 'read' || retry === 'repeat';
}

/** The body of a response: JSON where the service sent JSON, else its text; `undefined` when it sent none. */
export type Body = Json | string | undefined;

/**
 * Checks the body of a response and returns it unchanged. Absence of a body may depend on the status: 204 has none.
 * @throws Error whose message names the field that violates the specification.
 */
export type Decoder<Output> = (body: Body, status?: number) => Output;

/** An HTTP operation of a service as a row of data. */
export interface Operation<Input, Output> {
  /** In messages: "sign SSH key". */
  readonly name: string;
  readonly service: ServiceName;
  readonly method: string;
  /**
   * `{name}` is one segment, `{+name}` may hold several, `{*name}` is the beginning of segments, which may be empty or
   * end with `/`; all are input fields.
   */
  readonly path: string;
  /**
   * The input field that is a URL which the service handed out. Its path and query are those of the request, at the
   * service's own origin whatever its origin is: the token goes with it.
   */
  readonly handedOut?: keyof Input & string;
  /** Input fields that go into the query. */
  readonly query?: readonly (keyof Input & string)[];
  /** Query parameters that are always sent, in this order; a name may occur several times. */
  readonly fixedQuery?: readonly (readonly [name: string, value: string])[];
  /** The input field that is a query as text, without its `?`; it is appended to the others. */
  readonly search?: keyof Input & string;
  /** Header (without the service's prefix) to input field. */
  readonly headers?: Readonly<Record<string, keyof Input & string>>;
  /** `json`: the remaining fields are the body. `content`: the field `content` is the body, unchanged. */
  readonly body?: 'json' | 'content';
  /** Of the body, if not the type of JSON. */
  readonly contentType?: string;
  /**
   * Every value in the body is a secret, whatever its name: `--dry-run`, `--curl` and messages hide it. `assumed`: it
   * may be one, and messages show those that are words or numbers.
   */
  readonly secretBody?: true | 'assumed';
  /** The fields `key` and `keys` of the body are secrets: unseal shares, gossip keys. */
  readonly secretKeys?: true;
  /** The user chose the fields of the body: a trace shows no value of them, whatever their names. */
  readonly anyFields?: true;
  /** What to insert for a hidden secret, where that is not the secret itself. */
  readonly secretForm?: string;
  /** Sent before another operation: `--dry-run` and `--curl` send it, and show the other. */
  readonly preflight?: true;
  /** One object is looked up in its list: what the token cannot read of the others does not matter. */
  readonly isLookup?: true;
  /** The bytes of its response are returned too, unchanged. */
  readonly exact?: true;
  /**
   * `none`: no token is needed, and none is sent; `optional`: one is sent if it exists; `required`: the operation is about
   * the token. Absent: it depends on the service (`needsToken`).
   */
  readonly token?: 'none' | 'optional' | 'required';
  /** The type of the engine that its input field `mount` leads to. */
  readonly engine?: 'ssh';
  /** `none`: it concerns the complete service, and is sent without the namespace of the settings. */
  readonly namespace?: 'none';
  readonly accepts: readonly number[];
  readonly retry: Retry;
  readonly decode: Decoder<Output>;
}

/** Whether an operation accepts a status. A documented 204 may be a 200 with a warning, and the reverse. */
export function isAccepted<Input, Output>(
  { accepts, retry }: Operation<Input, Output>,
  status: number,
): boolean {
  const done = [200, 204];
  const isDone = done.includes(status) && done.some((each) => accepts.includes(each));
  return accepts.includes(status) || (isDone && retry !== 'read');
}

/**
 * Milliseconds by which the service may delay the response to a blocking query: `wait`, and up to a sixteenth of it, so
 * that clients do not all return at once.
 */
export function blockingMs({ query }: Pick<Operation<never, unknown>, 'query'>, input: object): number {
  const isBlocking = (query as readonly string[] | undefined)?.includes('wait');
  const { wait, index } = input as { readonly wait?: string; readonly index?: string };
  if (!isBlocking || wait === undefined || index === undefined) return 0;
  return ((parseDuration(wait) ?? 0) * 1000 * 17) / 16;
}

/** A request as it would be sent, less what the endpoint adds (address, token, namespace). */
export interface Target {
  readonly method: string;
  /** Path and query, encoded, beginning with `/`. */
  readonly path: string;
  /** What the path begins at: the address that the service is given, which may have a path, or its origin. */
  readonly from: 'address' | 'origin';
  /** Names without the service's prefix, e.g. `Recover-Snapshot-Id`. */
  readonly prefixed: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly contentType: string | undefined;
}

/** Declares an operation; the input's type is given, the output's is the decoder's. */
export function op<Input extends object>(): <Output>(
  row: Operation<Input, Output>,
) => Operation<Input, Output> {
  return (row) => row;
}

/**
 * Builds the request of an operation, purely; invalid names are rejected before anything is sent.
 *
 * @throws LanyardError usage: a path field that is empty, `.` or `..`, has a control character or an empty
 * segment, or (secrets) ends in a period.
 */
export function target<Input extends object, Output>(
  operation: Operation<Input, Output>,
  input: Input,
): Target {
  const remaining = new Map<string, unknown>(Object.entries(input));
  const take = (name: string): unknown => {
    const value = remaining.get(name);
    remaining.delete(name);
    return value;
  };
  const handedOut = handedOutUrl(operation, take);
  const path = pathOf(operation, take);
  const search = searchOf(operation, take);
  const prefixed: Record<string, string> = {};
  for (const [header, name] of Object.entries(operation.headers ?? {})) {
    const value = take(name);
    if (value !== undefined) prefixed[header] = scalar(operation, name, value);
  }
  return {
    method: operation.method,
    path: handedOut === undefined ? path + search : handedOut.pathname + handedOut.search,
    from: handedOut === undefined ? 'address' : 'origin',
    prefixed,
    body:
      operation.body === 'json'
        ? formatJson(Object.fromEntries(remaining))
        : operation.body === 'content'
          ? contentOf(operation, remaining.get('content'))
          : undefined,
    contentType: operation.contentType ?? (operation.body === 'json' ? 'application/json' : undefined),
  };
}

const pathField = /\{([+*]?)([^}]+)\}/g;

function pathOf<Input, Output>(operation: Operation<Input, Output>, take: (name: string) => unknown): string {
  return operation.path.replace(pathField, (_all, form: string, name: string) => {
    const value = required(operation, name, take(name));
    const segment = segmentOf(operation, name);
    if (form === '') return segment(value);
    const segments = value.split('/');
    if (form === '*' && hasEncodedSlashes(operation, segments))
      return segments.map((part) => (isCleaned(part) ? part : segment(part))).join('%2F');
    // After the last slash of a prefix there may be nothing.
    // Nomad keeps variables whose path ends in one.
    const mayEnd = form === '*' || (operation.service === 'scheduler' && segments.length > 1);
    const end = mayEnd && segments.at(-1) === '' ? segments.splice(-1) : [];
    return [...segments.map(segment), ...end].join('/');
  });
}

/** Segments that servers remove from paths. */
const isCleaned = (segment: string): boolean => ['', '.', '..'].includes(segment);

/**
 * Whether a key of the registry is sent with encoded slashes: it would be another key without. A server that decodes and
 * cleans paths, such as a proxy, may read another key then, but no write may become one of another route or of all keys.
 */
function hasEncodedSlashes(
  { method, service }: Pick<Operation<never, unknown>, 'method' | 'service'>,
  segments: readonly string[],
): boolean {
  if (service !== 'registry' || segments.length < 2) return false;
  // An empty segment at the end is valid in a path.
  if (
    !segments.some((segment, index) => isCleaned(segment) && (segment !== '' || index < segments.length - 1))
  )
    return false;
  let depth = 0;
  for (const segment of segments) {
    if (segment === '..') depth--;
    else if (!isCleaned(segment)) depth++;
    if (depth < 0) return false;
  }
  return depth > 0 || method === 'GET';
}

function searchOf<Input, Output>(
  operation: Operation<Input, Output>,
  take: (name: string) => unknown,
): string {
  const { fixedQuery, query: names, search } = operation;
  if (fixedQuery === undefined && names === undefined && search === undefined) return '';
  const query = new URLSearchParams((fixedQuery ?? []).map(([name, value]) => [name, value]));
  for (const name of names ?? []) {
    const value = take(name);
    if (value !== undefined) query.append(name, scalar(operation, name, value));
  }
  const text = search === undefined ? undefined : take(search);
  if (search !== undefined && text !== undefined)
    for (const [name, value] of new URLSearchParams(required(operation, search, text)))
      query.append(name, value);
  return query.size > 0 ? `?${query}` : '';
}

function handedOutUrl<Input, Output>(
  { name, handedOut }: Operation<Input, Output>,
  take: (name: string) => unknown,
): URL | undefined {
  if (handedOut === undefined) return undefined;
  const given = take(handedOut);
  const url = typeof given === 'string' ? URL.parse(given) : undefined;
  if (!url) throw usage(`cannot ${name}: invalid ${handedOut}: expected a URL`);
  return url;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const control = /[\u0000-\u001f\u007f-\u009f]/;

function segmentOf(operation: { name: string; service: ServiceName }, name: string) {
  return (value: string): string => {
    const usageError = (cause: string) =>
      usage(`cannot ${operation.name}: ${name.replaceAll('_', ' ')} ${cause}`, {
        hint: `Nothing was sent. Such a name would lead to another route of the service.${operation.service === 'registry' && ['key', 'prefix'].includes(name) ? ' `lanyard txn apply` accepts any key.' : ''}`,
      });
    // Parts of one segment too: there are servers that decode %2F before they look for a route.
    for (const part of value.split('/')) {
      if (part === '') throw usageError('contains an empty path segment');
      if (part === '.' || part === '..') throw usageError(`must not contain "${part}" as a path segment`);
    }
    if (operation.service === 'registry' && value.includes('/')) throw usageError('must not contain "/"');
    if (control.test(value)) throw usageError('contains a control character');
    // It has no encoding in a URL.
    if (!value.isWellFormed()) throw usageError('contains an unpaired surrogate (invalid UTF-16)');
    if (operation.service === 'secrets' && value.endsWith('.'))
      throw usageError(`"${value}" must not end with a period`);
    return encodeURIComponent(value);
  };
}
