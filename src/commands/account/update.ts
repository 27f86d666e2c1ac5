import type { Account } from '../../api/accounts.ts';
import { command } from '../../command.ts';
import { usage } from '../../errors.ts';
import { type Change, changes } from '../../output/changes.ts';
import { code, text } from '../../output/document.ts';
import { atFlag, changeFlags, type Fields, fieldsFrom, type Named } from './fields.ts';
import { checkAttributes, typeOfId } from './rules.ts';
import { accountArg, baseOf, change, rejectedValue, taken, warnOfMissing } from './versions.ts';
import { changesTable, doneLine, title } from './views.ts';

export default command({
  description:
    'Changes only the given fields. The account must still have the version that is read first, or that of --at. To change passwords, use "account change-password" or "account set-password".',
  examples: [
    'lanyard account update acctpw_1234567890 --name Bob --description "on call"',
    'lanyard account update acctpw_1234567890 --login-name bob --at 2',
    'lanyard account update acctpw_1234567890 --description null',
  ],
  service: 'accounts',
  writes: true,
  readsFirst: true,
  args: { id: accountArg },
  flags: { ...changeFlags, at: atFlag },
  async run({ args: { id }, flags }, ctx) {
    const { own, attributes } = await fieldsFrom(flags, ctx, { isNew: false });
    if (Object.keys({ ...own, ...attributes }).length === 0)
      throw usage('nothing to change', { hint: 'Pass a flag for each field to change.' });
    checkAttributes(attributes, { type: typeOfId(id), isNew: false });
    const named = { ...own, ...(Object.keys(attributes).length === 0 ? {} : { attributes }) };
    const accounts = await ctx.api.accounts();
    const base = await baseOf(accounts, id, flags.at);
    const asked = { own, attributes };
    if (base.account && changesTo(base.account, asked).length === 0) {
      return {
        data: base.account,
        document: [text('Account ', code(title(base.account)), ' is already up to date.')],
      };
    }
    const account = await change(
      { accounts, io: ctx.io },
      base,
      () =>
        accounts
          .updateAccount({ id, version: base.version, ...named })
          .catch(taken)
          .catch(rejectedValue('update account')),
      (now) => changesTo(now, asked).length === 0,
    );
    warnOfMissing(account, asked, ctx.io);
    const changed = base.account && changes(side(base.account, asked), side(account, asked));
    return {
      data: account,
      document: [doneLine('Updated account', account), ...(changed ? [changesTable(changed)] : [])],
    };
  },
});

/** The given fields of an account; a service omits empty ones. */
function side(account: Account, { own, attributes }: Named) {
  const of = (members: Readonly<Record<string, unknown>> | null | undefined, names: Fields) =>
    Object.fromEntries(Object.keys(names).map((name) => [name, members?.[name] || undefined]));
  return { ...of(account, own), attributes: of(account.attributes, attributes) };
}

/** The changes that the given fields would make. A service may trim strings before it stores them. */
function changesTo(account: Account, asked: Named): readonly Change[] {
  const stored = (value: unknown, before: unknown) =>
    (typeof value === 'string' && value !== before ? value.trim() : value) || undefined;
  const of = (names: Fields, before: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(names).map(([name, value]) => [name, stored(value, before[name])]));
  const now = side(account, asked);
  return changes(now, { ...of(asked.own, now), attributes: of(asked.attributes, now.attributes) });
}
