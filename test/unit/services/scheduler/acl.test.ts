import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder } from '../support.ts';
import { guarded, scheduler } from './support.ts';

const Items = { k: 'v' };

describe('access control', () => {
  test('is off until it is bootstrapped, and closed from then on', async () => {
    const { ask, send, put } = await scheduler();
    await put('a');
    for (const path of ['tokens', 'policies', 'policy/a', 'token/a']) {
      expect(await send('GET', `acl/${path}`)).toMatch(/^400 ACL support disabled/);
    }
    const headers = { 'X-Nomad-Token': '0b8f1f6e-9f5b-4f2f-8f0e-2f8f0f8f0f8f' };
    for (const caller of [{}, { headers }])
      expect((await ask('GET', 'acl/token/self', caller)).json).toMatchObject({
        AccessorID: 'acls-disabled',
        Name: 'ACLs disabled token',
        Type: 'client',
        Policies: null,
      });
    const first = await ask('POST', 'acl/bootstrap');
    expect(first.json).toMatchObject({
      Name: 'Bootstrap Token',
      Type: 'management',
      Policies: null,
      Roles: null,
      Global: true,
      CreateTime: '2026-01-02T12:00:00.000Z',
      AccessorID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      SecretID: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(await send('PUT', 'acl/bootstrap')).toBe(
      `400 ACL bootstrap already done (reset index: ${first.json?.ModifyIndex})`,
    );
    expect(await send('GET', 'var/a')).toBe('403 Permission denied');
    expect(await send('GET', 'acl/tokens')).toBe('403 Permission denied');
    expect((await ask('GET', 'acl/token/self')).json).toMatchObject({
      AccessorID: 'anonymous',
      SecretID: '',
    });
    expect(await send.status('GET', 'agent/self')).toBe(403);
    expect(await send.status('GET', 'agent/health')).toBe(200);
    const secret = String(first.json?.SecretID);
    for (const headers of [
      { 'X-Nomad-Token': secret },
      { 'X-Scheduler-Token': secret },
      { Authorization: `Bearer ${secret}` },
    ] as Record<string, string>[]) {
      expect((await ask('GET', 'var/a', { headers })).status).toBe(200);
    }
    const wrong = await ask('GET', 'var/a', { headers: { 'X-Nomad-Token': 'wrong' } });
    expect([wrong.status, wrong.text]).toEqual([403, 'Permission denied']);
    for (const path of ['status/leader', 'status/peers', 'regions', 'agent/health'])
      expect((await ask('GET', path, { headers: { 'X-Nomad-Token': 'wrong' } })).status).toBe(200);
  });

  test('is bootstrapped with a given secret', async () => {
    const { json, send } = await scheduler();
    const BootstrapSecret = '2b778dd9-f5f1-6f29-b4b4-9a5fa948757a';
    expect(await send('PUT', 'acl/bootstrap', { BootstrapSecret: 'short' })).toBe('400 invalid acl token');
    expect((await json('PUT', 'acl/bootstrap', { BootstrapSecret })).SecretID).toBe(BootstrapSecret);
  });

  test('is unchanged after a restart, with no secret in the data', async () => {
    const data = await folder();
    const first = await guarded({ dataDirectory: data });
    const { secret } = await first.holder(
      'namespace "default" { variables { path "*" { capabilities = ["read"] } } }',
    );
    await first.close();
    for (const name of await readdir(data)) {
      const bytes = await readFile(join(data, name));
      for (const plain of [secret, String(first.bootstrapped.SecretID)]) {
        expect(bytes.includes(plain), name).toBe(false);
      }
    }
    const second = await scheduler({ dataDirectory: data });
    expect(await second.send.status('GET', 'var/a')).toBe(403);
    const headers = { 'X-Nomad-Token': secret };
    expect((await second.ask('GET', 'var/a', { headers })).status).toBe(404);
    expect((await second.ask('GET', 'acl/token/self', { headers })).json?.SecretID).toBe(secret);
  });
});

describe('the rules of variables', () => {
  const ruled = (paths: string) => `namespace "default" { variables { ${paths} } }`;
  const path = (name: string, ...capabilities: string[]) =>
    `path "${name}" { capabilities = ${JSON.stringify(capabilities)} }`;

  /** What can be done with a variable: of list, read, write, destroy, their first letters. */
  async function can(all: Awaited<ReturnType<typeof guarded>>, rules: string[], at: string, ns = 'default') {
    const { send } = await all.holder(...rules);
    await all.manage('PUT', `var/${at}?namespace=${ns}`, { Items });
    const list = String(await send.text('GET', `vars?namespace=${ns}&prefix=${at}`));
    const done = [
      ['l', list.includes(`"${at}"`)],
      ['r', (await send.status('GET', `var/${at}?namespace=${ns}`)) === 200],
      ['w', (await send.status('PUT', `var/${at}?namespace=${ns}`, { Items })) === 200],
      ['d', (await send.status('DELETE', `var/${at}?namespace=${ns}`)) === 200],
    ] as const;
    return done.map(([letter, may]) => (may ? letter : '')).join('');
  }

  test.each([
    ['each capability for itself', [ruled(path('a', 'list'))], 'a', 'l'],
    ['write alone', [ruled(path('a', 'write'))], 'a', 'w'],
    ['destroy alone', [ruled(path('a', 'destroy'))], 'a', 'd'],
    ['read, which has list in it', [ruled(path('a', 'read'))], 'a', 'lr'],
    ['all of them', [ruled(path('a', 'list', 'read', 'write', 'destroy'))], 'a', 'lrwd'],
    ['a denial before all', [ruled(path('a', 'deny', 'read', 'write'))], 'a', ''],
    ['nothing elsewhere', [ruled(path('a', 'read'))], 'b', ''],
    ['a closer denial', [ruled(path('app/*', 'read') + path('app/secret/*', 'deny'))], 'app/secret/x', ''],
    ['several policies together', [ruled(path('a', 'read')), ruled(path('a', 'write'))], 'a', 'lrw'],
    ['a denial of one of several policies', [ruled(path('a', 'read')), ruled(path('a', 'deny'))], 'a', ''],
    ['nothing for a namespace that is only written', ['namespace "default" { policy = "write" }'], 'a', ''],
    ['a namespace by glob', [`namespace "def*" { variables { ${path('a', 'read')} } }`], 'a', 'lr'],
    [
      'the namespace by name before a glob',
      [`namespace "*" { variables { ${path('*', 'write')} } }`, ruled(path('*', 'read'))],
      'a',
      'lr',
    ],
    ['another namespace', [`namespace "web" { variables { ${path('*', 'read')} } }`], 'a', ''],
  ])('apply: %s', async (_what, rules, at, expected) => {
    expect(await can(await guarded(), rules, at)).toBe(expected);
  });

  test('are removed with the policy, and with the token', async () => {
    const { holder, manage } = await guarded();
    const { send, AccessorID } = await holder(ruled(path('*', 'read')));
    expect(await send.status('GET', 'var/a')).toBe(404);
    await manage('DELETE', 'acl/policy/policy-1');
    expect(await send.status('GET', 'var/a')).toBe(403);
    await manage('DELETE', `acl/token/${AccessorID}`);
    expect(await send('GET', 'var/a')).toBe('403 Permission denied');
  });
});

describe('policies', () => {
  test('are put, read, listed without their rules, and deleted', async () => {
    const { manage, root } = await guarded();
    const Rules = 'agent { policy = "read" }';
    expect(await root('PUT', 'acl/policy/a', { Name: 'a', Description: 'd', Rules })).toBe('200');
    const policy = await manage('GET', 'acl/policy/a');
    expect(policy).toMatchObject({ Name: 'a', Description: 'd', Rules, Hash: expect.any(String) });
    const { Rules: _rules, ...listed } = policy;
    expect(listed).toMatchObject({ JobACL: null });
    expect(await manage('GET', 'acl/policies')).toEqual([listed]);
    expect(await manage('GET', 'acl/policies?prefix=b')).toEqual([]);
    expect(await root('DELETE', 'acl/policy/a')).toBe('200');
    expect(await root('DELETE', 'acl/policy/a')).toBe('404 ACL policy not found');
    expect(await root('GET', 'acl/policy/a')).toBe('404 ACL policy not found');
    expect(await root('PUT', 'acl/policy/a', { Name: 'b', Rules })).toBe(
      '400 ACL policy name does not match request path',
    );
    expect(await root.status('PUT', 'acl/policy/a_b', { Rules })).toBe(400);
    expect(await root.status('PUT', 'acl/policy/a', { Description: 'd'.repeat(257), Rules })).toBe(400);
  });

  test('are rejected with rules longer than 65536 characters', async () => {
    const { root } = await guarded();
    const put = (Rules: string) => root('PUT', 'acl/policy/a', { Rules });
    expect(await put('#'.repeat(65_537))).toMatch(/^400 .*rules longer than 65536 characters/s);
    const rules = 'agent { policy = "read" } #';
    expect(await put(rules.padEnd(65_536, '#'))).toBe('200');
  });

  test('are read with comments, and with rules for unsupported resources', async () => {
    const { manage } = await guarded();
    await manage('PUT', 'acl/policy/a', {
      Rules: `
        # one
        // two
        /* and
           three */
        node { policy = "read" }
        host_volume "x" { policy = "write" }
        namespace "*" { policy = "read" capabilities = ["list-jobs", "read-job",] variables { } }
      `,
    });
  });

  test('are visible to tokens with permissions in them', async () => {
    const { holder, manage, anonymous } = await guarded();
    await manage('PUT', 'acl/policy/other', { Rules: 'agent { policy = "read" }' });
    const { send } = await holder('agent { policy = "read" }');
    expect(await send.status('GET', 'acl/policy/policy-1')).toBe(200);
    expect(await send('GET', 'acl/policy/other')).toBe('403 Permission denied');
    const list = JSON.parse(await send.text('GET', 'acl/policies'));
    expect(list.map(({ Name }: { Name: string }) => Name)).toEqual(['policy-1']);
    expect(await anonymous('GET', 'acl/policies')).toBe('200 []');
    expect(await anonymous.status('GET', 'acl/policy/policy-1')).toBe(403);
    expect(await send.status('PUT', 'acl/policy/mine', { Rules: 'agent { policy = "read" }' })).toBe(403);
    expect(await send.status('GET', 'agent/self')).toBe(200);
  });
});

describe('tokens', () => {
  test('are made, changed, read, listed without their secrets, and deleted', async () => {
    const { manage, bootstrapped, root } = await guarded();
    const made = await manage('POST', 'acl/token', { Name: 'ci', Type: 'client', Policies: ['a', 'a', 'b'] });
    expect(made).toMatchObject({ Name: 'ci', Type: 'client', Policies: ['a', 'b'], Global: false });
    const at = `acl/token/${made.AccessorID}`;
    const { AccessorID } = made;
    const changed = await manage('POST', at, { AccessorID, Name: 'cd', Type: 'client', Policies: ['c'] });
    const [ModifyIndex, Hash] = [expect.any(Number), expect.any(String)];
    expect(changed).toEqual({ ...made, Name: 'cd', Policies: ['c'], ModifyIndex, Hash });
    expect(changed.Hash).not.toBe(made.Hash);
    expect(await manage('GET', at)).toEqual(changed);
    const list = (await manage('GET', 'acl/tokens')) as unknown as object[];
    expect(list).toHaveLength(2);
    expect(JSON.stringify(list)).not.toMatch(/Secret|ExpirationTTL/);
    expect(list).toContainEqual(expect.objectContaining({ Policies: null }));
    expect(list).toContainEqual(expect.objectContaining({ AccessorID, Hash: changed.Hash }));
    expect(await manage('GET', `acl/tokens?prefix=${made.AccessorID}`)).toHaveLength(1);
    expect(await root('DELETE', at)).toBe('200');
    expect(await root('DELETE', at)).toBe(`400 Cannot delete nonexistent tokens: ${AccessorID}`);
    expect(await root('GET', at)).toBe('404 ACL token not found');
    expect(await root('POST', at, { AccessorID, Type: 'client', Policies: ['a'] })).toBe(
      `400 cannot find token ${AccessorID}`,
    );
    expect((await manage('GET', 'acl/token/self')).AccessorID).toBe(bootstrapped.AccessorID);
  });

  test.each([
    [{ Type: 'management', ExpirationTime: 'soon' }, 'ExpirationTime of the body must be a time'],
    [{ Type: 'management', ExpirationTTL: 'soon' }, 'ExpirationTTL of the body must be a duration'],
  ])('are rejected as %j', async (body, message) => {
    const { root } = await guarded();
    expect(await root('PUT', 'acl/token', body)).toBe(`400 invalid ACL token: ${message}`);
  });

  test.each([
    [
      { Type: 'management', Roles: [{ Name: 'r' }] },
      ['management token cannot be associated with policies or roles'],
    ],
    [
      { Type: 'client', Name: 'x'.repeat(257) },
      ['token name too long', 'client token missing policies or roles'],
    ],
  ])('are rejected with all that is wrong, as %j', async (body, problems) => {
    const { root } = await guarded();
    const count = problems.length === 1 ? '1 error' : `${problems.length} errors`;
    expect(await root('PUT', 'acl/token', body)).toBe(
      `400 token 0 invalid: ${count} occurred:\n${problems.map((problem) => `\t* ${problem}\n`).join('')}\n`,
    );
  });

  test.each([
    [
      { ExpirationTime: '2026-01-02T11:59:00Z' },
      '2 errors occurred:\n\t* expiration time cannot be before create time\n\t* expiration time cannot be less than 1m0s in the future (was -1m0s)\n\n',
    ],
    [
      { ExpirationTTL: '59s' },
      '1 error occurred:\n\t* expiration time cannot be less than 1m0s in the future (was 59s)\n\n',
    ],
    [
      { ExpirationTTL: '24h1m' },
      '1 error occurred:\n\t* expiration time cannot be more than 24h0m0s in the future (was 24h1m0s)\n\n',
    ],
  ])('expire in one minute to one day: %j', async (body, message) => {
    const { root } = await guarded();
    const token = { Type: 'management', ...body };
    expect(await root('PUT', 'acl/token', token)).toBe(`400 token 0 invalid: ${message}`);
  });

  test('show their expiry, which cannot be changed', async () => {
    const { manage, root } = await guarded();
    const token = { Type: 'client', Policies: ['a'] };
    const unlimited = await manage('PUT', 'acl/token', token);
    expect(unlimited).toMatchObject({ ExpirationTTL: '', ExpirationTime: null });
    const limited = await manage('PUT', 'acl/token', { ...token, ExpirationTTL: '1h' });
    expect(limited).toMatchObject({ ExpirationTTL: '1h0m0s', ExpirationTime: '2026-01-02T13:00:00.000Z' });
    // As the Go client sends them back.
    expect(await manage('PUT', 'acl/token', limited)).toMatchObject({ ExpirationTTL: '1h0m0s' });
    const change = async (changed: object) => root('PUT', 'acl/token', changed);
    expect(await change({ ...unlimited, ExpirationTTL: 600e9 })).toBe(
      '400 token 0 invalid: 1 error occurred:\n\t* cannot update expiration TTL\n\n',
    );
    expect(await change({ ...limited, ExpirationTime: '2026-01-02T14:00:00Z', Global: true })).toBe(
      '400 token 0 invalid: 2 errors occurred:\n\t* cannot toggle global mode\n\t* cannot update expiration time\n\n',
    );
  });

  test('are uploaded with their accessor and secret', async () => {
    const { manage, root, withToken } = await guarded();
    const token = {
      AccessorID: 'b306571d-a3fa-42d2-ac5b-bbe49d8c3c7f',
      SecretID: 'c28ba0f6-ab8d-4e4d-b9f0-7f9f5d1c2e3a',
      Type: 'client',
      Policies: ['a'],
    };
    const upload = (changed: object, path = 'acl/token') => root('PUT', path, { ...token, ...changed });
    expect(await upload({}, `acl/token/${token.AccessorID}`)).toMatch(/^200 /);
    expect(await manage('GET', `acl/token/${token.AccessorID}`)).toMatchObject(token);
    expect(await withToken(token.SecretID).status('GET', 'acl/token/self')).toBe(200);
    expect(await upload({ Name: 'again', SecretID: '' })).toMatch(/^200 /);
    const AccessorID = 'b306571d-a3fa-42d2-ac5b-bbe49d8c3c70';
    expect(await upload({ AccessorID })).toMatch(/^400 .*belongs to another token/s);
    expect(await upload({ AccessorID, SecretID: 'x' })).toBe(`400 cannot find token ${AccessorID}`);
    expect(await upload({ AccessorID, Type: 'management', Policies: [] })).toBe(
      `400 cannot find token ${AccessorID}`,
    );
    expect(await upload({ AccessorID: 'x' })).toMatch(/^400 /);
  });

  test('cannot get another type or accessor ID', async () => {
    const { manage, root } = await guarded();
    const { AccessorID } = await manage('PUT', 'acl/token', { Type: 'management' });
    const change = (body: object) => root('PUT', `acl/token/${AccessorID}`, body);
    expect(await change({ AccessorID, Type: 'client', Policies: ['a'] })).toBe(
      '400 cannot change the type of a token',
    );
    for (const other of [{ AccessorID: 'other' }, {}])
      expect(await change({ ...other, Type: 'management' })).toBe(
        '400 ACL token accessor does not match request path',
      );
  });

  test('are seen by their owner and by management', async () => {
    const { holder, bootstrapped } = await guarded();
    const { send, AccessorID, secret } = await holder('agent { policy = "read" }');
    for (const path of ['self', AccessorID]) {
      expect(JSON.parse(await send.text('GET', `acl/token/${path}`)).SecretID).toBe(secret);
    }
    expect(await send('GET', `acl/token/${bootstrapped.AccessorID}`)).toBe('403 Permission denied');
    expect(await send.status('GET', 'acl/tokens')).toBe(403);
    expect(await send.status('PUT', 'acl/token', { Type: 'management' })).toBe(403);
    expect(await send.status('DELETE', `acl/token/${AccessorID}`)).toBe(403);
  });
});
