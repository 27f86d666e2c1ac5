import { conflict, isFailure, LanyardError } from '../errors.ts';
import { mapConcurrently } from '../wire/concurrently.ts';
import type { ServiceName } from '../wire/services.ts';
import { requireSet, type StateDocument, type StateFiles } from './documents.ts';
import { type Draft, draftOf, isRotated, type Planning, type PlanOptions, type Read } from './draft.ts';
import { type Live, omittedTexts, readerOf, type Services } from './kind.ts';
import { findKind } from './kinds.ts';
import { membersHere, type Origins, readOrigins } from './members.ts';
import { movesTo } from './moves.ts';
import {
  type Action,
  isChange,
  type Operation,
  operationLabel,
  type Plan,
  type PlanWarning,
} from './operations.ts';
import { dependencies, inOrder, objectId } from './order.ts';
import { problemsError } from './problems.ts';
import { type StartProgress, withProgress } from './progress.ts';
import { addressOf, pruneOperations } from './prune.ts';
import type { Member, RecordStore, SetRecord } from './record.ts';
import { type ResolvedSpec, resolveReferences, type ValueSources } from './resolve-references.ts';
import type { StateSet } from './set.ts';
import { checkTargets } from './targets.ts';
import { deleteWithContainers, keepContents } from './undo-contents.ts';

interface Parts {
  readonly services: Services;
  readonly values: ValueSources;
  /** Undefined: the set has no record. */
  readonly store: RecordStore | undefined;
  readonly progress: StartProgress;
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
  const documents = inOrder(chosen.filter((document) => !isOmitted(document)));
  const targets = await checkTargets(set, parts.services);
  const specs = await resolveReferences(documents, parts.values);
  const stored = await parts.store?.read();
  checkRecord(set, stored?.record);
  const recorded = stored?.record.members ?? [];
  // Members of other sets are known by where they are too.
  const needsOrigins = parts.store !== undefined || options.others.length > 0;
  const origins = needsOrigins
    ? await readOrigins(servicesOf(documents, recorded), parts.services)
    : noOrigins;
  const readObject = readerOf(parts.services);
  const readAll = (count: () => void) =>
    mapConcurrently(documents, async (document): Promise<Read> => {
      const origin = origins.get(document.kind.service);
      // Whose object it is would not be known either.
      const isKnown = !(origin instanceof LanyardError);
      const read = isKnown ? await readLive(document, readObject) : { error: origin };
      count();
      return read;
    });
  const reads = await withProgress(parts.progress, 'reading objects', documents.length, readAll);
  const lives = new Map(
    documents.map(({ kind, identity }, index) => [objectId(kind, identity), liveIn(reads[index])]),
  );
  const members = membersHere(recorded, origins, (id) => lives.get(id));
  const hasRecord = parts.store !== undefined;
  const moves = movesTo(documents, options.others, { origins, lives, hasRecord });
  const planning: Planning = { set, options, members, hasRecord, moves };
  const kept = await keepContents(evaluate(documents, reads, specs, planning), options, parts.services);
  const evaluated = deleteWithContainers(kept, options);
  const pruned = options.prune
    ? await pruneOperations(set, files.documents, options.prune, {
        record: stored?.record,
        origins,
        services: parts.services,
        statedIds: new Set(
          evaluated.flatMap(({ kind, live }) => (live?.id === undefined ? [] : [addressOf(kind, live.id)])),
        ),
        kept: new Set(options.others.flatMap(({ stated }) => [...stated])),
        progress: parts.progress,
      })
    : { operations: [], warnings: [], missing: new Set<string>() };
  const operations = numbered([...evaluated, ...pruned.operations], dependencies(documents));
  return {
    set,
    targets,
    generation: stored?.record.generation ?? 0,
    isComplete: operations.every(({ action }) => action !== 'unknown'),
    operations,
    warnings: [
      ...omittedWarnings(chosen.filter(isOmitted)),
      ...(await namespaceWarnings(documents, parts.services)),
      ...withoutOwner(documents, parts.store !== undefined),
      ...operations.flatMap(notices),
      ...pruned.warnings,
      ...files.unused.map(({ position, message }) => ({ code: 'unused-value', message, source: position })),
    ],
    record: stored?.record,
    origins,
    members,
    missing: pruned.missing,
    moves,
    leaving: [],
    recordVersion: stored?.version,
  };
}

