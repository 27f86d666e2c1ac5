import { dirname, relative } from 'node:path';
import type { Context } from '../command/context.ts';
import { LanyardError } from '../errors.ts';
import { countText } from '../output/humanize.ts';
import { renderYaml } from '../output/yaml.ts';
import { mapConcurrently } from '../wire/concurrently.ts';
import { toPrintable } from '../wire/printable.ts';
import type { Applied } from './apply.ts';
import { apiVersion } from './documents.ts';
import type { OperationResult } from './execute.ts';
import type { JsonObject, Services } from './kind.ts';
import { isChange, type Operation, operationLabel, type Plan, type PlanWarning } from './operations.ts';
import { objectId } from './order.ts';
import { type UndoContext, type UndoneOperation, undoOperation } from './undo-document.ts';

/** Where an undo is written. */
export interface UndoTarget {
  readonly file: string;
  /** An existing file is replaced. */
  readonly replace: boolean;
  /** Encrypts the file, which has the values of secrets then; undefined: it has none. */
  readonly encrypt: ((text: string) => Promise<string>) | undefined;
}

/** The undo of an apply as data. */
export interface UndoResult {
  readonly file: string;
  readonly encrypted: boolean;
  /** Objects that the file takes back; 0: it was not written. */
  readonly objects: number;
  readonly notRestored: readonly { readonly id: OperationId; readonly what: string; readonly all: boolean }[];
}

interface OperationId {
  readonly kind: string;
  readonly scope: Readonly<Record<string, string>>;
  readonly key: string;
}

/** The file that takes an apply back, during that apply. */
export interface UndoRun {
  /** What cannot be taken back, for the time before the confirmation. */
  readonly warnings: readonly PlanWarning[];
  /** Writes what takes all operations back, before the first of them. */
  begin(): Promise<void>;
  /** Reduces the file to the operations that were done, or whose outcome is unknown. */
  end(applied: Pick<Applied, 'results'>): Promise<UndoResult>;
  /** Removes the file: nothing was changed. */
  discard(): Promise<void>;
}

/** Prepares the undo of a plan. Nothing is written. */
export async function prepareUndo(
  plan: Plan,
  { file, replace, encrypt }: UndoTarget,
  { services, files }: { readonly services: Services; readonly files: Context['files'] },
): Promise<UndoRun> {
  const changes = plan.operations.filter(isChange);
  const kept = new Set<Operation>();
  const deleted = new Set(
    changes.flatMap(({ action, kind, identity }) => (action === 'delete' ? [objectId(kind, identity)] : [])),
  );
  if (!encrypt)
    await mapConcurrently(changes, async (operation) => {
      const { action, kind, identity, live } = operation;
      if (action === 'create' || !live || !kind.versions) return;
      const isGone = (kind.references?.(identity, live.spec) ?? []).some((reference) =>
        deleted.has(objectId({ name: reference.kind }, reference.identity)),
      );
      // A deletion keeps every version, except with the mount.
      if (isGone || live.version === '') return;
      if (action === 'delete' || (await kind.versions.keeps(services, identity))) kept.add(operation);
    });
  const context: UndoContext = {
    plan,
    hasSecrets: encrypt !== undefined,
    keepsValues: (operation) => kept.has(operation),
  };
  const planned = changes.flatMap((operation) => undoOperation(operation, undefined, context) ?? []);
  const write = async (undone: readonly UndoneOperation[], replaces: boolean): Promise<void> => {
    const text = await undoText(undone, plan, file, files);
    const content = encrypt ? await encrypt(text) : text;
    await files.write([{ path: file, content, replace: replaces }]);
  };
  let isWritten = false;
  const discard = async (): Promise<void> => {
    if (isWritten) await files.remove(file);
  };
  return {
    warnings: planned.flatMap(warningOf),
    async begin() {
      await write(planned, replace);
      isWritten = true;
    },
    async end({ results }) {
      const undone = results.flatMap((result) => undoneBy(result, context));
      if (undone.length === 0) await discard();
      else await write(undone, true).catch(describeUnwritten(file));
      return resultOf(undone, file, encrypt !== undefined);
    },
    discard,
  };
}

