import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { HttpRequest, HttpResponse, HttpService } from '../../src/services/core/http/http-service.ts';
import { Router } from '../../src/services/core/http/router.ts';
import { openApiDocument, type Route, routesOf } from '../../src/services/core/openapi/document.ts';
import { descriptionOf } from '../../src/services/openapi.ts';
import { resolveTarget } from '../../src/services/secrets/auth.ts';
import type { SecretsService } from '../../src/services/secrets/service.ts';
import type { Json } from '../../src/wire/json.ts';
import type { ServiceName } from '../../src/wire/services.ts';
import { parsedJson } from './parsed-json.ts';

export type Schema = { readonly [keyword: string]: unknown };

interface DocumentedContent {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: DocumentedContent & { readonly required: boolean };
  readonly responses: Readonly<Record<string, DocumentedContent>>;
}

/** The parts of a document that are used here. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, DocumentedContent>>;
  };
}

/** Compiles schemas strictly. */
export function newAjv(coerceTypes: 'array' | false = false): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: false,
    allErrors: true,
    verbose: true,
    coerceTypes,
    // Most schemas validate a few values in a process: to compile them is what takes long.
    code: { optimize: false },
  });
  ajv.addFormat('int64', { type: 'number', validate: Number.isInteger });
  ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)) && /^\d{4}-\d\d-\d\dT/.test(text));
  ajv.addFormat('binary', true);
  return ajv;
}

/** The schemas of a document, so that they can be compiled: those of `components` by their name. */
export function schemasFor(
  service: string,
  schemas: Readonly<Record<string, Schema>>,
): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [`${service}.${name}`, resolved(service, schema)]),
  );
}

