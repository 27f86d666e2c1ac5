import { expect, test } from 'vitest';
import { registry } from './support.ts';

const web = {
  Node: 'n1',
  Address: '10.0.0.1',
  NodeMeta: { rack: 'a' },
  Service: { ID: 'web1', Service: 'web', Tags: ['Blue'], Port: 80 },
  Check: { CheckID: 'web1:http', Name: 'http', Status: 'passing', ServiceID: 'web1' },
};

test('the agent registers its own node with a check and the service of the servers', async () => {
  const { json, send } = await registry();
  expect(await json('GET', 'catalog/nodes')).toMatchObject([
    { Node: 'lanyard', Address: '127.0.0.1', Datacenter: 'dc1', CreateIndex: 1 },
  ]);
  expect(await json('GET', 'health/node/lanyard')).toMatchObject([
    { CheckID: 'serfHealth', Status: 'passing' },
  ]);
  expect(await json('GET', 'health/service/consul?passing')).toMatchObject([
    { Node: { Node: 'lanyard' }, Service: { ID: 'consul', Port: 8300 }, Checks: [{ CheckID: 'serfHealth' }] },
  ]);
  expect(await json('GET', 'catalog/datacenters')).toEqual(['dc1']);
  expect(await send('GET', 'status/leader')).toBe('200 "127.0.0.1:8300"');
  expect(await json('GET', 'status/peers')).toEqual(['127.0.0.1:8300']);
});

test('a registration is seen by the catalog and by health', async () => {
  const { json, send } = await registry();
  expect(await send('PUT', 'catalog/register', web)).toBe('200 true');
  expect(await json('GET', 'catalog/services')).toEqual({ consul: [], web: ['Blue'] });
  expect(await json('GET', 'catalog/service/web')).toMatchObject([
    { Node: 'n1', Address: '10.0.0.1', ServiceID: 'web1', ServicePort: 80, NodeMeta: { rack: 'a' } },
  ]);
  expect(await json('GET', 'catalog/node/n1')).toMatchObject({
    Node: { Node: 'n1' },
    Services: { web1: { Service: 'web', Weights: { Passing: 1, Warning: 1 } } },
  });
  expect(await json('GET', 'catalog/node/nowhere')).toBeNull();
  expect(await json('GET', 'health/service/web')).toMatchObject([
    { Node: { Node: 'n1' }, Service: { ID: 'web1' }, Checks: [{ CheckID: 'web1:http', ServiceName: 'web' }] },
  ]);
  expect(await json('GET', 'health/checks/web')).toMatchObject([{ ServiceTags: ['Blue'] }]);
});

test('instances are chosen by tag, metadata and health', async () => {
  const { json, send } = await registry();
  await send('PUT', 'catalog/register', web);
  const length = async (path: string) => (await json('GET', path)).length;
  expect(await length('health/service/web?passing')).toBe(1);
  expect(await length('health/service/web?tag=blue')).toBe(1);
  expect(await length('health/service/web?tag=blue&tag=red')).toBe(0);
  expect(await length('catalog/service/web?node-meta=rack:a')).toBe(1);
  expect(await length('catalog/nodes?node-meta=rack:b')).toBe(0);
  await send('PUT', 'catalog/register', { ...web, Check: { ...web.Check, Status: 'warning' } });
  expect(await length('health/service/web?passing')).toBe(0);
  expect(await length('health/state/warning')).toBe(1);
  expect(await length('health/state/any')).toBe(2);
  expect(await length('health/state/well')).toBe(0);
  expect(await send('GET', 'catalog/services?filter=ServicePort==x')).toMatch(
    /^500 Failed to create boolean expression evaluator: Failed to coerce value "x"/,
  );
});

