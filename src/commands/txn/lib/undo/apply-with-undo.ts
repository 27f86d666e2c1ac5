import type { RegistryClient } from '../../../../api/registry.ts';
import type { Context } from '../../../../command/context.ts';
import { LanyardError, usage } from '../../../../errors.ts';
import { countText } from '../../../../output/humanize.ts';
import { formatJson, type Json } from '../../../../wire/json.ts';
import { maxBytes, maxOperations, type Operation } from '../transaction.ts';
import { type Guarded, guard } from './guards.ts';
import { type Left, leftByResults, leftByState, leftUnchanged, undoOperations } from './operations.ts';
import { readState, type State } from './state.ts';

/** The response to a transaction. */
export type Applied = Awaited<ReturnType<RegistryClient['applyTransaction']>>['body'];

/** The registry, and a function that applies a transaction in a datacenter. */
interface Target {
  readonly registry: RegistryClient;
  readonly dc: { readonly dc?: string };
  readonly apply: (operations: readonly Operation[]) => Promise<{ readonly body: Applied }>;
}

/**
 * Applies a transaction, and writes a transaction to a new file that restores what it changed. The file exists before
 * the transaction is sent, then with the previous values and indexes, so that it changes nothing if it is applied; it is
 * removed if nothing was applied (docs/adr/0103-undo-of-transactions.md).
 *
 * @param file the new file; its extension determines the format.
 * @returns the results of the given operations; null: the response was lost, and the transaction was applied.
 * @throws LanyardError usage: it cannot be undone, or the file exists; forbidden: the token cannot read what is written;
 * conflict: something changed since it was read; the errors of `apply`.
 */
export async function applyWithUndo(
  operations: readonly Operation[],
  file: string,
  { registry, dc, apply }: Target,
  ctx: Pick<Context, 'files' | 'output'>,
): Promise<Applied | null> {
  await ctx.files.checkWritable([{ path: file }]);
  const before = await readState(registry, operations, dc);
  const guarded = guard(operations, before);
  checkLimits(guarded, before);
  const write = (undo: readonly Json[], replace: boolean) =>
    ctx.files.write([{ path: file, content: undoText(undo, file), ...(replace && { replace }) }]);
  await write(undoOperations(guarded, before, leftUnchanged(guarded, before), false), false);
  const sent = await apply(guarded.operations).catch(async (error: unknown) => {
    if (!mayBeApplied(error)) {
      await ctx.files.remove(file);
      throw error;
    }
    const left = await readLeft(guarded, before, { registry, operations, dc });
    if (left) return { left };
    throw error instanceof LanyardError ? error.withDetails([...error.details, pendingText(file)]) : error;
  });
  const body = 'body' in sent ? sent.body : null;
  const left = 'body' in sent ? leftByResults(guarded, sent.body.Results ?? []) : sent.left;
  if (body === null) ctx.output.note('The response was lost, but the transaction was applied.');
  if (!left) {
    ctx.output.warn(
      `applied, but ${file} cannot undo it: the token cannot read the results. The file has the previous values.`,
    );
    return withoutAdded(body, guarded);
  }
  const undo = undoOperations(guarded, before, left);
  if (undo.length === 0) {
    await ctx.files.remove(file);
    ctx.output.note(`Nothing changed: ${file} was not written.`);
  } else {
    await write(undo, true).catch(describeUnwritten(file));
    ctx.output.note(`Run \`lanyard txn apply ${file}\` to undo the transaction.`);
  }
  return withoutAdded(body, guarded);
}

const withoutAdded = (body: Applied | null, { addedResults }: Guarded): Applied | null =>
  body && { ...body, Results: body.Results?.slice(addedResults) ?? null };

/** Whether the registry may have applied the transaction. */
const mayBeApplied = (error: unknown): boolean =>
  !(error instanceof LanyardError) || error.kind === 'unknown' || error.kind === 'interrupted';

const readLeft = (
  guarded: Guarded,
  before: State,
  {
    registry,
    operations,
    dc,
  }: Pick<Target, 'registry' | 'dc'> & { readonly operations: readonly Operation[] },
): Promise<Left | undefined> =>
  readState(registry, operations, dc).then(
    (after) => leftByState(guarded, before, after),
    () => undefined,
  );

const pendingText = (file: string): string =>
  `${file} has the previous values, for the case that the transaction was applied; it does not undo it`;

const describeUnwritten =
  (file: string) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError)) throw error;
    throw new LanyardError('unknown', `the transaction was applied, but its undo: ${error.message}`, {
      ...error,
      details: [`${file} has the previous values, but does not undo the transaction`],
    });
  };

/** @throws LanyardError usage: the transaction with its checks, or its undo, is too large for one transaction. */
function checkLimits(guarded: Guarded, before: State): void {
  const undo = undoOperations(guarded, before, leftUnchanged(guarded, before), false);
  const sizes = [
    ['the transaction', guarded.operations.map(({ body }) => body)],
    ['its undo', undo],
  ] as const;
  for (const [what, operations] of sizes) {
    if (operations.length > maxOperations)
      throw usage(
        `--undo cannot be used: ${what} has ${countText(operations.length, 'operation')}; the maximum is ${maxOperations}`,
        { hint: 'Split the file, and apply each part with an --undo file of its own.' },
      );
    if (Buffer.byteLength(formatJson(operations)) > maxBytes)
      throw usage(`--undo cannot be used: ${what} has more than ${maxBytes} bytes`, {
        hint: 'Split the file, and apply each part with an --undo file of its own.',
      });
  }
}

/** The operations in the format of the extension (see `readListFile`): values are in base64, under the name of the format. */
function undoText(undo: readonly Json[], file: string): string {
  const extension = /\.(jsonl|ndjson|ya?ml)$/i.exec(file)?.[1]?.toLowerCase();
  if (extension === undefined) return `${formatJson(undo, 2)}\n`;
  const named = undo.map(withNamedValue);
  return extension.startsWith('y')
    ? `${formatJson(named, 2)}\n`
    : named.map((operation) => `${formatJson(operation)}\n`).join('');
}

/** In YAML and JSON lines, `Value` is plain text. */
function withNamedValue(operation: Json): Json {
  const { KV, ...others } = operation as { readonly KV?: { readonly [name: string]: Json } };
  if (KV?.Value === undefined) return operation;
  const { Value, ...fields } = KV;
  return { ...others, KV: { ...fields, ValueBase64: Value } };
}
