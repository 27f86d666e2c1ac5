import { describe, expect, test } from 'vitest';
import { rootToken } from '../support.ts';
import { decorated } from './engine-calls.ts';
import { badToken, data, outcome, secrets } from './support.ts';

describe('a response', () => {
  test('has every field of the JSON format', async () => {
    const { get } = await secrets();
    const reply = await get('shelf/echo/x?a=1');
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
    const { put } = await secrets();
    const reply = await put('shelf/things/a', { a: 1 });
    expect(reply).toMatchObject({ status: 204, text: '' });
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  test('can be plain text', async () => {
    const { get } = await secrets();
    const reply = await get('shelf/public', null);
    expect(reply).toMatchObject({ status: 200, text: 'for all\n' });
    expect(reply.headers['content-type']).toBe('text/plain');
  });
});

describe('an error', () => {
  const unsupportedPath = `404 ${decorated('unsupported path')}`;
  const unsupportedOperation = `405 ${decorated('unsupported operation')}`;

  test.each([
    ['GET', 'shelf/things/none', rootToken, '404'],
    ['LIST', 'shelf/things', rootToken, '404'],
    ['GET', 'sys/nowhere', rootToken, unsupportedPath],
    ['GET', 'shelf/echo/name.', rootToken, unsupportedPath],
    ['GET', 'shelf/echo/name/', rootToken, unsupportedPath],
    ['DELETE', 'sys/mounts', rootToken, unsupportedOperation],
    ['OPTIONS', 'shelf/echo/x', rootToken, unsupportedOperation],
    ['DELETE', 'sys/health', rootToken, unsupportedOperation],
    ['GET', 'nowhere/x', rootToken, '404 no handler for route "nowhere/x". route entry not found.'],
    ['GET', 'shelf/echo/x', null, '403 permission denied'],
    ['DELETE', 'shelf/public', null, '403 permission denied'],
    ['GET', 'shelf/echo/x', 'wrong', badToken],
  ])('to %s %s with the token %s has the status and text of its kind', async (method, path, token, error) => {
    const { ask } = await secrets();
    expect(outcome(await ask(method, path, { token }))).toBe(error);
  });

  test('names the invalid field, parameter or media type', async () => {
    const { ask, post, get } = await secrets();
    expect(outcome(await post('auth/token/create', { ttl: {} }))).toMatch(
      '400 Field validation failed: error converting input for field "ttl":',
    );
    expect(outcome(await get('shelf/echo/x?list=perhaps'))).toMatch(/^400 ./);
    expect((await ask('PATCH', 'shelf/echo/x', { body: {} })).status).toBe(415);
  });

  test('of an internal fault reveals nothing to the caller, and is logged', async () => {
    const { logged, get } = await secrets();
    expect(outcome(await get('shelf/broken'))).toBe(`500 ${decorated('internal error')}`);
    expect(logged).toEqual(['secrets: the combination is 1234']);
  });
});

describe('a request', () => {
  const merge = { 'Content-Type': 'application/merge-patch+json' };

  test.each([
    ['GET', 'x', {}, 'read'],
    ['GET', 'x?list=true', {}, 'list'],
    ['GET', 'x/?list=1', {}, 'list'],
    ['GET', 'x?list=false', {}, 'read'],
    ['GET', 'x?list=', {}, 'read'],
    ['LIST', 'x', {}, 'list'],
    ['LIST', 'x/', {}, 'list'],
    ['PUT', 'x', {}, 'update'],
    ['POST', 'x', {}, 'update'],
    ['DELETE', 'x', {}, 'delete'],
    ['RECOVER', 'x', {}, 'recover'],
    ['POST', 'x', { 'X-Secrets-Recover-Snapshot-Id': 's' }, 'recover'],
    ['PATCH', 'x', merge, 'patch'],
  ])('%s %s %o is the operation %s', async (method, path, headers, operation) => {
    const { ask } = await secrets();
    const body = /P/.test(method) ? { body: {} } : {};
    expect(data(await ask(method, `shelf/echo/${path}`, { headers, ...body }))).toMatchObject({ operation });
  });

  test('may have a form as its body, unless the body is valid JSON', async () => {
    const { ask } = await secrets();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const form = await ask('PUT', 'shelf/echo/x', { body: 'a=1&b=x+y', headers });
    expect(data(form)?.data).toEqual({ a: '1', b: 'x y' });
    const json = await ask('PUT', 'shelf/echo/x', { body: ' {"a":1}', headers });
    expect(data(json)?.data).toEqual({ a: 1 });
  });

  test.each([
    ['shelf', 'echo/x', rootToken, 404],
    ['shelf', 'public', null, 403],
    ['a/../b', 'shelf/echo/x', rootToken, 400],
    ['root/', 'shelf/echo/x', rootToken, 200],
  ])('in the namespace %s to %s with the token %s is %i', async (namespace, path, token, status) => {
    const { ask } = await secrets();
    const reply = await ask('GET', path, { token, headers: { 'X-Vault-Namespace': namespace } });
    expect(reply.status).toBe(status);
  });
});
