import { expect, test } from 'vitest';
import { responseContaining } from '../callers.ts';
import { registry } from './support.ts';

const conflicting = 'txn?stale&consistent';

test.each([
  [['x'], 'operation 0 must be an object'],
  [
    [{ KV: { Verb: 'get', Key: 'a' } }, { KV: {}, Node: {} }],
    'an operation has exactly one of KV, Node, Service, Check',
  ],
  [[{ KV: { Verb: 'set', Key: 'a', Value: '?' } }], 'Value of key "a" is not base64'],
  [[{ KV: { Verb: 'set', Key: 'a', Flags: 'x' } }], 'Flags of KV must be an unsigned integer'],
  [[{ KV: { Verb: 'set', Key: 'a', Index: 'x' } }], 'Index of KV must be an unsigned integer'],
  [
    [{ Node: { Verb: 'set', Node: { ModifyIndex: 'x' } } }],
    'ModifyIndex of Node must be an unsigned integer',
  ],
])('a transaction with an invalid operation is rejected: %j', async (body, message) => {
  const { send } = await registry();
  expect(await send('PUT', 'txn', body)).toEqual(responseContaining(400, message));
});

test('an operation on the catalog without an object fails like one without a name', async () => {
  const { send } = await registry();
  for (const [kind = '', message] of [
    ['Node', 'Must provide node'],
    ['Service', 'Must provide service name (Service.Service)'],
    ['Check', 'failed health check lookup: index error: object is missing a value for this index'],
  ])
    expect(await send('PUT', 'txn', [{ [kind]: { Verb: 'set' } }])).toEqual(
      responseContaining(409, `"${message}"`),
    );
});

test.each([
  ['set', 'failed health check lookup'],
  ['cas', 'failed check lookup'],
  ['get', 'failed check lookup'],
  ['delete', 'check lookup failed'],
  ['delete-cas', 'check lookup failed: failed check lookup'],
])('%s of a check without a node fails as in Consul', async (Verb, what) => {
  const { send } = await registry();
  const Check = { Node: '', CheckID: 'c', Status: 'passing' };
  const message = `"${what}: index error: object is missing a value for this index"`;
  expect(await send('PUT', 'txn', [{ Check: { Verb, Check } }])).toEqual(responseContaining(409, message));
});

test.each([
  ...['get', 'get-or-empty', 'get-tree', 'check-index', 'check-session', 'check-not-exists'].map(
    (Verb) => ['KV', Verb, true] as const,
  ),
  ...['set', 'cas', 'delete', 'delete-cas', 'delete-tree', 'lock', 'unlock'].map(
    (Verb) => ['KV', Verb, false] as const,
  ),
  ...['Node', 'Service', 'Check'].map((kind) => [kind, 'get', true] as const),
  ...['set', 'cas', 'delete', 'delete-cas', 'rename'].map((Verb) => ['Node', Verb, false] as const),
])('a transaction of %s %s is a read: %s', async (kind, Verb, isRead) => {
  const { ask } = await registry();
  const objects = { Node: { Node: 'n' }, Service: { ID: 's' }, Check: { Node: 'n', CheckID: 'c' } };
  const operation =
    kind === 'KV'
      ? { KV: { Verb, Key: 'a' } }
      : { [kind]: { Verb, [kind]: objects[kind as keyof typeof objects] } };
  // Only a read has a consistency mode, and so can have two.
  const { status } = await ask('PUT', conflicting, { body: [operation] });
  expect(status === 400).toBe(isRead);
  const mixed = [operation, { KV: { Verb: 'set', Key: 'b' } }];
  expect((await ask('PUT', conflicting, { body: mixed })).status).not.toBe(400);
});
