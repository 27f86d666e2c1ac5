import type { Operations } from '../../core/openapi/description.ts';
import type { OperationSpec } from '../../core/operation.ts';
import * as s from '../../core/schema/types.ts';
import type { PathDescription } from '../engine.ts';
import { describedField } from '../help/openapi.ts';
import { type Returns, returns } from '../returns.ts';

interface MountDescription {
  /** `ssh`, `auth/userpass`. */
  readonly path: string;
  readonly tag: string;
  readonly routes: {
    readonly descriptions: readonly PathDescription[];
    isUnauthenticated(operation: 'read' | 'update', path: string): boolean;
  };
}

/** The operations of the paths of a mount, from the same descriptions as the help. */
export const mountOperations = (mount: MountDescription): Operations =>
  Object.fromEntries(
    mount.routes.descriptions.flatMap((path) =>
      pathOperations(mount, path).map(({ route, ...operation }) => [route, operation]),
    ),
  );

type RoutedSpec = OperationSpec<s.Fields, s.Type> & { readonly route: string };

function pathOperations(mount: MountDescription, description: PathDescription): RoutedSpec[] {
  const { path, operations, query, fields, errors } = description;
  const { read, list, write, patch, delete: deletion } = description.returns;
  const has = (...names: readonly PathDescription['operations'][number][]) =>
    names.some((name) => operations.includes(name));
  const operation = (method: string, verb: string, { responses }: Returns) => ({
    route: `${method} v1/${mount.path}/${path}`,
    id: idOf(verb, mount.path, path),
    ...commonOf(mount, description, method === 'GET' ? 'read' : 'update'),
    responses,
  });
  const body = s.object(mapFields(fields, describedField));
  const json = { body: description.hasAnyFields ? s.open(body) : body, isBodyOptional: !hasRequired(fields) };
  const writes = has('create', 'update');
  return [
    ...(has('read', 'list', 'scan')
      ? [
          {
            ...operation('GET', has('read') ? 'read' : 'list', getReturns(description, read, list)),
            query: { ...mapFields(query, describedField), ...listQuery(operations) },
            // Without `list`.
            ...(!has('read') && { errors: [405] }),
          },
        ]
      : []),
    ...(writes || has('recover')
      ? [
          {
            ...operation('POST', 'write', write),
            ...(has('recover') && { headers: recoverHeader }),
            ...(writes && json),
            ...(errors.length > 0 && { errors }),
          },
        ]
      : []),
    ...(has('patch')
      ? [
          {
            ...operation('PATCH', 'patch', patch),
            body: s.object(mapFields(fields, ({ isRequired: _, ...type }) => describedField(type))),
            content: { type: 'application/merge-patch+json', schema: {} },
            isBodyOptional: true,
            errors: [415],
          },
        ]
      : []),
    ...(has('delete') ? [operation('DELETE', 'delete', deletion)] : []),
  ];
}

function commonOf(
  { tag, routes }: MountDescription,
  { path, summary }: PathDescription,
  operation: 'read' | 'update',
) {
  const sample = path.replace(/[:*]\w+/g, 'name');
  return {
    tag,
    summary: summary.replace(/[.;:].*$/, ''),
    ...((summary.includes(';') || summary.includes(':')) && { description: summary }),
    ...(routes.isUnauthenticated(operation, sample) && { isUnauthenticated: true }),
  };
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
  'X-Vault-Recover-Snapshot-Id': s.string('Recover from this snapshot; same as the method RECOVER.'),
};

const listFlags = {
  list: s.boolean('List instead of reading; same as the method LIST.'),
  scan: s.boolean('List all keys below the path; same as the method SCAN.'),
};

function listQuery(operations: PathDescription['operations']): s.Fields {
  const names = (['list', 'scan'] as const).filter((name) => operations.includes(name));
  const isRequired = names.length === 1 && !operations.includes('read');
  return Object.fromEntries(
    names.map((name) => [name, isRequired ? s.required(listFlags[name]) : listFlags[name]]),
  );
}

const mapFields = (fields: s.Fields, map: (type: s.Type) => s.Type): s.Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, map(type)]));

const hasRequired = (fields: s.Fields): boolean => Object.values(fields).some(({ isRequired }) => isRequired);

/** A read and a list have the same method. */
function getReturns({ operations }: PathDescription, read: Returns, list: Returns): Returns {
  const lists = operations.includes('list') || operations.includes('scan');
  if (!lists || read === list) return read;
  if (!operations.includes('read')) return list;
  return read.data && list.data ? returns(s.either(read.data, list.data)) : read;
}
