import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { connect as connectTo, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Endpoint } from '../../../src/api/endpoint.ts';
import { transport } from '../../../src/api/http/client.ts';
import { freePort } from '../../support/ports.ts';
import { file, secureServer, skip, useCertificates } from './certificates.ts';
import { endpointOf, errorOf, json, listen, operation, optionsOf, request, serve, token } from './support.ts';

useCertificates();

const call = (address: string, more: Partial<Endpoint>, options = optionsOf()) =>
  request(address, 'write', options, more);

interface TestProxy {
  readonly url: string;
  readonly port: number;
  readonly asked: { readonly url: string; readonly headers: IncomingMessage['headers'] }[];
}

/** A proxy that tunnels every CONNECT to one port of the loopback, as a proxy with its own name service would. */
async function proxyTo(port: number, status = 200): Promise<TestProxy> {
  const asked: TestProxy['asked'] = [];
  const server = createHttpServer((_request, response) => response.writeHead(405).end());
  server.on('connect', ({ url = '', headers }: IncomingMessage, client: Socket) => {
    asked.push({ url, headers });
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const target = connectTo(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connected\r\n\r\n');
      client.pipe(target).pipe(client);
    });
    for (const socket of [client, target]) socket.on('error', () => {});
    onTestFinished(() => {
      client.destroy();
      target.destroy();
    });
  });
  const proxyPort = await listen(server);
  return { url: `http://127.0.0.1:${proxyPort}`, port: proxyPort, asked };
}

describe('a proxy', () => {
  const address = 'http://secrets.example.test:8200';

  it('tunnels to an http service', async () => {
    const server = await serve((_seen, response) => json(response, { ok: true }));
    const proxy = await proxyTo(server.port);
    const answer = await call(address, { proxy: proxy.url, allowPlainHttp: true });
    expect(answer.body).toEqual({ ok: true });
    expect(proxy.asked.map(({ url }) => url)).toEqual(['secrets.example.test:8200']);
    expect(server.seen[0]?.headers['x-secrets-token']).toBe(token);
    expect(JSON.stringify(proxy.asked)).not.toContain(token);
  });

  it.skipIf(skip)('tunnels to an https service, whose certificate is verified (openssl)', async () => {
    const server = await secureServer('named');
    const proxy = await proxyTo(server.port);
    const secure = 'https://secrets.example.test:8200';
    const answer = await call(secure, { proxy: proxy.url, caCert: file('ca.pem') });
    expect(answer.status).toBe(200);
    const error = await errorOf(call(secure, { proxy: proxy.url }));
    expect(error.kind).toBe('unreachable');
    expect(error.message).toContain('signed by unknown authority');
  });

  it.skipIf(skip)('keeps its tunnel for the next read (openssl)', async () => {
    const server = await secureServer('named');
    const proxy = await proxyTo(server.port);
    const more = { proxy: proxy.url, caCert: file('ca.pem') };
    const send = transport(endpointOf('https://secrets.example.test:8200', more), optionsOf());
    await send(operation('read'), { name: 'n' });
    await send(operation('read'), { name: 'n' });
    expect(proxy.asked).toHaveLength(1);
  });

  it('gets its own credentials, which are not shown', async () => {
    const proxy = await proxyTo(0, 407);
    const options = optionsOf();
    const credentials = proxy.url.replace('//', '//user:proxy-password@');
    const error = await errorOf(call(address, { proxy: credentials, allowPlainHttp: true }, options));
    expect(proxy.asked[0]?.headers['proxy-authorization']).toBe(
      `Basic ${Buffer.from('user:proxy-password').toString('base64')}`,
    );
    expect(error.kind).toBe('unreachable');
    expect(error.message).toContain('the proxy responded with status 407');
    expect(JSON.stringify([error, options.details, options.notes])).not.toContain('proxy-password');
  });

  it('is not used for the loopback', async () => {
    const server = await serve((_seen, response) => json(response, {}));
    const proxy = await proxyTo(server.port);
    await call(server.url, { proxy: proxy.url });
    expect(proxy.asked).toHaveLength(0);
  });

  it('that is not there leaves the service unreachable', async () => {
    const proxy = `http://127.0.0.1:${await freePort()}`;
    const error = await errorOf(call(address, { proxy, allowPlainHttp: true }));
    expect(error.kind).toBe('unreachable');
    expect(error.hint).toContain('proxy');
  });

  it('that does not respond ends with the timeout, and nothing of a write was sent', async () => {
    const server = createHttpServer();
    server.on('connect', (_request, socket: Socket) => onTestFinished(() => void socket.destroy()));
    const proxy = `http://127.0.0.1:${await listen(server)}`;
    const error = await errorOf(call(address, { proxy, allowPlainHttp: true }, optionsOf({ timeout: 1000 })));
    expect(error.kind).toBe('unreachable');
  });

  it('must be an http or https URL', async () => {
    const error = await errorOf(call(address, { proxy: 'socks5://127.0.0.1:1', allowPlainHttp: true }));
    expect(error.kind).toBe('usage');
  });
});
