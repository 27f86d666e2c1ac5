import type { SecretsClient } from '../../../api/secrets.ts';
import { isInvalidPolicy } from '../../../api/secrets-conditions.ts';
import { command, showWarnings } from '../../../cli/command.ts';
import type { Context } from '../../../cli/context.ts';
import { confirmWrite, describeAs, isNotFound, LanyardError, usage } from '../../../errors.ts';
import { actionLine, diff } from '../../../output/diff.ts';
import { code, text } from '../../../output/document.ts';
import { findPolicy, policyArg } from '../lib/policies.ts';
import { noCheckFlag, policyTextArg, readPolicy, requireValid } from '../lib/read-policy.ts';

export default command({
  description:
    'Tokens that have the policy get the new permissions at once. The policy is checked before anything is sent, with line and column of each error. Names are in lower case.',
  examples: [
    'lanyard secrets policy put deploy @deploy.hcl',
    'lanyard secrets policy put deploy \'path "secret/data/app/*" { capabilities = ["read"] }\'',
    'lanyard secrets policy put deploy - --dry-run < deploy.hcl',
  ],
  service: 'secrets',
  writes: true,
  readsFirst: true,
  returnsList: () => true,
  args: { policy: policyArg, text: policyTextArg },
  flags: noCheckFlag,
  async run({ args, flags }, ctx) {
    const name = args.policy.toLowerCase();
    if (name === '' || name.includes('/')) throw usage(`invalid policy name "${args.policy}"`);
    const given = await readPolicy(args.text, ctx);
    if (!flags.noCheck)
      requireValid(given, ctx, 'Nothing was sent. Use --no-check for rules that only a newer service knows.');
    const secrets = await ctx.api.secrets();
    const before = await readCurrent(secrets, name);
    if (before !== given.text) await writePolicy(secrets, { name, policy: given.text }, ctx);
    const changes =
      before === undefined || before === null ? [] : diff({ policy: before }, { policy: given.text });
    return {
      data: { name, created: before === undefined, changes },
      payload: changes,
      document: [
        before === null
          ? text('Wrote policy ', code(name), '.')
          : actionLine(
              'policy',
              before === undefined ? 'create' : changes.length > 0 ? 'update' : 'unchanged',
              name,
            ),
      ],
    };
  },
});

/** The text of the existing policy; undefined: it does not exist; null: the token may not read it. */
async function readCurrent(secrets: SecretsClient, name: string): Promise<string | undefined | null> {
  try {
    return (await findPolicy(secrets, name)).policy;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    if (error instanceof LanyardError && error.kind === 'forbidden') return null;
    throw error;
  }
}

async function writePolicy(
  secrets: SecretsClient,
  request: { readonly name: string; readonly policy: string },
  ctx: Pick<Context, 'output'>,
): Promise<void> {
  const response = await confirmWrite(
    () =>
      secrets.writePolicy(request).catch(
        describeAs(isInvalidPolicy, 'failure', 'cannot write policy: the secrets service rejected it (400)', {
          hint: 'Nothing was written.',
        }),
      ),
    async () => ({
      done: (await findPolicy(secrets, request.name)).policy === request.policy,
      found: 'the stored policy differs',
    }),
  );
  if (!response) ctx.output.warn('the response was lost, but the policy was written');
  showWarnings(ctx.output, response?.body);
}
