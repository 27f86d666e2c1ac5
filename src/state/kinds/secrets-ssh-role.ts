import { usage } from '../../errors.ts';
import type { Json } from '../../wire/json.ts';
import type { SshRoleFields } from '../../wire/secrets.ts';
import type { JsonObject, Kind, Services, Write } from '../kind.ts';
import { field } from '../schema.ts';
import {
  inMount,
  isSsh,
  mountOf,
  mountReference,
  mountScope,
  mountsOfType,
  namesIn,
  pickFields,
  rejectExisting,
  unlessMissing,
} from '../secrets-mounts.ts';
import { issuerName } from './secrets-ssh-issuer.ts';

const set = (description?: string) =>
  field.set(field.string(), { isCommaSeparated: true, ...(description !== undefined && { description }) });

const properties = {
  key_type: field.choice(['ca', 'otp'], {
    form: 'name',
    isImmutable: true,
    description: 'ca: signs keys; otp: one-time passwords.',
  }),
  default_user: field.string({ description: 'Default principal.' }),
  default_user_template: field.boolean(),
  cidr_list: set('otp: allowed addresses.'),
  exclude_cidr_list: set('otp: excluded addresses.'),
  port: field.integer({ default: 22, minimum: 0, maximum: 65_535, description: 'otp: port of the host.' }),
  allowed_users: set('Allowed principals; * for any.'),
  allowed_users_template: field.boolean(),
  allowed_domains: set('Allowed domains of host certificates; * for any.'),
  allowed_domains_template: field.boolean(),
  ttl: field.duration('seconds', { description: 'Default validity period.' }),
  max_ttl: field.duration('seconds', { description: 'Maximum validity period.' }),
  allowed_critical_options: set('Allowed critical options (default: any).'),
  allowed_extensions: set('Allowed extensions; * for any.'),
  default_critical_options: field.map(),
  default_extensions: field.map(),
  default_extensions_template: field.boolean(),
  allow_user_certificates: field.boolean(),
  allow_host_certificates: field.boolean(),
  allow_bare_domains: field.boolean(),
  allow_subdomains: field.boolean(),
  allow_user_key_ids: field.boolean(),
  key_id_format: field.string(),
  allowed_user_key_lengths: field.map(field.set(field.integer(), { isCommaSeparated: true }), {
    description: 'Allowed sizes in bits by key type; 0: the default of the type.',
  }),
  allow_empty_principals: field.boolean(),
  algorithm_signer: field.choice(['default', 'ssh-rsa', 'rsa-sha2-256', 'rsa-sha2-512'], {
    default: 'default',
    description: 'Signature algorithm of an RSA CA.',
  }),
  not_before_duration: field.duration('seconds', {
    default: 30,
    description: 'Backdating of the validity period.',
  }),
  issuer_ref: field.string({ default: 'default', description: 'OpenBao: name of the issuer.' }),
  allow_commas_in_identity_templates: field.boolean({ description: 'OpenBao.' }),
} satisfies Record<keyof SshRoleFields, unknown>;

const schema = field.object(properties, { required: ['key_type'] });

/** The fields as the service reads them: lists as texts. */
function fieldsOf(spec: JsonObject): SshRoleFields {
  const fields = Object.entries(spec).map(([name, value]): [string, Json] => {
    const isList = schema.properties[name]?.type === 'list';
    return [name, isList && Array.isArray(value) ? value.join(',') : value];
  });
  return { ...Object.fromEntries(fields), key_type: String(spec.key_type) };
}

async function write(services: Services, { identity, spec }: Write): Promise<void> {
  const { key: role } = identity;
  const mount = mountOf(identity);
  const fields = fieldsOf(spec);
  // An ID is of one cluster only, and is read as the name.
  const issuer = fields.issuer_ref && (await issuerName(services, mount, fields.issuer_ref));
  if (issuer !== fields.issuer_ref)
    throw usage(`role ${role} of ${mount}/: state issuer_ref "${issuer}" instead of the ID of that issuer`, {
      service: 'secrets',
    });
  await (await services.secrets()).putRole({ mount, role, ...fields });
}

/** A role of the SSH engine (docs/protocol/ssh.md#ssh-role). A write replaces it, so that the merged role is sent. */
export const secretsSshRole: Kind = {
  name: 'secrets.ssh-role',
  service: 'secrets',
  description: 'A role of the SSH engine.',
  scope: mountScope('ssh'),
  nameIs: 'name of the role',
  schema,
  level: 3,
  guard: 're-read',
  references: (identity, { issuer_ref }) => [
    mountReference(identity),
    { kind: 'secrets.ssh-ca', identity: inMount(mountOf(identity)) },
    ...(typeof issuer_ref === 'string'
      ? [{ kind: 'secrets.ssh-issuer', identity: inMount(mountOf(identity), issuer_ref) }]
      : []),
  ],
  async list(services) {
    const secrets = await services.secrets();
    const mounts = await mountsOfType(services, isSsh);
    const names = await Promise.all(mounts.map((mount) => namesIn(secrets, `${mount}/roles`)));
    return mounts.flatMap((mount, index) => (names[index] ?? []).map((name) => inMount(mount, name)));
  },
  async read(services, identity) {
    const reading = (await services.secrets()).readRole({ mount: mountOf(identity), role: identity.key });
    const role = (await unlessMissing(reading))?.data;
    if (!role) return undefined;
    const { issuer_ref, algorithm_signer, ...spec } = pickFields(role, Object.keys(properties));
    // Old roles have empty texts, which mean the default.
    const reference = String(issuer_ref ?? '');
    const issuer = await issuerName(services, mountOf(identity), reference);
    const defaults = pickFields({ issuer_ref: issuer || null, algorithm_signer: algorithm_signer || null }, [
      'issuer_ref',
      'algorithm_signer',
    ]);
    return { spec: { ...spec, ...defaults }, version: '' };
  },
  async create(services, request) {
    const { identity } = request;
    const existing = await secretsSshRole.read(services, identity);
    rejectExisting(existing, `role ${identity.key} of ${mountOf(identity)}/`);
    await write(services, request);
  },
  update: write,
  async remove(services, identity) {
    await (await services.secrets()).deleteRole({ mount: mountOf(identity), role: identity.key });
  },
};
