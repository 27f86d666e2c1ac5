import { describe, expect, test } from 'vitest';
import { folder } from '../support.ts';
import { guarded, registry } from './support.ts';

describe('access control', () => {
  test('is open until it is bootstrapped, except for tokens and policies, and closed from then on', async () => {
    const { send, ask } = await registry();
    expect(await send('PUT', 'kv/a', '1')).toBe('200 true');
    expect(await send.status('GET', 'acl/tokens')).toBe(403);
    expect(await send.status('PUT', 'acl/token', {})).toBe(403);
    const first = await ask('PUT', 'acl/bootstrap');
    expect(first.status).toBe(200);
    expect(first.json).toMatchObject({
      ID: first.json?.SecretID,
      Description: 'Bootstrap Token (Global Management)',
      Policies: [{ ID: '00000000-0000-0000-0000-000000000001', Name: 'global-management' }],
      Local: false,
      CreateTime: '2026-01-02T12:00:00.000Z',
      CreateIndex: 3,
      ModifyIndex: 3,
    });
    expect(await send('PUT', 'acl/bootstrap')).toBe(
      '403 Permission denied: ACL bootstrap no longer allowed (reset index: 3)',
    );
    expect(await send('GET', 'kv/a')).toMatch(
      /^403 Permission denied: anonymous token lacks permission 'key:read' on "a"\. /,
    );
    const authorised = await ask('GET', 'kv/a?raw', {
      headers: { Authorization: `bearer ${first.json?.SecretID}` },
    });
    expect([authorised.text, authorised.headers['x-registry-default-acl-policy']]).toEqual(['1', 'deny']);
    expect((await ask('GET', `kv/a?token=${first.json?.SecretID}`)).status).toBe(200);
    expect(await send('GET', 'kv/a?token=wrong')).toBe('403 ACL not found');
  });

  test('is unchanged after a restart', async () => {
    const data = await folder();
    const first = await guarded({ dataDirectory: data });
    await first.close();
    const second = await registry({ dataDirectory: data });
    expect(await second.send.status('GET', 'kv/a')).toBe(403);
    expect(await second.send.status('PUT', 'acl/bootstrap')).toBe(403);
    const token = first.bootstrapped.SecretID;
    expect(await second.send.status('GET', `acl/token/self?token=${token}`)).toBe(200);
  });

  test('reads and writes keys by the most specific rule', async () => {
    const { holder } = await guarded();
    const { send, AccessorID } = await holder(`
      # Everything below a/, but not the secret one.
      key_prefix "a/" { policy = "write" }
      key_prefix "a/b/" { policy = "read" }
      key "a/secret" { policy = "deny" }
    `);
    expect(await send('PUT', 'kv/a/x', '1')).toBe('200 true');
    expect(await send('PUT', 'kv/a/b/x', '1')).toBe(
      `403 Permission denied: token with AccessorID '${AccessorID}' lacks permission 'key:write' on "a/b/x"`,
    );
    expect(await send.status('GET', 'kv/a/b/x')).toBe(404);
    expect(await send.status('GET', 'kv/a/secret')).toBe(403);
    expect(await send.status('DELETE', 'kv/a/?recurse')).toBe(403);
    expect(await send.status('DELETE', 'kv/a/x?recurse')).toBe(200);
    const other = await holder('{"key": {"a/secret": {"policy": "read"}}}');
    expect(await other.send.status('GET', 'kv/a/secret')).toBe(404);
  });

  test('omits from lists what the caller may not see, and reports it', async () => {
    const { holder, ask, manage } = await guarded();
    const { secret } = await holder('key_prefix "a" { policy = "read" } node "lanyard" { policy = "read" }');
    for (const key of ['a', 'ab', 'b']) await manage('PUT', `kv/${key}`, '1');
    await manage('PUT', 'catalog/register', { Node: 'n1', Address: '10.0.0.1' });
    const seen = async (path: string) => {
      const { text, headers } = await ask('GET', path, { headers: { 'X-Registry-Token': secret } });
      return [text, headers['x-registry-results-filtered-by-acls']];
    };
    expect(await seen('kv/?keys')).toEqual(['["a","ab"]', 'true']);
    expect(await seen('kv/a?keys')).toEqual(['["a","ab"]', undefined]);
    const [nodes, filtered] = await seen('catalog/nodes');
    expect([JSON.parse(nodes ?? '').length, filtered]).toEqual([1, 'true']);
  });

  test('holds in every verb of a transaction as it does on the single route', async () => {
    const { holder, ask, manage } = await guarded();
    const { secret } = await holder('key_prefix "mine/" { policy = "write" } key "seen" { policy = "read" }');
    await manage('PUT', 'kv/seen', '1');
    await manage('PUT', 'kv/other', '1');
    const kv = (Verb: string, Key: string) => ({ KV: { Verb, Key } });
    const failing = async (...body: object[]) => {
      const { json } = await ask('PUT', 'txn', { body, headers: { 'X-Registry-Token': secret } });
      const errors = (json?.Errors ?? []) as { OpIndex: number; What: string }[];
      return errors.map(({ OpIndex, What }) => `${OpIndex} ${/'(\S+)'(?= on|$)/.exec(What)?.[1]}`);
    };
    expect(await failing(kv('set', 'mine/a'), kv('get', 'seen'), kv('get-tree', 'm'))).toEqual([]);
    const writes = ['set', 'cas', 'lock', 'unlock', 'delete', 'delete-cas', 'delete-tree'];
    expect(await failing(...writes.map((verb) => kv(verb, 'seen')))).toEqual(
      writes.map((_verb, index) => `${index} key:write`),
    );
    expect(
      await failing(...['check-index', 'check-session', 'check-not-exists'].map((verb) => kv(verb, 'other'))),
    ).toEqual(['0 key:read', '1 key:read', '2 key:write']);
    const hidden = await ask('PUT', 'txn', {
      body: ['get', 'get-or-empty', 'get-tree'].map((verb) => kv(verb, 'other')),
      headers: { 'X-Registry-Token': secret },
    });
    expect(hidden.json).toMatchObject({ Results: [], Errors: null, ResultsFilteredByACLs: true });
    const node = { Node: 'n', Address: '10.0.0.1' };
    const check = { Node: 'n', CheckID: 'c' };
    const service = { Node: 'n', Service: { Service: 's' } };
    expect(
      await failing(
        { Node: { Verb: 'set', Node: node } },
        { Node: { Verb: 'get', Node: node } },
        { Service: { Verb: 'set', ...service } },
        { Service: { Verb: 'get', ...service } },
        { Check: { Verb: 'delete', Check: check } },
        { Check: { Verb: 'get', Check: check } },
      ),
    ).toEqual(['0 node:write', '2 service:write', '4 node:write']);
  });

  test('rules over sessions, the catalog and the agent', async () => {
    const { holder, anonymous } = await guarded();
    const web = { Node: 'n1', Address: '10.0.0.1', Service: { Service: 'web' } };
    expect(await anonymous.status('PUT', 'session/create')).toBe(403);
    expect(await anonymous.status('GET', 'agent/self')).toBe(403);
    expect(await anonymous.status('GET', 'status/leader')).toBe(200);
    const sessions = await holder(
      'session_prefix "" { policy = "write" } agent "lanyard" { policy = "read" }',
    );
    expect(await sessions.send.status('PUT', 'session/create')).toBe(200);
    expect(await sessions.send.status('GET', 'agent/self')).toBe(200);
    const services = await holder('service "web" { policy = "write" }');
    expect(await services.send.status('PUT', 'catalog/register', web)).toBe(403);
    const both = await holder('service "web" { policy = "write" } node_prefix "n" { policy = "write" }');
    expect(await both.send.status('PUT', 'catalog/register', web)).toBe(200);
    expect(await services.send.status('PUT', 'catalog/register', web)).toBe(200);
    expect(await services.send.status('PUT', 'catalog/deregister', { Node: 'n1' })).toBe(403);
    expect(await services.send.status('PUT', 'catalog/deregister', { Node: 'n1', ServiceID: 'web' })).toBe(
      200,
    );
  });
});

