import { expect, test } from 'vitest';
import { guarded } from './support.ts';

const path = 'internal/acl/authorize';

test('decides for the token of the request, in order', async () => {
  const { ask, holder } = await guarded();
  const { secret } = await holder(
    'key_prefix "app/" { policy = "list" } key "app/x" { policy = "write" } operator = "read"',
  );
  const body = [
    { Resource: 'key', Segment: 'app/a', Access: 'read' },
    { Resource: 'key', Segment: 'app/a', Access: 'list' },
    { Resource: 'key', Segment: 'app/a', Access: 'write' },
    { resource: 'key', segment: 'app/x', access: 'WRITE' },
    { Resource: 'key', Segment: 'app/', Access: 'write-prefix' },
    { Resource: 'operator', Access: 'read' },
    { Resource: 'acl', Segment: 'ignored', Access: 'read' },
  ];
  const { status, json } = await ask('POST', path, { body, headers: { 'X-Consul-Token': secret } });
  expect(status).toBe(200);
  const answers = json as unknown as { Allow: boolean }[];
  expect(answers.map(({ Allow }) => Allow)).toEqual([true, true, false, true, false, true, false]);
  expect(answers[3]).toEqual({ Resource: 'key', Segment: 'app/x', Access: 'WRITE', Allow: true });
  expect(answers[5]).toEqual({ Resource: 'operator', Access: 'read', Allow: true });
  expect((await ask('POST', path, { body: [] })).json).toEqual([]);
});

test('decides for the anonymous token without one, and rejects an unknown one', async () => {
  const { ask } = await guarded();
  const body = [{ Resource: 'key', Segment: 'a', Access: 'read' }];
  expect((await ask('POST', path, { body })).json).toEqual([
    { Resource: 'key', Segment: 'a', Access: 'read', Allow: false },
  ]);
  const unknown = await ask('POST', path, { body, headers: { 'X-Consul-Token': 'x' } });
  expect([unknown.status, unknown.text]).toEqual([403, 'ACL not found']);
});

test.each([
  [[{ Resource: 'kez', Access: 'read' }], 'Invalid ACL resource requested: "kez"'],
  [[{ Resource: 'acl', Access: 'list' }], 'Invalid access level for acl resource: list'],
  [[{ Resource: 'key', Segment: 'a', Access: 'deny' }], 'Invalid access level for key resource: deny'],
  [
    Array.from({ length: 65 }, () => ({ Resource: 'acl', Access: 'read' })),
    'Refusing to process more than 64 authorizations at once',
  ],
  [{}, 'Failed to decode request body: the body must be an array'],
  [[1], 'Failed to decode request body: item 0 must be an object'],
  [[{ Resource: 1 }], 'Failed to decode request body: Resource of item 0 must be a string'],
])('rejects %j', async (body, message) => {
  const { ask } = await guarded();
  const { status, text } = await ask('POST', path, { body });
  expect([status, text]).toEqual([400, message]);
});

test('a service rule gives permission for intentions, by default to read', async () => {
  const { ask, holder } = await guarded();
  const { secret } = await holder(`
    service "a" { policy = "write" intentions = "read" }
    service "b" { policy = "write" }
    service_prefix "d" { policy = "read" intentions = "write" }
    service "e" { policy = "deny" }
    service "f" { policy = "write" intentions = "deny" }`);
  const names = ['a', 'b', 'd1', 'e', 'f', 'zz', '*'];
  const body = names.flatMap((Segment) =>
    ['read', 'write'].map((Access) => ({ Resource: 'intention', Segment, Access })),
  );
  const { text } = await ask('POST', 'internal/acl/authorize', {
    body,
    headers: { 'X-Consul-Token': secret },
  });
  const allowed = (JSON.parse(text) as { Segment: string; Access: string; Allow: boolean }[])
    .filter(({ Allow }) => Allow)
    .map(({ Segment, Access }) => `${Segment} ${Access}`);
  expect(allowed).toEqual(['a read', 'b read', 'd1 read', 'd1 write', '* read']);
});
