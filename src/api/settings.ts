import { NotSet, usage } from '../errors.ts';
import type { ServiceName } from '../wire/services.ts';
import { isLoopback } from './loopback.ts';
import { ownVariable, type SettingName, services } from './services.ts';

/** One service of a profile, as settings see it (the configuration's own type has the same members). */
export type ProfileSettings = { readonly [K in SettingName]?: string } & {
  readonly headerPrefix?: string;
  readonly allowPlainHttp?: boolean;
};

export interface NamedProfile {
  readonly name: string;
  readonly settings: ProfileSettings;
}

/** Everything a setting can come from, strongest first: flags, own variables, named profile, others' variables, active profile. */
export interface Sources {
  readonly flags: { readonly address?: string; readonly namespace?: string; readonly skipVerify?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The profile of `--profile` or `LANYARD_PROFILE`; it takes the place of the active one. */
  readonly named?: NamedProfile;
  readonly active?: NamedProfile;
}

/** Where a token is to be read when it is needed. */
export type TokenPlan =
  | { readonly from: 'variable'; readonly name: string }
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'store'; readonly profile: string };

export interface Settings {
  readonly service: ServiceName;
  readonly address: string;
  /** In words, for `status`: "--address", "VAULT_ADDR", "profile dev". */
  readonly addressFrom: string;
  readonly token: TokenPlan | undefined;
  readonly tokenFrom: string | undefined;
  /** Prefixes of the headers that a call carries, each with the same values: the product's and the specification's. */
  readonly headerPrefixes: readonly string[];
  readonly namespace?: string;
  readonly region?: string;
  readonly datacenter?: string;
  readonly caCert?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
  readonly serverName?: string;
  readonly skipVerify: boolean;
  readonly proxy?: string;
  readonly allowPlainHttp: boolean;
}

interface Found {
  readonly value: string;
  readonly from: string;
  readonly kind: 'flag' | 'own' | 'product' | 'profile';
}

/**
 * Resolves the settings of one service; pure.
 *
 * A token that rests with a profile is used only for the address of that profile: `--address` with another
 * origin does not carry it there.
 *
 * @throws LanyardError usage: no address anywhere, or one that is not an http(s) URL.
 */
export function settingsOf(service: ServiceName, sources: Sources): Settings {
  const row = services[service];
  const { env, flags } = sources;
  const profile = sources.named ?? sources.active;

  const variable = (name: string | undefined, kind: 'own' | 'product'): Found | undefined => {
    const value = name === undefined ? undefined : env[name];
    return name === undefined || value === undefined || value === ''
      ? undefined
      : { value, from: name, kind };
  };
  const find = (
    setting: SettingName,
    given?: { flag: string; value: string | undefined },
  ): Found | undefined => {
    if (given?.value !== undefined) return { value: given.value, from: given.flag, kind: 'flag' };
    const own = variable(ownVariable(service, setting), 'own');
    if (own) return own;
    const held = profile?.settings[setting];
    const fromProfile: Found | undefined =
      profile && held !== undefined
        ? { value: String(held), from: `profile ${profile.name}`, kind: 'profile' }
        : undefined;
    if (sources.named && fromProfile) return fromProfile;
    for (const name of row.product[setting] ?? []) {
      const found = variable(name, 'product');
      if (found) return found;
    }
    return fromProfile;
  };

  const address = find('address', { flag: '--address', value: flags.address });
  if (!address) {
    throw new NotSet(`no address for the ${row.title}`, {
      service,
      hint: `Run "lanyard dev" for embedded services, "lanyard profile put NAME ${service}.address=URL", or set ${ownVariable(service, 'address')}.`,
    });
  }
  const url = addressOf(address, service === 'registry' && isOn(env.CONSUL_HTTP_SSL));
  const token = find('token');
  const tokenFile = find('tokenFile');
  const [plan, planFrom] = tokenPlan(token, tokenFile, profile?.name, () =>
    sameOrigin(url, profile?.settings.address),
  );
  const optional = <K extends SettingName>(
    setting: K,
    given?: { flag: string; value: string | undefined },
  ) => {
    const found = find(setting, given);
    return found ? ({ [setting]: found.value } as { [P in K]: string }) : {};
  };
  const fromProfile = address.kind === 'profile' ? profile?.settings : undefined;
  return {
    service,
    address: url,
    addressFrom: address.from,
    token: plan,
    tokenFrom: planFrom,
    headerPrefixes: headerPrefixes(
      service,
      env[`LANYARD_${service.toUpperCase()}_HEADER_PREFIX`] || fromProfile?.headerPrefix,
    ),
    ...optional('namespace', { flag: '--namespace', value: flags.namespace }),
    ...optional('region'),
    ...optional('datacenter'),
    ...optional('caCert'),
    ...optional('clientCert'),
    ...optional('clientKey'),
    ...optional('serverName'),
    ...optional('proxy'),
    skipVerify: flags.skipVerify === true || isOn(find('skipVerify')?.value),
    allowPlainHttp: fromProfile?.allowPlainHttp === true,
  };
}

