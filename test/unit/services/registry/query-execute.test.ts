import { describe, expect, test } from 'vitest';
import type { Reply } from '../support.ts';
import { registry } from './support.ts';

interface Executed {
  readonly Nodes: readonly { readonly Node: { readonly Node: string }; readonly [member: string]: unknown }[];
}

const names = (reply: Reply) => (reply.json as unknown as Executed).Nodes.map(({ Node }) => Node.Node);

/** An instance of `web` on a node of that name. */
const on = (Node: string, more: { Service?: object; Status?: string; [member: string]: unknown } = {}) => {
  const { Service, Status = 'passing', ...rest } = more;
  return {
    Node,
    Address: '10.0.0.1',
    ...rest,
    Service: { ID: 'web', Service: 'web', Port: 80, ...Service },
    Check: { CheckID: 'up', Name: 'up', Status, ServiceID: 'web' },
  };
};

async function serving(...instances: object[]) {
  const started = await registry();
  for (const instance of instances) {
    expect(await started.send('PUT', 'catalog/register', instance)).toBe('200 true');
  }
  let made = 0;
  /** The nodes that a query finds, in alphabetical order. */
  const found = async (Service: object, parameters = '') => {
    const Name = `query-${++made}`;
    await started.json('POST', 'query', { Name, Service: { Service: 'web', ...Service } });
    return names(await started.ask('GET', `query/${Name}/execute${parameters}`)).sort();
  };
  return { ...started, found };
}