const isOmitted = ({ kind, metadata, spec }: StateDocument): boolean =>
  metadata.ensure !== 'absent' && kind.omitted?.(spec) !== undefined;

function omittedWarnings(omitted: readonly StateDocument[]): readonly PlanWarning[] {
  return [...Map.groupBy(omitted, ({ kind }) => kind)].flatMap(([kind, documents]) =>
    omittedTexts(
      kind,
      documents.map(({ spec }) => spec),
    ).map((message) => ({ code: 'omitted', message })),
  );
}

/** Files state the namespace of a variable: the namespace of the settings, which commands use, is not applied. */
async function namespaceWarnings(
  documents: readonly StateDocument[],
  services: Services,
): Promise<readonly PlanWarning[]> {
  const inDefault = documents.some(
    ({ kind, identity }) => kind.service === 'scheduler' && identity.scope.namespace === 'default',
  );
  if (!inDefault) return [];
  const { namespace = 'default' } = await services.settings('scheduler');
  if (namespace === 'default' || namespace === '*') return [];
  return [
    {
      code: 'namespace',
      message: `scheduler.namespace "${namespace}" is not used: variables without metadata.namespace are in namespace "default"`,
    },
  ];
}

const noOrigins: Origins = new Map();

/** The services of documents and members. */
function servicesOf(
  documents: readonly StateDocument[],
  members: readonly Member[],
): ReadonlySet<ServiceName> {
  const ofMembers = new Set(members.map(({ kind }) => kind));
  return new Set([
    ...documents.map(({ kind }) => kind.service),
    ...[...ofMembers].flatMap((name) => findKind(name)?.service ?? []),
  ]);
}

const liveIn = (read: Read | undefined): Live | undefined => (read && 'live' in read ? read.live : undefined);

function checkRecord(set: StateSet, record: SetRecord | undefined): void {
  if (record && record.id !== set.id)
    throw conflict(`the record of set "${set.name}" belongs to the set with ID ${record.id}`, {
      hint: 'Change spec.record of one of the two sets.',
    });
}

async function readLive(
  { kind, identity }: StateDocument,
  readObject: ReturnType<typeof readerOf>,
): Promise<Read> {
  try {
    return { live: await readObject(kind, identity) };
  } catch (error) {
    if (isFailure(error)) return { error };
    throw error;
  }
}

function evaluate(
  documents: readonly StateDocument[],
  reads: readonly Read[],
  specs: ReadonlyMap<StateDocument, ResolvedSpec>,
  planning: Planning,
): readonly Draft[] {
  const needs = dependencies(documents);
  const created = new Set<StateDocument>();
  return documents.map((document, index): Draft => {
    const read = reads[index] ?? { live: undefined };
    const resolved = specs.get(document) ?? { spec: document.spec, resolved: new Set<string>() };
    const isInNew = (needs.get(document) ?? []).some((other) => created.has(other));
    // What it refers to does not exist yet, so the service could not look for it.
    const isMissing =
      'error' in read &&
      ((isInNew && isOfMissing(read.error)) ||
        (document.metadata.ensure === 'absent' && read.error.kind === 'not_found'));
    const found = isMissing ? { live: undefined } : read;
    const draft = draftOf(document, resolved, found, planning);
    if (draft.action === 'create') created.add(document);
    return draft;
  });
}

/** Whether a service may have responded so because what it was asked about does not exist. */
const isOfMissing = ({ kind, status }: LanyardError): boolean =>
  kind !== 'unreachable' && (kind !== 'failure' || status !== undefined);

/** Kinds of the files that have no owner, because they cannot carry a mark and the set has no record. */
function withoutOwner(documents: readonly StateDocument[], hasRecord: boolean): readonly PlanWarning[] {
  if (hasRecord) return [];
  const names = new Set(documents.flatMap(({ kind }) => (kind.mark ? [] : [kind.name])));
  return [...names].map((name) => ({
    code: 'no-owner',
    message: `${name} cannot carry the mark of a set, and the set has no record: changes need --adopt, and nothing of it is pruned`,
  }));
}

/** What people have to do after an operation. */
function notices(operation: Operation): readonly PlanWarning[] {
  const { kind, identity, action, desired, document } = operation;
  if (action !== 'create' && !isRotated(operation)) return [];
  const notice = kind.notice?.(identity, desired ?? {});
  if (notice === undefined) return [];
  const message = `${operationLabel(operation)}: ${notice}`;
  return [{ code: 'notice', message, ...(document && { source: document.source }) }];
}

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
