import type { AuthMethod } from '../../api/accounts.ts';
import { isValueTaken } from '../../api/conditions/accounts.ts';
import { conflict, describeAs, unlessNotFound, usage } from '../../errors.ts';
import { field } from '../../objects/schema.ts';
import { memberOf } from '../../wire/objects.ts';
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
  authMethods,
  everyItem,
  globalScope,
  guardedWrite,
  listAuthMethods,
  methodIdPattern,
  methodKey,
  rejectId,
  scopeField,
  scopeOf,
} from './accounts-lists.ts';

const text = (description: string) => field.string({ description });
const texts = (description: string) => field.set(field.string(), { description });
const flag = (description: string) => field.boolean({ description });
const secret = (description: string) => field.secret({ isWriteOnly: true, description });
const length = (usual: number, description: string) =>
  field.integer({ minimum: 1, default: usual, description });

const password = {
  min_login_name_length: length(3, 'Minimum length of a login name.'),
  min_password_length: length(8, 'Minimum length of a password.'),
};

const oidc = {
  issuer: text('URL of the identity provider.'),
  client_id: text('ID of the client at the identity provider.'),
  client_secret: secret('Secret of the client at the identity provider.'),
  api_url_prefix: text('URL of this service, for the callback.'),
  max_age: field.integer({ description: 'Maximum age of a login at the identity provider, in seconds.' }),
  signing_algorithms: texts('Accepted signing algorithms of tokens.'),
  idp_ca_certs: field.set(field.lines(), { description: 'CA certificates of the identity provider.' }),
  allowed_audiences: texts('Accepted audiences of tokens.'),
  claims_scopes: texts('Requested scopes of claims.'),
  account_claim_maps: texts('Claims that fields of an account are taken from: CLAIM=FIELD.'),
  prompts: texts('What the identity provider asks for.'),
};

const ldap = {
  state: field.choice(['inactive', 'active-private', 'active-public'], { default: 'inactive' }),
  urls: texts('URLs of the directory.'),
  start_tls: flag('Use StartTLS.'),
  insecure_tls: flag('Do not verify the certificate of the directory.'),
  certificates: field.set(field.lines(), { description: 'CA certificates of the directory.' }),
  client_certificate: field.lines({ description: 'Client certificate.' }),
  client_certificate_key: secret('Key of the client certificate.'),
  bind_dn: text('DN that searches are made with.'),
  bind_password: secret('Password of bind_dn.'),
  discover_dn: flag('Search for the DN of a user.'),
  anon_group_search: flag('Search for groups without a login.'),
  upn_domain: text('Domain of user principal names.'),
  user_dn: text('Where users are searched for.'),
  user_attr: text('Attribute of the login name.'),
  user_filter: text('Filter of the search for users.'),
  enable_groups: flag('Search for the groups of users.'),
  group_dn: text('Where groups are searched for.'),
  group_attr: text('Attribute of the name of a group.'),
  group_filter: text('Filter of the search for groups.'),
  use_token_groups: flag('Use the tokenGroups attribute.'),
  account_attribute_maps: texts('Attributes that fields of an account are taken from: ATTRIBUTE=FIELD.'),
  maximum_page_size: field.integer({ description: 'Maximum number of entries per page of a search.' }),
  dereference_aliases: text('How aliases are followed, such as NeverDerefAliases.'),
};

const attributesByType: Readonly<Record<string, JsonObject | object>> = { password, oidc, ldap };
const attributeFields = field.object({ ...password, ...oidc, ...ldap });

/** Attributes that the service sets: of an OIDC auth method, the state too. */
const isStored = (type: string, name: string): boolean => Object.hasOwn(attributesByType[type] ?? {}, name);

const liveOf = ({ id, version, type = '', description = '', attributes }: AuthMethod): Live => ({
  spec: {
    type,
    description,
    attributes: Object.fromEntries(
      Object.entries(asObject(attributes)).filter(([name]) => isStored(type, name)),
    ),
  },
  version: String(version ?? 0),
  uid: id,
  id,
});

const taken = describeAs(isValueTaken, 'conflict', 'another auth method of the scope has the same name');

/** The auth method of an identity, complete, as `find` found it. */
async function complete(
  services: Services,
  { key }: Identity,
  [method]: readonly AuthMethod[],
): Promise<Live | undefined> {
  if (method) return liveOf(method);
  await rejectId(services, key);
  return undefined;
}

