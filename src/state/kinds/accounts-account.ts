import type { Account, AuthMethod } from '../../api/accounts.ts';
import { isValueTaken } from '../../api/conditions.ts';
import { describeAs, LanyardError, unlessNotFound } from '../../errors.ts';
import { isObject, memberOf } from '../../wire/objects.ts';
import type { Identity, JsonObject, Kind, Live, Services, Write } from '../kind.ts';
import { isSame, normalize } from '../normalize.ts';
import { field, type ObjectSchema } from '../schema.ts';
import {
  allItems,
  authMethodOf,
  guardedWrite,
  listAuthMethods,
  methodKey,
  scopeField,
  scopeOf,
} from './accounts-lists.ts';

/** The attribute that names an account in its auth method. */
const keyAttribute = ({ id }: Pick<AuthMethod, 'id'>): 'subject' | 'login_name' =>
  id.startsWith('amoidc_') ? 'subject' : 'login_name';

const attribute = (description: string) => field.string({ isAssigned: true, description });

const attributeFields = field.object(
  {
    password: field.secret({ isWriteOnly: true, description: 'Password of a new account.' }),
    login_name: attribute('The same as metadata.name (password, LDAP).'),
    subject: attribute('The same as metadata.name (OIDC).'),
    issuer: attribute('URL of the identity provider (OIDC, default: that of the auth method).'),
    full_name: attribute('Set by the service or at creation (OIDC, LDAP).'),
    email: attribute('Set by the service or at creation (OIDC, LDAP).'),
    dn: attribute('Set by the service or at creation (LDAP).'),
    member_of_groups: field.set(field.string(), {
      isAssigned: true,
      description: 'Set by the service or at creation (LDAP).',
    }),
    token_claims: field.any({ isAssigned: true, description: 'Set by the service or at creation (OIDC).' }),
    userinfo_claims: field.any({
      isAssigned: true,
      description: 'Set by the service or at creation (OIDC).',
    }),
  },
  { isAssigned: true },
);

const fields = field.object({
  name: field.string({ form: 'trimmed' }),
  description: field.string({ form: 'trimmed' }),
  attributes: attributeFields,
});

const objectOf = (value: unknown): JsonObject => (isObject(value) ? (value as JsonObject) : {});

const keyOf = (method: AuthMethod, { attributes }: Account): string =>
  String(objectOf(attributes)[keyAttribute(method)] ?? '');

/** The service leaves out fields that are not set. */
const liveOf = ({ id, version, name = '', description = '', attributes }: Account): Live => ({
  spec: { name, description, attributes: objectOf(attributes) },
  version: String(version),
  uid: id,
  id,
});

/** Strings of filter expressions have no escapes. @returns undefined: the text has both quotes. */
function quotedForFilter(text: string): string | undefined {
  if (!/["\\\p{Cc}]/u.test(text)) return `"${text}"`;
  return text.includes('`') ? undefined : `\`${text}\``;
}

async function find(services: Services, identity: Identity): Promise<Account | undefined> {
  const method = await authMethodOf(services, identity);
  const accounts = await services.accounts();
  const { key } = identity;
  const quoted = quotedForFilter(key);
  const filter = quoted && `"/item/attributes/${keyAttribute(method)}" == ${quoted}`;
  const items = await allItems((list_token) =>
    accounts.listAccounts({ auth_method_id: method.id, filter, list_token }),
  );
  // The list of a token that may not see the attributes has no matches.
  const [account, other] = items.filter((item) => keyOf(method, item) === key);
  if (other)
    throw new LanyardError('failure', `auth method "${methodKey(method)}" has several accounts "${key}"`, {
      service: 'accounts',
      details: items.map(({ id }) => id),
    });
  return account;
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
  const method = await authMethodOf(services, identity);
  const { name, description, attributes } = spec;
  const accounts = await services.accounts();
  await accounts
    .createAccount({
      auth_method_id: method.id,
      ...given(fields, { name: name ?? null, description: description ?? null }),
      attributes: { ...given(attributeFields, objectOf(attributes)), [keyAttribute(method)]: identity.key },
    })
    .catch(taken);
}

async function update(services: Services, { spec, live }: Write & { readonly live: Live }): Promise<void> {
  const accounts = await services.accounts();
  const { password, ...attributes } = objectOf(spec.attributes);
  const before = objectOf(live.spec.attributes);
  const changed = Object.entries(given(attributeFields, attributes)).filter(
    ([name, value]) => !isSame(value, memberOf(before, name)),
  );
  const id = live.id ?? '';
  const current = async () => (await unlessNotFound(accounts.readAccount({ id })))?.version;
  const { body } = await guardedWrite(live, 'account', current, () =>
    accounts
      .updateAccount({
        id,
        version: Number(live.version),
        ...labels(spec),
        ...(changed.length > 0 ? { attributes: Object.fromEntries(changed) } : {}),
      })
      .catch(taken),
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
      const value = objectOf(attributes)[name];
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
      const items = await allItems((list_token) =>
        accounts.listAccounts({ auth_method_id: method.id, list_token }),
      );
      for (const account of items) found.push({ scope, key: keyOf(method, account) });
    }
    return found;
  },
  async read(services, identity) {
    const account = await find(services, identity);
    return account && liveOf(account);
  },
  create,
  update,
  async remove(services, _identity, live) {
    await (await services.accounts()).deleteAccount({ id: live.id ?? '' });
  },
};
