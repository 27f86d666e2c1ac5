import { isWrongPassword } from '../../api/conditions.ts';
import { command, flag } from '../../command.ts';
import { LanyardError } from '../../errors.ts';
import { atFlag } from './fields.ts';
import { checkHasPassword, refused } from './rules.ts';
import { accountArg, baseOf, change } from './versions.ts';
import { doneLine } from './views.ts';

export default command({
  description:
    'For whoever knows the current password. Both are asked for, the new one twice, or come from a source. The account is read first, and is changed only if it is still at that version, or at the one of --at.',
  examples: [
    'lanyard account change-password acctpw_1234567890',
    'lanyard account change-password acctpw_1234567890 --current-password env://OLD --new-password @new.txt',
  ],
  service: 'accounts',
  writes: true,
  readsFirst: true,
  args: { id: accountArg },
  flags: {
    currentPassword: flag.text('SRC', 'where the current password comes from: -, @FILE or env://NAME', {
      completes: 'file',
    }),
    newPassword: flag.text('SRC', 'where the new password comes from: -, @FILE or env://NAME', {
      completes: 'file',
    }),
    at: atFlag,
  },
  async run({ args: { id }, flags }, ctx) {
    checkHasPassword(id);
    const current_password = await ctx.io.secret(flags.currentPassword, 'current password');
    const new_password = await ctx.io.secret(flags.newPassword, 'new password', { twice: true });
    if (new_password === current_password) throw refused(['new_password: it is the current password']);
    const accounts = await ctx.api.accounts();
    const base = await baseOf(accounts, id, flags.at);
    const account = await change({ accounts, io: ctx.io }, base, () =>
      accounts
        .changePassword({ id, version: base.version, current_password, new_password })
        .catch(wrongPassword),
    );
    return { data: account, document: [doneLine(account, 'has its new password')] };
  },
});

/** The service says of a wrong password what it says of a missing permission, in other words. */
function wrongPassword(error: unknown): never {
  if (!isWrongPassword(error)) throw error;
  throw new LanyardError('forbidden', 'change password: the current password is wrong (403)', {
    ...error,
    hint: 'Whoever may manage the account can set another: "lanyard account set-password".',
  });
}
