import { describe, expect, test } from 'vitest';
import { filterCases } from './filter-cases.ts';
import { guarded, registry } from './support.ts';

const web = {
  Node: 'n1',
  Address: '10.0.0.1',
  NodeMeta: { zone: 'a' },
  Service: { Service: 'web', Tags: ['v1'], Port: 80, Meta: { env: 'prod' } },
  Check: { Name: 'alive', Status: 'passing', ServiceID: 'web', ServiceName: 'web' },
};
const other = {
  Node: 'n2',
  Address: '10.0.0.2',
  Service: { Service: 'web', Tags: ['v2'], Port: 81 },
  Check: { Name: 'alive', Status: 'critical', ServiceID: 'web', ServiceName: 'web' },
};

async function withServices() {
  const all = await registry();
  for (const each of [web, other]) await all.json('PUT', 'catalog/register', each);
  /** The nodes that are answered. */
  const nodes = async (path: string, filter: string) => {
    const found = await all.json('GET', `${path}?filter=${encodeURIComponent(filter)}`);
    return found.map(({ Node }) => (typeof Node === 'string' ? Node : (Node as { Node: string }).Node));
  };
  return { ...all, nodes };
}

describe('a filter selects from the response', () => {
  test.each([
    ['catalog/nodes', 'Meta.zone == a', ['n1']],
    ['catalog/nodes', 'Node matches "^n[0-9]$" and zone not in Meta', ['n2']],
    ['catalog/service/web', 'v2 in ServiceTags', ['n2']],
    ['catalog/service/web', 'ServiceMeta.env == prod and ServicePort == 80', ['n1']],
    ['catalog/service/web', 'ServicePort == 82', []],
    ['health/service/web', 'Service.Tags contains v1 or Node.Meta.zone == b', ['n1']],
    ['health/checks/web', 'Status != passing', ['n2']],
    ['health/node/n1', 'Name == alive', ['n1']],
    ['health/state/any', 'ServiceName == web and Status == critical', ['n2']],
  ])('of %s: %s', async (path, filter, expected) => {
    const { nodes } = await withServices();
    expect(await nodes(path, filter)).toEqual(expected);
  });

  test('of the services of a node', async () => {
    const { ask } = await withServices();
    const { json } = await ask('GET', 'catalog/node/n1?filter=Port==81');
    expect(json).toMatchObject({ Node: { Node: 'n1' }, Services: {} });
  });

  test('and is rejected if it is too deep or too long', async () => {
    const { send } = await withServices();
    expect(await send('GET', `catalog/nodes?filter=${'('.repeat(65)}`)).toBe(
      '500 Failed to create boolean expression evaluator: the expression is nested more than 64 levels deep',
    );
    const chain = (length: number) => Array.from({ length }, () => 'ID!=a').join('+and+');
    expect(await send('GET', `catalog/nodes?filter=${chain(600)}`)).toMatch(/^200 /);
    expect(await send('GET', `catalog/nodes?filter=${chain(1000)}`)).toBe(
      '500 Failed to create boolean expression evaluator: the expression is longer than 8192 characters',
    );
  });

  test('of the defaults of services, and of no other kind of config entries', async () => {
    const { json, send } = await registry();
    for (const [Name, Protocol] of [
      ['web', 'http'],
      ['db', 'tcp'],
    ])
      await json('PUT', 'config', { Kind: 'service-defaults', Name, Protocol });
    const found = await json('GET', 'config/service-defaults?filter=Protocol==http');
    expect(found.map(({ Name }) => Name)).toEqual(['web']);
    expect(await send('GET', 'config/service-defaults?filter=Nme==a')).toBe(
      '500 Failed to create boolean expression evaluator: Selector "Nme" is not valid',
    );
    expect(await send('GET', 'config/service-router?filter=Name==a')).toBe(
      '500 filtering not supported for config entry kind=service-router',
    );
  });

  test('and sees nothing that the caller may not see', async () => {
    const { manage, holder, ask } = await guarded();
    await manage('PUT', 'catalog/register', { Node: 'n1', Address: '10.0.0.1' });
    const { secret } = await holder('node "lanyard" { policy = "read" }');
    const headers = { 'X-Registry-Token': secret };
    const seen = async (filter: string) => {
      const answer = await ask('GET', `catalog/nodes?filter=${filter}`, { headers });
      return [answer.text, answer.headers['x-registry-results-filtered-by-acls']];
    };
    // Whether it is there or not, the answer is the same.
    expect(await seen('Node==n1')).toEqual(['[]', 'true']);
    expect(await seen('Node==n9')).toEqual(['[]', 'true']);
  });
});

