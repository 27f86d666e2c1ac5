import { usage } from '../errors.ts';
import { parseDuration } from '../wire/duration.ts';
import { compact } from '../wire/objects.ts';
import type { ServiceName } from '../wire/services.ts';
import { completeAddress, isAddressOf, isRemotePlainHttp } from './address.ts';
import type { EndpointSettings } from './endpoint.ts';
import { type EnvironmentProxies, environmentProxies } from './proxies.ts';
import { plainHttpVariable, type SettingName, services } from './services.ts';
import {
  addressesIn,
  addressIn,
  type Find,
  type Found,
  finder,
  isOn,
  missingSettings,
  type Sources,
  switchOf,
} from './sources.ts';
import { planOf, type TokenPlan, tokenHintOf, tokenIn } from './token-plan.ts';

export type { TokenPlan };

/** Where and how a service is called. */
export interface Settings extends EndpointSettings {
  /** All servers of the cluster, in the order in which they are tried; `address` is the first. */
  readonly addresses: readonly string[];
  /** For `status`: "--address", "VAULT_ADDR", "profile dev". */
  readonly addressFrom: string;
  readonly token: TokenPlan | undefined;
  readonly tokenFrom: string | undefined;
  /** Where to read `user:password` of HTTP basic authentication. */
  readonly httpAuth?: TokenPlan;
  readonly skipVerify: boolean;
  readonly allowPlainHttp: boolean;
  /** The proxies of the environment, which are used where `proxy` is not set. */
  readonly proxies: EnvironmentProxies;
  /** Seconds. */
  readonly timeout?: number;
  readonly authMethod?: string;
  /** An address of plain http to another machine; calls need `allowPlainHttp`. */
  readonly remotePlainHttp?: string;
  /** Settings that are not supported here, each with what happens instead, as sentences without a full stop. */
  readonly unsupported: readonly string[];
  /** Where each setting came from: a variable, a flag, "profile dev". */
  readonly from: { readonly [K in SettingName]?: string };
}

/**
 * Resolves the settings of one service; pure, except for checking whether a token file exists.
 *
 * A token stored in a profile is used only for the addresses of that profile, not for an `--address` with another origin.
 * The token file of a product's login is used only with the product's own variable for the address.
 *
 * @throws LanyardError usage: no address, one that is neither an http(s) URL nor a unix socket, an invalid variable.
 */
export function settingsOf(service: ServiceName, sources: Sources): Settings {
  const row = services[service];
  const { env, flags } = sources;
  const profile = sources.named ?? sources.active;
  const find = finder(service, sources);

  const address = addressIn(service, sources, find);
  const [first, ...others] = addressesIn(address, profile).map((text) =>
    completeAddress({ ...address, value: text }, service === 'registry' && isOn(env.CONSUL_HTTP_SSL)),
  );
  if (first === undefined) throw new Error('an address is never an empty list');
  // A list of LANYARD_<SERVICE>_ADDR may name others than the profile does.
  const profileMaySend = (): boolean =>
    [first, ...others].every((each) => isAddressOf(each, profile?.settings));
  const token = tokenIn(service, sources, address, find, profileMaySend);
  const withheldFrom =
    token === undefined && profile?.settings.token !== undefined ? profile.name : undefined;
  const tokenHint = token === undefined ? tokenHintOf(service, sources, address, withheldFrom) : undefined;
  const auth = find('httpAuth');
  const httpAuth = auth && planOf(auth, profile?.name, profileMaySend);
  const skipVerify = find('skipVerify');
  const remotePlainHttp = [first, ...others].find(isRemotePlainHttp);
  const timeout = find('timeout');
  const maxRetries = find('maxRetries');
  const texts = textsIn(find, flags.namespace, sources.named !== undefined);
  const fromProfile = address.kind === 'profile' ? profile?.settings : undefined;
  const found = { ...texts, skipVerify, timeout, maxRetries, address, httpAuth: auth };
  return {
    service,
    address: first,
    addresses: [first, ...others],
    addressFrom: address.from,
    token: token?.plan,
    tokenFrom: token?.from,
    headerPrefixes: headerPrefixes(
      service,
      env[`LANYARD_${service.toUpperCase()}_HEADER_PREFIX`] || fromProfile?.headerPrefix,
    ),
    ...valuesOf(texts),
    skipVerify: flags.skipVerify === true || (skipVerify !== undefined && switchOf(skipVerify)),
    proxies: environmentProxies(env),
    ...compact({
      profile: address.kind === 'profile' ? profile?.name : undefined,
      isTokenWithheld: withheldFrom === undefined ? undefined : (true as const),
      tokenHint,
      httpAuth,
      timeout: timeout && secondsOf(timeout),
      maxRetries: maxRetries && countOf(maxRetries),
      remotePlainHttp,
    }),
    allowPlainHttp: fromProfile?.allowPlainHttp === true || isPlainHttpAllowed(service, env),
    unsupported: [
      ...missingSettings(service, sources),
      ...(row.unsupported ?? []).flatMap(({ names, effect, harmless, withProductAddress }) => {
        const set = names.find((name) => env[name]);
        const isHarmless = set === undefined || harmless?.includes((env[set] ?? '').toLowerCase()) === true;
        return isHarmless || (withProductAddress && address.kind !== 'product')
          ? []
          : [`${set} is set and not supported: ${effect}`];
      }),
    ],
    from: compact(Object.fromEntries(Object.entries(found).map(([setting, one]) => [setting, one?.from]))),
  };
}

