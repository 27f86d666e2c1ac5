import { flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { problemText, readPolicyText } from '../../../command/policy-text.ts';
import { usage } from '../../../errors.ts';
import { fileNameHint } from '../../../wire/hcl.ts';
import { parseRules } from './policy-rules.ts';

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
  const { name, text } = await readPolicyText(given, '--rules', 'the rules', ctx);
  if (!noCheck) rejectInvalidRules(name, text);
  return text;
}

function rejectInvalidRules(name: string, text: string): void {
  const { problems } = parseRules(text);
  if (problems.length === 0) return;
  throw usage(`invalid rules in ${name}`, {
    details: problems.map((problem) => problemText(name, problem)),
    hint:
      (name === '--rules' ? fileNameHint(text) : undefined) ??
      'Nothing was sent. Use --no-check for rules that only a newer registry knows.',
  });
}
