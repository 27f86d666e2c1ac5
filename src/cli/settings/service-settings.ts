import { existsSync } from 'node:fs';
import { type Settings, settingsOf } from '../../api/settings.ts';
import type { ProfileSettings, SettingOptions } from '../../api/sources.ts';
import type { Api } from '../../command/api.ts';
import type { AnyCommand } from '../../command/command.ts';
import type { Host } from '../../command/host.ts';
import type { ProfileStore } from '../../command/profile-store.ts';
import type { ServiceSettings } from '../../config/profile.ts';
import { MissingSettingError, notFound } from '../../errors.ts';
import { resolveHomePath } from '../../io/resolve-path.ts';
import { compact } from '../../wire/objects.ts';
import type { ServiceName } from '../../wire/services.ts';
import type { Globals } from '../parse/globals.ts';

interface Parts {
  readonly host: Pick<Host, 'cwd' | 'env' | 'home'>;
  readonly globals: Pick<Globals, 'address' | 'namespace' | 'skipVerify'>;
  readonly command: Pick<AnyCommand, 'service' | 'namespaceOf'>;
  readonly profile: Pick<ProfileStore, 'name' | 'read'>;
  /** Only the settings of `--profile` or `--address` count. */
  readonly isPinned?: boolean;
  /** Settings that a program gave, for the only service that it calls. */
  readonly options?: SettingOptions;
}

/** Resolves the settings of services from the flags of a command line, the environment and the profiles. */
export function settingsReader({
  host,
  globals,
  command,
  profile,
  options,
  isPinned,
}: Parts): Pick<Api, 'settings' | 'environment'> {
  const exists = (path: string): boolean => existsSync(resolveHomePath(host, path));
  return {
    settings: async (service) => {
      const isOnly = command.service === service || command.service === 'any';
      const { namespace } = globals;
      const flags: Partial<Globals> = isOnly ? globals : command.namespaceOf === service ? { namespace } : {};
      const sources = {
        flags: compact({
          address: flags.address,
          namespace: flags.namespace,
          skipVerify: flags.skipVerify ?? false,
        }),
        env: host.env,
        exists,
        ...compact({ options }),
        ...(await profileSources(profile, service)),
      };
      if (!isPinned) return settingsOf(service, sources);
      const { pinnedSources } = await import('./pinned-settings.ts');
      return settingsOf(service, pinnedSources(service, sources));
    },
    environment: async (service): Promise<Settings | undefined> => {
      try {
        return settingsOf(service, { flags: {}, env: host.env, exists });
      } catch (error) {
        if (error instanceof MissingSettingError) return undefined;
        throw error;
      }
    },
  };
}

async function profileSources({ name: named, read }: Parts['profile'], service: ServiceName) {
  const configuration = await read();
  const name = named ?? configuration.active;
  if (name === undefined) return {};
  const profile = Object.hasOwn(configuration.profiles, name) ? configuration.profiles[name] : undefined;
  if (!profile && named !== undefined)
    throw notFound(`profile "${named}" not found`, {
      hint: /^\d+$/.test(named)
        ? 'Options of ssh, such as the port, go after the destination and "--": `lanyard ssh connect web1 -- -p 2222`.'
        : 'Run `lanyard profile list` to see all profiles.',
    });
  const source = { name, settings: settingsFrom(profile?.[service] ?? {}) };
  return named === undefined ? { active: source } : { named: source };
}

const settingsFrom = ({ skipVerify, ...rest }: ServiceSettings): ProfileSettings =>
  skipVerify === undefined ? rest : { ...rest, skipVerify: String(skipVerify) };
