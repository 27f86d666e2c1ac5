import type { AccountsClient } from '../../api/accounts.ts';
import { described, type Source, source, type Typed } from './source.ts';

const globalScope = 'global';

const listMethods = async (accounts: AccountsClient, scope: string) =>
  (await accounts.listAuthMethods({ scope_id: scope })).body.items ?? [];

const scopeOf = ({ flag }: Typed): readonly string[] => [flag('scope') ?? globalScope];

/** The scope whose objects have names; undefined: it is given by its name, which must be looked up first. */
const idScopeOf = ({ flag }: Typed): readonly string[] | undefined => {
  const scope = flag('scope') ?? globalScope;
  return scope === globalScope || /^[op]_[0-9A-Za-z]+$/.test(scope) ? [scope] : undefined;
};

/** Names of objects, with their IDs as descriptions; IDs of those without a name. */
const named = (
  items: readonly { readonly id: string; readonly name?: string | undefined }[] | null | undefined,
) => described(items, ({ id, name }) => [name || id, id]);

const loginName = (attributes: Readonly<Record<string, unknown>> | null | undefined): string | undefined => {
  const name = attributes?.login_name ?? attributes?.email ?? attributes?.subject;
  return typeof name === 'string' ? name : undefined;
};

export const accountSources = {
  /** The accounts of the auth method of --auth-method or of the settings, else of the primary one. */
  account: source(
    'accounts',
    async (accounts, [given], api) => {
      const method =
        given ??
        (await api.settings('accounts')).authMethod ??
        (await listMethods(accounts, globalScope)).find(({ is_primary }) => is_primary === true)?.id;
      if (method === undefined) return [];
      const { body } = await accounts.listAccounts({ auth_method_id: method });
      return described(body.items, ({ id, name, attributes }) => [id, loginName(attributes) ?? name]);
    },
    ({ flag }) => {
      const method = flag('authMethod');
      return method === undefined ? [] : [method];
    },
  ),
  'account-auth-method': source(
    'accounts',
    async (accounts, [scope = globalScope]) =>
      described(await listMethods(accounts, scope), ({ id, name, type }) => [id, name || type]),
    scopeOf,
  ),
  'account-user': source(
    'accounts',
    async (accounts, [scope = globalScope]) =>
      named((await accounts.listUsers({ scope_id: scope })).body.items),
    idScopeOf,
  ),
  'account-role': source(
    'accounts',
    async (accounts, [scope = globalScope]) =>
      named((await accounts.listRoles({ scope_id: scope })).body.items),
    idScopeOf,
  ),
  /** `global`, organizations by name, and projects as `ORGANIZATION/PROJECT`. */
  'account-scope': source('accounts', async (accounts) => {
    const { body } = await accounts.listScopes({ scope_id: globalScope, recursive: 'true' });
    const scopes = described(body.items, ({ id, name, scope, scope_id }) => {
      const parent = scope_id === globalScope ? '' : scope?.name;
      return [name && parent !== undefined ? `${parent && `${parent}/`}${name}` : id, id];
    });
    return [{ value: globalScope }, ...scopes];
  }),
  'account-token': source(
    'accounts',
    async (accounts, [scope = globalScope]) => {
      const { items } = (await accounts.listAuthTokens({ scope_id: scope })).body;
      return described(items, ({ id = '', account_id }) => [id, account_id]);
    },
    scopeOf,
  ),
} as const satisfies Readonly<Record<string, Source>>;
