import { bootstrapped, devAgentNote, type Line, lines, type Peer, prefix } from './peer.ts';

/** Keys that are read and written. */
const busy = 100;
/** Keys of the list. */
const many = 1000;
/** Operations of one transaction: as many as it may have. */
const width = 64;
/** Instances of the service. */
const instances = 10;

const variables = ['CONSUL_HTTP_ADDR', 'CONSUL_HTTP_TOKEN'] as const;

const put = (folder: string, at: number, value = ''): Line => [
  'PUT',
  `/v1/kv/${prefix}/${folder}/${`${at}`.padStart(6, '0')}`,
  { user: 'bench', password: `${at}${value}`.padStart(32, '0') },
];

/** Operations that set keys of a folder, each time with other values. */
export const sets = (folder: string, turn: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    KV: {
      Verb: 'set',
      Key: `${folder}/${turn % 32}/${at}`,
      Value: Buffer.from(`${turn}`.padStart(32, '0')).toString('base64'),
    },
  }));

const transaction = (turn: number): Line => ['PUT', '/v1/txn', sets(`${prefix}/txn`, turn, width)];

const removed: Line = ['DELETE', `/v1/kv/${prefix}/?recurse`];

/** A service with healthy instances, each on a node of its own. */
const service = {
  before: [
    lines(instances, (at) => [
      'PUT',
      '/v1/catalog/register',
      {
        Node: `${prefix}-${at}`,
        Address: '10.0.0.1',
        Service: { ID: 'web', Service: `${prefix}-web`, Port: 8080 + at, Tags: ['v1'] },
        Check: { CheckID: 'up', Name: 'up', Status: 'passing', ServiceID: 'web' },
      },
    ]),
  ],
  after: lines(instances, (at) => ['PUT', '/v1/catalog/deregister', { Node: `${prefix}-${at}` }]),
};

export const consul: Peer = {
  name: 'Consul',
  variables,
  tokenHeader: 'X-Consul-Token',
  note: devAgentNote,
  async embedded({ registry: address }) {
    if (!process.env[variables[1]]) return { address, token: '' };
    return bootstrapped(address, 'PUT');
  },
  rows: [
    {
      what: 'key-value puts',
      requests: lines(2 * busy, (at) => put('busy', at % busy, at < busy ? 'a' : 'b')),
      after: [removed],
    },
    {
      what: 'key-value reads',
      before: [lines(busy, (at) => put('busy', at))],
      requests: lines(busy, (at) => ['GET', put('busy', at)[1]]),
      after: [removed],
    },
    {
      what: `list of ${many} keys`,
      before: [lines(many, (at) => put('many', at))],
      requests: [['GET', `/v1/kv/${prefix}/many/?keys`]],
      after: [removed],
    },
    {
      what: `${many} keys with their values`,
      before: [lines(many, (at) => put('many', at))],
      requests: [['GET', `/v1/kv/${prefix}/many/?recurse`]],
      after: [removed],
    },
    { what: `transactions of ${width} sets`, requests: lines(96, transaction), after: [removed] },
    {
      what: `list of ${instances} instances of a service`,
      ...service,
      requests: [['GET', `/v1/catalog/service/${prefix}-web`]],
    },
    {
      what: `executions of a query for ${instances} instances`,
      ...service,
      create: {
        line: [
          'POST',
          '/v1/query',
          { Name: `${prefix}-web`, Service: { Service: `${prefix}-web`, OnlyPassing: true } },
        ],
        remove: (id) => ['DELETE', `/v1/query/${id}`],
      },
      requests: [['GET', `/v1/query/${prefix}-web/execute`]],
    },
  ],
};
