import { flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { problemText, readPolicyText } from '../../../command/policy-text.ts';
import { usage } from '../../../errors.ts';
import { fileNameHint } from '../../../wire/hcl.ts';
import { checkRules } from './policy-rules.ts';

export const rulesFlags = {
  rules: flag.text('RULES|@FILE|-', 'rules in HCL or JSON, a file or standard input', { completes: 'file' }),
  noCheck: flag.boolean('send the rules without checking them'),
} as const;

/** Rules, and what messages call them. */
interface Rules {
  readonly name: string;
  readonly text: string;
}

/** The rules of a text, `@FILE`, or `-` for standard input. @throws LanyardError usage: unreadable */
export const readRules = (
  given: string,
  title: string,
  ctx: Pick<Context, 'files' | 'input'>,
): Promise<Rules> => readPolicyText(given, title, 'the rules', ctx);

/**
 * Checks rules.
 *
 * @param isText the rules were given as a text, not as a file.
 * @returns the number of blocks.
 * @throws LanyardError usage: invalid; one detail per problem, with its position.
 */
export function requireValid({ name, text }: Rules, isText: boolean, hint?: string): number {
  const { rules, problems } = checkRules(text);
  if (problems.length === 0) return rules;
  throw usage(`invalid rules in ${name}`, {
    details: problems.map((problem) => problemText(name, problem)),
    hint: (isText ? fileNameHint(text) : undefined) ?? hint,
  });
}
