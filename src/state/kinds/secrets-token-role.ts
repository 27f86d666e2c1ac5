import { unlessNotFound } from '../../errors.ts';
import { authRole, authRoleOf } from '../../objects/auth-role.ts';
import { authRoleKinds } from '../../objects/auth-role-types.ts';
import { field } from '../../objects/schema.ts';
import type { Kind, Services, Write } from '../kind.ts';
import { createNew, namesIn } from '../secrets-mounts.ts';
import { bodyOf, cidrs, liveFields, mapFields, mapItems, unknownFields } from '../typed-fields.ts';
import { policyReferences } from './secrets-policy.ts';

const type = 'token';
const mount = 'token';
const kind = authRoleKinds.token;

const schema = field.object({
  ...authRoleOf(type).properties,
  token_type: {
    ...authRole.properties.token_type,
    enum: ['service', 'batch', 'default-service', 'default-batch'],
    default: 'default-service',
  },
});

const lowerCase = mapItems((name) => name.toLowerCase());
/** The service stores names of policies and aliases in lower case. */
const conversions = {
  token_bound_cidrs: cidrs,
  allowed_policies: lowerCase,
  allowed_policies_glob: lowerCase,
  disallowed_policies: lowerCase,
  disallowed_policies_glob: lowerCase,
  allowed_entity_aliases: lowerCase,
};

/** Older names of fields, and what is not a setting. */
const ignored = ['name', 'period', 'explicit_max_ttl', 'bound_cidrs'];

const read: Kind['read'] = async (services, { key: name }) => {
  const reading = (await services.secrets()).readAuthRole({ mount, kind, name });
  const data = (await unlessNotFound(reading))?.data;
  const spec = data && { ...liveFields(schema, type, data), ...unknownFields(schema, data, ignored) };
  return spec && { spec: mapFields(spec, conversions), version: '' };
};

async function write(services: Services, { identity, spec, live }: Write): Promise<void> {
  const body = bodyOf(schema, type, spec, live?.spec);
  await (await services.secrets()).writeAuthRole({ ...body, mount, kind, name: identity.key });
}

/** A role for new tokens (docs/protocol/secrets.md#token-roles). */
export const secretsTokenRole: Kind = {
  name: 'secrets.token-role',
  service: 'secrets',
  description: 'A role for new tokens.',
  scope: [],
  nameIs: 'name of the role',
  schema,
  canonicalSpec: (spec) => mapFields(spec, conversions),
  level: 3,
  guard: 're-read',
  references: (_identity, { allowed_policies, disallowed_policies }) => [
    ...policyReferences(allowed_policies),
    ...policyReferences(disallowed_policies),
  ],
  async list(services) {
    const names = await namesIn(await services.secrets(), `auth/${mount}/${kind}`);
    return names.map((key) => ({ scope: {}, key }));
  },
  read,
  create: createNew(read, ({ key }) => `token role ${key}`, write),
  update: write,
  async remove(services, { key: name }) {
    await (await services.secrets()).deleteAuthRole({ mount, kind, name });
  },
};
