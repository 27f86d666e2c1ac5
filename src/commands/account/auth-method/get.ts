import { arg, command } from '../../../command/command.ts';
import { resolveAuthMethod } from '../lib/auth-method.ts';
import { describeMissingMethod } from '../lib/errors.ts';
import { authMethodView } from '../lib/method-views.ts';
import { withoutScope } from '../lib/own-token.ts';

export default command({
  description:
    'Without an ID, shows the auth method of BOUNDARY_AUTH_METHOD_ID or of the profile, else the primary one of the global scope.',
  examples: [
    'lanyard account auth-method get',
    'lanyard account auth-method get ampw_1234567890 --field attributes.min_password_length',
  ],
  service: 'accounts',
  args: {
    id: arg.optional('ID', 'auth method ID, such as ampw_1234567890', {
      completes: { live: 'account-auth-method' },
    }),
  },
  flags: {},
  async run({ args }, ctx) {
    const id = await resolveAuthMethod(args.id, ctx);
    const accounts = await ctx.api.accounts();
    const { body } = await accounts.readAuthMethod({ id }).catch(describeMissingMethod(id));
    return { data: body, payload: withoutScope(body), document: authMethodView(body) };
  },
});
