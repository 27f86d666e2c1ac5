import { isNotFound, type LanyardError } from '../errors.ts';
import type { Json } from '../wire/json.ts';
import { compact, memberOf } from '../wire/objects.ts';
import {
  type CompareOptions,
  compare,
  type FieldChange,
  fieldName,
  pointerOf,
  pointerSteps,
} from './compare.ts';
import type { StateDocument } from './documents.ts';
import { type Guard, guardOf, type JsonObject, type Kind, type Live } from './kind.ts';
import { type Mark, parseMark, splitMark } from './marks.ts';
import type { Operation } from './operations.ts';
import { objectId } from './order.ts';
import type { Member, Move, OtherSet } from './record.ts';
import type { ResolvedSpec } from './resolve-references.ts';
import type { StateSet } from './set.ts';
import { isAsApplied, type Undo, undoOf } from './undo-guard.ts';

export interface PlanOptions {
  /** Objects that exist without a mark of the set become members, also where they differ. */
  readonly adopt: boolean;
  /** Objects of another set become members of this one. */
  readonly takeOver: boolean;
  /** Undefined: nothing is pruned. */
  readonly prune: PruneOptions | undefined;
  /** Values of secrets are shown. */
  readonly showsSecrets: boolean;
  /** Only these documents are planned; undefined: all. */
  readonly filter: ((document: StateDocument) => boolean) | undefined;
  /** Sets that are planned together with this one. */
  readonly others: readonly OtherSet[];
}

export interface PruneOptions {
  /** How many objects may be deleted; undefined: what the set states. */
  readonly max: number | undefined;
  /** All members may be deleted. */
  readonly all: boolean;
  /** Why nothing may be pruned: the files are not the complete set. */
  readonly refusal: string | undefined;
}

/** The object that was read, or why reading failed. */
export type Read = { readonly live: Live | undefined } | { readonly error: LanyardError };

/** What the state of one object depends on. */
export interface Planning {
  readonly set: StateSet;
  readonly options: PlanOptions;
  /** Members of the record that are in these services, by `objectId`. */
  readonly members: ReadonlyMap<string, Member>;
  readonly hasRecord: boolean;
  /** Objects of other sets that this one takes over, by `objectId`. */
  readonly moves: ReadonlyMap<string, Move>;
}

/** An operation without its place in the plan. */
export type Draft = Omit<Operation, 'n' | 'dependsOn'>;

/** What is done with the object of a document. */
export function draftOf(
  document: StateDocument,
  resolved: ResolvedSpec,
  read: Read,
  planning: Planning,
): Draft {
  const { kind, identity } = document;
  const { spec: desired } = resolved;
  const base = { kind, identity, document, desired, resolved: resolved.resolved, unset: [], changes: [] };
  const isAbsent = document.metadata.ensure === 'absent';
  const guard = (live?: Live): Guard => guardOf(kind, live, isAbsent ? 'delete' : 'change');
  // What it is in does not exist either.
  if (isAbsent && 'error' in read && isNotFound(read.error))
    return { ...base, action: 'none', guard: guard() };
  if ('error' in read)
    return { ...base, action: 'unknown', guard: guard(), error: read.error, reason: read.error.message };
  const { live: found } = read;
  const undo = undoOf(document.metadata);
  if (!found) {
    if (undo?.change === 'update')
      return { ...base, action: 'blocked', guard: guard(), reason: 'was deleted since the apply' };
    if (isAbsent) return { ...base, action: 'none', guard: guard() };
    if (document.metadata.values === 'unmanaged')
      return { ...base, action: 'blocked', guard: guard(), reason: unmanagedMissing };
    const obstacle = kind.obstacle?.('create', desired, undefined);
    if (obstacle !== undefined) return { ...base, action: 'blocked', guard: guard(), reason: obstacle };
    const options = compareOptions(document, resolved, planning, generatedFields(kind, desired));
    const changes = compare(kind.schema, desired, undefined, options);
    const nextMark = markFor(document, planning, undefined);
    return { ...base, action: 'create', guard: guard(), changes, ...compact({ nextMark }) };
  }
  const { spec, mark } = splitMark(kind, found.spec);
  const live: Live = { ...found, spec };
  const shared = { ...base, live, guard: guard(live), ...compact({ mark }) };
  if (kind.isBuiltIn?.(identity, live) && isAbsent)
    return { ...shared, action: 'blocked', reason: 'built in' };
  const foreign = mark !== undefined && mark.id !== planning.set.id;
  const moved = planning.moves.get(objectId(kind, identity));
  const from = moved && isMovedObject(moved, live, mark) ? moved.from : undefined;
  if (foreign && !planning.options.takeOver && !from)
    return { ...shared, action: 'blocked', reason: `belongs to set ${mark.id}; use --take-over` };
  if (undo && !planning.options.adopt && !isAsApplied(kind, live, undo)) {
    const isUndone = !isAbsent && isBeforeApply(document, resolved, live, { planning, undo });
    return isUndone ? { ...shared, action: 'none' } : { ...shared, action: 'blocked', reason: changedSince };
  }
  if (isAbsent) {
    const obstacle = kind.obstacle?.('delete', live.spec, live);
    if (obstacle !== undefined) return { ...shared, action: 'blocked', reason: obstacle };
    const changes = removedFields(kind, live, planning.options);
    return { ...shared, desired: {}, changes, action: 'delete', reason: 'ensure: absent' };
  }
  return updateOf(document, resolved, shared, { planning, mark: foreign ? undefined : mark, from });
}

