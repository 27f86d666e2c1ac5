import type { ServiceName } from '../wire/services.ts';

/** A setting's environment names in the order they are looked at, most specific first. */
interface EnvironmentNames {
  readonly address: readonly string[];
  readonly token: readonly string[];
  readonly tokenFile: readonly string[];
  readonly namespace: readonly string[];
  readonly caCert: readonly string[];
  readonly clientCert: readonly string[];
  readonly clientKey: readonly string[];
  readonly serverName: readonly string[];
  readonly skipVerify: readonly string[];
  readonly proxy: readonly string[];
  readonly region: readonly string[];
  readonly datacenter: readonly string[];
}

export type SettingName = keyof EnvironmentNames;

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
  readonly always: Readonly<Record<string, string>>;
  /** The member or form in which a namespace is sent, if the service has namespaces. */
  readonly namespace: 'header' | 'query' | undefined;
  /** The product's own names; `LANYARD_<SERVICE>_*` are derived. */
  readonly product: Partial<EnvironmentNames>;
  /** The content type of the body of a PATCH, where it is not that of JSON. */
  readonly patch?: string;
  /** The request whose response tells the state of the service, below `base`. It needs no token. */
  readonly health: string;
}

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
      address: ['VAULT_ADDR', 'BAO_ADDR'],
      token: ['VAULT_TOKEN', 'BAO_TOKEN'],
      namespace: ['VAULT_NAMESPACE', 'BAO_NAMESPACE'],
      caCert: ['VAULT_CACERT', 'BAO_CACERT'],
      clientCert: ['VAULT_CLIENT_CERT', 'BAO_CLIENT_CERT'],
      clientKey: ['VAULT_CLIENT_KEY', 'BAO_CLIENT_KEY'],
      serverName: ['VAULT_TLS_SERVER_NAME', 'BAO_TLS_SERVER_NAME'],
      skipVerify: ['VAULT_SKIP_VERIFY', 'BAO_SKIP_VERIFY'],
      proxy: ['VAULT_PROXY_ADDR', 'VAULT_HTTP_PROXY', 'BAO_PROXY_ADDR', 'BAO_HTTP_PROXY'],
    },
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
    always: {},
    namespace: 'query',
    product: {
      address: ['CONSUL_HTTP_ADDR'],
      token: ['CONSUL_HTTP_TOKEN'],
      tokenFile: ['CONSUL_HTTP_TOKEN_FILE'],
      namespace: ['CONSUL_NAMESPACE'],
      caCert: ['CONSUL_CACERT'],
      clientCert: ['CONSUL_CLIENT_CERT'],
      clientKey: ['CONSUL_CLIENT_KEY'],
      serverName: ['CONSUL_TLS_SERVER_NAME'],
    },
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
    always: {},
    namespace: undefined,
    product: {
      address: ['VAGRANT_SERVER_URL'],
      token: ['VAGRANT_CLOUD_TOKEN', 'ATLAS_TOKEN'],
    },
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
    always: {},
    namespace: 'query',
    product: {
      address: ['NOMAD_ADDR'],
      token: ['NOMAD_TOKEN'],
      namespace: ['NOMAD_NAMESPACE'],
      region: ['NOMAD_REGION'],
      caCert: ['NOMAD_CACERT'],
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
    always: {},
    namespace: undefined,
    product: {
      address: ['BOUNDARY_ADDR'],
      token: ['BOUNDARY_TOKEN'],
      caCert: ['BOUNDARY_CACERT'],
      clientCert: ['BOUNDARY_CLIENT_CERT'],
      clientKey: ['BOUNDARY_CLIENT_KEY'],
      serverName: ['BOUNDARY_TLS_SERVER_NAME'],
      skipVerify: ['BOUNDARY_TLS_INSECURE'],
    },
    // Its own health is on another listener. This one asks its database, and needs no token.
    health: '/auth-methods?scope_id=global',
  },
};

const ownSuffix: { readonly [K in SettingName]: string } = {
  address: 'ADDR',
  token: 'TOKEN',
  tokenFile: 'TOKEN_FILE',
  namespace: 'NAMESPACE',
  caCert: 'CACERT',
  clientCert: 'CLIENT_CERT',
  clientKey: 'CLIENT_KEY',
  serverName: 'TLS_SERVER_NAME',
  skipVerify: 'SKIP_VERIFY',
  proxy: 'PROXY',
  region: 'REGION',
  datacenter: 'DATACENTER',
};

/** `LANYARD_SECRETS_ADDR` and the like. */
export const ownVariable = (service: ServiceName, setting: SettingName): string =>
  `LANYARD_${service.toUpperCase()}_${ownSuffix[setting]}`;
