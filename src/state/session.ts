import { dirname } from 'node:path';
import type { Context } from '../command/context.ts';
import { conflict, usage } from '../errors.ts';
import type { ServiceName } from '../wire/services.ts';
import { requireSet, type StateDocument } from './documents.ts';
import type { PlanOptions } from './draft.ts';
import { readStateFiles, type StateInput } from './input.ts';
import { labelOf, type Services } from './kind.ts';
import { filesOutside, namedFiles } from './links.ts';
import type { Plan } from './operations.ts';
import { buildPlan } from './plan.ts';
import { problemsError } from './problems.ts';
import { randomId } from './random-id.ts';
import type { RecordStore } from './record.ts';
import { recordStore } from './record-stores.ts';
import type { RecordFiles } from './record-values.ts';
import { readSecretPairs } from './secret-values.ts';
import type { StateSet } from './set.ts';

/** What plan and apply are asked for. */
export interface SessionOptions extends Omit<PlanOptions, 'filter' | 'prune'> {
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

/**
 * Reads files and compares them with the services.
 *
 * @param services the services to use; the context's services, or the same with another signal.
 * @throws LanyardError usage: problems in the files.
 */
export async function openSession(
  options: SessionOptions,
  ctx: Pick<Context, 'input' | 'files' | 'output' | 'system'>,
  services: Services,
): Promise<Session> {
  const { allowsUnknownFields, allowsOutside, paths, prune } = options;
  const read = await readStateFiles(paths, ctx, { allowsUnknownFields });
  const documents = read.documents.map((document) => ({
    ...document,
    resolvePath: (path: string) => ctx.files.absolute(document.resolvePath(path)),
  }));
  const input: StateInput = { ...read, documents };
  if (input.problems.length > 0) throw problemsError(input.problems);
  const set = requireSet(input);
  if (!allowsOutside) await rejectOutside(input, set, paths, ctx.files);
  const storeOf = (through: Services): RecordStore | undefined =>
    set.record &&
    recordStore(set.record, through, {
      files: recordFiles(ctx.files),
      newId: () => randomId(ctx.system.random),
    });
  const filter = filterOf(options, documents);
  const plan = await buildPlan(
    input,
    {
      ...options,
      filter,
      prune: prune && { ...prune, refusal: refusalOf(input, filter !== undefined) },
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
 * Rejects files out of the directory of the set, by their path or through a symbolic link.
 *
 * @throws LanyardError usage: all of them.
 */
async function rejectOutside(
  { documents }: StateInput,
  { record, recordSource }: StateSet,
  paths: readonly string[],
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
  const problems = await filesOutside([...place, ...documents.flatMap(namedFiles)], roots, files.realPath);
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

function recordFiles(files: Context['files']): RecordFiles {
  return {
    exists: (path) => files.exists(path),
    readText: (path, what) => readRegular(files, path, what, maxRecordBytes),
    replace: async (path, content, expected) => {
      await files.createDirectory(dirname(path));
      await files.edit({ path, what: 'the record', mode: 0o600 }, (text) => {
        if (text !== (expected ?? ''))
          throw conflict(`the record of the set in ${path} was changed by another apply`, {
            hint: 'Run `lanyard plan` again.',
          });
        return content;
      });
    },
  };
}

const maxRecordBytes = 64 * 1024 * 1024;

/** Reads a file. A pipe or a device is rejected: reading it may never end. @throws LanyardError usage */
async function readRegular(
  files: Context['files'],
  path: string,
  what: string,
  maxBytes?: number,
): Promise<string> {
  if ((await files.exists(path)) && !(await files.isFile(path)))
    throw usage(`cannot read ${what} from ${path}: not a regular file`);
  return files.readText(path, what, maxBytes);
}
