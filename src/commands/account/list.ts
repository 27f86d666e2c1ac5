import { accountPages } from '../../api/account-pages.ts';
import type { Account, AccountsPage } from '../../api/accounts.ts';
import { isInvalidListToken } from '../../api/conditions/accounts.ts';
import { command, flag } from '../../command/command.ts';
import { LanyardError, usage } from '../../errors.ts';
import { authMethodFlag, resolveAuthMethod } from './lib/auth-method.ts';
import { describeMissingMethod } from './lib/errors.ts';
import { accountsView, changedView } from './lib/views.ts';

export default command({
  description:
    'Lists all pages, newest first. --since lists only accounts created, changed or removed since an earlier list; pass the list token that -o json includes and --verbose prints (changes of the last 30 seconds may repeat). With -o jsonl each page is written as it arrives; removed accounts are {"id": ..., "removed": true}.',
  examples: [
    'lanyard account list',
    'lanyard account list --auth-method ampw_1234567890',
    `lanyard account list --filter '"/item/attributes/login_name" matches "^ci-"'`,
    'lanyard account list --auth-method ampw_1234567890 --field list_token',
    'lanyard account list --since "$LIST_TOKEN" -o jsonl',
  ],
  service: 'accounts',
  args: {},
  flags: {
    authMethod: authMethodFlag('auth method of the accounts'),
    filter: flag.text('EXPR', 'filter expression, such as "/item/name" == "ci"'),
    since: flag.text('LIST_TOKEN', 'only changes since the list with this token'),
    pageSize: flag.integer('N', 'accounts per page (default: set by the service)'),
  },
  async run({ flags }, ctx) {
    const { filter, since, pageSize } = flags;
    if (pageSize === 0) throw usage('invalid --page-size 0: expected at least 1');
    if (since === '') throw usage('invalid --since "": expected a list token');
    const authMethod = await resolveAuthMethod(flags.authMethod, ctx);
    const accounts = await ctx.api.accounts();
    const requested = { auth_method_id: authMethod, filter, page_size: pageSize };
    const items = new Map<string, Account>();
    const removed = new Set<string>();
    const read = (list_token: string | undefined) =>
      accounts
        .listAccounts({ ...requested, list_token })
        .catch(describeMissingMethod(authMethod))
        .catch(invalidToken);
    let last: AccountsPage = {};
    let output: 'shown' | 'unsupported' | 'closed' = 'unsupported';
    try {
      for await (const page of accountPages(read, since)) {
        last = page;
        // A service may repeat removed IDs on every page.
        const removedId = (page.removed_ids ?? []).filter((id) => !removed.has(id));
        output = await ctx.output.showPartial({
          data: page,
          rows: jsonRows(page.items ?? [], removedId),
          document: [],
        });
        if (output === 'closed') return undefined;
        for (const id of removedId) removed.add(id);
        if (output === 'shown') continue;
        // An account may change or be deleted between two pages: the last page is right.
        for (const account of page.items ?? []) items.set(account.id, account);
        for (const id of removedId) items.delete(id);
      }
    } catch (error) {
      throw output === 'shown' ? resumableError(error, last.list_token) : error;
    }
    sayToken(last.list_token);
    if (output === 'shown') return undefined;
    const found = [...items.values()];
    const removedId = [...removed];
    return {
      data: { ...last, items: found, removed_ids: removedId },
      payload: found,
      rows: since === undefined ? found : jsonRows(found, removedId),
      document: since === undefined ? accountsView(found) : changedView(found, removedId),
    };

    function sayToken(token: string | null | undefined): void {
      if (!token) return;
      const say = since !== undefined || output === 'shown' ? ctx.output.note : ctx.output.detail;
      say(`To list later changes, run the command again with --since ${token}`);
    }
  },
});

function resumableError(error: unknown, token: string | null | undefined): unknown {
  if (!(error instanceof LanyardError) || !token || isInvalidListToken(error)) return error;
  const rest = `To list the rest, run the command again with --since ${token}`;
  return error.withHint(error.hint === undefined ? rest : `${error.hint} ${rest}`);
}

const jsonRows = (items: readonly Account[], removed: readonly string[]): readonly unknown[] => [
  ...items,
  ...removed.map((id) => ({ id, removed: true })),
];

function invalidToken(error: unknown): never {
  if (!(error instanceof LanyardError) || !isInvalidListToken(error)) throw error;
  throw new LanyardError('failure', `cannot list accounts: invalid or expired list token (${error.status})`, {
    ...error,
    hint: 'Run the command again without --since to list all accounts and get a new token.',
  });
}
