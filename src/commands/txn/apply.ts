import {
  isAnonymous,
  isForbiddenTransaction,
  isTransactionTooLarge,
  operationLimitOf,
} from '../../api/conditions/registry.ts';
import type { Settings } from '../../api/settings.ts';
import { command, flag } from '../../command/command.ts';
import { readParameters } from '../../command/consistency-flags.ts';
import type { Context } from '../../command/context.ts';
import { LanyardError, usage } from '../../errors.ts';
import { compact } from '../../wire/objects.ts';
import { applyInChunks } from './lib/apply-in-chunks.ts';
import {
  fileArg,
  maxOperations,
  type Operation,
  readTransaction,
  transactionBody,
} from './lib/transaction.ts';
import { type Applied, applyWithUndo } from './lib/undo/apply-with-undo.ts';
import { appliedView } from './lib/views.ts';

export default command({
  description:
    'All operations or none, at most 128 on Consul and 64 on "lanyard dev"; with --chunk more, and the same command continues from FILE.journal after an error. FILE is JSON as in the API, or YAML or JSON lines with plain text values (see "lanyard txn check --help"), and is checked first. --undo writes a transaction that restores the previous values, and is rejected after other changes.',
  examples: [
    'lanyard txn apply ops.yaml',
    'lanyard txn apply ops.json --dry-run',
    'lanyard txn apply ops.yaml --undo undo.json',
    'echo \'{"KV":{"Verb":"get-tree","Key":"app/"}}\' | lanyard txn apply - --stale',
  ],
  service: 'registry',
  writes: true,
  returnsList: ({ flags }) => flags.chunk === undefined,
  waitsForRateLimits: true,
  changes: ['registry kv', 'registry session', 'registry node', 'registry service', 'files'],
  args: { file: fileArg },
  flags: {
    stale: flag.boolean('allow stale reads (read-only transactions)'),
    consistent: flag.boolean('fully consistent reads (read-only transactions)'),
    chunk: flag.integer('N', 'apply in several transactions of N operations each; not atomic'),
    undo: flag.name('UNDO-FILE', 'new file to write, with a transaction that undoes this one', {
      completes: 'file',
    }),
    dc: flag.datacenter('datacenter'),
  },
  async run({ args, flags }, ctx) {
    const parameters = readParameters(flags);
    const { chunk, undo } = flags;
    checkChunk(chunk, args.file);
    if (undo !== undefined && chunk !== undefined) throw usage('--undo and --chunk cannot be used together');
    if (undo === '-') throw usage('--undo requires a file: standard output has the results');
    const transaction = await readTransaction(args.file, ctx, chunk === undefined ? undefined : Infinity);
    const { operations } = transaction;
    const write = operations.find(({ writes }) => writes);
    if (write && (flags.stale || flags.consistent))
      throw usage(
        `${flags.stale ? '--stale' : '--consistent'} requires a read-only transaction; ${write.place} writes`,
      );
    const settings = await ctx.api.settings('registry');
    const datacenter = flags.dc ?? settings.datacenter;
    const dc = compact({ dc: datacenter });
    const registry = await ctx.api.registry();
    const apply = (part: readonly Operation[]) =>
      registry.applyTransaction({ content: transactionBody(part), ...dc }).catch(
        describeError(
          part,
          part.find(({ writes }) => writes),
          datacenter,
        ),
      );
    if (chunk !== undefined)
      return applyInChunks(transaction, { size: chunk, at: journalTarget(settings, datacenter) }, apply, ctx);
    if (undo !== undefined) {
      if (!write) throw usage('--undo requires a transaction that writes');
      if (!ctx.output.isDryRun)
        return appliedResult(await applyWithUndo(operations, undo, { registry, dc, apply }, ctx), operations);
      return apply(operations).then(
        ({ body }) => appliedResult(body, operations),
        (error: unknown) =>
          ctx.output.dryRunResult(error, [
            `what it writes is read before, each first write becomes a check-and-set, and ${undo} is written`,
          ]),
      );
    }
    const read = () =>
      registry
        .readTransaction({ content: transactionBody(operations), ...parameters, ...dc })
        .catch(describeError(operations, undefined, datacenter));
    const { body, headers } = await (write ? apply(operations) : read());
    if (!write) noteStaleness(headers, ctx.output);
    return appliedResult(body, operations);
  },
});

