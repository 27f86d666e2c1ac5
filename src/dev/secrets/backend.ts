import type { Json } from '../../wire/json.ts';
import { Routes } from '../http/routes.ts';
import type { Acl } from './acl.ts';
import type { Engine, EngineRequest, EngineResponse, PathDescription } from './engine.ts';
import { denied, unsupportedOperation, unsupportedPath } from './refusals.ts';
import type { TokenEntry } from './tokens.ts';

/** Who asks: a living token and what it may do. */
export interface Caller {
  readonly token: TokenEntry;
  /** The token as it was sent. */
  readonly text: string;
  /** Asked with paths of the namespace that the request is in. */
  readonly acl: Acl;
}

/** A request as the service's own parts see it. */
export interface CoreRequest extends EngineRequest {
  readonly caller: Caller | undefined;
}

/** Who an auth method has found a caller to be; the service makes a token of it. */
export interface Login {
  /** The method's part of the token's display name, and the metadata of the token. */
  readonly displayName: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** How the method knows the caller; its entity is found by it. */
  readonly alias: { readonly name: string; readonly metadata: Readonly<Record<string, string>> };
  readonly token: TokenTerms;
}

/** What the token of a login may do, and for how long. */
export interface TokenTerms {
  readonly policies: readonly string[];
  /** Without the policy `default`. */
  readonly noDefaultPolicy: boolean;
  /** Seconds; 0: as the service has it. */
  readonly ttl: number;
  readonly maxTtl: number;
  /** 0: any number. */
  readonly uses: number;
}

export interface CoreResponse extends EngineResponse {
  /** The ID of the lease that was made of `lease`. */
  readonly leaseId?: string;
  /** The token that the request made or renewed. */
  readonly auth?: Readonly<Record<string, Json>>;
  /** A token is to be made for this caller. */
  readonly login?: Login;
  /** The members of `data` are also copied to the top of the envelope, as some of the product's reads do. */
  readonly copied?: boolean;
}

/** What a mount leads to: an engine, an auth method, or another part of the service itself. */
export interface Backend extends Omit<Engine, 'handle'> {
  /** @throws Refusal */
  handle(request: CoreRequest): Promise<CoreResponse | undefined>;
}

export type CoreHandler = (
  request: CoreRequest,
  params: Readonly<Record<string, string>>,
) => CoreResponse | undefined | Promise<CoreResponse | undefined>;

type Handlers = Readonly<Partial<Record<EngineRequest['operation'], CoreHandler>>>;

/** The paths of a part of the service: what each does by operation, and what the help facility says of it. */
export class Paths {
  readonly #routes = new Routes<CoreHandler>();
  readonly descriptions: PathDescription[] = [];

  /** @param path a pattern of `Routes` */
  on(path: string, summary: string, handlers: Handlers, fields: PathDescription['fields'] = {}): this {
    const operations = Object.entries(handlers);
    for (const [operation, handler] of operations) this.#routes.on(operation, path, handler);
    const names = operations.map(([operation]) => operation as EngineRequest['operation']);
    this.descriptions.push({ path, summary, operations: names, fields });
    return this;
  }

  /** @throws Refusal 404, 405 */
  async handle(request: CoreRequest): Promise<CoreResponse | undefined> {
    const found = this.#routes.find(request.path.split('/'));
    if (!found) throw unsupportedPath();
    const handler = found.handlers.get(request.operation);
    if (!handler) throw unsupportedOperation();
    return handler(request, found.params);
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

/** Some paths take `sudo` besides the capability of the operation. @throws Refusal 403 */
export function requireSudo({ caller }: CoreRequest, path: string): void {
  if (!caller?.acl.capabilities(path).has('sudo')) throw denied();
}
