import type { AuthMethod } from '../../api/accounts.ts';
import { isValueTaken } from '../../api/conditions/accounts.ts';
import { conflict, describeAs, unlessNotFound, usage } from '../../errors.ts';
import { accountAuthMethod, accountTypes, hasMethodAttribute } from '../../objects/account-auth-method.ts';
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
  guardedWrite,
  identitiesOf,
  listAuthMethods,
  methodIdPattern,
  methodKey,
  rejectId,
} from './accounts-lists.ts';
import { globalScope, placed, placeOf, scopeField, scopeIdOf, scopeReferences } from './accounts-scopes.ts';

const { description, attributes: attributeFields } = accountAuthMethod.properties;

/** Attributes of which the service returns only a digest. */
const secrets = ['client_secret', 'bind_password', 'client_certificate_key'];

const liveOf = ({ id, version, type = '', description = '', is_primary, attributes }: AuthMethod): Live => ({
  spec: {
    type,
    description,
    is_primary: is_primary ?? false,
    attributes: Object.fromEntries(
      Object.entries(asObject(attributes)).filter(([name]) => hasMethodAttribute(type, name)),
    ),
  },
  version: String(version ?? 0),
  uid: id,
  id,
  hasValues: secrets
    .filter((name) => asObject(attributes)[`${name}_hmac`])
    .map((name) => `attributes.${name}`),
});

const taken = describeAs(
  isValueTaken,
  'conflict',
  'another auth method of the scope has the same name, or the same issuer and client ID',
);

/** The auth method of an identity, complete, as `find` found it. */
async function complete(
  services: Services,
  [method]: readonly AuthMethod[],
  { key }: Identity,
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
  const scope_id = await scopeIdOf(services, scope.scope);
  const { type, description } = spec;
  const send = () =>
    accounts.createAuthMethod({
      scope_id,
      type: String(type ?? ''),
      name: key,
      ...(description ? { description: String(description) } : {}),
      attributes: changedAttributes({}, asObject(spec.attributes)),
    });
  const place = placed(scope_id, key);
  const { body } = await authMethods.write(services, place, ({ body }) => body.id, send).catch(taken);
  if (isPrimary(spec)) await setPrimary(services, scope_id, body.id);
}

const isPrimary = ({ is_primary }: JsonObject): boolean => String(is_primary) === 'true';

/** The scope has the primary auth method: its version, not that of the auth method. @param primary null: none */
async function setPrimary(services: Services, id: string, primary: string | null): Promise<void> {
  const accounts = await services.accounts();
  const { version } = (await accounts.readScope({ id })).body;
  await accounts.updateScope({ id, version, primary_auth_method_id: primary });
}

async function update(
  services: Services,
  { identity, spec, live }: Write & { readonly live: Live },
): Promise<void> {
  const accounts = await services.accounts();
  const id = live.id ?? '';
  const place = await placeOf(services, identity);
  const attributes = changedAttributes(asObject(live.spec.attributes), asObject(spec.attributes));
  const current = async () => (await unlessNotFound(accounts.readAuthMethod({ id })))?.version;
  const send = () =>
    accounts.updateAuthMethod({
      id,
      version: Number(live.version),
      description: spec.description ? String(spec.description) : null,
      ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
    });
  await guardedWrite(live, 'auth method', current, () => authMethods.write(services, place, id, send));
  if (isPrimary(spec) === isPrimary(live.spec)) return;
  await setPrimary(services, await scopeIdOf(services, identity.scope.scope), isPrimary(spec) ? id : null);
}

function check(_identity: Identity, { type, attributes }: JsonObject): readonly string[] {
  if (!accountTypes.some((each) => each === type)) return [];
  return Object.keys(asObject(attributes))
    .filter(
      (name) => Object.hasOwn(attributeFields.properties, name) && !hasMethodAttribute(String(type), name),
    )
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
  scope: [scopeField('organizations')],
  nameIs: 'name of the auth method; the ID of one without a name',
  schema: field.object(
    {
      type: field.choice(accountTypes, { isImmutable: true }),
      description,
      is_primary: field.boolean({
        description:
          'true: the primary auth method of its scope, whose accounts get a user with their first login.',
      }),
      attributes: attributeFields,
    },
    { required: ['type'] },
  ),
  level: 3,
  mark: { type: 'text', field: 'description' },
  guard: 'version',
  deleteGuard: 're-read',
  isProtected: true,
  check,
  references: ({ scope }) => scopeReferences(scope.scope),
  isBuiltIn: (_identity, live) => /^am(pw|oidc|ldap)_1234567890$/.test(live?.id ?? ''),
  label: ({ scope: { scope }, key }) => (scope === globalScope ? key : `${scope}/${key}`),
  async list(services, known) {
    const methods = await listAuthMethods(services);
    const listed = methods.map((method) => ({
      scopeId: method.scope_id,
      identity: { key: methodKey(method) },
    }));
    return identitiesOf(services, listed, known);
  },
  ...authMethods.reads({ live: complete, place: placeOf, isListPartial: true }),
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
    const place = await placeOf(services, identity);
    await authMethods.write(services, place, id, () => accounts.deleteAuthMethod({ id }));
  },
};
