import { describe, expect, test } from 'vitest';
import { boxOperations } from '../../../src/api/box.ts';
import { client } from '../../../src/api/client.ts';
import { transport } from '../../../src/api/http/client.ts';
import { endpointOf, optionsOf, serve } from './support.ts';

const at = (url: string) =>
  client(
    boxOperations,
    transport(endpointOf(url, { service: 'box', token: async () => 'tok' }), optionsOf()),
  );

describe('a URL returned by a service', () => {
  test('is called at the own origin of the service, so that no other gets the token', async () => {
    const foreign = await serve((_seen, response) => response.end());
    const own = await serve((_seen, response) => response.end());

    await at(own.url).confirmUpload({ callback: `${foreign.url}/api/v1/confirm/a%2Fb?key=1&x=%20` });

    expect(foreign.seen).toEqual([]);
    expect(own.seen.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ['PUT', '/api/v1/confirm/a%2Fb?key=1&x=%20', 'Bearer tok'],
    ]);
  });

  test('is complete: the path of the address is not prepended', async () => {
    const own = await serve((_seen, response) => response.end());

    await at(`${own.url}/boxes`).confirmUpload({ callback: `${own.url}/boxes/api/v1/confirm` });

    expect(own.seen.map(({ url }) => url)).toEqual(['/boxes/api/v1/confirm']);
  });

  test('is not shown in errors, and may have invalid escapes', async () => {
    const own = await serve((_seen, response) => {
      response.statusCode = 404;
      response.setHeader('Content-Type', 'application/json');
      response.end('{"errors":["Resource not found!"],"success":false}');
    });

    const confirmed = at(own.url).confirmUpload({ callback: `${own.url}/api/v1/box/dev/s3cret%E0%A4%A` });

    await expect(confirmed).rejects.toMatchObject({
      kind: 'not_found',
      message: 'cannot confirm upload: not found (404)',
    });
  });

  test('is the only one: another text is an unexpected response', async () => {
    const own = await serve((_seen, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end('{"upload_path":"nowhere"}');
    });

    const upload = at(own.url).prepareUpload({ username: 'a', name: 'b', version: '1', provider: 'p' });

    await expect(upload).rejects.toMatchObject({
      kind: 'failure',
      message: /unexpected response.*upload_path/,
    });
  });
});

test.each(['', '/', '/api/v1', '/api/v1/', '/api/v2'])(
  'the address of a box registry may end in "%s"',
  async (end) => {
    const own = await serve((_seen, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end('{"username":"a"}');
    });

    await at(own.url + end).readOrganization({ username: 'a' });

    expect(own.seen.map(({ url }) => url)).toEqual(['/api/v1/user/a']);
  },
);