/** The attributes that differ; null unsets one. */
function changedAttributes(before: JsonObject, after: JsonObject): JsonObject {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.flatMap((name) => {
      const property = memberOf(attributeFields.properties, name) ?? field.any();
      const value = normalize(property, memberOf(after, name));
      if (isSame(value, normalize(property, memberOf(before, name)))) return [];
      return [[name, value === undefined ? null : (memberOf(after, name) ?? null)]];
    }),
  );
}

async function create(services: Services, { identity, spec }: Write): Promise<void> {
  const { scope, key } = identity;
  if (methodIdPattern.test(key))
    throw usage(`cannot create auth method "${key}": metadata.name must be a name, not an ID`);
  const accounts = await services.accounts();
  const { type, description } = spec;
  const send = () =>
    accounts.createAuthMethod({
      scope_id: scope.scope ?? globalScope,
      type: String(type ?? ''),
      name: key,
      ...(description ? { description: String(description) } : {}),
      attributes: changedAttributes({}, asObject(spec.attributes)),
    });
  await authMethods.write(services, identity, ({ body }) => body.id, send).catch(taken);
}

async function update(
  services: Services,
  { identity, spec, live }: Write & { readonly live: Live },
): Promise<void> {
  const accounts = await services.accounts();
  const id = live.id ?? '';
  const attributes = changedAttributes(asObject(live.spec.attributes), asObject(spec.attributes));
  const current = async () => (await unlessNotFound(accounts.readAuthMethod({ id })))?.version;
  const send = () =>
    accounts.updateAuthMethod({
      id,
      version: Number(live.version),
      description: spec.description ? String(spec.description) : null,
      ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
    });
  await guardedWrite(live, 'auth method', current, () => authMethods.write(services, identity, id, send));
}

function check(_identity: Identity, { type, attributes }: JsonObject): readonly string[] {
  if (typeof type !== 'string' || !Object.hasOwn(attributesByType, type)) return [];
  return Object.keys(asObject(attributes))
    .filter((name) => Object.hasOwn(attributeFields.properties, name) && !isStored(type, name))
    .map((name) =>
      type === 'oidc' && name === 'state'
        ? 'the state of an OIDC auth method cannot be changed in a file'
        : `auth methods of type ${type} have no attribute "${name}"`,
    );
}

/** An auth method (docs/protocol/accounts.md#endpoints). An OIDC auth method is activated outside of the files. */
export const accountsAuthMethod: Kind = {
  name: 'accounts.auth-method',
  service: 'accounts',
  description: 'An auth method of the account service.',
  scope: [scopeField],
  nameIs: 'name of the auth method; the ID of one without a name',
  schema: field.object(
    {
      type: field.choice(['password', 'oidc', 'ldap'], { isImmutable: true }),
      description: field.string({ form: 'trimmed' }),
      attributes: attributeFields,
    },
    { required: ['type'] },
  ),
  level: 1,
  mark: { type: 'text', field: 'description' },
  guard: 'version',
  deleteGuard: 're-read',
  isProtected: true,
  check,
  isBuiltIn: (_identity, live) => /^am(pw|oidc|ldap)_1234567890$/.test(live?.id ?? ''),
  label: ({ scope: { scope }, key }) => (scope === scopeField.default ? key : `${scope}/${key}`),
  async list(services) {
    const methods = await listAuthMethods(services);
    return methods.map((method) => ({ scope: { scope: scopeOf(method) }, key: methodKey(method) }));
  },
  read: async (services, identity) =>
    complete(services, identity, await authMethods.find(services, identity)),
  reader(services) {
    const find = authMethods.finder(services);
    return async (identity) => {
      const [listed] = await find(identity);
      const accounts = await services.accounts();
      const found = listed && (await unlessNotFound(accounts.readAuthMethod({ id: listed.id })));
      return complete(services, identity, found ? [found] : []);
    };
  },
  create,
  update,
  async remove(services, identity, { id = '' }) {
    const { key } = identity;
    const accounts = await services.accounts();
    const items = await everyItem('accounts', (list_token) =>
      accounts.listAccounts({ auth_method_id: id, list_token }),
    );
    if (items.length > 0)
      throw conflict(`cannot delete auth method "${key}": it has accounts`, {
        service: 'accounts',
        hint: 'Delete its accounts first.',
      });
    await authMethods.write(services, identity, id, () => accounts.deleteAuthMethod({ id }));
  },
};
