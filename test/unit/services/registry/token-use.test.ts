import { expect, test } from 'vitest';
import { guarded } from './support.ts';

test('a bearer token is read from the start of the header, without spaces around it', async () => {
  const { ask, holder, manage } = await guarded();
  await manage('PUT', 'kv/a', 'value');
  const { secret } = await holder('key "a" { policy = "read" }');
  const status = async (Authorization: string) =>
    (await ask('GET', 'kv/a', { headers: { Authorization } })).status;
  expect(await status(`Bearer ${secret}`)).toBe(200);
  expect(await status(`bearer   ${secret}`)).toBe(200);
  expect(await status(`Basic bearer ${secret}`)).toBe(403);
  expect(await status(`Bearer${secret}`)).toBe(403);
  expect(await status('Bearer')).toBe(403);
});

test('a token in the query has precedence, then the header of the service, then the bearer token', async () => {
  const { ask, holder, manage } = await guarded();
  await manage('PUT', 'kv/a', 'value');
  const { secret } = await holder('key "a" { policy = "read" }');
  const status = async (query: string, token: string, bearer: string) => {
    const headers = { 'X-Registry-Token': token, Authorization: `Bearer ${bearer}` };
    return (await ask('GET', `kv/a?token=${query}`, { headers })).status;
  };
  expect(await status(secret, 'wrong', 'wrong')).toBe(200);
  expect(await status('wrong', secret, secret)).toBe(403);
  expect(await status('', secret, 'wrong')).toBe(200);
  expect(await status('', 'wrong', secret)).toBe(403);
  expect(await status('', '', secret)).toBe(200);
});

test('a request without a token has the permissions of the anonymous token', async () => {
  const { manage, anonymous } = await guarded();
  await manage('PUT', 'kv/a', 'value');
  expect(await anonymous('GET', 'kv/a')).toMatch(/^403 .*anonymous token lacks/s);
  await manage('PUT', 'acl/policy', { Name: 'p', Rules: 'key "a" { policy = "read" }' });
  const path = 'acl/token/00000000-0000-0000-0000-000000000002';
  await manage('PUT', path, { Policies: [{ Name: 'p' }] });
  expect(await anonymous.status('GET', 'kv/a')).toBe(200);
  expect(await anonymous('PUT', 'kv/a', 'x')).toMatch(/^403 .*anonymous token lacks/s);
  await manage('PUT', path, { Policies: [] });
  expect(await anonymous.status('GET', 'kv/a')).toBe(403);
});

test('a change to a policy or a role holds for the next request', async () => {
  const { manage, grant } = await guarded();
  await manage('PUT', 'kv/a', 'value');
  const rules = (level: string) => ({ Name: 'p', Rules: `key "a" { policy = "${level}" }` });
  const policy = await manage('PUT', 'acl/policy', rules('deny'));
  const role = await manage('PUT', 'acl/role', { Name: 'r', Policies: [{ ID: policy.ID }] });
  const send = await grant({ Roles: [{ ID: role.ID }] });
  const status = async () => await send.status('GET', 'kv/a');
  expect(await status()).toBe(403);
  await manage('PUT', `acl/policy/${policy.ID}`, rules('read'));
  expect([await status(), await status()]).toEqual([200, 200]);
  await manage('PUT', `acl/role/${role.ID}`, {
    Name: 'r',
    NodeIdentities: [{ NodeName: 'n', Datacenter: 'dc1' }],
  });
  expect(await status()).toBe(403);
  await manage('PUT', `acl/role/${role.ID}`, { Name: 'r', Policies: [{ ID: policy.ID }] });
  expect(await status()).toBe(200);
  await manage('DELETE', `acl/policy/${policy.ID}`);
  expect(await status()).toBe(403);
});

test('a token expires at its time, and is neither listed nor shown from then on', async () => {
  const { manage, pass, root, withToken } = await guarded();
  const { SecretID, AccessorID } = await manage('PUT', 'acl/token', { ExpirationTTL: '61s' });
  const send = withToken(SecretID);
  // Expired tokens were looked for a second before.
  pass(60);
  expect(await send.status('GET', 'acl/token/self')).toBe(200);
  pass(1);
  expect(await send('GET', 'acl/token/self')).toBe('403 token does not exist: ACL not found');
  expect(await root.status('GET', `acl/token/${AccessorID}`)).toBe(403);
  expect(await root.text('GET', 'acl/tokens')).not.toContain(AccessorID);
});

test('expired tokens are removed once a minute', async () => {
  const { manage, ask, pass, rootHeaders } = await guarded();
  await manage('PUT', 'acl/token', { ExpirationTTL: '61s' });
  const headers = rootHeaders;
  /** Changes when a token is removed. */
  const index = async () => (await ask('GET', 'acl/tokens', { headers })).headers['x-registry-index'];
  const before = await index();
  pass(60);
  expect(await index()).toBe(before);
  pass(1);
  expect(await index()).toBe(before);
  pass(58);
  expect(await index()).toBe(before);
  pass(1);
  const after = Number(await index());
  expect(after).toBe(Number(before) + 1);
  pass(3600);
  expect(Number(await index())).toBe(after);
});
