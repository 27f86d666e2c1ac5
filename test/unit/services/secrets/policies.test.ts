import { describe, expect, test } from 'vitest';
import { rootToken } from '../support.ts';
import { decorated } from './engine-calls.ts';
import { authOf, data, denied, outcome, secrets } from './support.ts';

describe('policies', () => {
  test('are stored, shown, listed and deleted', async () => {
    const { policy, post, put, get, list, remove } = await secrets();
    const hcl = '# all of it\npath "shelf/*" { capabilities = ["read", "list"] }\n';
    await policy('Readers', hcl);
    expect(data(await get('sys/policies/acl/readers'))).toEqual({ name: 'readers', policy: hcl });
    const old = { rules: hcl, data: { name: 'readers', rules: hcl } };
    expect((await get('sys/policy/readers')).json).toMatchObject(old);
    expect(data(await list('sys/policies/acl'))).toEqual({ keys: ['default', 'readers', 'root'] });
    expect((await get('sys/policy')).json).toMatchObject({ policies: ['default', 'readers', 'root'] });
    expect((await post('sys/namespaces/ns1')).status).toBe(200);
    expect(data(await list('ns1/sys/policies/acl'))).toEqual({ keys: ['default'] });
    expect((await get('ns1/sys/policy')).json).toMatchObject({ policies: ['default'] });
    expect(data(await get('ns1/sys/policies/acl/root'))).toEqual({ name: 'root', policy: '' });
    expect((await remove('sys/policy/readers')).status).toBe(204);
    expect(outcome(await get('sys/policies/acl/readers'))).toBe('404');
    expect(outcome(await remove('sys/policies/acl/default'))).toBe('400 cannot delete "default" policy');
    const written = await put('sys/policies/acl/root', { policy: hcl });
    expect(outcome(written)).toBe('400 cannot update "root" policy');
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
    expect(outcome(reply)).toBe(`400 failed to parse policy: ${message}`);
  });

  test('determine the permissions of a token', async () => {
    const { ask, createToken, policy, get } = await secrets();
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
    expect(outcome(await get('sys/mounts', some))).toBe(denied);
    expect((await get('auth/token/lookup-self', some)).status).toBe(200);
  });

  test('apply from the next request after they change, appear or are deleted', async () => {
    const { createToken, policy, put, get, remove } = await secrets();
    await put('shelf/things/a');
    const { client_token: token } = await createToken({ policies: ['p', 'later'] });
    const read = async () => (await get('shelf/things/a', token)).status;
    expect(await read()).toBe(403);
    await policy('p', 'path "shelf/*" { capabilities = ["read"] }');
    expect(await read()).toBe(200);
    await policy('later', 'path "shelf/*" { capabilities = ["deny"] }');
    expect(await read()).toBe(403);
    await remove('sys/policies/acl/later');
    expect(await read()).toBe(200);
    await policy('p', 'path "shelf/*" { capabilities = ["list"] }');
    expect(await read()).toBe(403);
  });

  test('for a path that uses a key require create to generate it and update to use it', async () => {
    const { tokenWith, post, put } = await secrets();
    const token = (capabilities: string) => tokenWith(`path "+/use/x" { capabilities = [${capabilities}] }`);
    const [creator, updater] = [await token('"create"'), await token('"update"')];
    const both = await token('"create", "update"');
    await post('sys/mounts/empty', { type: 'shelf' });
    for (const [mount, as, status] of [
      ['shelf', updater, 403],
      ['shelf', creator, 200],
      ['shelf', creator, 403],
      ['shelf', updater, 200],
      ['shelf', both, 200],
      ['empty', both, 200],
      ['empty', both, 200],
    ] as const)
      expect((await put(`${mount}/use/x`, {}, as)).status).toBe(status);
  });

  test('can be queried', async () => {
    const { tokenWith, post } = await secrets();
    const token = await tokenWith('path "shelf/a" { capabilities = ["read", "create"] }');
    const capabilities = (paths: string[], as?: string) => post('sys/capabilities-self', { paths }, as);
    expect(data(await capabilities(['shelf/a', 'shelf/b'], token))).toEqual({
      'shelf/a': ['create', 'read'],
      'shelf/b': ['deny'],
    });
    const root = { capabilities: ['root'], 'shelf/a': ['root'] };
    expect((await capabilities(['shelf/a'])).json).toMatchObject(root);
  });

  test('of another token are shown by token and by accessor', async () => {
    const { createToken, policy, post } = await secrets();
    await policy('p', 'path "shelf/a" { capabilities = ["read", "create"] }');
    const { client_token: token, accessor } = await createToken({ policies: ['p'] });
    const shown = { capabilities: ['create', 'read'], 'shelf/a': ['create', 'read'] };
    expect(data(await post('sys/capabilities', { token, path: 'shelf/a' }))).toEqual(shown);
    expect(data(await post('sys/capabilities-accessor', { accessor, paths: ['shelf/a'] }))).toEqual(shown);
    const own = { token: rootToken, paths: 'shelf/a' };
    expect(data(await post('sys/capabilities', own))).toMatchObject({ 'shelf/a': ['root'] });
    expect((await post('sys/capabilities', { token, path: 'shelf/a' }, token)).status).toBe(403);
    for (const [path, body, error] of [
      ['capabilities', { token: 'x', path: 'a' }, `400 ${decorated('invalid token')}`],
      ['capabilities', { path: 'a' }, `500 ${decorated('no token found')}`],
      ['capabilities', { token }, '400 paths must be supplied'],
      ['capabilities-accessor', { accessor: 'x', path: 'a' }, `400 ${decorated('invalid accessor')}`],
      ['capabilities-accessor', { path: 'a' }, '400 missing accessor'],
    ] as const)
      expect(outcome(await post(`sys/${path}`, body))).toBe(error);
    expect((await post('sys/capabilities-self', { path: 'a', nonsense: 1 })).json?.warnings).toEqual([
      'Endpoint ignored these unrecognized parameters: [nonsense]',
    ]);
  });

  test('of a token are shown in its namespace and below, and by accessor in its namespace', async () => {
    const { createToken, policy, post, put } = await secrets();
    await put('sys/namespaces/ns1');
    await policy('p', 'path "ns1/shelf/a" { capabilities = ["read"] }');
    const { client_token: token, accessor } = await createToken({ policies: ['p'] });
    const below = await post('ns1/sys/capabilities', { token, path: 'shelf/a' });
    expect(data(below)).toMatchObject({ 'shelf/a': ['read'] });
    const byAccessor = await post('ns1/sys/capabilities-accessor', { accessor, path: 'a' });
    expect(outcome(byAccessor)).toBe(`400 ${decorated('invalid accessor')}`);
    const inside = await post('ns1/auth/token/create', { policies: ['default'] });
    const { client_token: other } = authOf(inside);
    const above = await post('sys/capabilities', { token: other, path: 'a' });
    expect(outcome(above)).toBe(`400 ${decorated('invalid token')}`);
  });
});
