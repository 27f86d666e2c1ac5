import { type Answer, HttpRefusal } from '../../http/service.ts';
import type { Call } from '../http/call.ts';
import { read, written } from '../http/read.ts';
import { demand } from '../http/refusals.ts';
import {
  casOf,
  checkNamespace,
  checkPath,
  checkSize,
  conflictAt,
  matchesCas,
  mayWriteLocked,
  type Outcome,
  placeIn,
  readVariable,
  type Sent,
  zeroedAt,
} from '../http/variable.ts';
import { deleteVariable, itemsOf, metadataOf, putItems, variableOf } from '../state/variables.ts';
import { lockOperationOf, operateLock } from './locks.ts';

/** Reads a variable with its items. */
export function getVariable(call: Call): Promise<Answer> {
  const place = placeIn(call);
  demand(call.authority.may('read', place));
  return read(call, 'variables', (view) => {
    const variable = variableOf(view, place);
    if (!variable) return { missing: 'variable not found' };
    const Items = itemsOf(call.scheduler.vault, place, variable);
    return { value: { ...metadataOf(view, place, variable), Items }, index: variable.ModifyIndex };
  });
}

/** Makes a variable or changes its items, with check-and-set; or does something with its lock. */
export async function putVariable(call: Call): Promise<Answer> {
  const operation = lockOperationOf(call.request);
  const cas = casOf(call.request);
  if (operation && cas !== undefined) {
    throw new HttpRefusal(400, "CAS can't be used with lock operations");
  }
  const sent = await readVariable(call);
  demand(call.authority.may('write', sent.place));
  checkPath(sent.place.Path);
  const { status, index, value } = operation
    ? await operateLock(call, operation, sent)
    : await write(call, sent, cas);
  return written(call, index, value, status);
}

function write(call: Call, { place, items, lock }: Sent, cas: bigint | undefined): Promise<Outcome> {
  if (!items || Object.keys(items).length === 0) {
    throw new HttpRefusal(400, 'variable missing required Items object');
  }
  checkSize(items);
  return call.scheduler.state.change((draft) => {
    checkNamespace(draft, place);
    if (!matchesCas(variableOf(draft, place), cas)) return conflictAt(call, draft, place);
    if (!mayWriteLocked(draft, place, lock.ID)) return zeroedAt(place);
    const variable = putItems(draft, call.scheduler.vault, place, items);
    return {
      status: 200,
      index: variable.ModifyIndex,
      value: { ...metadataOf(draft, place, variable), Items: items },
    };
  });
}

/** Deletes a variable, with check-and-set; one that is gone is deleted already. */
export async function removeVariable(call: Call): Promise<Answer> {
  const { state } = call.scheduler;
  const place = placeIn(call);
  const cas = casOf(call.request);
  demand(call.authority.may('destroy', place));
  const { status, index, value } = await state.change((draft): Outcome => {
    const variable = variableOf(draft, place);
    if (!matchesCas(variable, cas)) return conflictAt(call, draft, place);
    if (!mayWriteLocked(draft, place, '')) return zeroedAt(place);
    if (variable) deleteVariable(draft, place);
    const at = variable ? draft.index : state.last;
    return { status: 200, index: at, value: { Index: at } };
  });
  return written(call, index, value, status);
}

export function missingPath(): never {
  throw new HttpRefusal(400, 'missing variable path');
}

/** A method that variables do not know. */
export function wrongMethod(): never {
  throw new HttpRefusal(400, 'Invalid method');
}
