import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { blockingQuery, writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { deleteVariable, itemsOf, metadataOf, putItems, variableOf } from '../model/variables.ts';
import { requirePermission } from '../require-permission.ts';
import {
  canWriteLocked,
  casConflict,
  casIndex,
  checkNamespace,
  checkPath,
  checkSize,
  emptyConflict,
  matchesCas,
  readVariable,
  type VariableInput,
  variablePathOf,
  type WriteOutcome,
} from '../variable-request.ts';
import { applyLockOperation, readLockOperation } from './locks.ts';

/** Reads a variable with its items. */
export function getVariable(call: Call): Promise<HttpResponse> {
  const variablePath = variablePathOf(call);
  requirePermission(call.permissions.allows('read', variablePath));
  return blockingQuery(call, 'variables', (view) => {
    const variable = variableOf(view, variablePath);
    if (!variable) return { notFoundMessage: 'variable not found' };
    const Items = itemsOf(call.scheduler.encryption, variablePath, variable);
    return { value: { ...metadataOf(view, variablePath, variable), Items }, index: variable.ModifyIndex };
  });
}

/** Creates a variable or changes its items, with check-and-set, or applies a lock operation. */
export async function putVariable(call: Call): Promise<HttpResponse> {
  const operation = readLockOperation(call.request);
  const cas = casIndex(call.request);
  if (operation && cas !== undefined) {
    throw new HttpError(400, "CAS can't be used with lock operations");
  }
  const input = await readVariable(call);
  requirePermission(call.permissions.allows('write', input.variablePath));
  checkPath(input.variablePath.Path);
  const { status, index, value } = operation
    ? await applyLockOperation(call, operation, input)
    : await writeVariable(call, input, cas);
  return writeResponse(call, index, value, status);
}

function writeVariable(
  call: Call,
  { variablePath, items, lock }: VariableInput,
  cas: bigint | undefined,
): Promise<WriteOutcome> {
  if (!items || Object.keys(items).length === 0) {
    throw new HttpError(400, 'variable missing required Items object');
  }
  checkSize(items);
  return call.scheduler.state.update((transaction) => {
    checkNamespace(transaction, variablePath);
    if (!matchesCas(variableOf(transaction, variablePath), cas))
      return casConflict(call, transaction, variablePath);
    if (!canWriteLocked(transaction, variablePath, lock.ID)) return emptyConflict(variablePath);
    const variable = putItems(transaction, call.scheduler.encryption, variablePath, items);
    return {
      status: 200,
      index: variable.ModifyIndex,
      value: { ...metadataOf(transaction, variablePath, variable), Items: items },
    };
  });
}

/** Deletes a variable, with check-and-set; a missing one is not an error. */
export async function removeVariable(call: Call): Promise<HttpResponse> {
  const { state } = call.scheduler;
  const variablePath = variablePathOf(call);
  const cas = casIndex(call.request);
  requirePermission(call.permissions.allows('destroy', variablePath));
  const { status, index, value } = await state.update((transaction): WriteOutcome => {
    const variable = variableOf(transaction, variablePath);
    if (!matchesCas(variable, cas)) return casConflict(call, transaction, variablePath);
    if (!canWriteLocked(transaction, variablePath, '')) return emptyConflict(variablePath);
    if (variable) deleteVariable(transaction, variablePath);
    const writeIndex = variable ? transaction.index : state.lastIndex;
    return { status: 200, index: writeIndex, value: { Index: writeIndex } };
  });
  return writeResponse(call, index, value, status);
}

export function rejectMissingPath(): never {
  throw new HttpError(400, 'missing variable path');
}

export function rejectMethod(): never {
  throw new HttpError(400, 'Invalid method');
}