test('a service, a check and a node are removed with what belongs to them', async () => {
  const { json, send } = await registry();
  await send('PUT', 'catalog/register', web);
  expect(await send('PUT', 'catalog/deregister', { Node: 'n1', ServiceID: 'web1' })).toBe('200 true');
  expect(await json('GET', 'health/node/n1')).toEqual([]);
  await send('PUT', 'catalog/register', web);
  await send('PUT', 'catalog/deregister', { Node: 'n1', CheckID: 'web1:http' });
  expect(await json('GET', 'health/service/web')).toMatchObject([{ Checks: [] }]);
  await send('PUT', 'catalog/deregister', { Node: 'n1' });
  expect(await json('GET', 'catalog/services')).toEqual({ consul: [] });
  expect(await json('GET', 'catalog/nodes')).toHaveLength(1);
});

test('a session ends when a check that it depends on is critical, or its node is gone', async () => {
  const { json, send } = await registry();
  const check = (Status: string) => ({ ...web, Service: undefined, Check: { CheckID: 'c', Status } });
  await send('PUT', 'catalog/register', check('passing'));
  const wanted = { Node: 'n1', NodeChecks: ['c'] };
  const { ID } = await json('PUT', 'session/create', wanted);
  await send('PUT', `kv/lock?acquire=${ID}`, '');
  await send('PUT', 'catalog/register', check('critical'));
  expect(await json('GET', 'session/list')).toEqual([]);
  expect((await json('GET', 'kv/lock'))[0]).not.toHaveProperty('Session');
  expect(await send('PUT', 'session/create', wanted)).toBe(
    "500 apply failed: Check 'c' is in critical state",
  );
  await send('PUT', 'catalog/register', check('passing'));
  await json('PUT', 'session/create', wanted);
  await send('PUT', 'catalog/deregister', { Node: 'n1' });
  expect(await json('GET', 'session/list')).toEqual([]);
});

test('a blocking health query returns when a check changes', async () => {
  const { ask, send } = await registry();
  await send('PUT', 'catalog/register', web);
  const { headers } = await ask('GET', 'health/service/web');
  const waiting = ask('GET', `health/service/web?passing&wait=10s&index=${headers['x-registry-index']}`);
  await send('PUT', 'catalog/register', { ...web, Check: { ...web.Check, Status: 'critical' } });
  expect((await waiting).text).toBe('[]');
});

test('a node ID is unique, and a renamed service is found by its new name', async () => {
  const { json, send } = await registry();
  const ID = '11111111-2222-3333-4444-555555555555';
  const node = (Node: string, Service = 'web') => ({
    ID,
    Node,
    Address: '10.0.0.1',
    Service: { ID: 's', Service },
  });
  await send('PUT', 'catalog/register', node('n1'));
  await send('PUT', 'catalog/register', node('n1', 'api'));
  expect(await json('GET', 'catalog/services')).toEqual({ api: [], consul: [] });
  const get = [{ Node: { Verb: 'get', Node: { ID } } }];
  expect(await json('PUT', 'txn', get)).toMatchObject({ Results: [{ Node: { Node: 'n1' } }] });
  await send('PUT', 'catalog/deregister', { Node: 'n1' });
  expect(await send('PUT', 'catalog/register', node('n2'))).toBe('200 true');
  expect(await json('GET', 'catalog/service/web')).toMatchObject([{ Node: 'n2' }]);
});

test.each([
  { Namespace: 'team-a' },
  { Service: { ...web.Service, Namespace: 'team-a' } },
  { Check: { ...web.Check, Namespace: 'team-a' } },
  { Checks: [{ ...web.Check, Namespace: 'team-a' }] },
])('a registration for another namespace is rejected, not created in this one: %o', async (change) => {
  const { json, send } = await registry();
  const rejected = '400 Invalid query parameter: "ns" - Namespaces are a Consul Enterprise feature';
  expect(await send('PUT', 'catalog/register', { ...web, ...change })).toEqual(rejected);
  expect(await json('GET', 'catalog/node/n1')).toBeNull();
  await send('PUT', 'catalog/register', web);
  expect(await send('PUT', 'catalog/deregister', { Node: 'n1', Namespace: 'team-a' })).toEqual(rejected);
  expect(await json('GET', 'catalog/node/n1')).not.toBeNull();
});
