import type { ServiceName } from '../../../wire/services.ts';
import type { JsonSchema } from '../schema/types.ts';

/** Named schemas, in the order in which they are shown. */
type Schemas = Readonly<Record<string, JsonSchema>>;

/** A body of a request or response. */
export interface Content {
  readonly schema: JsonSchema;
  /** Default: JSON. */
  readonly type?: string;
}

export interface RequestBody extends Content {
  /** The body may be left out. */
  readonly isOptional?: boolean;
}

export interface ResponseDescription extends Partial<Content> {
  readonly description?: string;
  /** The body in another media type. */
  readonly also?: Content;
  /** The name of a group of `ServiceDescription.headers`. */
  readonly headers?: string;
}

/** What a route does, for the OpenAPI document. */
export interface OperationDescription {
  /** Unique in the service. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Requires no token. */
  readonly isUnauthenticated?: boolean;
  /** Requires a token, also where the service has anonymous callers. */
  readonly requiresToken?: boolean;
  /** Query parameters; the name of a required one ends in `!`. */
  readonly query?: Schemas;
  /** Request headers, except that of the token. */
  readonly headers?: Schemas;
  readonly body?: RequestBody;
  /** By status, or `default`: success, and statuses whose body is not that of an error. */
  readonly responses: Readonly<Record<string, ResponseDescription>>;
  /** Statuses with the error body of the service, besides those of every operation. */
  readonly errors?: readonly number[];
}

/** Descriptions by route: the methods and the pattern, as in the route table (`PUT|POST v1/namespace`). */
export type Operations = Readonly<Record<string, OperationDescription>>;

/** A service, for its OpenAPI document. */
export interface ServiceDescription {
  readonly name: ServiceName;
  readonly title: string;
  readonly description: string;
  /** The default port of `lanyard dev`. */
  readonly port: number;
  /** The areas of the service, with a description. */
  readonly tags: Readonly<Record<string, string>>;
  /** Ways to send a token; one of them is enough. */
  readonly securitySchemes: Schemas;
  /** Whether requests without a token are those of an anonymous caller. */
  readonly hasAnonymousCallers?: boolean;
  /** Parameters of paths, by name. */
  readonly parameters: Schemas;
  /** Request headers of every operation, except that of the token. */
  readonly commonHeaders?: Schemas;
  /** Groups of response headers. */
  readonly headers?: Readonly<Record<string, Schemas>>;
  readonly schemas: Schemas;
  /** The body of an error. */
  readonly error: Content;
  /** The body of 404, where it differs. */
  readonly notFound?: Content;
  /** Statuses of every operation, of those that check the token, and of those that read a body. */
  readonly commonErrors: {
    readonly all: readonly number[];
    readonly authenticated: readonly number[];
    readonly withBody: readonly number[];
  };
  /** Changes the path of an operation, as in OpenAPI (`/v1/var/{path}`), where the route table differs. */
  readonly templateOf?: (template: string) => string;
  readonly operations: Operations;
}
