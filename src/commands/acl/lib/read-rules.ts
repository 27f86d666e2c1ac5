import { flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { usage } from '../../../errors.ts';
import { fileNameHint } from '../../../wire/hcl.ts';
import { parseRules } from './policy-rules.ts';
import type { Problem } from './rule-tree.ts';

/** Maximum size of a file of rules in bytes. */
const maxBytes = 4 * 1024 * 1024;

export const rulesFlags = {
  rules: flag.text('RULES|@FILE|-', 'rules in HCL or JSON, a file or standard input', { completes: 'file' }),
  noCheck: flag.boolean('send the rules without checking them'),
} as const;

/**
 * The rules of `--rules`: a text, `@FILE`, or `-` for standard input.
 *
 * @throws LanyardError usage: unreadable, or (unless `noCheck`) invalid; one detail per problem, with its position.
 */
export async function readRules(
  given: string,
  noCheck: boolean,
  ctx: Pick<Context, 'files' | 'input'>,
): Promise<string> {
  const { name, text } = await readText(given, ctx);
  if (!noCheck) rejectInvalidRules(name, text);
  return text;
}

async function readText(given: string, { files, input }: Pick<Context, 'files' | 'input'>) {
  const decoder = new TextDecoder();
  if (given === '-') return { name: 'standard input', text: decoder.decode(await input.readStdin()) };
  if (!given.startsWith('@')) return { name: '--rules', text: given };
  const file = given.slice(1);
  return { name: file, text: decoder.decode(await files.readBytes(file, 'the rules', maxBytes)) };
}

function rejectInvalidRules(name: string, text: string): void {
  const { problems } = parseRules(text);
  if (problems.length === 0) return;
  throw usage(`invalid rules in ${name}`, {
    details: problems.map((problem) => formatProblem(name, problem)),
    hint:
      (name === '--rules' ? fileNameHint(text) : undefined) ??
      'Nothing was sent. Use --no-check for rules that only a newer registry knows.',
  });
}

/** `rules.hcl, line 3, column 5: unknown resource "kez"`. */
export const formatProblem = (name: string, { what, line, column }: Problem): string =>
  line === undefined ? `${name}: ${what}` : `${name}, line ${line}, column ${column}: ${what}`;
