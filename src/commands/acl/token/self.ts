import { command, flag } from '../../../command/command.ts';
import { dcFlag, whereFrom } from '../lib/find.ts';
import { redacted } from '../lib/find-token.ts';
import { tokenView } from '../lib/views.ts';

export default command({
  description: 'Needs no permission. The secret is redacted unless --show-secret is given.',
  examples: ['lanyard acl token self', 'lanyard acl token self --field AccessorID'],
  service: 'registry',
  flags: { showSecret: flag.boolean('show the secret'), dc: dcFlag },
  async run({ flags }, ctx) {
    const registry = await ctx.api.registry();
    const { body } = await registry.readOwnToken(whereFrom(flags));
    if (flags.showSecret) ctx.output.mask(body.SecretID);
    const token = flags.showSecret ? body : redacted(body);
    return { data: token, document: tokenView(token) };
  },
});
