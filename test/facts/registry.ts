import { after, ends, type Rows } from './row.ts';

export const registryFacts: Rows = {
  'txn apply': { shows: { 'registry value': ['stdout'] }, keeps: 'sends the operations as given' },
  'txn check': {
    local: [
      { args: '-', stdin: '{transaction}' },
      { args: '-', stdin: '{unknownVerb}', code: 1 },
      { args: '-', stdin: '{transaction},', code: 1 },
    ],
  },
  'registry service list': { lists: { '': { create: 'registry service register many-{n}' } } },
  'registry service get': {
    examples: {
      'lanyard registry service get web': after(
        'lanyard registry service register web --port 8080 --tag prod --meta version=2',
      ),
    },
  },
  'registry service register': {
    keeps: 'states the whole service, as consul services register, and shows what is gone',
  },
  'registry service deregister': {
    examples: {
      'lanyard registry service deregister web-2 --yes': after(
        'lanyard registry service register web --id web-2 --port 8080',
      ),
    },
  },
  'registry node list': {
    lists: { '': { create: 'api registry PUT v1/catalog/register --data @node-{n}.json' } },
  },
  'registry node get': { before: 'lanyard api registry PUT v1/catalog/register --data @node.json' },
  'registry kv get': {
    before: `
      lanyard registry kv put app/db/host db1
      lanyard registry kv put app/tls.crt @tls.crt`,
    shows: { 'registry value': ['stdout'] },
  },
  'registry kv list': {
    lists: { 'many/': { create: 'registry kv put many/many-{n} x' }, 'many/ --recursive': {} },
  },
  'registry kv put': {
    keeps: {
      create: [['registry PUT kv/whole?flags=42', { a: 1 }]],
      change: 'whole other',
      read: 'registry kv get whole',
      changed: ['Value'],
    },
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
  },
  'registry kv export': { shows: { 'registry value': ['stdout', 'out'] }, lists: { 'many/': {} } },
  'registry kv import': { keeps: 'the file has all fields of each key' },
  'registry config list': {
    lists: { '': { create: 'registry config put entry-{n}.json' }, 'service-defaults': {} },
  },
  'registry config get': {
    before: `
      lanyard registry config put web-resolver.hcl
      lanyard registry config put proxy-defaults.json`,
  },
  'registry config put': {
    keeps: {
      create: [
        [
          'registry PUT config',
          {
            ...{ Kind: 'service-defaults', Name: 'whole', Protocol: 'http', ExternalSNI: 'sni.example.com' },
            ...{ MaxInboundConnections: 7, MutualTLSMode: 'strict', Meta: { owner: 'ops' } },
          },
        ],
      ],
      change: 'entry.yaml',
      read: 'registry config get service-defaults whole',
      changed: ['Protocol'],
      merges: true,
    },
  },
  'registry config delete': {
    examples: {
      'lanyard registry config delete service-resolver web --cas 42 --yes': ends(
        3,
        'deleted by the example before',
      ),
    },
  },
  'registry session list': { lists: { '': { create: 'registry session create --name many-{n}' } } },
  'registry session get': { examples: { every: ends(3, 'IDs are random') } },
  'registry session delete': { examples: { every: ends(3, 'IDs are random') } },
  'registry lock': { faults: 'lock' },
  'chain get': {
    anyName: ['NAME', 'web --dc NAME'],
  },
};