describe('executing a prepared query', () => {
  test('returns the healthy instances, with the datacenter they were found in', async () => {
    const { json, ask } = await serving(
      on('a', { NodeMeta: { rack: '1' }, Service: { Tags: ['x'], Meta: { v: '2' } } }),
      on('b', { Status: 'critical' }),
    );
    const { ID } = await json('POST', 'query', {
      Name: 'web',
      Service: { Service: 'web' },
      DNS: { TTL: '5s' },
    });
    for (const name of ['web', ID]) {
      const { json: answer, headers } = await ask('GET', `query/${name}/execute?consistent`);
      expect(answer).toMatchObject({
        Service: 'web',
        DNS: { TTL: '5s' },
        Datacenter: 'dc1',
        Failovers: 0,
        ConsistencyLevel: 'consistent',
        KnownLeader: true,
        Nodes: [
          {
            Node: { Node: 'a', Address: '10.0.0.1', Datacenter: 'dc1', NodeMeta: { rack: '1' } },
            Service: { ID: 'web', Service: 'web', Tags: ['x'], Meta: { v: '2' }, Port: 80 },
            Checks: [{ CheckID: 'up', Status: 'passing' }],
            DNS: { TTL: '5s' },
          },
        ],
      });
      expect(headers['x-consul-effective-consistency']).toBe('consistent');
      expect(headers).not.toHaveProperty('x-registry-results-filtered-by-acls');
    }
  });

  test('judges health by the checks of the node and of the instance', async () => {
    const { found, send } = await serving(
      on('a'),
      on('b', { Status: 'warning' }),
      on('c', { Status: 'critical' }),
      on('d'),
    );
    await send('PUT', 'catalog/register', {
      Node: 'd',
      Address: '10.0.0.1',
      Check: { CheckID: 'disk', Name: 'disk', Status: 'critical' },
    });
    await send('PUT', 'catalog/register', {
      Node: 'a',
      Address: '10.0.0.1',
      Service: { Service: 'api' },
      Check: { CheckID: 'api', Name: 'api', Status: 'critical', ServiceID: 'api' },
    });
    expect(await found({})).toEqual(['a', 'b']);
    expect(await found({ OnlyPassing: true })).toEqual(['a']);
    expect(await found({ IgnoreCheckIDs: ['disk'] })).toEqual(['a', 'b', 'd']);
    expect(await found({ IgnoreCheckIDs: ['up'], OnlyPassing: true })).toEqual(['a', 'b', 'c']);
  });

  test('sees a check that changes between two executions', async () => {
    const { ask, json, send } = await serving(on('a'), on('b'));
    await json('POST', 'query', { Name: 'web', Service: { Service: 'web' } });
    expect(names(await ask('GET', 'query/web/execute'))).toHaveLength(2);
    await send('PUT', 'catalog/register', on('a', { Status: 'critical' }));
    expect(names(await ask('GET', 'query/web/execute'))).toEqual(['b']);
    await send('PUT', 'catalog/deregister', { Node: 'b' });
    expect(names(await ask('GET', 'query/web/execute'))).toEqual([]);
  });

  test('chooses by tags in any case, and by the metadata of node and service', async () => {
    const { found } = await serving(
      on('a', { Service: { Tags: ['Primary', 'v1'], Meta: { zone: 'x' } } }),
      on('b', { Service: { Tags: ['primary', 'V2'] }, NodeMeta: { rack: '1', row: '2' } }),
      on('c', { Service: { Tags: [] } }),
    );
    expect(await found({ Tags: ['PRIMARY'] })).toEqual(['a', 'b']);
    expect(await found({ Tags: ['primary', '!v2'] })).toEqual(['a']);
    expect(await found({ Tags: ['!Primary'] })).toEqual(['c']);
    expect(await found({ Tags: [''] })).toEqual([]);
    expect(await found({ NodeMeta: { rack: '1', row: '2' } })).toEqual(['b']);
    expect(await found({ NodeMeta: { rack: '1', row: '3' } })).toEqual([]);
    expect(await found({ ServiceMeta: { zone: 'x' } })).toEqual(['a']);
    expect(await found({ ServiceMeta: { constructor: 'x' } })).toEqual([]);
  });

  test('finds what speaks to the mesh: native instances, and proxies whatever they are called', async () => {
    const proxy = (service: string) => ({
      Node: 'p',
      Address: '10.0.0.1',
      Service: {
        ID: 'side',
        Service: 'sidecar',
        Kind: 'connect-proxy',
        Port: 21000,
        Proxy: { DestinationServiceName: service },
      },
    });
    const { found, send } = await serving(
      on('a'),
      on('n', { Service: { Port: 80, Connect: { Native: true } } }),
      proxy('web'),
    );
    expect(await found({})).toEqual(['a', 'n']);
    expect(await found({ Connect: true })).toEqual(['n', 'p']);
    expect(await found({}, '?connect=true')).toEqual(['n', 'p']);
    expect(await found({}, '?connect=false')).toEqual(['a', 'n']);
    await send('PUT', 'catalog/register', proxy('other'));
    expect(await found({}, '?connect=1')).toEqual(['n']);
    await send('PUT', 'catalog/register', proxy('web'));
    await send('PUT', 'catalog/deregister', { Node: 'p', ServiceID: 'side' });
    expect(await found({}, '?connect=1')).toEqual(['n']);
  });

  test('gives a random order and no more than the limit, the near node first', async () => {
    const nodes = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const { ask, json, send } = await serving(
      ...nodes.map((node, index) => on(node, { Address: `10.0.0.${index}` })),
    );
    await json('POST', 'query', { Name: 'web', Service: { Service: 'web' } });
    await json('POST', 'query', { Name: 'near', Service: { Service: 'web', Near: 'c' } });
    const run = async (path: string, headers: Record<string, string> = {}) =>
      names(await ask('GET', `query/${path}`, { headers }));
    const orders = new Set<string>();
    for (let time = 0; time < 20; time++) orders.add((await run('web/execute')).join(''));
    expect(orders.size).toBeGreaterThan(10);
    for (const order of orders) expect([...order].sort()).toEqual(nodes);
    expect(await run('web/execute?limit=3')).toHaveLength(3);
    expect(await run('web/execute?limit=0')).toHaveLength(8);
    expect(await run('near/execute?limit=1')).toEqual(['c']);
    expect(await run('near/execute?near=d&limit=1')).toEqual(['d']);
    expect((await run('web/execute?near=nowhere')).sort()).toEqual(nodes);
    const forwarded = { 'X-Forwarded-For': '10.0.0.6, 10.0.0.1' };
    expect(await run('near/execute?near=_ip&limit=1', forwarded)).toEqual(['g']);
    await send('PUT', 'catalog/register', on('lanyard', { Address: '127.0.0.1' }));
    expect((await run('web/execute?near=_agent'))[0]).toBe('lanyard');
    expect((await run('web/execute?near=_ip'))[0]).toBe('lanyard');
    expect((await run('web/execute?near=_ip', { 'X-Forwarded-For': 'unknown' }))[0]).toBe('lanyard');
  });

  test('rejects invalid parameters', async () => {
    const { json, send } = await serving();
    await json('POST', 'query', { Name: 'web', Service: { Service: 'web' } });
    const execute = (parameters: string) => send('GET', `query/web/execute?${parameters}`);
    expect(await execute('limit=-1')).toMatch(/^200 /);
    expect(await execute('connect=maybe')).toBe(
      `500 Error parsing 'connect' value: strconv.ParseBool: parsing "maybe": invalid syntax`,
    );
  });

  test('writes a long list completely, and does not wait for an index', async () => {
    const { ask, json, send } = await serving();
    for (let node = 0; node < 40; node++) {
      const services = Array.from({ length: 30 }, (_each, at) => ({
        Service: { Verb: 'set', Node: `n${node}`, Service: { ID: `web-${at}`, Service: 'web', Port: at } },
      }));
      const first = { Node: { Verb: 'set', Node: { Node: `n${node}`, Address: '10.0.0.1' } } };
      expect(await send.status('PUT', 'txn', [first, ...services])).toBe(200);
    }
    await json('POST', 'query', { Name: 'web', Service: { Service: 'web' } });
    const whole = await ask('GET', 'query/web/execute?index=9999&wait=60s');
    expect(names(whole)).toHaveLength(1200);
    expect(whole.json).toMatchObject({ Service: 'web', Datacenter: 'dc1', Failovers: 0 });
    const pretty = await ask('GET', 'query/web/execute?pretty');
    expect(names(pretty)).toHaveLength(1200);
  });
});
