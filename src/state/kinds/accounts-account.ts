import { allPages } from '../../api/account-pages.ts';
import type { Account } from '../../api/accounts.ts';
import { isValueTaken } from '../../api/conditions/accounts.ts';
import { describeAs, LanyardError, notFound, unlessNotFound } from '../../errors.ts';
import { account as fields } from '../../objects/account.ts';
import type { ObjectSchema } from '../../objects/schema.ts';
import { memberOf } from '../../wire/objects.ts';
import { IdIndex } from '../id-index.ts';
import {
  asObject,
  type Identity,
  type JsonObject,
  type Kind,
  type Live,
  type Services,
  type Write,
} from '../kind.ts';
import { isSame, normalize } from '../normalize.ts';
import {
  authMethodIdOf,
  authMethods,
  everyItem,
  guardedWrite,
  identitiesOf,
  listAuthMethods,
  methodKey,
} from './accounts-lists.ts';
import { globalScope, scopeField, scopeReferences } from './accounts-scopes.ts';

/** The attribute that names an account in its auth method, by the ID of either. */
const keyAttribute = (id: string): 'subject' | 'login_name' =>
  /^(am|acct)oidc_/.test(id) ? 'subject' : 'login_name';

const { attributes: attributeFields } = fields.properties;

const keyOf = ({ id, attributes }: Account): string => String(asObject(attributes)[keyAttribute(id)] ?? '');

/** The service leaves out fields that are not set. */
const liveOf = ({ id, version, name = '', description = '', attributes }: Account): Live => ({
  spec: { name, description, attributes: asObject(attributes) },
  version: String(version),
  uid: id,
  id,
});

/** The accounts of auth methods, by their IDs. The list of a token that may not see the attributes has no keys. */
const accountsOf = new IdIndex<Account>({
  async list(services, { authMethod: auth_method_id = '' }) {
    const accounts = await services.accounts();
    return (await allPages((list_token) => accounts.listAccounts({ auth_method_id, list_token }))).items;
  },
  keyOf,
  idOf: ({ id }) => id,
  read: async (services, id) => unlessNotFound((await services.accounts()).readAccount({ id })),
});

/** Where the index has an account. */
const placeOf = async (services: Services, { scope, key }: Identity): Promise<Identity> => ({
  scope: { authMethod: await authMethodIdOf(services, scope) },
  key,
});

/** How files refer to an account from its own scope. */
export interface AccountName {
  readonly authMethod: string;
  /** The key: login name or subject. */
  readonly name: string;
}

/** The name of an account of a scope; undefined: it does not exist, or its auth method does not. */
export async function accountNameOf(
  services: Services,
  scopeId: string,
  id: string,
): Promise<AccountName | undefined> {
  const account = await accountWithId(services, scopeId, id);
  const method = account?.auth_method_id && (await authMethods.byId(services, {}, account.auth_method_id));
  return method ? { authMethod: methodKey(method), name: keyOf(account) } : undefined;
}

/** Listed with all accounts of its auth method, which the ID does not show; else read. */
async function accountWithId(services: Services, scopeId: string, id: string): Promise<Account | undefined> {
  const ids = await authMethods.listedIds(services, {}, ({ scope_id = globalScope }) => scope_id === scopeId);
  for (const authMethod of ids) {
    const account = await accountsOf.listed(services, { authMethod }, id);
    if (account) return account;
  }
  const [authMethod] = ids;
  if (authMethod !== undefined) return accountsOf.byId(services, { authMethod }, id);
  return unlessNotFound((await services.accounts()).readAccount({ id }));
}

/** The ID of the account of an identity. @throws LanyardError not_found */
export async function accountIdOf(services: Services, identity: Identity): Promise<string> {
  const [id] = await accountsOf.ids(services, await placeOf(services, identity));
  if (id !== undefined) return id;
  const { scope, key } = identity;
  throw notFound(`account "${key}" not found in auth method "${scope.authMethod}" of scope ${scope.scope}`, {
    service: 'accounts',
  });
}

/** @throws LanyardError failure: several accounts */
function onlyAccount(found: readonly Account[], { scope, key }: Identity): Live | undefined {
  const [account, other] = found;
  if (other)
    throw new LanyardError('failure', `auth method "${scope.authMethod}" has several accounts "${key}"`, {
      service: 'accounts',
      details: found.map(({ id }) => id),
    });
  return account && liveOf(account);
}

