import { describe, expect, test } from 'vitest';
import { decorated } from './engine-calls.ts';
import { data, errors, secrets } from './support.ts';

describe('a response', () => {
  test('has every field of the JSON format', async () => {
    const { ask } = await secrets();
    const reply = await ask('GET', 'shelf/echo/x?a=1');
    expect(reply.json).toEqual({
      request_id: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      lease_id: '',
      renewable: false,
      lease_duration: 0,
      data: { operation: 'read', path: 'echo/x', data: { a: '1' }, headers: {}, displayName: 'root' },
      wrap_info: null,
      warnings: null,
      auth: null,
      mount_type: 'shelf',
    });
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'application/json' });
  });

  test('to a write without a result is 204 without a body', async () => {
    const { ask } = await secrets();
    const reply = await ask('PUT', 'shelf/things/a', { body: { a: 1 } });
    expect(reply).toMatchObject({ status: 204, text: '' });
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  test('can be plain text', async () => {
    const { ask } = await secrets();
    const reply = await ask('GET', 'shelf/public', { token: null });
    expect(reply).toMatchObject({ status: 200, text: 'for all\n' });
    expect(reply.headers['content-type']).toBe('text/plain');
  });
});

describe('an error', () => {
  test('has the status and text of its kind', async () => {
    const { ask } = await secrets();
    expect(errors(await ask('GET', 'shelf/things/none'))).toEqual([404, []]);
    expect(errors(await ask('LIST', 'shelf/things'))).toEqual([404, []]);
    expect(errors(await ask('GET', 'sys/nowhere'))).toEqual([404, [decorated('unsupported path')]]);
    expect(errors(await ask('GET', 'shelf/echo/name.'))).toEqual([404, [decorated('unsupported path')]]);
    expect(errors(await ask('GET', 'shelf/echo/name/'))).toEqual([404, [decorated('unsupported path')]]);
    expect(errors(await ask('DELETE', 'sys/mounts'))).toEqual([405, [decorated('unsupported operation')]]);
    expect(errors(await ask('OPTIONS', 'shelf/echo/x'))).toEqual([405, [decorated('unsupported operation')]]);
    expect(errors(await ask('DELETE', 'sys/health'))).toEqual([405, [decorated('unsupported operation')]]);
    expect(errors(await ask('GET', 'nowhere/x'))).toEqual([
      404,
      ['no handler for route "nowhere/x". route entry not found.'],
    ]);
    expect(errors(await ask('GET', 'shelf/echo/x', { token: null }))).toEqual([403, ['permission denied']]);
    expect(errors(await ask('GET', 'shelf/echo/x', { token: 'wrong' }))).toEqual([
      403,
      ['permission denied', 'invalid token'],
    ]);
    expect(errors(await ask('POST', 'auth/token/create', { body: { ttl: {} } }))).toEqual([
      400,
      [expect.stringContaining('Field validation failed: error converting input for field "ttl":')],
    ]);
    expect(errors(await ask('GET', 'shelf/echo/x?list=perhaps'))).toMatchObject([400, [expect.any(String)]]);
    expect((await ask('PATCH', 'shelf/echo/x', { body: {} })).status).toBe(415);
  });

  test('of an internal fault reveals nothing to the caller, and is logged', async () => {
    const { ask, logged } = await secrets();
    expect(errors(await ask('GET', 'shelf/broken'))).toEqual([500, [decorated('internal error')]]);
    expect(logged).toEqual(['secrets: the combination is 1234']);
  });

  test('is the response of every route without a token, except the unauthenticated ones', async () => {
    const { ask } = await secrets();
    const closed = [
      'sys/mounts',
      'sys/policy',
      'sys/policies/acl/default',
      'auth/token/lookup-self',
      'shelf/things/a',
    ];
    for (const path of [...closed, 'sys/internal/ui/mounts/shelf', 'nowhere', 'shelf', 'sys', '']) {
      for (const method of ['GET', 'LIST', 'PUT', 'DELETE']) {
        expect(errors(await ask(method, path, { token: null })), `${method} ${path}`).toEqual([
          403,
          ['permission denied'],
        ]);
      }
    }
    expect((await ask('DELETE', 'shelf/public', { token: null })).status).toBe(403);
    expect((await ask('PUT', 'sys/seal', { token: null })).status).toBe(403);
  });
});

describe('a request', () => {
  test('has the operation of its method and query', async () => {
    const { ask } = await secrets();
    const operation = async (method: string, path: string, headers = {}) =>
      data(await ask(method, `shelf/echo/${path}`, { headers, ...(/P/.test(method) && { body: {} }) }))
        ?.operation;
    expect(await operation('GET', 'x')).toBe('read');
    expect(await operation('GET', 'x?list=true')).toBe('list');
    expect(await operation('GET', 'x/?list=1')).toBe('list');
    expect(await operation('GET', 'x?list=false')).toBe('read');
    expect(await operation('GET', 'x?list=')).toBe('read');
    expect(await operation('LIST', 'x')).toBe('list');
    expect(await operation('LIST', 'x/')).toBe('list');
    expect(await operation('PUT', 'x')).toBe('update');
    expect(await operation('POST', 'x')).toBe('update');
    expect(await operation('DELETE', 'x')).toBe('delete');
    expect(await operation('RECOVER', 'x')).toBe('recover');
    expect(await operation('POST', 'x', { 'X-Secrets-Recover-Snapshot-Id': 's' })).toBe('recover');
    expect(await operation('PATCH', 'x', { 'Content-Type': 'application/merge-patch+json' })).toBe('patch');
  });

  test('may have a form as its body, unless the body is valid JSON', async () => {
    const { ask } = await secrets();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const form = await ask('PUT', 'shelf/echo/x', { body: 'a=1&b=x+y', headers });
    expect(data(form)?.data).toEqual({ a: '1', b: 'x y' });
    const json = await ask('PUT', 'shelf/echo/x', { body: ' {"a":1}', headers });
    expect(data(json)?.data).toEqual({ a: 1 });
  });

  test('in a namespace that does not exist is not found, wherever the namespace is named', async () => {
    const { ask } = await secrets();
    const split: [string, string][] = [
      ['ns1/ns2/', 'shelf/echo/x'],
      ['ns1', 'ns2/shelf/echo/x'],
      ['', 'ns1/ns2/shelf/echo/x'],
    ];
    for (const [header, path] of split) {
      expect(errors(await ask('GET', path, { headers: { 'X-Secrets-Namespace': header } }))).toEqual([
        404,
        ['no handler for route "ns1/ns2/shelf/echo/x". route entry not found.'],
      ]);
    }
    expect((await ask('GET', 'echo/x', { headers: { 'X-Vault-Namespace': 'shelf' } })).status).toBe(404);
    expect(
      (await ask('GET', 'public', { token: null, headers: { 'X-Vault-Namespace': 'shelf' } })).status,
    ).toBe(403);
    expect((await ask('GET', 'shelf/echo/x', { headers: { 'X-Vault-Namespace': 'a/../b' } })).status).toBe(
      400,
    );
    for (const root of ['', '/', 'root', 'root/']) {
      expect((await ask('GET', 'shelf/echo/x', { headers: { 'X-Vault-Namespace': root } })).status).toBe(200);
    }
  });
});
