import type { RegistryClient } from '../../../../api/registry.ts';
import { formatJson, type Json } from '../../../../wire/json.ts';
import type { JsonObject } from '../operation-rules.ts';
import type { Operation } from '../transaction.ts';
import { checkOf, type Guarded } from './guards.ts';
import type { Row, State } from './state.ts';
import { fieldsOf, type Subject, subjectKey, subjectOf } from './subject.ts';

/** The results of a transaction. */
type Results = NonNullable<Awaited<ReturnType<RegistryClient['applyTransaction']>>['body']['Results']>;

/** An object after the transaction: its index, and the session that holds the lock of a key; undefined: it does not exist. */
type After = { readonly index: Json; readonly session?: string } | undefined;

/** What a transaction left, by the keys of the subjects that it writes. */
export type Left = ReadonlyMap<string, After>;

/**
 * What an applied transaction left, by its results.
 *
 * @returns undefined: results are missing that the token may not read.
 */
export function leftByResults({ operations, written }: Guarded, results: Results): Left | undefined {
  const found = new Map<string, NonNullable<After>>();
  for (const { KV } of results)
    if (KV?.Key !== undefined)
      found.set(subjectKey({ kind: 'KV', node: '', id: KV.Key }), {
        index: KV.ModifyIndex ?? 0,
        ...(KV.Session && { session: KV.Session }),
      });
  for (const kind of ['Node', 'Service', 'Check'] as const) {
    const returned = results.flatMap((result) => (result[kind] ? [result[kind]] : []));
    const returning = operations.filter(
      (operation) => operation.kind === kind && !operation.verb.startsWith('delete'),
    );
    if (returned.length !== returning.length) return undefined;
    for (const [at, { subject }] of returning.entries())
      found.set(catalogKeyOf(kind, subject), { index: returned[at]?.ModifyIndex ?? 0 });
  }
  const left = new Map<string, After>();
  for (const [key, { subject, exists }] of written) {
    const after = found.get(subject.kind === 'KV' ? key : catalogKeyOf(subject.kind, placeOf(subject)));
    if (exists && !after) return undefined;
    left.set(key, exists ? after : undefined);
  }
  return left;
}

/** As the subjects of operations: `NODE/ID`. */
const placeOf = ({ node, id }: Subject): string => (id === '' ? node : `${node}/${id}`);
const catalogKeyOf = (kind: string, place: string): string => `${kind} ${place.toLowerCase()}`;

/**
 * What a transaction left, read after its response was lost.
 *
 * @returns undefined: it may not have been applied, or others have changed something since then.
 */
export function leftByState({ operations, written }: Guarded, before: State, after: State): Left | undefined {
  const left = new Map<string, After>();
  const last = new Map(
    operations.filter(({ writes }) => writes).map((each) => [subjectKey(subjectOf(each)), each]),
  );
  const indexes = new Set<string>();
  for (const [key, { exists }] of written) {
    const row = after.get(key);
    if ((row !== undefined) !== exists) return undefined;
    if (row && !hasWritten(row, last.get(key))) return undefined;
    const isChanged = row && String(row.index) !== String(before.get(key)?.index);
    if (isChanged) indexes.add(String(row.index));
    const session = row?.fields.Session;
    left.set(key, row && { index: row.index, ...(typeof session === 'string' && { session }) });
  }
  const isDeleted = [...written.keys()].some((key) => before.has(key) && !after.has(key));
  // All writes of a transaction have the same index.
  return indexes.size === 1 || (indexes.size === 0 && isDeleted) ? left : undefined;
}

/** Whether an object has the fields that an operation wrote. */
function hasWritten({ subject: { kind }, fields }: Row, operation: Operation | undefined): boolean {
  if (!operation) return false;
  const given = fieldsOf(operation);
  const content = kind === 'KV' ? { Value: given.Value ?? '' } : ((given[kind] ?? {}) as JsonObject);
  return Object.entries(content).every(
    ([name, value]) => name === 'ModifyIndex' || formatJson(fields[name] ?? null) === formatJson(value),
  );
}

/** What a transaction leaves that changes nothing: for the undo before it is applied. */
export const leftUnchanged = ({ written }: Guarded, before: State): Left =>
  new Map(
    [...written.keys()].map((key) => {
      const row = before.get(key);
      const session = row?.fields.Session;
      return [key, row && { index: row.index, ...(typeof session === 'string' && { session }) }];
    }),
  );

/**
 * The operations that restore the state before, in an order in which no object goes with another one. Each fails if its
 * object has changed since then.
 */
export function undoOperations({ written }: Guarded, before: State, left: Left, isApplied = true): Json[] {
  const phases: { readonly [phase in 'checks' | 'services' | 'other' | 'restored']: Json[] } = {
    checks: [],
    services: [],
    other: [],
    restored: [],
  };
  const restoredChecks: Json[] = [];
  for (const [key, { subject }] of written) {
    const row = before.get(key);
    const after = left.get(key);
    const isSame = row && after && String(row.index) === String(after.index);
    if ((!row && !after && isApplied) || (isSame && isApplied)) continue;
    if (subject.kind === 'KV') phases.other.push(...undoKey(subject.id, row, after));
    else if (row) {
      const target = subject.kind === 'Check' ? restoredChecks : phases.restored;
      target.push(undoCatalog(row, after));
    } else if (after)
      (subject.kind === 'Check' ? phases.checks : phases.services).push(deletion(subject, after.index));
  }
  return [...phases.checks, ...phases.services, ...phases.other, ...phases.restored, ...restoredChecks];
}

function undoKey(Key: string, row: Row | undefined, after: After): Json[] {
  const of = (KV: JsonObject): Json => ({ KV: { ...KV, Key } });
  if (!row) return [of({ Verb: 'delete-cas', Index: after?.index ?? 0 })];
  const { Session, ...content } = row.fields;
  if (Session === after?.session) return [of({ ...content, Verb: 'cas', Index: after?.index ?? 0 })];
  return [
    of(checkOf(Key, after)),
    ...(after?.session === undefined ? [] : [of({ ...content, Verb: 'unlock', Session: after.session })]),
    ...(Session === undefined ? [] : [of({ ...content, Verb: 'lock', Session })]),
  ];
}

function undoCatalog({ subject, fields }: Row, after: After): Json {
  const { kind, node } = subject;
  const object = { ...fields, ModifyIndex: after?.index ?? 0 };
  return { [kind]: { Verb: 'cas', ...(kind === 'Service' && { Node: node }), [kind]: object } };
}

function deletion({ kind, node, id, name = id }: Subject, ModifyIndex: Json): Json {
  return kind === 'Service'
    ? { Service: { Verb: 'delete-cas', Node: node, Service: { ID: id, Service: name, ModifyIndex } } }
    : { Check: { Verb: 'delete-cas', Check: { Node: node, CheckID: id, ModifyIndex } } };
}
