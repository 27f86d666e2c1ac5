import { dirname } from 'node:path';
import type { Context } from '../command/context.ts';
import { usage } from '../errors.ts';
import { compact } from '../wire/objects.ts';
import type { ServiceName } from '../wire/services.ts';
import { sharedObjects } from './check.ts';
import { requireSet, type StateDocument } from './documents.ts';
import type { PlanOptions } from './draft.ts';
import { type Decrypt, readSets, readStateFiles, type StateInput } from './input.ts';
import { labelOf, type Services } from './kind.ts';
import { filesOutside, isBelow, namedFiles } from './links.ts';
import { withLeaving } from './moves.ts';
import type { Plan } from './operations.ts';
import { objectId } from './order.ts';
import { buildPlan } from './plan.ts';
import { type Problem, problemsError } from './problems.ts';
import { randomId } from './random-id.ts';
import type { OtherSet, RecordStore } from './record.ts';
import { recordStore } from './record-stores.ts';
import { type Path, stdinName } from './references.ts';
import { readSecretPairs } from './secret-values.ts';
import { readRegular, recordFiles } from './session-files.ts';
import type { StateSet } from './set.ts';

/** What plan and apply are asked for. */
export interface SessionOptions extends Omit<PlanOptions, 'filter' | 'prune' | 'others'> {
  readonly paths: readonly string[];
  readonly allowsUnknownFields: boolean;
  /** Reads and writes files out of the directory of the set, also through symbolic links. */
  readonly allowsOutside: boolean;
  /** Only objects of these services and kinds, and with these names; empty: all. */
  readonly services: readonly ServiceName[];
  readonly kinds: readonly string[];
  readonly names: readonly string[];
  /** Undefined: nothing is pruned. */
  readonly prune: { readonly max: number | undefined; readonly all: boolean } | undefined;
}

/** A plan, and what is needed to apply it. */
export interface Session {
  readonly input: StateInput;
  readonly plan: Plan;
  /** The record of the set, through these services; undefined: the set has none. */
  readonly storeOf: (services: Services) => RecordStore | undefined;
}

type SessionContext = Pick<Context, 'input' | 'files' | 'output' | 'system'>;

/**
 * Reads the files of one set and compares them with the services.
 *
 * @param services the services to use; the context's services, or the same with another signal.
 * @param decrypt the content of an encrypted file; the same bytes of any other.
 * @throws LanyardError usage: problems in the files.
 */
export async function openSession(
  options: SessionOptions,
  ctx: SessionContext,
  services: Services,
  decrypt?: Decrypt,
): Promise<Session> {
  const { allowsUnknownFields, paths } = options;
  const read = await readStateFiles(paths, ctx, { allowsUnknownFields, ...compact({ decrypt }) });
  const opened = await openSet(read, options, ctx);
  return planSet(opened, options, { services, others: [], documents: opened.input.documents }, ctx);
}

/**
 * The same for the sets of several paths, in their order; for one set if only one path has a document of kind Set.
 *
 * @throws LanyardError usage: problems in the files of all sets, or an object that two of them state.
 */
export async function openSessions(
  options: SessionOptions,
  ctx: SessionContext,
  services: Services,
  decrypt?: Decrypt,
): Promise<readonly Session[]> {
  const { allowsUnknownFields, paths } = options;
  const inputs = await readSets(paths, ctx, { allowsUnknownFields, ...compact({ decrypt }) });
  const problems = inputs.flatMap((input) => input.problems);
  if (problems.length > 0) throw problemsError(problems);
  const sets: OpenedSet[] = [];
  for (const input of inputs) sets.push(await openSet(input, options, ctx));
  const shared = sharedObjects(inputs);
  if (shared.length > 0) throw problemsError(shared);
  const several = sets.length > 1;
  const read = async ({ set, storeOf, input }: OpenedSet): Promise<OtherSet> => ({
    set,
    record: (await storeOf(services)?.read())?.record,
    stated: new Set(input.documents.map(({ kind, identity }) => objectId(kind, identity))),
  });
  const known = several ? await Promise.all(sets.map(read)) : [];
  const documents = sets.flatMap(({ input }) => input.documents);
  const sessions: Session[] = [];
  for (const opened of sets) {
    const others = known.filter(({ set }) => set !== opened.set);
    sessions.push(await planSet(opened, options, { services, others, documents }, ctx));
  }
  return withLeaving(sessions);
}

