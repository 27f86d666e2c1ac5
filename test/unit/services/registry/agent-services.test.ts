import { expect, test } from 'vitest';
import { responseWith } from '../callers.ts';
import { folder } from '../support.ts';
import { guarded, registry } from './support.ts';

const web = {
  Name: 'web',
  Tags: ['blue'],
  Address: '10.0.0.1',
  Port: 80,
  Meta: { k: 'v' },
  TaggedAddresses: { lan: { address: '1.2.3.4', port: 1 } },
  Check: { TTL: '30s' },
};

test('a service that is registered at the agent is in the catalog at once', async () => {
  const { json, send } = await registry();
  expect(await send('PUT', 'agent/service/register', web)).toBe('200');
  const address = { Address: '10.0.0.1', Port: 80 };
  const addresses = { lan: { Address: '1.2.3.4', Port: 1 }, lan_ipv4: address, wan_ipv4: address };
  const service = {
    ID: 'web',
    Service: 'web',
    Tags: ['blue'],
    Meta: { k: 'v' },
    Port: 80,
    Address: '10.0.0.1',
    TaggedAddresses: addresses,
    Weights: { Passing: 1, Warning: 1 },
    EnableTagOverride: false,
    Datacenter: 'dc1',
  };
  expect(await json('GET', 'agent/services')).toEqual({ web: service });
  expect(await json('GET', 'agent/service/web')).toEqual({
    ...service,
    ContentHash: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
  expect(await json('GET', 'health/service/web')).toMatchObject([
    {
      Node: { Node: 'lanyard' },
      Service: { ID: 'web', TaggedAddresses: addresses },
      Checks: [
        { CheckID: 'serfHealth' },
        { CheckID: 'service:web', Name: "Service 'web' check", Status: 'critical', Type: 'ttl' },
      ],
    },
  ]);
  expect(await json('GET', 'agent/services?filter=Port==81')).toEqual({});
});

test('a service is removed from the agent and the catalog, with its checks', async () => {
  const { json, send } = await registry();
  await send('PUT', 'agent/service/register', web);
  await send('PUT', 'agent/check/register', { Name: 'other', TTL: '10s' });
  expect(await send('PUT', 'agent/service/deregister/web')).toBe('200');
  expect(await json('GET', 'agent/services')).toEqual({});
  expect(Object.keys(await json('GET', 'agent/checks'))).toEqual(['other']);
  expect(await json('GET', 'catalog/services')).toEqual({ consul: [] });
  expect(await json('GET', 'health/checks/web')).toEqual([]);
});

test.each([
  [undefined, 'Request decode failed: EOF'],
  [{ Name: 'a', Nope: 1 }, 'Request decode failed: json: unknown field "Nope"'],
  [{ Name: 'a', Namespace: 'x' }, 'Request decode failed: json: unknown field "Namespace"'],
  [{ Name: 'a', Port: 'x' }, /^Request decode failed: Port /],
  [{ Name: 'a', Check: { TTL: 'banana' } }, 'Request decode failed: time: invalid duration "banana"'],
  [{ Name: 'a', Check: { TTL: '1s', Nope: 1 } }, 'Request decode failed: json: unknown field "Nope"'],
  [{ Name: 'a', Weights: { Nope: 1 } }, 'Request decode failed: json: unknown field "Nope"'],
  [{ Name: 'a', TaggedAddresses: { b: { Nope: 1 } } }, 'Request decode failed: json: unknown field "Nope"'],
  [{ Name: 'a', TaggedAddresses: { b: { Address: 5 } } }, /^Request decode failed: Address of b must/],
  [{ Name: 'a', Address: '0.0.0.0' }, 'Invalid service address'],
  [{ Name: 'a', Weights: { Warning: 5 } }, 'Invalid Weights: Passing must be greater than 0'],
  [{ Name: 'a', Weights: { Passing: 1, Warning: -1 } }, /^Invalid Weights: Warning must be/],
  [{ Name: 'a', Weights: { Passing: 65_536 } }, /^Invalid Weights: DNS Weight must be/],
  [{ Name: 'a', Meta: { 'a b': 'x' } }, /^Invalid Service Meta: .*Key contains invalid characters$/],
  [{ Name: 'a', Meta: { '': 'x' } }, /Key cannot be blank$/],
  [{ Name: 'a', Meta: { 'consul-x': 'x' } }, /is reserved for internal use$/],
  [{ Name: 'a', Meta: { ['k'.repeat(129)]: 'x' } }, /Key is too long/],
  [{ Name: 'a', Meta: { k: 'x'.repeat(513) } }, /Value is too long/],
  [
    { Name: 'a', Kind: 'connect-proxy' },
    'Validation failed: 2 errors occurred:\n\t* Port or SocketPath must be set for a connect-proxy\n' +
      '\t* Proxy.DestinationServiceName must be non-empty for Connect proxy services\n\n',
  ],
  [{ Name: 'a', Kind: 'mesh-gateway' }, /Port must be non-zero for a mesh-gateway/],
  [{ Name: 'a', Connect: { Native: true } }, /Port or SocketPath must be set for a Connect native service/],
  [{ Name: 'a', Port: 1, Connect: { SidecarService: {} } }, /^Invalid SidecarService: it is not supported/],
  [{ Name: 'a', Port: 1, Connect: { sidecar_service: {} } }, /^Invalid SidecarService: it is not supported/],
  [{ Name: 'a', Check: { Name: 'x' } }, 'Invalid check: TTL must be > 0 for TTL checks'],
  [{ Name: 'a', Check: { SuccessBeforePassing: 3 } }, 'Invalid check: TTL must be > 0 for TTL checks'],
  [{ Name: 'a', Check: { TTL: '1s', Interval: '1s' } }, /Interval and TTL cannot both be specified$/],
  [{ Name: 'a', Check: { HTTP: 'http://x' } }, /^Invalid check: Interval must be > 0/],
  [{ Name: 'a', Check: { HTTP: 'http://x', Interval: '1s' } }, /^Invalid check: HTTP is not supported/],
  [{ Name: 'a', Checks: [{ AliasService: 'b' }] }, /^Invalid check: AliasService is not supported/],
  [{ Name: 'a', Check: { TTL: '1s', Status: 'odd' } }, /^Status for checks must/],
])('a service that cannot be registered is rejected, and nothing is kept: %j', async (body, message) => {
  const { json, send } = await registry();
  expect(await send('PUT', 'agent/service/register', body)).toEqual(responseWith(400, message));
  expect(await json('GET', 'agent/services')).toEqual({});
  expect(await json('GET', 'catalog/services')).toEqual({ consul: [] });
});

// As Consul 1.21.4.
test.each([
  { Connect: { Nope: 1 } },
  { Connect: { SidecarService: null } },
  { Connect: { sidecar_service: null } },
  { Check: {} },
  { Check: { ServiceID: 'x' } },
])('a service is registered without what has no effect: %j', async (part) => {
  const { json, send } = await registry();
  expect(await send('PUT', 'agent/service/register', { Name: 'a', ...part })).toBe('200');
  expect(await json('GET', 'agent/service/a')).not.toHaveProperty('Connect');
  expect(await json('GET', 'agent/checks')).toEqual({});
});

test('names in snake_case count where the others are missing or empty', async () => {
  const { json } = await registry();
  const lan = { Address: '1.2.3.4', Port: 0 };
  await json('PUT', 'agent/service/register', {
    Name: 'a',
    TaggedAddresses: {},
    tagged_addresses: { lan },
    enable_tag_override: true,
  });
  expect(await json('GET', 'agent/service/a')).toMatchObject({
    TaggedAddresses: { lan },
    EnableTagOverride: true,
  });
});

test('script checks and addresses of another family are rejected as by the product', async () => {
  const { send } = await registry();
  const script = { Name: 'a', Check: { Args: ['true'], Interval: '1s' } };
  expect(await send('PUT', 'agent/service/register', script)).toMatch(
    /^500 .*Scripts are disabled on this agent/s,
  );
  const address = { Name: 'a', TaggedAddresses: { lan_ipv4: { Address: '::1' } } };
  expect(await send('PUT', 'agent/service/register', address)).toBe(
    '500 Service tagged address "lan_ipv4" must be a valid ipv4 address',
  );
});

test('a registration keeps the status of its checks, and replaces the others only when asked', async () => {
  const { json, send } = await registry();
  const checks = (...ids: string[]) => ({
    Name: 'web',
    Checks: ids.map((CheckID) => ({ CheckID, TTL: '30s' })),
  });
  await send('PUT', 'agent/service/register', checks('a', 'b'));
  await send('PUT', 'agent/check/pass/a?note=fine');
  await send('PUT', 'agent/service/register', checks('a', 'c'));
  expect(await json('GET', 'agent/checks')).toMatchObject({
    a: { Status: 'passing', Output: 'fine' },
    b: { Status: 'critical' },
    c: { Status: 'critical' },
  });
  await send('PUT', 'agent/service/register?replace-existing-checks=true', checks('a', 'c'));
  expect(Object.keys(await json('GET', 'agent/checks'))).toEqual(['a', 'c']);
  expect((await json('GET', 'health/checks/web')).map(({ CheckID }) => CheckID)).toEqual(['a', 'c']);
});

test('maintenance of a service or of the node is a critical check', async () => {
  const { json, send } = await registry();
  await send('PUT', 'agent/service/register', { Name: 'web' });
  const maintain = (path: string) => send('PUT', path);
  expect(await maintain('agent/service/maintenance/web')).toBe('400 Missing value for enable');
  expect(await maintain('agent/service/maintenance/web?enable=maybe')).toBe(
    '400 Invalid value for enable: "maybe"',
  );
  expect(await maintain('agent/service/maintenance/nope?enable=true')).toMatch(/^404 /);
  for (const _ of [1, 2])
    expect(await maintain('agent/service/maintenance/web?enable=1&reason=repair')).toBe('200');
  expect(await maintain('agent/maintenance?enable=true')).toBe('200');
  expect(await json('GET', 'health/service/web?passing')).toEqual([]);
  expect(await json('GET', 'agent/checks')).toMatchObject({
    _node_maintenance: { Status: 'critical', ServiceID: '', Type: 'maintenance' },
    '_service_maintenance:web': { Status: 'critical', Notes: 'repair', ServiceID: 'web' },
  });
  expect(await send('PUT', 'agent/check/pass/_service_maintenance:web')).toBe(
    '500 CheckID "_service_maintenance:web" does not have associated TTL',
  );
  expect(await send('GET', 'agent/health/service/id/web?format=text')).toBe('503 maintenance');
  await maintain('agent/service/maintenance/web?enable=false');
  await maintain('agent/maintenance?enable=0');
  expect(await json('GET', 'agent/checks')).toEqual({});
  expect(await json('GET', 'health/service/web?passing')).toHaveLength(1);
});

test('the health of services decides the status, as JSON and as text', async () => {
  const { ask, send } = await registry();
  const register = (ID: string, Status: string) =>
    send('PUT', 'agent/service/register', { ID, Name: 'web', Check: { TTL: '30s', Status } });
  const text = (path: string) => send('GET', `agent/health/service/${path}?format=text`);
  expect(await text('name/web')).toBe('404 ServiceName web Not Found');
  expect(await text('id/web1')).toBe('404 ServiceId web1 not found');
  expect(await send('GET', 'agent/health/service/id/web1')).toBe(
    '404 {"AggregatedStatus":"critical","Service":null,"Checks":null}',
  );
  await register('web1', 'passing');
  expect(await text('id/web1')).toBe('200 passing');
  await register('web2', 'warning');
  expect(await text('id/web2')).toBe('429 warning');
  expect(await text('name/web')).toBe('429 warning');
  await send('PUT', 'agent/check/fail/service:web2?note=down');
  const reply = await ask('GET', 'agent/health/service/name/web');
  expect([reply.status, reply.headers['x-consul-reason']]).toEqual([503, 'critical']);
  expect(reply.json).toMatchObject([
    { AggregatedStatus: 'passing', Service: { ID: 'web1' } },
    { AggregatedStatus: 'critical', Service: { ID: 'web2' }, Checks: [{ Output: 'down' }] },
  ]);
  const accepted = await ask('GET', 'agent/health/service/id/web1', { headers: { Accept: 'text/plain' } });
  expect(accepted.text).toBe('passing');
});

test('a read with the hash of the content waits until the service changes', async () => {
  const { ask, json, send } = await registry();
  await send('PUT', 'agent/service/register', { Name: 'web', Port: 1 });
  const { ContentHash } = (await json('GET', 'agent/service/web')) as unknown as { ContentHash: string };
  expect(await json('GET', 'agent/service/web?hash=other')).toMatchObject({ Port: 1 });
  expect(await json('GET', `agent/service/web?hash=${ContentHash}&wait=1ms`)).toMatchObject({ Port: 1 });
  const waiting = ask('GET', `agent/service/web?hash=${ContentHash}`);
  await send('PUT', 'agent/service/register', { Name: 'web', Port: 2 });
  const { headers, json: body } = await waiting;
  expect(body).toMatchObject({ Port: 2 });
  expect(headers['x-registry-contenthash']).toBe(body?.ContentHash);
});

test('the hash of the content does not depend on how it was sent', async () => {
  const { json, send } = await registry();
  const lan = { Address: '1.2.3.4', Port: 1 };
  const hashOf = async (body: object) => {
    await send('PUT', 'agent/service/register', { Name: 'web', ...body });
    const { ContentHash } = (await json('GET', 'agent/service/web')) as unknown as { ContentHash: string };
    await send('PUT', 'agent/service/deregister/web');
    return ContentHash;
  };
  const first = await hashOf({ TaggedAddresses: { lan }, Weights: { Passing: 1, Warning: 1 } });
  expect(await hashOf({ tagged_addresses: { lan } })).toBe(first);
  expect(await hashOf({ TaggedAddresses: { lan }, Port: 1 })).not.toBe(first);
});

test('a service that is removed from the catalog is restored, with overridden tags', async () => {
  const { json, send, pass } = await registry();
  await send('PUT', 'agent/service/register', web);
  await send('PUT', 'agent/service/register', { Name: 'tagged', Tags: ['a'], EnableTagOverride: true });
  await send('PUT', 'catalog/deregister', { Node: 'lanyard', ServiceID: 'web' });
  await send('PUT', 'catalog/register', {
    Node: 'lanyard',
    SkipNodeUpdate: true,
    Service: { Service: 'tagged', Tags: ['b'], EnableTagOverride: true },
  });
  expect(await json('GET', 'catalog/service/web')).toEqual([]);
  pass(61);
  expect(await json('GET', 'catalog/service/web')).toHaveLength(1);
  expect(await json('GET', 'health/checks/web')).toHaveLength(1);
  expect(await json('GET', 'catalog/services')).toMatchObject({ tagged: ['b'] });
  expect(await json('GET', 'agent/service/tagged')).toMatchObject({ Tags: ['b'] });
  await send('PUT', 'catalog/deregister', { Node: 'lanyard' });
  expect(await json('GET', 'catalog/nodes')).toEqual([]);
  pass(61);
  expect(await json('GET', 'catalog/nodes')).toMatchObject([{ Node: 'lanyard' }]);
  expect(await json('GET', 'catalog/services')).toEqual({ consul: [], tagged: ['b'], web: ['blue'] });
});

test('a report on a check also restores its service', async () => {
  const { json, send } = await registry();
  await send('PUT', 'agent/service/register', web);
  await send('PUT', 'catalog/deregister', { Node: 'lanyard' });
  await send('PUT', 'agent/check/pass/service:web');
  expect(await json('GET', 'health/service/web?passing')).toHaveLength(1);
});

test('services of the agent exist after a restart, whatever the datacenter of the request', async () => {
  const dataDirectory = await folder();
  const first = await registry({ dataDirectory, datacenters: ['dc1', 'dc2'] });
  await first.send('PUT', 'agent/service/register', web);
  await first.send('PUT', 'agent/service/register?dc=dc2', { Name: 'api' });
  await first.send('PUT', 'agent/check/pass/service:web?note=fine');
  await first.close();
  const { json } = await registry({ dataDirectory, datacenters: ['dc1', 'dc2'] });
  expect(Object.keys(await json('GET', 'agent/services'))).toEqual(['api', 'web']);
  expect(await json('GET', 'agent/checks')).toMatchObject({
    'service:web': { Status: 'passing', Output: 'fine' },
  });
  expect(Object.keys(await json('GET', 'agent/services?dc=dc2'))).toEqual(['api', 'web']);
  expect(Object.keys(await json('GET', 'catalog/services?dc=dc2'))).toEqual(['consul']);
});

test('a token needs service:write to register, and for the destination of a proxy', async () => {
  const { holder, manage } = await guarded();
  const { send } = await holder('service "web" { policy = "write" } service "db" { policy = "read" }');
  expect(await send.status('PUT', 'agent/service/register', { Name: 'web' })).toBe(200);
  expect(await send('PUT', 'agent/service/register', { Name: 'db' })).toMatch(
    /^403 .*lacks permission 'service:write' on "db"/s,
  );
  const proxy = { Name: 'web', Kind: 'connect-proxy', Port: 1, Proxy: { DestinationServiceName: 'db' } };
  expect(await send.status('PUT', 'agent/service/register', proxy)).toBe(403);
  await manage('PUT', 'agent/service/register', { ID: 'x', Name: 'db' });
  await manage('PUT', 'agent/service/register', { ID: 'y', Name: 'hidden' });
  expect(await send.status('PUT', 'agent/service/register', { ID: 'x', Name: 'web' })).toBe(403);
  expect(await send.status('PUT', 'agent/service/deregister/x')).toBe(403);
  expect(await send.status('PUT', 'agent/service/maintenance/x?enable=true')).toBe(403);
  expect(await send.status('PUT', 'agent/maintenance?enable=true')).toBe(403);
  expect(await send.status('GET', 'agent/service/x')).toBe(200);
  expect(await send.status('GET', 'agent/service/y')).toBe(403);
  expect(await send.status('GET', 'agent/health/service/id/y')).toBe(403);
  expect(await send.status('GET', 'agent/health/service/name/hidden')).toBe(403);
  expect(Object.keys(JSON.parse(await send.text('GET', 'agent/services')))).toEqual(['web', 'x']);
  expect(await send.status('PUT', 'agent/service/deregister/web')).toBe(200);
});

test('members need node:read', async () => {
  const { as, holder, manage } = await guarded({ datacenters: ['dc1', 'dc2'] });
  expect(await manage('GET', 'agent/members')).toMatchObject([{ Name: 'lanyard', Tags: { dc: 'dc1' } }]);
  expect(await manage('GET', 'agent/members?wan=1')).toMatchObject([
    { Name: 'lanyard.dc1' },
    { Name: 'lanyard-dc2.dc2' },
  ]);
  expect(await as({})('GET', 'agent/members')).toBe('200 []');
  const { send } = await holder('node_prefix "" { policy = "read" }');
  expect(await send.status('GET', 'agent/members?segment=x')).toBe(500);
  expect(await send.status('GET', 'agent/members?wan=1&segment=x')).toBe(400);
  expect(JSON.parse(String(await send.text('GET', 'agent/members')))).toHaveLength(1);
  expect(JSON.parse(String(await as({}).text('GET', 'agent/version')))).toEqual({ HumanVersion: '9.8.7' });
});
