import type { AccountUser } from '../../../../api/accounts-access.ts';
import type { Context } from '../../../../command/context.ts';
import { describeMissingScope } from '../errors.ts';
import { anyOf } from '../filters.ts';
import { checkNewName, createConfirmed, describeTakenName } from './create-named.ts';

/** Creates a user in a scope. @throws LanyardError usage, conflict: the name exists; not_found: the scope does not */
export async function createUser(
  user: { readonly name: string; readonly description?: string },
  scope_id: string,
  ctx: Pick<Context, 'api' | 'output' | 'system'>,
): Promise<AccountUser> {
  const { name } = user;
  checkNewName('user', name);
  const accounts = await ctx.api.accounts();
  return createConfirmed(
    {
      noun: 'user',
      create: () =>
        accounts
          .createUser({ ...user, scope_id })
          .catch(describeTakenName('user', name))
          .catch(describeMissingScope(scope_id)),
      list: () => accounts.findUsers({ scope_id, filter: anyOf('name', [name.trim()]) }),
      read: ({ id }) => accounts.readUser({ id }),
      isSame: (each) => each.name === name.trim(),
    },
    ctx,
  );
}
