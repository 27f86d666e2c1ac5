import { isMissingAclObject } from '../../../api/conditions/registry.ts';
import { askedDatacenter } from '../../../api/registry-datacenter.ts';
import { command } from '../../../command/command.ts';
import { deleteObject } from '../../../command/delete-object.ts';
import { dcFlag, describeMissing, describeProtected } from '../lib/find.ts';
import { findTokenToWrite, redacted, tokenArg } from '../lib/find-token.ts';
import { grants } from '../lib/views.ts';

export default command({
  description:
    'Programs that use the token lose access at once. To delete the token of a login that this profile uses, run "acl logout".',
  examples: ['lanyard acl token delete 6a1253d2', 'lanyard acl token delete 6a1253d2 --yes'],
  service: 'registry',
  writes: 'after reads',
  args: { token: tokenArg },
  flags: { dc: dcFlag },
  async run({ args, flags }, ctx) {
    const registry = await ctx.api.registry();
    const asked = await askedDatacenter(flags.dc, ctx.api);
    const { token, where } = await findTokenToWrite(registry, args.token, asked);
    const { AccessorID: id, Description } = token;
    const title = Description ? `${id} (${Description})` : id;
    return deleteObject(ctx, 'token', id, {
      prompt: `Delete token ${title}, with ${grants(token)}?`,
      remove: () =>
        registry
          .deleteToken({ id })
          .catch(describeMissing('token', args.token))
          .catch(describeProtected('token', id)),
      read: () => registry.readToken({ id, ...where }),
      isMissing: isMissingAclObject,
      data: () => redacted(token),
    });
  },
});
