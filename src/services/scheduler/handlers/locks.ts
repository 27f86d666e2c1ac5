import { HttpError, type HttpRequest } from '../../core/http/http-service.ts';
import { uuid } from '../../core/uuid.ts';
import type { Call } from '../call.ts';
import type { Transaction } from '../model/tables.ts';
import {
  type Items,
  itemsOf,
  type Lock,
  lockOf,
  metadataOf,
  putItems,
  putLock,
  type Variable,
  type VariablePath,
  variableKey,
  variableOf,
} from '../model/variables.ts';
import {
  checkNamespace,
  checkSize,
  emptyConflict,
  type VariableInput,
  type WriteOutcome,
} from '../variable-request.ts';

const operations = ['lock-acquire', 'lock-release', 'lock-renew'] as const;
export type LockOperation = (typeof operations)[number];

/** Seconds (docs/protocol/scheduler.md#locks). */
const defaultSeconds = { TTL: 15, LockDelay: 15 };
const minTtlSeconds = 10;
const maxTtlSeconds = 24 * 3600;

/** The lock operation of a request, if any. @throws HttpError 400: several operations */
export function readLockOperation({ query }: HttpRequest): LockOperation | undefined {
  const [operation, other] = operations.filter((name) => query.has(name));
  if (other) throw new HttpError(400, 'multiple lock operations');
  return operation;
}

/** @throws HttpError 400, 404, 409, 500 */
export async function applyLockOperation(
  call: Call,
  operation: LockOperation,
  input: VariableInput,
): Promise<WriteOutcome> {
  const outcome = await handlers[operation](call, input);
  if (outcome.status === 200) call.scheduler.lockExpiry.restart(input.variablePath);
  return outcome;
}

const handlers = { 'lock-acquire': acquire, 'lock-release': release, 'lock-renew': renew };

/** Locks a variable, which is created if missing; the holder of the lock can write with it. */
function acquire(call: Call, { variablePath, items, lock }: VariableInput): Promise<WriteOutcome> {
  const { random, state, encryption } = call.scheduler;
  const TTL = lock.TTL ?? defaultSeconds.TTL;
  const LockDelay = lock.LockDelay ?? defaultSeconds.LockDelay;
  if (TTL < minTtlSeconds || TTL > maxTtlSeconds) {
    throw new HttpError(400, 'invalid lock TTL: it must be from 10 seconds to 24 hours');
  }
  if (LockDelay > maxTtlSeconds) throw new HttpError(400, 'invalid lock delay: it must be at most 24 hours');
  if (items) checkSize(items);
  return state.update((transaction) => {
    checkNamespace(transaction, variablePath);
    const currentLock = lockOf(transaction, variablePath);
    const isTaken = currentLock
      ? currentLock.ID !== lock.ID
      : lock.ID !== '' || state.isLockDelayed(variableKey(variablePath));
    if (isTaken) return emptyConflict(variablePath);
    const existing = variableOf(transaction, variablePath);
    const newItems = items ?? (existing ? itemsOf(encryption, variablePath, existing) : {});
    const variable = putItems(transaction, encryption, variablePath, newItems);
    const holderLock = currentLock ?? { ID: uuid(random), TTL, LockDelay };
    return lockOutcome(
      transaction,
      variablePath,
      putLock(transaction, variablePath, variable, holderLock),
      holderLock,
      newItems,
    );
  });
}

/** Releases a lock; the items are kept. */
function release(call: Call, { variablePath, items, lock }: VariableInput): Promise<WriteOutcome> {
  if (items) throw new HttpError(400, 'no Items are allowed when a lock is released');
  requireLockId(lock.ID);
  return call.scheduler.state.update((transaction) => {
    const variable = variableOf(transaction, variablePath);
    if (!variable) throw variableNotFound();
    const currentLock = lockOf(transaction, variablePath);
    if (!currentLock) throw new HttpError(409, "variable doesn't hold a lock");
    if (currentLock.ID !== lock.ID) return emptyConflict(variablePath);
    return lockOutcome(transaction, variablePath, putLock(transaction, variablePath, variable, undefined));
  });
}

/** Restarts the time to live of a lock, without a change of the variable. */
function renew(call: Call, { variablePath, lock }: VariableInput): WriteOutcome {
  requireLockId(lock.ID);
  const { state } = call.scheduler;
  const variable = variableOf(state.view, variablePath);
  const currentLock = lockOf(state.view, variablePath);
  if (!variable) throw variableNotFound();
  if (!currentLock) throw new HttpError(409, "variable doesn't hold a lock");
  if (currentLock.ID !== lock.ID) throw new HttpError(409, 'attempting to modify locked variable');
  return lockOutcome(state.view, variablePath, variable, currentLock);
}

/** The variable, with the lock's ID for its holder. */
function lockOutcome(
  view: Pick<Transaction, 'get' | 'keys'>,
  variablePath: VariablePath,
  variable: Variable,
  holderLock?: Lock,
  Items?: Items,
): WriteOutcome {
  const { Lock: lockMetadata, ...metadata } = metadataOf(view, variablePath, variable);
  return {
    status: 200,
    index: variable.ModifyIndex,
    value: {
      ...metadata,
      ...(holderLock && { Lock: { ID: holderLock.ID, ...lockMetadata } }),
      ...(Items && { Items }),
    },
  };
}

function requireLockId(id: string): void {
  if (id === '') throw new HttpError(400, 'the lock must have an ID');
}

const variableNotFound = () => new HttpError(404, "variable doesn't exist");
