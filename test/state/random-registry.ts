import { generateKeyPairSync } from 'node:crypto';
import type { JsonObject } from '../../src/state/kind.ts';
import type { Json } from '../../src/wire/json.ts';
import { kindOf } from './bench.ts';
import type { Generator, System } from './random-systems.ts';
import { fieldsOf, mapOf, type Overrides, type Random, texts, words } from './random-values.ts';

const names = ['web', 'On', 'api-1', 'a_b', 'null', '1e3', 'DB'];
const rules = [
  '',
  'service "web" {\n  policy = "read"\n}\n',
  '# all\nkey_prefix "" { policy = "list" }   \n\n',
  '{"operator": "read"}',
];
const publicKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString();

const links = (random: Random, keys: readonly string[], least = 0): Json =>
  random.some(keys, least, 2).map((Name) => ({ Name: random.chance(0.3) ? Name.toUpperCase() : Name }));

const datacenters = (random: Random) => random.some(['dc1', 'dc2'], 0, 2);

const grants = (system: System): Overrides => ({
  Policies: (random) => links(random, system.keys('registry.policy')),
  Roles: (random) => links(random, system.keys('registry.role')),
  ServiceIdentities: (random) =>
    random
      .some(['web', 'api', 'db'], 0, 2)
      .map((ServiceName) => ({ ServiceName, Datacenters: datacenters(random) })),
  NodeIdentities: (random) =>
    random.some(['n1', 'n2'], 0, 2).map((NodeName) => ({ NodeName, Datacenter: 'dc1' })),
  TemplatedPolicies: (random) =>
    random.some(['web', 'api'], 0, 2).map((Name) => ({
      TemplateName: 'builtin/service',
      TemplateVariables: { Name },
      Datacenters: datacenters(random),
    })),
});

const queryFields: Overrides = {
  ...Object.fromEntries(
    [
      'Service.Namespace',
      'Service.Partition',
      'Service.SamenessGroup',
      'Service.Peer',
      'Session',
      'Token',
    ].map((name) => [name, undefined]),
  ),
  'Service.Service': (random) => random.pick(['web', 'on', '1e3']),
  'Service.IncludeAll': undefined,
  'Service.Near': (random) => random.pick(['_agent', '_ip', 'n1']),
  'Service.Meta': undefined,
  'Service.NodeMeta': (random) => mapOf(random, ['web', 'on', '1e3', 'X-Trace']),
  'Service.ServiceMeta': (random) => mapOf(random, ['web', 'on', '1e3', 'X-Trace']),
  'Service.Tags': (random) => random.some(['a', '!b', 'on', '1e3'], 0, 3),
  'Service.Failover': (random) =>
    random.pick<JsonObject>([
      { NearestN: 2 },
      { Datacenters: ['dc2', 'dc1'] },
      { NearestN: 1, Datacenters: ['dc2'] },
      { Targets: [{ Datacenter: 'dc2' }, { Peer: 'east' }] },
    ]),
  Template: undefined,
};

type Entry = readonly [kind: string, key: string, spec: (random: Random) => JsonObject];

const Meta = (random: Random): JsonObject => (random.chance(0.4) ? { Meta: mapOf(random) } : {});
const split = (random: Random): Json => {
  const share = random.pick([0.01, 33.33, 50]);
  return [{ Weight: 100 - share }, { Weight: share, Service: 'api' }];
};

/** Config entries, each after those that it needs. */
const entries: readonly Entry[] = [
  [
    'proxy-defaults',
    'global',
    (random) => ({ Config: { protocol: 'http', local_connect_timeout_ms: random.integer(1, 9) } }),
  ],
  [
    'service-defaults',
    'web',
    (random) => ({ Protocol: 'http', MaxInboundConnections: random.pick([0, 1, 4096]) }),
  ],
  [
    'service-defaults',
    'API',
    () => ({ Protocol: 'HTTP', UpstreamConfig: { Defaults: { ConnectTimeoutMs: 5 } } }),
  ],
  [
    'service-resolver',
    'web',
    (random) => ({
      ConnectTimeout: random.pick<Json>(['90s', 1_000_000_000, '1500ms']),
      Subsets: { v1: { Filter: 'Service.Meta.v == 1' }, on: {} },
    }),
  ],
  ['service-splitter', 'web', (random) => ({ Splits: split(random) })],
  [
    'service-router',
    'web',
    (random) => ({
      Routes: [
        {
          Match: { HTTP: { PathPrefix: '/a', Methods: random.some(['GET', 'post'], 1, 2) } },
          Destination: { Service: 'api', RequestTimeout: random.pick(['90s', '1m30s']) },
        },
      ],
    }),
  ],
];

