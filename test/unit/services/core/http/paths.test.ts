import { Agent } from 'node:http';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Router } from '../../../../../src/services/core/http/router.ts';
import { engines } from '../../../../../src/services/secrets/engines.ts';
import { RawClient } from '../../../../support/pipeline.ts';
import { sized } from '../../../../support/soak.ts';
import { wordsOf } from '../../../../support/words.ts';
import { call, rootToken, start } from '../../support.ts';

const runs = sized(12_000, 2_000);

describe('a path', () => {
  test('of any segments leads to its own route or to none', async () => {
    const { addresses } = await start();
    const make = async (path: string, body: object) =>
      expect((await call(addresses.secrets, 'POST', `/v1/${path}`, { body })).status).toBeLessThan(300);
    await make('sys/namespaces/x', {});
    await make('x/sys/mounts/shelf', { type: 'shelf' });
    await make('sys/auth/userpass', { type: 'userpass' });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const piece = fc.constantFrom(
      ...wordsOf(
        'v1 shelf echo public things sys health seal-status mounts init auth token userpass login identity entity x',
      ),
      ...wordsOf(String.raw`/ / / // . .. ... %2e %2E%2e %2f %2F %5c \ %00 %0d%0a %7f %20`),
      ...wordsOf('% %zz %c3 %c3%bc ; @ : ? ?list=true # + ~ * %25 %252e%252e %u002e'),
    );
    const path = fc.oneof(
      fc.array(piece, { maxLength: 10 }).map((pieces) => `/${pieces.join('')}`),
      fc.array(piece, { maxLength: 6 }).map((pieces) => `/v1/shelf/echo/${pieces.join('')}`),
      fc.array(piece, { maxLength: 6 }).map((pieces) => `/v1/x/shelf/${pieces.join('')}`),
      fc.array(piece, { maxLength: 4 }).map((pieces) => `/v1/sys/${pieces.join('')}/../health`),
    );
    let count = 0;
    await fc.assert(
      fc.asyncProperty(path, async (target) => {
        count++;
        const method = count % 3 === 0 ? 'LIST' : 'GET';
        const reply = await call(addresses.secrets, method, target, { agent });
        const [before = ''] = target.split('?');
        const data = reply.json?.data as { path?: string } | undefined;
        if (data?.path !== undefined && reply.json?.mount_type === 'shelf') {
          // The engine saw exactly the segments of the path.
          const [, below = ''] = /^\/v1\/(?:x\/)?shelf(?:$|\/)(.*?)\/?$/.exec(before) ?? ['', 'elsewhere'];
          const segments = below === '' ? [] : below.split('/').map(decodeURIComponent);
          expect(segments.join('/')).toBe(data.path);
          expect(segments.some((each) => ['', '.', '..'].includes(each))).toBe(false);
        } else if (reply.status === 200) {
          expect(before).toMatch(
            /^\/v1\/(x\/)?(shelf\/public\/?|sys\/(health|seal-status|init|leader|auth(\/(token|userpass))?|mounts(\/(sys|shelf|identity|auth\/(token|userpass)))?)\/?)$/,
          );
        } else {
          expect([400, 403, 404, 405]).toContain(reply.status);
        }
      }),
      { numRuns: runs },
    );
    expect(count).toBeGreaterThanOrEqual(runs);
  });

  test('of any bytes writes exactly the key that it encodes, or nothing', async () => {
    const { addresses } = await start({ engines });
    const ask = (method: string, path: string, body?: object) =>
      call(addresses.secrets, method, `/v1/${path}`, { body });
    await ask('POST', 'ssh/roles/canary', { key_type: 'otp', default_user: 'u' });
    const elsewhere = async () => {
      const paths = 'ssh/roles?list=true ssh/roles/canary sys/mounts sys/auth sys/policies/acl?list=true';
      return Promise.all(wordsOf(paths).map(async (path) => (await ask('GET', path)).json?.data));
    };
    const before = await elsewhere();
    const client = new RawClient(addresses.secrets);
    onTestFinished(() => client.close());
    const written = new Map<string, number>();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(words, bytes), { minLength: 1, maxLength: 7 }), async (pieces) => {
        const n = ++count;
        const target = `/v1/kv/${pieces.join('')}`;
        const body = `{"n":${n}}`;
        const head = `PUT ${target} HTTP/1.1\r\nHost: localhost\r\nX-Vault-Token: ${rootToken}\r\n`;
        const sent = Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n${body}`, 'latin1');
        const status = (await client.ask(sent))?.status ?? 0;
        // Trailing spaces are not part of a target: parsers may accept several instead of one.
        const key = keyOf(target.slice('/v1/kv/'.length).replace(/ +$/, ''));
        // Some bytes that are invalid in a query are accepted there, where they have no meaning.
        const isKey = key !== undefined && (/^[!-~]* *$/.test(target) || status === 204);
        expect(isKey ? [204] : [400, 404], JSON.stringify(target)).toContain(status);
        if (isKey) written.set(key, n);
      }),
      { numRuns: runs },
    );
    expect(count).toBeGreaterThanOrEqual(runs);
    expect(written.size).toBeGreaterThan(runs / 24);
    expect(await elsewhere()).toEqual(before);
    for (const [key, n] of written) {
      const path = key.split('/').map(encodeURIComponent).join('/');
      expect((await ask('GET', `kv/${path}`)).json?.data, key).toEqual({ n });
    }
    const top = new Set([...written.keys()].map((key) => key.replace(/\/.*/, '/')));
    const listed = (await ask('LIST', 'kv')).json?.data as { keys: string[] } | undefined;
    expect(new Set(listed?.keys)).toEqual(top);
  });

  test('outside the base is 404', async () => {
    const { addresses } = await start();
    for (const path of ['/', '/v2/sys/health', '/sys/health', '/V1/sys/health', '/v1']) {
      expect((await call(addresses.secrets, 'GET', path)).status, path).toBe(404);
    }
    expect((await call(addresses.secrets, 'GET', '/ui')).json).toEqual({ errors: [] });
  });
});

const words = fc.constantFrom('a', 'b', 'c', '/', 'sys', 'ssh', '%20', '%C3%BC', ';');

/** Pieces of targets as sent, one character per byte. */
const bytes = fc.constantFrom(
  ...wordsOf(String.raw`a b sys ssh roles canary mounts v1 ~ ; \ %20 %25 %C3%BC %e2%80%ae`),
  ...wordsOf('/ / / / // . .. ... a. .a /../ /./ /../../sys/ ? ?list=true #'),
  ...wordsOf('%2e %2E%2e %2f %2F %252f %5c %00 %0d%0a %7f %c2%80 % %zz %c3 %c0%ae'),
  ...['\0', '\x01', '\b', '\t', '\x0b', '\x1b', ' ', '\x7f', '\x80', '\xc3\xbc', '\xff', '\xef\xbc\x8f'],
);

/** The key that the rest of a target encodes; undefined: invalid path, or not the path of a key. */
function keyOf(rest: string): string | undefined {
  const [path = ''] = rest.split('?');
  if (!/^[!-~]*$/.test(path) || path.includes('#') || path.endsWith('.')) return undefined;
  try {
    const segments = path.split('/').map(decodeURIComponent);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must not appear
    const bad = /^\.{0,2}$|[\0-\x1f\x7f-\x9f/]/;
    return segments.some((each) => bad.test(each)) || segments.at(-1)?.endsWith('.')
      ? undefined
      : segments.join('/');
  } catch {
    return undefined;
  }
}

describe('a route table', () => {
  test('prefers literal text to a parameter, and a parameter to the rest', () => {
    const routes = new Router<string>()
      .on('GET|PUT', 'a/:one', 'param')
      .on('GET', 'a/b', 'literal')
      .on('GET', 'a/*all', 'rest')
      .on('GET', 'a/:one/c', 'deep');
    const find = (path: string) => {
      const found = routes.find(path.split('/'));
      return [found?.handlers.get('GET'), found?.params];
    };
    expect(find('a/b')).toEqual(['literal', {}]);
    expect(find('a/x')).toEqual(['param', { one: 'x' }]);
    expect(find('a/b/c')).toEqual(['deep', { one: 'b' }]);
    expect(find('a/b/d/e')).toEqual(['rest', { all: 'b/d/e' }]);
    expect(find('a')).toEqual([undefined, undefined]);
  });
});
