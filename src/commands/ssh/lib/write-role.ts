import type { SecretsClient } from '../../../api/secrets.ts';
import { showWarnings } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { confirmWrite, isEmptyListError, LanyardError } from '../../../errors.ts';
import type { SshRoleFields } from '../../../objects/ssh-role.ts';
import { isEqual } from '../../../output/diff.ts';
import { describeMissingRole } from './certificate-request.ts';
import { hasFields, type RoleFields, shownRole } from './role-fields.ts';

export interface RolePath {
  readonly mount: string;
  readonly role: string;
}

/** A role with all fields that the service returns. @throws LanyardError not found */
export async function readRoleFields(secrets: SecretsClient, path: RolePath): Promise<RoleFields> {
  const { body } = await secrets.readRole(path).catch(describeMissingRole(path.role, path.mount));
  return body.data;
}

/** Whether a role exists. @throws LanyardError: it cannot be read. */
export const roleExists = (secrets: SecretsClient, path: RolePath): Promise<boolean> =>
  secrets.readRole(path).then(
    () => true,
    (error: unknown) => {
      if (isEmptyListError(error)) return false;
      throw error;
    },
  );

/**
 * Writes all fields of a role, which replaces it, and reads it again: services ignore fields that they do not know.
 *
 * @returns the stored role.
 * @throws LanyardError unknown: the role was written, but without some of the fields.
 */
export async function writeRoleFields(
  secrets: SecretsClient,
  path: RolePath,
  fields: RoleFields,
  ctx: Pick<Context, 'output'>,
): Promise<RoleFields> {
  // The type of the role is one of the fields.
  const role = { ...fields } as SshRoleFields;
  const read = async (): Promise<RoleFields> => (await secrets.readRole(path)).body.data;
  const response = await confirmWrite(
    () => secrets.putRole({ ...path, ...role }),
    async () => ({ done: hasFields(await read(), role), found: 'the role has other fields' }),
  );
  showWarnings(ctx.output, response?.body);
  const stored = await read();
  const shown = shownRole(stored);
  const lost = Object.entries(shownRole(role))
    .filter(([name, value]) => !isEqual(shown[name], value))
    .map(([name]) => name);
  if (lost.length === 0) return stored;
  throw new LanyardError(
    'unknown',
    `role ${path.role} was written, but the service stored other values of ${lost.join(', ')}`,
    {
      service: 'secrets',
      hint: `Run \`lanyard ssh role get ${path.role} --mount ${path.mount}\` to see the current role.`,
    },
  );
}
