import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { transport } from '../../../src/api/http/client.ts';
import {
  endpointOf,
  errorOf,
  json,
  operation,
  optionsOf,
  request,
  serve,
  serveSocket,
  token,
} from './support.ts';

describe('the request', () => {
  it('is method, path, prefixed headers, token and body', async () => {
    const server = await serve((_seen, response) => json(response, { data: {} }));
    const send = transport(endpointOf(server.url, { namespace: 'team/a' }), optionsOf());
    await send(operation('repeat'), { name: 'a b/c', ttl: '1h' });
    const [seen] = server.seen;
    expect(seen).toMatchObject({ method: 'POST', url: '/v1/thing/a%20b%2Fc', body: '{"ttl":"1h"}' });
    expect(seen?.headers).toMatchObject({
      'x-secrets-token': token,
      'x-secrets-request': 'true',
      'x-secrets-namespace': 'team/a',
      'user-agent': 'lanyard/test',
      'content-type': 'application/json',
      'content-length': '12',
    });
    expect(Object.keys(seen?.headers ?? {})).not.toContain('accept-encoding');
  });

  it.each(['repeat', 'write'] as const)(
    'asks for no compressed body, and decodes none (%s)',
    async (retry) => {
      const server = await serve((_seen, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
        response.end(gzipSync('{"ok":true}'));
      });
      const error = await errorOf(request(server.url, retry));
      expect(error.message).toContain('a compressed body');
      expect(server.seen[0]?.headers).not.toHaveProperty('accept-encoding');
    },
  );

  it('speaks the product with its prefix, under the path of the address', async () => {
    const server = await serve((_seen, response) => json(response, {}));
    const send = transport(endpointOf(`${server.url}/vault/`, { headerPrefixes: ['X-Vault'] }), optionsOf());
    // Node's server does not know the method RECOVER; a PUT shows the headers.
    const recover = operation('read', {
      method: 'PUT',
      path: '/v1/ssh/config/ca',
      headers: { 'Recover-Snapshot-Id': 'snapshot' },
    });
    await send(recover, { name: 'n', snapshot: 's1' });
    expect(server.seen[0]?.url).toBe('/vault/v1/ssh/config/ca');
    expect(server.seen[0]?.headers).toMatchObject({
      'x-vault-token': token,
      'x-vault-request': 'true',
      'x-vault-recover-snapshot-id': 's1',
      'content-length': '0',
    });
  });

  it('has a bearer token for box and accounts', async () => {
    const server = await serve((_seen, response) => json(response, {}));
    for (const service of ['box', 'accounts'] as const) {
      const endpoint = endpointOf(server.url, { service, headerPrefixes: ['X-Any'] });
      await transport(endpoint, optionsOf())(operation('read', { service }), { name: 'n' });
    }
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${token}`,
      `Bearer ${token}`,
    ]);
  });

  it('sends namespace and region in the query of scheduler and registry, unless the operation overrides them', async () => {
    const server = await serve((_seen, response) => json(response, []));
    const list = (service: 'scheduler' | 'registry') =>
      operation('read', { service, path: '/v1/vars', query: ['namespace'] });
    const more = { namespace: 'team a', region: 'eu', headerPrefixes: ['X-Any'] };
    const scheduler = transport(endpointOf(server.url, { ...more, service: 'scheduler' }), optionsOf());
    await scheduler(list('scheduler'), { name: 'n' });
    await scheduler(list('scheduler'), { name: 'n', namespace: '*' });
    const registry = transport(endpointOf(server.url, { ...more, service: 'registry' }), optionsOf());
    await registry(list('registry'), { name: 'n' });
    expect(server.seen.map(({ url }) => url)).toEqual([
      '/v1/vars?namespace=team+a&region=eu',
      '/v1/vars?namespace=*&region=eu',
      '/v1/vars?ns=team+a',
    ]);
  });

  it('has no token where the operation needs none, and does not ask for one', async () => {
    const server = await serve((_seen, response) => json(response, {}));
    const endpoint = endpointOf(server.url, {
      token: () => Promise.reject(new Error('the token was asked for')),
    });
    await transport(endpoint, optionsOf())(operation('read', { token: 'none' }), { name: 'n' });
    expect(server.seen[0]?.headers).not.toHaveProperty('x-secrets-token');
  });

  it('may be anonymous: access control may be off, or a proxy may add a token', async () => {
    const server = await serve((_seen, response) => json(response, {}));
    const none = async () => undefined;
    for (const service of ['secrets', 'registry', 'scheduler', 'box'] as const) {
      const send = transport(endpointOf(server.url, { service, token: none }), optionsOf());
      await send(operation('read', { service }), { name: 'n' });
    }
    expect(server.seen).toHaveLength(4);
    expect(server.seen.flatMap(({ headers }) => Object.keys(headers)).join()).not.toMatch(
      /token|authorization/,
    );
  });

  it('sends LIST unchanged', async () => {
    const server = await serveSocket((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'),
    );
    await request(server.url, operation('read', { method: 'LIST' }));
    expect(server.seen[0]?.method).toBe('LIST');
  });
});

describe('input that is rejected before anything is sent', () => {
  it.each([
    ['secrets', 'read'],
    ['secrets', 'write'],
    ['accounts', 'read'],
    ['box', 'write'],
  ] as const)(
    '%s without a token where the profile has one for another address (%s)',
    async (service, retry) => {
      const server = await serve((_seen, response) => json(response, {}));
      const more = { service, token: async () => undefined, isTokenWithheld: true } as const;
      const send = transport(endpointOf(server.url, more), optionsOf());
      const error = await errorOf(send(operation(retry, { service }), { name: 'n' }));
      expect(error.kind).toBe('unauthenticated');
      expect(error.hint).toContain(`LANYARD_${service.toUpperCase()}_TOKEN`);
      expect(server.seen).toHaveLength(0);
    },
  );

  it('a token that no header may carry', async () => {
    const send = transport(endpointOf('http://127.0.0.1:1', { token: async () => 'abc\ndef' }), optionsOf());
    const error = await errorOf(send(operation('read'), { name: 'n' }));
    expect(error.kind).toBe('usage');
    expect(error.message).not.toContain('abc');
  });

  it('plain http to another machine, unless it is allowed', async () => {
    const endpoint = endpointOf('http://secrets.example.test:8200');
    const error = await errorOf(transport(endpoint, optionsOf())(operation('read'), { name: 'n' }));
    expect(error.kind).toBe('usage');
    expect(error.message).toContain('plain http to secrets.example.test:8200 is not allowed');
    expect(error.hint).toContain('allow-plain-http');
    const allowed = transport({ ...endpoint, allowPlainHttp: true }, optionsOf());
    expect((await errorOf(allowed(operation('read'), { name: 'n' }))).kind).toBe('unreachable');
  });

  it.each(['localhost:8200', 'unix://agent.sock', 'https://user:pass@host', 'https://host?token=x'])(
    'the address %s',
    async (address) => {
      const error = await errorOf(request(address));
      expect(error.kind).toBe('usage');
      expect(error.message).not.toContain('pass');
    },
  );

  it('a name that would be another route', async () => {
    const send = transport(endpointOf('http://127.0.0.1:1'), optionsOf());
    expect((await errorOf(send(operation('read'), { name: '..' }))).kind).toBe('usage');
  });
});

describe('a transport in a process', () => {
  it('uses a connection again for reads, and a fresh one for each write', async () => {
    const server = await serve((_seen, response) => json(response, {}));
    const send = transport(endpointOf(server.url), optionsOf());
    for (const retry of ['read', 'repeat', 'write', 'write', 'read'] as const) {
      await send(operation(retry), { name: 'n' });
    }
    const ports = server.seen.map(({ port }) => port);
    expect(new Set([ports[0], ports[1], ports[4]]).size).toBe(1);
    expect(new Set(ports).size).toBe(3);
  });

  it('prints one line for a request and one for a response, without secrets', async () => {
    const server = await serve((_seen, response) => json(response, { ok: 1 }));
    const options = optionsOf();
    const read = operation('read', { path: '/v1/x', query: ['token'] });
    await transport(endpointOf(server.url), options)(read, { name: 'n', token: 'the-query-token' });
    expect(options.details[0]).toBe(`> GET ${server.url}/v1/x?token=redacted`);
    expect(options.details[1]).toMatch(/^< 200 in \d+ ms, 8 bytes$/);
  });
});
