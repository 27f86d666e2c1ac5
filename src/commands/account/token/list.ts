import { allPages } from '../../../api/account-pages.ts';
import { command, flag } from '../../../command/command.ts';
import { good, listResult, strong } from '../../../output/document.ts';
import { timestampText } from '../../../output/humanize.ts';
import { describeMissingScope, describeMissingToken } from '../lib/errors.ts';
import { findScopeId, scopeFlag } from '../lib/find-scope.ts';
import { expiryText, tokenId } from '../lib/own-token.ts';

export default command({
  description:
    'The newest token is first; secrets are not shown. --all adds the tokens of all users that the service shows; an administrator sees all.',
  examples: [
    'lanyard account token list',
    `lanyard account token list --all --filter '"/item/account_id" == "acctpw_1234567890"'`,
  ],
  service: 'accounts',
  flags: {
    all: flag.boolean('tokens of all users'),
    scope: scopeFlag('scope of the tokens'),
    filter: flag.text('EXPR', 'filter expression, such as "/item/account_id" == "acctpw_1234567890"'),
  },
  async run({ flags: { all, filter, ...flags } }, ctx) {
    const scope = await findScopeId(flags.scope, ctx);
    const accounts = await ctx.api.accounts();
    const own = all ? await ctx.api.accountsTokenId() : await tokenId(undefined, ctx);
    const user =
      all || own === undefined
        ? undefined
        : (await accounts.readAuthToken({ id: own }).catch(describeMissingToken(own))).body.user_id;
    const tokens = all ? accounts.listAuthTokens : accounts.listOwnTokens;
    const list = await allPages((list_token) =>
      tokens({ scope_id: scope, filter, list_token }).catch(describeMissingScope(scope)),
    );
    const items = list.items.filter((item) => all || item.user_id === user);
    const result = listResult(items, 'No tokens.', {
      ID: ({ id = '' }) => [strong(id)],
      ACCOUNT: ({ account_id }) => account_id ?? '',
      CREATED: { cell: (token) => timestampText(token.created_time) ?? '', optional: 2 },
      'LAST USED': { cell: (token) => timestampText(token.approximate_last_used_time) ?? '', optional: 3 },
      EXPIRES: { cell: expiryText, optional: 1 },
      CURRENT: ({ id }) => (id === own ? [good('yes')] : null),
    });
    return { ...result, data: { ...list, items }, payload: items };
  },
});
