import { conflict, LanyardError } from '../errors.ts';
import type { Json } from '../wire/json.ts';
import { type CompareOptions, compare, type FieldChange, withoutWriteOnly } from './compare.ts';
import { mapConcurrently } from './concurrently.ts';
import type { StateDocument, StateFiles } from './documents.ts';
import { requireSet } from './documents.ts';
import { type JsonObject, type Live, labelOf, type Services } from './kind.ts';
import { type Mark, splitMark } from './marks.ts';
import {
  type Action,
  type Guard,
  isChange,
  type Operation,
  type Plan,
  type PlanWarning,
} from './operations.ts';
import { dependencies, inOrder, objectId } from './order.ts';
import { problemsError } from './problems.ts';
import { pruneOperations } from './prune.ts';
import type { Member, RecordStore, SetRecord } from './record.ts';
import { type ResolvedSpec, resolveReferences, type ValueSources } from './references.ts';
import type { StateSet } from './set.ts';
import { checkTargets } from './targets.ts';

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
}

export interface PruneOptions {
  /** How many objects may be deleted; undefined: what the set states. */
  readonly max: number | undefined;
  /** All members may be deleted. */
  readonly all: boolean;
  /** Why nothing may be pruned: the files are not the whole set. */
  readonly refusal: string | undefined;
}

interface Parts {
  readonly services: Services;
  readonly values: ValueSources;
  /** Undefined: the set has no record. */
  readonly store: RecordStore | undefined;
}

/**
 * Compares the files of a set with the services.
 *
 * @throws LanyardError usage: a problem in the files, a missing value, or services that the set is not for; nothing
 * was written. Objects that cannot be read are in the plan.
 */
export async function buildPlan(files: StateFiles, options: PlanOptions, parts: Parts): Promise<Plan> {
  if (files.problems.length > 0) throw problemsError(files.problems);
  const set = requireSet(files);
  const chosen = files.documents.filter((document) => options.filter?.(document) ?? true);
  const documents = inOrder(chosen);
  const targets = await checkTargets(set, parts.services);
  const specs = await resolveReferences(documents, parts.values);
  const stored = await parts.store?.read();
  checkRecord(set, stored?.record);
  const reads = await mapConcurrently(documents, async (document) => readLive(document, parts.services));
  const planning: Planning = { set, options, record: stored?.record, hasRecord: parts.store !== undefined };
  const evaluated = evaluate(documents, reads, specs, planning);
  const pruned = options.prune
    ? await pruneOperations(set, files.documents, stored?.record, options.prune, parts.services)
    : { operations: [], warnings: [] };
  const operations = numbered([...evaluated.operations, ...pruned.operations], dependencies(documents));
  return {
    set,
    targets,
    generation: stored?.record.generation ?? 0,
    isComplete: operations.every(({ action }) => action !== 'unknown'),
    operations,
    warnings: [...evaluated.warnings, ...pruned.warnings],
    record: stored?.record,
    recordVersion: stored?.version,
  };
}

function checkRecord(set: StateSet, record: SetRecord | undefined): void {
  if (record && record.id !== set.id)
    throw conflict(`the record of set "${set.name}" belongs to the set with ID ${record.id}`, {
      hint: 'Change spec.record of one of the two sets.',
    });
}

type Read = { readonly live: Live | undefined } | { readonly error: LanyardError };

async function readLive({ kind, identity }: StateDocument, services: Services): Promise<Read> {
  try {
    return { live: await kind.read(services, identity) };
  } catch (error) {
    if (error instanceof LanyardError && error.kind !== 'interrupted') return { error };
    throw error;
  }
}

interface Planning {
  readonly set: StateSet;
  readonly options: PlanOptions;
  readonly record: SetRecord | undefined;
  readonly hasRecord: boolean;
}

/** An operation without its place in the plan. */
export type Draft = Omit<Operation, 'n' | 'dependsOn'>;