const changedSince = 'was changed since the apply; use --adopt to change it nevertheless';

/** Whether an object has what the undo restores: the apply did not change it, or it was undone before. */
function isBeforeApply(
  document: StateDocument,
  resolved: ResolvedSpec,
  live: Live,
  { planning, undo }: { readonly planning: Planning; readonly undo: Undo },
): boolean {
  const { kind } = document;
  if (undo.change === 'delete' && undo.valuesVersion !== undefined)
    return live.version === String(undo.valuesVersion);
  return (
    compare(kind.schema, resolved.spec, live.spec, compareOptions(document, resolved, planning)).length === 0
  );
}

/** Whether the object is the one of the other set, not another one that was created with its name. */
const isMovedObject = ({ from, member }: Move, live: Live, mark: Mark | undefined): boolean =>
  mark ? mark.id === from.id : member === undefined || hasSameUid(member, live);

const unmanagedMissing = 'does not exist, and its values are unmanaged: create it, or state its values';

/** The fields that a deletion removes. */
export const removedFields = (
  { schema }: Pick<Kind, 'schema'>,
  { spec }: Pick<Live, 'spec'>,
  { showsSecrets }: Pick<PlanOptions, 'showsSecrets'>,
): FieldChange[] =>
  compare(schema, {}, spec, { isExact: true, stated: new Set(), ignored: new Set(), showsSecrets });

interface Owner {
  readonly planning: Planning;
  /** Of this set. */
  readonly mark: Mark | undefined;
  /** The set that the object moves from. */
  readonly from: Move['from'] | undefined;
}

type Found = Omit<Draft, 'action'> & { readonly live: Live };

function updateOf(
  document: StateDocument,
  resolved: ResolvedSpec,
  shared: Found,
  { planning, mark, from }: Owner,
): Draft {
  const { kind, identity, metadata } = document;
  const member = planning.members.get(objectId(kind, identity));
  const isRecorded = member !== undefined && hasSameUid(member, shared.live);
  const isMarkLost = kind.mark !== undefined && mark === undefined && shared.mark === undefined && isRecorded;
  const undo = undoOf(metadata);
  // It is what the apply left.
  const isOwned = mark !== undefined || (isRecorded && shared.mark === undefined) || undo !== undefined;
  const nextMark = markFor(document, planning, mark ?? rotationOf(member, planning.set));
  const adopts = planning.options.adopt || planning.options.takeOver || from !== undefined;
  const generated = generatedFields(kind, resolved.spec);
  const isAccepted = isOwned || adopts;
  const options = compareOptions(document, resolved, planning, isAccepted ? generated : []);
  const compared =
    metadata.values === 'unmanaged' ? [] : compare(kind.schema, resolved.spec, shared.live.spec, options);
  const rotation = rotationChange(document, mark ?? rotationOf(member, planning.set), isOwned);
  const changes = [...compared, ...rotation];
  const unset = compared.flatMap(({ path, action }) => (action === 'remove' ? [path] : []));
  const draft = { ...shared, changes, unset, ...compact({ nextMark }) };
  if (compared.some(({ path }) => generated.includes(path)))
    return { ...draft, action: 'blocked', reason: otherGenerated };
  const immutable = compared.find(({ path }) => isImmutable(kind.schema, path));
  if (immutable) {
    const reason = `${fieldName(immutable.path)} cannot be changed: delete the object first`;
    return { ...draft, action: 'blocked', reason };
  }
  const obstacle = changes.length > 0 ? kind.obstacle?.('update', resolved.spec, shared.live) : undefined;
  if (obstacle !== undefined) return { ...draft, action: 'blocked', reason: obstacle };
  // Without a record nothing knows that an object without a mark belongs to the set.
  const isAdoptable = kind.mark !== undefined || planning.hasRecord;
  if (changes.length > 0) {
    if (isMarkLost) return { ...draft, action: 'update', reason: 'mark lost' };
    if (isOwned) return { ...draft, action: 'update' };
    if (adopts) return { ...draft, action: 'update', reason: from ? movedFrom(from) : 'adopted' };
    return { ...draft, action: 'blocked', reason: 'exists and does not belong to this set; use --adopt' };
  }
  if (isMarkLost) return { ...draft, action: 'adopt', reason: 'mark lost' };
  if (isOwned || !isAdoptable) return { ...draft, action: 'none' };
  return { ...draft, action: 'adopt', ...(from && { reason: movedFrom(from) }) };
}

