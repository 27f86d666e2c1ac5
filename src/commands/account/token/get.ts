import { command } from '../../../command/command.ts';
import { describeMissingToken } from '../lib/errors.ts';
import { authTokenView } from '../lib/method-views.ts';
import { tokenArg, tokenId, withoutScope } from '../lib/own-token.ts';

export default command({
  description: 'The secret of the token is not shown: the service does not know it.',
  examples: ['lanyard account token get', 'lanyard account token get --field account_id'],
  service: 'accounts',
  args: { id: tokenArg },
  async run({ args }, ctx) {
    const id = await tokenId(args.id, ctx);
    const { body } = await (await ctx.api.accounts()).readAuthToken({ id }).catch(describeMissingToken(id));
    return { data: body, payload: withoutScope(body), document: authTokenView(body) };
  },
});
