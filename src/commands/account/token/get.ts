import { command } from '../../../command/command.ts';
import { fieldsResult, strong } from '../../../output/document.ts';
import { timestampText } from '../../../output/humanize.ts';
import { describeMissingToken } from '../lib/errors.ts';
import { expiryText, tokenArg, tokenId, withoutScope } from '../lib/own-token.ts';

export default command({
  description: 'The secret of the token is not shown: the service does not know it.',
  examples: ['lanyard account token get', 'lanyard account token get --field account_id'],
  service: 'accounts',
  args: { id: tokenArg },
  async run({ args }, ctx) {
    const id = await tokenId(args.id, ctx);
    const { body } = await (await ctx.api.accounts()).readAuthToken({ id }).catch(describeMissingToken(id));
    const result = fieldsResult(body, [
      ['ID', [strong(body.id ?? '')]],
      ['account', body.account_id || undefined],
      ['user', body.user_id || undefined],
      ['auth method', body.auth_method_id || undefined],
      ['created', timestampText(body.created_time)],
      ['last used', timestampText(body.approximate_last_used_time)],
      ['expires', expiryText(body)],
    ]);
    return { ...result, payload: withoutScope(body) };
  },
});
