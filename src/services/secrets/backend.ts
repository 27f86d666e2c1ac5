import type { Json } from '../../wire/json.ts';
import { Router } from '../core/http/router.ts';
import type { Acl } from './acl/acl.ts';
import type { Engine, EngineRequest, EngineResponse, PathDescription } from './engine.ts';
import { permissionDenied, unsupportedOperation, unsupportedPath } from './errors.ts';
import type { TokenEntry } from './model/tokens.ts';

/** The caller: a valid token and its permissions. */
export interface Caller {
  readonly token: TokenEntry;
  /** The token as sent. */
  readonly text: string;
  /** For paths relative to the namespace of the request. */
  readonly acl: Acl;
}

/** A request to the service's own backends. */
export interface CoreRequest extends EngineRequest {
  readonly caller: Caller | undefined;
}

/** A caller authenticated by an auth method; the service creates a token for it. */
export interface Login {
  /** The method's part of the token's display name, and the token's metadata. */
  readonly displayName: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** The caller's name at the auth method, by which its entity is found. */
  readonly alias: { readonly name: string; readonly metadata: Readonly<Record<string, string>> };
  readonly token: TokenParams;
}

/** Settings of the token created by a login. */
export interface TokenParams {
  readonly policies: readonly string[];
  /** Omit the policy `default`. */
  readonly noDefaultPolicy: boolean;
  /** Seconds; 0: the service's default. */
  readonly ttl: number;
  readonly maxTtl: number;
  /** 0: unlimited. */
  readonly uses: number;
}

export interface CoreResponse extends EngineResponse {
  /** The ID of the lease created from `lease`. */
  readonly leaseId?: string;
  /** The token that the request created or renewed. */
  readonly auth?: Readonly<Record<string, Json>>;
  /** Create a token for this caller. */
  readonly login?: Login;
  /**
   * The fields of `data` are also copied to the top level of the response, as in some reads of the product.
   */
  readonly copyToTopLevel?: boolean;
}

/** The target of a mount: an engine, an auth method, or a part of the service itself. */
export type Backend = Engine<CoreRequest, CoreResponse>;

type Operation = EngineRequest['operation'];

/** Handles an operation. `name` is the value of the parameter of the path; empty if it has none. */
type Handler<Context, Request, Response> = (
  context: Context,
  request: Request,
  name: string,
) => Response | Promise<Response>;

/** What a path serves: its handlers by operation, and its description for the help facility. */
export interface Resource<Context, Request = CoreRequest, Response = CoreResponse | undefined>
  extends Partial<
    Record<Exclude<Operation, 'create' | 'update'> | 'write', Handler<Context, Request, Response>>
  > {
  readonly summary: string;
  /** Fields of the body of a write, and query parameters of a read. */
  readonly fields?: PathDescription['fields'];
}

/** The same, of an engine. */
export type EngineResource<Context> = Resource<Context, EngineRequest>;

const operations = ['read', 'list', 'create', 'update', 'patch', 'delete', 'recover'] as const;

/** A table of paths and their resources; a path has at most one parameter. */
export class Routes<Context, Request = CoreRequest, Response = CoreResponse | undefined> {
  readonly #router = new Router<Handler<Context, Request, Response>>();
  readonly descriptions: PathDescription[] = [];
  /** The operations that require no token. */
  readonly unauthenticated: { readonly operation: Operation; readonly path: string }[] = [];

  /** @param path a pattern of `Router` */
  on(path: string, { summary, fields = {}, ...handlers }: Resource<Context, Request, Response>): this {
    const served = operations.filter((operation) => {
      const handler = handlers[operation === 'create' || operation === 'update' ? 'write' : operation];
      if (handler) this.#router.on(operation, path, handler);
      return handler !== undefined;
    });
    this.descriptions.push({ path, summary, operations: served, fields });
    return this;
  }

  /** A path that requires no token. */
  onUnauthenticated(path: string, resource: Resource<Context, Request, Response>): this {
    this.on(path, resource);
    for (const operation of this.descriptions.at(-1)?.operations ?? [])
      this.unauthenticated.push({ operation, path });
    return this;
  }

  /**
   * The handler of an operation on a path, applied to the name in the path; undefined: no such path.
   * @throws SecretsError 405
   */
  find(
    path: string,
    operation: Operation | undefined,
  ): ((context: Context, request: Request) => Response | Promise<Response>) | undefined {
    const match = this.#router.find(path.split('/'));
    if (!match) return undefined;
    const handler = operation && match.handlers.get(operation);
    if (!handler) throw unsupportedOperation();
    const [name = ''] = Object.values(match.params);
    return (context, request) => handler(context, request, name);
  }
}

/** A backend without an existence check, so that every write is an update. */
export function routedBackend<Context, Request extends EngineRequest>(
  type: string,
  routes: Routes<Context, Request>,
  context: Context,
): Engine<Request, CoreResponse> {
  return {
    type,
    unauthenticated: routes.unauthenticated,
    exists: () => undefined,
    describe: () => routes.descriptions,
    async handle(request) {
      const handler = routes.find(request.path, request.operation);
      if (!handler) throw unsupportedPath();
      return handler(context, request);
    },
  };
}

/** Some paths require `sudo` in addition to the capability of the operation. @throws SecretsError 403 */
export function requireSudo({ caller }: CoreRequest, path: string): void {
  if (!caller?.acl.capabilities(path).has('sudo')) throw permissionDenied();
}