const config: Generator = (system) => {
  for (const [entryKind, key, spec] of entries)
    system.add(
      'registry.config-entry',
      key,
      { ...spec(system.random), ...Meta(system.random) },
      { entryKind },
    );
};

const values: readonly JsonObject[] = [
  ...texts.map((value) => ({ value })),
  { value: '' },
  { value: '/wD+', encoding: 'base64' },
  {},
];

/** Every kind of the service registry. */
export const registryGenerators: Readonly<Record<string, Generator>> = {
  'registry.policy'(system) {
    const { random } = system;
    const fields: Overrides = { Rules: () => random.pick(rules), Datacenters: datacenters };
    for (const name of random.some(names, 1, 4))
      system.add('registry.policy', name, fieldsOf(kindOf('registry.policy').schema, random, fields));
  },
  'registry.role'(system) {
    const { random } = system;
    for (const name of random.some(names, 0, 3))
      system.add('registry.role', name, fieldsOf(kindOf('registry.role').schema, random, grants(system)));
  },
  'registry.token'(system) {
    const { random } = system;
    const fields = { ...grants(system), Local: () => false, SecretID: undefined, ExpirationTTL: undefined };
    const ExpirationTime = () => random.pick(['2099-01-01T12:00:00+01:00', '2098-06-05T04:03:02Z']);
    for (let count = random.integer(0, 3); count > 0; count--)
      system.add(
        'registry.token',
        random.uuid(),
        fieldsOf(kindOf('registry.token').schema, random, { ...fields, ExpirationTime }),
      );
  },
  'registry.auth-method'(system) {
    const { random } = system;
    for (const name of random.some(['ci', 'On', '1e3'], 0, 2))
      system.add('registry.auth-method', name, {
        Type: 'jwt',
        ...(random.chance(0.5)
          ? { Description: random.pick(texts), MaxTokenTTL: random.pick(['90m', 3600]) }
          : {}),
        ...(random.chance(0.5)
          ? { DisplayName: random.pick(texts), TokenLocality: random.pick(['local', 'global']) }
          : {}),
        Config: {
          JWTValidationPubKeys: [publicKey],
          BoundAudiences: random.some(words, 0, 3),
          ...(random.chance(0.5)
            ? { ClaimMappings: { team: 'team' }, ExpirationLeeway: random.pick<Json>(['1m', 5_000_000_000]) }
            : {}),
        },
      });
  },
  'registry.binding-rule'(system) {
    const { random } = system;
    for (const AuthMethod of system.keys('registry.auth-method'))
      for (const BindName of random.some(['deploy', 'on', '1e3'], 0, 2)) {
        const BindType = random.pick(['service', 'role', 'node']);
        const spec = {
          AuthMethod,
          BindType,
          BindName,
          ...(random.chance(0.5) ? { Description: random.pick(texts) } : {}),
        };
        system.add('registry.binding-rule', kindOf('registry.binding-rule').keyOf?.(spec) ?? '', spec);
      }
  },
  'registry.config-entry': config,
  'registry.query'(system) {
    const { random } = system;
    for (const name of random.some(['web', 'on', 'a b', 'Ünï', '1e3'], 0, 3))
      system.add('registry.query', name, fieldsOf(kindOf('registry.query').schema, random, queryFields));
    if (random.chance(0.3))
      system.add('registry.query', 'geo-', {
        Service: { Service: `\${match(1)}` },
        Template: { Type: 'name_prefix_match', Regexp: '^geo-(.*)$' },
      });
  },
  'registry.key'(system) {
    const { random } = system;
    for (const key of random.some(
      ['app/db', 'app/dir/', 'a//b', 'on', 'Ünï code/✓', '/x', '50%?#', '1e3'],
      1,
      4,
    )) {
      const flags = random.chance(0.3) ? { flags: random.pick<Json>([42, '7', 18446744073709551615n]) } : {};
      system.add('registry.key', key, { ...random.pick(values), ...flags });
    }
  },
};
