import { formatJson } from '../../../wire/json.ts';
import { EncodedJson } from '../../core/blocking-query.ts';
import { HttpError, type HttpRequest } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import { uuid } from '../../core/uuid.ts';
import type { Call } from '../call.ts';
import { errorList, invalidVariable } from '../errors.ts';
import type { Transaction } from '../model/tables.ts';
import {
  encodeVariable,
  type Items,
  type Lock,
  lockOf,
  putVariable,
  removeLock,
  type Variable,
  type VariablePath,
  variableOf,
} from '../model/variables.ts';
import {
  allNamespaces,
  checkNamespace,
  checkVariable,
  emptyConflict,
  isLockedByOther,
  type LockInput,
  pathProblem,
  type VariableInput,
  type WriteOutcome,
  wildcardMessage,
} from '../variable-request.ts';

const flag = (description: string) => s.optional(s.boolean(description, { allowEmptyValue: true }));

export const lockParameters = {
  'lock-acquire': flag('Acquire the lock of the variable.'),
  'lock-release': flag('Release the lock.'),
  'lock-renew': flag('Renew the lock.'),
};

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
  // As in Nomad, the conflict of a lock has no index.
  if (outcome.status !== 200) return { ...outcome, index: undefined };
  call.scheduler.lockExpiry.restart(input.variablePath);
  return outcome;
}

const handlers = { 'lock-acquire': acquire, 'lock-release': release, 'lock-renew': renew };

/** Locks a variable with new items, none if missing; it is created if missing. The holder of the lock can repeat it. */
function acquire(call: Call, { variablePath, items = {}, lock: input }: VariableInput) {
  if (variablePath.Namespace === allNamespaces) throw invalidVariable(errorList([wildcardMessage]));
  checkVariable(variablePath, items);
  const lock = newLock(call, input);
  if (lock.TTL < minTtlSeconds || lock.TTL > maxTtlSeconds)
    throw invalidVariable(errorList(['TTL must be between 10 seconds and 24 hours']));
  return call.scheduler.state.update((transaction) =>
    writeWithLock(call, transaction, { variablePath, items, lock }),
  );
}

/** A lock with the default times; without an ID, with a random one. */
export function newLock({ scheduler }: Call, input: LockInput | undefined): Lock {
  return {
    ID: input?.ID || uuid(scheduler.random),
    TTL: input?.TTL ?? defaultSeconds.TTL,
    LockDelay: input?.LockDelay ?? defaultSeconds.LockDelay,
  };
}

/** Writes a variable, and its lock if given, unless it has another lock. @throws HttpError 500: no such namespace */
export function writeWithLock(
  { scheduler }: Call,
  transaction: Transaction,
  { variablePath, items, lock }: WrittenVariable,
): WriteOutcome {
  checkNamespace(transaction, variablePath);
  if (isLockedByOther(transaction, variablePath, lock?.ID)) return emptyConflict(variablePath);
  const encodedItems = formatJson(items);
  const existing = variableOf(transaction, variablePath);
  if (existing) scheduler.items.forget(existing);
  const variable = putVariable(transaction, scheduler.encryption, variablePath, { encodedItems, lock });
  return outcomeOf(variablePath, variable, lock, encodedItems);
}

interface WrittenVariable {
  readonly variablePath: VariablePath;
  readonly items: Items;
  readonly lock: Lock | undefined;
}

/** Releases a lock; the items are kept. */
function release(call: Call, { variablePath, items, lock }: VariableInput): Promise<WriteOutcome> {
  if (!lock?.ID) throw invalidVariable('missing lock information');
  if (items) throw invalidVariable("lock release operation doesn't take variable items");
  const problem = pathProblem(variablePath.Path);
  if (problem !== undefined) throw new HttpError(400, problem);
  return call.scheduler.state.update((transaction) => {
    const variable = variableOf(transaction, variablePath);
    if (!variable) throw variableNotFound();
    if (!lockOf(transaction, variablePath)) throw lockNotFound();
    if (isLockedByOther(transaction, variablePath, lock.ID)) return emptyConflict(variablePath);
    return outcomeOf(variablePath, removeLock(transaction, variablePath, variable), undefined);
  });
}

/** Restarts the time to live of a lock, without a change of the variable. */
function renew({ scheduler }: Call, { variablePath, lock }: VariableInput): WriteOutcome {
  if (!lock?.ID) throw new HttpError(400, errorList(['missing lock ID']));
  const { state, lockExpiry } = scheduler;
  const variable = variableOf(state.view, variablePath);
  const currentLock = lockOf(state.view, variablePath);
  if (!variable) throw variableNotFound();
  if (!currentLock) throw lockNotFound();
  if (currentLock.ID !== lock.ID || !lockExpiry.isRenewable(variablePath))
    throw new HttpError(409, 'attempting to modify locked variable');
  return { ...outcomeOf(variablePath, variable, currentLock), index: undefined };
}

function outcomeOf(
  variablePath: VariablePath,
  variable: Variable,
  lock: Lock | undefined,
  encodedItems?: string,
): WriteOutcome {
  const value = new EncodedJson(encodeVariable(variablePath, variable, lock, encodedItems));
  return { status: 200, index: variable.ModifyIndex, value };
}

const variableNotFound = () => new HttpError(404, "variable doesn't exist");
const lockNotFound = () => new HttpError(409, "variable doesn't hold a lock");
