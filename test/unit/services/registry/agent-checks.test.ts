import { expect, test } from 'vitest';
import { folder } from '../support.ts';
import { guarded, registry } from './support.ts';

const checkOf = async (json: (method: string, path: string) => Promise<unknown>, id: string) =>
  ((await json('GET', 'agent/checks')) as Record<string, Record<string, unknown>>)[id];

test('a check is registered, reported on and removed, also in the catalog', async () => {
  const { json, send } = await registry();
  expect(await send('PUT', 'agent/check/register', { Name: 'disk', TTL: '30s', Timeout: '1500ms' })).toBe(
    '200',
  );
  expect(await checkOf(json, 'disk')).toEqual({
    Node: 'lanyard',
    CheckID: 'disk',
    Name: 'disk',
    Status: 'critical',
    Notes: '',
    Output: '',
    ServiceID: '',
    ServiceName: '',
    ServiceTags: [],
    Type: 'ttl',
    Interval: '0s',
    Timeout: '1.5s',
    ExposedPort: 0,
    Definition: {},
    CreateIndex: 0,
    ModifyIndex: 0,
  });
  for (const [path, Status] of [
    ['pass', 'passing'],
    ['warn', 'warning'],
    ['fail', 'critical'],
  ]) {
    expect(await send('PUT', `agent/check/${path}/disk?note=n`)).toBe('200');
    expect(await checkOf(json, 'disk')).toMatchObject({ Status, Output: 'n' });
    expect(await json('GET', 'health/node/lanyard')).toMatchObject([
      { CheckID: 'disk', Status, Output: 'n' },
      {},
    ]);
  }
  const update = (body?: unknown) => send('PUT', 'agent/check/update/disk', body);
  expect(await update({ Status: 'passing', Output: 'o' })).toBe('200');
  expect(await checkOf(json, 'disk')).toMatchObject({ Status: 'passing', Output: 'o' });
  expect(await update({ Status: 'passing', Nope: 1 })).toBe(
    '400 Request decode failed: json: unknown field "Nope"',
  );
  expect(await update()).toBe('400 Request decode failed: EOF');
  expect(await send('PUT', 'agent/check/deregister/disk')).toBe('200');
  expect(await json('GET', 'health/node/lanyard')).toHaveLength(1);
  expect(await send.status('GET', 'agent/check/pass/disk')).toBe(405);
});

test.each([
  [undefined, 400, 'Request decode failed: EOF'],
  [{ Name: 'x', CheckID: 'y', TTL: '1s' }, 400, 'Request decode failed: json: unknown field "CheckID"'],
  [{ Name: 'x', TTL: '1s', Status: 'odd' }, 400, 'Bad check status'],
  [{ Name: 'x' }, 400, 'Invalid check: TTL must be > 0 for TTL checks'],
  [{ Name: 'x', Args: 'a', Interval: '1s' }, 400, 'Request decode failed: Args of the body must be an array'],
  ...['10', '00', ' 5s', '5S', ''].map((TTL): [object, number, string] => [
    { Name: 'x', TTL },
    400,
    `Request decode failed: time: invalid duration "${TTL}"`,
  ]),
  [{ Name: 'x', HTTP: 5, TTL: '1s' }, 400, 'Request decode failed: HTTP of the body must be a string'],
  [{ Name: 'x', TTL: '1s', AliasNode: 'n' }, 400, 'Invalid check: TTL must be not be set for Alias checks'],
  [
    { Name: 'x', TCP: 'x:1', AliasNode: 'n', Interval: '1s' },
    400,
    'Invalid check: Interval cannot be set for Alias checks',
  ],
  [{ Name: 'x', TTL: '1s', OutputMaxSize: -1 }, 400, 'Invalid check: MaxOutputMaxSize must be positive'],
  [
    { Name: 'x', TTL: '1s', FailuresBeforeWarning: 1 },
    400,
    "Invalid check: FailuresBeforeWarning can't be higher than FailuresBeforeCritical",
  ],
  [
    { Name: 'x', TCP: 'localhost:1', Interval: '1s' },
    400,
    'Invalid check: TCP is not supported: this agent only runs TTL checks',
  ],
])('a check that cannot be registered is rejected: %j', async (body, status, message) => {
  const { json, send } = await registry();
  expect(await send('PUT', 'agent/check/register', body)).toBe(`${status} ${message}`);
  expect(await json('GET', 'agent/checks')).toEqual({});
});

test('a check becomes critical after its time to live, and shows its last report', async () => {
  const { json, send, pass } = await registry();
  await send('PUT', 'agent/check/register', { Name: 'a', TTL: '10s', Status: 'passing' });
  await send('PUT', 'agent/check/register', { Name: 'b', TTL: '10s' });
  await send('PUT', 'agent/check/warn/b?note=slow');
  pass(9);
  await send('PUT', 'agent/check/pass/b?note=fine');
  pass(2);
  expect(await checkOf(json, 'a')).toMatchObject({ Status: 'critical', Output: 'TTL expired' });
  expect(await checkOf(json, 'b')).toMatchObject({ Status: 'passing', Output: 'fine' });
  pass(9);
  expect(await json('GET', 'health/state/critical')).toMatchObject([
    { CheckID: 'a' },
    { CheckID: 'b', Output: 'TTL expired (last output before timeout follows): fine' },
  ]);
  await send('PUT', 'agent/check/pass/a');
  expect(await checkOf(json, 'a')).toMatchObject({ Status: 'passing', Output: '' });
});

