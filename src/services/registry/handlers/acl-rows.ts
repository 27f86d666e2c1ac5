import { HttpError } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import type { Indexes, StateTable } from '../../core/state/state-table.ts';
import { uuidPattern } from '../../core/uuid.ts';
import { checkUuid } from '../acl/names.ts';
import { writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { foldName } from '../fold-name.ts';
import { byName, type Link } from '../model/acl.ts';
import type { Transaction, View } from '../model/tables.ts';

/** What deleting returns. */
export const isTrue = s.boolean(undefined, { const: true });

/** @param label e.g. `role`. @throws HttpError 404 */
export function rejectMissing(label: string): never {
  throw new HttpError(404, `Requested ${label} does not exist: ACL not found`);
}

/** @param id the ID in the body; empty: none. @throws HttpError 400: the path has another one */
export function checkSameId({ params }: Call, id: string, title: string): void {
  if (id !== '' && id !== params.id) throw new HttpError(400, `${title} ID in URL and payload do not match`);
}

/** @throws HttpError 500: the ID of the path is invalid */
export function checkPathId({ params: { id } }: Call, title: string): void {
  if (id !== undefined && !uuidPattern.test(id)) throw new HttpError(500, `${title} ID invalid UUID`);
}

/**
 * The policy or role of the path; undefined: the request creates one. No other has its name.
 * @throws HttpError 500
 */
export function rowToPut<Row extends Link & Indexes>(
  table: StateTable<Row>,
  view: View,
  id: string | undefined,
  { name, title }: { readonly name: string; readonly title: 'Policy' | 'Role' },
): Row | undefined {
  const label = title.toLowerCase();
  const existing = id === undefined ? undefined : table.get(view, id);
  if (id !== undefined && !existing) throw new HttpError(500, `cannot find ${label} ${id}`);
  const other = byName(table, view, name);
  if (!other || other.ID === existing?.ID) return existing;
  const noun = existing ? `${label} with name` : `${title} with Name`;
  throw new HttpError(500, `Invalid ${title}: A ${noun} ${JSON.stringify(name)} already exists`);
}

/** An operation that writes the object of its body. @param title e.g. `Role` */
export const writing = <Body extends s.Type>(title: string, body: Body, returns: s.Type = body) => ({
  body,
  bodyError: `${title} decoding failed`,
  rejectsUnknownFields: 'with hint' as const,
  returns,
});

/** An operation that removes the row of the path, and responds `true`. @param label e.g. `role` */
export const removing = <Row extends Indexes>(
  table: StateTable<Row>,
  label: string,
  remove = (transaction: Transaction, key: string) => table.delete(transaction, key),
) => ({
  returns: isTrue,
  errors: [400, 404],
  async handle(call: Call) {
    const { id, name = '' } = call.params;
    if (id !== undefined) checkUuid(`acl ${label}`, id);
    const key = foldName(id ?? name);
    await call.registry.state.update((transaction) => {
      if (!table.get(transaction, key)) throw new HttpError(404, `Cannot find ${label} to delete`);
      remove(transaction, key);
    });
    return writeResponse(call, true);
  },
});
