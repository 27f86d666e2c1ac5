import type { Json } from '../../../src/wire/json.ts';
import type { ServiceName } from '../../../src/wire/services.ts';

/**
 * Which token a request has: the one that the run was given; one with few permissions, saved as `limited` by an
 * earlier request; none; one that does not exist. Any other text is the token itself, usually `{name}` of a saved
 * value.
 */
type Identity = 'root' | 'limited' | 'none' | 'bad';

interface RequestOptions {
  /** Default: `root`. */
  readonly as?: Identity | `{${string}}`;
  /** Request headers besides the token. A body has the media type of JSON unless it is given here. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Values for later requests: name, and path in the response's JSON (`data.id`, `[0].ID`), or `header:NAME`.
   */
  readonly save?: Readonly<Record<string, string>>;
  /**
   * Only elements (of an array) or members (of an object) that contain the prefix of the run are kept, because others
   * may use the same server. The path of the list in the response's JSON; empty: the response itself.
   */
  readonly own?: string;
  /** Only these members of the response are kept: the rest describes the machine or its configuration. */
  readonly keep?: readonly string[];
  /** A real product needs a short time before it: it applies the change before this request later. */
  readonly settles?: true;
}

/**
 * An HTTP request that is sent without the client. In all texts, `{name}` is a value of the run: `{run}` is the prefix of
 * all names, others are saved by earlier requests.
 */
export interface RawRequest extends RequestOptions {
  /** Unique for the service. Recordings and dialects refer to the request by it. */
  readonly name: string;
  readonly method: string;
  /** Path and query, sent as written. */
  readonly path: string;
  /** Sent as written if it is a text, otherwise as JSON. */
  readonly body?: Json;
  /** Removes what the run made. It is sent at the end in any case, and is not recorded. */
  readonly isCleanup?: true;
}

/** The requests to one service, in the order in which they are sent. */
export interface RequestList {
  readonly service: ServiceName;
  readonly requests: readonly RawRequest[];
}

type Unnamed = Omit<RawRequest, 'name'>;

/** Names requests by the members of an object, with a prefix: `variable: missing`. */
export const group = (prefix: string, requests: Readonly<Record<string, Unnamed>>): readonly RawRequest[] =>
  Object.entries(requests).map(([name, request]) => ({ name: `${prefix}: ${name}`, ...request }));

/** Requests that remove what the run made. */
export const cleanup = (...requests: readonly Unnamed[]): readonly RawRequest[] =>
  requests.map((request, index) => ({ name: `cleanup: ${index + 1}`, ...request, isCleanup: true }));

/** A request with any method. */
export const send = (method: string, path: string, body?: Json, options: RequestOptions = {}): Unnamed => ({
  method,
  path,
  ...(body === undefined ? {} : { body }),
  ...options,
});

type WithBody = (path: string, body?: Json, options?: RequestOptions) => Unnamed;
type WithoutBody = (path: string, options?: RequestOptions) => Unnamed;

const withBody =
  (method: string): WithBody =>
  (path, body, options) =>
    send(method, path, body, options);
const withoutBody =
  (method: string): WithoutBody =>
  (path, options) =>
    send(method, path, undefined, options);

export const get = withoutBody('GET');
export const list = withoutBody('LIST');
export const head = withoutBody('HEAD');
export const remove = withoutBody('DELETE');
export const put = withBody('PUT');
export const post = withBody('POST');
export const patch = withBody('PATCH');
