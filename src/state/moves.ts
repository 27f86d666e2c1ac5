import { conflict, type LanyardError } from '../errors.ts';
import type { StateDocument } from './documents.ts';
import type { Live } from './kind.ts';
import { splitMark } from './marks.ts';
import { membersHere, type Origins, recordKey } from './members.ts';
import type { Plan } from './operations.ts';
import { objectId } from './order.ts';
import type { Leaving, Move, OtherSet, RecordStore } from './record.ts';
import { rejectRunning } from './record-lock.ts';
import type { StateSet } from './set.ts';

interface Seen {
  readonly origins: Origins;
  /** The objects of the documents, by `objectId`. */
  readonly lives: ReadonlyMap<string, Live | undefined>;
  readonly hasRecord: boolean;
}

/** The objects that documents move here from other sets, by `objectId`. */
export function movesTo(
  documents: readonly StateDocument[],
  others: readonly OtherSet[],
  { origins, lives, hasRecord }: Seen,
): ReadonlyMap<string, Move> {
  const moves = new Map<string, Move>();
  for (const { set, record, stated } of others) {
    const members = membersHere(record?.members ?? [], origins, (id) => lives.get(id));
    for (const { kind, identity, metadata } of documents) {
      const id = objectId(kind, identity);
      // Without a record, a kind without marks would belong to no set afterwards.
      if (stated.has(id) || metadata.ensure === 'absent' || !(kind.mark || hasRecord)) continue;
      const live = lives.get(id);
      const member = members.get(id);
      const isMarked = live !== undefined && splitMark(kind, live.spec).mark?.id === set.id;
      if (member || isMarked) moves.set(id, { from: { id: set.id, name: set.name }, member });
    }
  }
  return moves;
}

/** Gives each plan the members that other plans take over. */
export function withLeaving<Each extends { readonly plan: Plan }>(
  sessions: readonly Each[],
): readonly Each[] {
  return sessions.map((session) => {
    const { set } = session.plan;
    const leaving = sessions.flatMap(({ plan }) =>
      [...plan.moves.values()].flatMap(({ from, member }): Leaving[] =>
        member && from.id === set.id ? [{ member, to: { id: plan.set.id, name: plan.set.name } }] : [],
      ),
    );
    return leaving.length === 0 ? session : { ...session, plan: { ...session.plan, leaving } };
  });
}

interface RecordAccess {
  readonly store: RecordStore | undefined;
  readonly clock: () => Date;
  /** The lock of another apply does not count. */
  readonly ignoresLock: boolean;
}

/**
 * Writes into the record of a set where its members go, before another set takes them over: from here on no `--prune` of
 * this set deletes them, also if the apply is interrupted.
 *
 * @returns the plan with the new record.
 * @throws LanyardError conflict: another apply is running, or the record was changed since the plan.
 */
export async function announceMoves(plan: Plan, { store, clock, ignoresLock }: RecordAccess): Promise<Plan> {
  const { record, recordVersion } = plan;
  if (plan.leaving.length === 0 || !store || !record) return plan;
  if (!ignoresLock) rejectRunning(plan, clock());
  const targets = new Map(plan.leaving.map(({ member, to }) => [recordKey(member), to.id]));
  const members = record.members.map((member) => {
    const movedTo = targets.get(recordKey(member));
    return movedTo === undefined ? member : { ...member, movedTo };
  });
  const announced = { ...record, members };
  return { ...plan, record: announced, recordVersion: await store.write(announced, recordVersion) };
}

/**
 * Removes the members from the record of a set that other sets have taken over.
 *
 * @throws LanyardError conflict: another apply of the set changed its record.
 */
export async function forgetMoved(plan: Plan, { store, clock }: RecordAccess): Promise<void> {
  if (plan.leaving.length === 0 || !store) return;
  const stored = await store.read();
  if (!stored) return;
  if (stored.record.id !== plan.set.id) throw otherRecord(plan.set);
  rejectRunning({ ...plan, record: stored.record }, clock());
  const gone = new Set(plan.leaving.map(({ member }) => recordKey(member)));
  const members = stored.record.members.filter((member) => !(member.movedTo && gone.has(recordKey(member))));
  await store.write({ ...stored.record, members }, stored.version);
}

const otherRecord = ({ name }: StateSet): LanyardError =>
  conflict(`the record of set "${name}" was replaced meanwhile`, { hint: 'Run the same command again.' });
