import { allPages } from '../../../api/account-pages.ts';
import { command, flag } from '../../../command/command.ts';
import { listResult } from '../../../output/document.ts';
import { listFlags, recursiveOf } from '../lib/access/list-flags.ts';
import { labelColumns, scopeColumn } from '../lib/access/views.ts';
import { describeMissingScope } from '../lib/errors.ts';
import { findScopeId } from '../lib/find-scope.ts';

export default command({
  description:
    'Lists the organizations, or the projects of an organization. The service lists only the scopes that the token may see.',
  examples: [
    'lanyard account scope list',
    'lanyard account scope list --recursive',
    `lanyard account scope list --filter '"/item/name" == "team-a"' --field items.0.id`,
  ],
  service: 'accounts',
  flags: {
    ...listFlags('scopes'),
    recursive: flag.boolean('also the projects of the organizations'),
  },
  async run({ flags }, ctx) {
    const scope_id = await findScopeId(flags.scope, ctx);
    const accounts = await ctx.api.accounts();
    const requested = { scope_id, filter: flags.filter, recursive: recursiveOf(flags) };
    const list = await allPages((list_token) =>
      accounts.listScopes({ ...requested, list_token }).catch(describeMissingScope(scope_id)),
    );
    const result = listResult(list.items, 'No scopes.', {
      ...labelColumns,
      TYPE: ({ type }) => type || null,
      ...(flags.recursive ? scopeColumn : {}),
    });
    return { ...result, data: list, payload: list.items };
  },
});
