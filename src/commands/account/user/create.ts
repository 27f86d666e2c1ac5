import { arg, command } from '../../../command/command.ts';
import { accountUser } from '../../../objects/account-access.ts';
import { createUser } from '../lib/access/create-user.ts';
import { createFlags, newLabels } from '../lib/access/label-update.ts';
import { doneLine } from '../lib/access/views.ts';
import { findScopeId, scopeFlag } from '../lib/find-scope.ts';

export default command({
  description:
    'A new user has no accounts and no permissions. "lanyard account user add-accounts" gives it accounts to log in with, and "lanyard account role add-principals" the permissions of a role.',
  examples: [
    'lanyard account user create bob --description "Build server"',
    'lanyard account user create carol --scope team-a',
  ],
  service: 'accounts',
  writes: 'after reads',
  args: { name: arg.text('NAME', 'name, unique in the scope') },
  flags: { ...createFlags(accountUser), scope: scopeFlag('scope of the user') },
  async run({ args, flags: { scope, ...flags } }, ctx) {
    const labels = newLabels(accountUser, flags);
    const user = await createUser({ ...labels, name: args.name }, await findScopeId(scope, ctx), ctx);
    return { data: user, document: [doneLine('Created user', user)] };
  },
});
