import type { Fields, Type } from '../../core/schema/types.ts';
import type { PathDescription } from '../engine.ts';
import { describedField, methodsOf } from '../openapi/methods.ts';

const defaultResponses = {
  '200': { description: 'The response.' },
  '204': { description: 'Success, without a body.' },
};

/** An OpenAPI 3.0.2 document of paths relative to `base`, which is below `/v1/`. */
export function openApi(base: string, paths: readonly PathDescription[], version: string): object {
  // If a literal segment and a parameter lead to the same relative path, the first description is used.
  const items = new Map<string, PathDescription>();
  for (const each of paths) {
    const template = each.path.replace(/[:*](\w+)/g, '{$1}');
    if (!items.has(templateShape(template))) items.set(templateShape(template), { ...each, path: template });
  }
  return {
    openapi: '3.0.2',
    info: { title: 'Secrets service', description: `Paths at and below /v1/${base}.`, version },
    paths: Object.fromEntries([...items.values()].map((each) => [each.path, pathItem(each)])),
    components: { schemas: {} },
  };
}

/** Templates that differ only in parameter names are the same path. */
const templateShape = (template: string): string => template.replace(/\{\w+\}/g, '{}');

function pathItem(description: PathDescription): object {
  const { path, summary, fields } = description;
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const bodies: Readonly<Record<string, object | false>> = {
    POST: Object.keys(fields).length > 0 && body(fields, 'application/json'),
    PATCH: body(fields, 'application/merge-patch+json'),
  };
  const operations = methodsOf(description, 'X-Secrets').map(({ method, query, headers }) => {
    const requestBody = bodies[method];
    const operation = {
      summary,
      ...(query && { parameters: Object.entries(query).map(queryParameter) }),
      ...(headers && { parameters: Object.entries(headers).map(headerParameter) }),
      ...(requestBody && { requestBody }),
      responses: method === 'DELETE' ? { '204': defaultResponses['204'] } : defaultResponses,
    };
    return [method.toLowerCase(), operation] as const;
  });
  return {
    description: summary,
    ...(parameters.length > 0 && { parameters }),
    ...Object.fromEntries(operations),
  };
}

const queryParameter = ([name, type]: [string, Type]) => ({
  name,
  in: 'query',
  description: type.description,
  ...(type.isRequired && { required: true }),
  schema: { type: ['array', 'object'].includes(typeOf(type)) ? 'string' : typeOf(type) },
});

const headerParameter = ([name, type]: [string, Type]) => ({
  name,
  in: 'header',
  description: type.description,
  required: false,
  schema: { type: typeOf(type) },
});

/** The name of a type in OpenAPI 3.0, which has one for each schema. */
function typeOf({ kind }: Type): string {
  if (kind === 'list') return 'array';
  if (kind === 'map') return 'object';
  return kind === 'integer' || kind === 'boolean' || kind === 'object' ? kind : 'string';
}

function body(fields: Fields, contentType: string): object {
  const required = Object.entries(fields).flatMap(([name, field]) => (field.isRequired ? [name] : []));
  const properties = Object.entries(fields).map(([name, type]) => [
    name,
    {
      type: typeOf(type),
      description: describedField(type).description,
      ...(type.kind === 'list' && { items: { type: 'string' } }),
    },
  ]);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
  return { required: required.length > 0, content: { [contentType]: { schema } } };
}
