import type { Context } from '../../../command/context.ts';
import type { Configuration, Profile, ServiceSettings } from '../../../config/profile.ts';
import { notFound, usage } from '../../../errors.ts';
import { type ServiceName, serviceNames } from '../../../wire/services.ts';
import { sshRows } from './ssh-settings.ts';

/** The settings of a service by their names on the command line. */
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

/** The absolute path of a file in a profile; expands a leading `~/`, which the shell does not. */
export const absolutePath = (name: string, { files, system }: Context): string =>
  files.absolute(name.startsWith('~/') ? `${system.home}/${name.slice(2)}` : name);

/** The profile with the name. @throws LanyardError not found. */
export function requireProfile(configuration: Configuration, name: string): Profile {
  const profile = Object.hasOwn(configuration.profiles, name) ? configuration.profiles[name] : undefined;
  if (!profile)
    throw notFound(`profile "${name}" not found`, {
      hint: 'Run `lanyard profile list` for the existing profiles.',
    });
  return profile;
}

/** The profile after a change by the user, who owns it from then on: `lanyard dev` does not remove it. */
export function ownedByUser({ dev, ...services }: Profile): Profile {
  return dev?.dataDirectory === undefined
    ? services
    : { ...services, dev: { dataDirectory: dev.dataDirectory } };
}

/** The parts of `secrets.ca-cert=/path`. @throws LanyardError usage. */
export function readSetting(text: string): { service: ServiceName; setting: SettingName; value: string } {
  const match = /^([a-z]+)\.([a-z-]+)=(.*)$/s.exec(text);
  const service = serviceNames.find((name) => name === match?.[1]);
  const setting = Object.keys(settingNames).find((name) => name === match?.[2]) as SettingName | undefined;
  if (!match || !service || !setting) {
    // The text may be a secret; it is not repeated.
    throw usage('invalid setting: expected SERVICE.SETTING=VALUE', {
      hint: 'Defaults of the SSH commands have flags, such as --ssh-role.',
      details: [`SERVICE: ${serviceNames.join(', ')}`, `SETTING: ${Object.keys(settingNames).join(', ')}`],
    });
  }
  return { service, setting, value: match[3] ?? '' };
}

/** The settings of a profile as rows: `secrets.address`, value. */
export const settingRows = (profile: Profile): [string, string][] => [
  ...serviceNames.flatMap((service) =>
    Object.entries(settingNames).flatMap(([name, member]): [string, string][] => {
      const value = profile[service]?.[member];
      return value === undefined ? [] : [[`${service}.${name}`, String(value)]];
    }),
  ),
  ...sshRows(profile.ssh),
];
