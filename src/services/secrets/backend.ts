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
export interface Backend extends Omit<Engine, 'handle'> {
  /** @throws SecretsError */
  handle(request: CoreRequest): Promise<CoreResponse | undefined>;
}

export type CoreHandler = (
  request: CoreRequest,
  params: Readonly<Record<string, string>>,
) => CoreResponse | undefined | Promise<CoreResponse | undefined>;

type Handlers = Readonly<Partial<Record<EngineRequest['operation'], CoreHandler>>>;

/** The paths of a part of the service: their handlers by operation, and their help texts. */
export class Paths {
  readonly #routes = new Router<CoreHandler>();
  readonly descriptions: PathDescription[] = [];

  /** @param path a pattern of `Router` */
  on(path: string, summary: string, handlers: Handlers, fields: PathDescription['fields'] = {}): this {
    const operations = Object.entries(handlers);
    for (const [operation, handler] of operations) this.#routes.on(operation, path, handler);
    const names = operations.map(([operation]) => operation as EngineRequest['operation']);
    this.descriptions.push({ path, summary, operations: names, fields });
    return this;
  }

  /** @throws SecretsError 404, 405 */
  async handle(request: CoreRequest): Promise<CoreResponse | undefined> {
    const match = this.#routes.find(request.path.split('/'));
    if (!match) throw unsupportedPath();
    const handler = match.handlers.get(request.operation);
    if (!handler) throw unsupportedOperation();
    return handler(request, match.params);
  }
}

/** A part of the service itself. It has no existence check, so every write is an update. */
export function routedBackend(
  type: string,
  paths: Paths,
  unauthenticated: Backend['unauthenticated'] = [],
): Backend {
  return {
    type,
    unauthenticated,
    exists: () => undefined,
    describe: () => paths.descriptions,
    handle: (request) => paths.handle(request),
  };
}

/** Some paths require `sudo` in addition to the capability of the operation. @throws SecretsError 403 */
export function requireSudo({ caller }: CoreRequest, path: string): void {
  if (!caller?.acl.capabilities(path).has('sudo')) throw permissionDenied();
}
