import { command, flag } from '../../command.ts';
import { usage } from '../../errors.ts';
import { atFlag } from './fields.ts';
import { checkHasPassword } from './rules.ts';
import { accountArg, baseOf, change } from './versions.ts';
import { doneLine } from './views.ts';

export default command({
  description:
    'For whoever manages the account: the current password is not needed. The new one is asked for twice, or comes from a source. The account is read first, and is changed only if it is still at that version, or at the one of --at.',
  examples: [
    'lanyard account set-password acctpw_1234567890',
    'lanyard account set-password acctpw_1234567890 --password @password.txt',
    'lanyard account set-password acctpw_1234567890 --no-password',
  ],
  service: 'accounts',
  writes: true,
  readsFirst: true,
  args: { id: accountArg },
  flags: {
    password: flag.text('SRC', 'where the password comes from: -, @FILE or env://NAME', {
      completes: 'file',
    }),
    noPassword: flag.boolean('take the password away: nobody can log in with the account any more'),
    at: atFlag,
  },
  async run({ args: { id }, flags }, ctx) {
    if (flags.noPassword && flags.password !== undefined)
      throw usage('--no-password and --password exclude each other');
    checkHasPassword(id);
    const password = flags.noPassword ? '' : await ctx.io.secret(flags.password, 'password', { twice: true });
    const accounts = await ctx.api.accounts();
    const base = await baseOf(accounts, id, flags.at);
    if (flags.noPassword) await ctx.io.confirm(`Take the password of the account ${id} away?`);
    const account = await change({ accounts, io: ctx.io }, base, () =>
      accounts.setPassword({ id, version: base.version, password }),
    );
    return {
      data: account,
      document: [doneLine(account, flags.noPassword ? 'has no password any more' : 'has its new password')],
    };
  },
});
