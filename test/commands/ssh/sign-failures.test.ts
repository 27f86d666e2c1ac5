import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { keyPair } from '../../support/keys.ts';
import { type Handler, serve, serveSocket } from '../../unit/api/support.ts';
import { signing } from '../signing.ts';

const { at, run, done, key } = signing();
const token = 'hvs.CAESIHx-the-token-of-this-test';

interface Told {
  readonly stderr: string;
  /** Of `-o json`. */
  readonly error: Record<string, unknown>;
}

/** Signs against a broken service, in words and as JSON; nothing may be written and no secret shown. */
async function signAt(url: string, code: number, flags = ''): Promise<Told> {
  const files = at.list();
  const told: string[] = [];
  for (const more of ['', ' -o json --quiet --verbose']) {
    const ran = await run(`ssh sign deploy --address ${url}${flags}${more}`, {
      env: { LANYARD_SECRETS_TOKEN: token },
      random: (length) => new Uint8Array(length),
    });
    expect({ code: ran.code, stdout: ran.stdout }, ran.stderr).toEqual({ code, stdout: '' });
    expect(at.list()).toEqual(files);
    expect(ran.stderr).not.toContain(token);
    expect(ran.stderr).not.toMatch(/^\s+at /m);
    told.push(ran.stderr);
  }
  const [words = '', json = ''] = told;
  expect(words.match(/^error: /gm)).toHaveLength(1);
  return {
    stderr: words,
    error: JSON.parse(json.slice(json.indexOf('{\n'))).error,
  };
}

const answering = async (status: number, type: string, body: string): Promise<string> =>
  (await serve((_seen, response) => response.writeHead(status, { 'Content-Type': type }).end(body))).url;

/** An answer that is well but for what it holds as the certificate. */
const signed = (signed_key: unknown): Promise<string> =>
  answering(200, 'application/json', JSON.stringify({ data: { serial_number: '1', signed_key } }));

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])(
    '(%i) to another origin is not followed, and names it',
    async (status) => {
      const thief = await serve((_seen, response) => response.end('{}'));
      const from = await serve((_seen, response) =>
        response.writeHead(status, { Location: `${thief.url}/v1/ssh/sign/deploy?token=x` }).end(),
      );
      const isOfStandby = status === 307;
      const { stderr, error } = await signAt(from.url, isOfStandby ? 8 : 1);
      expect(stderr).toContain(
        isOfStandby
          ? `the server is a standby, and the active server ${thief.url} is not in the settings (307)`
          : `the secrets service redirects to ${thief.url}, another origin; not followed (${status})`,
      );
      expect(stderr).toContain(
        `hint: If that is a server of the same cluster, set LANYARD_SECRETS_ADDR=${from.url},${thief.url} instead of --address.\n`,
      );
      expect(error).toMatchObject({ code: isOfStandby ? 8 : 1, status });
      expect(thief.seen).toEqual([]);
    },
  );

  test('of a write within the origin is not followed either', async () => {
    const from = await serve((_seen, response) => response.writeHead(307, { Location: '/elsewhere' }).end());
    const { stderr } = await signAt(from.url, 1);
    expect(stderr).toContain('only GET and HEAD are followed (307)');
    expect(new Set(from.seen.map(({ url }) => url))).toEqual(new Set(['/v1/ssh/sign/deploy']));
  });
});

test.each([
  [400, 'no default issuer currently configured'],
  [500, '1 error occurred:\n\t* error creating signer: no keys configured\n\n'],
])('a service that generates no CA (%i): a hint shows how to create one', async (status, message) => {
  const url = await answering(status, 'application/json', JSON.stringify({ errors: [message] }));
  const { stderr } = await signAt(url, 3);
  expect(stderr).toMatch(/^error: CA not found in ssh\/\n/);
  expect(stderr).toContain(`hint: Run \`lanyard ssh ca create --address ${url}\` to create one.\n`);
});

