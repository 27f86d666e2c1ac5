import { usage } from '../../../../errors.ts';
import type { JsonObject, Kind } from '../operation-rules.ts';
import type { Operation } from '../transaction.ts';

/** The object that an operation writes. */
export interface Subject {
  readonly kind: Kind;
  /** The name of its node; empty for a key. */
  readonly node: string;
  /** The key, the ID of the service or of the check; empty for a node. */
  readonly id: string;
  /** The name of a service that an operation writes: whether it may be deleted depends on it. */
  readonly name?: string;
}

/** Identifies a subject. The registry compares the names of its catalog without case. */
export const subjectKey = ({ kind, node, id }: Subject): string =>
  kind === 'KV' ? `KV/${id}` : `${kind}/${[node, id].map((name) => JSON.stringify(name.toLowerCase()))}`;

/** The fields of an operation: `{"Verb":"set","Key":"a",...}`. */
export const fieldsOf = ({ kind, body }: Pick<Operation, 'kind' | 'body'>): JsonObject =>
  (body as { readonly [kind: string]: JsonObject })[kind] ?? {};

/**
 * The object that an operation other than `delete-tree` writes.
 *
 * @throws LanyardError usage: a node without its name, which is needed to read it.
 */
export function subjectOf(operation: Operation): Subject {
  const { kind } = operation;
  const fields = fieldsOf(operation);
  if (kind === 'KV') return { kind, node: '', id: textIn(fields, 'Key') };
  const object = (fields[kind] ?? {}) as JsonObject;
  if (kind === 'Service')
    return {
      kind,
      node: textIn(fields, 'Node'),
      id: textIn(object, 'ID') || textIn(object, 'Service'),
      name: textIn(object, 'Service'),
    };
  const node = textIn(object, 'Node');
  if (node === '') throw usage(`--undo requires the name of the node; ${operation.place} has only its ID`);
  return { kind, node, id: kind === 'Check' ? textIn(object, 'CheckID') : '' };
}

const textIn = (fields: JsonObject, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
};
