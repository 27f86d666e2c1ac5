import { createPrivateKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:tls';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../src/api/endpoint.ts';
import { transport } from '../../../src/api/http/client.ts';
import { file, secureServer, skip, useCertificates } from './certificates.ts';
import { endpointOf, errorOf, listen, operation, optionsOf, request, serve } from './support.ts';

useCertificates();

const call = (address: string, more: Partial<Endpoint>, options = optionsOf()) =>
  request(address, 'write', options, more);

describe.skipIf(skip)('a certificate (openssl)', () => {
  it('of an unknown authority is rejected before anything is sent', async () => {
    const server = await secureServer('loopback');
    const options = optionsOf();
    const error = await errorOf(call(server.url, {}, options));
    expect(error.kind).toBe('unreachable');
    expect(error.message).toContain('certificate signed by unknown authority');
    expect(error.hint).toContain('ca-cert');
    expect(error.retryable).toBe(false);
    expect(options.notes).toHaveLength(0);
    expect(server.seen).toHaveLength(0);
  });

  it('of the named authority is accepted', async () => {
    const server = await secureServer('loopback');
    const answer = await call(server.url, { caCert: file('ca.pem') });
    expect(answer.body).toMatchObject({ ok: true });
  });

  it('for another name is rejected, unless that name is set', async () => {
    const server = await secureServer('named');
    const error = await errorOf(call(server.url, { caCert: file('ca.pem') }));
    expect(error.kind).toBe('unreachable');
    expect(error.message).toContain('certificate is not valid for this host name');
    const answer = await call(server.url, { caCert: file('ca.pem'), serverName: 'secrets.example.test' });
    expect(answer.status).toBe(200);
  });

  it('does not allow a redirect to plain http, also of a listed server', async () => {
    const leader = 'http://vault-2.example.com:8200';
    const standby = await serve(
      (seen, response) => response.writeHead(307, { Location: leader + seen.url }).end(),
      { cert: readFileSync(file('loopback.pem')), key: readFileSync(file('loopback.key')) },
    );
    const error = await errorOf(
      call(standby.url, { caCert: file('ca.pem'), addresses: [standby.url, leader] }),
    );
    expect(error.kind).toBe('failure');
    expect(error.message).toContain(`redirects to ${leader}; not followed (307): tokens and secrets`);
    expect(standby.seen).toHaveLength(1);
  });

  it('is not verified with skipVerify, with a warning on every call', async () => {
    const server = await secureServer('named');
    const options = optionsOf();
    const send = transport(endpointOf(server.url, { skipVerify: true }), options);
    await send(operation('read'), { name: 'n' });
    await send(operation('read'), { name: 'n' });
    expect(options.warnings).toEqual([
      'the certificate of the secrets service is not verified: connections can be intercepted',
      'the certificate of the secrets service is not verified: connections can be intercepted',
    ]);
  });
});

describe.skipIf(skip)('a service that speaks no TLS, or an older one (openssl)', () => {
  it.each(['read', 'write'] as const)('is reported, and not retried (%s)', async (retry) => {
    const plain = await serve((_seen, response) => response.end());
    const options = optionsOf();
    const address = plain.url.replace('http:', 'https:');
    const error = await errorOf(request(address, retry, options));
    expect(error).toMatchObject({ kind: 'unreachable', retryable: false });
    expect(error.message).toMatch(/: the server does not support TLS$/);
    expect(error.hint).toBe('Check whether the address is http rather than https.');
    expect(options.notes).toEqual([]);
  });

  it('is reported by its version', async () => {
    const server = createServer({
      cert: readFileSync(file('loopback.pem')),
      key: readFileSync(file('loopback.key')),
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    server.on('tlsClientError', () => undefined);
    const port = await listen(server);
    const options = optionsOf();
    const send = transport(endpointOf(`https://127.0.0.1:${port}`, {}), options);
    const error = await errorOf(send(operation('read'), { name: 'n' }));
    expect(error).toMatchObject({ kind: 'unreachable', retryable: false });
    expect(error.message).toMatch(/: unsupported TLS version$/);
    expect(options.notes).toEqual([]);
  });
});

describe.skipIf(skip)('a client certificate (openssl)', () => {
  it('is shown, with its key next to it or in the same file', async () => {
    const server = await secureServer('loopback', true);
    const caCert = file('ca.pem');
    const apart = await call(server.url, {
      caCert,
      clientCert: file('client.pem'),
      clientKey: file('client.key'),
    });
    expect(apart.body).toMatchObject({ client: 'client' });
    const together = await call(server.url, { caCert, clientCert: file('both.pem') });
    expect(together.body).toMatchObject({ client: 'client' });
  });

  it.each(['read', 'write'] as const)(
    'that is missing ends the handshake, and the request is not read (%s)',
    async (retry) => {
      const server = await secureServer('loopback', true);
      const send = transport(endpointOf(server.url, { caCert: file('ca.pem') }), optionsOf());
      const error = await errorOf(send(operation(retry), { name: 'n' }));
      // The server may cut the connection before its alert is read: then a write cannot be sure.
      expect(retry === 'read' ? ['unreachable'] : ['unreachable', 'unknown']).toContain(error.kind);
      expect(server.seen).toHaveLength(0);
    },
  );
});

describe.skipIf(skip)('files that do not serve (openssl)', () => {
  const rejected = async (more: Partial<Endpoint>) => {
    const error = await errorOf(call('https://127.0.0.1:1', more));
    expect(error.kind).toBe('usage');
    return error.message;
  };

  it('are named, with the cause', async () => {
    expect(await rejected({ caCert: file('none.pem') })).toBe(
      `cannot read the CA certificate ${file('none.pem')}: no such file`,
    );
    expect(await rejected({ caCert: file('') })).toContain('is a directory');
    expect(await rejected({ caCert: file('client.key') })).toBe(
      `${file('client.key')} contains no CA certificate in PEM format`,
    );
    expect(await rejected({ clientKey: file('client.key') })).toBe(
      'the secrets service has a client key but no client certificate',
    );
    expect(await rejected({ clientCert: file('client.pem') })).toBe(
      `${file('client.pem')} contains no client key in PEM format`,
    );
    expect(await rejected({ clientCert: file('client.pem'), clientKey: file('ca.key') })).toContain(
      'the client key does not belong to the client certificate',
    );
    expect(await rejected({ clientCert: file('client.pem'), clientKey: file('encrypted.key') })).toBe(
      `the client key is encrypted (${file('encrypted.key')})`,
    );
  });

  // Without its passphrase one key in 256 decrypts to something with the right padding.
  it.each(['pkcs8', 'sec1'] as const)(
    'because the key is encrypted are named so, whatever it decrypts to (%s)',
    async (type) => {
      const key = createPrivateKey(readFileSync(file('client.key')));
      for (let each = 0; each < 600; each += 1) {
        const encrypted = key.export({
          type,
          format: 'pem',
          cipher: 'aes-128-cbc',
          passphrase: `word ${each}`,
        });
        writeFileSync(file('one.key'), encrypted);
        const message = await rejected({ clientCert: file('client.pem'), clientKey: file('one.key') });
        expect(message).toBe(`the client key is encrypted (${file('one.key')})`);
      }
    },
  );

  it('because they are damaged are named, and nothing of them is shown', async () => {
    writeFileSync(
      file('damaged.pem'),
      '-----BEGIN CERTIFICATE-----\nbm90IGEgY2VydA==\n-----END CERTIFICATE-----\n',
    );
    const message = await rejected({ clientCert: file('damaged.pem'), clientKey: file('client.key') });
    expect(message).toContain(`invalid TLS files: ${file('damaged.pem')}`);
    expect(message).not.toContain('bm90');
  });
});