/**
 * The header prefixes of a service: the product's, which every product of that API reads, and the specification's.
 * An address does not tell which of them answers there, so both are sent.
 *
 * @param only the one prefix that a profile or a variable restricts the calls to.
 */
function headerPrefixes(service: ServiceName, only?: string): readonly string[] {
  return only ? [only] : [services[service].productPrefix, services[service].headerPrefix];
}

function tokenPlan(
  token: Found | undefined,
  tokenFile: Found | undefined,
  profile: string | undefined,
  profileMaySend: () => boolean,
): [TokenPlan | undefined, string | undefined] {
  const order = ['flag', 'own', 'product', 'profile'];
  const fileFirst =
    tokenFile !== undefined && (!token || order.indexOf(tokenFile.kind) < order.indexOf(token.kind));
  if (fileFirst) return [{ from: 'file', path: tokenFile.value }, tokenFile.from];
  if (!token) return [undefined, undefined];
  if (token.kind !== 'profile') return [{ from: 'variable', name: token.from }, token.from];
  if (!profileMaySend()) return [undefined, undefined];
  if (token.value === 'stored') return [{ from: 'store', profile: profile ?? '' }, token.from];
  if (token.value.startsWith('env://'))
    return [{ from: 'variable', name: token.value.slice(6) }, `${token.from} (${token.value})`];
  return [{ from: 'file', path: token.value.replace(/^file:\/\//, '') }, token.from];
}

const isOn = (value: string | undefined): boolean =>
  value !== undefined && ['1', 't', 'true', 'yes', 'on'].includes(value.toLowerCase());

/** Completes and checks an address: no scheme means http for loopback (or as the variable says), else https. */
function addressOf(found: Found, ssl: boolean): string {
  const text = found.value.trim();
  const refuse = (why: string) =>
    usage(`the address from ${found.from} ${why}`, { hint: 'An address looks like https://host:port.' });
  if (text.startsWith('unix:')) throw refuse('is a unix socket, which is not supported');
  const url = URL.parse(
    /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${schemeFor(text, found, ssl)}://${text}`,
  );
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw refuse('is not an http or https URL');
  if (url.username !== '' || url.password !== '') throw refuse('has a user or password in it');
  if (url.search !== '' || url.hash !== '') throw refuse('has a query or fragment');
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

function schemeFor(text: string, { from }: Found, ssl: boolean): 'http' | 'https' {
  const url = URL.parse(`http://${text}`);
  const plain = from === 'CONSUL_HTTP_ADDR' || (url !== null && isLoopback(url));
  return plain && !ssl ? 'http' : 'https';
}

function sameOrigin(address: string, other: string | undefined): boolean {
  if (other === undefined) return false;
  return URL.parse(address)?.origin === URL.parse(other)?.origin;
}
