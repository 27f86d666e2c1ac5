import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Endpoint } from '../../../src/api/endpoint.ts';
import { transfer, type Upload } from '../../../src/api/images/transfer.ts';
import { file, secureServer, skip, useCertificates } from './certificates.ts';
import { endpointOf, errorOf, listen, optionsOf, serve, token } from './support.ts';

useCertificates();

const boxes = (more: Partial<Endpoint> = {}): Endpoint =>
  endpointOf('http://127.0.0.1:1', { service: 'box', headerPrefixes: ['X-Box'], ...more });

async function* twice(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('one ');
  yield Buffer.from('two');
}

const upload = (address: string, more: Partial<Upload> = {}): Upload => ({
  address: async () => address,
  length: 7,
  chunks: twice,
  isStored: async () => false,
  ...more,
});

describe('an upload', () => {
  it('sends the bytes with their length, and neither token nor cookie', async () => {
    const server = await serve((_seen, response) => response.end());
    await transfer(boxes({ address: server.url }), optionsOf()).put(upload(`${server.url}/put?sig=s`));
    expect(server.seen).toMatchObject([{ method: 'PUT', url: '/put?sig=s', body: 'one two' }]);
    expect(server.seen[0]?.headers).toMatchObject({ 'content-length': '7', expect: '100-continue' });
    expect(JSON.stringify(server.seen[0]?.headers)).not.toContain(token);
  });

  it('over plain http to another host is rejected, unless the profile allows that', async () => {
    const error = await errorOf(
      transfer(boxes(), optionsOf()).put(upload('http://uploads.example.test/image?sig=secret')),
    );
    expect(error.kind).toBe('failure');
    expect(error.message).toContain(
      'at http://uploads.example.test: plain http to another host is not allowed',
    );
    expect(error.message).not.toContain('secret');
  });

  it('with a lost response is verified by checking whether the image exists', async () => {
    const server = await serve((_seen, response) => response.destroy());
    const options = optionsOf();
    await transfer(boxes(), options).put(upload(server.url, { isStored: async () => true }));
    expect(options.notes).toEqual(['The response was lost, but the service has the complete image.']);
    expect(server.seen).toHaveLength(1);
  });

  it('is tried five times, each time at a new address', async () => {
    const server = await serve((_seen, response) => response.writeHead(503).end());
    let count = 0;
    const address = async () => `${server.url}/${++count}`;
    const error = await errorOf(transfer(boxes(), optionsOf()).put(upload('', { address })));
    expect(error.message).toContain('responded with status 503');
    expect(count).toBe(5);
  });

  it('that is rejected permanently is tried once, and the error has no part of the address', async () => {
    const server = await serve(({ url }, response) => response.writeHead(400).end(`no: ${url}`));
    const error = await errorOf(
      transfer(boxes(), optionsOf()).put(upload(`${server.url}/very-secret-path?sig=also-secret`)),
    );
    expect(error.details).toHaveLength(1);
    expect(error.message + error.details.join()).not.toMatch(/very-secret|also-secret/);
    expect(server.seen).toHaveLength(1);
  });
});

describe.skipIf(skip)('another origin over TLS (openssl)', () => {
  const tls = () => ({
    caCert: file('ca.pem'),
    clientCert: file('client.pem'),
    clientKey: file('client.key'),
  });

  it('may be verified by the authority of the settings', async () => {
    const server = await secureServer('loopback');
    await transfer(boxes(tls()), optionsOf()).put(upload(server.url));
    expect(server.seen).toHaveLength(1);
    const options = optionsOf();
    const error = await errorOf(transfer(boxes(), options).put(upload(server.url)));
    expect(error.message).toContain('signed by unknown authority');
    expect(options.notes).toEqual([]);
    expect(server.seen).toHaveLength(1);
  });

  it('is not shown the client certificate, which the service itself is', async () => {
    const server = await secureServer('loopback', true);
    await transfer(boxes({ ...tls(), address: server.url }), optionsOf()).put(upload(server.url));
    expect(server.seen).toHaveLength(1);
    const error = await errorOf(transfer(boxes(tls()), optionsOf()).put(upload(server.url)));
    expect(error.kind).toBe('unreachable');
    expect(server.seen).toHaveLength(1);
  });

  it('is not verified with skipVerify, with a warning', async () => {
    const server = await secureServer('loopback');
    const options = optionsOf();
    await transfer(boxes({ skipVerify: true }), options).put(upload(server.url));
    expect(options.warnings).toEqual([
      `the certificate of ${new URL(server.url).host} is not verified: connections can be intercepted`,
    ]);
  });

  it('is reached through the proxy of the settings', async () => {
    const server = await secureServer('named');
    const asked: (string | undefined)[] = [];
    const proxy = createServer().on('connect', ({ url }: IncomingMessage, client: Socket) => {
      asked.push(url);
      const target = connect(server.port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connected\r\n\r\n');
        client.pipe(target).pipe(client);
      });
      for (const socket of [client, target]) socket.on('error', () => {});
      onTestFinished(() => {
        client.destroy();
        target.destroy();
      });
    });
    const settings = { ...tls(), proxy: `http://127.0.0.1:${await listen(proxy)}` };
    await transfer(boxes(settings), optionsOf()).put(
      upload(`https://secrets.example.test:${server.port}/image`),
    );
    expect(asked).toEqual([`secrets.example.test:${server.port}`]);
    expect(server.seen).toMatchObject([{ method: 'PUT', body: 'one two' }]);
  });
});

describe('looking for an image', () => {
  it('sends the token to the service only, and not to where it redirects', async () => {
    const store = await serve((_seen, response) =>
      response.writeHead(200, { 'Content-Length': 5 }).end('image'),
    );
    const service = await serve((_seen, response) =>
      response.writeHead(302, { Location: `${store.url}/image?sig=s` }).end(),
    );
    const found = await transfer(boxes({ address: service.url }), optionsOf()).probe(`${service.url}/box`);
    expect(found).toEqual({ size: 5 });
    expect(service.seen[0]?.headers.authorization).toBe(`Bearer ${token}`);
    expect(JSON.stringify(store.seen[0]?.headers)).not.toContain(token);
  });

  it('goes to the service where it is not found at the other name that the service has for itself', async () => {
    const other = await serve((_seen, response) => response.writeHead(404).end());
    const service = await serve(({ headers }, response) =>
      response.writeHead(headers.authorization ? 206 : 404, { 'Content-Range': 'bytes 0-0/9' }).end('i'),
    );
    const found = await transfer(boxes({ address: service.url }), optionsOf()).probe(`${other.url}/box`);
    expect(found).toEqual({ size: 9 });
    expect(JSON.stringify(other.seen[0]?.headers)).not.toContain(token);
  });

  it('finds nothing where it is missing', async () => {
    const service = await serve((_seen, response) => response.writeHead(404).end());
    expect(await transfer(boxes({ address: service.url }), optionsOf()).probe(service.url)).toBeUndefined();
  });
});
