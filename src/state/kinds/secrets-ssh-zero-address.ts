import { unlessNotFound } from '../../errors.ts';
import { field } from '../../objects/schema.ts';
import type { Kind, Services, Write } from '../kind.ts';
import { normalize } from '../normalize.ts';
import {
  createNew,
  inMount,
  isSsh,
  mountOf,
  mountReference,
  mountScope,
  mountsWith,
} from '../secrets-mounts.ts';

const roles = field.set(field.string(), { isCommaSeparated: true, description: 'Roles for any address.' });

const namesOf = (value: Parameters<typeof normalize>[1]): readonly string[] => {
  const names = normalize(roles, value);
  return Array.isArray(names) ? names.map(String) : [];
};

async function write(services: Services, { identity, spec }: Write): Promise<void> {
  const request = { mount: mountOf(identity), roles: namesOf(spec.roles).join(',') };
  await (await services.secrets()).putZeroAddress(request);
}

/** The roles of one-time passwords for any address (docs/protocol/ssh.md#endpoints). */
export const secretsSshZeroAddress: Kind = {
  name: 'secrets.ssh-zero-address',
  service: 'secrets',
  description: 'The roles of an SSH engine that issue one-time passwords for any address.',
  scope: mountScope('ssh'),
  schema: field.object({ roles }, { required: ['roles'] }),
  level: 4,
  guard: 're-read',
  references: (identity, spec) => [
    mountReference(identity),
    ...namesOf(spec.roles).map((name) => ({
      kind: 'secrets.ssh-role',
      identity: inMount(mountOf(identity), name),
    })),
  ],
  list: (services) => mountsWith(services, isSsh, secretsSshZeroAddress.read),
  async read(services, identity) {
    const reading = (await services.secrets()).readZeroAddress({ mount: mountOf(identity) });
    const names = (await unlessNotFound(reading))?.data.roles ?? [];
    return names.length === 0 ? undefined : { spec: { roles: names }, version: '' };
  },
  create: createNew(
    (services, identity) => secretsSshZeroAddress.read(services, identity),
    (identity) => `zero-address configuration of ${mountOf(identity)}/`,
    write,
  ),
  update: write,
  async remove(services, identity) {
    await (await services.secrets()).deleteZeroAddress({ mount: mountOf(identity) });
  },
};
