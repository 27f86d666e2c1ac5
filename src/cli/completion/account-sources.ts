import type { AccountsClient } from '../../api/accounts.ts';
import { described, type Source, source, type Typed } from './source.ts';

const globalScope = 'global';

const listMethods = async (accounts: AccountsClient, scope: string) =>
  (await accounts.listAuthMethods({ scope_id: scope })).body.items ?? [];

const scopeOf = ({ flag }: Typed): readonly string[] => [flag('scope') ?? globalScope];

const loginName = (attributes: Readonly<Record<string, unknown>> | null | undefined): string | undefined => {
  const name = attributes?.login_name ?? attributes?.email ?? attributes?.subject;
  return typeof name === 'string' ? name : undefined;
};

export const accountSources = {
  /** The accounts of the auth method of the settings, else of the primary one. */
  account: source('accounts', async (accounts, _scope, api) => {
    const method =
      (await api.settings('accounts')).authMethod ??
      (await listMethods(accounts, globalScope)).find(({ is_primary }) => is_primary === true)?.id;
    if (method === undefined) return [];
    const { body } = await accounts.listAccounts({ auth_method_id: method });
    return described(body.items, ({ id, name, attributes }) => [id, loginName(attributes) ?? name]);
  }),
  'account-auth-method': source(
    'accounts',
    async (accounts, [scope = globalScope]) =>
      described(await listMethods(accounts, scope), ({ id, name, type }) => [id, name || type]),
    scopeOf,
  ),
  'account-token': source(
    'accounts',
    async (accounts, [scope = globalScope]) => {
      const { items } = (await accounts.listAuthTokens({ scope_id: scope })).body;
      return described(items, ({ id = '', account_id }) => [id, account_id]);
    },
    scopeOf,
  ),
} as const satisfies Readonly<Record<string, Source>>;