/** The checked files of a set. */
interface OpenedSet extends Pick<Session, 'storeOf'> {
  readonly input: StateInput;
  readonly set: StateSet;
}

async function openSet(
  read: StateInput,
  { allowsOutside }: SessionOptions,
  ctx: SessionContext,
): Promise<OpenedSet> {
  const documents = read.documents.map((document) => ({
    ...document,
    resolvePath: (path: string, at?: Path) => ctx.files.absolute(document.resolvePath(path, at)),
  }));
  const input: StateInput = { ...read, documents };
  if (input.problems.length > 0) throw problemsError(input.problems);
  const set = requireSet(input);
  if (!allowsOutside) await rejectOutside(input, set, ctx.files);
  const storeOf = (through: Services): RecordStore | undefined =>
    set.record &&
    recordStore(set.record, through, {
      files: recordFiles(ctx.files),
      newId: () => randomId(ctx.system.random),
    });
  return { input, set, storeOf };
}

interface Planned {
  readonly services: Services;
  readonly others: readonly OtherSet[];
  /** Of all sets. */
  readonly documents: readonly StateDocument[];
}

async function planSet(
  { input, storeOf }: OpenedSet,
  options: SessionOptions,
  { services, others, documents }: Planned,
  ctx: SessionContext,
): Promise<Session> {
  const { prune } = options;
  const filter = filterOf(options, documents);
  const plan = await buildPlan(
    input,
    {
      ...options,
      filter,
      prune: prune && { ...prune, refusal: refusalOf(input, filter !== undefined) },
      others,
    },
    {
      services,
      store: storeOf(services),
      progress: ctx.output.progress,
      values: {
        env: ctx.system.env,
        readText: (path, what) => readRegular(ctx.files, path, what),
        services,
        readSecret: (path) => readSecretPairs(path, services),
        onSecret: (value) => ctx.output.mask(value),
      },
    },
  );
  return { input, plan, storeOf };
}

/**
 * Rejects files out of the directory of the set, by their path or through a symbolic link. What a base states may be in
 * the directory of the base.
 *
 * @throws LanyardError usage: all of them.
 */
async function rejectOutside(
  { documents, paths }: StateInput,
  { record, recordSource, bases }: StateSet,
  files: Context['files'],
): Promise<void> {
  const place =
    record?.store === 'file'
      ? [{ text: `file:${record.path}`, path: files.absolute(record.path), position: recordSource }]
      : [];
  const roots = await Promise.all(
    paths.map(async (path) =>
      files.absolute(path === '-' ? '.' : (await files.isFile(path)) ? dirname(path) : path),
    ),
  );
  const directories = bases.map(({ path }) => files.absolute(path));
  const byRoot = Map.groupBy([...place, ...documents.flatMap(namedFiles)], ({ position: { file } }) =>
    file === stdinName ? undefined : directories.find((base) => isBelow(base, files.absolute(file))),
  );
  const problems: Problem[] = [];
  for (const [base, named] of byRoot)
    problems.push(
      ...(await filesOutside(named, base === undefined ? roots : [base], (path) => files.realPath(path))),
    );
  if (problems.length > 0)
    throw problemsError(
      problems,
      'Move the file into the directory of the set, or use --allow-outside. Nothing was written.',
    );
}

/**
 * Which documents the options select; undefined: all.
 *
 * @throws LanyardError usage: no document has one of the names.
 */
function filterOf(
  { services, kinds, names }: Pick<SessionOptions, 'services' | 'kinds' | 'names'>,
  documents: readonly StateDocument[],
): ((document: StateDocument) => boolean) | undefined {
  if (services.length + kinds.length + names.length === 0) return undefined;
  const hasName = ({ kind, identity }: StateDocument, name: string): boolean =>
    identity.key === name || labelOf(kind, identity) === name;
  const unknown = names.find((name) => !documents.some((document) => hasName(document, name)));
  if (unknown !== undefined) throw usage(`no object in the files has the name "${unknown}"`);
  return (document) =>
    (services.length === 0 || services.includes(document.kind.service)) &&
    (kinds.length === 0 || kinds.includes(document.kind.name)) &&
    (names.length === 0 || names.some((name) => hasName(document, name)));
}

/** Why the files cannot be the complete set; undefined: they can. */
function refusalOf(input: StateInput, isFiltered: boolean): string | undefined {
  if (isFiltered) return '--service, --kind and --name select a part of the set';
  if (input.isFromDirectories) return undefined;
  return 'all files of the set are required: use its directory, not single files or standard input';
}
