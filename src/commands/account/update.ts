import type { Account } from '../../api/accounts.ts';
import { command } from '../../command/command.ts';
import { usage } from '../../errors.ts';
import { type Change, changesTable, diff, writtenView } from '../../output/diff.ts';
import { accountTypeOfId } from './lib/account-types.ts';
import {
  accountOf,
  describeRejectedValue,
  describeTakenValue,
  warnAboutUnstoredFields,
} from './lib/account-writes.ts';
import { checkAttributes } from './lib/check-attributes.ts';
import { type AccountFields, changeFlags, type Fields, fieldsFrom, versionFlag } from './lib/fields.ts';
import { accountArg, findAccountId, loginMethodFlag } from './lib/find-account.ts';
import { changeVersioned, readBase } from './lib/versioned.ts';
import { resultLine, title } from './lib/views.ts';

export default command({
  description:
    'Changes only the given fields. The account must still have the version that is read first, or the version of --at. To change passwords, use "account change-password" or "account set-password".',
  examples: [
    'lanyard account update acctpw_1234567890 --name Admin --description "on call"',
    'lanyard account update acctpw_1234567890 --login-name operator --at 2',
    'lanyard account update acctpw_1234567890 --description null',
  ],
  service: 'accounts',
  writes: 'after reads',
  args: { account: accountArg },
  flags: { ...changeFlags, authMethod: loginMethodFlag, at: versionFlag },
  async run({ args, flags }, ctx) {
    const { fields, attributes } = await fieldsFrom(flags, ctx, { isNew: false });
    if (Object.keys({ ...fields, ...attributes }).length === 0)
      throw usage('nothing to change', { hint: 'Pass a flag for each field to change.' });
    const id = await findAccountId(args.account, flags, ctx);
    checkAttributes(attributes, { type: accountTypeOfId(id), isNew: false });
    const changedAttributes = Object.keys(attributes).length === 0 ? undefined : attributes;
    const accounts = await ctx.api.accounts();
    const base = await readBase(accountOf(accounts, id), flags.at);
    const requested = { fields, attributes };
    if (base.current && accountChanges(base.current, requested).length === 0) {
      return result(base.current, []);
    }
    const account = await changeVersioned(
      ctx,
      base,
      () =>
        accounts
          .updateAccount({ id, version: base.version, ...fields, attributes: changedAttributes })
          .catch(describeTakenValue)
          .catch(describeRejectedValue('update account')),
      { isWritten: (now) => accountChanges(now, requested).length === 0 },
    );
    warnAboutUnstoredFields(account, requested, ctx.output);
    const changed =
      base.current && diff(currentValues(base.current, requested), currentValues(account, requested));
    return result(account, changed ?? null);
  },
});

const result = (account: Account, changes: readonly Change[] | null) => ({
  data: { ...account, changes },
  document: changes?.length
    ? [resultLine('Updated account', account), changesTable(changes)]
    : writtenView('account', title(account), { created: false, changes }),
});

/** The given fields of an account; a service omits empty ones. */
function currentValues(account: Account, { fields, attributes }: AccountFields) {
  const of = (members: Readonly<Record<string, unknown>> | null | undefined, names: Fields) =>
    Object.fromEntries(Object.keys(names).map((name) => [name, members?.[name] || undefined]));
  return { ...of(account, fields), attributes: of(account.attributes, attributes) };
}

/** The changes that the given fields would make. A service may trim strings before it stores them. */
function accountChanges(account: Account, requested: AccountFields): readonly Change[] {
  const stored = (value: unknown, before: unknown) =>
    (typeof value === 'string' && value !== before ? value.trim() : value) || undefined;
  const of = (names: Fields, before: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(names).map(([name, value]) => [name, stored(value, before[name])]));
  const now = currentValues(account, requested);
  return diff(now, { ...of(requested.fields, now), attributes: of(requested.attributes, now.attributes) });
}
