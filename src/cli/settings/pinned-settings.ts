import { originOf } from '../../api/address.ts';
import {
  ownVariable,
  plainHttpVariable,
  type SettingName,
  services,
  settingNames,
} from '../../api/services.ts';
import type { Sources } from '../../api/sources.ts';
import type { ServiceName } from '../../wire/services.ts';

/**
 * The sources of a command line that is bound to a profile or an address (`ssh config` writes it): neither the variables
 * of the shell nor the active profile lead it to another cluster or namespace (docs/adr/0052-ssh-config-is-pinned.md).
 *
 * - With a profile, only its settings count, and a variable for the token if it has none.
 * - With an address, the variables for the namespace and other addresses do not count. The address counts as the address of a
 *   product's variable with the same value, so that the token file of the product's login is used as before.
 */
export function pinnedSources(service: ServiceName, sources: Sources): Sources {
  const { active: _, ...others } = sources;
  const { named, flags, env } = sources;
  if (named !== undefined) {
    const kept: readonly SettingName[] = named.settings.token === undefined ? ['token', 'tokenFile'] : [];
    return {
      ...others,
      env: without(
        env,
        namesOf(
          service,
          settingNames.filter((name) => !kept.includes(name)),
        ),
      ),
    };
  }
  if (flags.address === undefined) return sources;
  const address = originOf(flags.address);
  const same = (services[service].product.address ?? []).find(
    (name) => env[name] && originOf(env[name]) === address,
  );
  const rest = without(env, namesOf(service, ['address', 'namespace']));
  if (same === undefined) return { ...others, env: rest };
  const { address: _given, ...flagsLeft } = flags;
  return { ...others, flags: flagsLeft, env: { ...rest, [same]: env[same] } };
}

/** The variables of these settings, of Lanyard and of the product. */
function namesOf(service: ServiceName, settings: readonly SettingName[]): ReadonlySet<string> {
  const { product, verify = [] } = services[service];
  return new Set([
    ...settings.flatMap((setting) => [ownVariable(service, setting), ...(product[setting] ?? [])]),
    ...(settings.includes('skipVerify') ? verify : []),
    ...(settings.includes('skipVerify') ? [plainHttpVariable(service)] : []),
    `LANYARD_${service.toUpperCase()}_HEADER_PREFIX`,
  ]);
}

const without = (env: Sources['env'], names: ReadonlySet<string>): Sources['env'] =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)));
