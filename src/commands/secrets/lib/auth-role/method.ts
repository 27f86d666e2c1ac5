import { isDeniedByPolicy, isHiddenMount } from '../../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../../api/secrets.ts';
import { arg, flag } from '../../../../command/command.ts';
import { describeAs, isForbidden, isNotFound, usage } from '../../../../errors.ts';
import { type AuthRoleType, authRoleKinds, authRoleTypes } from '../../../../objects/auth-role-types.ts';
import { authMethods, findMount, mountPath } from '../mounts.ts';

export const methodArg = arg.text('METHOD', 'path of the auth method, below auth/', {
  completes: 'secrets-auth',
});
export const roleArg = arg.text('NAME', 'name of the role, or of the user', {
  completes: 'secrets-auth-role',
});
export const typeFlag = {
  type: flag.choice(authRoleTypes, 'type of the auth method (default: as the service says)'),
} as const;

/** Auth methods without roles, and the list of what they have instead. */
const others: Readonly<Record<string, string>> = { ldap: 'groups', radius: 'users', kerberos: 'groups' };

/** An auth method with roles. */
export interface RoleMethod {
  /** Its path below `auth/`, without slashes at its ends. */
  readonly mount: string;
  readonly type: AuthRoleType;
  readonly kind: (typeof authRoleKinds)[AuthRoleType];
  readonly noun: 'role' | 'user';
}

/**
 * The auth method at a path, with one request that requires a permission only for a path below it.
 *
 * @param type given by the user: nothing is sent
 * @throws LanyardError not_found; usage: a type without roles; forbidden: its type cannot be read
 */
export async function findMethod(
  secrets: SecretsClient,
  given: string,
  type?: AuthRoleType,
): Promise<RoleMethod> {
  const mount = mountPath(authMethods, given);
  const found = type ?? (await readType(secrets, mount));
  const known = authRoleTypes.find((each) => each === found);
  if (known !== undefined)
    return { mount, type: known, kind: authRoleKinds[known], noun: known === 'userpass' ? 'user' : 'role' };
  const list = others[found];
  throw usage(`auth method "${mount}/" has no roles: type ${found} is not supported`, {
    hint:
      list === undefined
        ? `Run \`lanyard secrets help auth/${mount}\` for its paths.`
        : `Run \`lanyard secrets list auth/${mount}/${list}\` for its ${list}.`,
  });
}

async function readType(secrets: SecretsClient, mount: string): Promise<string> {
  const isUnseen = (error: unknown) => isHiddenMount(error) || isDeniedByPolicy(error) || isNotFound(error);
  try {
    const { path, type = '' } = (await secrets.findMount({ path: `auth/${mount}` })).body.data;
    // A mount may be at the start of the path.
    if ([`auth/${mount}/`, `${mount}/`].includes(path)) return type.replace(/^ns_/, '');
  } catch (error) {
    if (!isUnseen(error)) throw error;
  }
  // The service hides a mount that the token cannot use, and one that does not exist.
  const { type } = await findMount(authMethods, secrets, mount).catch(
    describeAs(
      isForbidden,
      'forbidden',
      `cannot read the type of auth method "${mount}/": permission denied`,
      {
        hint: `Use --type, if "${mount}/" exists: your token may use paths below it without seeing its type.`,
      },
    ),
  );
  return type;
}

/** Reports a missing role as not found. */
const describeMissingRole = ({ mount, noun }: RoleMethod, name: string) =>
  describeAs(isNotFound, 'not_found', `${noun} "${name}" of auth method "${mount}/" not found`, {
    hint: `Run \`lanyard secrets auth role list ${mount}\` for the existing ${noun}s.`,
  });

/** @throws LanyardError not_found */
export async function requireRole(secrets: SecretsClient, method: RoleMethod, name: string) {
  const { mount, kind } = method;
  return (await secrets.readAuthRole({ mount, kind, name }).catch(describeMissingRole(method, name))).body;
}
