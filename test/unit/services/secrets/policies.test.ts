import { describe, expect, test } from 'vitest';
import { decorated } from './engine-calls.ts';
import { authOf, data, errors, secrets } from './support.ts';

describe('policies', () => {
  test('are stored, shown, listed and deleted', async () => {
    const { ask, policy } = await secrets();
    const hcl = '# all of it\npath "shelf/*" { capabilities = ["read", "list"] }\n';
    await policy('Readers', hcl);
    expect(data(await ask('GET', 'sys/policies/acl/readers'))).toEqual({ name: 'readers', policy: hcl });
    expect((await ask('GET', 'sys/policy/readers')).json).toMatchObject({
      rules: hcl,
      data: { name: 'readers', rules: hcl },
    });
    expect(data(await ask('LIST', 'sys/policies/acl'))).toEqual({ keys: ['default', 'readers', 'root'] });
    expect((await ask('GET', 'sys/policy')).json).toMatchObject({ policies: ['default', 'readers', 'root'] });
    expect((await ask('POST', 'sys/namespaces/ns1', { body: {} })).status).toBe(200);
    expect(data(await ask('LIST', 'ns1/sys/policies/acl'))).toEqual({ keys: ['default'] });
    expect((await ask('GET', 'ns1/sys/policy')).json).toMatchObject({ policies: ['default'] });
    expect(data(await ask('GET', 'ns1/sys/policies/acl/root'))).toEqual({ name: 'root', policy: '' });
    expect((await ask('DELETE', 'sys/policy/readers')).status).toBe(204);
    expect(errors(await ask('GET', 'sys/policies/acl/readers'))).toEqual([404, []]);
    expect(errors(await ask('DELETE', 'sys/policies/acl/default'))).toEqual([
      400,
      ['cannot delete "default" policy'],
    ]);
    expect(errors(await ask('PUT', 'sys/policies/acl/root', { body: { policy: hcl } }))).toEqual([
      400,
      ['cannot update "root" policy'],
    ]);
  });

  test.for([
    ['path "x" { capabilities = ["rule"] }', 'line 1: path "x": invalid capability "rule"'],
    ['\n\npath "x" capabilities', 'line 3: expected "{", found capabilities'],
    ['path "x" { mfa_methods = ["m"] }', 'line 1: expected "capabilities", found mfa_methods'],
    [
      '{"path":{"x":{"capabilities":["read"],"list_scan_response_keys_filter_path":"x"}}}',
      '"list_scan_response_keys_filter_path" is not supported in a policy',
    ],
    [
      'path "x" { allowed_parameters = { "a" = "x" } }',
      'line 1: path "x": invalid allowed_parameters: expected a list of values for a',
    ],
    [
      'path "x" { denied_parameters = [] }',
      'line 1: path "x": invalid denied_parameters: expected an object with a list of values for each parameter',
    ],
    [
      'path "x" { required_parameters = "x" }',
      'line 1: path "x": invalid required_parameters: expected a list of names',
    ],
    ['path "x" { pagination_limit = "x" }', 'line 1: path "x": invalid pagination_limit: expected a number'],
    [
      'path "x" { expiration = "soon" }',
      'line 1: path "x": invalid expiration: could not parse string as date and time',
    ],
    [
      'path "a/{{identity.entity.id}/x" { }',
      'line 1: failed to validate policy templating: unbalanced templating characters',
    ],
    ['path "a/}}x" { }', 'line 1: failed to validate policy templating: unbalanced templating characters'],
    ['path "x" {', 'line 1: expected "capabilities", found the end'],
    ['path "x" { capabilities = ["read"', 'line 1: expected ",", found the end'],
  ] as const)('with unsupported or invalid content are rejected: %s', async ([text, message]) => {
    const { ask } = await secrets();
    const reply = await ask('PUT', 'sys/policies/acl/p', { body: { policy: text } });
    expect(errors(reply)).toEqual([400, [`failed to parse policy: ${message}`]]);
  });

  test('determine the permissions of a token', async () => {
    const { ask, createToken, policy } = await secrets();
    await policy(
      'some',
      `path "shelf/echo/*"        { capabilities = ["read", "update"] }
       path "shelf/echo/deep/*"   { capabilities = ["list"] }
       path "shelf/echo/+/b"      { capabilities = ["delete"], }`.replace(', }', ' }'),
    );
    await policy(
      'json',
      '{"path":{"shelf/echo/exact":{"capabilities":["read"]},"shelf/echo/both":{"capabilities":["delete"]}}}',
    );
    await policy(
      'deny',
      'path "shelf/echo/exact" { capabilities = ["deny"] }\npath "shelf/echo/both" { capabilities = ["read"] }',
    );
    const token = async (...policies: string[]) => (await createToken({ policies })).client_token;
    const [some, all] = [await token('some'), await token('some', 'json', 'deny')];
    const status = async (as: string, method: string, path: string) =>
      (await ask(method, `shelf/echo/${path}`, { token: as })).status;
    expect(await status(some, 'GET', 'x')).toBe(200);
    expect(await status(some, 'PUT', 'x')).toBe(200);
    expect(await status(some, 'DELETE', 'x')).toBe(403);
    expect(await status(some, 'LIST', 'deep')).toBe(200);
    expect(await status(some, 'GET', 'deep/x')).toBe(403);
    expect(await status(some, 'DELETE', 'a/b')).toBe(200);
    expect(await status(some, 'GET', 'a/b')).toBe(403);
    expect(await status(some, 'GET', 'exact')).toBe(200);
    expect(await status(all, 'GET', 'exact')).toBe(403);
    expect(await status(all, 'GET', 'both')).toBe(200);
    expect(await status(all, 'DELETE', 'both')).toBe(200);
    expect(await status(all, 'PUT', 'both')).toBe(403);
    expect(errors(await ask('GET', 'sys/mounts', { token: some }))).toEqual([
      403,
      [decorated('permission denied')],
    ]);
    expect((await ask('GET', 'auth/token/lookup-self', { token: some })).status).toBe(200);
  });

  test('apply from the next request after they change, appear or are deleted', async () => {
    const { ask, createToken, policy } = await secrets();
    await ask('PUT', 'shelf/things/a', { body: {} });
    const { client_token: token } = await createToken({ policies: ['p', 'later'] });
    const read = async () => (await ask('GET', 'shelf/things/a', { token })).status;
    expect(await read()).toBe(403);
    await policy('p', 'path "shelf/*" { capabilities = ["read"] }');
    expect(await read()).toBe(200);
    await policy('later', 'path "shelf/*" { capabilities = ["deny"] }');
    expect(await read()).toBe(403);
    await ask('DELETE', 'sys/policies/acl/later');
    expect(await read()).toBe(200);
    await policy('p', 'path "shelf/*" { capabilities = ["list"] }');
    expect(await read()).toBe(403);
  });

  test('distinguish create from update by the existence of the object', async () => {
    const { ask, createToken, policy } = await secrets();
    await policy('creator', 'path "shelf/things/*" { capabilities = ["create"] }');
    await policy('updater', 'path "shelf/things/*" { capabilities = ["update"] }');
    const creator = (await createToken({ policies: ['creator'] })).client_token;
    const updater = (await createToken({ policies: ['updater'] })).client_token;
    const put = async (token: string) =>
      (await ask('PUT', 'shelf/things/a', { token, body: { a: 1 } })).status;
    expect(await put(updater)).toBe(403);
    expect(await put(creator)).toBe(204);
    expect(await put(creator)).toBe(403);
    expect(await put(updater)).toBe(204);
  });

  test('for a path that uses a key require create to generate it and update to use it', async () => {
    const { ask, createToken, policy } = await secrets();
    const token = async (name: string, capabilities: string) => {
      await policy(name, `path "+/use/x" { capabilities = [${capabilities}] }`);
      return (await createToken({ policies: [name] })).client_token;
    };
    const creator = await token('creator', '"create"');
    const updater = await token('updater', '"update"');
    const both = await token('both', '"create", "update"');
    const use = async (as: string, mount = 'shelf') =>
      (await ask('PUT', `${mount}/use/x`, { token: as, body: {} })).status;
    expect(await use(updater)).toBe(403);
    expect(await use(creator)).toBe(200);
    expect(await use(creator)).toBe(403);
    expect(await use(updater)).toBe(200);
    await ask('POST', 'sys/mounts/empty', { body: { type: 'shelf' } });
    expect([await use(both), await use(both, 'empty'), await use(both, 'empty')]).toEqual([200, 200, 200]);
  });

  test('permit a list on its path with or without the slash', async () => {
    const { ask, createToken, policy } = await secrets();
    await ask('PUT', 'shelf/things/a', { body: {} });
    for (const [name, path] of [
      ['with', 'shelf/things/'],
      ['without', 'shelf/things'],
      ['glob', 'shelf/*'],
    ]) {
      await policy(name ?? '', `path "${path}" { capabilities = ["list"] }`);
      const { client_token: token } = await createToken({ policies: [name ?? ''] });
      expect((await ask('LIST', 'shelf/things', { token })).status, name).toBe(200);
      expect((await ask('GET', 'shelf/things/?list=true', { token })).status, name).toBe(200);
    }
  });

  test('can be queried', async () => {
    const { ask, createToken, policy } = await secrets();
    await policy('p', 'path "shelf/a" { capabilities = ["read", "create"] }');
    const { client_token: token } = await createToken({ policies: ['p'] });
    const asked = (paths: string[], as?: string) =>
      ask('POST', 'sys/capabilities-self', { body: { paths }, ...(as && { token: as }) });
    expect(data(await asked(['shelf/a', 'shelf/b'], token))).toEqual({
      'shelf/a': ['create', 'read'],
      'shelf/b': ['deny'],
    });
    expect((await asked(['shelf/a'])).json).toMatchObject({ capabilities: ['root'], 'shelf/a': ['root'] });
  });

  test('of another token are shown by token and by accessor', async () => {
    const { ask, createToken, policy } = await secrets();
    await policy('p', 'path "shelf/a" { capabilities = ["read", "create"] }');
    const { client_token: token, accessor } = await createToken({ policies: ['p'] });
    const asked = (path: string, body: object, as?: string) =>
      ask('POST', `sys/${path}`, { body, ...(as && { token: as }) });
    const expected = { capabilities: ['create', 'read'], 'shelf/a': ['create', 'read'] };
    expect(data(await asked('capabilities', { token, path: 'shelf/a' }))).toEqual(expected);
    expect(data(await asked('capabilities-accessor', { accessor, paths: ['shelf/a'] }))).toEqual(expected);
    const own = { token: 'hvs.test-root-token', paths: 'shelf/a' };
    expect(data(await asked('capabilities', own))).toMatchObject({ 'shelf/a': ['root'] });
    expect((await asked('capabilities', { token, path: 'shelf/a' }, token)).status).toBe(403);
    expect(errors(await asked('capabilities', { token: 'x', path: 'a' }))).toEqual([
      400,
      [decorated('invalid token')],
    ]);
    expect(errors(await asked('capabilities', { path: 'a' }))).toEqual([500, [decorated('no token found')]]);
    expect(errors(await asked('capabilities', { token }))).toEqual([400, ['paths must be supplied']]);
    expect(errors(await asked('capabilities-accessor', { accessor: 'x', path: 'a' }))).toEqual([
      400,
      [decorated('invalid accessor')],
    ]);
    expect(errors(await asked('capabilities-accessor', { path: 'a' }))).toEqual([400, ['missing accessor']]);
    expect((await asked('capabilities-self', { path: 'a', nonsense: 1 })).json?.warnings).toEqual([
      'Endpoint ignored these unrecognized parameters: [nonsense]',
    ]);
  });

  test('of a token are shown in its namespace and below, and by accessor in its namespace', async () => {
    const { ask, createToken, policy } = await secrets();
    await ask('PUT', 'sys/namespaces/ns1', { body: {} });
    await policy('p', 'path "ns1/shelf/a" { capabilities = ["read"] }');
    const { client_token: token, accessor } = await createToken({ policies: ['p'] });
    const below = await ask('POST', 'ns1/sys/capabilities', { body: { token, path: 'shelf/a' } });
    expect(data(below)).toMatchObject({ 'shelf/a': ['read'] });
    const byAccessor = await ask('POST', 'ns1/sys/capabilities-accessor', { body: { accessor, path: 'a' } });
    expect(errors(byAccessor)).toEqual([400, [decorated('invalid accessor')]]);
    const inside = await ask('POST', 'ns1/auth/token/create', { body: { policies: ['default'] } });
    const { client_token: other } = authOf(inside);
    const above = await ask('POST', 'sys/capabilities', { body: { token: other, path: 'a' } });
    expect(errors(above)).toEqual([400, [decorated('invalid token')]]);
  });
});
