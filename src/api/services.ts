import type { ServiceName } from '../wire/services.ts';

/** The settings of a service, each with the last part of its own variable: `LANYARD_SECRETS_ADDR`. */
const settingSuffixes = {
  address: 'ADDR',
  token: 'TOKEN',
  /** Files that hold a token. A product's file comes before its token. */
  tokenFile: 'TOKEN_FILE',
  /** `user:password` of HTTP basic authentication. */
  httpAuth: 'HTTP_AUTH',
  namespace: 'NAMESPACE',
  caCert: 'CACERT',
  /** CA certificates as PEM text. */
  caPem: 'CACERT_BYTES',
  /** A directory of CA certificates in PEM form. */
  caPath: 'CAPATH',
  clientCert: 'CLIENT_CERT',
  clientKey: 'CLIENT_KEY',
  serverName: 'TLS_SERVER_NAME',
  skipVerify: 'SKIP_VERIFY',
  proxy: 'PROXY',
  /** A duration: the default of `--timeout`. */
  timeout: 'CLIENT_TIMEOUT',
  /** Maximum number of retries. */
  maxRetries: 'MAX_RETRIES',
  region: 'REGION',
  datacenter: 'DATACENTER',
  /** The default of `--auth-method`. */
  authMethod: 'AUTH_METHOD_ID',
} as const;

export type SettingName = keyof typeof settingSuffixes;

export const settingNames = Object.keys(settingSuffixes) as readonly SettingName[];

/** Where the product's own login keeps its token: `path`, in the directory or at the path of a variable. */
interface LoginFile {
  /** Undefined: `path` is complete, in the home directory (`~`). */
  readonly variable?: string;
  /** Empty: the variable names the file itself. */
  readonly path: string;
}

/** A variable of the product that changes the effect of a call, and that Lanyard does not support. */
interface Unsupported {
  readonly names: readonly string[];
  /** What happens instead, as the end of a sentence: "the response is not wrapped". */
  readonly effect: string;
  /** Values that change nothing, in lower case. */
  readonly harmless?: readonly string[];
  /** It has no effect without the product's address variable. */
  readonly withProductAddress?: true;
}

/** One of the five services: everything that differs between them on the wire. */
export interface Service {
  readonly name: ServiceName;
  /** In messages. */
  readonly title: string;
  /** The port of the embedded service. */
  readonly port: number;
  /** Between address and operation path, e.g. `/v1`. */
  readonly base: string;
  /** The specification's header prefix. */
  readonly headerPrefix: string;
  /** The header prefix of the products that have this API. */
  readonly productPrefix: string;
  /** `prefixed` sends `<prefix>-Token` for each prefix; `bearer` sends `Authorization: Bearer`. */
  readonly token: 'prefixed' | 'bearer';
  /** Headers that go with every call, without the prefix. */
  readonly always?: Readonly<Record<string, string>>;
  /** The field or form in which a namespace is sent, if the service has namespaces. */
  readonly namespace?: 'header' | 'query';
  /** The product's own variables, in the order they are looked at, most specific first. */
  readonly product: { readonly [Name in SettingName]?: readonly string[] };
  /** The product's variables that turn TLS verification off when they are false. */
  readonly verify?: readonly string[];
  /** Token files of the product's login, used only with an address from the product's own variable. */
  readonly loginFiles?: readonly LoginFile[];
  readonly unsupported?: readonly Unsupported[];
  /** The command of the product that prints the token of its login, where that is in a keyring and not in a file. */
  readonly loginCommand?: string;
  /** The content type of the body of a PATCH, if not the type of JSON. */
  readonly patch?: string;
  /** The request for the state of the service, below `base`. It needs no token. */
  readonly health: string;
}

/** The names of a variable of the secrets service, in the order in which `bao` reads them. */
const bao = (name: string): readonly string[] => [`BAO_${name}`, `VAULT_${name}`];