/** With references to the names of `schemasFor`. */
export const resolved = (service: string, schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', `"${service}.`)) as Schema;

/** An object of a response has no field that its schema does not have. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const isClosed = Object.hasOwn(inner, 'properties') && isType(inner.type, 'object');
  return isClosed && !Object.hasOwn(inner, 'additionalProperties')
    ? { ...inner, additionalProperties: false }
    : inner;
}

const isType = (type: unknown, name: string): boolean =>
  type === name || (Array.isArray(type) && type.includes(name));

/** Validates exchanges with one service against its document. */
class Checker {
  readonly #service: ServiceName;
  readonly #routes = new Router<Route>();
  readonly #operations = new Map<string, DocumentedOperation>();
  readonly #components: Document['components'];
  readonly #schemas: Readonly<Record<string, Schema>>;
  readonly #requests: Ajv2020;
  readonly #responses = newAjv();
  #names: ReadonlyMap<string, string> | undefined;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(description: Awaited<ReturnType<typeof descriptionOf>>) {
    this.#service = description.name;
    // The secrets service converts values.
    this.#requests = newAjv(description.name === 'secrets' ? 'array' : false);
    for (const route of routesOf(description)) this.#routes.on(route.method, route.pattern, route);
    const { paths, components } = openApiDocument(description, '0.0.0') as unknown as Document;
    this.#components = components;
    for (const item of Object.values(paths))
      for (const operation of Object.values(item)) this.#operations.set(operation.operationId, operation);
    this.#schemas = schemasFor(this.#service, components.schemas);
    for (const [name, schema] of Object.entries(this.#schemas)) {
      this.#requests.addSchema(schema, name);
      this.#responses.addSchema(closed(schema) as Schema, name);
    }
  }

  /** What differs from the document, and the operation if it is one. */
  check(request: HttpRequest, { sent, segments }: Asked, response: HttpResponse): Checked {
    const { status } = response;
    if (segments === undefined || request.method === 'OPTIONS') return { problems: [] };
    const found = this.#routes.find(segments);
    // Some services reject HEAD before they look at the route.
    const isRejectedHead = request.method === 'HEAD' && status >= 400;
    const isOtherMethod = methodOf(this.#service, request.method) !== request.method;
    const route = found?.handlers.get(methodOf(this.#service, request.method));
    const hasSlash = request.path.hasTrailingSlash;
    const what = `${this.#service}: ${request.method} /${request.path.segments.join('/')} (${status})`;
    if (!route) {
      return { problems: status >= 400 ? [] : [`${what}: no operation`] };
    }
    const operation = this.#operations.get(route.id) as DocumentedOperation;
    const documented = this.#response(operation.responses[status] ?? operation.responses.default);
    if (status === 405 && isOtherMethod) return { problems: [] };
    if (!documented) {
      if (isRejectedHead) return { problems: [] };
      // A trailing slash is not a part of the documented path.
      if (hasSlash && status >= 400) return { problems: [] };
      return { problems: [`${what}: ${route.id} has no response ${status}: ${textOf(response)}`] };
    }
    const problems = [
      ...this.#checkResponse(`${route.id} ${status}`, documented, response),
      ...(status < 300 ? this.#checkRequest(route.id, operation, request, sent) : []),
    ];
    return { operation: route.id, problems: problems.map((problem) => `${what}: ${problem}`) };
  }

  #response(documented: DocumentedContent | undefined): DocumentedContent | undefined {
    const name = documented?.$ref?.split('/').at(-1);
    return name === undefined ? documented : this.#components.responses[name];
  }

  #checkResponse(name: string, { content = {} }: DocumentedContent, response: HttpResponse): string[] {
    const text = textOf(response);
    if (Object.keys(content).length === 0) return text === '' ? [] : [`${name} has no body: ${text}`];
    // Errors about paths and methods have none.
    if (text === '' && response.status >= 400) return [];
    if (typeof response.body === 'object' && !(response.body instanceof Uint8Array)) return [];
    const type = response.headers?.['Content-Type']?.split(';')[0] ?? '';
    const schema = content[type]?.schema;
    if (!schema) return [`${name} has the type ${type || 'none'}: ${text}`];
    const value = type === 'application/json' ? parsedJson(text) : text;
    return this.#validate(this.#responses, `${name} ${type}`, () => closed(schema) as Schema, value);
  }

  #checkRequest(
    id: string,
    { requestBody, parameters = [] }: DocumentedOperation,
    { method, query }: HttpRequest,
    sent: Json | undefined,
  ): string[] {
    // The method LIST has no parameter `list`.
    const isOtherMethod = methodOf(this.#service, method) !== method;
    const missing = (isOtherMethod ? [] : parameters)
      .filter((parameter) => parameter.in === 'query' && parameter.required && !query.has(parameter.name))
      .map((parameter) => `${id}: the parameter ${parameter.name} is not required`);
    if (sent === undefined)
      return requestBody?.required && typeIn(requestBody).endsWith('json')
        ? [...missing, `${id}: the body is not required`]
        : missing;
    const schema = requestBody?.content?.[typeIn(requestBody)]?.schema;
    if (!schema) return [...missing, `${id} has no body in JSON`];
    return [
      ...missing,
      ...this.#validate(this.#requests, `${id} request`, () => schema, this.#withNames(sent)),
    ];
  }

  /** The fields of a body under the names of the document: those services do not distinguish upper and lower case. */
  #withNames(value: Json): Json {
    if (this.#service === 'secrets') return withoutNulls(value);
    if (!['registry', 'scheduler'].includes(this.#service)) return value;
    if (Array.isArray(value)) return value.map((each) => this.#withNames(each));
    if (typeof value !== 'object' || value === null) return value;
    this.#names ??= namesIn(this.#schemas);
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        this.#names?.get(plainName(name)) ?? name,
        this.#withNames(each as Json),
      ]),
    );
  }

  #validate(ajv: Ajv2020, name: string, schema: () => Schema, value: unknown): string[] {
    const known = this.#compiled.get(name);
    const validate = known ?? ajv.compile(resolved(this.#service, schema()));
    if (!known) this.#compiled.set(name, validate);
    if (validate(value)) return [];
    const errors = (validate.errors ?? []).filter((error) => !isObjectAsText(error));
    return errors.map(
      ({ instancePath, message, params }) =>
        `${name}: ${instancePath} ${message} ${JSON.stringify(params)} in ${JSON.stringify(value).slice(0, 600)}`,
    );
  }
}

/** A field that is null is missing. */
const withoutNulls = (value: Json): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null))
    : value;

/** An object may be a text in JSON. */
const isObjectAsText = ({ keyword, params, data }: ErrorObject): boolean =>
  keyword === 'type' && params.type === 'object' && typeof data === 'string' && data.startsWith('{');

const typeIn = (body: DocumentedContent | undefined): string => Object.keys(body?.content ?? {})[0] ?? '';

const plainName = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** The names of properties that begin with an upper-case letter, by their plain names. */
function namesIn(schemas: unknown): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('properties' in value && typeof value.properties === 'object' && value.properties !== null)
      for (const name of Object.keys(value.properties))
        if (/^[A-Z]/.test(name)) names.set(plainName(name), name);
    for (const each of Object.values(value)) visit(each);
  };
  visit(schemas);
  return names;
}

