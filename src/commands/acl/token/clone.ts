import { askedDatacenter } from '../../../api/registry-datacenter.ts';
import { command, flag } from '../../../command/command.ts';
import { compact } from '../../../wire/objects.ts';
import { dcFlag, describeMissing } from '../lib/find.ts';
import { describeLostToken, findTokenToWrite, resolveAccessor, tokenArg } from '../lib/find-token.ts';
import { tokenFields } from '../lib/views.ts';

export default command({
  description:
    'Creates a token with the permissions, scope and expiration of another one, and prints its secret, which is not shown again. A token that was created by a login cannot be cloned.',
  examples: ['lanyard acl token clone 6a1253d2 --description "Second runner"'],
  service: 'registry',
  writes: 'after reads',
  args: { token: tokenArg },
  flags: {
    description: flag.text('TEXT', 'description (default: the description of the token)'),
    dc: dcFlag,
  },
  async run({ args, flags }, ctx) {
    const registry = await ctx.api.registry();
    const asked = await askedDatacenter(flags.dc, ctx.api);
    const id = asked
      ? (await findTokenToWrite(registry, args.token, asked)).token.AccessorID
      : await resolveAccessor(registry, args.token, {});
    const { body: token } = await registry
      .cloneToken({ id, ...compact({ Description: flags.description }) })
      .catch(describeMissing('token', args.token))
      .catch(describeLostToken);
    ctx.output.mask(token.SecretID);
    return { data: token, document: [tokenFields(token)] };
  },
});
