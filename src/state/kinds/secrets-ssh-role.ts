import { unlessNotFound, usage } from '../../errors.ts';
import { asSent } from '../../objects/schema.ts';
import { type SshRoleFields, sshRole } from '../../objects/ssh-role.ts';
import type { Kind, Services, Write } from '../kind.ts';
import {
  createNew,
  inMount,
  isSsh,
  mountOf,
  mountReference,
  mountScope,
  mountsOfType,
  namesIn,
  pickFields,
} from '../secrets-mounts.ts';
import { issuerName } from './secrets-ssh-issuer.ts';

async function write(services: Services, { identity, spec }: Write): Promise<void> {
  const { key: role } = identity;
  const mount = mountOf(identity);
  const fields = { ...asSent(sshRole, spec), key_type: String(spec.key_type) } as SshRoleFields;
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
  schema: sshRole,
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
    const role = (await unlessNotFound(reading))?.data;
    if (!role) return undefined;
    const { issuer_ref, algorithm_signer, ...spec } = pickFields(role, sshRole);
    // Old roles have empty texts, which mean the default.
    const reference = String(issuer_ref ?? '');
    const issuer = await issuerName(services, mountOf(identity), reference);
    const stated = { ...(issuer && { issuer_ref: issuer }), ...(algorithm_signer && { algorithm_signer }) };
    return { spec: { ...spec, ...stated }, version: '' };
  },
  create: createNew(
    (services, identity) => secretsSshRole.read(services, identity),
    (identity) => `role ${identity.key} of ${mountOf(identity)}/`,
    write,
  ),
  update: write,
  async remove(services, identity) {
    await (await services.secrets()).deleteRole({ mount: mountOf(identity), role: identity.key });
  },
};
