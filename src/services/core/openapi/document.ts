import type { Json, JsonObject } from '../../../wire/json.ts';
import { compact } from '../../../wire/objects.ts';
import type { OpenApi } from '../../../wire/responses/secrets.ts';
import type { Content, OperationSpec, ResponseSpec } from '../operation.ts';
import { type DocumentOptions, jsonSchemaOf } from '../schema/json-schema.ts';
import type { Fields, JsonSchema, Type } from '../schema/types.ts';
import type { ServiceDescription } from './description.ts';

/** A document of OpenAPI 3.1. */
export interface OpenApiDocument extends Required<OpenApi> {
  servers: object[];
  security: object[];
  tags: object[];
}

type Operation = OperationSpec<Fields, Type>;

/** One method of a route. */
export interface Route {
  /** Upper case. */
  readonly method: string;
  /** A pattern of `Router`: `v1/var/:path`. */
  readonly pattern: string;
  /** Unique in the service. */
  readonly id: string;
  readonly operation: Operation;
}

/** The operations of a service, one for each method of a route. The first method of a route has its plain ID. */
export function routesOf({ operations }: Pick<ServiceDescription, 'operations'>): readonly Route[] {
  return Object.entries(operations).flatMap(([key, operation]) => {
    const [methods = '', pattern = ''] = key.split(' ');
    return methods.split('|').map((method, index) => {
      const suffix = index === 0 ? '' : `With${method.charAt(0)}${method.slice(1).toLowerCase()}`;
      return { method, pattern, id: `${operation.id}${suffix}`, operation };
    });
  });
}

/** The path of a pattern as in OpenAPI: `/v1/var/{path}`. */
const templateOf = ({ templateOf: changed }: ServiceDescription, pattern: string): string => {
  const template = `/${pattern.replace(/[:*](\w+)/g, '{$1}')}`;
  return changed ? changed(template) : template;
};

/** The OpenAPI 3.1 document of a service. @param version of this program */
export function openApiDocument(service: ServiceDescription, version: string): OpenApiDocument {
  const paths: Record<string, Record<string, Json>> = {};
  const { rejectsNullItems } = service;
  const options = { components: new Map<string, JsonSchema>(), acceptsNull: true, rejectsNullItems };
  for (const route of routesOf(service)) {
    const template = templateOf(service, route.pattern);
    const operation = operationOf(service, route, options);
    paths[template] = { ...paths[template], [route.method.toLowerCase()]: operation };
  }
  const tokens = tokenRequirements(service);
  return {
    openapi: '3.1.0',
    info: {
      title: service.title,
      version,
      description: service.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `http://127.0.0.1:${service.port}`, description: 'The default address of lanyard dev' }],
    security: service.hasAnonymousCallers ? [...tokens, {}] : tokens,
    tags: Object.entries(service.tags).map(([name, description]) => ({ name, description })),
    paths,
    components: componentsOf(service, options),
  };
}

/** Any of the ways to send a token. */
const tokenRequirements = ({ securitySchemes }: ServiceDescription): JsonObject[] =>
  Object.keys(securitySchemes).map((name) => ({ [name]: [] }));

function operationOf(
  service: ServiceDescription,
  { method, pattern, id, operation }: Route,
  options: DocumentOptions,
): JsonObject {
  const { tag, summary, description, isUnauthenticated, requiresToken, isBodyOptional } = operation;
  const names = [...pattern.matchAll(/[:*](\w+)/g)].map(([, name = '']) => name);
  const inPath = Object.fromEntries(names.map((name) => [name, pathParameter(service, name)]));
  const parameters = [
    ...parametersOf('path', inPath, options),
    ...parametersOf('query', { ...operation.query, ...operation.sharedQuery }, options),
    ...parametersOf('header', operation.headers, options),
    ...Object.keys(service.commonHeaders ?? {}).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
  const body = operation.body
    ? {
        type: operation.content?.type ?? 'application/json',
        schema: jsonSchemaOf({ ...operation.body, isRequired: true }, 'request', options),
      }
    : operation.content;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(isUnauthenticated && { security: [] }),
    ...(requiresToken && { security: tokenRequirements(service) }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: !isBodyOptional, content: contentOf(body) } }),
    responses: responsesOf(service, operation, method, options),
  };
}

function pathParameter({ parameters, name: service }: ServiceDescription, name: string): Type {
  const type = parameters[name];
  if (!type) throw new Error(`${service}: the path parameter ${name} has no description`);
  return { ...type, isRequired: true };
}

