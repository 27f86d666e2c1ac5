import { HttpRefusal, type HttpRequest } from '../../http/service.ts';
import { uuid } from '../../uuid.ts';
import type { Call } from '../http/call.ts';
import { checkNamespace, checkSize, type Outcome, type Sent, zeroedAt } from '../http/variable.ts';
import type { Draft } from '../state/tables.ts';
import {
  type Items,
  itemsOf,
  keyAt,
  type Lock,
  lockOf,
  metadataOf,
  type Place,
  putItems,
  putLock,
  type Variable,
  variableOf,
} from '../state/variables.ts';

const operations = ['lock-acquire', 'lock-release', 'lock-renew'] as const;
export type LockOperation = (typeof operations)[number];

/** Seconds (docs/protocol/scheduler.md#locks). */
const defaults = { TTL: 15, LockDelay: 15 };
const shortest = 10;
const longest = 24 * 3600;

/** What a request wants of a lock; undefined: nothing. @throws HttpRefusal 400: more than one thing */
export function lockOperationOf({ query }: HttpRequest): LockOperation | undefined {
  const [operation, other] = operations.filter((name) => query.has(name));
  if (other) throw new HttpRefusal(400, 'multiple lock operations');
  return operation;
}

/** @throws HttpRefusal 400, 404, 409, 500 */
export async function operateLock(call: Call, operation: LockOperation, sent: Sent): Promise<Outcome> {
  const outcome = await works[operation](call, sent);
  if (outcome.status === 200) call.scheduler.locks.begin(sent.place);
  return outcome;
}

const works = { 'lock-acquire': acquire, 'lock-release': release, 'lock-renew': renew };

/** Locks a variable, which is made if there is none; who holds the lock may go on to write with it. */
function acquire(call: Call, { place, items, lock }: Sent): Promise<Outcome> {
  const { random, state, vault } = call.scheduler;
  const TTL = lock.TTL ?? defaults.TTL;
  const LockDelay = lock.LockDelay ?? defaults.LockDelay;
  if (TTL < shortest || TTL > longest) {
    throw new HttpRefusal(400, 'invalid lock TTL: it must be from 10 seconds to 24 hours');
  }
  if (LockDelay > longest) throw new HttpRefusal(400, 'invalid lock delay: it must be at most 24 hours');
  if (items) checkSize(items);
  return state.change((draft) => {
    checkNamespace(draft, place);
    const held = lockOf(draft, place);
    const taken = held ? held.ID !== lock.ID : lock.ID !== '' || state.lockDelayed(keyAt(place));
    if (taken) return zeroedAt(place);
    const before = variableOf(draft, place);
    const kept = items ?? (before ? itemsOf(vault, place, before) : {});
    const variable = putItems(draft, vault, place, kept);
    const own = held ?? { ID: uuid(random), TTL, LockDelay };
    return outcomeOf(draft, place, putLock(draft, place, variable, own), own, kept);
  });
}

/** Lets go of a lock; the items stay. */
function release(call: Call, { place, items, lock }: Sent): Promise<Outcome> {
  if (items) throw new HttpRefusal(400, 'no Items are allowed when a lock is released');
  demandId(lock.ID);
  return call.scheduler.state.change((draft) => {
    const variable = variableOf(draft, place);
    if (!variable) throw missing();
    const held = lockOf(draft, place);
    if (!held) throw new HttpRefusal(409, "variable doesn't hold a lock");
    if (held.ID !== lock.ID) return zeroedAt(place);
    return outcomeOf(draft, place, putLock(draft, place, variable, undefined));
  });
}

/** Lets a lock's time begin anew; the variable does not change by that. */
async function renew(call: Call, { place, lock }: Sent): Promise<Outcome> {
  demandId(lock.ID);
  const { state } = call.scheduler;
  const variable = variableOf(state.view, place);
  const held = lockOf(state.view, place);
  await state.settled();
  if (!variable) throw missing();
  if (!held) throw new HttpRefusal(409, "variable doesn't hold a lock");
  if (held.ID !== lock.ID) throw new HttpRefusal(409, 'attempting to modify locked variable');
  return outcomeOf(state.view, place, variable, held);
}

/** The variable, and to its holder the lock as a whole. */
function outcomeOf(
  view: Pick<Draft, 'get' | 'keys'>,
  place: Place,
  variable: Variable,
  own?: Lock,
  Items?: Items,
): Outcome {
  const { Lock: shown, ...metadata } = metadataOf(view, place, variable);
  return {
    status: 200,
    index: variable.ModifyIndex,
    value: {
      ...metadata,
      ...(own && { Lock: { ID: own.ID, ...shown } }),
      ...(Items && { Items }),
    },
  };
}

function demandId(id: string): void {
  if (id === '') throw new HttpRefusal(400, 'the lock must have an ID');
}

const missing = () => new HttpRefusal(404, "variable doesn't exist");
