import { MissingSettingError, usage } from '../errors.ts';
import { hasSetting, type ServiceName } from '../wire/services.ts';
import { ownVariable, type SettingName, services } from './services.ts';

/** One service of a profile, as settings see it (the configuration's own type has the same fields). */
export type ProfileSettings = { readonly [K in SettingName]?: string } & {
  readonly headerPrefix?: string;
  readonly allowPlainHttp?: boolean;
  /** More servers of one cluster, in the order in which they are tried, after `address`. */
  readonly addresses?: readonly string[];
};

export interface NamedProfile {
  readonly name: string;
  readonly settings: ProfileSettings;
}

/** Settings that a program can give a client; a token is not among them, because it may be a function. */
export type SettingOptions = {
  readonly [K in Exclude<
    SettingName,
    'token' | 'tokenFile' | 'httpAuth' | 'skipVerify' | 'timeout'
  >]?: string;
};

/** Everything a setting can come from, strongest first: flags or options, own variables, named profile, others' variables, active profile. */
export interface Sources {
  readonly flags: { readonly address?: string; readonly namespace?: string; readonly skipVerify?: boolean };
  /** What a program gave when it created a client; stronger than every variable. */
  readonly options?: SettingOptions;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The profile of `--profile` or `LANYARD_PROFILE`; it takes the place of the active one. */
  readonly named?: NamedProfile;
  readonly active?: NamedProfile;
  /** Whether a file exists. Used for the token files of the products' logins, whose path may begin with `~/`. */
  readonly exists?: (path: string) => boolean;
}

/** A value, and where it was found. */
export interface Found {
  readonly value: string;
  readonly from: string;
  readonly kind: 'flag' | 'own' | 'product' | 'profile';
}

/** The value of a flag. */
interface Given {
  readonly flag: string;
  readonly value: string | undefined;
}

/** Looks for one setting in everything it can come from. */
export type Find = (setting: SettingName, given?: Given) => Found | undefined;

/** Makes the function that looks for one setting in everything it can come from; a service lacks some settings. */
export function finder(service: ServiceName, { options, env, named, active }: Sources): Find {
  const optionValues: Readonly<Record<string, string | undefined>> = options ?? {};
  const row = services[service];
  const profile = named ?? active;
  const variable = (name: string, kind: 'own' | 'product'): Found | undefined => {
    const value = env[name];
    return value === undefined || value === '' ? undefined : { value, from: name, kind };
  };
  return (setting, given) => {
    if (given?.value !== undefined) return { value: given.value, from: given.flag, kind: 'flag' };
    const option = optionValues[setting];
    if (option !== undefined) return { value: option, from: `option ${setting}`, kind: 'own' };
    if (!hasSetting(service, setting)) return undefined;
    const own = variable(ownVariable(service, setting), 'own');
    if (own) return own;
    const profileValue = profile?.settings[setting];
    const fromProfile: Found | undefined =
      profile && profileValue !== undefined
        ? { value: String(profileValue), from: `profile ${profile.name}`, kind: 'profile' }
        : undefined;
    if (named && fromProfile) return fromProfile;
    for (const name of visible(row.product[setting] ?? [], env)) {
      const found = variable(name, 'product');
      if (found) return found;
    }
    for (const name of setting === 'skipVerify' ? (row.verify ?? []) : []) {
      const found = variable(name, 'product');
      if (found) return { ...found, value: String(!switchOf(found)) };
    }
    return fromProfile;
  };
}

/** Settings that the environment or the profile has and the service lacks, each as a sentence without a full stop. */
export function missingSettings(service: ServiceName, { env, named, active }: Sources): readonly string[] {
  const profile = named ?? active;
  return settingsOnlySome
    .filter((setting) => !hasSetting(service, setting))
    .flatMap((setting) => {
      const variable = ownVariable(service, setting);
      const name = kebabCase(setting);
      return [
        ...(env[variable] ? [variable] : []),
        ...(profile?.settings[setting] === undefined
          ? []
          : [`${service}.${name} of profile ${profile.name}`]),
      ].map((from) => `${from} has no effect: the ${service} service has no ${name}`);
    });
}

const settingsOnlySome = [
  'namespace',
  'region',
  'datacenter',
  'httpAuth',
  'authMethod',
] as const satisfies readonly SettingName[];

const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The names that count: `bao` does not look at VAULT_X where BAO_X is set, be it to nothing. */
export const visible = (names: readonly string[], env: Sources['env']): readonly string[] =>
  names.filter((name) => !name.startsWith('VAULT_') || env[name.replace('VAULT_', 'BAO_')] === undefined);

/** @throws LanyardError usage: none. */
export function addressIn(service: ServiceName, { flags, named, active }: Sources, find: Find): Found {
  const own = find('address', { flag: '--address', value: flags.address });
  const profile = named ?? active;
  const [listed] = profile?.settings.addresses ?? [];
  // A list takes the place of a single address: a named profile's before the products' variables, an active one's after.
  const isStronger = own === undefined || (named !== undefined && own.kind === 'product');
  if (profile && listed !== undefined && isStronger)
    return { value: listed, from: `profile ${profile.name}`, kind: 'profile' };
  if (own) return own;
  const row = services[service];
  const products = row.product.address ?? [];
  throw new MissingSettingError(`no address for the ${row.title}`, {
    service,
    hint: `Run \`lanyard dev\` for the embedded services or \`lanyard profile put NAME ${service}.address=URL\`, or set ${[
      ...products.slice(-1),
      ownVariable(service, 'address'),
    ].join(' or ')}.`,
  });
}

/** All addresses of the source that the address comes from. */
export function addressesIn({ value, kind }: Found, profile: NamedProfile | undefined): readonly string[] {
  if (kind === 'own') {
    const listed = value.split(',').filter((text) => text.trim() !== '');
    return listed.length > 1 ? listed : [value];
  }
  return kind === 'profile' ? [...new Set([value, ...(profile?.settings.addresses ?? [])])] : [value];
}

export const isOn = (value: string | undefined): boolean =>
  value !== undefined && ['1', 't', 'true', 'yes', 'on'].includes(value.toLowerCase());
const isOff = (value: string): boolean => ['0', 'f', 'false', 'no', 'off'].includes(value.toLowerCase());

/** @throws LanyardError usage: it is neither true nor false. Guessing would verify nothing, or fail without a reason. */
export function switchOf({ value, from }: Found): boolean {
  if (isOn(value)) return true;
  if (isOff(value)) return false;
  throw usage(`invalid ${from}: expected true or false`);
}
