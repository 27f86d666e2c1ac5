import { Router } from '../core/http/router.ts';
import { type ReadingRules, read } from '../core/schema/read.ts';
import * as s from '../core/schema/types.ts';
import type { Access, Engine, EngineRequest, EngineResponse, PathDescription, Verb } from './engine.ts';
import { permissionDenied, unsupportedOperation, unsupportedPath } from './errors.ts';
import { readingRules } from './reading-rules.ts';
import { done, keys, type Returns, returns } from './returns.ts';

type Operation = EngineRequest['operation'];

/** The result of a handler; nothing is a response without a body. */
type Result = EngineResponse | undefined | Promise<EngineResponse | undefined> | Promise<void>;

/** Handles an operation. `name` is the value of the parameter of the path; empty if it has none. */
type Handler<Context, Request, Input> = (
  context: Context,
  request: Request & { readonly input: Input },
  name: string,
) => Result;

export type InputOf<F extends s.Fields> = s.Input<s.ObjectType<F>>;

/** What a path serves, stated once: its handlers, what they read and return, and its documentation. */
export interface ResourceSpec<Context, Request, Query extends s.Fields, Body extends s.Fields>
  extends Pick<PathDescription, 'summary'>,
    Partial<Pick<PathDescription, 'hasAnyFields' | 'errors'>>,
    Partial<Record<Exclude<Verb, 'write' | 'patch'>, Handler<Context, Request, InputOf<Query>>>>,
    Partial<Record<'write' | 'patch', Handler<Context, Request, InputOf<Body>>>> {
  /** Query parameters of reads and lists. */
  readonly query?: Query;
  /** Fields of the body of writes and patches. */
  readonly fields?: Body;
  /** What the operations return; default: a list its keys, the others no data. */
  readonly returns?: { readonly [Each in Verb]?: s.Type | Returns };
}

export type Resource<Context, Request = EngineRequest> = ResourceSpec<Context, Request, s.Fields, s.Fields>;

/** The resources of a context: `const resource = resourcesOf<Context>()`. */
export const resourcesOf =
  <Context, Request = EngineRequest>() =>
  // biome-ignore lint/complexity/noBannedTypes: no fields
  <const Query extends s.Fields = {}, const Body extends s.Fields = {}>(
    resource: ResourceSpec<Context, Request, Query, Body>,
  ): Resource<Context, Request> =>
    resource as unknown as Resource<Context, Request>;

const operations = ['read', 'list', 'scan', 'create', 'update', 'patch', 'delete', 'recover'] as const;

const verbOf = (operation: Operation): Verb =>
  operation === 'create' || operation === 'update' ? 'write' : operation;

