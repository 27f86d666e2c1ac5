import type { ServiceName } from '../../../wire/services.ts';
import type { Router } from '../http/router.ts';
import type { HandlerOf, OperationSpec, ResponseSpec } from '../operation.ts';
import type { Fields, JsonSchema, Type } from '../schema/types.ts';

/** Operations by route: the methods and the pattern, as in the route table (`PUT|POST v1/namespace`). */
export type Operations = Readonly<Record<string, OperationSpec<Fields, Type>>>;

/** The operations of a route table. */
export const operationsIn = ({
  routes,
  handlers,
}: Pick<Router<HandlerOf<never>>, 'routes' | 'handlers'>): Operations =>
  Object.fromEntries(
    routes.flatMap((route, index) => {
      const handler = handlers[index];
      return !handler || typeof handler === 'function' ? [] : [[route, handler]];
    }),
  );

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
  readonly securitySchemes: Readonly<Record<string, JsonSchema>>;
  /** Whether requests without a token have an anonymous caller. */
  readonly hasAnonymousCallers?: boolean;
  /** Whether null in a list of a request is an error; everywhere else it counts as missing. */
  readonly rejectsNullItems?: boolean;
  /** Parameters of paths, by name. */
  readonly parameters: Fields;
  /** Request headers of every operation, except the token header. */
  readonly commonHeaders?: Fields;
  /** Groups of response headers. */
  readonly headers?: Readonly<Record<string, Fields>>;
  /** The body of an error. */
  readonly error: ResponseSpec;
  /** The body of 404, where it differs. */
  readonly notFound?: ResponseSpec;
  /** Statuses of every operation, of operations that check the token, and of operations that read a body. */
  readonly commonErrors: {
    readonly all: readonly number[];
    readonly authenticated: readonly number[];
    readonly withBody: readonly number[];
  };
  /** Changes the path of an operation, as in OpenAPI (`/v1/var/{path}`), where the route table differs. */
  readonly templateOf?: (template: string) => string;
  readonly operations: Operations;
}
