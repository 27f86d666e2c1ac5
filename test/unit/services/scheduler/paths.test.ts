import { describe, expect, test } from 'vitest';
import { responseWith } from '../callers.ts';
import { scheduler } from './support.ts';

describe('the path of a request', () => {
  test.each([
    ['PUT', 'var/a//b', '/v1/var/a/b'],
    ['PUT', 'var//raw', '/v1/var/raw'],
    ['PUT', 'var/a/./b', '/v1/var/a/b'],
    ['PUT', 'var/a/../b', '/v1/var/b'],
    ['PUT', 'var/a/b/..', '/v1/var/a'],
    ['DELETE', 'var/a//', '/v1/var/a/'],
    ['GET', 'var/a//b?namespace=x&y=%20//z', '/v1/var/a/b?namespace=x&y=%20//z'],
    ['GET', 'var/%2F//%3Fx', '/v1/var/%2F/%3Fx'],
    ['GET', 'var/../vars', '/v1/vars'],
    ['GET', '../../../..', '/'],
    ['GET', 'namespace//default', '/v1/namespace/default'],
    ['GET', 'var?namespace=x', '/v1/var/?namespace=x'],
    ['PUT', 'var', '/v1/var/'],
  ])('is cleaned by a redirect: %s %s', async (method, path, location) => {
    const { ask, paths } = await scheduler();
    const { status, headers } = await ask(method, path, { body: { Items: { k: 'v' } } });
    expect([status, headers.location]).toEqual([307, location]);
    expect(await paths()).toEqual([]);
  });

  test('has a link to the cleaned path for readers', async () => {
    const { ask } = await scheduler();
    const { headers, text } = await ask('GET', `var/a//b?a=1&b="<script>'`);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toBe(
      '<a href="/v1/var/a/b?a=1&#38;b=&#34;&#60;script&#62;&#39;">Temporary Redirect</a>.\n\n',
    );
    const put = await ask('PUT', 'var/a//b', { body: {} });
    expect([put.text, put.headers['content-type']]).toEqual(['', undefined]);
  });

  test('never leads to another host', async () => {
    const { ask } = await scheduler();
    const { headers } = await ask('GET', '..//..//example.com//x');
    expect(headers.location).toBe('/example.com/x');
  });

  test.each([
    ['DELETE', 'namespace/', 400, 'Missing Namespace Name'],
    ['PUT', 'namespace/', 400, 'Missing Namespace Name'],
    ['PATCH', 'var/', 400, 'missing variable path'],
    ['GET', 'namespaces/', 404, ''],
    ['GET', 'status/leader/', 404, ''],
  ])('ends in a slash: %s %s', async (method, path, status, text) => {
    const { send } = await scheduler();
    expect(await send(method, path)).toBe(responseWith(status, text));
  });

  test.each([
    ['vars', 405],
    ['namespace/default', 405],
    ['status/leader', 405],
  ])('has no HEAD: %s', async (path, status) => {
    const { ask } = await scheduler();
    expect((await ask('HEAD', path)).status).toBe(status);
  });
});
