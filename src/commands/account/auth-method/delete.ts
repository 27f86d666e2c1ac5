import { allPages } from '../../../api/account-pages.ts';
import { hasStatus } from '../../../api/conditions/any.ts';
import { command } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { deleteObject } from '../../../command/delete-object.ts';
import { insteadOf, isNotFound } from '../../../errors.ts';
import { findMethodId, methodArg } from '../lib/access/find-named.ts';
import { nameScopeFlag } from '../lib/access/label-update.ts';
import { objectTitle } from '../lib/access/views.ts';
import { describeMissingMethod } from '../lib/errors.ts';

export default command({
  description:
    'Also deletes its accounts, whose number is in the prompt: they can no longer be used to log in. A scope whose primary auth method is deleted has none.',
  examples: [
    'lanyard account auth-method delete directory',
    'lanyard account auth-method delete staff --scope team-a --yes',
  ],
  service: 'accounts',
  writes: 'after reads',
  changes: ['account token', 'account user', 'account scope'],
  args: { method: methodArg },
  flags: { scope: nameScopeFlag('method') },
  async run({ args, flags }, ctx) {
    const id = await findMethodId(args.method, flags, ctx);
    const accounts = await ctx.api.accounts();
    const missing = describeMissingMethod(id);
    const method = (await accounts.readAuthMethod({ id }).catch(missing)).body;
    const count = await countAccounts(id, ctx);
    const primary = method.is_primary ? ' It is the primary auth method of its scope.' : '';
    return deleteObject(ctx, 'auth method', objectTitle(method), {
      prompt: `Delete auth method ${objectTitle(method)}${accountsText(count)}?${primary}`,
      remove: () => accounts.deleteAuthMethod({ id }).catch(missing),
      read: () => accounts.readAuthMethod({ id }),
      isMissing: isNotFound,
      data: () => method,
    });
  },
});

/** The number of accounts of an auth method; undefined: the token may not list them. */
async function countAccounts(auth_method_id: string, ctx: Pick<Context, 'api'>): Promise<number | undefined> {
  const accounts = await ctx.api.accounts();
  const list = await allPages((list_token) => accounts.findAccounts({ auth_method_id, list_token })).catch(
    insteadOf((error) => hasStatus(error, 403), undefined),
  );
  return list?.items.length;
}

function accountsText(count: number | undefined): string {
  if (count === undefined) return ' with its accounts';
  if (count === 0) return '';
  return count === 1 ? ' with its account' : ` with its ${count} accounts`;
}
