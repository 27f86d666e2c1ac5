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
    'The type is that of the auth method and decides which attributes exist; embedded services have one auth method, ampw_1234567890. An account of type password gets a password: prompted for twice, or from --password; with --no-password it has none and cannot log in yet. Boundary takes full name, email, DN, groups and claims from the provider or directory only: it rejects these flags, or does not store their values, and a warning says so.',
  examples: [
    'lanyard account create --auth-method ampw_1234567890 --login-name bob --name "Bob"',
    'lanyard account create --auth-method ampw_1234567890 --login-name ci-deploy --password @password.txt',
    'lanyard account create --auth-method amoidc_xxxxxxxxxx --subject 8d2f6 --issuer https://idp.example.com',
  ],
  service: 'accounts',
  writes: true,
  args: {},
  flags: {
    authMethod: authMethodFlag('the auth method that it logs in through'),
    type: flag.choice(types, 'its type (default: that of the auth method)'),
    ...fieldFlags,
    password: flag.text('SRC', 'password: where its password comes from: -, @FILE or env://NAME', {
      completes: 'file',
    }),
    noPassword: flag.boolean('password: make it without one'),
  },
  async run({ flags }, ctx) {
    if (flags.noPassword && flags.password !== undefined)
      throw usage('--no-password and --password exclude each other');
    const authMethod = await authMethodOf(flags.authMethod, ctx);
    const type = typeFor(authMethod, flags.type);
    const { own, attributes } = await fieldsFrom(flags, ctx, { isNew: true });
    refuseNulls({ ...own, ...attributes });
    const hasPassword = flags.password !== undefined || (type === 'password' && !flags.noPassword);
    // The rest is checked before a password is read, so that nobody is asked for one in vain.
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
    return { data: account, document: [doneLine(account, 'is created'), ...accountView(account)] };
  },
});

function refuseNulls(named: Fields): void {
  const name = Object.keys(named).find((each) => named[each] === null);
  if (name === undefined) return;
  throw usage(`${name}: there is nothing to clear in a new account`, {
    hint: `The word itself is written '"null"'.`,
  });
}

interface NewAccount {
  readonly auth_method_id: string;
  readonly attributes: Fields;
}

/** Creates an account. After a lost answer it is looked for among the newest. */
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
  ctx.io.warn('the answer was lost, but the account is there now');
  return made;
}

const found = (like: Account | undefined): string =>
  like === undefined
    ? 'There is no such account.'
    : `There is an account like it, ${like.id}, at version ${like.version}, made ${like.created_time ?? 'at an unknown time'}.`;

/** The newest accounts come first, and what identifies one is never there twice. `now`: the service's own clock. */
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

/** Was it made at that moment or later? A `Date` header has whole seconds. */
const isSince = ({ created_time }: Account, moment: number): boolean =>
  Date.parse(created_time ?? '') >= moment - 1000;
