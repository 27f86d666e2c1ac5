import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer, type TlsOptions } from 'node:tls';
import { listen } from '../unit/api/support.ts';

/** A fault of the connection or of TLS: where to connect to, and what it may give. */
export interface Unreached {
  readonly name: string;
  readonly address: string;
  /** Bytes of the request may have left: a write may end with 9. */
  readonly mayBeSent?: true;
  readonly stalls?: true;
}

/** Starts the servers of the faults before HTTP; they end with the test. */
export async function unreached(file: (name: string) => string): Promise<readonly Unreached[]> {
  const found: Unreached[] = [];
  const add = async (
    name: string,
    server: Server,
    scheme: 'http' | 'https',
    more: Partial<Unreached> = {},
  ): Promise<void> => {
    server.on('tlsClientError', () => {});
    server.on('connection', (socket: Socket) => socket.on('error', () => {}));
    found.push({ name, address: `${scheme}://127.0.0.1:${await listen(server)}`, ...more });
  };
  const plain = (connected: (socket: Socket) => void) => createServer(connected);
  const pem = (name: string): TlsOptions => ({
    cert: readFileSync(file(`${name}.pem`)),
    key: readFileSync(file(`${name}.key`)),
  });
  const secure = (options: TlsOptions) =>
    createSecureServer(options, (socket) => socket.on('error', () => {}));

  // A freed port of the system's own choice could be given to another server meanwhile.
  found.push({ name: 'connection refused', address: 'http://127.0.0.1:1' });
  found.push({ name: 'connection refused (TLS)', address: 'https://127.0.0.1:1' });

  const sent = { mayBeSent: true } as const;
  await add(
    'reset at once',
    plain((socket) => void socket.resetAndDestroy()),
    'http',
    sent,
  );
  await add(
    'closed at once',
    plain((socket) => void socket.end()),
    'http',
    sent,
  );
  await add(
    'TLS: reset at once',
    plain((socket) => void socket.resetAndDestroy()),
    'https',
  );
  await add(
    'TLS: closed at once',
    plain((socket) => void socket.end()),
    'https',
  );
  await add(
    'TLS: closed after the client hello',
    plain((socket) => void socket.once('data', () => socket.end())),
    'https',
  );
  await add(
    'TLS: reset after the client hello',
    plain((socket) => void socket.once('data', () => socket.resetAndDestroy())),
    'https',
  );
  await add(
    'TLS: plain HTTP',
    plain((socket) => void socket.end('HTTP/1.1 400 Bad\r\n\r\n')),
    'https',
  );
  await add(
    'TLS: random bytes',
    plain((socket) => void socket.end(Buffer.alloc(300, 7))),
    'https',
  );
  await add(
    'TLS: handshake failure',
    plain((socket) => void socket.end(Buffer.from([21, 3, 3, 0, 2, 2, 40]))),
    'https',
  );
  await add(
    'TLS: no server hello',
    plain(() => {}),
    'https',
    { stalls: true },
  );
  await add('TLS: unknown authority', secure(pem('loopback')), 'https');
  await add('TLS: another name', secure(pem('named')), 'https');
  await add('TLS: a certificate of a client', secure(pem('client')), 'https');
  await add(
    'TLS: version 1.1',
    secure({ ...pem('loopback'), minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    'https',
  );
  await add(
    'TLS: a client certificate is required',
    secure({
      ...pem('loopback'),
      requestCert: true,
      rejectUnauthorized: true,
      ca: readFileSync(file('ca.pem')),
    }),
    'https',
    sent,
  );
  return found;
}
