import { usage } from '../../../../errors.ts';
import type { JsonObject } from '../operation-rules.ts';
import type { Operation } from '../transaction.ts';
import type { Row, State } from './state.ts';
import { fieldsOf, type Subject, subjectKey, subjectOf } from './subject.ts';

/** A transaction that is applied only if what it writes did not change since it was read. */
export interface Guarded {
  readonly operations: readonly Operation[];
  /** Number of results of operations at the start that were added. */
  readonly addedResults: number;
  /** What it writes, in order, and whether it exists afterwards. */
  readonly written: ReadonlyMap<string, { readonly subject: Subject; readonly exists: boolean }>;
}

/**
 * Adds a check-and-set to the first write of each object, with the index that was read. `delete-tree` becomes a deletion
 * of each key that was read: keys that were created since then remain.
 *
 * @throws LanyardError usage: an operation that cannot be undone.
 */
export function guard(operations: readonly Operation[], before: State): Guarded {
  const written = new Map<string, { subject: Subject; exists: boolean }>();
  const added: Operation[] = [];
  const mark = (subject: Subject, exists: boolean) => written.set(subjectKey(subject), { subject, exists });

  function guardTree(operation: Operation): Operation[] {
    const prefix = String(fieldsOf(operation).Key ?? '');
    const known = [...before.values(), ...written.values()].map(({ subject }) => subject);
    const keys = known.filter(({ kind, id }) => kind === 'KV' && id.startsWith(prefix)).map(({ id }) => id);
    return [...new Set(keys)].flatMap((Key) => {
      const subject: Subject = { kind: 'KV', node: '', id: Key };
      const row = before.get(subjectKey(subject));
      const earlier = written.get(subjectKey(subject));
      mark(subject, false);
      if (earlier) return earlier.exists ? [withKv(operation, { Verb: 'delete', Key })] : [];
      return row ? [withKv(operation, { Verb: 'delete-cas', Key, Index: row.index })] : [];
    });
  }

  function guardOne(operation: Operation): Operation {
    const subject = subjectOf(operation);
    const row = before.get(subjectKey(subject));
    rejectNode(operation, row);
    const isFirst = !written.has(subjectKey(subject));
    const deletes = operation.verb.startsWith('delete');
    mark(subject, !deletes);
    if (deletes && subject.kind === 'Service')
      for (const each of before.values())
        if (each.subject.node === row?.subject.node && each.serviceId === row.subject.id)
          mark(each.subject, false);
    if (!isFirst) return operation;
    if (subject.kind === 'KV' && ['lock', 'unlock'].includes(operation.verb))
      added.push(withKv(operation, checkOf(subject.id, row)));
    return guarded(operation, row);
  }

  const rest = operations.flatMap((operation) => {
    if (!operation.writes) return [operation];
    return operation.verb === 'delete-tree' ? guardTree(operation) : [guardOne(operation)];
  });
  return {
    operations: [...added, ...rest],
    addedResults: added.filter(({ verb }) => verb === 'check-index').length,
    written,
  };
}

/** Fails if the key has changed since it was read. */
export const checkOf = (Key: string, row: Pick<Row, 'index'> | undefined): JsonObject =>
  row ? { Verb: 'check-index', Key, Index: row.index } : { Verb: 'check-not-exists', Key };

const withKv = (operation: Operation, KV: JsonObject): Operation => ({
  ...operation,
  kind: 'KV',
  verb: String(KV.Verb),
  body: { KV },
});

/** Services, checks and sessions of others go with a node. */
function rejectNode({ kind, verb, place }: Operation, row: Row | undefined): void {
  if (kind !== 'Node' || (row && !verb.startsWith('delete'))) return;
  throw usage(`--undo cannot undo ${row ? 'deleting' : 'creating'} a node; ${place}`, {
    hint: 'Omit --undo. Services, checks and sessions of others would be deleted with the node.',
  });
}

function guarded(operation: Operation, row: Row | undefined): Operation {
  const { kind, verb } = operation;
  if (verb !== 'set' && verb !== 'delete') return operation;
  const fields = fieldsOf(operation);
  if (kind === 'KV') {
    const Key = String(fields.Key ?? '');
    if (verb === 'delete')
      return withKv(operation, row ? { Verb: 'delete-cas', Key, Index: row.index } : checkOf(Key, row));
    return withKv(operation, { ...fields, Verb: 'cas', Index: row?.index ?? 0 });
  }
  // The deletion of an object that does not exist has no check-and-set.
  if (verb === 'delete' && !row) return operation;
  const Verb = verb === 'set' ? 'cas' : 'delete-cas';
  const object = { ...(fields[kind] as JsonObject), ModifyIndex: row?.index ?? 0 };
  return { ...operation, verb: Verb, body: { [kind]: { ...fields, Verb, [kind]: object } } };
}
