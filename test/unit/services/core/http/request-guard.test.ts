import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isCrossSite, isLoopbackHost } from '../../../../../src/services/core/http/host-check.ts';
import { createHttpServer } from '../../../../../src/services/core/http/http-server.ts';
import { textResponse } from '../../../../../src/services/core/http/http-service.ts';
import { checkSource, rejectionOf } from '../../../../../src/services/core/http/request-guard.ts';
import { wordsOf } from '../../../../support/words.ts';

const acceptedHosts = wordsOf(`
  localhost LocalHost localhost:8200 app.localhost my-app_2.localhost:80
  127.0.0.1 127.0.0.1:8200 127.255.100.99:65535 [::1] [::1]:8200
`);

const rejectedHosts = [
  '',
  'evil.example localhost',
  ...wordsOf(`
    evil.example evil.example:8200 notlocalhost evil.example/localhost evil.example:localhost
    localhost.evil.example localhost@evil.example localhosts localhost. localhost: localhost:abc localhost:80x
    localhost:80:80 .localhost a.b.localhost a!b.localhost applocalhost appxlocalhost
    127.1 127 127.0.0 127.0.0. 127.0.0.1.1 127.0.0.1000 127.0.0.x 127x0x0x1 1127.0.0.1 128.0.0.1 10.0.0.1 0.0.0.0
    127.0.0.1.evil.example:8200 ::1 [::1 [::2] [::1]x
  `),
];

const headersOf = (origin: string | undefined, site?: string) => ({
  ...(origin !== undefined && { origin }),
  ...(site !== undefined && { 'sec-fetch-site': site }),
});

describe('a host', () => {
  test.each(acceptedHosts)('%j is this machine', (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  });

  test.each(rejectedHosts)('%j is not this machine', (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  });

  test('may be missing, as old clients send none and browsers always do', () => {
    expect(isLoopbackHost(undefined)).toBe(true);
  });
});

describe('an origin', () => {
  test.each(acceptedHosts)('of %s is not another site', (host) => {
    for (const scheme of ['http', 'https', 'HTTP'])
      expect(isCrossSite(headersOf(`${scheme}://${host}`))).toBe(false);
  });

  test.each(rejectedHosts)('of %j is another site', (host) => {
    for (const scheme of ['http', 'https']) expect(isCrossSite(headersOf(`${scheme}://${host}`))).toBe(true);
  });

  test.each([
    '',
    'http://localhost, https://evil.example',
    'https://evil.example, http://localhost',
    ...wordsOf(`
      null localhost http:localhost http:///localhost file:// file://localhost ftp://localhost httpx://localhost
      xhttp://localhost chrome-extension://http://localhost http://localhost/ http://localhost/x
      http://user@localhost http://localhost@evil.example
    `),
  ])('%j is another site', (origin) => {
    expect(isCrossSite(headersOf(origin))).toBe(true);
  });

  test('is not sent by clients other than browsers', () => {
    expect(isCrossSite({})).toBe(false);
  });
});

describe('the relation of a page to the service', () => {
  test.each(['none', 'same-origin'])('%s is accepted, if its origin is', (site) => {
    expect(isCrossSite(headersOf(undefined, site))).toBe(false);
    expect(isCrossSite(headersOf('http://localhost', site))).toBe(false);
    expect(isCrossSite(headersOf('http://evil.example', site))).toBe(true);
  });

  test.each(['cross-site', 'same-site', 'near-site', '', 'None', 'same-origin, cross-site'])(
    '%j is rejected, whatever its origin is',
    (site) => {
      expect(isCrossSite(headersOf(undefined, site))).toBe(true);
      expect(isCrossSite(headersOf('http://localhost', site))).toBe(true);
    },
  );
});

describe('a request', () => {
  test('to this machine from no other site is accepted', () => {
    expect(() => checkSource({})).not.toThrow();
    expect(() => checkSource({ host: 'localhost', origin: 'http://127.0.0.1:8200' })).not.toThrow();
  });

  test('to another host is rejected', () => {
    expect(() => checkSource({ host: 'evil.example' })).toThrow(
      expect.objectContaining({ status: 403, message: 'this service only accepts requests to localhost' }),
    );
  });

  test('from another site is rejected', () => {
    expect(() => checkSource({ host: 'localhost', origin: 'http://evil.example' })).toThrow(
      expect.objectContaining({
        status: 403,
        message: 'permission denied: requests from web pages of other sites are not allowed',
      }),
    );
  });
});

test.each([
  ['HPE_HEADER_OVERFLOW', 431, 'request header fields too large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'request timeout'],
  ['HPE_INVALID_METHOD', 400, 'malformed HTTP request'],
  [undefined, 400, 'malformed HTTP request'],
])('an error of the parser, %s, is reported with status %i', (code, status, message) => {
  expect(
    rejectionOf(Object.assign(new Error('parse error'), code === undefined ? {} : { code })),
  ).toMatchObject({ status, message });
});

describe('the embedded services', () => {
  /** Sends bytes to a service that responds OK to everything; returns the raw response. */
  async function replyTo(bytes: string): Promise<string> {
    const host = createHttpServer(
      {
        name: 'box',
        headerPrefixes: ['X-Box', 'X-Atlas'],
        handle: async () => textResponse(200, 'OK'),
        errorResponse: ({ status, message }) => textResponse(status, message),
      },
      { version: '0.0.0-test', log: () => {}, timeouts: { headMs: 200, requestMs: 200 } },
    );
    onTestFinished(() => host.close());
    const socket = connect(await host.listen(0), '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.write(bytes);
    await new Promise((resolve) => socket.on('close', resolve));
    return received.replace(/\r\n[\s\S]*\r\n/, ' | ');
  }

  test.each([
    ['no Host', 'GET / HTTP/1.0\r\n\r\n', '200 OK | OK'],
    ['this Host', 'GET / HTTP/1.1\r\nHost: LOCALHOST\r\nConnection: close\r\n\r\n', '200 OK | OK'],
    [
      'another Host',
      'GET / HTTP/1.1\r\nHost: notlocalhost\r\nConnection: close\r\n\r\n',
      '403 Forbidden | this service only accepts requests to localhost',
    ],
    [
      'another site',
      'GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\nConnection: close\r\n\r\n',
      '403 Forbidden | permission denied: requests from web pages of other sites are not allowed',
    ],
    ['nonsense', 'nonsense\r\n\r\n', '400 Bad Request | malformed HTTP request'],
    [
      'a large head',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      '431 Request Header Fields Too Large | request header fields too large',
    ],
    ['half of a head', 'GET / HTTP/1.1\r\nHost:', '408 Request Timeout | request timeout'],
  ])('respond to %s as expected', async (_what, bytes, reply) => {
    expect(await replyTo(bytes)).toBe(`HTTP/1.1 ${reply}`);
  });
});
