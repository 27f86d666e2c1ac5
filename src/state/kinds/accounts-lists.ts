import { allPages, type Page } from '../../api/account-pages.ts';
import type { AuthMethod } from '../../api/accounts.ts';
import { omittedItems } from '../../api/filtered-results.ts';
import { conflict, insteadOf, isNotFound, LanyardError, notFound, unlessNotFound } from '../../errors.ts';
import { IdIndex } from '../id-index.ts';
import { type Identity, identityText, type Live, type Services } from '../kind.ts';
import { globalScope, isScopeId, placeKey, placeOf, scopeIdOf, scopePathOf } from './accounts-scopes.ts';

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

/** What names an auth method within its scope: its name, or the ID of one without a name. */
export const methodKey = ({ name, id }: Pick<AuthMethod, 'name' | 'id'>): string => name || id;

const all = { scope_id: globalScope, recursive: 'true' } as const;

/** The auth methods of all scopes. @throws LanyardError forbidden: the token may not see some of them. */
export async function listAuthMethods(services: Services): Promise<readonly AuthMethod[]> {
  const accounts = await services.accounts();
  return everyItem('auth methods', (list_token) => accounts.listVisibleAuthMethods({ ...all, list_token }));
}

/** The auth methods of all scopes by their names; the list has only a part of their fields. */
export const authMethods = new IdIndex<AuthMethod>({
  async list(services) {
    const accounts = await services.accounts();
    return (await allPages((list_token) => accounts.listVisibleAuthMethods({ ...all, list_token }))).items;
  },
  keyOf: (method) => placeKey({ ...method, name: methodKey(method) }),
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
  const { scope: path = globalScope, authMethod = '' } = scope;
  const [id] = await authMethods.ids(services, await placeOf(services, { scope, key: authMethod }));
  if (id !== undefined) return id;
  await rejectId(services, authMethod);
  throw notFound(`auth method "${authMethod}" not found in scope ${path}`, {
    service: 'accounts',
    hint: `Run \`lanyard account auth-method list${path === globalScope ? '' : ` --scope ${path}`}\`.`,
  });
}

/** An object that was listed: the ID of its scope, and what else names it. */
interface Found {
  readonly scopeId: string | undefined;
  readonly identity: { readonly scope?: Identity['scope']; readonly key: string };
}

/** The grants of a token may limit the fields that it sees. */
const hiddenScope = (key: string): LanyardError =>
  new LanyardError('forbidden', `cannot list all objects: the token cannot see the scope of "${key}"`, {
    service: 'accounts',
    hint: 'Use a token that can read all fields: `output_fields` of its grants hide some.',
  });

/**
 * The identities of objects, by the names of their scopes. One that is known with an ID of its scope keeps it: files and
 * records of earlier versions have IDs.
 *
 * @throws LanyardError forbidden: the token may not see the scope of an object.
 */
export async function identitiesOf(
  services: Services,
  objects: readonly Found[],
  known: readonly Identity[] = [],
): Promise<readonly Identity[]> {
  const texts = new Set(known.map(identityText));
  const byIds = await knownByIds(services, known);
  const found: Identity[] = [];
  for (const { scopeId, identity } of objects) {
    if (scopeId === undefined) throw hiddenScope(identity.key);
    const at = (scope: string): Identity => ({ scope: { ...identity.scope, scope }, key: identity.key });
    const byPath = at(await scopePathOf(services, scopeId));
    const others = byIds.get(identityText(at(scopeId))) ?? [];
    if (others.length === 0 || texts.has(identityText(byPath))) found.push(byPath);
    found.push(...others.filter((each) => identityText(each) !== identityText(byPath)));
  }
  return found;
}

/** Known identities whose scope has an ID, by the same with nothing but the ID of the scope. */
async function knownByIds(
  services: Services,
  known: readonly Identity[],
): Promise<ReadonlyMap<string, readonly Identity[]>> {
  const entries: (readonly [string, Identity])[] = [];
  for (const identity of known) {
    const { scope: path = globalScope } = identity.scope;
    if (!path.split('/').some(isScopeId)) continue;
    const id = await scopeIdOf(services, path).catch(insteadOf(isNotFound, undefined));
    if (id === undefined) continue;
    entries.push([identityText({ ...identity, scope: { ...identity.scope, scope: id } }), identity]);
  }
  const groups = Map.groupBy(entries, ([text]) => text);
  return new Map([...groups].map(([text, found]) => [text, found.map(([, identity]) => identity)]));
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
