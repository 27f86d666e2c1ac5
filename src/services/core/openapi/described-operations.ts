import type { Router } from '../http/router.ts';
import type { HandlerOf, OperationSpec, ResponseSpec } from '../operation.ts';
import { type DocumentOptions, jsonSchemaOf } from '../schema/json-schema.ts';
import type { Fields, JsonSchema, Type } from '../schema/types.ts';
import type { OperationDescription, Operations, ResponseDescription } from './description.ts';

/**
 * The documentation of operations, and the schemas of the objects that they name.
 * @param acceptsNull whether null counts as missing in requests
 */
export function describedOperations(
  { routes, handlers }: Pick<Router<HandlerOf<never>>, 'routes' | 'handlers'>,
  acceptsNull: boolean,
): { readonly operations: Operations; readonly schemas: Readonly<Record<string, JsonSchema>> } {
  const components = new Map<string, JsonSchema>();
  const options = { components, acceptsNull };
  const operations = Object.fromEntries(
    routes.flatMap((route, index) => {
      const handler = handlers[index];
      return !handler || typeof handler === 'function' ? [] : [[route, descriptionOf(handler, options)]];
    }),
  );
  return { operations, schemas: Object.fromEntries(components) };
}

/** The documentation of an operation. */
export function descriptionOf(
  operation: OperationSpec<Fields, Type>,
  options: DocumentOptions,
): OperationDescription {
  const { id, tag, summary, description, isUnauthenticated, requiresToken, errors } = operation;
  const { query, sharedQuery, headers, body, content, isBodyOptional, returns, responseHeaders } = operation;
  const responses = operation.responses ?? {
    200: {
      ...(returns && { body: returns }),
      ...(responseHeaders !== undefined && { headers: responseHeaders }),
    },
  };
  const schema = body ? jsonSchemaOf({ ...body, isRequired: true }, 'request', options) : content?.schema;
  return {
    id,
    tag,
    summary,
    ...(description !== undefined && { description }),
    ...(isUnauthenticated && { isUnauthenticated }),
    ...(requiresToken && { requiresToken }),
    ...((query ?? sharedQuery) && { query: parameters({ ...query, ...sharedQuery }, options) }),
    ...(headers && { headers: parameters(headers, options) }),
    ...(schema && {
      body: { schema, ...(content && { type: content.type }), ...(isBodyOptional && { isOptional: true }) },
    }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, responseOf(response, options)]),
    ),
    ...(errors && { errors }),
  };
}

function responseOf(
  { description, body, content, headers }: ResponseSpec,
  options: DocumentOptions,
): ResponseDescription {
  const json = body && jsonSchemaOf(body, 'response', options);
  return {
    ...(description !== undefined && { description }),
    ...(headers !== undefined && { headers }),
    ...(json ? { schema: json, ...(content && { also: content }) } : content),
  };
}

/** Parameters or headers as a document has them; the name of a required one ends in `!`. */
const parameters = (fields: Fields, options: DocumentOptions): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, type]) => [
      type.isRequired ? `${name}!` : name,
      jsonSchemaOf(type, 'request', { ...options, acceptsNull: false }),
    ]),
  );

/** Parameters or headers of a service, as its description has them. */
export const parameterSchemas = (fields: Fields): Readonly<Record<string, JsonSchema>> =>
  parameters(fields, { components: new Map(), acceptsNull: false });
