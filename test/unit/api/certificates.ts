import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll } from 'vitest';
import { has } from '../../support/require.ts';
import { json, serve, type TestServer } from './support.ts';

export const skip = !has('openssl');
let folder = '';
/** A file of the folder that the certificates are in. */
export const file = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(file(name), 'utf8');

/** @param line arguments without spaces */
function openssl(line: string): void {
  execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'pipe' });
}

const curve = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';

function certificate(name: string, extensions: string): void {
  openssl(`req -new ${curve} -keyout ${name}.key -out ${name}.csr -subj /CN=${name}`);
  writeFileSync(file(`${name}.ext`), extensions);
  const authority = '-CA ca.pem -CAkey ca.key -CAcreateserial -days 2';
  openssl(`x509 -req -in ${name}.csr ${authority} -out ${name}.pem -extfile ${name}.ext`);
}

/** Makes an authority and certificates in a temporary folder, for the tests of the calling file. */
export function useCertificates(): void {
  beforeAll(() => {
    if (skip) return;
    folder = mkdtempSync(join(tmpdir(), 'lanyard-tls-'));
    openssl(`req -x509 ${curve} -keyout ca.key -out ca.pem -days 2 -subj /CN=Test-CA`);
    certificate('loopback', 'subjectAltName=IP:127.0.0.1');
    certificate('named', 'subjectAltName=DNS:secrets.example.test');
    certificate('client', 'extendedKeyUsage=clientAuth');
    openssl('ec -in client.key -aes128 -passout pass:word -out encrypted.key');
    writeFileSync(file('both.pem'), read('client.pem') + read('client.key'));
  });

  afterAll(() => {
    if (folder) rmSync(folder, { recursive: true });
  });
}

/** An https server that shows the named certificate. */
export async function secureServer(name: string, clientAuth = false): Promise<TestServer> {
  return serve((_seen, response) => json(response, { ok: true, client: peerOf(response.req) }), {
    cert: read(`${name}.pem`),
    key: read(`${name}.key`),
    ...(clientAuth ? { ca: read('ca.pem'), requestCert: true, rejectUnauthorized: true } : {}),
  });
}

function peerOf(request: IncomingMessage): string | undefined {
  const name = (request.socket as TLSSocket).getPeerCertificate().subject?.CN;
  return Array.isArray(name) ? name[0] : name;
}
