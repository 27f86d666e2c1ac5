import { command, flag } from '../../../command/command.ts';
import { dcFlag, describeMissing, whereFrom } from '../lib/find.ts';
import { redacted, resolveAccessor, tokenArg } from '../lib/find-token.ts';
import { tokenView } from '../lib/views.ts';

export default command({
  description:
    'The secret is redacted unless --show-secret is given, which requires acl:write. --expanded adds every policy of the token with its rules, including policies from roles, identities and templated policies.',
  examples: [
    'lanyard acl token get 6a1253d2-1785-24fd-91c2-f8e78c745511',
    'lanyard acl token get 6a1253d2 --expanded',
    'lanyard acl token get anonymous',
  ],
  service: 'registry',
  args: { token: tokenArg },
  flags: {
    expanded: flag.boolean('add all policies of the token, with their rules'),
    showSecret: flag.boolean('show the secret'),
    dc: dcFlag,
  },
  async run({ args, flags }, ctx) {
    const where = whereFrom(flags);
    const registry = await ctx.api.registry();
    const id = await resolveAccessor(registry, args.token, where);
    const { body } = await registry
      .readToken({ id, ...where, ...(flags.expanded ? { expanded: '' } : {}) })
      .catch(describeMissing('token', args.token));
    if (flags.expanded && !body.ExpandedPolicies)
      ctx.output.warn(
        await ctx.output.repeatFlags(
          'the service registry did not expand the token; run `lanyard acl explain` for its rules',
        ),
      );
    if (flags.showSecret) ctx.output.mask(body.SecretID);
    const token = flags.showSecret ? body : redacted(body);
    return { data: token, document: tokenView(token) };
  },
});
