import { allPages } from '../../../api/account-pages.ts';
import { command, flag } from '../../../command/command.ts';
import { good, listResult, strong } from '../../../output/document.ts';
import { describeMissingScope } from '../lib/errors.ts';
import { findScopeId, scopeFlag } from '../lib/find-scope.ts';

export default command({
  description:
    'Sends no token: logins need the list before they have one; "lanyard account auth-method get" shows all fields. The primary auth method of the global scope is the default of "lanyard account login", "list" and "create".',
  examples: [
    'lanyard account auth-method list',
    `lanyard account auth-method list --filter '"/item/type" == "password"' --field items.0.id`,
  ],
  service: 'accounts',
  flags: {
    scope: scopeFlag('scope of the auth methods'),
    filter: flag.text('EXPR', 'filter expression, such as "/item/type" == "oidc"'),
  },
  async run({ flags: { filter, ...flags } }, ctx) {
    const scope = await findScopeId(flags.scope, ctx);
    const accounts = await ctx.api.accounts();
    const list = await allPages((list_token) =>
      accounts.listAuthMethods({ scope_id: scope, filter, list_token }).catch(describeMissingScope(scope)),
    );
    const result = listResult(list.items, 'No auth methods.', {
      ID: ({ id }) => [strong(id)],
      TYPE: ({ type }) => type ?? '',
      NAME: { cell: ({ name }) => name || null, shrinkPriority: 1 },
      PRIMARY: ({ is_primary }) => (is_primary ? [good('yes')] : null),
      SCOPE: { cell: ({ scope_id }) => scope_id ?? '', optional: 1 },
    });
    return { ...result, data: list, payload: list.items };
  },
});