/** A request as far as it is known before it is handled. */
interface Asked {
  /** The body, if it was read as JSON. */
  readonly sent: Json | undefined;
  readonly segments: readonly string[] | undefined;
}

interface Checked {
  readonly operation?: string;
  readonly problems: readonly string[];
}

function textOf({ body = '' }: HttpResponse): string {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? Buffer.from(body).toString() : '(a file)';
}

/** The path as in the route table; undefined: not in it. */
function segmentsOf(service: HttpService, request: HttpRequest): readonly string[] | undefined {
  const { segments } = request.path;
  if (service.name === 'secrets') return secretsPath(service as SecretsService, request);
  if (service.name !== 'accounts' || request.method !== 'POST') return segments;
  // Actions: `:id:action`.
  return segments.flatMap((each, index) =>
    index === segments.length - 1 ? each.split(/:(?=[^:]*$)/) : [each],
  );
}

/** Where the document has the paths of a mount, by its type. */
const mountPaths: Readonly<Record<string, string>> = {
  system: 'sys',
  token: 'auth/token',
  cubbyhole: 'cubbyhole',
  identity: 'identity',
  userpass: 'auth/userpass',
  approle: 'auth/approle',
  jwt: 'auth/jwt',
  generic: 'kv',
  ssh: 'ssh',
};

/** The path without its namespace, below the mount of its type in the document. */
function secretsPath({ state }: SecretsService, request: HttpRequest): readonly string[] | undefined {
  const { segments } = request.path;
  if (request.query.has('help')) return undefined;
  if (state.sealed) return segments[1] === 'sys' ? segments : undefined;
  try {
    const { mount, path } = resolveTarget(state.core, request);
    const { type = '', options } = mount?.entry ?? {};
    const version = type === 'kv' ? (options?.version === '2' ? 'secret' : 'kv') : mountPaths[type];
    return version === undefined ? undefined : ['v1', ...version.split('/'), ...path.split('/')];
  } catch {
    return undefined;
  }
}

/** The method of the document for one that OpenAPI does not have. */
function methodOf(service: ServiceName, method: string): string {
  if (method === 'HEAD') return 'GET';
  if (service !== 'secrets') return method;
  return { LIST: 'GET', SCAN: 'GET', PUT: 'POST', RECOVER: 'POST' }[method] ?? method;
}

const checkers = new Map<ServiceName, Promise<Checker>>();

function checkerOf(service: ServiceName): Promise<Checker> {
  const checker = checkers.get(service) ?? descriptionOf(service).then((each) => new Checker(each));
  checkers.set(service, checker);
  return checker;
}

/** What was seen of services. */
export interface Observed {
  /** The operations that succeeded, as `service id`. */
  readonly succeeded: ReadonlySet<string>;
  /** Differences from the documents. */
  readonly problems: readonly string[];
  /** @throws Error there are differences */
  verify(): void;
}

/** Validates every exchange of embedded services against their OpenAPI documents, from now on. */
export function observe(services: Readonly<Partial<Record<ServiceName, HttpService>>>): Observed {
  const succeeded = new Set<string>();
  const problems: string[] = [];
  for (const [name, service] of Object.entries(services) as [ServiceName, HttpService][]) {
    const handle = service.handle;
    const observed = async (request: HttpRequest): Promise<HttpResponse> => {
      let sent: Json | undefined;
      const readJson = request.json.bind(request);
      const json = async (): Promise<Json | undefined> => {
        sent = await readJson();
        return sent;
      };
      // Before the request, which may remove the mount.
      const segments = segmentsOf(service, request);
      const response = await handle(Object.assign(request, { json }));
      const checked = (await checkerOf(name)).check(request, { sent: plain(sent), segments }, response);
      if (checked.operation && response.status < 400) succeeded.add(`${name} ${checked.operation}`);
      problems.push(...checked.problems);
      return response;
    };
    Object.assign(service, { handle: observed });
  }
  return {
    succeeded,
    problems,
    verify() {
      if (problems.length > 0)
        throw new Error(`not as the OpenAPI documents:\n${[...new Set(problems)].slice(0, 20).join('\n')}`);
    },
  };
}

/** Without integers over 2^53, which validators do not know. */
const plain = (value: Json | undefined): Json | undefined =>
  value === undefined
    ? undefined
    : (JSON.parse(
        JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? Number(each) : each)),
      ) as Json);
