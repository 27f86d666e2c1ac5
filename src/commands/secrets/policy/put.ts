import { isInvalidPolicy } from '../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../api/secrets.ts';
import { command, flag, showWarnings } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { confirmWrite, describeAs, readForChanges, readToKeep, usage } from '../../../errors.ts';
import { isEqual, writtenChanges, writtenResult } from '../../../output/diff.ts';
import { compact } from '../../../wire/objects.ts';
import { findPolicy, type Policy, policyArg } from '../lib/policies.ts';
import { noCheckFlag, policyTextArg, readPolicy, requireValid } from '../lib/read-policy.ts';

export default command({
  description:
    'An existing policy gets new rules and keeps its other fields, such as the expiration of OpenBao. The rules are checked before anything is sent, with line and column of each error, and apply to existing tokens at once. Names are in lower case.',
  examples: [
    'lanyard secrets policy put deploy @deploy.hcl',
    'lanyard secrets policy put deploy \'path "secret/data/app/*" { capabilities = ["read"] }\'',
    'lanyard secrets policy put deploy - --dry-run < deploy.hcl',
  ],
  service: 'secrets',
  writes: 'after reads',
  returnsList: () => true,
  args: { policy: policyArg, text: policyTextArg },
  flags: {
    ...noCheckFlag,
    replace: flag.boolean('reset all other fields of the policy (OpenBao)'),
  },
  async run({ args, flags }, ctx) {
    const name = args.policy.toLowerCase();
    if (name === '' || name.includes('/')) throw usage(`invalid policy name "${args.policy}"`);
    const given = await readPolicy(args.text, ctx);
    if (!flags.noCheck)
      requireValid(given, ctx, 'Nothing was sent. Use --no-check for rules that only a newer service knows.');
    const secrets = await ctx.api.secrets();
    const found = await readToKeep(findPolicy(secrets, name), {
      title: `policy "${name}"`,
      hint: `Use a token with the read capability for sys/policies/acl/${name}, or --replace to reset its other fields.`,
      isReplaced: flags.replace,
    });
    const before = found && fieldsOf(found);
    const after = { ...(flags.replace ? {} : before), policy: given.text };
    const isWritten = !before || !isEqual(before, after);
    // What is kept must be what was read; a product without versions of policies ignores it.
    const cas = found?.version;
    if (isWritten) await writePolicy(secrets, compact({ ...after, name, cas }), ctx);
    const stored = before && isWritten ? await readForChanges(findPolicy(secrets, name)) : undefined;
    const written = writtenChanges(before, stored ? fieldsOf(stored) : after);
    return writtenResult('policy', name, { name }, written);
  },
});

/** The fields that a write replaces: the rules, and in OpenBao more. */
const fieldsOf = (policy: Policy): Policy => {
  const { name: _name, version: _version, ...others } = policy;
  return Object.fromEntries(Object.entries(others).filter(([name]) => name !== 'modified')) as Policy;
};

async function writePolicy(
  secrets: SecretsClient,
  request: Parameters<SecretsClient['writePolicy']>[0],
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
