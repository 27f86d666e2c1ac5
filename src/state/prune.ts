import { conflict, insteadOf, isNotFound, LanyardError, usage } from '../errors.ts';
import { mapConcurrently } from '../wire/concurrently.ts';
import type { StateDocument } from './documents.ts';
import { type Draft, type PruneOptions, removedFields } from './draft.ts';
import { guardOf, identityText, type Kind, readerOf, type Services } from './kind.ts';
import { findKind } from './kinds.ts';
import { splitMark } from './marks.ts';
import { digestOf, type Origins, placeOf, recordKey } from './members.ts';
import { operationLabel, type PlanWarning } from './operations.ts';
import { levelOf, memberId, objectId } from './order.ts';
import { type StartProgress, withProgress } from './progress.ts';
import type { Member, SetRecord } from './record.ts';
import type { StateSet } from './set.ts';
import { ownersBeside } from './unmanaged-sets.ts';

interface Pruned {
  readonly operations: readonly Draft[];
  readonly warnings: readonly PlanWarning[];
  /** Members that were deleted by somebody else, or by an apply that was interrupted, by `recordKey`. */
  readonly missing: ReadonlySet<string>;
}

/** What the members of a set are known from. */
interface Owned {
  readonly record: SetRecord | undefined;
  readonly origins: Origins;
  readonly services: Services;
  /** Objects that files state, by `addressOf`. */
  readonly statedIds: ReadonlySet<string>;
  /** Objects that the files of sets state which are planned together, by `objectId`. */
  readonly kept: ReadonlySet<string>;
  readonly progress: StartProgress;
}

/** Names an object by the ID of its service: files may have another spelling of its scope than the record. */
export const addressOf = ({ name }: Pick<Kind, 'name'>, id: string): string => `${name} ${id}`;

/**
 * The deletions of members that no file states any more. Who may write the record must not be able to delete with it:
 * an object is deleted only if the record has it, it was written to these services, and the object itself shows that
 * the set owns it: by its mark, else by the ID or the digest that the record has of it. The record can only forbid a deletion: objects of a protected kind are deleted only if the set states the kind in `spec.prune.kinds`.
 *
 * @throws LanyardError usage: the files are not the complete set, the set has no record, or too many objects would be
 * deleted; an error of a list that could not be read completely; conflict: a list is empty that should not be.
 */
export async function pruneOperations(
  set: StateSet,
  documents: readonly StateDocument[],
  options: PruneOptions,
  { record, origins, services, statedIds, kept, progress }: Owned,
): Promise<Pruned> {
  if (options.refusal !== undefined) throw refused(options.refusal);
  if (set.record === undefined) throw refused('the set has no record');
  if (documents.length === 0 && !options.all) throw refused('the files state no objects');
  if (!record) return { operations: [], warnings: [], missing: new Set() };
  for (const origin of origins.values()) if (origin instanceof LanyardError) throw cannotPrune(origin);
  const stated = new Set(documents.map(({ kind, identity }) => objectId(kind, identity)));
  const members = record.members.filter((member) => placeOf(member, origins) !== 'elsewhere');
  const gone = members.filter((member) => !stated.has(memberId(member)) && !kept.has(memberId(member)));
  const lists = await listKinds(members, services);
  const readObject = readerOf(services);
  const isUnmarked = gone.some((member) => findKind(member.kind)?.mark === undefined);
  const owners = isUnmarked ? await ownersBeside(set, origins, services) : new Map<string, string>();
  const evidence = { origins, services, readObject, statedIds, owners };
  const checkAll = (count: () => void) =>
    mapConcurrently(gone, async (member) => {
      const outcome = await pruneMember(set, member, lists, evidence);
      count();
      return outcome;
    });
  const outcomes = await withProgress(progress, 'reading objects to delete', gone.length, checkAll);
  const operations = outcomes.flatMap(({ operation }) => operation ?? []);
  const warnings = [
    ...withoutOrigin(record.members, stated),
    ...outcomes.flatMap(({ warning }) => warning ?? []),
  ];
  const missing = new Set(
    gone.flatMap((member, index) => (outcomes[index]?.isMissing ? [recordKey(member)] : [])),
  );
  if (operations.length === 0) return { operations, warnings, missing };
  const empty = members.find((member) => lists.get(member.kind)?.size === 0 && stated.has(memberId(member)));
  if (empty)
    throw conflict(`cannot prune: the list of ${empty.kind} is empty, but the set has objects of this kind`, {
      hint: 'Nothing was changed. Check the service and the token, or apply without --prune first.',
    });
  const max = options.max ?? set.prune.max;
  if (operations.length > max)
    throw refused(
      `${operations.length} objects would be deleted, and at most ${max} may be`,
      `Nothing was changed. Use --prune-max ${operations.length} to allow it.`,
    );
  const deleted = outcomes.filter(({ isMissing, isStated }) => isMissing && !isStated).length;
  if (operations.length === members.length - deleted && !options.all)
    throw refused(
      'all objects of the set would be deleted',
      'Nothing was changed. Use --prune-all to allow it.',
    );
  return { operations: operations.sort(byLevel), warnings, missing };
}

const refused = (cause: string, hint = 'Nothing was changed.'): LanyardError =>
  usage(`cannot prune: ${cause}`, { hint });

const cannotPrune = (error: LanyardError): LanyardError =>
  new LanyardError(error.kind, `cannot prune: ${error.message}`, error);

