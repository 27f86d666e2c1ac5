/** The SSH settings of a profile that are combined here. */
export interface OwnSshSettings {
  readonly role?: string;
  readonly mount?: string;
  readonly principals?: readonly string[];
}

/** What a command line says. */
export interface GivenSshSettings {
  readonly mount?: string | undefined;
  readonly role?: string | undefined;
}

export interface CombinedSshSettings {
  /** Without slashes at its ends. */
  readonly mount: string;
  readonly role: string | undefined;
  readonly principals: readonly string[] | undefined;
  /** The mount is the one of the profile. */
  readonly isOwnMount: boolean;
}

/** A mount path or namespace without slashes at its ends. */
export const trimSlashes = (path: string): string => path.replace(/^\/+|\/+$/g, '');

/**
 * Combines the command line, the variables `LANYARD_SSH_*` and the settings of a profile, in this order. The role of a
 * profile is for its mount, and its principals are for its role (docs/adr/0093-ssh-defaults-of-a-profile.md).
 */
export function combineSshSettings(
  given: GivenSshSettings,
  env: Readonly<Record<string, string | undefined>>,
  own: OwnSshSettings,
): CombinedSshSettings {
  const ownMount = trimSlashes(own.mount || 'ssh');
  const mount = trimSlashes(given.mount || env.LANYARD_SSH_MOUNT || ownMount);
  const isOwnMount = mount === ownMount;
  const role = given.role ?? (env.LANYARD_SSH_ROLE || (isOwnMount ? own.role : undefined));
  const isOwnRole = isOwnMount && (own.role === undefined || own.role === role);
  const principals = env.LANYARD_SSH_PRINCIPALS?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return {
    mount,
    role,
    principals: principals?.length ? principals : isOwnRole ? own.principals : undefined,
    isOwnMount,
  };
}