describe('tokens and policies', () => {
  test('are made, read, changed, cloned and removed', async () => {
    const { manage, anonymous, withToken } = await guarded();
    const policy = await manage('PUT', 'acl/policy', { Name: 'p', Rules: 'acl = "read"' });
    const token = await manage('PUT', 'acl/token', { Policies: [{ ID: policy.ID }], ExpirationTTL: '1h' });
    expect(token).toMatchObject({
      Policies: [{ ID: policy.ID, Name: 'p' }],
      ExpirationTime: '2026-01-02T13:00:00.000Z',
    });
    const own = withToken(token.SecretID);
    expect(await own.text('GET', 'acl/token/self')).toContain(String(token.SecretID));
    const read = await own.text('GET', `acl/token/${token.AccessorID}`);
    expect(read).toContain('<hidden>');
    expect(await own.status('PUT', 'acl/token', {})).toBe(403);
    const clone = await manage('PUT', `acl/token/${token.AccessorID}/clone`, { Description: 'two' });
    expect(clone).toMatchObject({ Policies: [{ Name: 'p' }], Description: 'two' });
    await manage('PUT', `acl/token/${token.AccessorID}`, { Description: 'none' });
    expect(await own.status('GET', 'acl/policies')).toBe(403);
    await manage('DELETE', `acl/policy/${policy.ID}`);
    expect(await manage('GET', `acl/token/${clone.AccessorID}`)).not.toHaveProperty('Policies');
    await manage('DELETE', `acl/token/${token.AccessorID}`);
    expect(await own('GET', 'acl/token/self')).toBe('403 token does not exist: ACL not found');
    expect(await anonymous('GET', 'acl/token/self')).toBe('403 token does not exist: ACL not found');
    expect(await manage('GET', 'acl/replication')).toMatchObject({ Enabled: false, ReplicatedIndex: 0 });
  });

  test('that do not exist, or are invalid, are rejected', async () => {
    const { root } = await guarded();
    expect(await root('DELETE', 'acl/policy/x')).toBe(
      '500 failed acl policy lookup: index error: UUID must be 36 characters',
    );
    expect(await root('PUT', 'acl/policy/x', { Name: 'p' })).toBe('500 Policy ID invalid UUID');
    expect(await root('DELETE', 'acl/token/x')).toBe('500 Accessor ID is missing or an invalid UUID');
    expect(await root('PUT', 'acl/token/x', {})).toBe('500 AccessorID is not a valid UUID');
    const rules = async (Rules: string) => await root.text('PUT', 'acl/policy', { Name: 'p', Rules });
    expect(await rules('key "a" {\n  polcy = "read"\n}')).toBe(
      'Failed to parse ACL rules: "polcy" is not supported in key "a"',
    );
    expect(await rules('key "a" {\n  policy "read"\n}')).toBe(
      'Failed to parse ACL rules: line 2: expected "=", found "read"',
    );
    expect(await rules('key { policy = "read" }')).toMatch(
      /^Failed to parse ACL rules: line 1: expected a quoted string/,
    );
    expect(await rules('"acl" = "reed"')).toMatch(/invalid policy for acl/);
    expect(await rules('keys "a" { policy = "read" }')).toBe(
      'Failed to parse ACL rules: unknown resource "keys"',
    );
    expect(await rules('acl = "list"')).toMatch(/^Failed to parse ACL rules: invalid policy for acl/);
    expect(await rules('key "a" { policy = "read"')).toMatch(/found the end$/);
  });
});
