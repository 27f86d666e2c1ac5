import { isAddressOf } from '../../api/address.ts';
import type { Settings } from '../../api/settings.ts';
import type { Api } from '../../command/api.ts';
import { splitList } from '../../command/flag-values.ts';
import type { ProfileStore, SshDefaults } from '../../command/profile-store.ts';
import type { ServiceSettings, SshSettings } from '../../config/profile.ts';
import { insteadOf, MissingSettingError } from '../../errors.ts';
import { memberOf } from '../../wire/objects.ts';

interface Parts {
  readonly api: Pick<Api, 'settings'>;
  readonly profile: Pick<ProfileStore, 'name' | 'read'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A line of `ssh config`, which has no defaults (docs/adr/0052-ssh-config-is-pinned.md). */
  readonly isPinned: boolean;
}

const defaultMount = 'ssh';

/** The defaults of the SSH commands; see `ProfileStore`. @throws LanyardError as the settings of the secrets service. */
export async function sshDefaults(
  given: { readonly mount?: string; readonly role?: string } = {},
  { api, profile, env, isPinned }: Parts,
): Promise<SshDefaults> {
  if (isPinned) return resolve(given, {}, {}, { withheld: undefined, profile: undefined });
  const { active, profiles } = await profile.read();
  const name = profile.name ?? active;
  const stored = name === undefined ? undefined : memberOf(profiles, name);
  // Without SSH settings nothing depends on the address. A profile that does not exist is an error.
  const needsSettings = stored?.ssh !== undefined || (stored === undefined && profile.name !== undefined);
  const settings = needsSettings ? await readSettings(api) : undefined;
  const withheld =
    settings === undefined || name === undefined
      ? undefined
      : withheldBecause(settings, name, stored?.secrets);
  const own = withheld === undefined ? (stored?.ssh ?? {}) : {};
  return resolve(given, env, own, { withheld, profile: name });
}

function resolve(
  given: { readonly mount?: string; readonly role?: string },
  env: Parts['env'],
  own: SshSettings,
  about: Pick<SshDefaults, 'withheld' | 'profile'>,
): SshDefaults {
  const ownMount = trimmed(own.mount || defaultMount);
  const mount = trimmed(given.mount || env.LANYARD_SSH_MOUNT || ownMount);
  const isOwnMount = mount === ownMount;
  const role = given.role ?? (env.LANYARD_SSH_ROLE || (isOwnMount ? own.role : undefined));
  const isOwnRole = isOwnMount && (own.role === undefined || own.role === role);
  return {
    mount,
    role,
    principals: env.LANYARD_SSH_PRINCIPALS
      ? splitList(env.LANYARD_SSH_PRINCIPALS)
      : isOwnRole
        ? own.principals
        : undefined,
    revoked: env.LANYARD_SSH_REVOKED || own.revoked,
    record: env.LANYARD_SSH_RECORD || own.record,
    ...about,
  };
}

const trimmed = (path: string): string => path.replace(/^\/+|\/+$/g, '');

/** Undefined: no address, so that no other cluster can be meant. */
const readSettings = (api: Parts['api']): Promise<Settings | undefined> =>
  api
    .settings('secrets')
    .catch(insteadOf((error: unknown) => error instanceof MissingSettingError, undefined));

/** Why the SSH settings of a profile do not apply: a role of one cluster or namespace is not used in another. */
function withheldBecause(
  { addresses, addressFrom, namespace = '', from }: Settings,
  name: string,
  own: ServiceSettings | undefined,
): string | undefined {
  const start = `The SSH settings of profile ${name} are not used:`;
  if (!addresses.every((address) => isAddressOf(address, own)))
    return `${start} the address is from ${addressFrom}, not an address of the profile.`;
  if (trimmed(namespace) !== trimmed(own?.namespace ?? ''))
    return `${start} the namespace is from ${from.namespace ?? 'no setting'}, not the namespace of the profile.`;
  return undefined;
}
