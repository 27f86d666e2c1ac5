import { allPages } from '../../../api/account-pages.ts';
import { command, flag } from '../../../command/command.ts';
import { globalScope, scopeFlag } from '../lib/auth-method.ts';
import { describeMissingScope, describeMissingToken } from '../lib/errors.ts';
import { authTokensView } from '../lib/method-views.ts';
import { tokenId } from '../lib/own-token.ts';

export default command({
  description:
    'The newest token is first; secrets are not shown. --all adds the tokens of all users that the service shows; an administrator sees all.',
  examples: [
    'lanyard account token list',
    `lanyard account token list --all --filter '"/item/account_id" == "acctpw_1234567890"'`,
  ],
  service: 'accounts',
  args: {},
  flags: {
    all: flag.boolean('tokens of all users'),
    scope: scopeFlag('scope of the tokens'),
    filter: flag.text('EXPR', 'filter expression, such as "/item/account_id" == "acctpw_1234567890"'),
  },
  async run({ flags: { all, scope = globalScope, filter } }, ctx) {
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
    return { data: { ...list, items }, payload: items, rows: items, document: authTokensView(items, own) };
  },
});
