import { arg, flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { usage } from '../../../errors.ts';
import { fileNameHint } from '../../../wire/hcl.ts';
import { checkPolicy, type PolicyProblem } from './policy-syntax.ts';

/** Maximum size of a policy in bytes. */
const maxBytes = 4 * 1024 * 1024;

export const policyTextArg = arg.text('POLICY|@FILE|-', 'policy in HCL or JSON, a file or standard input', {
  completes: 'file',
});

export const noCheckFlag = { noCheck: flag.boolean('send the policy without checking it') } as const;

interface PolicyText {
  /** For messages. */
  readonly name: string;
  readonly text: string;
}

/** The policy of an argument: a text, `@FILE`, or `-` for standard input. @throws LanyardError usage: unreadable */
export async function readPolicy(
  given: string,
  { files, input }: Pick<Context, 'files' | 'input'>,
): Promise<PolicyText> {
  const decoder = new TextDecoder();
  if (given === '-') return { name: 'standard input', text: decoder.decode(await input.readStdin()) };
  if (!given.startsWith('@')) return { name: 'the policy', text: given };
  const file = given.slice(1);
  return { name: file, text: decoder.decode(await files.readBytes(file, 'the policy', maxBytes)) };
}

/**
 * The number of rules of a policy, after warnings about its paths.
 * @throws LanyardError usage: invalid; one detail per problem, with its position
 */
export function requireValid(
  { name, text }: PolicyText,
  { output }: Pick<Context, 'output'>,
  hint?: string,
): number {
  const { rules, problems: found } = checkPolicy(text);
  const problems = found.filter(({ isWarning }) => !isWarning);
  if (problems.length > 0)
    throw usage(name === 'the policy' ? 'invalid policy' : `invalid policy in ${name}`, {
      details: problems.map((problem) => problemText(name, problem)),
      hint: (name === 'the policy' ? fileNameHint(text) : undefined) ?? hint,
    });
  for (const problem of found) output.warn(problemText(name, problem));
  return rules;
}

/** `policy.hcl, line 3, column 5: unknown block "paht"`. */
const problemText = (name: string, { what, line, column }: PolicyProblem): string =>
  line === undefined ? `${name}: ${what}` : `${name}, line ${line}, column ${column}: ${what}`;
