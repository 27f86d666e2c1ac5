import { listOrEmpty, unlessNotFound } from '../../errors.ts';
import { type SecretsPolicyFields, secretsPolicy as schema } from '../../objects/secrets-policy.ts';
import type { Json } from '../../wire/json.ts';
import { memberOf } from '../../wire/objects.ts';
import type { JsonObject, Kind, Reference, Write } from '../kind.ts';
import { normalize } from '../normalize.ts';
import { createNew, pickFields } from '../secrets-mounts.ts';

/** `default-ceiling`: of newer services; `response-wrapping` and `control-group`: of Vault, not listed. */
const builtIn = new Set(['root', 'default', 'default-ceiling', 'response-wrapping', 'control-group']);

/** The policies that a list of names refers to. */
export const policyReferences = (names: Json | undefined): readonly Reference[] =>
  (typeof names === 'string' ? names.split(',') : Array.isArray(names) ? names : []).map((name) => ({
    kind: 'secrets.policy',
    identity: { scope: {}, key: String(name).trim().toLowerCase() },
  }));

/** Without the fields that are empty: OpenBao rejects an empty time. */
const setFields = (spec: JsonObject): Partial<SecretsPolicyFields> =>
  Object.fromEntries(
    Object.entries(spec).filter(([name, value]) => {
      const property = memberOf(schema.properties, name);
      return property === undefined || normalize(property, value) !== undefined;
    }),
  );

const requestOf = ({ identity, spec }: Write, cas: number | undefined) => ({
  ...setFields(spec),
  policy: String(spec.policy ?? ''),
  ...(cas !== undefined && { cas }),
  name: identity.key,
});

/** A policy of the secrets service (docs/protocol/secrets.md#policies). Only OpenBao has versions of policies. */
export const secretsPolicy: Kind = {
  name: 'secrets.policy',
  service: 'secrets',
  description: 'A policy of the secrets service.',
  scope: [],
  nameIs: 'name of the policy; the service stores it in lower case',
  canonicalName: (name) => name.toLowerCase(),
  schema,
  level: 2,
  guard: 'version',
  deleteGuard: 're-read',
  isBuiltIn: ({ key }) => builtIn.has(key),
  async list(services) {
    const { data } = (await listOrEmpty((await services.secrets()).listPolicies({}))).body;
    return (data.keys ?? []).map((key) => ({ scope: {}, key }));
  },
  async read(services, { key }) {
    const reading = (await services.secrets()).readPolicy({ name: key });
    const data = (await unlessNotFound(reading))?.data;
    return data && { spec: pickFields(data, schema), version: String(data.version ?? '') };
  },
  create: createNew(
    (services, identity) => secretsPolicy.read(services, identity),
    ({ key }) => `policy ${key}`,
    async (services, write) => {
      await (await services.secrets()).writePolicy(requestOf(write, -1));
    },
  ),
  async update(services, write) {
    const { version } = write.live;
    const cas = version === '' ? undefined : Number(version);
    await (await services.secrets()).writePolicy(requestOf(write, cas));
  },
  async remove(services, { key }) {
    await (await services.secrets()).deletePolicy({ name: key });
  },
};
