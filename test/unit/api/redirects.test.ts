import { describe, expect, it } from 'vitest';
import { transport } from '../../../src/api/http/client.ts';
import { endpointOf, errorOf, json, operation, optionsOf, serve, token } from './support.ts';

describe('redirects', () => {
  it('are followed for GET within the origin', async () => {
    const server = await serve((seen, response) => {
      if (seen.url === '/v1/thing/n') response.writeHead(307, { Location: '/v1/thing/m?x=1' }).end();
      else json(response, { ok: true });
    });
    const answer = await transport(endpointOf(server.url), optionsOf())(operation('read'), { name: 'n' });
    expect(answer.body).toEqual({ ok: true });
    expect(server.seen.map(({ url }) => url)).toEqual(['/v1/thing/n', '/v1/thing/m?x=1']);
    expect(server.seen[1]?.headers['x-secrets-token']).toBe(token);
  });

  it('are followed five times', async () => {
    const server = await serve((_seen, response) => response.writeHead(302, { Location: '/again' }).end());
    const error = await errorOf(
      transport(endpointOf(server.url), optionsOf())(operation('read'), { name: 'n' }),
    );
    expect(error.message).toContain('more than 5 times');
    expect(server.seen).toHaveLength(6);
  });

  it.each([301, 302, 303, 307, 308])('of a write are not followed (%i)', async (status) => {
    const server = await serve((_seen, response) => response.writeHead(status, { Location: '/other' }).end());
    const error = await errorOf(
      transport(endpointOf(server.url), optionsOf())(operation('write'), { name: 'n' }),
    );
    expect(error.kind).toBe('unknown');
    expect(error.message).toContain(`redirects a POST to ${server.url}`);
    expect(server.seen).toHaveLength(1);
  });

  it.each(['read', 'repeat', 'write'] as const)(
    'to another origin are not followed (%s), which sees nothing',
    async (retry) => {
      const foreign = await serve((_seen, response) => json(response, {}));
      const server = await serve((_seen, response) =>
        response.writeHead(307, { Location: `${foreign.url}/v1/thing?token=secret` }).end(),
      );
      const error = await errorOf(
        transport(endpointOf(server.url), optionsOf())(operation(retry), { name: 'n' }),
      );
      expect(error.kind).toBe(retry === 'write' ? 'unknown' : 'failure');
      expect(error.message).toContain(`redirects to ${foreign.url}, another origin`);
      expect(error.message).not.toContain('token=');
      expect(foreign.seen).toHaveLength(0);
    },
  );

  it('that make no sense are an unexpected response', async () => {
    const server = await serve((_seen, response) => response.writeHead(302, { Location: 'http://' }).end());
    const error = await errorOf(
      transport(endpointOf(server.url), optionsOf())(operation('read'), { name: 'n' }),
    );
    expect(error.message).toContain('a redirect to an invalid URL');
  });

  it('without a target are an unexpected response', async () => {
    const server = await serve((_seen, response) => response.writeHead(304).end());
    const error = await errorOf(
      transport(endpointOf(server.url), optionsOf())(operation('read'), { name: 'n' }),
    );
    expect(error.message).toContain('unexpected response from the secrets service: status 304');
  });
});
