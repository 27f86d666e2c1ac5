import { generateKeyPairSync } from 'node:crypto';
import type { Identity } from '../../src/state/kind.ts';
import type { ObjectCase } from './objects.ts';

const named = (key: string): Identity => ({ scope: {}, key });

const entry = (entryKind: string, key: string): Identity => ({ scope: { entryKind }, key });

const policy = (name: string) => ({ kind: 'registry.policy', identity: named(name), spec: { Rules: '' } });

const publicKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString();

const jwt = { Type: 'jwt', Config: { JWTValidationPubKeys: [publicKey], ClaimMappings: { team: 'team' } } };

const authMethod = (name: string) => ({ kind: 'registry.auth-method', identity: named(name), spec: jwt });

const httpService = (name: string) => ({
  kind: 'registry.config-entry',
  identity: entry('service-defaults', name),
  spec: { Protocol: 'http' },
});

const roleRule = {
  AuthMethod: 'st-rules',
  BindType: 'role',
  BindName: 'deploy',
  Selector: '"ops" in value.team',
};
const templateRule = { AuthMethod: 'st-rules', BindType: 'templated-policy', BindName: 'builtin/service' };

/** The kinds of the service registry. */
export const registryObjects: readonly ObjectCase[] = [
  {
    kind: 'registry.policy',
    identity: named('web-read'),
    spec: { Description: 'Reads web', Rules: 'service "web" {\n  policy = "read"\n}\n' },
    changed: { Description: 'Reads web', Rules: 'service "web" { policy = "write" }', Datacenters: ['dc1'] },
    spellings: [
      { description: 'Reads web', rules: 'service "web" {  \n  policy = "read"\n}', datacenters: [] },
      { Description: 'Reads web', Rules: 'service "web" {\r\n  policy = "read"\r\n}', Datacenters: null },
    ],
  },
  {
    kind: 'registry.role',
    identity: named('deploy'),
    spec: {
      Description: 'Deploys',
      Policies: [{ Name: 'st-web' }, { Name: 'st-db' }],
      ServiceIdentities: [{ ServiceName: 'web', Datacenters: ['dc1', 'dc2'] }, { ServiceName: 'api' }],
      NodeIdentities: [{ NodeName: 'node1', Datacenter: 'dc1' }],
      TemplatedPolicies: [{ TemplateName: 'builtin/service', TemplateVariables: { Name: 'api' } }],
    },
    changed: { Description: 'Deploys', Policies: [{ name: 'st-db' }], ServiceIdentities: [] },
    spellings: [
      {
        description: 'Deploys',
        policies: [{ name: 'st-db' }, { name: 'st-web' }, { name: 'st-db' }],
        service_identities: [
          { service_name: 'api', datacenters: null },
          { service_name: 'web', datacenters: ['dc2', 'dc1'] },
        ],
        templated_policies: [{ template_name: 'builtin/service', template_variables: { name: 'api' } }],
      },
      { NodeIdentities: [{ nodeName: 'node1', datacenter: 'dc1' }] },
    ],
    needs: [policy('st-web'), policy('st-db')],
  },
  {
    kind: 'registry.role',
    identity: named('empty'),
    spec: {},
    changed: { description: 'x', node_identities: [{ node_name: 'node1', datacenter: 'dc1' }] },
    spellings: [{ Description: '', Policies: [], ServiceIdentities: null }],
  },
  {
    kind: 'registry.token',
    identity: named('5e000000-0000-4000-8000-00000000000a'),
    spec: {
      Description: 'CI',
      SecretID: '5e000000-0000-4000-8000-00000000000b',
      Policies: [{ Name: 'st-web' }],
      Roles: [{ Name: 'st-role' }],
      ServiceIdentities: [{ ServiceName: 'web' }],
      ExpirationTime: '2099-01-01T12:00:00+01:00',
    },
    changed: { Description: 'CI', Policies: [], Roles: [{ Name: 'st-role' }] },
    spellings: [
      {
        description: 'CI',
        policies: [{ Name: 'st-web' }],
        roles: [{ name: 'st-role' }],
        local: false,
        expiration_time: '2099-01-01T11:00:00Z',
        SecretID: null,
      },
    ],
    needs: [policy('st-web'), { kind: 'registry.role', identity: named('st-role'), spec: {} }],
  },
  {
    kind: 'registry.token',
    identity: named('5e000000-0000-4000-8000-00000000000c'),
    spec: { local: true, expiration_ttl: '2h' },
    changed: { Local: true, Description: 'Local token' },
    spellings: [{ Local: true, ExpirationTTL: '120m' }],
  },
  {
    kind: 'registry.role',
    identity: named('mixed-case'),
    spec: { Policies: [{ Name: 'ST-web' }] },
    changed: { Policies: [{ Name: 'ST-DB' }] },
    spellings: [{ policies: [{ name: 'st-WEB' }, { name: 'st-web' }] }],
    needs: [policy('st-web'), policy('st-db')],
  },
  {
    kind: 'registry.auth-method',
    identity: named('st-jwt'),
    spec: {
      Type: 'jwt',
      Description: 'CI',
      DisplayName: 'CI jobs',
      MaxTokenTTL: '90m',
      Config: {
        JWTValidationPubKeys: [publicKey],
        BoundAudiences: ['b', 'a'],
        BoundIssuer: 'https://ci.example.com',
        ClaimMappings: { team: 'team' },
        ExpirationLeeway: '1m',
      },
    },
    changed: { Type: 'jwt', MaxTokenTTL: 7200, Config: { BoundAudiences: [], JWTSupportedAlgs: ['ES256'] } },
    spellings: [
      {
        type: 'jwt',
        max_token_ttl: '1h30m',
        token_locality: 'local',
        config: {
          jwt_validation_pub_keys: [publicKey.trim()],
          bound_audiences: ['a', 'b', 'a'],
          expiration_leeway: 60_000_000_000,
          jwt_supported_algs: ['RS256'],
          list_claim_mappings: {},
          clock_skew_leeway: 0,
        },
      },
    ],
  },
  {
    kind: 'registry.binding-rule',
    identity: named('st-rules role deploy if "ops" in value.team'),
    spec: roleRule,
    changed: { ...roleRule, Description: 'Deployments' },
    spellings: [
      {
        auth_method: 'st-rules',
        bind_type: 'role',
        bind_name: 'deploy',
        selector: '"ops" in value.team',
        description: '',
        bind_vars: {},
      },
    ],
    needs: [authMethod('st-rules')],
  },
  {
    kind: 'registry.binding-rule',
    identity: named('st-rules templated-policy builtin/service'),
    spec: { ...templateRule, BindVars: { Name: `ci-\${value.team}` } },
    changed: { ...templateRule, BindVars: { name: 'ci' } },
    spellings: [{ ...templateRule, Selector: '', bindVars: { name: `ci-\${value.team}` } }],
    needs: [authMethod('st-rules')],
  },
  {
    kind: 'registry.query',
    identity: named('st-web'),
    spec: {
      Service: {
        Service: 'web',
        OnlyPassing: true,
        Tags: ['b', '!a'],
        NodeMeta: { zone: 'a' },
        Failover: { NearestN: 2, Datacenters: ['dc2', 'dc3'] },
      },
      DNS: { TTL: '90s' },
      Token: '5e000000-0000-4000-8000-00000000000e',
    },
    changed: {
      Service: {
        Service: 'web',
        Tags: [],
        Failover: {
          NearestN: 0,
          Datacenters: null,
          Targets: [
            { Datacenter: 'dc2', Partition: '' },
            { peer: 'east', Namespace: null },
          ],
        },
      },
      DNS: { TTL: '10' },
      Token: '',
    },
    spellings: [
      {
        service: {
          service: 'web',
          only_passing: true,
          tags: ['!a', 'b', 'b'],
          node_meta: { zone: 'a' },
          service_meta: null,
          ignore_check_ids: [],
          failover: { nearest_n: 2, datacenters: ['dc2', 'dc3'], targets: [] },
        },
        dns: { ttl: '1m30s' },
        template: { type: '' },
      },
      { Service: { Service: 'web' }, DNS: { TTL: 90 }, Template: null },
    ],
  },
  {
    kind: 'registry.query',
    identity: named('st-geo-'),
    spec: {
      Service: { Service: `\${match(1)}` },
      Template: { Type: 'name_prefix_match', Regexp: '^st-geo-(.*)$', RemoveEmptyTags: true },
    },
    // A static query of the same name replaces it.
    changed: { Service: { Service: 'web' }, DNS: { TTL: 10 } },
    spellings: [
      {
        service: { service: `\${match(1)}` },
        template: { type: 'name_prefix_match', regexp: '^st-geo-(.*)$', remove_empty_tags: true },
      },
    ],
  },
  {
    kind: 'registry.query',
    identity: named(''),
    spec: { Service: { Service: `\${name.full}` }, Template: { Type: 'name_prefix_match' } },
    changed: {
      Service: { Service: `\${name.full}`, Near: '_agent' },
      Template: { Type: 'name_prefix_match' },
    },
  },
  {
    kind: 'registry.config-entry',
    identity: entry('proxy-defaults', 'global'),
    spec: { Config: { protocol: 'http' }, Meta: { owner: 'mesh team' } },
    changed: { Config: { protocol: 'http', local_connect_timeout_ms: 5 }, Mode: 'direct', Meta: {} },
    spellings: [
      { config: { protocol: 'http' }, transparent_proxy: {}, mesh_gateway: null, expose: { paths: [] } },
      { AccessLogs: { Enabled: false }, EnvoyExtensions: [], MutualTLSMode: '' },
    ],
  },
  {
    kind: 'registry.config-entry',
    identity: entry('service-defaults', 'st-web'),
    spec: {
      Protocol: 'HTTP',
      UpstreamConfig: {
        Defaults: { PassiveHealthCheck: { Interval: '5s', MaxFailures: 3 }, ConnectTimeoutMs: 500 },
        Overrides: [{ Name: 'st-db', Protocol: 'TCP', Limits: { MaxConnections: 0 } }],
      },
    },
    changed: { protocol: 'http', max_inbound_connections: 5, upstream_config: { Overrides: [] } },
    spellings: [
      {
        protocol: 'http',
        upstream_config: {
          defaults: {
            passive_health_check: { interval: 5_000_000_000, max_failures: 3 },
            connect_timeout_ms: 500,
          },
          overrides: [{ name: 'st-db', protocol: 'tcp', limits: { max_connections: 0 }, mesh_gateway: {} }],
        },
      },
      { TransparentProxy: { OutboundListenerPort: 0 }, MeshGateway: {}, Meta: null, ExternalSNI: '' },
    ],
  },
  {
    kind: 'registry.config-entry',
    identity: entry('service-resolver', 'st-web'),
    spec: {
      ConnectTimeout: '90s',
      RequestTimeout: 2_000_000_000,
      DefaultSubset: 'v1',
      Subsets: { v1: { Filter: 'Service.Meta.version == 1', OnlyPassing: true }, v2: {} },
      Failover: { '*': { Datacenters: ['dc2', 'dc3'] } },
      LoadBalancer: {
        Policy: 'ring_hash',
        HashPolicies: [{ Field: 'cookie', FieldValue: 'id', CookieConfig: { TTL: '1h' } }],
      },
    },
    changed: {
      ConnectTimeout: '1m31s',
      Subsets: { v1: { OnlyPassing: true } },
      Failover: { v1: { Targets: [{ Service: 'st-other' }, { datacenter: 'dc2' }] } },
    },
    spellings: [
      {
        connect_timeout: '1m30s',
        request_timeout: '2000ms',
        default_subset: 'v1',
        subsets: {
          v2: { only_passing: false },
          v1: { filter: 'Service.Meta.version == 1', only_passing: true },
        },
        failover: { '*': { datacenters: ['dc2', 'dc3'], targets: null } },
        load_balancer: {
          policy: 'ring_hash',
          hash_policies: [{ field: 'cookie', field_value: 'id', cookie_config: { ttl: '60m', path: '' } }],
          ring_hash_config: {},
        },
      },
    ],
  },
  {
    kind: 'registry.config-entry',
    identity: entry('service-splitter', 'st-web'),
    spec: { Splits: [{ Weight: 90.5 }, { Weight: 9.5, Service: 'st-canary' }], Meta: { a: 'b' } },
    changed: { splits: [{ weight: 100, request_headers: { add: { 'X-Split': 'all' } } }] },
    spellings: [
      {
        splits: [
          { weight: 90.5, service: '', response_headers: { remove: [] } },
          { weight: 9.5, service: 'st-canary', service_subset: null },
        ],
      },
    ],
    needs: [httpService('st-web'), httpService('st-canary')],
  },
  {
    kind: 'registry.config-entry',
    identity: entry('service-router', 'st-web'),
    spec: {
      Routes: [
        {
          Match: { HTTP: { PathPrefix: '/api', Methods: ['get', 'POST'] } },
          Destination: {
            Service: 'st-canary',
            RequestTimeout: '90s',
            NumRetries: 3,
            RetryOnStatusCodes: [503],
          },
        },
      ],
    },
    changed: { Routes: [{ match: { http: { header: [{ name: 'x-debug', exact: '1' }] } } }] },
    spellings: [
      {
        routes: [
          {
            match: { http: { path_prefix: '/api', methods: ['GET', 'post'], case_insensitive: false } },
            destination: {
              service: 'st-canary',
              request_timeout: '1m30s',
              idle_timeout: 0,
              num_retries: 3,
              retry_on_status_codes: [503],
            },
          },
        ],
      },
    ],
    needs: [httpService('st-web'), httpService('st-canary')],
  },
  {
    kind: 'registry.key',
    identity: named('app/db/host'),
    spec: { value: 'db.example.com' },
    changed: { value: 'db2.example.com', flags: 42 },
    spellings: [
      { Value: 'db.example.com', flags: 0, encoding: 'text' },
      { value: 'ZGIuZXhhbXBsZS5jb20=', encoding: 'base64', flags: null },
    ],
  },
  {
    kind: 'registry.key',
    identity: named('app/bytes'),
    spec: { value: '/wD+', encoding: 'base64', flags: 18446744073709551615n },
    changed: { value: 'text\n', encoding: 'text', flags: '7' },
    spellings: [{ value: '/wD+', encoding: 'base64', flags: '18446744073709551615' }],
  },
  { kind: 'registry.key', identity: named('app/folder/'), spec: {}, changed: { value: 'é' } },
  // Keys without a path.
  {
    kind: 'registry.key',
    identity: named('app//x'),
    spec: { value: '1' },
    changed: { value: '2', flags: '7' },
  },
  { kind: 'registry.key', identity: named('/app/../x'), spec: { value: '/wD+', encoding: 'base64' } },
];
