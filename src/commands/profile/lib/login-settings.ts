import type { RememberedLogin, ServiceSettings } from '../../../config/profile.ts';
import { usage } from '../../../errors.ts';
import { compact } from '../../../wire/objects.ts';
import { toPrintable } from '../../../wire/printable.ts';
import type { ServiceName } from '../../../wire/services.ts';

/** The settings of a remembered login by their names on the command line, and the services that have them. */
const loginSettings = {
  'login-method': ['method', ['secrets', 'registry', 'accounts']],
  'login-mount': ['mount', ['secrets']],
  'login-username': ['username', ['secrets', 'box', 'accounts']],
  'login-role': ['role', ['secrets']],
  'login-source': ['source', ['secrets', 'registry', 'box', 'accounts']],
} as const satisfies Record<string, readonly [keyof RememberedLogin, readonly ServiceName[]]>;

export type LoginSettingName = keyof typeof loginSettings;

export const loginSettingNames = Object.keys(loginSettings) as readonly LoginSettingName[];

export const isLoginSetting = (setting: string): setting is LoginSettingName =>
  Object.hasOwn(loginSettings, setting);

/** A change of the remembered login of a service; an undefined value removes the field. */
export interface LoginChange {
  readonly service: ServiceName;
  readonly field: keyof RememberedLogin;
  readonly value: string | undefined;
}

/** @throws LanyardError usage: a service without the setting, or an invalid value. */
export function loginChange(service: ServiceName, setting: LoginSettingName, value: string): LoginChange {
  const [field, owners]: readonly [keyof RememberedLogin, readonly ServiceName[]] = loginSettings[setting];
  if (!owners.includes(service))
    throw usage(`setting ${setting} is not supported by the ${service} service`, {
      hint: `Use it with ${owners.join(', ')}.`,
    });
  if (toPrintable(value) !== value || /[\n\t]/.test(value)) throw usage(`invalid ${service}.${setting}`);
  // The value may be a secret; it is not repeated.
  if (field === 'source' && value !== '' && !/^(env:\/\/|@\/|github:\/\/|gitlab:\/\/)./.test(value))
    throw usage(
      `invalid ${service}.${setting}: expected env://NAME, @/PATH, github://AUDIENCE or gitlab://NAME`,
    );
  return { service, field, value: value === '' ? undefined : value };
}

/** The settings of a service after a change of its login. */
export function withLogin(
  settings: ServiceSettings | undefined,
  { field, value }: LoginChange,
): ServiceSettings {
  const login = compact({ ...settings?.login, [field]: value });
  return compact({ ...settings, login: Object.keys(login).length === 0 ? undefined : login });
}

/** The rows of `profile get`. */
export const loginRows = (service: ServiceName, login: RememberedLogin = {}): [string, string][] =>
  Object.entries(login).map(([field, value]) => [`${service}.login-${kebabCase(field)}`, String(value)]);

const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`);
