import { unlessNotFound } from '../../errors.ts';
import { type AuthConfigType, authConfig, authConfigTypes } from '../../objects/auth-config.ts';
import { field } from '../../objects/schema.ts';
import { formatJson } from '../../wire/json.ts';
import { isObject } from '../../wire/objects.ts';
import {
  inMethod,
  methodOf,
  methodReference,
  methodScope,
  methodsOfTypes,
  methodType,
  requireType,
} from '../auth-methods.ts';
import { holdsSecret } from '../compare.ts';
import type { Identity, JsonObject, Kind, Live, Services, Write } from '../kind.ts';
import { isDefault } from '../kv-settings.ts';
import { createNew } from '../secrets-mounts.ts';
import { bodyOf, cidrs, liveFields, mapFields, typeProblems, unknownFields } from '../typed-fields.ts';
import { policyReferences } from './secrets-policy.ts';

const schema = field.object(
  {
    type: field.choice(authConfigTypes, {
      isImmutable: true,
      description: 'Type of the auth method. A configuration has only the fields of its type.',
    }),
    ...authConfig.properties,
  },
  { required: ['type'] },
);

/** Types that have settings before somebody writes them: their defaults. */
const alwaysConfigured: readonly string[] = ['ldap', 'cert'];

const conversions = {
  token_bound_cidrs: cidrs,
  // Before it is configured, the service returns 0 for its default.
  ocsp_cache_size: (size: unknown) => (size === 0 ? 100 : size) as number,
};

/** The secrets that there are if another field is set. */
const secretsWith = {
  token_reviewer_jwt_set: 'token_reviewer_jwt',
  oidc_client_id: 'oidc_client_secret',
  binddn: 'bindpass',
};

/** What the services return that is not a setting. */
const ignored = ['status', 'token_reviewer_jwt_set'];

const pathOf = (identity: Identity): string => `auth/${methodOf(identity)}/config`;

async function read(services: Services, identity: Identity): Promise<Live | undefined> {
  const found = await methodType(services, methodOf(identity));
  const type = authConfigTypes.find((each) => each === found);
  return type && readOfType(services, identity, type);
}

async function readOfType(
  services: Services,
  identity: Identity,
  type: AuthConfigType,
): Promise<Live | undefined> {
  const response = await unlessNotFound((await services.secrets()).read({ path: pathOf(identity) }));
  const data = isObject(response) && isObject(response.data) ? (response.data as JsonObject) : undefined;
  if (!data) return undefined;
  const spec = {
    ...mapFields(liveFields(schema, type, data), conversions),
    ...unknownFields(schema, data, ignored),
  };
  if (alwaysConfigured.includes(type) && isDefault(schema, spec)) return undefined;
  const hasValues = Object.entries(secretsWith).flatMap(([name, secret]) => (data[name] ? [secret] : []));
  return { spec: { type, ...spec }, version: '', hasValues };
}

async function write(services: Services, { identity, spec, live }: Write): Promise<void> {
  const type = spec.type as AuthConfigType;
  const body = bodyOf(schema, type, spec, live?.spec);
  const secrets = await services.secrets();
  const hasSecret = Object.keys(body).some((name) => {
    const property = schema.properties[name as keyof typeof schema.properties];
    return property !== undefined && holdsSecret(property);
  });
  const send = hasSecret ? secrets.writeSecret : secrets.write;
  await send({ path: pathOf(identity), content: formatJson(body) });
}

/** Why a configuration cannot be written, or deleted, with what the file states. */
function obstacle(
  action: 'create' | 'update' | 'delete',
  spec: JsonObject,
  live: Live | undefined,
): string | undefined {
  const type = String(spec.type);
  if (action === 'delete')
    return alwaysConfigured.includes(type)
      ? undefined
      : 'the service cannot delete it: delete the auth method';
  if (spec.oidc_client_id && !spec.oidc_client_secret)
    return 'oidc_client_secret is missing: state it with a reference, every write needs it';
  if (action === 'create' || type === 'ldap') return undefined;
  const [lost] = (live?.hasValues ?? []).filter((name) => !spec[name]);
  return lost === undefined
    ? undefined
    : `a write removes ${lost}, which the file does not state: state it with a reference`;
}

const required = { kubernetes: ['kubernetes_host'] };

/** The configuration of an auth method (docs/protocol/secrets.md#logins). Most types replace it in a write. */
export const secretsAuthConfig: Kind = {
  name: 'secrets.auth-config',
  service: 'secrets',
  description:
    'The configuration of an auth method. For ldap and cert it exists if a field is not the default, and a deletion restores the defaults.',
  scope: methodScope,
  schema,
  canonicalSpec: (spec) => mapFields(spec, conversions),
  level: 2,
  guard: 're-read',
  isProtected: true,
  check: (_identity, spec) => typeProblems(schema, spec, 'configurations', required),
  obstacle,
  sendsWriteOnly: true,
  references: (identity, { token_policies }) => [
    methodReference(identity),
    ...policyReferences(token_policies),
  ],
  async list(services) {
    const methods = await methodsOfTypes(services, authConfigTypes);
    const found = await Promise.all(
      methods.map(async ([method, type]) => {
        const identity = inMethod(method);
        return (await readOfType(services, identity, type)) ? [identity] : [];
      }),
    );
    return found.flat();
  },
  read,
  create: createNew(
    read,
    (identity) => `configuration of auth method ${methodOf(identity)}/`,
    async (services, each) => {
      await requireType(services, methodOf(each.identity), String(each.spec.type));
      await write(services, each);
    },
  ),
  update: write,
  remove: (services, identity, live) =>
    write(services, { identity, spec: { type: live.spec.type ?? '' }, live, resolvePath: String }),
};