/** Consent by a variable, for an address from anywhere. @throws LanyardError usage: neither true nor false. */
function isPlainHttpAllowed(service: ServiceName, env: Sources['env']): boolean {
  const from = plainHttpVariable(service);
  const value = env[from];
  return value !== undefined && value !== '' && switchOf({ value, from, kind: 'own' });
}

const texts = [
  'region',
  'datacenter',
  'caCert',
  'caPem',
  'caPath',
  'clientCert',
  'clientKey',
  'serverName',
  'proxy',
  'authMethod',
] as const satisfies readonly SettingName[];
type Texts = { readonly [K in (typeof texts)[number] | 'namespace']?: Found };

/** The settings that are used as written. Of the three forms of CA certificates only the strongest counts. */
function textsIn(find: Find, namespace: string | undefined, isNamed: boolean): Texts {
  const order: readonly Found['kind'][] = isNamed
    ? ['flag', 'own', 'profile', 'product']
    : ['flag', 'own', 'product', 'profile'];
  const all: Texts = compact(Object.fromEntries(texts.map((setting) => [setting, find(setting)])));
  const given = find('namespace', { flag: '--namespace', value: namespace });
  if (given) checkNamespace(given);
  const { caCert, caPem, caPath, ...others } = all;
  const authorities = Object.entries({ caCert, caPem, caPath })
    .flatMap(([setting, found]) => (found === undefined ? [] : [{ setting, found }]))
    .sort((one, other) => order.indexOf(one.found.kind) - order.indexOf(other.found.kind));
  return {
    ...others,
    ...(given ? { namespace: given } : {}),
    ...Object.fromEntries(authorities.slice(0, 1).map(({ setting, found }) => [setting, found])),
  };
}

/** A namespace is sent as written: in a header, where a server may resolve it, or in the query. */
function checkNamespace({ value, from }: Found): void {
  const parts = value.replace(/^\/|\/$/g, '').split('/');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is rejected
  const isInvalid = parts.some((part) => part === '.' || part === '..' || /[\u0000-\u001f\u007f]/.test(part));
  if (isInvalid) throw usage(`invalid namespace from ${from}: expected names separated by "/"`);
}

const valuesOf = (found: Texts): { readonly [K in keyof Texts]?: string } =>
  Object.fromEntries(Object.entries(found).map(([setting, one]: [string, Found]) => [setting, one.value]));

/**
 * The header prefixes of a service: the product's, which every product of that API reads, and the specification's. The
 * address does not show which of them responds, so both are sent.
 *
 * @param only the one prefix that a profile or a variable restricts the calls to.
 */
function headerPrefixes(service: ServiceName, only?: string): readonly string[] {
  return only ? [only] : [services[service].productPrefix, services[service].headerPrefix];
}

// Zero means the default to the products.
function secondsOf({ value, from }: Found): number | undefined {
  const seconds = parseDuration(value);
  if (seconds === undefined || seconds < 0)
    throw usage(`invalid ${from}: expected a duration such as 30s, or a number of seconds`);
  return seconds === 0 ? undefined : seconds;
}

function countOf({ value, from }: Found): number {
  if (/^\d{1,3}$/.test(value.trim())) return Number(value);
  throw usage(`invalid ${from}: expected a number from 0 to 999`);
}
