import type { Configuration, Profile, ServiceSettings } from '../../config/profile.ts';
import type { Context } from '../../context.ts';
import { notFound, usage } from '../../errors.ts';
import { type ServiceName, serviceNames } from '../../wire/services.ts';

/** Settings of a service by their names on the command line. */
export const settingNames = {
  address: 'address',
  addresses: 'addresses',
  namespace: 'namespace',
  'header-prefix': 'headerPrefix',
  token: 'token',
  'http-auth': 'httpAuth',
  'ca-cert': 'caCert',
  'ca-path': 'caPath',
  'client-cert': 'clientCert',
  'client-key': 'clientKey',
  'server-name': 'serverName',
  'skip-verify': 'skipVerify',
  proxy: 'proxy',
  timeout: 'timeout',
  'max-retries': 'maxRetries',
  'allow-plain-http': 'allowPlainHttp',
  region: 'region',
  datacenter: 'datacenter',
  'auth-method': 'authMethod',
} as const satisfies Record<string, keyof ServiceSettings>;

export type SettingName = keyof typeof settingNames;

/** The absolute path of a file that a profile names; `~/`, which no shell has replaced, is the home folder. */
export const absolutePath = (name: string, { files, home }: Pick<Context, 'files' | 'home'>): string =>
  files.absolute(name.startsWith('~/') ? `${home}/${name.slice(2)}` : name);

/** A profile by its name. Throws "not found" when there is none. */
export function profileNamed(configuration: Configuration, name: string): Profile {
  const profile = Object.hasOwn(configuration.profiles, name) ? configuration.profiles[name] : undefined;
  if (!profile)
    throw notFound(`there is no profile "${name}"`, {
      hint: '"lanyard profile list" shows those there are.',
    });
  return profile;
}

/** `secrets.ca-cert=/path` in its parts. */
export function readSetting(text: string): { service: ServiceName; setting: SettingName; value: string } {
  const match = /^([a-z]+)\.([a-z-]+)=(.*)$/s.exec(text);
  const service = serviceNames.find((name) => name === match?.[1]);
  const setting = Object.keys(settingNames).find((name) => name === match?.[2]) as SettingName | undefined;
  if (!match || !service || !setting) {
    // The text may hold a secret that does not belong there; it is not repeated.
    throw usage('a setting is written SERVICE.SETTING=VALUE', {
      details: [`SERVICE: ${serviceNames.join(', ')}`, `SETTING: ${Object.keys(settingNames).join(', ')}`],
    });
  }
  return { service, setting, value: match[3] ?? '' };
}

/** Settings of a profile as rows: `secrets.address`, value. */
export const settingRows = (profile: Profile): [string, string][] =>
  serviceNames.flatMap((service) =>
    Object.entries(settingNames).flatMap(([name, member]): [string, string][] => {
      const value = profile[service]?.[member];
      return value === undefined ? [] : [[`${service}.${name}`, String(value)]];
    }),
  );

export const readConfiguration = async (ctx: Pick<Context, 'profiles'>): Promise<Configuration> =>
  (await ctx.profiles()).read();