function evaluate(
  documents: readonly StateDocument[],
  reads: readonly Read[],
  specs: ReadonlyMap<StateDocument, ResolvedSpec>,
  planning: Planning,
): { readonly operations: readonly Draft[]; readonly warnings: readonly PlanWarning[] } {
  const needs = dependencies(documents);
  const created = new Set<StateDocument>();
  const warnings: PlanWarning[] = [];
  const operations = documents.map((document, index): Draft => {
    const read = reads[index] ?? { live: undefined };
    const resolved = specs.get(document) ?? { spec: document.spec, resolved: new Set<string>() };
    const isInNew = (needs.get(document) ?? []).some((other) => created.has(other));
    // What it refers to does not exist yet, so the service could not look for it.
    const found =
      'error' in read && isInNew && read.error.kind !== 'unreachable' ? { live: undefined } : read;
    const draft = draftOf(document, resolved, found, planning);
    if (draft.action === 'create') created.add(document);
    return draft;
  });
  return { operations, warnings };
}

function draftOf(document: StateDocument, resolved: ResolvedSpec, read: Read, planning: Planning): Draft {
  const { kind, identity } = document;
  const base = { kind, identity, document, desired: resolved.spec, unset: [], changes: [] } as const;
  const guard = (live?: Live): Guard => ({ type: kind.guard, value: live?.version ?? '' });
  if ('error' in read)
    return { ...base, action: 'unknown', guard: guard(), error: read.error, reason: read.error.message };
  const { live: found } = read;
  const isAbsent = document.metadata.ensure === 'absent';
  if (!found) {
    if (isAbsent) return { ...base, action: 'none', guard: guard() };
    const changes = compare(
      kind.schema,
      resolved.spec,
      undefined,
      compareOptions(document, resolved, planning),
    );
    return {
      ...base,
      action: 'create',
      guard: guard(),
      changes,
      nextMark: markFor(document, planning, undefined),
    };
  }
  const { spec, mark } = splitMark(kind, found.spec);
  const live: Live = { ...found, spec };
  const shared = { ...base, live, guard: guard(live), ...(mark ? { mark } : {}) };
  if (kind.isBuiltIn?.(identity, live) && isAbsent)
    return { ...shared, action: 'blocked', reason: 'built in' };
  const foreign = mark !== undefined && mark.id !== planning.set.id;
  if (foreign && !planning.options.takeOver)
    return { ...shared, action: 'blocked', reason: `belongs to set ${mark.id}; use --take-over` };
  const deleteGuard: Guard = { type: kind.deleteGuard ?? kind.guard, value: live.version };
  if (isAbsent) return { ...shared, action: 'delete', guard: deleteGuard, reason: 'ensure: absent' };
  return updateOf(document, resolved, shared, { planning, mark: foreign ? undefined : mark });
}

type Found = Omit<Draft, 'action'> & { readonly live: Live };

function updateOf(
  document: StateDocument,
  resolved: ResolvedSpec,
  shared: Found,
  { planning, mark }: { readonly planning: Planning; readonly mark: Mark | undefined },
): Draft {
  const { kind, identity, metadata } = document;
  const member = memberOf(planning.record, kind.name, identity);
  const isOwned = kind.mark ? mark !== undefined : member !== undefined;
  const nextMark = markFor(document, planning, mark ?? rotationOf(member, planning.set));
  const options = compareOptions(document, resolved, planning);
  const compared =
    metadata.values === 'unmanaged' ? [] : compare(kind.schema, resolved.spec, shared.live.spec, options);
  const rotation = rotationChange(document, mark ?? rotationOf(member, planning.set), isOwned);
  const changes = [...compared, ...rotation];
  const unset = compared.flatMap(({ path, action }) => (action === 'remove' ? [path] : []));
  const draft = { ...shared, changes, unset, nextMark };
  const immutable = compared.find(({ path }) => isImmutable(kind.schema, path));
  if (immutable)
    return {
      ...draft,
      action: 'blocked',
      reason: `${immutable.path} cannot be changed: delete the object first`,
    };
  // Without a record nothing knows that an object without a mark belongs to the set.
  const isAdoptable = kind.mark !== undefined || planning.hasRecord;
  if (changes.length > 0) {
    if (isOwned) return { ...draft, action: 'update' };
    if (planning.options.adopt || planning.options.takeOver)
      return { ...draft, action: 'update', reason: 'adopted' };
    return { ...draft, action: 'blocked', reason: 'exists and does not belong to this set; use --adopt' };
  }
  return { ...draft, action: isOwned || !isAdoptable ? 'none' : 'adopt' };
}

