import type { Json } from '../../../wire/json.ts';
import type { OpenApi } from '../../../wire/responses/secrets.ts';
import type { Content, OperationDescription, ServiceDescription } from './description.ts';

/** A document of OpenAPI 3.1. */
export interface OpenApiDocument extends Required<OpenApi> {
  servers: object[];
  security: object[];
  tags: object[];
}

type JsonObject = { readonly [name: string]: Json };

/** One method of a route. */
export interface Route {
  /** Upper case. */
  readonly method: string;
  /** A pattern of `Router`: `v1/var/:path`. */
  readonly pattern: string;
  /** Unique in the service. */
  readonly id: string;
  readonly operation: OperationDescription;
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
  for (const route of routesOf(service)) {
    const template = templateOf(service, route.pattern);
    paths[template] = { ...paths[template], [route.method.toLowerCase()]: operationOf(service, route) };
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
    components: componentsOf(service),
  };
}

/** Any of the ways to send a token. */
const tokenRequirements = ({ securitySchemes }: ServiceDescription): JsonObject[] =>
  Object.keys(securitySchemes).map((name) => ({ [name]: [] }));

function operationOf(service: ServiceDescription, { method, pattern, id, operation }: Route): JsonObject {
  const { tag, summary, description, isUnauthenticated, requiresToken } = operation;
  const { query = {}, headers = {}, body } = operation;
  const names = [...pattern.matchAll(/[:*](\w+)/g)].map(([, name = '']) => name);
  const inPath = Object.fromEntries(names.map((name) => [`${name}!`, pathParameter(service, name)]));
  const parameters = [
    ...parametersOf('path', inPath),
    ...parametersOf('query', query),
    ...parametersOf('header', headers),
    ...Object.keys(service.commonHeaders ?? {}).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(isUnauthenticated && { security: [] }),
    ...(requiresToken && { security: tokenRequirements(service) }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: !body.isOptional, content: contentOf(body) } }),
    responses: responsesOf(service, operation, method),
  };
}

function pathParameter({ parameters, name: service }: ServiceDescription, name: string): JsonObject {
  const schema = parameters[name];
  if (!schema) throw new Error(`${service}: the path parameter ${name} has no description`);
  return schema;
}

function parametersOf(
  location: 'path' | 'query' | 'header',
  schemas: ServiceDescription['schemas'],
): JsonObject[] {
  return Object.entries(schemas).map(([name, { description, allowEmptyValue, ...schema }]) => ({
    name: name.replace(/!$/, ''),
    in: location,
    ...(description !== undefined && { description }),
    ...(name.endsWith('!') && { required: true }),
    ...(allowEmptyValue !== undefined && { allowEmptyValue }),
    schema,
  }));
}

const contentOf = ({ type = 'application/json', schema }: Content): JsonObject => ({ [type]: { schema } });

/** Statuses of an operation with the error body of the service. */
function errorStatuses(
  { commonErrors }: Pick<ServiceDescription, 'commonErrors'>,
  { isUnauthenticated, body, errors = [] }: OperationDescription,
): readonly number[] {
  return [
    ...errors,
    ...(isUnauthenticated ? [] : commonErrors.authenticated),
    ...(body ? commonErrors.withBody : []),
    ...commonErrors.all,
  ];
}

function responsesOf(
  service: ServiceDescription,
  operation: OperationDescription,
  method: string,
): JsonObject {
  const responses: Record<string, Json> = {};
  // JavaScript orders these keys by number.
  for (const status of errorStatuses(service, operation))
    responses[status] = { $ref: `#/components/responses/Error${status}` };
  for (const [status, { description, schema, type, also, headers }] of Object.entries(operation.responses)) {
    const group = headers === undefined ? undefined : service.headers?.[headers];
    responses[status] = {
      description: description ?? (method === 'GET' ? 'The result.' : 'Success.'),
      ...(group && { headers: headerReferences(group) }),
      ...(schema && {
        content: { ...contentOf({ schema, ...(type && { type }) }), ...(also && contentOf(also)) },
      }),
    };
  }
  return responses;
}

const headerReferences = (group: ServiceDescription['schemas']): JsonObject =>
  Object.fromEntries(Object.keys(group).map((name) => [name, { $ref: `#/components/headers/${name}` }]));

function componentsOf(service: ServiceDescription): JsonObject {
  const groups = Object.values(service.headers ?? {});
  const headers = groups.flatMap((group) =>
    Object.entries(group).map(([name, { description, ...schema }]) => [
      name,
      { ...(description !== undefined && { description }), schema },
    ]),
  );
  const statuses = new Set(routesOf(service).flatMap(({ operation }) => errorStatuses(service, operation)));
  const errors = [...statuses].sort().map((status) => [
    `Error${status}`,
    {
      description: descriptions[status] ?? 'Error.',
      content: contentOf(status === 404 ? (service.notFound ?? service.error) : service.error),
    },
  ]);
  const parameters = parametersOf('header', service.commonHeaders ?? {}).map((each) => [each.name, each]);
  return {
    schemas: service.schemas,
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
