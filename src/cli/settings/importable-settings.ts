import { plainHttpVariable } from '../../api/services.ts';
import type { Settings, TokenPlan } from '../../api/settings.ts';
import type { ImportableSetting } from '../../command/profile-store.ts';
import type { ServiceSettings, TokenSource } from '../../config/profile.ts';

/** The settings of a service that can be stored in a profile; none of them is a secret. */
export function importableSettings(
  settings: Settings,
  { absolute, home }: { readonly absolute: (path: string) => string; readonly home: string },
): readonly ImportableSetting[] {
  const { from, addressFrom, tokenFrom = '', addresses, token, httpAuth, skipVerify, timeout } = settings;
  const [only, ...others] = addresses;
  const path = (name: string): string => (name.startsWith('~/') ? name : absolute(name));
  const reference = (plan: TokenPlan | undefined): TokenSource | undefined => {
    if (plan?.from === 'variable') return `env://${plan.name}`;
    return plan?.from === 'file' ? `file://${path(plan.path)}` : undefined;
  };
  const fileOf = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : absolute(name.startsWith('~/') ? `${home}/${name.slice(2)}` : name);
  const [prefix, ...families] = settings.headerPrefixes;
  const all: {
    readonly [K in ImportableSetting['member']]?: readonly [
      ServiceSettings[K] | undefined,
      string | undefined,
    ];
  } = {
    ...(others.length === 0 ? { address: [only, addressFrom] } : { addresses: [addresses, addressFrom] }),
    namespace: [settings.namespace, from.namespace],
    ...(families.length === 0
      ? { headerPrefix: [prefix, `LANYARD_${settings.service.toUpperCase()}_HEADER_PREFIX`] }
      : {}),
    token: [reference(token), tokenFrom],
    httpAuth: [reference(httpAuth) as ServiceSettings['httpAuth'], from.httpAuth],
    allowPlainHttp: [settings.allowPlainHttp || undefined, plainHttpVariable(settings.service)],
    caCert: [fileOf(settings.caCert), from.caCert],
    caPath: [fileOf(settings.caPath), from.caPath],
    clientCert: [fileOf(settings.clientCert), from.clientCert],
    clientKey: [fileOf(settings.clientKey), from.clientKey],
    serverName: [settings.serverName, from.serverName],
    skipVerify: [skipVerify || undefined, from.skipVerify],
    proxy: [hasCredentials(settings.proxy) ? undefined : settings.proxy, from.proxy],
    timeout: [timeout === undefined ? undefined : `${timeout}s`, from.timeout],
    maxRetries: [settings.maxRetries === undefined ? undefined : `${settings.maxRetries}`, from.maxRetries],
    region: [settings.region, from.region],
    datacenter: [settings.datacenter, from.datacenter],
    authMethod: [settings.authMethod, from.authMethod],
  };
  return Object.entries(all).flatMap(([member, [value, source = '']]) =>
    value === undefined ? [] : [{ member: member as ImportableSetting['member'], value, from: source }],
  );
}

const hasCredentials = (url: string | undefined): boolean => url?.includes('@') === true;
