import type { OperationDescription, Operations, RequestBody } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { jsonSchemaOf } from '../../core/schema/json-schema.ts';
import type { Fields, Type } from '../../core/schema/types.ts';
import type { PathDescription } from '../engine.ts';
import { describedField } from '../help/openapi.ts';

/** What an operation returns, besides an error. */
export type Result =
  /** The `data` of the response. */
  | { readonly data: s.Schema; readonly isCopied?: boolean; readonly canBeEmpty?: boolean }
  /** A body without the JSON response format. */
  | { readonly bare: s.Schema; readonly type?: string; readonly statuses?: readonly string[] }
  | 'token'
  /** The renewed lease. */
  | 'lease'
  /** Any response. */
  | 'unwrapped'
  /** 204, or 200 with warnings. */
  | 'done'
  /** 202 with a warning. */
  | 'started'
  /** Always an error. */
  | 'rejected';

/** What the operations of a path return. Without an entry: a list of keys, or `done`. */
export interface PathResults {
  readonly read?: Result;
  readonly list?: Result;
  readonly write?: Result;
  readonly patch?: Result;
  readonly delete?: Result;
  /** The body, where it is not an object with the fields of the path. */
  readonly body?: s.Schema;
  /** Statuses of errors, besides those of every operation. */
  readonly errors?: readonly number[];
  /** No field of the body is required. */
  readonly isPartial?: boolean;
  /** Query parameters of a read, where they are not the fields of the path. */
  readonly query?: s.Schemas;
}

interface MountDescription {
  /** `ssh`, `auth/userpass`. */
  readonly path: string;
  readonly tag: string;
  readonly routes: {
    readonly descriptions: readonly PathDescription[];
    isUnauthenticated(operation: 'read' | 'update', path: string): boolean;
  };
  readonly results: Readonly<Record<string, PathResults>>;
}

/** The `keys` of a list. */
export const keys = (more: s.Schemas = {}): Result => ({
  data: s.object({ keys: s.array(s.text()), ...more }),
});

/** The operations of the paths of a mount; their summaries and fields are those of the help. */
export function mountOperations(mount: MountDescription): Operations {
  return Object.fromEntries(mount.routes.descriptions.flatMap((path) => pathOperations(mount, path)));
}

function pathOperations(
  { path: mount, tag, routes, results }: MountDescription,
  { path, summary, operations, query, fields }: PathDescription,
): [string, OperationDescription][] {
  const own = results[path] ?? {};
  const has = (...names: readonly PathDescription['operations'][number][]) =>
    names.some((name) => operations.includes(name));
  const pattern = `v1/${mount}/${path}`;
  const sample = path.replace(/[:*]\w+/g, 'name');
  const common = (operation: 'read' | 'update') => ({
    tag,
    summary: summary.replace(/[.;:].*$/, ''),
    ...(summary.includes(';') || summary.includes(':') ? { description: summary } : {}),
    ...(routes.isUnauthenticated(operation, sample) && { isUnauthenticated: true }),
  });
  const found: [string, OperationDescription][] = [];
  const writes = has('create', 'update');
  if (has('read', 'list', 'scan'))
    found.push([
      `GET ${pattern}`,
      {
        id: idOf(has('read') ? 'read' : 'list', mount, path),
        ...common('read'),
        query: { ...(own.query ?? queryOf(query)), ...listQuery(operations) },
        responses: getResponses(own, has('read'), has('list', 'scan')),
        // Without `list`.
        ...(!has('read') && { errors: [405] }),
      },
    ]);
  if (writes || has('recover'))
    found.push([
      `POST ${pattern}`,
      {
        id: idOf('write', mount, path),
        ...common('update'),
        ...(has('recover') && { headers: recoverHeader }),
        ...(writes && { body: bodyOf(own, fields, 'application/json') }),
        responses: responsesOf(own.write ?? 'done'),
        ...(own.errors && { errors: own.errors }),
      },
    ]);
  if (has('patch'))
    found.push([
      `PATCH ${pattern}`,
      {
        id: idOf('patch', mount, path),
        ...common('update'),
        body: bodyOf(own, fields, 'application/merge-patch+json'),
        responses: responsesOf(own.patch ?? own.write ?? 'done'),
        errors: [415],
      },
    ]);
  if (has('delete'))
    found.push([
      `DELETE ${pattern}`,
      {
        id: idOf('delete', mount, path),
        ...common('update'),
        responses: responsesOf(own.delete ?? 'done'),
      },
    ]);
  return found;
}

/** `readSysMountsByPath`. */
function idOf(verb: string, mount: string, path: string): string {
  const words = `${mount}/${path}`.split('/').map((segment) => {
    const word = segment
      .replace(/^[:*]/, 'by-')
      .replace(/(?:^|[-_])(\w)/g, (_all, letter: string) => letter.toUpperCase());
    return word;
  });
  return `${verb}${words.join('')}`;
}