test('a session ends when the check that it depends on expires', async () => {
  const { json, send, pass } = await registry();
  await send('PUT', 'agent/check/register', { Name: 'a', TTL: '10s', Status: 'passing' });
  await json('PUT', 'session/create', { NodeChecks: ['a'] });
  pass(11);
  expect(await json('GET', 'session/list')).toEqual([]);
});

test('a service is deregistered when it was critical for too long, at least for a minute', async () => {
  const { json, send, pass } = await registry();
  const register = (Name: string, more: object) =>
    send('PUT', 'agent/service/register', { Name, Check: { TTL: '10m', ...more } });
  await register('short', { DeregisterCriticalServiceAfter: '10s' });
  await register('long', { DeregisterCriticalServiceAfter: '5m' });
  await register('never', {});
  // As Consul 1.21.4: 0 is a value, null is not.
  const otherName = { deregister_critical_service_after: '1m' };
  await register('zero', { DeregisterCriticalServiceAfter: '0s', ...otherName });
  await register('null', { DeregisterCriticalServiceAfter: null, ...otherName });
  await register('initial', { DeregisterCriticalServiceAfter: '1m' });
  await register('repaired', { DeregisterCriticalServiceAfter: '1m' });
  for (const name of ['short', 'long', 'never', 'repaired', 'zero', 'null'])
    await send('PUT', `agent/check/fail/service:${name}`);
  const names = async () => Object.keys(await json('GET', 'agent/services'));
  pass(30);
  await send('PUT', 'agent/check/fail/service:short');
  await send('PUT', 'agent/check/pass/service:repaired');
  pass(29);
  expect(await names()).toEqual(['initial', 'long', 'never', 'null', 'repaired', 'short', 'zero']);
  pass(2);
  expect(await names()).toEqual(['initial', 'long', 'never', 'repaired', 'zero']);
  expect(await json('GET', 'catalog/services')).not.toHaveProperty('short');
  pass(300);
  expect(await names()).toEqual(['initial', 'never', 'repaired', 'zero']);
});

test('long output is cut off', async () => {
  const { json, send } = await registry();
  await send('PUT', 'agent/check/register', { Name: 'a', TTL: '10s', OutputMaxSize: 5 });
  await send('PUT', 'agent/check/update/a', { Status: 'passing', Output: '123456789' });
  expect(await checkOf(json, 'a')).toMatchObject({ Output: '12345 ... (captured 5 of 9 bytes)' });
});

test('after a restart, an expired check is critical; another has its full time again', async () => {
  const dataDirectory = await folder();
  let now = Date.parse('2026-01-02T12:00:00Z');
  const clock = () => new Date(now);
  const first = await registry({ dataDirectory, clock });
  for (const [Name, TTL] of [
    ['short', '10s'],
    ['long', '60s'],
  ])
    await first.send('PUT', 'agent/check/register', { Name, TTL, Status: 'passing' });
  await first.close();
  now += 30_000;
  const { json } = await registry({ dataDirectory, clock });
  const statuses = async () => [
    (await checkOf(json, 'short'))?.Status,
    (await checkOf(json, 'long'))?.Status,
  ];
  expect(await statuses()).toEqual(['critical', 'passing']);
  now += 50_000;
  expect(await statuses()).toEqual(['critical', 'passing']);
  now += 11_000;
  expect(await statuses()).toEqual(['critical', 'critical']);
});

test('a check needs node:write, or service:write if it belongs to a service', async () => {
  const { holder, manage } = await guarded();
  await manage('PUT', 'agent/service/register', { Name: 'web' });
  await manage('PUT', 'agent/service/register', { Name: 'db' });
  await manage('PUT', 'agent/check/register', { Name: 'disk', TTL: '10s' });
  await manage('PUT', 'agent/check/register', { Name: 'db', TTL: '10s', ServiceID: 'db' });
  const { send } = await holder('service "web" { policy = "write" } node "lanyard" { policy = "read" }');
  const check = (Name: string, ServiceID = '') => ({ Name, TTL: '10s', ServiceID });
  expect(await send.status('PUT', 'agent/check/register', check('web', 'web'))).toBe(200);
  expect(await send.status('PUT', 'agent/check/register', check('new'))).toBe(403);
  expect(await send.status('PUT', 'agent/check/register', check('disk', 'web'))).toBe(403);
  expect(await send.status('PUT', 'agent/check/register', check('db', 'web'))).toBe(403);
  for (const id of ['disk', 'db'])
    for (const path of ['pass', 'warn', 'fail', 'deregister'])
      expect(await send.status('PUT', `agent/check/${path}/${id}`)).toBe(403);
  expect(Object.keys(JSON.parse(await send.text('GET', 'agent/checks')))).toEqual(['disk', 'web']);
  expect(await send.status('PUT', 'agent/check/deregister/web')).toBe(200);
});