/** Members of a record of an earlier version, which does not say where they are. */
function withoutOrigin(members: readonly Member[], stated: ReadonlySet<string>): readonly PlanWarning[] {
  return members
    .filter((member) => member.origin === undefined && !findKind(member.kind)?.mark)
    .filter((member) => !stated.has(memberId(member)))
    .map((member) => ({
      code: 'unknown-origin',
      message: `${memberLabel(member)} is kept: the record does not say in which cluster it was created`,
    }));
}

/** `KIND NAME` of a member, for messages. */
function memberLabel({ kind: name, scope, key }: Member): string {
  const kind = findKind(name);
  return kind ? operationLabel({ kind, identity: { scope, key } }) : `${name} ${key}`;
}

type Lists = ReadonlyMap<string, ReadonlySet<string>>;

/** The objects of every kind that the record has members of. An incomplete list forbids pruning. */
async function listKinds(members: readonly Member[], services: Services): Promise<Lists> {
  const lists = new Map<string, ReadonlySet<string>>();
  for (const name of new Set(members.map(({ kind }) => kind))) {
    const kind = findKind(name);
    if (!kind) continue;
    const known = members.filter((member) => member.kind === name);
    const listed = await kind.list(services, known).catch((error: unknown) => {
      throw error instanceof LanyardError ? cannotPrune(error) : error;
    });
    lists.set(name, new Set(listed.map(identityText)));
  }
  return lists;
}

interface PrunedMember {
  readonly operation?: Draft;
  readonly warning?: PlanWarning;
  readonly isMissing?: true;
  /** Only its spelling in the record is missing: the files have another one. */
  readonly isStated?: true;
}

interface Evidence extends Omit<Owned, 'record' | 'kept' | 'progress'> {
  readonly readObject: ReturnType<typeof readerOf>;
  /** Sets that own objects of kinds without marks. */
  readonly owners: ReadonlyMap<string, string>;
}

async function pruneMember(
  set: StateSet,
  member: Member,
  lists: Lists,
  { origins, services, readObject, statedIds, owners }: Evidence,
): Promise<PrunedMember> {
  const identity = { scope: member.scope, key: member.key };
  const kind = findKind(member.kind);
  const label = memberLabel(member);
  const keep = (code: string, why: string) => ({ warning: { code, message: `${label} is kept: ${why}` } });
  if (!kind) return keep('unknown-kind', 'unknown kind');
  if (member.movedTo !== undefined)
    return keep('moving', `it moves to set ${member.movedTo}; plan both sets together`);
  if (set.prune.kinds && !set.prune.kinds.includes(kind.name))
    return keep('not-prunable', 'not in spec.prune.kinds');
  // Its scope may have been deleted, too.
  const found = await readObject(kind, identity).catch(insteadOf(isNotFound, undefined));
  // Elsewhere, an object with the same ID is the same object; any other object does not belong to this set.
  const isHere = placeOf(member, origins) === 'here';
  if (!isHere && (found?.uid === undefined || found.uid !== member.uid)) return {};
  if (!found) return { isMissing: true };
  if (found.id !== undefined && statedIds.has(addressOf(kind, found.id)))
    return { isMissing: true, isStated: true };
  if (!lists.get(kind.name)?.has(identityText(member)))
    throw conflict(`cannot prune: the list of ${kind.name} is incomplete: ${label} is missing`, {
      hint: 'Nothing was changed. Check that the token may list all objects.',
    });
  if (kind.isBuiltIn?.(identity, found)) return keep('built-in', 'it is built in');
  if (member.deletion !== 'allow') return keep('protected', 'metadata.deletion is not "allow"');
  if (kind.isProtected && !set.prune.kinds)
    return keep('protected', `spec.prune.kinds of the set does not state ${kind.name}`);
  const obstacle = kind.obstacle?.('delete', found.spec, found);
  if (obstacle !== undefined) return keep('not-deletable', obstacle);
  const { spec, mark } = splitMark(kind, found.spec);
  if (kind.mark && mark?.id !== set.id)
    return keep(mark ? 'foreign' : 'mark-lost', mark ? `it belongs to set ${mark.id}` : 'it lost its mark');
  const owner = owners.get(memberId(member));
  if (!kind.mark && owner !== undefined) return keep('foreign', `it belongs to set ${owner}, too`);
  const uid = found.uid ?? (await kind.readUid?.(services, identity));
  if (member.uid !== undefined && uid !== undefined && member.uid !== uid)
    return keep('recreated', 'it was created again by somebody else');
  if (!kind.mark && (member.uid === undefined || uid === undefined)) {
    const digest = digestOf(kind, found);
    if (digest === undefined || member.digest === undefined)
      return keep('unproven', 'the record does not show that this set created it; use "ensure: absent"');
    if (member.digest !== digest)
      return keep('changed', 'it was changed since the last apply; use "ensure: absent"');
  }
  const live = { ...found, spec };
  const guard = guardOf(kind, found, 'delete');
  return {
    operation: {
      kind,
      identity,
      action: 'delete',
      live,
      ...(mark ? { mark } : {}),
      unset: [],
      changes: removedFields(kind, live, { showsSecrets: false }),
      guard,
      reason: 'pruned',
    },
  };
}

const byLevel = (one: Draft, other: Draft): number => levelOfDraft(one) - levelOfDraft(other);

const levelOfDraft = ({ live, ...draft }: Draft): number => levelOf({ ...draft, spec: live?.spec ?? {} });
