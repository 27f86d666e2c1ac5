import type { Context } from '../../../command/context.ts';
import { LanyardError, usage } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import { countText } from '../../../output/humanize.ts';
import type { Result } from '../../../output/result.ts';
import { formatJson, type Json, parseJson } from '../../../wire/json.ts';
import { type Operation, type Transaction, transactionBody } from './transaction.ts';

/** The progress of a file that is applied in several transactions. */
interface Journal {
  /** The store: its address, datacenter and namespace. */
  readonly at: string;
  /** Number of operations per transaction. */
  readonly chunk: number;
  /** Number of applied operations, from the first. */
  readonly applied: number;
  /** Digest of the applied operations, which must not change before the rest is applied. */
  readonly digest: string;
}

/** What was applied, in all runs. */
interface ChunkedTransaction {
  readonly operations: number;
  /** The number of operations that an earlier run had applied. */
  readonly continued_after: number;
  readonly transactions: number;
}

/**
 * Applies operations in several sequential transactions; each is atomic, all together are not. After each one the
 * progress is recorded in a journal next to the file, where the next run continues; the journal is removed at the end.
 * Only idempotent operations are allowed, because the response to the last one may be lost.
 *
 * @param at the store; a journal of another store is rejected.
 * @param send applies one transaction.
 * @throws LanyardError usage: an operation other than `set` and `delete`, a journal of other operations; unknown:
 * partially applied; the error of `send` if nothing was applied.
 */
export async function applyInChunks(
  { name, operations }: Transaction,
  { size, at }: { readonly size: number; readonly at: string },
  send: (operations: readonly Operation[]) => Promise<unknown>,
  ctx: Context,
): Promise<Result<ChunkedTransaction>> {
  const guarded = operations.find(({ verb }) => !/^(set|delete|delete-tree)$/.test(verb));
  if (guarded)
    throw usage(`--chunk supports only set, delete and delete-tree; ${guarded.place} has another verb`, {
      hint: 'Checks and reads only apply within one transaction: omit --chunk.',
    });
  const path = `${name}.journal`;
  const start = await resumeJournal(operations, { size, at }, await readJournal(path, ctx), path);
  if (start.applied > 0) ctx.output.note(`Continuing after operation ${start.applied} (${path}).`);
  if (ctx.output.isDryRun)
    await ctx.output.sequentially(splitIntoChunks(operations.slice(start.applied), size), send);
  await ctx.files.checkWritable([{ path, replace: true }]);
  let { applied, digest } = start;
  const progress = await ctx.output.progress(`applying ${countText(operations.length, 'operation')}`);
  try {
    while (applied < operations.length) {
      const chunk = operations.slice(applied, applied + size);
      await send(chunk).catch(partiallyAppliedError(applied, chunk.length, path));
      applied += chunk.length;
      digest = await chainDigest(digest, chunk);
      const content = `${formatJson({ at, chunk: size, applied, digest } satisfies Journal)}\n`;
      await ctx.files.write([{ path, content, replace: true }]).catch(unrecordedError(applied));
      progress.update(`applied ${applied} of ${countText(operations.length, 'operation')}`);
    }
  } finally {
    progress.stop();
  }
  await ctx.files.remove(path);
  const transactions = Math.ceil(operations.length / size);
  return {
    data: { operations: operations.length, continued_after: start.applied, transactions },
    document: [
      text(
        `Applied ${countText(operations.length, 'operation')} of `,
        code(name),
        ` in ${countText(transactions, 'transaction')}`,
        remainingText(start),
      ),
    ],
  };
}

const splitIntoChunks = (operations: readonly Operation[], size: number): readonly (readonly Operation[])[] =>
  Array.from({ length: Math.ceil(operations.length / size) }, (_, index) =>
    operations.slice(index * size, (index + 1) * size),
  );

const remainingText = ({ applied }: Pick<Journal, 'applied'>): string =>
  applied === 0 ? ' (not atomic).' : ` (not atomic); the first ${applied} were applied in an earlier run.`;

/** Where to continue. @throws LanyardError usage: the file does not start with the operations of the journal. */
async function resumeJournal(
  operations: readonly Operation[],
  { size, at }: { readonly size: number; readonly at: string },
  journal: Journal | undefined,
  path: string,
): Promise<Pick<Journal, 'applied' | 'digest'>> {
  if (!journal) return { applied: 0, digest: '' };
  const hint = `Remove ${path} to start again.`;
  if (journal.at !== at) throw usage(`${path} is from a run against ${journal.at}, not ${at}`, { hint });
  if (journal.chunk !== size)
    throw usage(`${path} is from a run with --chunk ${journal.chunk}; use the same value`, { hint });
  let digest = '';
  for (let from = 0; from < journal.applied; from += size)
    digest = await chainDigest(digest, operations.slice(from, Math.min(from + size, journal.applied)));
  if (digest === journal.digest) return journal;
  throw usage(`the first ${journal.applied} operations differ from those recorded in ${path} as applied`, {
    hint,
  });
}

/** Each digest includes the previous one, so that it is extended without reading all operations again. */
async function chainDigest(before: string, chunk: readonly Operation[]): Promise<string> {
  const bytes = new TextEncoder().encode(before + transactionBody(chunk));
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

const partiallyAppliedError =
  (applied: number, count: number, path: string) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError) || applied === 0 || error.kind === 'interrupted') throw error;
    throw new LanyardError(
      'unknown',
      `partially applied: operations 1 to ${applied} were applied; operations ${applied + 1} to ${applied + count}: ${error.message}`,
      {
        ...error,
        hint: `Run the same command again to continue from ${path}. Operations that were not applied may be corrected before.`,
      },
    );
  };

/** Reports that the journal could not be written after a transaction was applied. */
const unrecordedError =
  (applied: number) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError)) throw error;
    throw new LanyardError('unknown', `operations 1 to ${applied} were applied, but ${error.message}`, {
      hint: 'If the command is run again, some operations are applied a second time, with the same result.',
    });
  };

async function readJournal(path: string, { files }: Context): Promise<Journal | undefined> {
  if (!(await files.exists(path))) return undefined;
  const found = parseJournal(await files.readText(path, 'the journal'));
  if (found) return found;
  throw usage(`invalid ${path}: expected a journal of "txn apply --chunk"`, {
    hint: 'Move or remove the file to start again.',
  });
}

function parseJournal(content: string): Journal | undefined {
  let value: Json;
  try {
    value = parseJson(content);
  } catch {
    return undefined;
  }
  const { at, chunk, applied, digest } = (value ?? {}) as Partial<Journal>;
  if (!Number.isSafeInteger(chunk) || !Number.isSafeInteger(applied)) return undefined;
  if (typeof at !== 'string' || typeof digest !== 'string') return undefined;
  if (Number(chunk) < 1 || Number(applied) < 1) return undefined;
  return { at, chunk: Number(chunk), applied: Number(applied), digest };
}