/** The schema of a parameter or header, and what is stated next to it. */
function parameterSchema(type: Type, options: DocumentOptions): JsonObject {
  const { description, allowEmptyValue, ...schema } = jsonSchemaOf(type, 'request', {
    ...options,
    acceptsNull: false,
  });
  return {
    ...compact({ description, required: type.isRequired, allowEmptyValue }),
    schema,
  };
}

const parametersOf = (
  location: 'path' | 'query' | 'header',
  fields: Fields = {},
  options: DocumentOptions,
): JsonObject[] =>
  Object.entries(fields).map(([name, type]) => ({ name, in: location, ...parameterSchema(type, options) }));

const contentOf = ({ type, schema }: Content): JsonObject => ({ [type]: { schema } });

/** Its JSON, its other content, or both. */
const contentsOf = ({ body, content }: ResponseSpec, options: DocumentOptions): JsonObject => ({
  ...(body && { 'application/json': { schema: jsonSchemaOf(body, 'response', options) } }),
  ...(content && contentOf(content)),
});

/** Statuses of an operation with the error body of the service. */
function errorStatuses(
  { commonErrors }: Pick<ServiceDescription, 'commonErrors'>,
  { isUnauthenticated, body, content, errors = [] }: Operation,
): readonly number[] {
  return [
    ...errors,
    ...(isUnauthenticated ? [] : commonErrors.authenticated),
    ...(body || content ? commonErrors.withBody : []),
    ...commonErrors.all,
  ];
}

/** The responses of an operation besides the errors of its service. */
export const statedResponses = ({
  responses,
  returns,
  responseHeaders,
}: Operation): Readonly<Record<string, ResponseSpec>> =>
  responses ?? { 200: compact({ body: returns, headers: responseHeaders }) };

function responsesOf(
  service: ServiceDescription,
  operation: Operation,
  method: string,
  options: DocumentOptions,
): JsonObject {
  const responses: Record<string, Json> = {};
  // JavaScript orders these keys by number.
  for (const status of errorStatuses(service, operation))
    responses[status] = { $ref: `#/components/responses/Error${status}` };
  for (const [status, response] of Object.entries(statedResponses(operation))) {
    const { description, headers } = response;
    const group = headers === undefined ? undefined : service.headers?.[headers];
    const content = contentsOf(response, options);
    responses[status] = {
      description: description ?? (method === 'GET' ? 'The result.' : 'Success.'),
      ...(group && { headers: headerReferences(group) }),
      ...(Object.keys(content).length > 0 && { content }),
    };
  }
  return responses;
}

const headerReferences = (group: Fields): JsonObject =>
  Object.fromEntries(Object.keys(group).map((name) => [name, { $ref: `#/components/headers/${name}` }]));

function componentsOf(service: ServiceDescription, options: DocumentOptions): JsonObject {
  const headers = Object.values(service.headers ?? {}).flatMap((group) =>
    Object.entries(group).map(([name, type]) => [name, parameterSchema(type, options)]),
  );
  const statuses = new Set(routesOf(service).flatMap(({ operation }) => errorStatuses(service, operation)));
  const errors = [...statuses].sort().map((status) => [
    `Error${status}`,
    {
      description: descriptions[status] ?? 'Error.',
      content: contentsOf(status === 404 ? (service.notFound ?? service.error) : service.error, options),
    },
  ]);
  const parameters = parametersOf('header', service.commonHeaders, options).map((each) => [each.name, each]);
  return {
    schemas: Object.fromEntries(options.components),
    ...(parameters.length > 0 && { parameters: Object.fromEntries(parameters) }),
    responses: Object.fromEntries(errors),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    securitySchemes: service.securitySchemes,
  };
}

/** Descriptions of errors by status. */
const descriptions: Readonly<Record<number, string>> = {
  400: 'Invalid request.',
  401: 'Missing or invalid token.',
  402: 'Payment required.',
  403: 'Permission denied, or invalid token.',
  404: 'Not found.',
  405: 'Unsupported operation.',
  409: 'Conflict with the current state.',
  412: 'Precondition failed.',
  413: 'Request body too large.',
  415: 'Unsupported Content-Type.',
  422: 'Invalid fields.',
  429: 'Too many requests.',
  500: 'The request failed, or an internal error occurred.',
  501: 'Not implemented.',
  503: 'Service unavailable.',
};
