import type { HttpRequest, HttpResponse } from './http/http-service.ts';
import { type ReadingRules, read } from './schema/read.ts';
import {
  type Fields,
  type Input,
  type JsonSchema,
  type ObjectType,
  object,
  type Type,
} from './schema/types.ts';

/** A request as a handler receives it: with the parameters of its path, the service and the caller. */
export type CallOf<Context> = Context & {
  readonly request: HttpRequest;
  readonly params: Readonly<Record<string, string>>;
};

/** An operation, or a function for a request that has none: a path that only reports an error. */
export type HandlerOf<Context> =
  | Operation<Context>
  | ((call: CallOf<Context>) => HttpResponse | Promise<HttpResponse>);

export interface Content {
  readonly type: string;
  readonly schema: JsonSchema;
}

/** A response besides the errors of the service. */
export interface ResponseSpec {
  readonly description?: string;
  /** Its JSON; absent: no body, or `content`. */
  readonly body?: Type;
  readonly content?: Content;
  /** The name of a group of response headers of the service. */
  readonly headers?: string;
}

/** An operation, stated once: requests are read, responses written and the document made with these types only. */
export interface OperationSpec<Query extends Fields, Body extends Type> {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly isUnauthenticated?: boolean;
  /** Requires a token, also where the service has anonymous callers. */
  readonly requiresToken?: boolean;
  readonly query?: Query;
  /** Further query parameters, which the service reads for all operations of a kind. */
  readonly sharedQuery?: Fields;
  readonly headers?: Fields;
  readonly body?: Body;
  readonly content?: Content;
  readonly isBodyOptional?: boolean;
  /** Precedes the reason when the body cannot be decoded. */
  readonly bodyError?: string;
  /** Whether unknown fields are errors; `with hint`: the error for `Namespace` says that it is not supported. */
  readonly rejectsUnknownFields?: boolean | 'with hint';
  /** The JSON of status 200; absent: see `responses`. */
  readonly returns?: Type;
  /** The name of the group of headers of status 200. */
  readonly responseHeaders?: string;
  /** By status; default: 200 with `returns`. */
  readonly responses?: Readonly<Record<number, ResponseSpec>>;
  /** Statuses with the error body of the service, besides the common ones. */
  readonly errors?: readonly number[];
}

/** What a request has, as its operation states it. */
export interface Typed<Query extends Fields, Body extends Type> {
  /** The query parameters. @throws HttpError 400 */
  query(): Input<ObjectType<Query>>;
  /** The body. @throws HttpError 400, 413 */
  body(): Promise<Input<Body>>;
}

export interface Operation<Context> extends OperationSpec<Fields, Type> {
  handle(call: CallOf<Context> & Typed<Fields, Type>): HttpResponse | Promise<HttpResponse>;
}

/** The operations of a service, by tag: `operations('ACL')`. @param common theirs, unless one states it differently */
export const operationsOf =
  <Context>(common: Partial<Operation<Context>> = {}) =>
  (tag: string) =>
  <const Query extends Fields, Body extends Type>(
    id: string,
    summary: string,
    operation: Omit<OperationSpec<Query, Body>, 'id' | 'tag' | 'summary'> & {
      handle(call: CallOf<Context> & Typed<Query, Body>): HttpResponse | Promise<HttpResponse>;
    },
  ): Operation<Context> =>
    ({ ...common, id, tag, summary, ...operation }) as unknown as Operation<Context>;

/** A handler that first runs a check, which may throw. */
export function checkedFirst<Context>(
  handler: HandlerOf<Context>,
  check: (call: CallOf<Context>) => void,
): HandlerOf<Context> {
  if (typeof handler !== 'function') {
    const checked: Operation<Context>['handle'] = (call) => {
      check(call);
      return handler.handle(call);
    };
    return { ...handler, handle: checked };
  }
  return (call) => {
    check(call);
    return handler(call);
  };
}

/** Reads query parameters: each is a text, or a list of texts. */
export function readQuery(
  fields: Fields,
  { query }: Pick<HttpRequest, 'query'>,
  rules: ReadingRules,
): unknown {
  const given = Object.entries(fields).flatMap(([name, { kind }]) => {
    if (!query.has(name)) return [];
    return [[name, kind === 'list' ? query.getAll(name) : (query.get(name) ?? '')] as const];
  });
  return read(object(fields), Object.fromEntries(given), rules);
}
