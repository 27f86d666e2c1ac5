import type { SecretsClient } from '../../../../api/secrets.ts';
import type { Context } from '../../../../command/context.ts';
import {
  confirmDelete,
  confirmWrite,
  insteadOf,
  isNotFound,
  LanyardError,
  listOrEmpty,
  unlessNotFound,
} from '../../../../errors.ts';
import type { SshRoleFields } from '../../../../objects/ssh-role.ts';
import { compact } from '../../../../wire/objects.ts';
import { hasFields, type RoleFields } from '../role-fields.ts';
import { seconds } from '../role-question.ts';
import type { Step } from './steps.ts';

/** Roles by their names, with all fields that the service returns. */
export type Roles = ReadonlyMap<string, RoleFields>;

const concurrentReads = 16;

/** Reads all roles of a mount; none: it does not exist. @throws LanyardError forbidden: some cannot be read. */
export async function readRoles(secrets: SecretsClient, mount: string): Promise<Roles> {
  const { keys } = (
    await listOrEmpty(secrets.listRoles({ mount })).catch(
      insteadOf(isNotFound, { body: { data: { keys: [] } } }),
    )
  ).body.data;
  const roles = new Map<string, RoleFields>();
  for (let start = 0; start < keys.length; start += concurrentReads) {
    const names = keys.slice(start, start + concurrentReads);
    const found = await Promise.all(
      names.map(async (role) => (await unlessNotFound(secrets.readRole({ mount, role })))?.data),
    );
    for (const [index, name] of names.entries()) {
      const role = found[index];
      if (role) roles.set(name, role);
    }
  }
  return roles;
}

/** The issuer of a role that signs: a name, an ID or "default"; undefined: it has one-time passwords. */
export const issuerOf = ({ key_type, issuer_ref }: RoleFields): string | undefined =>
  key_type === 'otp' ? undefined : String(issuer_ref || 'default');

/**
 * The longest validity period of a certificate that one of the roles can sign, in seconds. Without a role it is the
 * maximum of the mount: deleted roles may have signed some.
 *
 * @param maxTtl the maximum of the mount, which applies to roles without one.
 */
function longestLifetime(roles: Iterable<RoleFields>, maxTtl: number): number {
  const lifetimes = [...roles]
    .filter((role) => issuerOf(role) !== undefined)
    .map(({ max_ttl }) => seconds(max_ttl) || maxTtl);
  return lifetimes.length === 0 ? maxTtl : Math.max(...lifetimes);
}

/**
 * When the last certificate that these roles signed until now expires.
 *
 * @param mount whose maximum applies to roles without one.
 */
export async function expiryOf(
  secrets: SecretsClient,
  mount: string,
  roles: Iterable<RoleFields>,
  { system }: Pick<Context, 'system'>,
): Promise<Date> {
  const { max_lease_ttl: maxTtl } = (await secrets.readEngineTuning({ path: mount })).body.data;
  const max = seconds(maxTtl);
  if (max === 0)
    throw new LanyardError('failure', `cannot read the maximum lifetime of ${mount}/`, {
      service: 'secrets',
      hint: `Use a token with the read capability for sys/mounts/${mount}/tune.`,
    });
  const lifetime = longestLifetime(roles, max);
  return new Date(Math.floor(system.clock().getTime() / 1000 + lifetime) * 1000);
}

/** Writes a role with all of these fields; settles a lost response by reading it back. */
export const writeRole = (secrets: SecretsClient, mount: string, role: string, fields: RoleFields) =>
  confirmWrite(
    () => secrets.putRole({ mount, role, ...(compact({ ...fields }) as SshRoleFields) }),
    async () => ({
      done: hasFields((await secrets.readRole({ mount, role })).body.data, compact({ ...fields })),
      found: `role ${role} of ${mount}/ has other fields`,
    }),
  );

/** The writes after which a mount has exactly the roles of another one. */
export async function copyRoles(secrets: SecretsClient, from: string, to: string): Promise<readonly Step[]> {
  const [wanted, current] = [await readRoles(secrets, from), await readRoles(secrets, to)];
  const changed = [...wanted].filter(([name, fields]) => {
    const existing = current.get(name);
    return !existing || !hasFields(existing, fields) || !hasFields(fields, existing);
  });
  const removed = [...current.keys()].filter((name) => !wanted.has(name));
  return [
    ...changed.map(([name, fields]) => ({
      done: `Copied role ${name} to ${to}/.`,
      run: () => writeRole(secrets, to, name, fields),
    })),
    ...removed.map((role) => ({
      done: `Deleted role ${role} of ${to}/, which ${from}/ does not have.`,
      run: () =>
        confirmDelete(
          () => secrets.deleteRole({ mount: to, role }),
          () => secrets.readRole({ mount: to, role }),
          `role ${role}`,
        ),
    })),
  ];
}
