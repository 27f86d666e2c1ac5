import { allPages } from '../../api/account-pages.ts';
import type { Account } from '../../api/accounts.ts';
import { isValueTaken } from '../../api/conditions/accounts.ts';
import { describeAs, LanyardError, unlessNotFound } from '../../errors.ts';
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
  everyItem,
  guardedWrite,
  listAuthMethods,
  methodKey,
  scopeField,
  scopeOf,
} from './accounts-lists.ts';

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

/** The accounts of an auth method. The list of a token that may not see the attributes has no keys. */
const accountsOf = new IdIndex<Account>({
  async list(services, scope) {
    const auth_method_id = await authMethodIdOf(services, scope);
    const accounts = await services.accounts();
    return (await allPages((list_token) => accounts.listAccounts({ auth_method_id, list_token }))).items;
  },
  keyOf,
  idOf: ({ id }) => id,
  read: async (services, id) => unlessNotFound((await services.accounts()).readAccount({ id })),
});

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
  const auth_method_id = await authMethodIdOf(services, identity.scope);
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
  await accountsOf.write(services, identity, ({ body }) => body.id, send).catch(taken);
}

async function update(
  services: Services,
  { identity, spec, live }: Write & { readonly live: Live },
): Promise<void> {
  const accounts = await services.accounts();
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
    accountsOf.write(services, identity, id, send).catch(taken),
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
    scopeField,
    { name: 'authMethod', description: 'Name of the auth method; its ID if it has no name.' },
  ],
  nameIs: 'login name (password, LDAP) or subject (OIDC)',
  schema: fields,
  level: 3,
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
    { kind: 'accounts.auth-method', identity: { scope: { scope }, key: authMethod } },
  ],
  isBuiltIn: (_identity, live) => live?.id === 'acctpw_1234567890',
  label: ({ scope: { scope, authMethod }, key }) =>
    `${scope === scopeField.default ? '' : `${scope}/`}${authMethod}/${key}`,
  async list(services) {
    const accounts = await services.accounts();
    const found: Identity[] = [];
    for (const method of await listAuthMethods(services)) {
      const scope = { scope: scopeOf(method), authMethod: methodKey(method) };
      const items = await everyItem('accounts', (list_token) =>
        accounts.listAccounts({ auth_method_id: method.id, list_token }),
      );
      for (const account of items) found.push({ scope, key: keyOf(account) });
    }
    return found;
  },
  ...accountsOf.reads(onlyAccount),
  create,
  update,
  async remove(services, identity, { id = '' }) {
    const accounts = await services.accounts();
    await accountsOf.write(services, identity, id, () => accounts.deleteAccount({ id }));
  },
};
