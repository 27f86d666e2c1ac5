import { expect, test } from 'vitest';
import { guarded, registry } from './support.ts';

const unknown = '99999999-9999-4999-8999-999999999999';
const mustBootstrap =
  'ACL system must be bootstrapped before making any requests that require authorization: ACL not found';

test('an unknown token is ignored where none is needed', async () => {
  const { as } = await guarded();
  const send = as({ 'X-Consul-Token': unknown });
  const reads = ['status/leader', 'status/peers', 'agent/version', 'catalog/datacenters', 'acl/replication'];
  for (const path of reads) expect(await send.status('GET', path), path).toBe(200);
  expect(await send('PUT', 'acl/bootstrap')).toMatch(/^403 .*no longer allowed/s);
  expect(await send('POST', 'acl/login', { AuthMethod: 'x' })).toBe(
    '403 ACL not found: auth method "x" not found',
  );
  expect(await send('GET', 'acl/token/self')).toBe('403 token does not exist: ACL not found');
  for (const path of ['agent/self', 'catalog/nodes', 'kv/a', 'acl/tokens'])
    expect(await send('GET', path), path).toBe('403 ACL not found');
});

test('until ACLs are bootstrapped, the error for an unknown token says so', async () => {
  const { ask } = await registry();
  const headers = { 'X-Consul-Token': unknown };
  for (const path of ['kv/a', 'acl/tokens', 'catalog/nodes'])
    expect(await ask('GET', path, { headers })).toMatchObject({ status: 403, text: mustBootstrap });
  const { status, json } = await ask('PUT', 'acl/bootstrap', { headers });
  expect([status, json]).toEqual([200, expect.objectContaining({ SecretID: expect.any(String) })]);
  expect(await ask('GET', 'kv/a', { headers })).toMatchObject({ status: 403, text: 'ACL not found' });
});

test('agent/self has statistics, and members the versions of their protocol', async () => {
  const { json } = await registry({ datacenters: ['dc1', 'dc2'] });
  await json('GET', 'catalog/nodes');
  const leader = (await json('GET', 'status/leader')) as unknown as string;
  expect(await json('GET', 'agent/self')).toMatchObject({
    Stats: {
      agent: { check_ttls: '0', checks: '0', services: '0' },
      consul: { acl: 'enabled', known_datacenters: '2', leader: 'true', leader_addr: leader, server: 'true' },
    },
  });
  expect(await json('GET', 'agent/members')).toMatchObject([
    { Tags: { vsn: '2', vsn_min: '2', vsn_max: '3', raft_vsn: '3', wan_join_port: '8302' } },
  ]);
});
