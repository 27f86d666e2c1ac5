import { Router } from '../core/http/router.ts';
import type { Engine, EngineRequest, EngineResponse, PathDescription } from './engine.ts';
import { permissionDenied, unsupportedOperation, unsupportedPath } from './errors.ts';
import { ignoredWarnings } from './fields.ts';

type Operation = EngineRequest['operation'];

/** The result of a handler; nothing is a response without a body. */
type Result = EngineResponse | undefined | Promise<EngineResponse | undefined> | Promise<void>;

/** Handles an operation. `name` is the value of the parameter of the path; empty if it has none. */
type Handler<Context, Request, Returned> = (context: Context, request: Request, name: string) => Returned;

/** What a path serves: its handlers by operation, and its description for the help facility. */
export interface Resource<Context, Request = EngineRequest, Returned = Result>
  extends Partial<
    Record<Exclude<Operation, 'create' | 'update'> | 'write', Handler<Context, Request, Returned>>
  > {
  readonly summary: string;
  /** Fields of the body of a write, and query parameters of a read. */
  readonly fields?: PathDescription['fields'];
  /** Whether the body may have any fields, so that there are no warnings about unknown ones. */
  readonly hasAnyFields?: boolean;
}

const operations = ['read', 'list', 'scan', 'create', 'update', 'patch', 'delete', 'recover'] as const;

/** Whether a path requires a token with permission for it, uses one that is sent, or ignores it. */
type Access = 'token' | 'optional' | 'none';

/** A table of paths and their resources; a path has at most one parameter. */
export class Routes<Context, Request = EngineRequest, Returned = Result> {
  readonly #router = new Router<{
    readonly handler: Handler<Context, Request, Returned>;
    readonly access: Access;
    /** The names of its fields; undefined: any. */
    readonly fields: PathDescription['fields'];
    readonly hasSubpaths: boolean;
  }>();
  readonly descriptions: PathDescription[] = [];

  /** @param path a pattern of `Router` */
  on(path: string, resource: Resource<Context, Request, Returned>, access: Access = 'token'): this {
    const { summary, fields = {}, hasAnyFields = false, ...handlers } = resource;
    const known = hasAnyFields ? undefined : fields;
    const hasSubpaths = 'list' in handlers || path.includes('*');
    const served = operations.filter((operation) => {
      const handler = handlers[operation === 'create' || operation === 'update' ? 'write' : operation];
      if (handler) this.#router.on(operation, path, { handler, access, fields: known, hasSubpaths });
      return handler !== undefined;
    });
    this.descriptions.push({ path, summary, operations: served, fields });
    return this;
  }

  /** A path that requires no token. */
  onUnauthenticated(path: string, resource: Resource<Context, Request, Returned>): this {
    return this.on(path, resource, 'none');
  }

  /** A path that requires no token, and shows more with one. */
  onOptionalToken(path: string, resource: Resource<Context, Request, Returned>): this {
    return this.on(path, resource, 'optional');
  }

  isUnauthenticated(operation: Operation, path: string): boolean {
    return this.#access(operation, path) !== 'token';
  }

  /** Whether an operation that requires no token uses one that is sent. */
  acceptsToken(operation: Operation, path: string): boolean {
    return this.#access(operation, path) === 'optional';
  }

  #access(operation: Operation, path: string): Access {
    return this.#router.find(path.split('/'))?.handlers.get(operation)?.access ?? 'token';
  }

  /** The warnings about fields of a request that its path does not have. */
  ignoredWarnings({ operation, path, data }: Pick<EngineRequest, 'operation' | 'path' | 'data'>): string[] {
    const match = this.#router.find(path.split('/'));
    const fields = match?.handlers.get(operation)?.fields;
    return match && fields ? ignoredWarnings(fields, Object.keys(match.params), data) : [];
  }

  /**
   * The handler of an operation on a path, applied to the name in the path; undefined: no such path.
   * @throws SecretsError 405; 404: a list of a path that has nothing below it (docs/protocol/secrets.md#errors)
   */
  find(
    path: string,
    operation: Operation | undefined,
  ): ((context: Context, request: Request) => Returned) | undefined {
    const match = this.#router.find(path.split('/'));
    if (!match) return undefined;
    const route = operation && match.handlers.get(operation);
    if (!route) {
      const lists = operation === 'list' || operation === 'scan';
      const hasSubpaths = [...match.handlers.values()].some((each) => each.hasSubpaths);
      throw lists && !hasSubpaths ? unsupportedPath() : unsupportedOperation();
    }
    const [name = ''] = Object.values(match.params);
    return (context, request) => route.handler(context, request, name);
  }
}

/** An engine without an existence check, so that every write is an update. */
export function routedEngine<Context>(type: string, routes: Routes<Context>, context: Context): Engine {
  return {
    type,
    isUnauthenticated: (operation, path) => routes.isUnauthenticated(operation, path),
    acceptsToken: (operation, path) => routes.acceptsToken(operation, path),
    exists: () => undefined,
    describe: () => routes.descriptions,
    async handle(request) {
      const handler = routes.find(request.path, request.operation);
      if (!handler) throw unsupportedPath();
      const response = (await handler(context, request)) ?? undefined;
      // Only the JSON response format has warnings.
      if (!response || response.text || response.status !== undefined) return response;
      const ignored = routes.ignoredWarnings(request);
      return ignored.length > 0
        ? { ...response, warnings: [...ignored, ...(response.warnings ?? [])] }
        : response;
    },
  };
}

/** Some paths require `sudo` in addition to the capability of the operation. @throws SecretsError 403 */
export function requireSudo({ caller }: EngineRequest, path: string): void {
  if (!caller?.acl.capabilities(path).has('sudo')) throw permissionDenied();
}