const movedFrom = ({ name }: Move['from']): string => `moved from set "${name}"`;

const otherGenerated = 'not the object that the set created or adopted; use --adopt to accept it';

/** The fields that the service generated, or will generate. */
export const generatedFields = ({ generatedFields: pointers }: Kind, spec: JsonObject): readonly string[] =>
  pointers?.(spec) ?? [];

/** Not where one of them has none: the object was created by an apply that did not end, or its kind has no ID. */
const hasSameUid = ({ uid }: Member, live: Live): boolean =>
  uid === undefined || live.uid === undefined || uid === live.uid;

const rotationOf = (member: Member | undefined, { id }: StateSet): Mark | undefined =>
  member && { id, rotation: member.rotation ?? 0 };

const desiredRotation = ({ metadata }: StateDocument): number => Number(metadata.rotate ?? 0);

/** Undefined: an undo removes the mark. */
function markFor(document: StateDocument, { set }: Planning, mark: Mark | undefined): Mark | undefined {
  const owner = undoOf(document.metadata)?.owner;
  if (owner !== undefined) return owner === 'none' ? undefined : parseMark(owner);
  return { id: set.id, rotation: Math.max(desiredRotation(document), mark?.rotation ?? 0) };
}

function rotationChange(document: StateDocument, mark: Mark | undefined, isOwned: boolean): FieldChange[] {
  const [before, after] = [mark?.rotation ?? 0, desiredRotation(document)];
  if (!isOwned || after <= before) return [];
  return [{ path: '/metadata/rotate', action: 'update', before, after, isSensitive: false }];
}

/** Whether write-only fields are sent again. */
export const isRotated = ({ changes }: Pick<Operation, 'changes'>): boolean =>
  changes.some(({ path }) => path === '/metadata/rotate');

function isImmutable(schema: StateDocument['kind']['schema'], pointer: string): boolean {
  const [, , name = ''] = pointer.split('/');
  return memberOf(schema.properties, name)?.isImmutable === true;
}

export function compareOptions(
  { kind, identity, metadata }: StateDocument,
  { resolved }: Pick<ResolvedSpec, 'resolved'>,
  { options, members, moves }: Pick<Planning, 'options' | 'members' | 'moves'>,
  generated: readonly string[] = [],
): CompareOptions {
  const id = objectId(kind, identity);
  const ignored: readonly Json[] = Array.isArray(metadata.ignore) ? metadata.ignore : [];
  return {
    isExact: metadata.fields === 'exact',
    stated: new Set(undoOf(metadata)?.unset ?? (members.get(id) ?? moves.get(id)?.member)?.stated ?? []),
    ignored: new Set([
      ...ignored.map((pointer) => pointerOf(kind.schema, pointerSteps(String(pointer)))),
      ...generated,
    ]),
    showsSecrets: options.showsSecrets || metadata.sensitive === false,
    resolved: options.showsSecrets ? new Set() : resolved,
    mergesKeys: metadata.mergeKeys === true,
  };
}
