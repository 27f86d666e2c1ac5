import { command } from '../../../command/command.ts';
import { accountUser } from '../../../objects/account-access.ts';
import { findUserId, userArg, userOf } from '../lib/access/find-named.ts';
import {
  atFlag,
  labelChanges,
  nameScopeFlag,
  requireChanges,
  updateFlags,
  updateLabels,
} from '../lib/access/label-update.ts';

export default command({
  description:
    'Changes only the given fields. The user must still have the version that is read first, or the version of --at.',
  examples: [
    'lanyard account user update u_1234567890 --name operator',
    'lanyard account user update operator --unset description',
  ],
  service: 'accounts',
  writes: 'after reads',
  args: { user: userArg },
  flags: { ...updateFlags(accountUser), scope: nameScopeFlag('user'), at: atFlag('user') },
  async run({ args, flags }, ctx) {
    const labels = labelChanges(accountUser, flags);
    requireChanges(labels);
    const id = await findUserId(args.user, flags, ctx);
    const accounts = await ctx.api.accounts();
    return updateLabels(ctx, userOf(accounts, id), { at: flags.at, labels }, (guard) =>
      accounts.updateUser({ ...labels, ...guard }),
    );
  },
});