/** Without the fields that are empty, which the service rejects. */
const given = (schema: ObjectSchema, fields: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => {
      const property = memberOf(schema.properties, name);
      return property === undefined || normalize(property, value) !== undefined;
    }),
  );

const taken = describeAs(
  isValueTaken,
  'conflict',
  'another account of the auth method has the same name or key',
);

async function create(services: Services, { identity, spec }: Write): Promise<void> {
  const place = await placeOf(services, identity);
  const { authMethod: auth_method_id = '' } = place.scope;
  const { name, description, attributes } = spec;
  const accounts = await services.accounts();
  const send = () =>
    accounts.createAccount({
      auth_method_id,
      ...given(fields, { name: name ?? null, description: description ?? null }),
      attributes: {
        ...given(attributeFields, asObject(attributes)),
        [keyAttribute(auth_method_id)]: identity.key,
      },
    });
  await accountsOf.write(services, place, ({ body }) => body.id, send).catch(taken);
}

async function update(
  services: Services,
  { identity, spec, live }: Write & { readonly live: Live },
): Promise<void> {
  const accounts = await services.accounts();
  const place = await placeOf(services, identity);
  const { password, ...attributes } = asObject(spec.attributes);
  const before = asObject(live.spec.attributes);
  const changed = Object.entries(given(attributeFields, attributes)).filter(
    ([name, value]) => !isSame(value, memberOf(before, name)),
  );
  const id = live.id ?? '';
  const current = async () => (await unlessNotFound(accounts.readAccount({ id })))?.version;
  const send = () =>
    accounts.updateAccount({
      id,
      version: Number(live.version),
      ...labels(spec),
      ...(changed.length > 0 ? { attributes: Object.fromEntries(changed) } : {}),
    });
  const { body } = await guardedWrite(live, 'account', current, () =>
    accountsOf.write(services, place, id, send).catch(taken),
  );
  if (typeof password !== 'string') return;
  const updated = { ...live, version: String(body.version) };
  await guardedWrite(updated, 'account', current, () =>
    accounts.setPassword({ id, version: body.version, password }),
  );
}

/** null clears a field. */
const labels = ({ name, description }: JsonObject): JsonObject => ({
  name: name || null,
  description: description || null,
});

/** An account (docs/protocol/accounts.md#endpoints). */
export const accountsAccount: Kind = {
  name: 'accounts.account',
  service: 'accounts',
  description: 'An account of an auth method.',
  scope: [
    scopeField('organizations'),
    { name: 'authMethod', description: 'Name of the auth method; its ID if it has no name.' },
  ],
  nameIs: 'login name (password, LDAP) or subject (OIDC)',
  schema: fields,
  level: 4,
  mark: { type: 'text', field: 'description' },
  guard: 'version',
  deleteGuard: 're-read',
  check: ({ key }, { attributes }) =>
    ['login_name', 'subject'].flatMap((name) => {
      const value = asObject(attributes)[name];
      return typeof value === 'string' && value !== '' && value !== key
        ? [`"${name}" must be the same as metadata.name`]
        : [];
    }),
  references: ({ scope: { scope = '', authMethod = '' } }) => [
    ...scopeReferences(scope),
    { kind: 'accounts.auth-method', identity: { scope: { scope }, key: authMethod } },
  ],
  isBuiltIn: (_identity, live) => live?.id === 'acctpw_1234567890',
  label: ({ scope: { scope, authMethod }, key }) =>
    `${scope === globalScope ? '' : `${scope}/`}${authMethod}/${key}`,
  async list(services, known) {
    const accounts = await services.accounts();
    const found: Parameters<typeof identitiesOf>[1][number][] = [];
    for (const method of await listAuthMethods(services)) {
      const scope = { authMethod: methodKey(method) };
      const items = await everyItem('accounts', (list_token) =>
        accounts.listAccounts({ auth_method_id: method.id, list_token }),
      );
      for (const account of items)
        found.push({ scopeId: method.scope_id, identity: { scope, key: keyOf(account) } });
    }
    return identitiesOf(services, found, known);
  },
  ...accountsOf.reads({ live: (_services, found, identity) => onlyAccount(found, identity), place: placeOf }),
  create,
  update,
  async remove(services, identity, { id = '' }) {
    const accounts = await services.accounts();
    const place = await placeOf(services, identity);
    await accountsOf.write(services, place, id, () => accounts.deleteAccount({ id }));
  },
};
