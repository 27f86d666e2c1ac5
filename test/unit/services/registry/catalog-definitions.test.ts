import { expect, test } from 'vitest';
import { responseWith } from '../callers.ts';
import { registry } from './support.ts';

const node = { Node: 'n', Address: '10.0.0.1' };

test('the locality of a node and of a service is stored', async () => {
  const { json, send } = await registry();
  const Locality = { Region: 'us-west-1', Zone: 'us-west-1a' };
  const Service = { Service: 'web', Locality: { region: 'us-west-1' } };
  expect(await send('PUT', 'catalog/register', { ...node, Locality, Service })).toBe('200 true');
  expect(await json('GET', 'catalog/node/n')).toMatchObject({
    Node: { Node: 'n', Locality },
    Services: { web: { Locality: { Region: 'us-west-1' } } },
  });
  expect(await json('GET', 'health/service/web')).toMatchObject([{ Node: { Locality } }]);
  await json('PUT', 'catalog/register', { ...node, Locality: null });
  expect(JSON.stringify(await json('GET', 'catalog/nodes?filter=Node==n'))).not.toContain('Locality');
  await json('PUT', 'txn', [{ Node: { Verb: 'set', Node: { ...node, Locality } } }]);
  expect(await json('GET', 'catalog/nodes?filter=Node==n')).toMatchObject([{ Locality }]);
});

test.each([
  [{ Locality: { Region: 'r', Nope: 1 } }, 'Request decode failed: json: unknown field "Nope"'],
  [{ Locality: { Region: 5 } }, 'Request decode failed: Region of Locality must be a string'],
  [{ Locality: 5 }, 'Request decode failed: Locality must be an object'],
  [{ Service: { Service: 's', Locality: { Nope: 1 } } }, 'Request decode failed: json: unknown field "Nope"'],
  [{ Service: { Service: 's', Proxy: { Nope: 1 } } }, 'Request decode failed: json: unknown field "Nope"'],
  [
    { Service: { Service: 's', Proxy: { Upstreams: [{ Nope: 1 }] } } },
    'Request decode failed: json: unknown field "Nope"',
  ],
  [
    { Service: { Service: 's', Proxy: { LocalServicePort: 'x' } } },
    /^Request decode failed: .*LocalServicePort must be an integer/,
  ],
  [
    { Service: { Service: 's', Connect: { Native: 'x' } } },
    'Request decode failed: Native of Connect must be true or false',
  ],
  [
    { Check: { Name: 'c', Definition: { Interval: 'soon' } } },
    'Request decode failed: time: invalid duration "soon"',
  ],
  [
    { Check: { Name: 'c', Definition: { HTTP: 5 } } },
    'Request decode failed: HTTP of Definition must be a string',
  ],
  [{ Check: { Name: 'c', Definition: [] } }, 'Request decode failed: Definition must be an object'],
])('an invalid part of a registration is rejected: %j', async (part, message) => {
  const { json, send } = await registry();
  expect(await send('PUT', 'catalog/register', { ...node, ...part })).toEqual(responseWith(400, message));
  expect(await json('GET', 'catalog/nodes')).toHaveLength(1);
});

