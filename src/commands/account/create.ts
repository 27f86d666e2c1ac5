import type { Account, AccountsClient } from '../../api/accounts.ts';
import { command, flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { settle, usage } from '../../errors.ts';
import { authMethodFlag, authMethodOf } from './auth-method.ts';
import { type Fields, fieldFlags, fieldsFrom } from './fields.ts';
import { checkAttributes, typeFor, types } from './rules.ts';
import { missingMethod, rejectedValue, taken, warnOfMissing } from './versions.ts';
import { accountView, doneLine } from './views.ts';

export default command({
  description:
    'Embedded services have the auth method ampw_1234567890. A password account needs a password to log in: it is prompted for unless --password or --no-password is given. Boundary sets full name, email, DN, groups and claims from the identity provider or directory, and rejects these flags or ignores them with a warning.',
  examples: [
    'lanyard account create --auth-method ampw_1234567890 --login-name bob --name "Bob"',
    'lanyard account create --auth-method ampw_1234567890 --login-name ci-deploy --password @password.txt',
    'lanyard account create --auth-method amoidc_1234567890 --subject 8d2f6 --issuer https://idp.example.com',
  ],
  service: 'accounts',
  writes: true,
  args: {},
  flags: {
    authMethod: authMethodFlag('auth method of the account'),
    type: flag.choice(types, 'account type (default: type of the auth method)'),
    ...fieldFlags,
    password: flag.text('SRC', 'password: source of the password: -, @FILE or env://NAME', {
      completes: 'file',
    }),
    noPassword: flag.boolean('password: create the account without a password'),
  },
  async run({ flags }, ctx) {
    if (flags.noPassword && flags.password !== undefined)
      throw usage('--no-password and --password cannot be combined');
    const authMethod = await authMethodOf(flags.authMethod, ctx);
    const type = typeFor(authMethod, flags.type);
    const { own, attributes } = await fieldsFrom(flags, ctx, { isNew: true });
    refuseNulls({ ...own, ...attributes });
    const hasPassword = flags.password !== undefined || (type === 'password' && !flags.noPassword);
    // The other fields are checked before a password is prompted for.
    const anyPassword = flags.password === undefined ? {} : { password: 'any password' };
    checkAttributes({ ...attributes, ...anyPassword }, { type, isNew: true });
    const secret = hasPassword
      ? { password: await ctx.io.secret(flags.password, 'password', { twice: true }) }
      : {};
    const account = await create(
      {
        auth_method_id: authMethod,
        ...(flags.type === undefined ? {} : { type: flags.type }),
        ...own,
        attributes: { ...attributes, ...secret },
      },
      ctx,
    );
    warnOfMissing(account, { own, attributes }, ctx.io);
    return { data: account, document: [doneLine('Created account', account), ...accountView(account)] };
  },
});

function refuseNulls(named: Fields): void {
  const name = Object.keys(named).find((each) => named[each] === null);
  if (name === undefined) return;
  throw usage(`invalid ${name}: null clears a field, and a new account has none to clear`, {
    hint: `To set the text null, write '"null"'.`,
  });
}

interface NewAccount {
  readonly auth_method_id: string;
  readonly attributes: Fields;
}

/** Creates an account. After a lost response, it is searched for among the newest accounts. */
async function create(account: NewAccount, ctx: Context): Promise<Account> {
  const accounts = await ctx.api.accounts();
  const start = ctx.clock().getTime();
  let made: Account | undefined;
  const answer = await settle(
    () =>
      accounts
        .createAccount(account)
        .catch(missingMethod(account.auth_method_id))
        .catch(taken)
        .catch(rejectedValue('create account')),
    async () => {
      const like = await newestLike(account, accounts);
      const lasted = ctx.clock().getTime() - start;
      if (like?.account && isSince(like.account, like.now - lasted)) made = like.account;
      return { done: made !== undefined, found: found(like?.account) };
    },
  );
  if (answer) return answer.body;
  if (!made) throw new Error('settled without an account');
  ctx.io.warn('the response was lost, but the account was created');
  return made;
}

const found = (like: Account | undefined): string =>
  like === undefined
    ? 'The account does not exist.'
    : `A similar account exists: ${like.id}, version ${like.version}, created ${like.created_time ?? 'at an unknown time'}.`;

/** The newest account with the same identity, which is unique. `now`: the clock of the service, in milliseconds. */
async function newestLike(
  { auth_method_id, attributes }: NewAccount,
  accounts: AccountsClient,
): Promise<{ readonly account: Account | undefined; readonly now: number }> {
  const { body, headers } = await accounts.listAccounts({ auth_method_id });
  const identity = ['login_name', 'issuer', 'subject'].filter((name) => attributes[name] !== undefined);
  const account = body.items?.find((item) =>
    identity.every((name) => item.attributes?.[name] === attributes[name]),
  );
  return { account, now: Date.parse(headers.date ?? '') };
}

/** Whether the account was created at that time or later. A `Date` header has a resolution of one second. */
const isSince = ({ created_time }: Account, moment: number): boolean =>
  Date.parse(created_time ?? '') >= moment - 1000;
