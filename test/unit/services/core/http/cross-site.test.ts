import { get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { type ServiceName, serviceNames } from '../../../../../src/wire/services.ts';
import { send, startImages } from '../../box/images-support.ts';
import { type Call, call, rootToken, type Started, start } from '../../support.ts';

/** Headers of a browser request for a page of another site. */
const hostile: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['an origin elsewhere', { Origin: 'https://evil.example' }],
  ['an origin that only begins like this machine', { Origin: 'http://localhost.evil.example:8200' }],
  ['an origin with this machine as user name', { Origin: 'http://localhost@evil.example' }],
  ['no origin of its own', { Origin: 'null' }],
  ['an empty origin', { Origin: '' }],
  ['an extension', { Origin: 'chrome-extension://abcdefghijklmnop' }],
  ['a file', { Origin: 'file://' }],
  ['two origins', { Origin: 'http://localhost, https://evil.example' }],
  ['cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['same-site: another port', { 'Sec-Fetch-Site': 'same-site', Origin: 'http://localhost:3000' }],
  ['a relation that does not exist yet', { 'Sec-Fetch-Site': 'near-site' }],
  ['a name of this machine in another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://127.0.0.1' }],
];

/** Headers of other clients, and of a user who enters the address. */
const harmless: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['nothing', {}],
  ['a typed address', { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' }],
  ['the same origin', { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://127.0.0.1:8200' }],
  ['this machine by name', { Origin: 'http://app.localhost:3000' }],
  ['this machine by IPv6', { Origin: 'https://[::1]:8443' }],
  ['a referrer elsewhere', { Referer: 'https://example.com/' }],
];

interface Write {
  readonly send: readonly [method: string, path: string, Call];
  readonly look: readonly [path: string, Call];
}

/** For each service a valid write, and a check whether it was applied. */
function writes({ boxToken, accountsToken }: Started): Readonly<Record<ServiceName, Write>> {
  const token = null;
  const box = { token, headers: { Authorization: `Bearer ${boxToken}` } };
  const accounts = { token, headers: { Authorization: `Bearer ${accountsToken}` } };
  const made = { scope_id: 'global', type: 'password', name: 'evil' };
  return {
    secrets: {
      send: ['POST', '/v1/shelf/things/evil', { token: rootToken, body: { k: 'v' } }],
      look: ['/v1/shelf/things/evil', { token: rootToken }],
    },
    registry: {
      send: ['PUT', '/v1/kv/evil', { token, body: 'v' }],
      look: ['/v1/kv/evil', { token }],
    },
    box: {
      send: ['POST', '/api/v1/boxes', { ...box, body: { box: { username: 'dev', name: 'evil' } } }],
      look: ['/api/v1/box/dev/evil', box],
    },
    scheduler: {
      send: ['PUT', '/v1/var/evil', { token, body: { Items: { k: 'v' } } }],
      look: ['/v1/var/evil', { token }],
    },
    accounts: {
      send: ['POST', '/v1/auth-methods', { ...accounts, body: made }],
      look: ['/v1/auth-methods?scope_id=global&filter=%22%2Fitem%2Fname%22+%3D%3D+%22evil%22', accounts],
    },
  };
}

const plain = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/json'];

describe.each(serviceNames)('the %s service', (service) => {
  async function running() {
    const started = await start();
    const { send, look } = writes(started)[service];
    const address = started.addresses[service];
    const ask = (method: string, path: string, asked: Call, headers: Readonly<Record<string, string>> = {}) =>
      call(address, method, path, { ...asked, headers: { ...asked.headers, ...headers } });
    return {
      address,
      send: (headers?: Readonly<Record<string, string>>) => ask(...send, headers),
      look: () => ask('GET', ...look),
      ask,
    };
  }

  test('rejects browser requests for pages of other sites, of any content type, before reading them', async () => {
    const { send, look, ask } = await running();
    const before = await look();
    for (const [what, headers] of hostile) {
      for (const type of plain) {
        const reply = await send({ ...headers, 'Content-Type': type });
        expect(reply.status, `${what}, ${type}`).toBe(403);
        expect(reply.text).toContain('requests from web pages of other sites are not allowed');
        expect(reply.headers['access-control-allow-origin']).toBeUndefined();
      }
      // Paths that need no token, do not exist, or have another method.
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE'])
        for (const path of ['/', '/v1/sys/health', '/v1/status/leader', '/none'])
          expect(
            (await ask(method, path, { token: null }, headers)).status,
            `${what}, ${method} ${path}`,
          ).toBe(403);
    }
    const after = await look();
    expect([after.status, after.json?.items]).toEqual([before.status, before.json?.items]);
  });

  test('accepts requests of other clients', async () => {
    for (const [what, headers] of harmless) {
      const { send, look } = await running();
      const before = await look();
      const reply = await send(headers);
      expect(reply.status, `${what}: ${reply.text}`).toBeLessThan(300);
      expect((await look()).text, what).not.toBe(before.text);
    }
  });

  test('rejects a header that is sent twice, once as a browser would for the same origin', async () => {
    const { address } = await running();
    const headers = ['Host', '127.0.0.1', 'Sec-Fetch-Site', 'same-origin', 'Sec-Fetch-Site', 'cross-site'];
    const status = await new Promise((resolve, reject) => {
      const sent = get(`${address}/v1/status/leader`, { headers, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
    });
    expect(status).toBe(403);
  });
});

test('the upload origin for images rejects uploads from pages of other sites', async () => {
  const { images, downloads } = await startImages();
  const { uploadPath } = images.startUpload('p');
  for (const [what, headers] of hostile)
    expect((await send(uploadPath, 'PUT', { body: 'evil', headers })).status, what).toBe(403);
  expect(images.find('p')).toBeUndefined();
  expect((await send(uploadPath, 'PUT', { body: 'image' })).status).toBe(200);
  for (const [what, headers] of hostile)
    expect((await send(`${downloads}/images/p`, 'GET', { headers })).status, what).toBe(403);
});