const recoverHeader = {
  'X-Vault-Recover-Snapshot-Id': s.text('Recover from this snapshot; same as the method RECOVER.'),
};

const listFlags = {
  list: s.boolean('List instead of reading; same as the method LIST.'),
  scan: s.boolean('List all keys below the path; same as the method SCAN.'),
};

function listQuery(operations: PathDescription['operations']): s.Schemas {
  const names = (['list', 'scan'] as const).filter((name) => operations.includes(name));
  const isRequired = names.length === 1 && !operations.includes('read');
  return Object.fromEntries(names.map((name) => [isRequired ? `${name}!` : name, listFlags[name]]));
}

const schemaOf = (type: Type): s.Schema =>
  jsonSchemaOf(describedField(type), 'request', { components: new Map(), acceptsNull: false });

const queryOf = (fields: Fields): s.Schemas =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [field.isRequired ? `${name}!` : name, schemaOf(field)]),
  );

function bodyOf({ body, isPartial = false }: PathResults, fields: Fields, type: string): RequestBody {
  const isOptional = isPartial || type !== 'application/json';
  const named = Object.entries(fields).map(([name, field]): [string, s.Schema] => [
    field.isRequired && !isOptional ? `${name}!` : name,
    schemaOf(field),
  ]);
  const isRequired = !isOptional && Object.values(fields).some(({ isRequired }) => isRequired);
  return {
    schema: body ?? (named.length === 0 ? s.anyObject() : s.input(Object.fromEntries(named))),
    type,
    ...(!isRequired && { isOptional: true }),
  };
}

/** The JSON response format, with this data. */
function envelope(data: s.Schema, more: s.Schemas = {}): s.Schema {
  return s.object({
    request_id: s.text(),
    lease_id: s.text(),
    renewable: s.boolean(),
    lease_duration: s.integer('Seconds.'),
    data,
    wrap_info: s.nullable(s.ref('WrapInfo')),
    warnings: s.nullable(s.array(s.text())),
    auth: s.nullable(s.ref('Auth')),
    mount_type: s.text(),
    ...more,
  });
}

const empty = s.ref('EmptyResponse');
const any = s.ref('AnyResponse');

function dataResponse({
  data,
  isCopied,
}: {
  readonly data: s.Schema;
  readonly isCopied?: boolean;
}): s.Schema {
  const wrapped = s.nullable(data);
  if (!isCopied) return envelope(wrapped);
  // The fields of the data are also next to it.
  const { additionalProperties, properties } = data as {
    readonly additionalProperties?: s.Schema;
    readonly properties?: Readonly<Record<string, s.Schema>>;
  };
  const copies = Object.entries(properties ?? {}).map(([name, schema]) => [`${name}?`, schema]);
  const response = envelope(wrapped, Object.fromEntries(copies));
  return additionalProperties ? { ...response, additionalProperties } : response;
}

function responsesOf(result: Result): OperationDescription['responses'] {
  if (result === 'rejected') return {};
  if (result === 'started') return { 202: { description: 'Started.', schema: empty } };
  if (result === 'token') return { 200: { description: 'The token, in `auth`.', schema: empty } };
  if (result === 'done')
    return {
      200: { description: 'Success, with warnings.', schema: empty },
      204: { description: 'Success.' },
    };
  if (result === 'lease') return { 200: { schema: any } };
  if (result === 'unwrapped') {
    const text = { type: 'text/plain', schema: s.text() };
    return {
      200: {
        description: 'The wrapped response.',
        // Some have the fields of the data also next to it.
        schema: dataResponse({ data: s.map(s.anyValue()), isCopied: true }),
        also: text,
      },
      204: { description: 'The wrapped response has no body.' },
    };
  }
  if ('bare' in result) {
    const response = {
      schema: result.bare,
      // A wrapped response is JSON.
      ...(result.type !== undefined && { type: result.type, also: { schema: empty } }),
    };
    return Object.fromEntries((result.statuses ?? ['200']).map((status) => [status, response]));
  }
  return {
    200: { schema: dataResponse(result) },
    ...(result.canBeEmpty && { 204: { description: 'Success, without a result.' } }),
  };
}

/** A read and a list have the same method. */
function getResponses(
  { read, list = keys() }: PathResults,
  canRead: boolean,
  canList: boolean,
): OperationDescription['responses'] {
  if (!canList) return responsesOf(read ?? 'rejected');
  if (!canRead) return responsesOf(list);
  const schemas = [read ?? list, list].flatMap((result) =>
    typeof result === 'object' && 'data' in result ? [result] : [],
  );
  const distinct = schemas[0] === schemas[1] ? schemas.slice(1) : schemas;
  const data = distinct.length === 1 ? distinct[0]?.data : { anyOf: distinct.map((each) => each.data) };
  return responsesOf({ data: data ?? s.anyObject(), isCopied: distinct.some(({ isCopied }) => isCopied) });
}
