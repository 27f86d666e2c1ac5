import type { SecretsClient } from '../../api/secrets.ts';
import { listOrEmpty, unlessNotFound } from '../../errors.ts';
import { field } from '../../objects/schema.ts';
import type { JsonObject, Kind, Write } from '../kind.ts';
import { pickFields, rejectExisting } from '../secrets-mounts.ts';

const schema = field.object(
  {
    policy: field.lines({ description: 'Rules in HCL or JSON.' }),
    cas_required: field.boolean({ description: 'OpenBao: writes must name the version they replace.' }),
    expiration: field.string({ description: 'OpenBao: when the policy expires (RFC 3339).' }),
    allow_wildcards_in_identity_templates: field.boolean({ description: 'OpenBao.' }),
    allow_slashes_in_identity_templates: field.boolean({ description: 'OpenBao.' }),
  },
  { required: ['policy'] },
);

/** `default-ceiling`: of newer services; `response-wrapping` and `control-group`: of Vault, not listed. */
const builtIn = new Set(['root', 'default', 'default-ceiling', 'response-wrapping', 'control-group']);

type PolicyBody = Parameters<SecretsClient['writePolicy']>[0];

const requestOf = ({ identity, spec }: Write, cas: number | undefined): PolicyBody => {
  const body: JsonObject = { ...spec, policy: String(spec.policy ?? ''), ...(cas !== undefined && { cas }) };
  return { ...(body as Omit<PolicyBody, 'name'>), name: identity.key };
};

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
    return (
      data && {
        spec: pickFields(data, Object.keys(schema.properties)),
        version: String(data.version ?? ''),
      }
    );
  },
  async create(services, write) {
    const { key } = write.identity;
    rejectExisting(await secretsPolicy.read(services, write.identity), `policy ${key}`);
    await (await services.secrets()).writePolicy(requestOf(write, -1));
  },
  async update(services, write) {
    const { version } = write.live;
    const cas = version === '' ? undefined : Number(version);
    await (await services.secrets()).writePolicy(requestOf(write, cas));
  },
  async remove(services, { key }) {
    await (await services.secrets()).deletePolicy({ name: key });
  },
};
