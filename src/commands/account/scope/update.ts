import { command } from '../../../command/command.ts';
import { accountScope } from '../../../objects/account-access.ts';
import {
  atFlag,
  labelChanges,
  requireChanges,
  updateFlags,
  updateLabels,
} from '../lib/access/label-update.ts';
import { findScopeId, scopeArg, scopeOf } from '../lib/find-scope.ts';

export default command({
  description:
    'Changes only the given fields. With --primary-auth-method, an account of this auth method gets a user with its first login; accounts of others must be added to a user.',
  examples: [
    'lanyard account scope update team-a --description "Team A"',
    'lanyard account scope update global --primary-auth-method ampw_1234567890',
    'lanyard account scope update team-a --unset description',
  ],
  service: 'accounts',
  writes: 'after reads',
  args: { scope: scopeArg },
  flags: { ...updateFlags(accountScope), at: atFlag('scope') },
  async run({ args, flags }, ctx) {
    const labels = labelChanges(accountScope, flags);
    requireChanges(labels);
    const id = await findScopeId(args.scope, ctx);
    const accounts = await ctx.api.accounts();
    return updateLabels(ctx, scopeOf(accounts, id), { at: flags.at, labels }, (guard) =>
      accounts.updateScope({ ...labels, ...guard }),
    );
  },
});
