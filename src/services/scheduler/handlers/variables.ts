import { EncodedJson } from '../../core/blocking-query.ts';
import { HttpError, textResponse } from '../../core/http/http-service.ts';
import type { ResponseSpec } from '../../core/operation.ts';
import * as s from '../../core/schema/types.ts';
import { blockingParameters, blockingQuery, readParameters, writeResponse } from '../blocking-query.ts';
import { type Call, operations } from '../call.ts';
import { invalidVariable, requirePermission } from '../errors.ts';
import {
  deleteVariable,
  encodeVariable,
  lockOf,
  variableDetails,
  variableInput,
  variableOf,
} from '../model/variables.ts';
import {
  allNamespaces,
  casConflict,
  casParameter,
  checkNamespace,
  checkVariable,
  emptyConflict,
  isLockedByOther,
  matchesCas,
  namespaceParameter,
  readVariable,
  type VariableInput,
  variablePathOf,
  visibleLock,
  type WriteOutcome,
  wildcardMessage,
} from '../variable-request.ts';
import { applyLockOperation, lockParameters, newLock, readLockOperation, writeWithLock } from './locks.ts';

const operation = operations('Variables');

export const getVariable = operation('getVariable', 'Read a variable', {
  query: { ...namespaceParameter, ...blockingParameters },
  returns: variableDetails,
  responseHeaders: 'query',
  errors: [400, 404],
  handle(call) {
    const { permissions } = call;
    const variablePath = variablePathOf(call);
    requirePermission(permissions.allows('read', variablePath));
    return blockingQuery(call, 'variables', (view) => {
      const variable = variableOf(view, variablePath);
      if (!variable) return { notFoundMessage: 'variable not found' };
      const lock = visibleLock(permissions, view, variablePath);
      const encodedItems = call.scheduler.items.read(variablePath, variable);
      return {
        value: new EncodedJson(encodeVariable(variablePath, variable, lock, encodedItems)),
        index: variable.ModifyIndex,
      };
    });
  },
});

/** As in Nomad, JSON with the type text/plain. */
const conflict: ResponseSpec = {
  description:
    'Conflict: the current variable as JSON, without items if the caller may not read them, with zeros if it does not exist or is locked.',
  content: { type: 'text/plain', schema: { type: 'string' } },
  headers: 'write',
};

export const putVariable = operation('putVariable', 'Create or change a variable, or lock it', {
  description:
    'A plain write requires `Items`. At most one of the lock operations can be given, and none with `cas`. Acquiring a lock replaces the items; releasing requires the ID of the lock and no items; renewing restarts its time to live.',
  query: { ...namespaceParameter, ...casParameter, ...lockParameters, ...readParameters },
  body: variableInput,
  bodyError: 'failed to decode the variable',
  responses: { 200: { body: variableDetails, headers: 'write' }, 409: conflict },
  errors: [404],
  async handle(call) {
    const operation = readLockOperation(call.request);
    const { cas } = call.query();
    if (operation && cas !== undefined) throw new HttpError(400, "CAS can't be used with lock operations");
    const input = await readVariable(call);
    if (!operation) requireItems(input);
    return respond(call, operation !== 'lock-renew', async () => {
      requirePermission(call.permissions.allows('write', input.variablePath));
      return operation ? applyLockOperation(call, operation, input) : writeVariable(call, input, cas);
    });
  },
});

/** The response to a write. As in Nomad, an error has the index 0, unless a lock is renewed. */
async function respond(call: Call, hasErrorIndex: boolean, write: () => Promise<WriteOutcome>) {
  try {
    const { status, index, value } = await write();
    return writeResponse(call, index, value, status);
  } catch (error) {
    if (!(error instanceof HttpError && hasErrorIndex)) throw error;
    return textResponse(error.status, error.message, { serviceHeaders: { Index: '0' } });
  }
}

function requireItems({ items = {} }: VariableInput): void {
  if (Object.keys(items).length === 0) throw new HttpError(400, 'variable missing required Items object');
}

async function writeVariable(
  call: Call,
  { variablePath, items = {}, lock: input }: VariableInput,
  cas: bigint | undefined,
): Promise<WriteOutcome> {
  // Nomad repeats the prefix here.
  if (input?.TTL !== undefined || input?.LockDelay !== undefined)
    throw invalidVariable('RPC Error:: 400,variable should not contain lock definition');
  if (variablePath.Namespace === allNamespaces) throw invalidVariable(wildcardMessage);
  checkVariable(variablePath, items);
  const lock = input && newLock(call, input);
  let isNewLock = false;
  const outcome = await call.scheduler.state.update((transaction) => {
    checkNamespace(transaction, variablePath);
    if (!matchesCas(variableOf(transaction, variablePath), cas))
      return casConflict(call, transaction, variablePath);
    isNewLock = lock !== undefined && !lockOf(transaction, variablePath);
    return writeWithLock(call, transaction, { variablePath, items, lock });
  });
  if (isNewLock) call.scheduler.lockExpiry.restart(variablePath);
  return outcome;
}

export const removeVariable = operation('deleteVariable', 'Delete a variable', {
  description: 'A missing variable is not an error.',
  query: { ...namespaceParameter, ...casParameter, ...readParameters },
  responses: {
    200: { body: s.object({ Index: s.integer('The index of the write.') }), headers: 'write' },
    409: conflict,
  },
  errors: [400],
  handle(call) {
    const { state } = call.scheduler;
    const variablePath = variablePathOf(call);
    const { cas } = call.query();
    return respond(call, true, async () => {
      requirePermission(call.permissions.allows('destroy', variablePath));
      return state.update((transaction): WriteOutcome => {
        const variable = variableOf(transaction, variablePath);
        if (!matchesCas(variable, cas)) return casConflict(call, transaction, variablePath);
        if (isLockedByOther(transaction, variablePath, undefined)) return emptyConflict(variablePath);
        if (variable) {
          deleteVariable(transaction, variablePath);
          call.scheduler.items.forget(variable);
        }
        const writeIndex = variable ? transaction.index : state.lastIndex;
        return { status: 200, index: writeIndex, value: { Index: writeIndex } };
      });
    });
  },
});

export function rejectMissingPath(): never {
  throw new HttpError(400, 'missing variable path');
}

export function rejectMethod(): never {
  throw new HttpError(400, 'Invalid method');
}
