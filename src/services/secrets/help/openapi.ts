import type { Fields, Type } from '../../core/schema/types.ts';
import type { PathDescription } from '../engine.ts';

type Operation = PathDescription['operations'][number];

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

function pathItem({ path, summary, operations, query, fields }: PathDescription): object {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const hasOperation = (...candidates: readonly Operation[]) =>
    candidates.some((each) => operations.includes(each));
  const writes = hasOperation('create', 'update');
  return {
    description: summary,
    ...(parameters.length > 0 && { parameters }),
    ...(hasOperation('read', 'list', 'scan') && {
      get: {
        summary,
        parameters: getParameters(operations, query),
        responses: defaultResponses,
      },
    }),
    ...((writes || hasOperation('recover')) && {
      post: {
        summary,
        ...(hasOperation('recover') && { parameters: [recoverHeader(!writes)] }),
        ...(writes && Object.keys(fields).length > 0 && { requestBody: body(fields, 'application/json') }),
        responses: defaultResponses,
      },
    }),
    ...(hasOperation('patch') && {
      patch: {
        summary,
        requestBody: body(fields, 'application/merge-patch+json'),
        responses: defaultResponses,
      },
    }),
    ...(hasOperation('delete') && { delete: { summary, responses: { '204': defaultResponses['204'] } } }),
  };
}

function getParameters(operations: readonly Operation[], query: Fields): object[] {
  const fieldParameters = Object.entries(query).map(([name, type]) => ({
    name,
    in: 'query',
    description: type.description,
    ...(type.isRequired && { required: true }),
    schema: { type: ['array', 'object'].includes(typeOf(type)) ? 'string' : typeOf(type) },
  }));
  const listed = operations.filter((each) => each === 'list' || each === 'scan');
  const lists = listed.map((name) => ({
    name,
    in: 'query',
    description: listDescriptions[name],
    ...(!operations.includes('read') && listed.length === 1 && { required: true }),
    schema: { type: 'boolean' },
  }));
  return [...fieldParameters, ...lists];
}

const listDescriptions = {
  list: 'List instead of reading; same as the method LIST.',
  scan: 'List all keys below the path; same as the method SCAN.',
} as const;

function recoverHeader(required: boolean): object {
  return {
    name: 'X-Secrets-Recover-Snapshot-Id',
    in: 'header',
    description: 'Recover from this snapshot; same as the method RECOVER.',
    required,
    schema: { type: 'string' },
  };
}

/** The name of a type in OpenAPI 3.0, which has one for each schema. */
function typeOf({ kind }: Type): string {
  if (kind === 'list') return 'array';
  if (kind === 'map') return 'object';
  return kind === 'integer' || kind === 'boolean' || kind === 'object' ? kind : 'string';
}

const notes: Readonly<Partial<Record<Type['kind'], string>>> = {
  duration: ' Seconds, or a duration such as `1h30m`.',
  list: ' An array, or one comma-separated string.',
};

/** The field of a request, with what its text may be. */
export const describedField = <T extends Type>(type: T): T => ({
  ...type,
  description: `${type.description ?? ''}${notes[type.kind] ?? ''}`,
});

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
