import {
  after,
  elsewhere,
  ends,
  onlyAgent,
  type Rows,
  reads,
  readsShared,
  unscoped,
  writes,
  writesShared,
} from './row.ts';

const ofOtherKinds = Object.fromEntries(
  [
    ...[
      'Config',
      'AccessLogs',
      'FailoverPolicy',
      'PrioritizeByLocality',
      'Routes',
      'Splits',
      'DefaultSubset',
    ],
    ...['Subsets', 'Redirect', 'Failover', 'ConnectTimeout', 'RequestTimeout', 'LoadBalancer'],
  ].map((name) => [name, 'of other kinds']),
);

export const registryFacts: Rows = {
  'txn apply': {
    shows: { 'registry value': ['stdout'] },
    keeps: 'sends the operations as given',
    scoped: [writes('set.json'), writes('set.json --undo undo.json'), reads('get.json')],
  },
  'txn check': {
    local: [
      { args: '-', stdin: '{transaction}' },
      { args: '-', stdin: '{unknownVerb}', code: 1 },
      { args: '-', stdin: '{transaction},', code: 1 },
    ],
  },
  'registry service list': {
    lists: { '': { create: 'registry service register many-{n}' } },
    scoped: [reads()],
  },
  'registry service get': {
    examples: {
      'lanyard registry service get web': after(
        'lanyard registry service register web --port 8080 --tag prod --meta version=2',
      ),
    },
    scoped: [reads('web')],
  },
  'registry service register': {
    keeps: 'states the whole service, as consul services register, and shows what is gone',
    scoped: [onlyAgent('other')],
  },
  'registry service deregister': {
    examples: {
      'lanyard registry service deregister web-2 --yes': after(
        'lanyard registry service register web --id web-2 --port 8080',
      ),
    },
    scoped: [onlyAgent('web --yes')],
  },
  'registry node list': {
    lists: { '': { create: 'api registry PUT v1/catalog/register --data @node-{n}.json' } },
    scoped: [reads()],
  },
  'registry node get': {
    before: 'lanyard api registry PUT v1/catalog/register --data @node.json',
    scoped: [reads('n-dc2')],
  },
  'registry kv get': {
    before: `
      lanyard registry kv put app/db/host db1
      lanyard registry kv put app/tls.crt @tls.crt`,
    shows: { 'registry value': ['stdout'] },
    scoped: [reads('app/name'), reads('app/ --recursive')],
  },
  'registry kv list': {
    lists: { 'many/': { create: 'registry kv put many/many-{n} x' }, 'many/ --recursive': {} },
    scoped: [reads('only/')],
  },
  'registry kv put': {
    keeps: {
      create: [['registry PUT kv/whole?flags=42', { a: 1 }]],
      change: 'whole other',
      read: 'registry kv get whole',
      changed: ['Value'],
    },
    scoped: [writes('app/name new'), writes('new value --cas 0')],
  },
  'registry kv delete': {
    examples: {
      'lanyard registry kv delete app/db/host --cas 42 --yes': {
        ...ends(6, 'it has another index'),
        ...after(`
          lanyard registry kv put app/db/host db1
          lanyard registry kv put app/db/port 5432`),
      },
    },
    scoped: [writes('app/name --yes'), writes('app/ --recursive --yes')],
  },
  'registry kv export': {
    shows: { 'registry value': ['stdout', 'out'] },
    lists: { 'many/': {} },
    scoped: [reads()],
  },
  'registry kv import': { keeps: 'the file has all fields of each key', scoped: [writes('keys.json')] },
  'registry config list': {
    lists: { '': { create: 'registry config put entry-{n}.json' }, 'service-defaults': {} },
    scoped: [readsShared()],
  },
  'registry config get': {
    before: `
      lanyard registry config put web-resolver.hcl
      lanyard registry config put proxy-defaults.json`,
    scoped: [readsShared('service-defaults web')],
  },
  'registry config put': {
    keeps: {
      create: [
        [
          'registry PUT config',
          {
            ...{ Kind: 'service-defaults', Name: 'whole', Protocol: 'http', ExternalSNI: 'sni.example.com' },
            ...{ MaxInboundConnections: 7, MutualTLSMode: 'strict', Meta: { owner: 'ops' } },
            ...{ Mode: 'transparent', TransparentProxy: { OutboundListenerPort: 15001 } },
            ...{ MeshGateway: { Mode: 'local' }, Expose: { Checks: true } },
            ...{ UpstreamConfig: { Overrides: [{ Name: 'db', ConnectTimeoutMs: 500 }] } },
            ...{ LocalConnectTimeoutMs: 100, LocalRequestTimeoutMs: 200 },
            BalanceInboundConnections: 'exact_balance',
            EnvoyExtensions: [
              { Name: 'builtin/aws/lambda', Arguments: { ARN: 'arn:aws:lambda:us-west-2:1:function:f' } },
            ],
          },
        ],
      ],
      change: 'entry.yaml',
      read: 'registry config get service-defaults whole',
      changed: ['Protocol'],
      merges: true,
      without: {
        ...{ Namespace: 'of Consul Enterprise', RateLimits: 'of Consul Enterprise' },
        Destination: 'not together with upstreams',
        ...ofOtherKinds,
      },
    },
    scoped: [writesShared('entry.json'), writesShared('new-entry.json --cas 0')],
  },
  'registry config delete': {
    examples: {
      'lanyard registry config delete service-resolver web --cas 42 --yes': ends(
        3,
        'deleted by the example before',
      ),
    },
    scoped: [writesShared('service-defaults web --yes')],
  },
  'registry session list': {
    lists: { '': { create: 'registry session create --name many-{n}' } },
    scoped: [reads()],
  },
  'registry session get': { examples: { every: ends(3, 'IDs are random') }, scoped: [reads('{session}')] },
  'registry session create': { scoped: [writes('--node n-dc2')] },
  'registry session delete': {
    examples: { every: ends(3, 'IDs are random') },
    scoped: [writes('{session} --yes')],
  },
  'registry member list': { lists: { '': { shows: false } }, scoped: [onlyAgent()] },
  'registry datacenter list': { lists: { '': { shows: false } }, scoped: [unscoped()] },
  'registry maintenance get': {
    before: 'lanyard registry service register web --port 8080',
    lists: { '': { shows: false } },
    scoped: [onlyAgent()],
  },
  'registry maintenance enable': {
    before: 'lanyard registry service register web --port 8080',
    scoped: [onlyAgent(), onlyAgent('--service web')],
  },
  'registry maintenance disable': {
    before: 'lanyard registry service register web --port 8080',
    scoped: [onlyAgent(), onlyAgent('--service web')],
  },
  'registry snapshot save': {
    examples: { every: elsewhere('test/commands/registry/snapshot.test.ts') },
    scoped: [],
  },
  'registry snapshot restore': {
    examples: { every: elsewhere('test/commands/registry/snapshot.test.ts') },
    keeps: 'replaces the state',
    faults: 'missing file',
    scoped: [],
  },
  'registry snapshot inspect': {
    examples: { every: elsewhere('test/commands/registry/snapshot.test.ts') },
    local: [{ args: 'a.snap', files: { 'a.snap': 'no snapshot' }, code: 1 }],
  },
  'registry lock': { faults: 'lock', scoped: [writes('locks/a --node n-dc2 -- true')] },
  'chain get': {
    anyName: ['NAME', 'web --dc NAME'],
    scoped: [reads('web')],
  },
  'discovery-chain get': { scoped: [reads('web')] },
};
