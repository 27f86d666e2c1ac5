import { isWrongPassword } from '../../api/conditions.ts';
import { command, flag } from '../../command.ts';
import { LanyardError } from '../../errors.ts';
import { atFlag } from './fields.ts';
import { checkHasPassword, refused } from './rules.ts';
import { accountArg, baseOf, change } from './versions.ts';
import { doneLine } from './views.ts';

export default command({
  description:
    'Requires the current password; "account set-password" does not. Passwords are prompted for unless they are given as "-", "@FILE" or "env://NAME". The account must still have the version that is read first, or that of --at.',
  examples: [
    'lanyard account change-password acctpw_1234567890',
    'lanyard account change-password acctpw_1234567890 --current-password env://OLD --new-password @new.txt',
  ],
  service: 'accounts',
  writes: true,
  readsFirst: true,
  args: { id: accountArg },
  flags: {
    currentPassword: flag.text('SRC', 'source of the current password: -, @FILE or env://NAME', {
      completes: 'file',
    }),
    newPassword: flag.text('SRC', 'source of the new password: -, @FILE or env://NAME', {
      completes: 'file',
    }),
    at: atFlag,
  },
  async run({ args: { id }, flags }, ctx) {
    checkHasPassword(id);
    const current_password = await ctx.io.secret(flags.currentPassword, 'current password');
    const new_password = await ctx.io.secret(flags.newPassword, 'new password', { twice: true });
    if (new_password === current_password)
      throw refused(['new_password: must differ from the current password']);
    const accounts = await ctx.api.accounts();
    const base = await baseOf(accounts, id, flags.at);
    const account = await change({ accounts, io: ctx.io }, base, () =>
      accounts
        .changePassword({ id, version: base.version, current_password, new_password })
        .catch(wrongPassword),
    );
    return { data: account, document: [doneLine('Changed the password of account', account)] };
  },
});

/** Rejects with the reason: the service reports a wrong password as a missing permission. */
function wrongPassword(error: unknown): never {
  if (!isWrongPassword(error)) throw error;
  throw new LanyardError('forbidden', 'cannot change the password: the current password is wrong (403)', {
    ...error,
    hint: 'To set a password without the current one, run `lanyard account set-password`.',
  });
}