/** @param body null: the response was lost, and the transaction was applied */
function appliedResult(body: Applied | null, operations: readonly Operation[]) {
  const results = body?.Results ?? [];
  const writes = operations.some((operation) => operation.writes);
  return {
    data: body,
    payload: results,
    rows: results,
    document: appliedView(results, operations.length, writes),
  };
}

function checkChunk(chunk: number | undefined, file: string | undefined): void {
  if (chunk === undefined) return;
  if (chunk < 1 || chunk > maxOperations)
    throw usage(`invalid --chunk ${chunk}: expected 1 to ${maxOperations}`);
  if (file === undefined || file === '-')
    throw usage('--chunk requires FILE: standard input cannot be read again to continue');
}

/** Identifies the store that is written to. */
function journalTarget({ address, namespace }: Settings, dc: string | undefined): string {
  return [
    address,
    ...(dc ? [`datacenter ${dc}`] : []),
    ...(namespace ? [`namespace ${namespace}`] : []),
  ].join(', ');
}

/** With --verbose: logs how fresh the reads are, with the header prefix of the service. */
function noteStaleness(
  headers: Readonly<Record<string, string | undefined>>,
  output: Pick<Context['output'], 'detail'>,
): void {
  for (const name of ['LastContact', 'KnownLeader']) {
    const header = Object.keys(headers).find((key) => key.endsWith(`-${name.toLowerCase()}`));
    if (header !== undefined) output.detail(`${header}: ${headers[header]}`);
  }
}

/**
 * Explains an error: a rollback names the lines of its operations, a transaction that is too large the limit of the
 * registry, and a lost response how to verify the result.
 */
const describeError =
  (operations: readonly Operation[], write: Operation | undefined, dc: string | undefined) =>
  (error: unknown): never => {
    if (isRollback(error)) {
      const isForbidden = isForbiddenTransaction(error);
      const kind = !isForbidden ? 'conflict' : isAnonymous(error) ? 'unauthenticated' : 'forbidden';
      const cause = isForbidden ? 'permission denied' : 'the transaction was rolled back';
      throw new LanyardError(kind, `${cause}: nothing was applied`, {
        hint: isForbidden ? forbiddenHint : undefined,
        service: error.service,
        status: error.status,
        details: error.details.map((line) =>
          line.replace(
            /^operation (\d+)(?=:)/,
            (prefix, index) => operations[Number(index)]?.place ?? prefix,
          ),
        ),
      });
    }
    const limit = operationLimitOf(error);
    if (limit !== undefined || isTransactionTooLarge(error)) {
      const { message, ...facts } = error as LanyardError;
      const chunk = limit === undefined ? 'with fewer operations' : `of ${limit}`;
      const hint = `Use --chunk to apply several transactions ${chunk}; only each one is atomic.`;
      throw new LanyardError('failure', message, { ...facts, hint });
    }
    if (write && error instanceof LanyardError && error.kind === 'unknown') {
      throw error.withHint(
        `Either all operations were applied or none. Run \`${verifyHint(write, dc)}\` to check one of them.`,
      );
    }
    throw error;
  };

const forbiddenHint = 'Run `lanyard status` to see which token is used and whether it is valid.';

const isRollback = (error: unknown): error is LanyardError =>
  error instanceof LanyardError &&
  error.status === 409 &&
  'body' in error &&
  Array.isArray((error.body as { Errors?: unknown } | null | undefined)?.Errors);

/** The command that shows the target of an operation. */
function verifyHint({ kind, subject }: Operation, dc: string | undefined): string {
  const segments = subject.split('/').map(encodeURIComponent);
  const path = {
    KV: `kv/${segments.join('/')}`,
    Node: 'catalog/nodes',
    Service: `catalog/node/${segments[0]}`,
    Check: `health/node/${segments[0]}`,
  }[kind];
  const query = dc === undefined ? '' : `?dc=${encodeURIComponent(dc)}`;
  return `lanyard api registry GET '${(path + query).replaceAll("'", '%27')}'`;
}
