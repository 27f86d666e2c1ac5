import { describe, expect, test } from 'vitest';
import { filterCases } from './filter-cases.ts';
import { guarded, registry } from './support.ts';

describe('a filter', () => {
  test('is rejected if it is too deep or too long', async () => {
    const { send } = await registry();
    expect(await send('GET', `catalog/nodes?filter=${'('.repeat(65)}`)).toBe(
      '500 Failed to create boolean expression evaluator: the expression is nested more than 64 levels deep',
    );
    const chain = (length: number) => Array.from({ length }, () => 'ID!=a').join('+and+');
    expect(await send('GET', `catalog/nodes?filter=${chain(600)}`)).toMatch(/^200 /);
    expect(await send('GET', `catalog/nodes?filter=${chain(1000)}`)).toBe(
      '500 Failed to create boolean expression evaluator: the expression is longer than 8192 characters',
    );
  });

  test('selects from the defaults of services, and from no other kind of config entries', async () => {
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

  test('sees nothing that the caller may not see', async () => {
    const { manage, holder, ask } = await guarded();
    await manage('PUT', 'catalog/register', { Node: 'n1', Address: '10.0.0.1' });
    const { secret } = await holder('node "lanyard" { policy = "read" }');
    const headers = { 'X-Registry-Token': secret };
    const seen = async (filter: string) => {
      const reply = await ask('GET', `catalog/nodes?filter=${filter}`, { headers });
      return [reply.text, reply.headers['x-registry-results-filtered-by-acls']];
    };
    // Whether it exists or not, the response is the same.
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
