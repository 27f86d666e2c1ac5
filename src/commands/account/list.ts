import type { Account, AccountsClient, AccountsPage, ListOf } from '../../api/accounts.ts';
import { isInvalidListToken } from '../../api/conditions.ts';
import { command, flag } from '../../command.ts';
import { LanyardError, usage } from '../../errors.ts';
import { authMethodFlag, authMethodOf } from './auth-method.ts';
import { missingMethod } from './versions.ts';
import { accountsView, changedView } from './views.ts';

export default command({
  description:
    'Lists all pages, newest first. The response ends with a list token (-o json includes it, --verbose prints it): --since with it lists what was added, changed and removed since then; changes of the 30 seconds before the token may be listed again. With -o jsonl each page is written as it arrives; a removed account is a line {"id": ..., "removed": true}.',
  examples: [
    'lanyard account list --auth-method ampw_1234567890',
    `lanyard account list --auth-method ampw_1234567890 --filter '"/item/attributes/login_name" matches "^ci-"'`,
    'lanyard account list --auth-method ampw_1234567890 --field list_token',
    'lanyard account list --auth-method ampw_1234567890 --since 5Kd3NBUAdUnhyzenEwVLy9pBKxSwXvE9 -o jsonl',
  ],
  service: 'accounts',
  args: {},
  flags: {
    authMethod: authMethodFlag('the auth method whose accounts are meant'),
    filter: flag.text('EXPR', 'only accounts of which it is true, such as "/item/name" == "ci"'),
    since: flag.text('LIST_TOKEN', 'changes since the list that ended with this token'),
    pageSize: flag.integer('N', 'at most N accounts a page (default: what the service has)'),
  },
  async run({ flags }, ctx) {
    const { filter, since, pageSize } = flags;
    if (pageSize === 0) throw usage('--page-size is at least 1');
    if (since === '') throw usage('--since takes a list token, and this one is empty');
    const authMethod = await authMethodOf(flags.authMethod, ctx);
    const accounts = await ctx.api.accounts();
    const asked = {
      auth_method_id: authMethod,
      ...(filter === undefined ? {} : { filter }),
      ...(pageSize === undefined ? {} : { page_size: pageSize }),
    };
    const items = new Map<string, Account>();
    const removed = new Set<string>();
    let last: AccountsPage = {};
    let shown: 'shown' | 'kept' | 'gone' = 'kept';
    try {
      for await (const page of pages(accounts, asked, since)) {
        last = page;
        // A service may repeat what was removed with every page.
        const gone = (page.removed_ids ?? []).filter((id) => !removed.has(id));
        shown = await ctx.showPart({ data: page, rows: rowsOf(page.items ?? [], gone), document: [] });
        if (shown === 'gone') return undefined;
        for (const id of gone) removed.add(id);
        if (shown === 'shown') continue;
        // An account may change, or go, between two pages: what came last is what holds.
        for (const account of page.items ?? []) items.set(account.id, account);
        for (const id of gone) items.delete(id);
      }
    } catch (error) {
      throw shown === 'shown' ? resumable(error, last.list_token) : error;
    }
    sayToken(last.list_token);
    if (shown === 'shown') return undefined;
    const found = [...items.values()];
    const gone = [...removed];
    return {
      data: { ...last, items: found, removed_ids: gone },
      payload: found,
      rows: since === undefined ? found : rowsOf(found, gone),
      document: since === undefined ? accountsView(found) : changedView(found, gone),
    };

    function sayToken(token: string | null | undefined): void {
      if (!token) return;
      const say = since !== undefined || shown === 'shown' ? ctx.io.note : ctx.io.detail;
      say(`What changes from now on: --since ${token}`);
    }
  },
});

/** The error, with how to list the rest of what was written so far. */
function resumable(error: unknown, token: string | null | undefined): unknown {
  if (!(error instanceof LanyardError) || !token || isInvalidListToken(error)) return error;
  const rest = `To list the rest, run the command again with --since ${token}`;
  return new LanyardError(error.kind, error.message, {
    ...error,
    hint: error.hint === undefined ? rest : `${error.hint} ${rest}`,
  });
}

const rowsOf = (items: readonly Account[], removed: readonly string[]): readonly unknown[] => [
  ...items,
  ...removed.map((id) => ({ id, removed: true })),
];

/**
 * The pages of a list until it is complete.
 * @throws LanyardError failure: the service says that there is more, and gives no way to it; a list token that is not
 * valid, or is no longer.
 */
async function* pages(
  accounts: AccountsClient,
  asked: ListOf,
  since: string | undefined,
): AsyncGenerator<AccountsPage> {
  let token = since;
  for (;;) {
    const { body } = await accounts
      .listAccounts({ ...asked, ...(token === undefined ? {} : { list_token: token }) })
      .catch(missingMethod(asked.auth_method_id))
      .catch(invalidToken);
    yield body;
    if (body.response_type !== 'delta') return;
    const isStuck = body.list_token === token && !body.items?.length && !body.removed_ids?.length;
    if (!body.list_token || isStuck)
      throw new LanyardError('failure', 'the account service says that the list goes on, and not where', {
        service: 'accounts',
      });
    token = body.list_token;
  }
}

function invalidToken(error: unknown): never {
  if (!(error instanceof LanyardError) || !isInvalidListToken(error)) throw error;
  throw new LanyardError('failure', `list accounts: invalid or expired list token (${error.status})`, {
    ...error,
    hint: 'Run the command again without --since to list all accounts and get a new token.',
  });
}
