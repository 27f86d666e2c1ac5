import { command, flag } from '../../command/command.ts';
import { usage } from '../../errors.ts';
import { checkHasPassword } from './lib/account-types.ts';
import { accountOf, passwordChange } from './lib/account-writes.ts';
import { versionFlag } from './lib/fields.ts';
import { accountArg, findAccountId, loginMethodFlag } from './lib/find-account.ts';
import { changeVersioned, readBase } from './lib/versioned.ts';
import { resultLine } from './lib/views.ts';

export default command({
  description:
    'Does not require the current password. The new password is prompted for unless it is given as "-", "@FILE" or "env://NAME". The account must still have the version that is read first, or the version of --at.',
  examples: [
    'lanyard account set-password acctpw_1234567890',
    'lanyard account set-password acctpw_1234567890 --password @password.txt',
    'lanyard account set-password acctpw_1234567890 --no-password',
  ],
  service: 'accounts',
  writes: 'after reads',
  args: { account: accountArg },
  flags: {
    password: flag.source('source of the password'),
    noPassword: flag.boolean('remove the password; the account can no longer log in'),
    authMethod: loginMethodFlag,
    at: versionFlag,
  },
  async run({ args, flags }, ctx) {
    if (flags.noPassword && flags.password !== undefined)
      throw usage('--no-password cannot be combined with --password');
    const id = await findAccountId(args.account, flags, ctx);
    checkHasPassword(id);
    const readPassword = () =>
      flags.noPassword ? '' : ctx.input.readSecret(flags.password, 'password', { repeat: true });
    // A prompt is the last step: the account exists.
    const given = flags.password === undefined ? undefined : await readPassword();
    const accounts = await ctx.api.accounts();
    const base = await readBase(accountOf(accounts, id), flags.at);
    const password = given ?? (await readPassword());
    if (flags.noPassword)
      await ctx.input.confirm(`Remove the password of account ${id}? It can no longer log in.`);
    const account = await changeVersioned(
      ctx,
      base,
      () => accounts.setPassword({ id, version: base.version, password }),
      passwordChange,
    );
    return {
      data: account,
      document: [resultLine(`${flags.noPassword ? 'Removed' : 'Set'} the password of account`, account)],
    };
  },
});
