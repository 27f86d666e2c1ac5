import { isWrongPassword } from '../../api/conditions/accounts.ts';
import { command, flag } from '../../command/command.ts';
import { describeAs } from '../../errors.ts';
import { checkHasPassword, invalidFieldsError } from './lib/account-types.ts';
import { accountOf, passwordChange } from './lib/account-writes.ts';
import { versionFlag } from './lib/fields.ts';
import { accountArg, findAccountId, loginMethodFlag } from './lib/find-account.ts';
import { changeVersioned, readBase } from './lib/versioned.ts';
import { resultLine } from './lib/views.ts';

export default command({
  description:
    '"account set-password" does not require the current password. Passwords are prompted for unless they are given as "-", "@FILE" or "env://NAME". The account must still have the version that is read first, or the version of --at.',
  examples: [
    'lanyard account change-password acctpw_1234567890',
    'lanyard account change-password acctpw_1234567890 --current-password env://OLD --new-password @new.txt',
  ],
  service: 'accounts',
  writes: 'after reads',
  args: { account: accountArg },
  flags: {
    currentPassword: flag.source('source of the current password'),
    newPassword: flag.source('source of the new password'),
    authMethod: loginMethodFlag,
    at: versionFlag,
  },
  async run({ args, flags }, ctx) {
    const id = await findAccountId(args.account, flags, ctx);
    checkHasPassword(id);
    const readPasswords = async () => {
      const current_password = await ctx.input.readSecret(flags.currentPassword, 'current password');
      const new_password = await ctx.input.readSecret(flags.newPassword, 'new password', { repeat: true });
      if (new_password === current_password)
        throw invalidFieldsError(['new_password: must differ from the current password']);
      return { current_password, new_password };
    };
    const isTyped = flags.currentPassword === undefined || flags.newPassword === undefined;
    // Prompts are the last step: the account exists.
    const given = isTyped ? undefined : await readPasswords();
    const accounts = await ctx.api.accounts();
    const base = await readBase(accountOf(accounts, id), flags.at);
    const passwords = given ?? (await readPasswords());
    const account = await changeVersioned(
      ctx,
      base,
      () => accounts.changePassword({ id, version: base.version, ...passwords }).catch(wrongPassword),
      passwordChange,
    );
    return { data: account, document: [resultLine('Changed the password of account', account)] };
  },
});

/** Rejects with the reason: the service reports a wrong password as a missing permission. */
const wrongPassword = describeAs(
  isWrongPassword,
  'forbidden',
  'cannot change the password: the current password is wrong (403)',
  { hint: 'To set a password without the current one, run `lanyard account set-password`.' },
);
