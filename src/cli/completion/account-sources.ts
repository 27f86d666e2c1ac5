import type { AccountsClient } from '../../api/accounts.ts';
import { described, noScope, type Source, type Typed } from './source.ts';

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
  account: {
    service: 'accounts',
    scope: noScope,
    list: async (api) => {
      const accounts = await api.accounts();
      const method =
        (await api.settings('accounts')).authMethod ??
        (await listMethods(accounts, globalScope)).find(({ is_primary }) => is_primary === true)?.id;
      if (method === undefined) return [];
      const { body } = await accounts.listAccounts({ auth_method_id: method });
      return described(body.items, ({ id, name, attributes }) => [id, loginName(attributes) ?? name]);
    },
  },
  'account-auth-method': {
    service: 'accounts',
    scope: scopeOf,
    list: async (api, [scope = globalScope]) =>
      described(await listMethods(await api.accounts(), scope), ({ id, name, type }) => [id, name || type]),
  },
  'account-token': {
    service: 'accounts',
    scope: scopeOf,
    list: async (api, [scope = globalScope]) => {
      const { body } = await (await api.accounts()).listAuthTokens({ scope_id: scope });
      return (body.items ?? []).map(({ id = '', account_id }) => ({ value: id, description: account_id }));
    },
  },
} as const satisfies Readonly<Record<string, Source>>;
