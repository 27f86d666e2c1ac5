import { arg, flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { problemText, readPolicyText } from '../../../command/policy-text.ts';
import { usage } from '../../../errors.ts';
import { fileNameHint } from '../../../wire/hcl.ts';
import { checkPolicy } from './policy-syntax.ts';

export const policyTextArg = arg.text('POLICY|@FILE|-', 'policy in HCL or JSON, a file or standard input', {
  completes: 'file',
});

export const noCheckFlag = { noCheck: flag.boolean('send the policy without checking it') } as const;

interface PolicyText {
  /** For messages. */
  readonly name: string;
  readonly text: string;
}

/** The policy of an argument. @throws LanyardError usage: unreadable */
export const readPolicy = (given: string, ctx: Pick<Context, 'files' | 'input'>): Promise<PolicyText> =>
  readPolicyText(given, 'the policy', 'the policy', ctx);

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
