import { expect, test } from 'vitest';
import { registry } from './support.ts';

const kv = (Verb: string, Key: string, more: object = {}) => ({ KV: { Verb, Key, ...more } });
const set = (Key: string, text: string) => kv('set', Key, { Value: Buffer.from(text).toString('base64') });

test('a transaction is applied as one, with one index', async () => {
  const { ask, json } = await registry();
  const reply = await ask('PUT', 'txn', {
    body: [
      set('a', '1'),
      { Node: { Verb: 'set', Node: { Node: 'n1', Address: '10.0.0.1' } } },
      { Service: { Verb: 'set', Node: 'n1', Service: { Service: 'web', Port: 80 } } },
      { Check: { Verb: 'set', Check: { Node: 'n1', CheckID: 'c', Status: 'passing', ServiceID: 'web' } } },
      kv('get', 'a'),
      kv('delete', 'b'),
    ],
  });
  expect([reply.status, reply.headers['x-registry-knownleader']]).toEqual([200, undefined]);
  const indexes = { CreateIndex: 2, ModifyIndex: 2 };
  expect(reply.json).toMatchObject({
    Errors: null,
    Results: [
      { KV: { Key: 'a', Value: null, ...indexes } },
      { Node: { Node: 'n1', Address: '10.0.0.1', Datacenter: 'dc1', ...indexes } },
      { Service: { ID: 'web', Service: 'web', Port: 80, ...indexes } },
      { Check: { CheckID: 'c', ServiceName: 'web', ...indexes } },
      { KV: { Key: 'a', Value: 'MQ==' } },
    ],
  });
  expect(await json('GET', 'health/service/web')).toHaveLength(1);
});

test('invalid operations are found before any is applied, and only they are reported', async () => {
  const { ask } = await registry();
  const { status, json } = await ask('PUT', 'txn', {
    body: [
      set('b', '2'),
      kv('get', 'c'),
      kv('increase', 'a'),
      kv('set', ''),
      { Node: { Verb: 'set', Node: { ID: 'x', Node: 'n9' } } },
      { Check: { Verb: 'get', Check: { Node: 'n9', CheckID: 'c' } } },
    ],
  });
  expect([status, json?.Errors]).toEqual([
    409,
    [
      { OpIndex: 2, What: 'unknown KV operation: increase' },
      { OpIndex: 3, What: 'Must provide key' },
      { OpIndex: 4, What: 'Bad node ID: uuid string is wrong length' },
    ],
  ]);
});

test('a failed transaction reports every failed operation, and applies nothing', async () => {
  const { ask, send, json } = await registry();
  await send('PUT', 'kv/a', '1');
  const reply = await ask('PUT', 'txn', {
    body: [
      set('b', '2'),
      kv('cas', 'a', { Index: 7 }),
      kv('get', 'c'),
      { Node: { Verb: 'get', Node: { Node: 'n9' } } },
      { Service: { Verb: 'get', Node: 'n9', Service: { ID: 's' } } },
      { Check: { Verb: 'get', Check: { Node: 'n9', CheckID: 'c' } } },
    ],
  });
  expect(reply.status).toBe(409);
  expect(reply.json).toEqual({
    Results: null,
    Errors: [
      [1, 'failed to set key "a", index is stale'],
      [2, 'key "c" doesn\'t exist'],
      [3, 'node "n9" doesn\'t exist'],
      [4, 'service "s" on node "n9" doesn\'t exist'],
      [5, 'check "c" on node "n9" doesn\'t exist'],
    ].map(([OpIndex, What]) => ({ OpIndex, What })),
  });
  expect(await json('GET', 'kv/?keys')).toEqual(['a']);
});

test('a transaction that only reads returns its consistency', async () => {
  const { ask, send } = await registry();
  await send('PUT', 'kv/a', '1');
  const reply = await ask('PUT', 'txn?stale', { body: [kv('get', 'a')] });
  expect(reply.headers).toMatchObject({ 'x-registry-knownleader': 'true', 'x-registry-lastcontact': '0' });
  expect(reply.json).toMatchObject({ Index: 2, KnownLeader: true, ConsistencyLevel: '', Errors: null });
  expect((await ask('PUT', 'txn?stale&consistent', { body: [kv('get', 'a')] })).status).toBe(400);
  expect((await ask('PUT', 'txn?stale&consistent', { body: [set('a', '2')] })).status).toBe(200);
});

test('a lock is not granted during its delay', async () => {
  const { ask, json, send, pass } = await registry();
  const { ID: one } = await json('PUT', 'session/create');
  await send('PUT', `kv/a?acquire=${one}`, '');
  await send('PUT', `session/destroy/${one}`);
  const { ID: Session } = await json('PUT', 'session/create');
  const lock = () => ask('PUT', 'txn', { body: [kv('lock', 'a', { Session })] });
  expect((await lock()).json).toMatchObject({
    Errors: [{ OpIndex: 0, What: 'failed to lock key "a" due to lock delay' }],
  });
  pass(16);
  expect((await lock()).json).toMatchObject({ Results: [{ KV: { Session, LockIndex: 2 } }] });
});

test.each([
  { KV: { Verb: 'set', Key: 'a', Value: '' } },
  { Node: { Verb: 'set', Node: { Node: 'n' } } },
  { Service: { Verb: 'set', Node: 'n', Service: { Service: 's' } } },
  { Check: { Verb: 'set', Check: { Node: 'n', CheckID: 'c' } } },
])('an operation for another namespace or partition is not applied to this one: %o', async (operation) => {
  const { send, json } = await registry();
  const [kind = '', fields] = Object.entries(operation)[0] ?? [];
  const placed = (where: object) =>
    kind === 'KV'
      ? { KV: { ...fields, ...where } }
      : { [kind]: { ...fields, [kind]: { ...(fields as Record<string, object>)[kind], ...where } } };
  const before = await json('GET', 'catalog/nodes');
  expect(await send('PUT', 'txn', [set('b', '1'), placed({ Namespace: 'team-a' })])).toBe(
    '400 Invalid query parameter: "ns" - Namespaces are a Consul Enterprise feature',
  );
  expect(await send('PUT', 'txn', [placed({ Partition: 'p' })])).toBe(
    '400 Invalid query parameter: "partition" - Partitions are a Consul Enterprise feature',
  );
  expect(await send.status('GET', 'kv/?keys')).toBe(404);
  expect(await json('GET', 'catalog/nodes')).toEqual(before);
  expect(await send.status('PUT', 'txn', [placed({ Namespace: 'default', Partition: '' })])).not.toBe(400);
});

test('an invalid or too large transaction is rejected', async () => {
  const { send } = await registry();
  const put = (body: unknown) => send('PUT', 'txn', body);
  expect(await put({})).toBe('400 Failed to parse body: the body must be an array of operations');
  expect(await put('[')).toMatch(/^400 Failed to parse body: /);
  expect(await put([{}])).toBe('400 Failed to parse body: unknown operation type');
  expect(await put([{ ...set('a', '1'), Node: {} }])).toMatch(/^400 /);
  expect(await put([kv('set', 'a', { Value: '?' })])).toMatch(/^400 /);
  expect(await put(Array(64).fill(set('a', '1')))).toMatch(/^200 /);
  expect(await put(Array(65).fill(set('a', '1')))).toBe(
    '413 Transaction contains too many operations (65 > 64)',
  );
  expect(await put([set('a', 'x'.repeat(524_289))])).toBe(
    '413 Value for key "a" is too large (524289 > 524288 bytes)',
  );
  expect(await put([set('a', 'x'.repeat(524_288))])).toMatch(/^200 /);
});
