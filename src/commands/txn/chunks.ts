import type { Context } from '../../context.ts';
import { LanyardError, usage } from '../../errors.ts';
import { code, text } from '../../output/document.ts';
import type { Result } from '../../output/result.ts';
import { formatJson, type Json, parseJson } from '../../wire/json.ts';
import { contentOf, counted, type Operation, type Transaction } from './transaction.ts';

/** What is known to be applied of a file that takes several transactions. */
interface Journal {
  /** Where they went: an address, and what else tells one store from another. */
  readonly at: string;
  /** Operations in a transaction. */
  readonly chunk: number;
  /** Operations, from the first. */
  readonly applied: number;
  /** Of the operations that are applied: they must not change before the rest follows. */
  readonly digest: string;
}

type Parts = Pick<Context, 'files' | 'io' | 'rehearsal' | 'inTurn'>;

/**
 * Applies operations in several transactions, one after the other; each is atomic, the whole is not. After each the
 * journal beside the file says how far it came; run again, it continues there, and in the end the journal goes.
 * Only operations that may be sent twice without harm are taken, because the answer to the last one may be lost.
 *
 * @param at where it goes: a journal of a run against another service is none for this one.
 * @param send applies one transaction.
 * @throws LanyardError usage: an operation that is not `set` or `delete`, a journal of other operations; unknown:
 * done in part; the error of `send` where nothing was applied.
 */
export async function applyInChunks(
  { name, operations }: Transaction,
  { size, at }: { readonly size: number; readonly at: string },
  send: (operations: readonly Operation[]) => Promise<unknown>,
  ctx: Parts,
): Promise<Result> {
  const guarded = operations.find(({ verb }) => !/^(set|delete|delete-tree)$/.test(verb));
  if (guarded)
    throw usage(`--chunk takes set, delete and delete-tree only; ${guarded.place} is another`, {
      hint: 'What guards or reads does so within one transaction: leave --chunk out.',
    });
  const journal = journalOf(`${name}.journal`, ctx.files);
  const start = await continued(operations, { size, at }, await journal.read(), journal.path);
  if (start.applied > 0) ctx.io.note(`${journal.path}: continuing after operation ${start.applied}`);
  if (ctx.rehearsal) await ctx.inTurn(chunksOf(operations.slice(start.applied), size), send);
  await ctx.files.check([{ path: journal.path, replace: true }]);
  let { applied, digest } = start;
  const progress = await ctx.io.progress(`applying ${counted(operations.length, 'operation')}`);
  try {
    while (applied < operations.length) {
      const chunk = operations.slice(applied, applied + size);
      await send(chunk).catch(doneInPart(applied, chunk.length, journal.path));
      applied += chunk.length;
      digest = await digestOf(digest, chunk);
      await journal.write({ at, chunk: size, applied, digest }).catch(unrecorded(applied));
      progress.update(`applied ${applied} of ${counted(operations.length, 'operation')}`);
    }
  } finally {
    progress.stop();
  }
  await journal.remove();
  const transactions = Math.ceil(operations.length / size);
  return {
    data: { operations: operations.length, continued_after: start.applied, transactions },
    document: [
      text(
        code(name),
        `: applied ${counted(operations.length, 'operation')} in ${counted(transactions, 'transaction')}`,
        tail(start),
      ),
    ],
  };
}

const chunksOf = (operations: readonly Operation[], size: number): readonly (readonly Operation[])[] =>
  Array.from({ length: Math.ceil(operations.length / size) }, (_, index) =>
    operations.slice(index * size, (index + 1) * size),
  );

const tail = ({ applied }: Pick<Journal, 'applied'>): string =>
  applied === 0 ? ' (not atomic).' : ` (not atomic), the first ${applied} operations in an earlier run.`;

/** Where to go on. @throws LanyardError usage: what the journal says is applied is not what the file begins with. */
async function continued(
  operations: readonly Operation[],
  { size, at }: { readonly size: number; readonly at: string },
  journal: Journal | undefined,
  path: string,
): Promise<Pick<Journal, 'applied' | 'digest'>> {
  if (!journal) return { applied: 0, digest: '' };
  const hint = `To begin anew, remove ${path}.`;
  if (journal.at !== at) throw usage(`${path} is of a run against ${journal.at}, not ${at}`, { hint });
  if (journal.chunk !== size)
    throw usage(`${path} is of a run with --chunk ${journal.chunk}: continue with the same`, { hint });
  let digest = '';
  for (let from = 0; from < journal.applied; from += size)
    digest = await digestOf(digest, operations.slice(from, Math.min(from + size, journal.applied)));
  if (digest === journal.digest) return journal;
  throw usage(`the first ${journal.applied} operations are not those that ${path} says are applied`, {
    hint,
  });
}

/** Each digest is made of the one before it, so that going on does not read all again. */
async function digestOf(before: string, chunk: readonly Operation[]): Promise<string> {
  const bytes = new TextEncoder().encode(before + contentOf(chunk));
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

/** After a transaction was applied no failure of a later one leaves "nothing applied". */
const doneInPart =
  (applied: number, count: number, path: string) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError) || applied === 0 || error.kind === 'interrupted') throw error;
    throw new LanyardError(
      'unknown',
      `done in part: operations 1 to ${applied} are applied; of ${applied + 1} to ${applied + count}: ${error.message}`,
      {
        ...error,
        hint: `Run it again to continue: ${path} has how far it came. Operations that are not applied yet may be corrected before.`,
      },
    );
  };

/** What was applied stays applied, whatever became of the journal. */
const unrecorded =
  (applied: number) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError)) throw error;
    throw new LanyardError('unknown', `operations 1 to ${applied} are applied, and ${error.message}`, {
      hint: 'Run again, it sends operations once more that are applied already, which does no harm.',
    });
  };

function journalOf(path: string, files: Context['files']) {
  return {
    path,
    async read(): Promise<Journal | undefined> {
      if (!(await files.exists(path))) return undefined;
      const found = journalIn(await files.readText(path, 'the journal'));
      if (found) return found;
      throw usage(`${path} is not a journal of "txn apply --chunk"`, {
        hint: 'Move it away, or remove it to begin anew.',
      });
    },
    write: (journal: Journal): Promise<void> =>
      files.write([{ path, content: `${formatJson(journal)}\n`, replace: true }]),
    remove: (): Promise<void> => files.remove(path),
  };
}

function journalIn(content: string): Journal | undefined {
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
