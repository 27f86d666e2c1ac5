import { command, flag } from '../../../../command/command.ts';
import { accessControlOffAccessor, isAnonymousAccessor } from '../../../../wire/services.ts';
import { redacted } from '../../lib/tokens.ts';
import { tokenView } from '../../lib/views.ts';

export default command({
  description:
    'Requires no permission. Without a token, the anonymous token is shown. The secret is redacted unless --show-secret is given.',
  examples: ['lanyard scheduler acl token self', 'lanyard scheduler acl token self --field AccessorID'],
  service: 'scheduler',
  flags: { showSecret: flag.boolean('show the secret') },
  async run({ flags }, ctx) {
    const { body } = await (await ctx.api.scheduler()).readOwnToken({});
    if (flags.showSecret && body.SecretID) ctx.output.mask(body.SecretID);
    const token = flags.showSecret ? body : redacted(body);
    const { AccessorID = '' } = token;
    if (AccessorID === accessControlOffAccessor)
      ctx.output.warn('access control is off: every request is permitted');
    else if (isAnonymousAccessor(AccessorID)) ctx.output.warn('no token was sent');
    return { data: token, document: [tokenView(token)] };
  },
});