/** Nodes with services of every kind, as they were registered on Consul for the expected results. */
const registrations = [
  {
    ...{ Node: 'demo-n1', Address: '10.9.0.1', NodeMeta: { zone: 'a', 'a key': 'x', empty: '' } },
    TaggedAddresses: { lan: '10.9.0.1', wan: '1.1.1.1' },
    Service: {
      ...{ ID: 'demo-web-1', Service: 'demo-web', Tags: ['v1', 'primary'], Port: 8080, Address: '10.9.1.1' },
      Meta: { env: 'prod', tier: '1' },
      TaggedAddresses: { lan: { Address: '10.9.1.1', Port: 8080 } },
      Weights: { Passing: 5, Warning: 2 },
      EnableTagOverride: true,
    },
    Checks: [
      { Name: 'alive', CheckID: 'demo-c1', Status: 'passing', ServiceID: 'demo-web-1', Output: 'ok all' },
      { Name: 'disk', CheckID: 'demo-c2', Status: 'warning' },
    ],
  },
  {
    ...{ Node: 'demo-n2', Address: '10.9.0.2', NodeMeta: { zone: 'b' } },
    Service: { ID: 'demo-web-2', Service: 'demo-web', Tags: ['v2'], Port: 81 },
    Checks: [
      {
        ...{ Name: 'alive', CheckID: 'demo-c1', Status: 'critical', ServiceID: 'demo-web-2' },
        ...{ Notes: 'n', Type: 'http' },
      },
    ],
  },
  {
    ...{ Node: 'demo-n3', Address: '10.9.0.3' },
    Service: { ID: 'demo-web-3', Service: 'demo-web', Port: 82 },
  },
  {
    ...{ Node: 'demo-n1', Address: '10.9.0.1', SkipNodeUpdate: true },
    Service: {
      ...{ ID: 'demo-px', Service: 'demo-web-proxy', Kind: 'connect-proxy', Port: 9000 },
      Proxy: {
        ...{ DestinationServiceName: 'demo-web', DestinationServiceID: 'demo-web-1' },
        ...{ LocalServiceAddress: '127.0.0.1', LocalServicePort: 8080 },
        Upstreams: [
          { DestinationName: 'db', LocalBindPort: 9191, Datacenter: 'dc2' },
          { DestinationName: 'cache', LocalBindPort: 9192 },
        ],
      },
    },
  },
  {
    ...{ Node: 'demo-n2', Address: '10.9.0.2', SkipNodeUpdate: true },
    Service: { ID: 'demo-native', Service: 'demo-native', Port: 83, Connect: { Native: true } },
  },
];

interface Row {
  readonly Node: string | { readonly Node: string };
  readonly CheckID?: string;
}

/** The names in a list of nodes, checks or instances, or in an object of services. */
function namesIn(body: object): string[] {
  if ('Services' in body) return Object.keys(body.Services as object);
  if (!Array.isArray(body)) return Object.keys(body);
  return body.map(({ Node, CheckID }: Row) => {
    if (typeof Node !== 'string') return Node.Node;
    return CheckID === undefined ? Node : `${Node}/${CheckID}`;
  });
}

describe('a filter selects and is rejected as in Consul 1.21.4', () => {
  test.each(Object.entries(filterCases))('%s', async (path, cases) => {
    const { ask, json } = await registry();
    for (const each of registrations) await json('PUT', 'catalog/register', each);
    for (const [filter, expected] of cases) {
      const { status, text } = await ask('GET', `${path}?filter=${encodeURIComponent(filter)}`);
      const isRejected = typeof expected === 'string';
      const prefix = 'Failed to create boolean expression evaluator: ';
      expect(status, filter).toBe(isRejected ? 500 : 200);
      if (isRejected) expect(text, filter).toBe(prefix + expected);
      else {
        const names = namesIn(JSON.parse(text) as object).filter((name) => name.startsWith('demo-'));
        expect(names.sort(), filter).toEqual(expected);
      }
    }
  });
});