function undoneBy(
  { operation, status, live }: OperationResult,
  context: UndoContext,
): readonly UndoneOperation[] {
  if (status !== 'done' && status !== 'unknown') return [];
  return [undoOperation(operation, status === 'done' ? live : undefined, context) ?? []].flat();
}

const describeUnwritten =
  (file: string) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError)) throw error;
    throw new LanyardError(
      'unknown',
      `the changes were made, but the undo is not up to date: ${error.message}`,
      {
        ...error,
        details: [`${file} takes back every operation of the plan`],
      },
    );
  };

const idOf = ({ kind, identity }: Operation): OperationId => ({
  kind: kind.name,
  scope: identity.scope,
  key: identity.key,
});

function resultOf(undone: readonly UndoneOperation[], file: string, encrypted: boolean): UndoResult {
  return {
    file,
    encrypted,
    objects: undone.filter(({ document }) => document).length,
    notRestored: undone.flatMap(({ operation, notRestored }) =>
      notRestored ? [{ id: idOf(operation), what: notRestored.what, all: notRestored.isAll === true }] : [],
    ),
  };
}

function warningOf({ operation, notRestored }: UndoneOperation): readonly PlanWarning[] {
  if (!notRestored) return [];
  const { document } = operation;
  return [
    {
      code: 'not-restored',
      message: `${operationLabel(operation)}: ${limitText(notRestored)}`,
      ...(document && { source: document.source }),
    },
  ];
}

const limitText = ({ what, isAll }: NonNullable<UndoneOperation['notRestored']>): string =>
  isAll ? `the change cannot be undone: ${what} cannot be restored` : `the undo does not restore ${what}`;

/** The note after an apply. */
export function undoNote({ file, objects, encrypted, notRestored }: UndoResult): string {
  if (objects === 0)
    return notRestored.length === 0
      ? `Nothing changed: ${file} was not written.`
      : `${file} has no documents: no change can be undone.`;
  const identity = encrypted ? ' with --identity or --passphrase' : '';
  return `Run \`lanyard apply ${file}\`${identity} to undo ${countText(objects, 'change')}.`;
}

/** The text of the file: comments, the set, and a document for each object. */
async function undoText(
  undone: readonly UndoneOperation[],
  plan: Plan,
  file: string,
  files: Context['files'],
): Promise<string> {
  const lost = undone.flatMap(({ operation, notRestored }) =>
    notRestored
      ? [`#   ${toPrintable(operationLabel(operation))}: ${toPrintable(limitText(notRestored))}`]
      : [],
  );
  const head = [
    `# Takes back changes of set "${plan.set.name}". Written by "lanyard apply --undo".`,
    '# Check it with "lanyard plan FILE", carry it out with "lanyard apply FILE".',
    ...(lost.length > 0 ? ['#', '# Not restored:', ...lost] : []),
  ];
  const documents = [setDocument(plan, file, files), ...undone.flatMap(({ document }) => document ?? [])];
  const texts = await Promise.all(documents.map((document) => renderYaml(document)));
  return `${head.join('\n')}\n---\n${texts.join('---\n')}`;
}

function setDocument({ set }: Plan, file: string, files: Context['files']): JsonObject {
  const { name, id, targets, record } = set;
  // The path of a record in a file is relative to the document.
  const place =
    record?.store === 'file'
      ? relative(dirname(files.absolute(file)), files.absolute(record.path))
      : record?.path;
  const spec = {
    ...(Object.keys(targets).length > 0 ? { targets } : {}),
    ...(record ? { record: `${record.store}:${place}` } : {}),
  };
  return { apiVersion, kind: 'Set', metadata: { name, id }, spec } as unknown as JsonObject;
}
