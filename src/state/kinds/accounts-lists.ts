import type { AccountsClient, AuthMethod } from '../../api/accounts.ts';
import { conflict, LanyardError, notFound } from '../../errors.ts';
import type { Identity, Live, Services } from '../kind.ts';

interface Page<Item> {
  readonly items?: readonly Item[] | null | undefined;
  readonly response_type?: string | undefined;
  readonly list_token?: string | null | undefined;
}

/**
 * The items of all pages of a list.
 *
 * @param read the page after the one with the token; undefined: the first.
 * @throws LanyardError failure: an incomplete list without a next page.
 */
export async function allItems<Item>(
  read: (token: string | undefined) => Promise<{ readonly body: Page<Item> }>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let token: string | undefined; ; ) {
    const { body } = await read(token);
    items.push(...(body.items ?? []));
    if (body.response_type !== 'delta') return items;
    if (!body.list_token || body.list_token === token)
      throw new LanyardError('failure', 'unexpected response: the list is incomplete, but has no next page', {
        service: 'accounts',
      });
    token = body.list_token;
  }
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

/** The auth methods of all scopes, as far as the token may list them. */
export async function listAuthMethods(services: Services): Promise<readonly AuthMethod[]> {
  const accounts = await services.accounts();
  const all = { scope_id: globalScope, recursive: 'true' } as const;
  return allItems((list_token) => accounts.listVisibleAuthMethods({ ...all, list_token }));
}

/** The auth method of a name in a scope, or of an ID without a name; undefined: it does not exist. */
export async function findAuthMethod(
  accounts: AccountsClient,
  scope: string,
  key: string,
): Promise<AuthMethod | undefined> {
  const methods = await allItems((list_token) =>
    accounts.listVisibleAuthMethods({ scope_id: scope, list_token }),
  );
  const named = methods.find((method) => methodKey(method) === key);
  if (named) return named;
  const other = methods.find(({ id }) => id === key);
  if (other)
    throw notFound(`auth method "${key}" must be named by its name "${other.name}"`, { service: 'accounts' });
  return undefined;
}

/** The auth method that an account is in. @throws LanyardError not_found */
export async function authMethodOf(services: Services, { scope }: Identity): Promise<AuthMethod> {
  const { scope: scopeId = globalScope, authMethod = '' } = scope;
  const method = await findAuthMethod(await services.accounts(), scopeId, authMethod);
  if (method) return method;
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
