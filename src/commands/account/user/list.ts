import { allPages } from '../../../api/account-pages.ts';
import { command } from '../../../command/command.ts';
import { listResult } from '../../../output/document.ts';
import { listFlags, recursiveOf } from '../lib/access/list-flags.ts';
import { labelColumns, scopeColumn } from '../lib/access/views.ts';
import { describeMissingScope } from '../lib/errors.ts';
import { findScopeId } from '../lib/find-scope.ts';

export default command({
  description:
    'Lists all pages, without the accounts of each user, which "lanyard account user get" shows. The login name is from the account in the primary auth method of the scope.',
  examples: [
    'lanyard account user list',
    'lanyard account user list --recursive',
    `lanyard account user list --filter '"/item/name" matches "^ci-"'`,
  ],
  service: 'accounts',
  flags: listFlags('users'),
  async run({ flags }, ctx) {
    const scope_id = await findScopeId(flags.scope, ctx);
    const accounts = await ctx.api.accounts();
    const requested = { scope_id, filter: flags.filter, recursive: recursiveOf(flags) };
    const list = await allPages((list_token) =>
      accounts.listUsers({ ...requested, list_token }).catch(describeMissingScope(scope_id)),
    );
    const result = listResult(list.items, 'No users.', {
      ...labelColumns,
      'LOGIN NAME': { cell: ({ login_name }) => login_name || null, shrinkPriority: 1 },
      ...(flags.recursive ? scopeColumn : {}),
    });
    return { ...result, data: list, payload: list.items };
  },
});
