import { hasPasswords } from '../../../api/conditions/accounts.ts';
import { command } from '../../../command/command.ts';
import { deleteObject } from '../../../command/delete-object.ts';
import { describeAs, isNotFound, usage } from '../../../errors.ts';
import { shellWord } from '../../../wire/printable.ts';
import { objectTitle } from '../lib/access/views.ts';
import { describeMissingScope } from '../lib/errors.ts';
import { findScopeId, globalScope, scopeArg } from '../lib/find-scope.ts';

export default command({
  description:
    'Deletes everything in the scope: auth methods, accounts, users, roles, and the projects of an organization. The global scope cannot be deleted.',
  examples: ['lanyard account scope delete team-a/shop', 'lanyard account scope delete team-a --yes'],
  service: 'accounts',
  writes: 'after reads',
  changes: ['accounts', 'account token', 'account user', 'account role'],
  args: { scope: scopeArg },
  async run({ args }, ctx) {
    const id = await findScopeId(args.scope, ctx);
    if (id === globalScope)
      throw usage('cannot delete scope "global": it must always exist', { hint: 'Nothing was sent.' });
    const accounts = await ctx.api.accounts();
    const scope = (await accounts.readScope({ id }).catch(describeMissingScope(id))).body;
    return deleteObject(ctx, 'scope', objectTitle(scope), {
      prompt: `Delete scope ${objectTitle(scope)} with everything in it?`,
      remove: () =>
        accounts
          .deleteScope({ id })
          .catch(
            describeAs(
              hasPasswords,
              'conflict',
              `cannot delete scope ${objectTitle(scope)}: it has accounts with passwords`,
              {
                hint: `Delete its auth methods first: \`lanyard account auth-method list --scope ${shellWord(args.scope)}\`.`,
              },
            ),
          )
          .catch(describeMissingScope(id)),
      read: () => accounts.readScope({ id }),
      isMissing: isNotFound,
      data: () => scope,
    });
  },
});
