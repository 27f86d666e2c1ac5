import { expect, test } from 'vitest';
import { guarded, scheduler } from './support.ts';

const read = (path: string, capability = 'read') =>
  `namespace "default" { variables { path "${path}" { capabilities = ["${capability}"] } } }`;

test('a bearer token is read from the start of the header, without spaces around it', async () => {
  const { ask, holder } = await guarded();
  const { secret } = await holder(read('a'));
  const status = async (headers: Record<string, string>) => (await ask('GET', 'var/a', { headers })).status;
  expect(await status({ Authorization: `Bearer ${secret}` })).toBe(404);
  expect(await status({ Authorization: `bearer   ${secret}` })).toBe(404);
  expect(await status({ Authorization: `Basic bearer ${secret}` })).toBe(403);
  expect(await status({ Authorization: `Bearer${secret}` })).toBe(403);
  expect(await status({ Authorization: 'Bearer' })).toBe(403);
  // The header of the service has precedence.
  expect(await status({ Authorization: 'Bearer wrong', 'X-Nomad-Token': secret })).toBe(404);
  expect(await status({ Authorization: `Bearer ${secret}`, 'X-Nomad-Token': 'wrong' })).toBe(403);
});

test('a change to one of several policies holds for the next request', async () => {
  const { holder, manage } = await guarded();
  const { send } = await holder(read('a'), read('b'));
  const status = async (path: string) => await send.status('GET', `var/${path}`);
  expect([await status('a'), await status('b')]).toEqual([404, 404]);
  await manage('PUT', 'acl/policy/policy-2', { Rules: read('b', 'deny') });
  expect([await status('a'), await status('b')]).toEqual([404, 403]);
  await manage('DELETE', 'acl/policy/policy-1');
  expect([await status('a'), await status('b')]).toEqual([403, 403]);
  await manage('PUT', 'acl/policy/policy-1', { Rules: read('a') });
  expect([await status('a'), await status('b')]).toEqual([404, 403]);
});

test('a change to the only policy of a token holds for the next request', async () => {
  const { holder, manage } = await guarded();
  const { send } = await holder(read('a'));
  expect(await send.status('GET', 'var/a')).toBe(404);
  await manage('PUT', 'acl/policy/policy-1', { Rules: read('a', 'deny') });
  expect(await send.status('GET', 'var/a')).toBe(403);
});

test('tokens with different policies, and requests without one, do not share permissions', async () => {
  const { holder, manage, anonymous } = await guarded();
  const { send: one } = await holder(read('a'));
  const { send: two } = await holder(read('b'));
  const statuses = async (path: string) => [
    await one.status('GET', `var/${path}`),
    await two.status('GET', `var/${path}`),
    await anonymous.status('GET', `var/${path}`),
  ];
  expect(await statuses('a')).toEqual([404, 403, 403]);
  expect(await statuses('b')).toEqual([403, 404, 403]);
  await manage('PUT', 'acl/policy/anonymous', { Rules: read('b') });
  expect(await statuses('a')).toEqual([404, 403, 403]);
  expect(await statuses('b')).toEqual([403, 404, 404]);
});

test('a token expires at its time, and not before', async () => {
  const { manage, pass, withToken } = await guarded();
  const { SecretID } = await manage('PUT', 'acl/token', { Type: 'management', ExpirationTTL: '60s' });
  const send = withToken(SecretID);
  pass(59);
  expect(await send.status('GET', 'acl/tokens')).toBe(200);
  pass(1);
  expect(await send('GET', 'acl/tokens')).toBe('403 ACL token expired');
});

test('before access control is bootstrapped, a request needs no valid token', async () => {
  const { ask } = await scheduler();
  const headers = { 'X-Nomad-Token': 'wrong' };
  expect((await ask('GET', 'var/a', { headers })).status).toBe(404);
  expect((await ask('GET', 'agent/self', { headers })).status).toBe(200);
  expect((await ask('GET', 'namespace/default', { headers })).status).toBe(200);
});
