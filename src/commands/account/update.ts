import type { Account } from '../../api/accounts.ts';
import { command } from '../../command.ts';
import { usage } from '../../errors.ts';
import { type Change, changes } from '../../output/changes.ts';
import { code, text } from '../../output/document.ts';
import { atFlag, changeFlags, type Fields, fieldsFrom } from './fields.ts';
import { checkAttributes, typeOfId } from './rules.ts';
import { accountArg, baseOf, change, rejectedValue, taken } from './versions.ts';
import { changesTable, doneLine, title } from './views.ts';

export default command({
  description:
    'Only what is named is sent, and the rest stays. The account is read first, and is changed only if it is still at that version, or at the one of --at. Passwords have commands of their own.',
  examples: [
    'lanyard account update acctpw_1234567890 --name Bob --description "on call"',
    'lanyard account update acctpw_1234567890 --login-name bob --at 3',
    'lanyard account update acctpw_1234567890 --description null',
  ],
  service: 'accounts',
  writes: true,
  readsFirst: true,
  args: { id: accountArg },
  flags: { ...changeFlags, at: atFlag },
  async run({ args: { id }, flags }, ctx) {
    const { own, attributes } = await fieldsFrom(flags, ctx);
    if (Object.keys({ ...own, ...attributes }).length === 0)
      throw usage('nothing to change', { hint: 'Name the fields to change by their flags.' });
    checkAttributes(attributes, { type: typeOfId(id), isNew: false });
    const named = { ...own, ...(Object.keys(attributes).length === 0 ? {} : { attributes }) };
    const accounts = await ctx.api.accounts();
    const base = await baseOf(accounts, id, flags.at);
    const changed = base.account && changesTo(base.account, named);
    if (base.account && changed?.length === 0) {
      return {
        data: base.account,
        document: [text('The account ', code(title(base.account)), ' is unchanged.')],
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
      (now) => changesTo(now, named).length === 0,
    );
    return {
      data: account,
      document: [doneLine(account, 'is updated'), ...(changed ? [changesTable(changed)] : [])],
    };
  },
});

/** What the named fields would change of an account; a service leaves out what is empty. */
function changesTo(account: Account, named: Fields & { readonly attributes?: Fields }): readonly Change[] {
  const { attributes = {}, ...own } = named;
  const side = (of: Readonly<Record<string, unknown>> | null | undefined, names: Fields) =>
    Object.fromEntries(Object.keys(names).map((name) => [name, of?.[name] || undefined]));
  return changes(
    { ...side(account, own), attributes: side(account.attributes, attributes) },
    { ...side(own, own), attributes: side(attributes, attributes) },
  );
}
