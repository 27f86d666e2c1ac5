import { expect, test } from 'vitest';
import { guarded, registry } from './support.ts';

test.each([
  ['GET', 'catalog/node-services/', 400, 'Missing node name'],
  ['GET', 'health/state/', 400, 'Missing check state'],
  ['PUT', 'session/destroy/', 400, 'Missing session'],
  ['GET', 'query/', 500, 'failed prepared query lookup: index error: UUID must be 36 characters'],
  ['GET', 'agent/service/', 404, 'unknown service ID: '],
  ['PUT', 'agent/service/maintenance/', 400, 'Missing service ID'],
  ['GET', 'agent/health/service/id/', 500, 'Missing serviceID'],
  ['GET', 'agent/health/service/name/', 500, 'Missing service Name'],
  [
    'PUT',
    'agent/check/pass/',
    404,
    'Unknown check ID "". Ensure that the check ID is passed, not the check name.',
  ],
  ['GET', 'catalog/nodes/', 404, 'Invalid URL path: not a recognized HTTP API endpoint'],
])(
  'a path with a trailing slash lacks a name or does not exist: %s %s',
  async (method, path, status, message) => {
    const { send } = await registry();
    expect(await send(method, path)).toBe(`${status} ${message}`);
  },
);

test.each([
  ['GET', 'connect/intentions', 'connect'],
  ['PUT', 'event/fire/x', 'event'],
  ['GET', 'operator/raft/configuration', 'operator'],
  ['GET', 'coordinate/nodes', 'coordinate'],
  ['PUT', 'internal/service-virtual-ip', 'internal'],
  ['GET', 'agent/host', 'agent/host'],
  ['GET', 'peerings/', 'peerings'],
])('an area that is not supported is rejected by name: %s %s', async (method, path, area) => {
  const { send } = await registry();
  expect(await send(method, path)).toBe(`501 ${area} is not supported by the embedded registry`);
});

test('HEAD is not allowed; OPTIONS lists the methods', async () => {
  const { ask } = await registry();
  expect((await ask('HEAD', 'catalog/nodes')).status).toBe(405);
  const { status, headers, text } = await ask('OPTIONS', 'kv/a');
  expect([status, headers.allow, text]).toEqual([200, 'OPTIONS,GET,PUT,DELETE', '']);
  expect((await ask('OPTIONS', 'nope')).status).toBe(404);
});

test('reads reject conflicting and invalid parameters', async () => {
  const { send } = await registry();
  expect(await send('GET', 'catalog/nodes?cached&consistent')).toBe(
    '400 Cannot specify ?cached with ?consistent, conflicting semantics.',
  );
  for (const value of ['x', '10'])
    expect(await send('GET', `catalog/nodes?max_stale=${value}`)).toBe(
      `400 Invalid max_stale value "${value}"`,
    );
  for (const value of ['', '0', '10s', '-1s'])
    expect(await send.status('GET', `catalog/nodes?max_stale=${value}`)).toBe(200);
});

test('a cached read says so, and the agent has no index', async () => {
  const { ask, json } = await registry();
  await json('POST', 'query', { Name: 'q', Service: { Service: 'x' } });
  for (const path of [
    ...['catalog/services', 'catalog/service/x', 'catalog/datacenters', 'health/service/x'],
    ...['query/q/execute', 'discovery-chain/x'],
  ]) {
    expect((await ask('GET', `${path}?cached`)).headers).toMatchObject({ 'x-cache': 'MISS', age: '0' });
    expect((await ask('GET', path)).headers).not.toHaveProperty('x-cache');
  }
  for (const path of ['status/leader', 'status/peers', 'agent/self', 'catalog/datacenters']) {
    const { headers } = await ask('GET', path);
    expect(headers).toHaveProperty('x-consul-default-acl-policy', 'allow');
    expect(headers).not.toHaveProperty('x-consul-index');
  }
  const { headers } = await ask('GET', 'kv/');
  expect(headers).toHaveProperty('x-consul-default-acl-policy', 'allow');
});

test('instances in the mesh and the services of a node are listed', async () => {
  const { json, send } = await registry();
  const register = (Service: object, more: object = {}) =>
    send('PUT', 'catalog/register', { Node: 'n', Address: '10.0.0.1', Service, ...more });
  await register({ Service: 'web', Port: 1 });
  await register({ Service: 'native', Port: 2, Connect: { Native: true } });
  await register(
    { Service: 'side', Kind: 'connect-proxy', Port: 3, Proxy: { DestinationServiceName: 'web' } },
    { Check: { CheckID: 'c', ServiceID: 'side', Status: 'passing' } },
  );
  for (const [service, name] of [
    ['web', 'side'],
    ['native', 'native'],
  ]) {
    expect(await json('GET', `catalog/connect/${service}`)).toMatchObject([{ ServiceName: name }]);
    expect(await json('GET', `health/connect/${service}?passing`)).toMatchObject([
      { Node: { Node: 'n' }, Service: { Service: name } },
    ]);
  }
  expect(await json('GET', 'health/connect/side')).toEqual([]);
  expect(await json('GET', 'catalog/node-services/n')).toMatchObject({
    Node: { Node: 'n' },
    Services: [{ ID: 'native' }, { ID: 'side' }, { ID: 'web' }],
  });
  expect(await json('GET', 'catalog/node-services/n?filter=ID=="web"')).toMatchObject({
    Services: [{ ID: 'web' }],
  });
  expect(await json('GET', 'catalog/node-services/nope')).toEqual({ Node: null, Services: null });
  expect(await json('GET', 'catalog/gateway-services/x')).toEqual([]);
  expect(await json('GET', 'health/ingress/x')).toEqual([]);
});

test('instances in the mesh and services of a node are visible only with permission', async () => {
  const { holder, manage } = await guarded();
  await manage('PUT', 'catalog/register', {
    Node: 'n',
    Address: '10.0.0.1',
    Service: { Service: 'web', Port: 1, Connect: { Native: true } },
  });
  const node = await holder('node "n" { policy = "read" }');
  const service = await holder('service "web" { policy = "read" }');
  for (const { send } of [node, service])
    for (const path of ['catalog/connect/web', 'health/connect/web'])
      expect(await send('GET', path)).toBe('200 []');
  expect(await service.send('GET', 'catalog/node-services/n')).toBe('200 {"Node":null,"Services":null}');
  expect(JSON.parse(await node.send.text('GET', 'catalog/node-services/n'))).toMatchObject({
    Node: { Node: 'n' },
    Services: null,
  });
});

test('a renamed node needs permission for both names', async () => {
  const { holder, manage } = await guarded();
  const ID = '11111111-2222-3333-4444-555555555555';
  await manage('PUT', 'catalog/register', { Node: 'old', Address: '10.0.0.1', ID });
  const { send } = await holder('node "new" { policy = "write" }');
  const rename = { Node: 'new', Address: '10.0.0.1', ID };
  expect(await send('PUT', 'catalog/register', rename)).toMatch(
    /^403 .*lacks permission 'node:write' on "old"/s,
  );
  await manage('PUT', 'catalog/register', rename);
  expect(await manage('GET', 'catalog/nodes')).toMatchObject([{ Node: 'lanyard' }, { Node: 'new' }]);
});

test('a check may have any status', async () => {
  const { json, send } = await registry();
  await send('PUT', 'catalog/register', {
    Node: 'n',
    Address: '1.2.3.4',
    Check: { Name: 'c', Status: 'odd' },
  });
  expect(await json('GET', 'health/state/odd')).toMatchObject([{ CheckID: 'c', Status: 'odd' }]);
});
