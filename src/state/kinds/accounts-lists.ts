import { allPages, type Page } from '../../api/account-pages.ts';
import type { AuthMethod } from '../../api/accounts.ts';
import { omittedItems } from '../../api/filtered-results.ts';
import { conflict, LanyardError, notFound, unlessNotFound } from '../../errors.ts';
import { IdIndex } from '../id-index.ts';
import type { Identity, Live, Services } from '../kind.ts';

/**
 * The items of all pages of a list that has every item.
 *
 * @param what the items, for messages: `accounts`.
 * @throws LanyardError forbidden: the token may not see some of them.
 */
export async function everyItem<Item>(
  what: string,
  read: Parameters<typeof allPages<Item, Page<Item>>>[0],
): Promise<readonly Item[]> {
  const { items } = await allPages<Item, Page<Item>>(async (token) => {
    const page = await read(token);
    const omitted = omittedItems(page.body, { list_token: token });
    if (omitted === 0) return page;
    throw new LanyardError('forbidden', `cannot list all ${what}: the token cannot read ${omitted} of them`, {
      service: 'accounts',
      hint: 'Use a token that can read all of them.',
    });
  });
  return items;
}

export const globalScope = 'global';

/** The field of an identity that names a scope of the account service. */
export const scopeField = {
  name: 'scope',
  default: globalScope,
  description: 'Scope: global, or the ID of an organization.',
} as const;

/** What names an auth method within its scope: its name, or the ID of one without a name. */
export const methodKey = ({ name, id }: Pick<AuthMethod, 'name' | 'id'>): string => name || id;

export const scopeOf = ({ scope_id = globalScope }: Pick<AuthMethod, 'scope_id'>): string => scope_id;

/** The auth methods of all scopes. @throws LanyardError forbidden: the token may not see some of them. */
export async function listAuthMethods(services: Services): Promise<readonly AuthMethod[]> {
  const accounts = await services.accounts();
  const all = { scope_id: globalScope, recursive: 'true' } as const;
  return everyItem('auth methods', (list_token) => accounts.listVisibleAuthMethods({ ...all, list_token }));
}

/** The auth methods of a scope by their names; the list has only a part of their fields. */
export const authMethods = new IdIndex<AuthMethod>({
  async list(services, { scope = globalScope }) {
    const accounts = await services.accounts();
    return (await allPages((list_token) => accounts.listVisibleAuthMethods({ scope_id: scope, list_token })))
      .items;
  },
  keyOf: methodKey,
  idOf: ({ id }) => id,
  read: async (services, id) => unlessNotFound((await services.accounts()).readAuthMethod({ id })),
});

/** @throws LanyardError not_found: the key is the ID of an auth method that has a name */
export async function rejectId(services: Services, key: string): Promise<void> {
  if (!methodIdPattern.test(key)) return;
  const found = await unlessNotFound((await services.accounts()).readAuthMethod({ id: key }));
  if (found?.name)
    throw notFound(`auth method "${key}" must be named by its name "${found.name}"`, { service: 'accounts' });
}

export const methodIdPattern = /^am(pw|oidc|ldap)_[0-9A-Za-z]{10}$/;

/** The ID of the auth method that an account is in. @throws LanyardError not_found */
export async function authMethodIdOf(services: Services, scope: Identity['scope']): Promise<string> {
  const { scope: scopeId = globalScope, authMethod = '' } = scope;
  const [id] = await authMethods.ids(services, { scope: { scope: scopeId }, key: authMethod });
  if (id !== undefined) return id;
  await rejectId(services, authMethod);
  throw notFound(`auth method "${authMethod}" not found in scope ${scopeId}`, {
    service: 'accounts',
    hint: `Run \`lanyard account auth-method list${scopeId === globalScope ? '' : ` --scope ${scopeId}`}\`.`,
  });
}

/**
 * A write whose version the service checks. That of an object that was changed is a 404, as if it did not exist, or
 * (passwords and auth methods) a 500.
 *
 * @param what for messages: `account`.
 * @param current reads the version; undefined: the object does not exist.
 * @throws LanyardError conflict: the object has another version.
 */
export async function guardedWrite<Result>(
  { id = '', version }: Live,
  what: string,
  current: () => Promise<number | undefined>,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof LanyardError) || ![400, 404, 500].includes(error.status ?? 0)) throw error;
    const found = await current();
    if (String(found) === version) throw error;
    const state = found === undefined ? 'it was deleted' : `it has version ${found}, not ${version}`;
    throw conflict(`cannot change ${what} "${id}": ${state}`, {
      service: 'accounts',
      details: error.details,
    });
  }
}
