import { arg } from '../../command.ts';
import type { Context } from '../../context.ts';
import { LanyardError, usage } from '../../errors.ts';
import { formatJson, type Json } from '../../wire/json.ts';
import {
  type Dialect,
  isWrite,
  type Kind,
  type Members,
  partsOf,
  problemsIn,
  subjectOf,
  valueFields,
} from './operations.ts';

/** What a transaction holds on Consul; the specification has 64, and a registry that keeps to it rejects more. */
export const mostOperations = 128;
const mostBytes = 512 * 1024;

export const fileArg = arg.optional('FILE|-', 'the operations; - is standard input (default -)', {
  completes: 'file',
});

/** What `txn check` says about the form of the file. */
export const formDescription =
  'FILE is a JSON array as the API has it, where a Value is in base64; or YAML, or JSON with one operation a line, with the same members, where Value is plain text, ValueBase64 is in base64, and ValueFile names a file (a relative name starts where FILE is). The name of FILE says which it is (.json, .jsonl, .yaml), else its first character.';

/** An operation that is fit to be sent. */
export interface Operation {
  readonly kind: Kind;
  readonly verb: string;
  /** The key, node, service or check that it is about. */
  readonly subject: string;
  readonly line: number;
  /** "ops.yaml, line 3, operation 2 (KV set app/db)". */
  readonly place: string;
  readonly writes: boolean;
  /** As the API has it. */
  readonly body: Json;
}

export interface Transaction {
  /** Its file, for messages. */
  readonly name: string;
  readonly operations: readonly Operation[];
}

/** "1 operation", "2 operations". */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Operations as the API has them: the body of a request. */
export const contentOf = (operations: readonly Operation[]): string =>
  formatJson(operations.map(({ body }) => body));

/**
 * Reads a transaction and checks all of it; nothing is sent.
 *
 * @param most operations that it may have.
 * @throws LanyardError usage: one detail for each thing that is wrong, with file, line and operation.
 */
export async function readTransaction(
  file: string | undefined,
  ctx: Pick<Context, 'entries' | 'files'>,
  most = mostOperations,
): Promise<Transaction> {
  const { name, format, entries, beside } = await ctx.entries(file ?? '-');
  if (entries.length === 0) throw usage(`${name} has no operations`);
  if (entries.length > most)
    throw usage(
      `${name} has ${entries.length} operations; a transaction holds at most ${most} (line ${entries[most]?.line} is one too many)`,
      { hint: 'Part it into several, or let --chunk do so; each is then applied, or not, by itself.' },
    );
  const dialect: Dialect = format === 'json' ? 'wire' : 'people';
  const operations: Operation[] = [];
  const problems: string[] = [];
  for (const [index, { value, line }] of entries.entries()) {
    const parts = partsOf(value);
    const place = `${name}, line ${line}, operation ${index + 1}${parts ? ` (${titleOf(parts)})` : ''}`;
    const found = [...problemsIn(value, dialect)];
    if (parts && found.length === 0) {
      try {
        operations.push({
          ...{ kind: parts.kind, verb: String(parts.members.Verb), line, place },
          subject: subjectOf(parts.kind, parts.members),
          writes: isWrite(parts.kind, parts.members),
          body: parts.kind === 'KV' ? { KV: await withValue(parts.members, dialect, beside, ctx) } : value,
        });
      } catch (error) {
        if (!(error instanceof LanyardError)) throw error;
        found.push(error.message);
      }
    }
    problems.push(...found.map((problem) => `${place}: ${problem}`));
  }
  if (problems.length === 0) return { name, operations };
  throw usage(`${name} is not a transaction that can be applied`, {
    details: problems,
    hint: 'Nothing was sent.',
  });
}

function titleOf({ kind, members }: { readonly kind: Kind; readonly members: Members }): string {
  const verb = typeof members.Verb === 'string' ? members.Verb : '';
  return [kind, verb, subjectOf(kind, members)].filter((part) => part !== '').join(' ');
}

/** A key-value operation with its value in base64. @throws LanyardError usage: the value is none, or too large. */
async function withValue(
  members: Members,
  dialect: Dialect,
  beside: (path: string) => string,
  ctx: Pick<Context, 'files'>,
): Promise<{ [name: string]: Json }> {
  const field = valueFields.find((name) => typeof members[name] === 'string');
  const rest = Object.entries(members).filter(([name]) => !valueFields.some((value) => value === name));
  if (field === undefined) return Object.fromEntries(rest);
  const given = String(members[field]);
  let bytes: Uint8Array;
  if (field === 'ValueFile') bytes = await ctx.files.readBytes(beside(given), field, mostBytes);
  else if (field === 'Value' && dialect === 'people') bytes = Buffer.from(given);
  else bytes = decodeBase64(given, field);
  if (bytes.length > mostBytes)
    throw usage(`${field} has ${bytes.length} bytes; a value holds at most ${mostBytes} (512 kB)`);
  return Object.fromEntries([...rest, ['Value', Buffer.from(bytes).toString('base64')]]);
}

function decodeBase64(text: string, field: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  // Buffer leaves out what is not base64, and so what it read says whether all of it was.
  if (bytes.toString('base64') !== text) throw usage(`${field} is not base64`);
  return bytes;
}
