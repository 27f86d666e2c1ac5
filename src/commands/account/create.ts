import type { Account } from '../../api/accounts.ts';
import { command, flag } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { usage } from '../../errors.ts';
import { accountTypes } from '../../objects/account-auth-method.ts';
import { findAccountUser, giveAccount } from './lib/access/account-user.ts';
import { createConfirmed } from './lib/access/create-named.ts';
import { doneLine } from './lib/access/views.ts';
import { chooseAccountType } from './lib/account-types.ts';
import { describeRejectedValue, describeTakenValue, warnAboutUnstoredFields } from './lib/account-writes.ts';
import { authMethodFlag, resolveAuthMethod } from './lib/auth-method.ts';
import { checkAttributes } from './lib/check-attributes.ts';
import { describeMissingMethod } from './lib/errors.ts';
import { type Fields, fieldFlags, fieldsFrom } from './lib/fields.ts';
import { accountView, resultLine } from './lib/views.ts';

export default command({
  description:
    'Prompts for the password of a password account, unless --password or --no-password is given. Boundary sets full name, email, DN, groups and claims from the identity provider or directory, and rejects or ignores these flags. Without --user, an account of the primary auth method gets a user with its first login; if --user fails, the exit code is 9, and the message has the command for the rest.',
  examples: [
    'lanyard account create --login-name bob --name "Bob"',
    'lanyard account create --auth-method ampw_1234567890 --login-name ci-deploy --password @password.txt',
    'lanyard account create --login-name carol --password @password.txt --user carol',
    'lanyard account create --auth-method amoidc_1234567890 --subject 8d2f6 --issuer https://idp.example.com',
  ],
  service: 'accounts',
  writes: 'after reads',
  changes: ['account user'],
  flags: {
    authMethod: authMethodFlag('auth method of the account'),
    type: flag.choice(accountTypes, 'account type (default: type of the auth method)'),
    ...fieldFlags,
    password: flag.source('password: source of the password'),
    noPassword: flag.boolean('password: create the account without a password'),
    user: flag.name('USER', 'name or ID of the user that gets the account; a missing name is created', {
      completes: 'account-user',
    }),
  },
  async run({ flags }, ctx) {
    if (flags.noPassword && flags.password !== undefined)
      throw usage('--no-password cannot be combined with --password');
    const authMethod = await resolveAuthMethod(flags.authMethod, ctx);
    const type = chooseAccountType(authMethod, flags.type);
    const { fields, attributes } = await fieldsFrom(flags, ctx, { isNew: true });
    rejectNulls({ ...fields, ...attributes });
    const hasPassword = flags.password !== undefined || (type === 'password' && !flags.noPassword);
    // The other fields are checked before a password is prompted for.
    const anyPassword = flags.password === undefined ? {} : { password: 'any password' };
    checkAttributes({ ...attributes, ...anyPassword }, { type, isNew: true });
    const user = flags.user === undefined ? undefined : await findAccountUser(flags.user, authMethod, ctx);
    const secret = hasPassword
      ? { password: await ctx.input.readSecret(flags.password, 'password', { repeat: true }) }
      : {};
    const account = await createAccount(
      {
        auth_method_id: authMethod,
        type: flags.type,
        ...fields,
        attributes: { ...attributes, ...secret },
      },
      ctx,
    );
    warnAboutUnstoredFields(account, { fields, attributes }, ctx.output);
    const owner = user && (await giveAccount(account, user, ctx));
    return {
      data: account,
      document: [
        resultLine('Created account', account),
        ...(owner === undefined ? [] : [doneLine('Added it to user', owner)]),
        ...accountView(account),
      ],
    };
  },
});

function rejectNulls(named: Fields): void {
  const name = Object.keys(named).find((each) => named[each] === null);
  if (name === undefined) return;
  throw usage(`invalid ${name}: null clears a field, and a new account has none to clear`, {
    hint: `To set the text null, write '"null"'.`,
  });
}

interface NewAccount {
  readonly auth_method_id: string;
  readonly attributes: Fields;
  readonly type?: string | undefined;
}

/** Creates an account. After a lost response, it is searched for among the newest accounts. */
async function createAccount(account: NewAccount, ctx: Context): Promise<Account> {
  const accounts = await ctx.api.accounts();
  const { auth_method_id, attributes } = account;
  const identity = ['login_name', 'issuer', 'subject'].filter((name) => attributes[name] !== undefined);
  return createConfirmed(
    {
      noun: 'account',
      create: () =>
        accounts
          .createAccount(account)
          .catch(describeMissingMethod(auth_method_id))
          .catch(describeTakenValue)
          .catch(describeRejectedValue('create account')),
      list: () => accounts.listAccounts({ auth_method_id }),
      read: (item) => Promise.resolve({ body: item }),
      isSame: (item) => identity.every((name) => item.attributes?.[name] === attributes[name]),
    },
    ctx,
  );
}
