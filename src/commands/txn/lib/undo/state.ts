import type { RegistryClient } from '../../../../api/registry.ts';
import { LanyardError } from '../../../../errors.ts';
import { formatJson, type Json } from '../../../../wire/json.ts';
import type { JsonObject } from '../operation-rules.ts';
import type { Operation } from '../transaction.ts';
import { fieldsOf, type Subject, subjectKey, subjectOf } from './subject.ts';

/** A stored object. */
export interface Row {
  readonly subject: Subject;
  /** The fields that operations send: of a key `Value` (base64), `Flags` and `Session`. */
  readonly fields: JsonObject;
  /** Its modify index. */
  readonly index: Json;
  /** The ID of the service that a check is of. */
  readonly serviceId?: string;
}

/** Existing objects, by the keys of their subjects. */
export type State = ReadonlyMap<string, Row>;

/** Operations of a transaction that reads: the least maximum of the products. */
const maxReads = 64;

/**
 * Reads what operations write: keys and those with a deleted prefix, nodes with their services and checks.
 *
 * @throws LanyardError forbidden: the token cannot read some of it.
 */
export async function readState(
  registry: RegistryClient,
  operations: readonly Operation[],
  dc: { readonly dc?: string },
): Promise<State> {
  const rows = new Map<string, Row>();
  const writes = operations.filter((operation) => operation.writes);
  const reads = new Map<string, JsonObject>();
  const nodes = new Set<string>();
  for (const operation of writes) {
    const { Key = '' } = fieldsOf(operation);
    if (operation.verb === 'delete-tree') reads.set(`tree/${Key}`, { Verb: 'get-tree', Key });
    else if (operation.kind === 'KV') reads.set(`key/${Key}`, { Verb: 'get-or-empty', Key });
    else nodes.add(subjectOf(operation).node);
  }
  const all = [...reads.values()];
  for (let from = 0; from < all.length; from += maxReads)
    await readKeys(registry, all.slice(from, from + maxReads), dc, rows);
  for (const node of nodes) await readNode(registry, node, dc, rows);
  return rows;
}

async function readKeys(
  registry: RegistryClient,
  operations: readonly JsonObject[],
  dc: { readonly dc?: string },
  rows: Map<string, Row>,
): Promise<void> {
  const content = formatJson(operations.map((KV) => ({ KV })));
  const { body } = await registry.readTransaction({ content, consistent: '', ...dc });
  const entries = (body.Results ?? []).flatMap(({ KV }) => (KV ? [KV] : []));
  const found = new Set(entries.map(({ Key }) => Key));
  const isHidden = operations.some(({ Verb, Key }) => Verb === 'get-or-empty' && !found.has(String(Key)));
  if (isHidden || body.ResultsFilteredByACLs === true)
    throw new LanyardError(
      'forbidden',
      'cannot read the keys that the transaction writes: permission denied',
      {
        service: 'registry',
        hint: '--undo requires read permission for all of them. Nothing was applied.',
      },
    );
  for (const { Key = '', Value, Flags, Session, ModifyIndex = 0 } of entries) {
    // What does not exist has an empty entry.
    if (Number(ModifyIndex) === 0) continue;
    const subject: Subject = { kind: 'KV', node: '', id: Key };
    const fields = { Key, Value: Value ?? '', Flags: Flags ?? 0, ...(Session && { Session }) };
    rows.set(subjectKey(subject), { subject, fields, index: ModifyIndex });
  }
}

async function readNode(
  registry: RegistryClient,
  name: string,
  dc: { readonly dc?: string },
  rows: Map<string, Row>,
): Promise<void> {
  const parameters = { name, consistent: '' as const, ...dc };
  const { body } = await registry.readNode(parameters);
  if (!body) return;
  const { body: checks } = await registry.readNodeChecks(parameters);
  const add = (subject: Subject, object: object, serviceId?: string) => {
    const { CreateIndex: _create, ModifyIndex = 0, ...fields } = object as { readonly [name: string]: Json };
    rows.set(subjectKey(subject), {
      subject,
      fields,
      index: ModifyIndex,
      ...(serviceId && { serviceId }),
    });
  };
  const node = body.Node.Node;
  add({ kind: 'Node', node, id: '' }, body.Node);
  for (const service of Object.values(body.Services ?? {}))
    add({ kind: 'Service', node, id: service.ID }, service);
  for (const check of checks) add({ kind: 'Check', node, id: check.CheckID }, check, check.ServiceID);
}