export const services: { readonly [S in ServiceName]: Service } = {
  secrets: {
    name: 'secrets',
    title: 'secrets service',
    port: 8200,
    base: '/v1',
    headerPrefix: 'X-Secrets',
    productPrefix: 'X-Vault',
    token: 'prefixed',
    always: { Request: 'true' },
    patch: 'application/merge-patch+json',
    namespace: 'header',
    product: {
      // An agent in front of the service comes before the service itself.
      address: [...bao('AGENT_ADDR'), ...bao('ADDR')],
      token: bao('TOKEN'),
      namespace: bao('NAMESPACE'),
      caCert: bao('CACERT'),
      caPem: bao('CACERT_BYTES'),
      caPath: bao('CAPATH'),
      clientCert: bao('CLIENT_CERT'),
      clientKey: bao('CLIENT_KEY'),
      serverName: bao('TLS_SERVER_NAME'),
      skipVerify: bao('SKIP_VERIFY'),
      proxy: [...bao('PROXY_ADDR'), ...bao('HTTP_PROXY')],
      timeout: bao('CLIENT_TIMEOUT'),
      maxRetries: bao('MAX_RETRIES'),
    },
    loginFiles: [
      ...bao('TOKEN_PATH').map((variable) => ({ variable, path: '' })),
      { path: '~/.vault-token' },
    ],
    unsupported: [
      { names: bao('WRAP_TTL'), effect: 'the response is not wrapped; use --wrap-ttl' },
      {
        names: bao('SRV_LOOKUP'),
        effect: 'the address is not looked up as an SRV record',
        harmless: ['0', 'f', 'false'],
        withProductAddress: true,
      },
      { names: bao('MFA'), effect: 'no MFA credentials are sent' },
      {
        names: [...bao('CLIENT_CERT_BYTES'), ...bao('CLIENT_KEY_BYTES')],
        effect: 'no client certificate is sent; set VAULT_CLIENT_CERT and VAULT_CLIENT_KEY to files',
      },
    ],
    health: '/sys/health',
  },
  registry: {
    name: 'registry',
    title: 'service registry',
    port: 8500,
    base: '/v1',
    headerPrefix: 'X-Registry',
    productPrefix: 'X-Consul',
    token: 'prefixed',
    namespace: 'query',
    product: {
      address: ['CONSUL_HTTP_ADDR'],
      token: ['CONSUL_HTTP_TOKEN'],
      tokenFile: ['CONSUL_HTTP_TOKEN_FILE'],
      httpAuth: ['CONSUL_HTTP_AUTH'],
      namespace: ['CONSUL_NAMESPACE'],
      caCert: ['CONSUL_CACERT'],
      caPath: ['CONSUL_CAPATH'],
      clientCert: ['CONSUL_CLIENT_CERT'],
      clientKey: ['CONSUL_CLIENT_KEY'],
      serverName: ['CONSUL_TLS_SERVER_NAME'],
    },
    verify: ['CONSUL_HTTP_SSL_VERIFY'],
    unsupported: [
      {
        names: ['CONSUL_PARTITION'],
        effect: 'requests go to the partition of the agent',
        harmless: ['default'],
      },
    ],
    health: '/status/leader',
  },
  box: {
    name: 'box',
    title: 'box registry',
    port: 8090,
    base: '/api/v1',
    headerPrefix: 'X-Box',
    productPrefix: 'X-Atlas',
    token: 'bearer',
    product: {
      address: ['VAGRANT_SERVER_URL'],
      token: ['VAGRANT_CLOUD_TOKEN', 'ATLAS_TOKEN'],
    },
    loginFiles: [
      { variable: 'VAGRANT_HOME', path: 'data/vagrant_login_token' },
      { path: '~/.vagrant.d/data/vagrant_login_token' },
    ],
    health: '/search?limit=1',
  },
  scheduler: {
    name: 'scheduler',
    title: 'scheduler',
    port: 4646,
    base: '/v1',
    headerPrefix: 'X-Scheduler',
    productPrefix: 'X-Nomad',
    token: 'prefixed',
    namespace: 'query',
    product: {
      address: ['NOMAD_ADDR'],
      token: ['NOMAD_TOKEN'],
      httpAuth: ['NOMAD_HTTP_AUTH'],
      namespace: ['NOMAD_NAMESPACE'],
      region: ['NOMAD_REGION'],
      caCert: ['NOMAD_CACERT'],
      caPath: ['NOMAD_CAPATH'],
      clientCert: ['NOMAD_CLIENT_CERT'],
      clientKey: ['NOMAD_CLIENT_KEY'],
      serverName: ['NOMAD_TLS_SERVER_NAME'],
      skipVerify: ['NOMAD_SKIP_VERIFY'],
    },
    health: '/agent/health',
  },
  accounts: {
    name: 'accounts',
    title: 'account service',
    port: 9200,
    base: '/v1',
    headerPrefix: 'X-Accounts',
    productPrefix: 'X-Boundary',
    token: 'bearer',
    product: {
      address: ['BOUNDARY_ADDR'],
      token: ['BOUNDARY_TOKEN'],
      caCert: ['BOUNDARY_CACERT'],
      caPath: ['BOUNDARY_CAPATH'],
      clientCert: ['BOUNDARY_CLIENT_CERT'],
      clientKey: ['BOUNDARY_CLIENT_KEY'],
      serverName: ['BOUNDARY_TLS_SERVER_NAME'],
      skipVerify: ['BOUNDARY_TLS_INSECURE'],
      timeout: ['BOUNDARY_CLIENT_TIMEOUT'],
      maxRetries: ['BOUNDARY_MAX_RETRIES'],
      authMethod: ['BOUNDARY_AUTH_METHOD_ID'],
    },
    // It reads BOUNDARY_TOKEN_NAME itself.
    loginCommand: 'boundary config get-token',
    unsupported: [
      {
        names: ['BOUNDARY_SRV_LOOKUP'],
        effect: 'the address is not looked up as an SRV record',
        harmless: ['0', 'f', 'false'],
        withProductAddress: true,
      },
      { names: ['BOUNDARY_RECOVERY_CONFIG'], effect: 'the recovery workflow is not used' },
    ],
    // Its own health route is on another listener. This one reads the database, and needs no token.
    health: '/auth-methods?scope_id=global',
  },
};

/** `LANYARD_SECRETS_ADDR` and the like. */
export const ownVariable = (service: ServiceName, setting: SettingName): string =>
  `LANYARD_${service.toUpperCase()}_${settingSuffixes[setting]}`;

/** The variable that allows plain http to another machine. */
export const plainHttpVariable = (service: ServiceName): string =>
  `LANYARD_${service.toUpperCase()}_ALLOW_PLAIN_HTTP`;

/** The end of the hint for a rejected plain http address. */
export const plainHttpHint = (service: ServiceName): string =>
  `run \`export ${plainHttpVariable(service)}=true\`, or \`lanyard profile put NAME ${service}.allow-plain-http=true\` for a profile.`;

/** The variables, of Lanyard and of the product, that lead a program to a service. */
export function serviceVariables(
  service: ServiceName,
  address: string,
  token: string | undefined,
): Readonly<Record<string, string>> {
  const { product } = services[service];
  const named = (setting: 'address' | 'token', value: string) =>
    [ownVariable(service, setting), ...(product[setting] ?? [])].map((name) => [name, value] as const);
  return Object.fromEntries([
    ...named('address', address),
    ...(token === undefined ? [] : named('token', token)),
  ]);
}
