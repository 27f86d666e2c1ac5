import { isMissingAclObject } from '../../../api/acl-conditions.ts';
import { command } from '../../../cli/command.ts';
import { confirmDelete } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import { describeMissing, describeProtected, writeDatacenter } from '../lib/find.ts';
import { findToken, redacted, tokenArg } from '../lib/find-token.ts';
import { grants } from '../lib/views.ts';

export default command({
  description:
    'Programs that use the token lose access at once. To delete the token of a login that this profile uses, run "acl logout".',
  examples: ['lanyard acl token delete 6a1253d2', 'lanyard acl token delete 6a1253d2 --yes'],
  service: 'registry',
  writes: true,
  readsFirst: true,
  args: { token: tokenArg },
  flags: {},
  async run({ args }, ctx) {
    const registry = await ctx.api.registry();
    const token = await findToken(registry, args.token, writeDatacenter);
    const { AccessorID: id, Description } = token;
    const title = Description ? `${id} (${Description})` : id;
    await ctx.input.confirm(`Delete token ${title}, with ${grants(token)}? This cannot be undone.`);
    await confirmDelete(
      () =>
        registry
          .deleteToken({ id })
          .catch(describeMissing('token', args.token))
          .catch(describeProtected('token', id)),
      () => registry.readToken({ id, ...writeDatacenter }),
      'the token',
      isMissingAclObject,
    );
    return { data: redacted(token), document: [text('Deleted token ', code(id), '.')] };
  },
});
