import { arg } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { LanyardError, usage } from '../../../errors.ts';
import { formatJson, type Json } from '../../../wire/json.ts';
import {
  type Dialect,
  isWrite,
  type JsonObject,
  type Kind,
  operationParts,
  operationProblems,
  operationSubject,
  valueFields,
} from './operation-rules.ts';

/** Maximum number of operations on Consul; the specification and the embedded registry allow 64. */
export const maxOperations = 128;
/** Bytes of a value, and of a request on Consul. */
export const maxBytes = 512 * 1024;

export const fileArg = arg.optional('FILE|-', 'operations; - for standard input (default -)', {
  completes: 'file',
});

export const formDescription =
  'FILE is a JSON array as in the API, with Value in base64; or YAML or JSON lines with the same fields, with Value in plain text, ValueBase64 in base64, or ValueFile (a file, relative to FILE). The extension of FILE (.json, .jsonl, .yaml), else its first character, determines the format.';

export interface Operation {
  readonly kind: Kind;
  readonly verb: string;
  /** The key, node, service or check. */
  readonly subject: string;
  readonly line: number;
  /** "ops.yaml, line 3, operation 2 (KV set app/db)". */
  readonly place: string;
  readonly writes: boolean;
  /** In the format of the API. */
  readonly body: Json;
}

export interface Transaction {
  /** Its file, for messages. */
  readonly name: string;
  readonly operations: readonly Operation[];
}

export const transactionBody = (operations: readonly Operation[]): string =>
  formatJson(operations.map(({ body }) => body));

/**
 * Reads and validates a transaction; nothing is sent.
 *
 * @param limit maximum number of operations.
 * @throws LanyardError usage: one detail per problem, with file, line and operation.
 */
export async function readTransaction(
  file: string | undefined,
  ctx: Context,
  limit = maxOperations,
): Promise<Transaction> {
  const { name, format, entries, resolvePath } = await ctx.input.readListFile(file ?? '-');
  if (entries.length === 0) throw usage(`${name} contains no operations`);
  if (entries.length > limit)
    throw usage(
      `${name} has ${entries.length} operations; the maximum of a transaction is ${limit} (exceeded at line ${entries[limit]?.line})`,
      {
        hint: 'Split the file, or run `lanyard txn apply --chunk` to apply several transactions; only each one is atomic.',
      },
    );
  const dialect: Dialect = format === 'json' ? 'wire' : 'people';
  const operations: Operation[] = [];
  const problems: string[] = [];
  for (const [index, { value, line }] of entries.entries()) {
    const parts = operationParts(value);
    const place = `${name}, line ${line}, operation ${index + 1}${parts ? ` (${operationTitle(parts)})` : ''}`;
    const found = [...operationProblems(value, dialect)];
    if (parts && found.length === 0) {
      try {
        operations.push({
          kind: parts.kind,
          verb: String(parts.members.Verb),
          line,
          place,
          subject: operationSubject(parts.kind, parts.members),
          writes: isWrite(parts.kind, parts.members),
          body:
            parts.kind === 'KV' ? { KV: await withValue(parts.members, dialect, resolvePath, ctx) } : value,
        });
      } catch (error) {
        if (!(error instanceof LanyardError)) throw error;
        found.push(error.message);
      }
    }
    problems.push(...found.map((problem) => `${place}: ${problem}`));
  }
  if (problems.length === 0) return { name, operations };
  throw usage(`invalid transaction in ${name}`, { details: problems, hint: 'Nothing was sent.' });
}

function operationTitle({ kind, members }: { readonly kind: Kind; readonly members: JsonObject }): string {
  const verb = typeof members.Verb === 'string' ? members.Verb : '';
  return [kind, verb, operationSubject(kind, members)].filter((part) => part !== '').join(' ');
}

/** A key-value operation with its value in base64. @throws LanyardError usage: the value is invalid or too large. */
async function withValue(
  members: JsonObject,
  dialect: Dialect,
  resolvePath: (path: string) => string,
  ctx: Context,
): Promise<{ [name: string]: Json }> {
  const field = valueFields.find((name) => typeof members[name] === 'string');
  const rest = Object.entries(members).filter(([name]) => !valueFields.some((value) => value === name));
  if (field === undefined) return Object.fromEntries(rest);
  const given = String(members[field]);
  let bytes: Uint8Array;
  if (field === 'ValueFile') bytes = await ctx.files.readBytes(resolvePath(given), field, maxBytes);
  else if (field === 'Value' && dialect === 'people') bytes = Buffer.from(given);
  else bytes = decodeBase64(given, field);
  if (bytes.length > maxBytes)
    throw usage(`${field} has ${bytes.length} bytes; the maximum is ${maxBytes} (512 KiB)`);
  return Object.fromEntries([...rest, ['Value', Buffer.from(bytes).toString('base64')]]);
}

function decodeBase64(text: string, field: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  // Buffer skips invalid characters, so encoding again shows whether all were valid.
  if (bytes.toString('base64') !== text) throw usage(`invalid ${field}: expected base64`);
  return bytes;
}