describe('a response that is not from the service', () => {
  test.each([200, 404, 500])('an HTML page with status %i', async (status) => {
    const url = await answering(
      status,
      'text/html',
      '<!doctype html>\n<title>Login</title><script>x</script>',
    );
    const { stderr, error } = await signAt(url, 1);
    expect(stderr).toMatch(
      new RegExp(
        `unexpected response from the secrets service: status ${status}, an HTML page\n {2}<!doctype html>\n`,
      ),
    );
    expect(stderr).not.toContain('<script>');
    expect(error).toMatchObject({ code: 1, status });
  });

  test.each([
    ['malformed JSON', 'application/json', '{"data": {"serial'],
    ['an empty body', 'application/json', ''],
    ['another JSON', 'application/json', '{"ok":true}'],
    ['a number where text belongs', 'application/json', '{"data":{"serial_number":1,"signed_key":"x"}}'],
    ['a text', 'text/plain', 'hello'],
    ['an array', 'application/json', '[]'],
  ])('%s', async (_what, type, body) => {
    const { stderr } = await signAt(await answering(200, type, body), 1);
    expect(stderr).toMatch(/^error: unexpected response from the secrets service: status 200, \S/m);
    expect(stderr).toMatch(/^hint: Check the address/m);
  });

  test('a token that is echoed is redacted', async () => {
    const echo: Handler = ({ headers }, response) =>
      response
        .writeHead(400, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ errors: [`bad token ${headers['x-secrets-token']}`] }));
    const { stderr } = await signAt((await serve(echo)).url, 1);
    expect(stderr).toContain('bad token <redacted>');
  });

  test('control characters in a message are escaped', async () => {
    const url = await answering(
      400,
      'application/json',
      JSON.stringify({ errors: ['\u001b]0;owned\u0007'] }),
    );
    const { stderr } = await signAt(url, 1);
    expect(stderr).toContain('\\x1b]0;owned\\x07');
  });

  test('a server that does not speak HTTP', async () => {
    const server = await serveSocket((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    const { stderr } = await signAt(server.url, 1);
    expect(stderr).toContain('unexpected response from the secrets service: invalid HTTP response');
  });
});

describe('a lost response', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

  test('because it is cut short', async () => {
    const server = await serveSocket((socket) => socket.end(`${head}Content-Length: 900\r\n\r\n{"data":`));
    const { error } = await signAt(server.url, 7);
    expect(error).toMatchObject({ kind: 'unreachable', retryable: true });
    // Signing may happen twice without harm.
    expect(server.seen).toHaveLength(6);
  });

  test('because the connection is closed', async () => {
    const server = await serveSocket((socket) => socket.destroy());
    expect((await signAt(server.url, 7)).stderr).toContain('closed before the response was complete');
  });

  test('because it takes too long', async () => {
    const server = await serveSocket(() => {});
    const { stderr } = await signAt(server.url, 7, ' --timeout 50ms');
    expect(stderr).toMatch(/request timed out\nhint: Set a longer timeout with --timeout\.\n$/);
  });
});

describe('a service that is in trouble', () => {
  test.each([
    [401, 4],
    [403, 5],
    [409, 6],
    [429, 8],
    [500, 1],
    [501, 8],
    [503, 8],
  ])('status %i ends with %i', async (status, code) => {
    const url = await answering(status, 'application/json', '{"errors":["because"]}');
    const { stderr, error } = await signAt(url, code);
    expect(stderr).toMatch(/^ {2}because$/m);
    expect(error).toMatchObject({ code, status, messages: ['because'] });
  });
});

describe('a certificate that does not match the request is not written', () => {
  test('a certificate for another key', async () => {
    at.write('other.pub', keyPair('ed25519').publicLine);
    await done('ssh sign deploy --key other.pub');
    const { stderr } = await signAt(await signed(readFileSync(at.file('other-cert.pub'), 'utf8')), 1);
    expect(stderr).toBe(
      'error: unexpected response from the secrets service: the certificate is for a different key; nothing was written\n',
    );
  });

  test('the public key itself', async () => {
    const { stderr } = await signAt(await signed(key.publicLine), 1);
    expect(stderr).toContain('signed_key is a public key, not a certificate; nothing was written');
  });

  test.each(['', 'nonsense\n', 'ssh-ed25519-cert-v01@openssh.com AAAA\n'])('%j', async (text) => {
    const { stderr } = await signAt(await signed(text), 1);
    expect(stderr).toContain('signed_key is not a certificate; nothing was written');
  });

  test('a certificate whose signature is damaged', async () => {
    at.write('k.pub', key.publicLine);
    await done('ssh sign deploy --key k.pub');
    const [type = '', blob = ''] = at.read('k-cert.pub').split(' ');
    const bytes = Buffer.from(blob, 'base64');
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    const { stderr } = await signAt(await signed(`${type} ${bytes.toString('base64')}\n`), 1);
    expect(stderr).toContain('the certificate has an invalid signature; nothing was written');
  });
});

test('plain http to another machine is rejected before anything is sent', async () => {
  const { stderr } = await signAt('http://10.255.255.1:8200', 2);
  expect(stderr).toContain('plain http to 10.255.255.1:8200 is not allowed');
});

test('an address that contains a password is rejected without repeating it', async () => {
  const { stderr } = await signAt('https://user:hunter2@example.com', 2);
  expect(stderr).not.toContain('hunter2');
});