test('the definition of a check gives its type', async () => {
  const { json } = await registry();
  const Interval = '5s';
  const cases: readonly (readonly [string, object, object?])[] = [
    [
      'http',
      { http: 'http://x', Interval: 5_000_000_000, TLSSkipVerify: false },
      { HTTP: 'http://x', Interval },
    ],
    ['grpc', { GRPC: 'x', HTTP: 'x', Interval: '1500ms' }, { GRPC: 'x', HTTP: 'x', Interval: '1.5s' }],
    ['ttl', { TTL: '90s', ScriptArgs: [] }, { TTL: 90_000_000_000 }],
    ['tcp', { TCP: 'x:1', Interval, Timeout: '0s' }, { TCP: 'x:1', Interval }],
    ['udp', { UDP: 'x:1', Interval }],
    ['alias', { AliasService: 'x' }],
    ['docker', { ScriptArgs: ['x'], DockerContainerID: 'c', Interval }],
    ['script', { ScriptArgs: ['x'] }],
    ['h2ping', { H2PING: 'x', Interval }],
    ['os_service', { OSService: 'x', Interval }],
    ['', { HTTP: 'x' }],
    // As a client library of Consul spells it, without effect.
    ['', { http: 'x', intervalduration: '10s' }, { HTTP: 'x' }],
    ['', { Nope: 1 }, {}],
  ];
  const Checks = cases.map(([, Definition], at) => ({ CheckID: `c${at + 10}`, Definition }));
  await json('PUT', 'catalog/register', { ...node, Checks });
  const found = await json('GET', 'health/node/n');
  expect(found.map(({ Type, Definition }) => [Type, Definition])).toEqual(
    cases.map(([type, sent, kept = sent]) => [type, kept]),
  );
  await json('PUT', 'catalog/register', {
    ...node,
    Check: { CheckID: 'c', Type: 'own', Definition: { TTL: '1s' } },
  });
  expect(await json('GET', 'health/node/n?filter=CheckID==c')).toMatchObject([{ Type: 'own' }]);
});

test('settings of a proxy are accepted in any case and in snake_case', async () => {
  const { json, send } = await registry();
  const settings = {
    destination_service_name: 'db',
    localservicePort: 5,
    upstreams: [{ destination_name: 'z', local_bind_port: 7, config: { a: 0 } }],
  };
  const upstream = { DestinationName: 'z', LocalBindPort: 7, Config: { a: 0 }, MeshGateway: {} };
  const shown = {
    DestinationServiceName: 'db',
    LocalServicePort: 5,
    Upstreams: [upstream],
  };
  const Kind = 'connect-proxy';
  await json('PUT', 'catalog/register', {
    ...node,
    Service: { Service: 'p', Kind, Port: 1, Proxy: settings },
  });
  expect(await json('GET', 'catalog/connect/db')).toMatchObject([{ ServiceName: 'p', ServiceProxy: shown }]);
  expect(await send('PUT', 'agent/service/register', { Name: 'q', Kind, Port: 1, Proxy: settings })).toBe(
    '200',
  );
  expect(await json('GET', 'agent/service/q')).toMatchObject({
    Proxy: { ...shown, Upstreams: [{ DestinationType: 'service', ...upstream }] },
  });
  expect(await send('PUT', 'agent/service/register', { Name: 'r', Proxy: { Nope: 1 } })).toBe(
    '400 Request decode failed: json: unknown field "Nope"',
  );
});

test('a deregistration ignores an address', async () => {
  const { json, send } = await registry();
  await json('PUT', 'catalog/register', node);
  expect(await send('PUT', 'catalog/deregister', node)).toBe('200 true');
  expect(await json('GET', 'catalog/nodes')).toHaveLength(1);
});

test('a cluster peer has no services', async () => {
  const { json } = await registry();
  await json('PUT', 'catalog/register', {
    ...node,
    Service: { Service: 'web', Port: 1, Connect: { Native: true } },
    Check: { CheckID: 'c', ServiceID: 'web' },
  });
  for (const path of [
    'health/service',
    'health/connect',
    'health/checks',
    'catalog/service',
    'catalog/connect',
  ]) {
    expect(await json('GET', `${path}/web?peer=other`), path).toEqual([]);
    expect(await json('GET', `${path}/web?peer=`), path).toHaveLength(1);
  }
});

test('checks of the node come before checks of the service', async () => {
  const { json } = await registry();
  const check = (CheckID: string, ServiceID = '') => ({ CheckID, ServiceID, Status: 'passing' });
  const Checks = [check('zz'), check('aa', 'web'), check('bb'), check('mm', 'web')];
  await json('PUT', 'catalog/register', { ...node, Service: { Service: 'web' }, Checks });
  expect(await json('GET', 'health/service/web')).toMatchObject([
    { Checks: ['bb', 'zz', 'aa', 'mm'].map((CheckID) => ({ CheckID })) },
  ]);
});
