import { allPages } from '../../../api/account-pages.ts';
import { command } from '../../../command/command.ts';
import { listResult } from '../../../output/document.ts';
import { listFlags, recursiveOf } from '../lib/access/list-flags.ts';
import { labelColumns, scopeColumn } from '../lib/access/views.ts';
import { describeMissingScope } from '../lib/errors.ts';
import { findScopeId } from '../lib/find-scope.ts';

export default command({
  description:
    'Lists all pages, without the grants and principals of each role, which "lanyard account role get" shows.',
  examples: [
    'lanyard account role list',
    'lanyard account role list --recursive',
    `lanyard account role list --filter '"/item/name" matches "^ops"'`,
  ],
  service: 'accounts',
  flags: listFlags('roles'),
  async run({ flags }, ctx) {
    const scope_id = await findScopeId(flags.scope, ctx);
    const accounts = await ctx.api.accounts();
    const requested = { scope_id, filter: flags.filter, recursive: recursiveOf(flags) };
    const list = await allPages((list_token) =>
      accounts.listRoles({ ...requested, list_token }).catch(describeMissingScope(scope_id)),
    );
    const result = listResult(list.items, 'No roles.', {
      ...labelColumns,
      'GRANT SCOPES': {
        cell: ({ grant_scope_ids }) => grant_scope_ids?.join(', ') || null,
        shrinkPriority: 1,
      },
      ...(flags.recursive ? scopeColumn : {}),
    });
    return { ...result, data: list, payload: list.items };
  },
});