const memberOf = (
  record: SetRecord | undefined,
  kind: string,
  identity: StateDocument['identity'],
): Member | undefined =>
  record?.members.find(
    (member) =>
      objectId({ name: member.kind }, { scope: member.scope, key: member.key }) ===
      objectId({ name: kind }, identity),
  );

const rotationOf = (member: Member | undefined, { id }: StateSet): Mark | undefined =>
  member && { id, rotation: member.rotation ?? 0 };

const desiredRotation = ({ metadata }: StateDocument): number => Number(metadata.rotate ?? 0);

const markFor = (document: StateDocument, { set }: Planning, mark: Mark | undefined): Mark => ({
  id: set.id,
  rotation: Math.max(desiredRotation(document), mark?.rotation ?? 0),
});

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
  return schema.properties[name]?.isImmutable === true;
}

export function compareOptions(
  { kind, identity, metadata }: StateDocument,
  { resolved }: Pick<ResolvedSpec, 'resolved'>,
  { options, record }: Pick<Planning, 'options' | 'record'>,
): CompareOptions {
  const ignored: readonly Json[] = Array.isArray(metadata.ignore) ? metadata.ignore : [];
  return {
    isExact: metadata.fields === 'exact',
    stated: new Set(memberOf(record, kind.name, identity)?.stated ?? []),
    ignored: new Set(ignored.map(String)),
    showsSecrets: options.showsSecrets || metadata.sensitive === false,
    resolved,
    mergesKeys: metadata.mergeKeys === true,
  };
}

/** Fields that are compared after a write: the service must have kept them. */
export const comparable = ({ kind }: StateDocument, spec: JsonObject): JsonObject =>
  withoutWriteOnly(kind.schema, spec);

/** Gives each operation its number. Deletions come last; what an object refers to comes before it. */
function numbered(
  drafts: readonly Draft[],
  needs: ReadonlyMap<StateDocument, readonly StateDocument[]>,
): readonly Operation[] {
  const writes = drafts.filter(({ action }) => action !== 'delete');
  const deletions = drafts.filter(({ action }) => action === 'delete');
  const ordered = [...writes, ...deletions.reverse()];
  const numbers = new Map(
    ordered.flatMap(({ document }, index) => (document ? [[document, index + 1] as const] : [])),
  );
  return ordered.map((draft, index) => {
    const required = draft.document ? (needs.get(draft.document) ?? []) : [];
    const dependsOn = required.flatMap((other) => {
      const n = numbers.get(other);
      const action = n === undefined ? undefined : ordered[n - 1]?.action;
      return n !== undefined && action !== undefined && isChange({ action }) && action !== 'delete'
        ? [n]
        : [];
    });
    return { ...draft, n: index + 1, dependsOn };
  });
}

/** How many operations of each action a plan has. */
export function countActions(
  operations: readonly Pick<Operation, 'action'>[],
): Readonly<Record<Action, number>> {
  const counts: Record<Action, number> = {
    create: 0,
    update: 0,
    delete: 0,
    adopt: 0,
    none: 0,
    blocked: 0,
    unknown: 0,
  };
  for (const { action } of operations) counts[action] += 1;
  return counts;
}

/** `KIND NAME`, for messages. */
export const operationLabel = ({ kind, identity }: Pick<Operation, 'kind' | 'identity'>): string =>
  `${kind.name} ${labelOf(kind, identity)}`.trimEnd();