/** A table of paths and their resources; a path has at most one parameter. */
export class Routes<Context, Request extends Pick<EngineRequest, 'data'> = EngineRequest> {
  readonly #router = new Router<{
    readonly handler: Handler<Context, Request, never>;
    readonly input: s.ObjectType;
    readonly access: Access;
    readonly resource: PathDescription;
    readonly returns: Returns;
  }>();
  readonly descriptions: PathDescription[] = [];
  readonly #rules: ReadingRules;

  /** @param rules how requests are read */
  constructor(rules = readingRules) {
    this.#rules = rules;
  }

  /** @param path a pattern of `Router` */
  on(path: string, resource: Resource<Context, Request>, access: Access = 'token'): this {
    const { summary, query = {}, fields = {}, hasAnyFields = false, errors = [] } = resource;
    const description: PathDescription = {
      path,
      summary,
      query,
      fields,
      hasAnyFields,
      errors,
      operations: operations.filter((operation) => resource[verbOf(operation)]),
      returns: returnsOf(resource),
    };
    this.descriptions.push(description);
    for (const operation of description.operations) {
      const verb = verbOf(operation);
      this.#router.on(operation, path, {
        handler: resource[verb] as Handler<Context, Request, never>,
        input: s.object(verb === 'write' || verb === 'patch' ? fields : query),
        access,
        resource: description,
        returns: description.returns[verb],
      });
    }
    return this;
  }

  /** A path that requires no token. */
  onUnauthenticated(path: string, resource: Resource<Context, Request>): this {
    return this.on(path, resource, 'none');
  }

  /** A path that requires no token, and shows more with one. */
  onOptionalToken(path: string, resource: Resource<Context, Request>): this {
    return this.on(path, resource, 'optional');
  }

  access(operation: Operation, path: string): Access {
    return this.#router.find(path.split('/'))?.handlers.get(operation)?.access ?? 'token';
  }

  /** The warnings about fields of a request that its path does not have. */
  ignoredWarnings({ operation, path, data }: Pick<EngineRequest, 'operation' | 'path' | 'data'>): string[] {
    const match = this.#router.find(path.split('/'));
    const resource = match?.handlers.get(operation)?.resource;
    return match && resource && !resource.hasAnyFields
      ? ignoredWarnings({ ...resource.query, ...resource.fields }, Object.keys(match.params), data)
      : [];
  }

  /** The handler of a path, which reads the request; undefined: no such path. @throws SecretsError 405; 404: nothing to list */
  find(
    path: string,
    operation: Operation | undefined,
  ): ((context: Context, request: Request) => Promise<EngineResponse | undefined>) | undefined {
    const match = this.#router.find(path.split('/'));
    if (!match) return undefined;
    const route = operation && match.handlers.get(operation);
    if (!route) {
      const lists = operation === 'list' || operation === 'scan';
      const hasSubpaths = [...match.handlers.values()].some(
        ({ resource }) => resource.operations.includes('list') || resource.path.includes('*'),
      );
      throw lists && !hasSubpaths ? unsupportedPath() : unsupportedOperation();
    }
    const [name = ''] = Object.values(match.params);
    return async (context, request) => {
      const input = read(route.input, request.data, this.#rules) as never;
      const response = (await route.handler(context, { ...request, input }, name)) ?? undefined;
      return response && { ...response, returns: route.returns };
    };
  }
}

function returnsOf({ returns: stated = {} }: Pick<Resource<never>, 'returns'>): PathDescription['returns'] {
  const of = (verb: Verb, standard: Returns): Returns => {
    const found = stated[verb] ?? standard;
    return 'kind' in found ? returns(found) : found;
  };
  const list = of('list', keys());
  const write = of('write', done);
  return {
    list,
    write,
    read: of('read', list),
    scan: of('scan', list),
    patch: of('patch', write),
    delete: of('delete', done),
    recover: of('recover', done),
  };
}

/** An engine without an existence check, so that every write is an update. */
export function routedEngine<Context>(type: string, routes: Routes<Context>, context: Context): Engine {
  return {
    type,
    access: (operation, path) => routes.access(operation, path),
    exists: () => undefined,
    describe: () => routes.descriptions,
    async handle(request) {
      const handler = routes.find(request.path, request.operation);
      if (!handler) throw unsupportedPath();
      const response = await handler(context, request);
      // Only the JSON response format has warnings.
      if (!response || response.text || response.status !== undefined) return response;
      const ignored = routes.ignoredWarnings(request);
      return ignored.length > 0
        ? { ...response, warnings: [...ignored, ...(response.warnings ?? [])] }
        : response;
    },
  };
}

/** Warnings about body fields that had no effect; empty if there are none. */
export function ignoredWarnings(
  fields: object,
  pathParameters: readonly string[],
  data: EngineRequest['data'],
): string[] {
  const names = Object.keys(data).sort();
  const replaced = names.filter((name) => pathParameters.includes(name));
  const unknown = names.filter((name) => !pathParameters.includes(name) && !Object.hasOwn(fields, name));
  const replacedText =
    "Endpoint replaced the value of these parameters with the values captured from the endpoint's path";
  return [
    ...(unknown.length > 0 ? [`Endpoint ignored these unrecognized parameters: [${unknown.join(' ')}]`] : []),
    ...(replaced.length > 0 ? [`${replacedText}: [${replaced.join(' ')}]`] : []),
  ];
}

/** Some paths require `sudo` in addition to the capability of the operation. @throws SecretsError 403 */
export function requireSudo({ caller }: EngineRequest, path: string): void {
  if (!caller?.acl.capabilities(path).has('sudo')) throw permissionDenied();
}
