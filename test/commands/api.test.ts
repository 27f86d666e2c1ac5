import { createServer } from 'node:http';
import { Writable } from 'node:stream';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  embeddedForAll,
  expectFailure,
  homeForTest,
  outputOf,
  quietOutputOf,
  servicesForTest,
  words,
} from '../support/command-tests.ts';
import { listening } from '../support/ports.ts';
import type { RunOptions } from '../support/run.ts';
import { serve, serveSocket } from '../unit/api/support.ts';

const { at, run } = embeddedForAll();
beforeAll(async () => {
  await at.run(words('ssh role put deploy --allow-user-certificates --ttl 30m'));
});
const json = async (argv: string, options?: RunOptions) => {
  const stdout = quietOutputOf(await run(argv, options));
  return JSON.parse(stdout);
};

/** A server that records the received bytes. */
async function serveBytes() {
  const bodies: Buffer[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(Buffer.concat(await request.toArray()));
    response.end('true');
  });
  onTestFinished(() => void server.close());
  return { bodies, url: (await listening(server)).address };
}

/** A standard output that keeps bytes. */
function collected() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, bytes: () => Buffer.concat(chunks) };
}

describe('api', () => {
  test('sends repeated query parameters, all and in their order', async () => {
    const server = await serve((_seen, response) => response.end('[{"Node":"a"}]'));
    const env = { LANYARD_REGISTRY_ADDR: server.url };
    const ran = await run('api registry GET catalog/service/x?tag=a&near=_agent&tag=b&tag=a', { env });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(server.seen[0]?.url).toBe('/v1/catalog/service/x?tag=a&near=_agent&tag=b&tag=a');
  });

  test('reads, with or without the version in the path', async () => {
    expect(await json('api secrets GET sys/health')).toMatchObject({ initialized: true, sealed: false });
    expect((await json('api secrets GET /v1/ssh/roles/deploy')).data).toMatchObject({ ttl: '30m0s' });
    expect((await json('api secrets GET v1/ssh/roles/deploy')).data).toMatchObject({ ttl: '30m0s' });
    expect(await json('api box GET api/v1/search?limit=1')).toEqual({ boxes: [] });
    expect((await json('api secrets get ssh/roles/deploy')).data).toMatchObject({ ttl: '30m0s' });
  });

  test('lists, by the method and by the query', async () => {
    expect((await json('api secrets LIST ssh/roles')).data.keys).toEqual(['deploy']);
    expect((await json('api secrets GET ssh/roles?list=true')).data.keys).toEqual(['deploy']);
    expect((await run('api secrets LIST ssh/roles --field data.keys.0')).stdout).toBe('deploy\n');
  });

  test('sends a body from standard input, from a file and from a variable', async () => {
    const body = '{"key_type":"ca","allow_user_certificates":true,"ttl":"5m"}';
    at.write('role.json', body);
    const sources: readonly (readonly [string, RunOptions])[] = [
      ['-', { stdin: body }],
      ['@role.json', {}],
      [`file://${at.file('role.json')}`, {}],
      ['env://BODY', { env: { BODY: body } }],
    ];
    for (const [index, [source, options]] of sources.entries()) {
      const ran = await run(`api secrets POST ssh/roles/made${index} --data ${source}`, options);
      expect(ran).toEqual({ code: 0, stdout: 'Status 204, no response body.\n', stderr: '' });
      expect((await json(`api secrets GET ssh/roles/made${index}`)).data.ttl).toBe('5m0s');
      expect((await run(`api secrets DELETE ssh/roles/made${index}`)).code).toBe(0);
    }
  });

  test('sends the body unchanged', async () => {
    const server = await serve((_seen, response) => response.end());
    const body = ' {"n": 12345678901234567890,\n"s":"ä\\u0000"} ';
    expect((await run(`api secrets POST x --data - --address ${server.url}`, { stdin: body })).code).toBe(0);
    expect(server.seen[0]?.body).toBe(body);
  });

  test('sends a file and standard input unchanged, also empty and binary ones', async () => {
    const server = await serveBytes();
    const bodies = [
      Buffer.from('line\n'),
      Buffer.alloc(0),
      Buffer.from([0xff, 0, 0x80, 10]),
      Buffer.from('\r\n'),
    ];
    for (const body of bodies) {
      at.write('body', body);
      for (const [source, options] of [
        ['@body', {}],
        ['-', { stdin: body }],
      ] as const) {
        const ran = await run(`api registry PUT kv/a --data ${source} --address ${server.url}`, options);
        expect(ran).toMatchObject({ code: 0, stderr: '' });
        expect(server.bodies.at(-1)).toEqual(body);
      }
    }
  });

  test('writes a response unchanged to a pipe and to a file', async () => {
    for (const body of [
      Buffer.from([0xff, 0, 0x80, 10]),
      Buffer.from('no newline'),
      Buffer.from('{"a":  1}'),
    ]) {
      const server = await serve((_seen, response) => response.end(body));
      const stdout = collected();
      await run(`api registry GET kv/bin?raw --address ${server.url}`, { stdout: stdout.stream });
      expect(stdout.bytes()).toEqual(body);
      expect((await run(`api registry GET kv/bin?raw --out b --address ${server.url}`)).code).toBe(0);
      expect(at.bytes('b')).toEqual(body);
      at.clear('b');
    }
  });

  test('sends fields as a JSON object, with values of files and standard input', async () => {
    const { bodies, url } = await serveBytes();
    at.write('rules.hcl', 'namespace "a" {}\n');
    const path = `api scheduler PUT acl/policy/app --address ${url}`;
    expect((await run(`${path} Name=app Rules=@rules.hcl Description=-`, { stdin: 'typed\n' })).code).toBe(0);
    const sent = { Name: 'app', Rules: 'namespace "a" {}\n', Description: 'typed' };
    expect(JSON.parse(String(bodies.at(-1)))).toEqual(sent);
    const both = await run(`${path} Name=app --data @rules.hcl`);
    expect(both).toMatchObject({ code: 2, stderr: 'error: --data cannot be used together with fields\n' });
  });

  test('returns the bytes that were stored in the registry', async () => {
    const body = Buffer.from([0xfe, 0xed, 0, 0xff, 13, 10]);
    at.write('body', body);
    expect((await run('api registry PUT kv/bin --data @body')).code).toBe(0);
    expect((await run('api registry GET kv/bin?raw --out back')).code).toBe(0);
    expect(at.bytes('back')).toEqual(body);
    expect(await json('api registry GET kv/bin?raw -o json')).toEqual({ base64: body.toString('base64') });
    expect((await run('api registry GET kv/bin?raw', { columns: 100 })).stdout).toBe(
      '6 bytes of binary data; use --out FILE or a pipe to save them\n',
    );
  });

  test('shows the length of a binary body instead of its content', async () => {
    at.write('body', Buffer.from([0xff, 0]));
    const line = 'api registry PUT kv/bin --data @body';
    expect((await run(`${line} --dry-run`)).stdout).toMatch(/^body\t2 bytes$/m);
    expect((await run(`${line} --curl`)).stdout).toMatch(
      /^# FILE: the 2 bytes of the body\ncurl .* --data-binary @FILE http/,
    );
  });

  test('sends the content type of a JSON body, and of a patch for the secrets service', async () => {
    const server = await serve((_seen, response) => response.end());
    const sent = async (argv: string, stdin: string) => {
      expect((await run(`api ${argv} x --data - --address ${server.url}`, { stdin })).code).toBe(0);
      return server.seen.at(-1)?.headers['content-type'];
    };
    expect(await sent('secrets POST', '{"a":1}')).toBe('application/json');
    expect(await sent('secrets PATCH', '{"a":1}')).toBe('application/merge-patch+json');
    expect(await sent('accounts PATCH', '{"a":1}')).toBe('application/json');
    expect(await sent('registry PUT', '[]')).toBe('application/json');
    expect(await sent('registry PUT', 'plain text')).toBeUndefined();
  });

  test('patches a secret', async () => {
    await run('api secrets POST secret/data/patched --data -', { stdin: '{"data":{"a":"1","b":"2"}}' });
    const ran = await run('api secrets PATCH secret/data/patched --data -', { stdin: '{"data":{"b":null}}' });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect((await json('api secrets GET secret/data/patched')).data.data).toEqual({ a: '1' });
  });

  test('shows integers exactly, and every field', async () => {
    const body = '{"index":18446744073709551615,"__proto__":{"x":1}}';
    const server = await serve((_seen, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(body),
    );
    const ran = await run(`api registry GET x -o json --address ${server.url}`);
    expect(ran.stdout.replaceAll(/\s/g, '')).toBe(body);
    expect((await run(`api registry GET x --field index --address ${server.url}`)).stdout).toBe(
      '18446744073709551615\n',
    );
  });

  test('reaches every service', async () => {
    expect((await run('api registry GET status/leader')).stdout).toMatch(/^"\S+\d"$/);
    expect(await json('api box GET search?limit=1')).toEqual({ boxes: [] });
    expect(await json('api scheduler GET agent/health')).toMatchObject({ server: { ok: true } });
    expect((await run('api accounts GET /health')).code).toBe(0);
  });

  test('requires a token only if the service does', async () => {
    const env = { LANYARD_SECRETS_TOKEN: '' };
    expect((await run('api secrets GET sys/health', { env })).code).toBe(0);
    const ran = await run('api secrets LIST ssh/roles', { env });
    expectFailure(ran, 4, /^error: cannot LIST ssh\/roles: permission denied: no token was sent \(403\)/);
  });

  test('unseals a sealed service', async () => {
    const other = homeForTest();
    const sealed = await servicesForTest(other);
    const unsealKey = sealed.embedded.unsealKey;
    expect((await other.run(words('api secrets PUT sys/seal'))).code).toBe(0);
    expect((await other.run(words('ssh role list'))).code).toBe(8);
    const ran = await other.run(words('api secrets PUT sys/unseal --data - --field sealed'), {
      stdin: JSON.stringify({ key: unsealKey }),
      env: { LANYARD_SECRETS_TOKEN: '' },
    });
    expect(ran).toEqual({ code: 0, stdout: 'false\n', stderr: '' });
    expect((await other.run(words('ssh role list'))).code).toBe(0);
  });

  describe('shows no secret of a body', () => {
    const method = {
      Name: 'sso',
      Type: 'oidc',
      Config: { OIDCClientID: 'app', OIDCClientSecret: 'precious' },
    };
    const transaction = [{ KV: { Verb: 'set', Key: 'app/name', Value: 'cHJlY2lvdXM=' } }];
    test.each([
      ['secrets PUT sys/unseal', { key: 'precious' }, { key: '<redacted>' }],
      ['secrets PUT ns/sys/rekey/update', { Key: 'precious', nonce: 'n' }, { Key: '<redacted>', nonce: 'n' }],
      [
        'secrets POST ssh/config/ca',
        { public_key: 'shown', key_type: 'ca', private_key: 'precious' },
        { public_key: 'shown', key_type: 'ca', private_key: '<redacted>' },
      ],
      [
        'registry PUT acl/auth-method',
        method,
        { ...method, Config: { OIDCClientID: 'app', OIDCClientSecret: '<redacted>' } },
      ],
      ['registry PUT operator/keyring', { Key: 'precious' }, { Key: '<redacted>' }],
      ['registry PUT txn', transaction, [{ KV: { Verb: 'set', Key: 'app/name', Value: '<redacted>' } }]],
    ])('api %s', async (argv, body, shown) => {
      const stdin = JSON.stringify(body);
      const dry = await run(`api ${argv} --data - --dry-run -o json`, { stdin });
      expect(JSON.parse(dry.stdout).body).toEqual(shown);
      const curl = await run(`api ${argv} --data - --curl`, { stdin });
      expect(curl.stdout).toContain(JSON.stringify(shown));

      const server = await serve((seen, response) => response.writeHead(400).end(`cannot take ${seen.body}`));
      const ran = await run(`api ${argv} --data - --address ${server.url}`, { stdin });
      expect(ran.code).toBe(1);
      expect(server.seen[0]?.body).toBe(stdin);
      for (const { stdout, stderr } of [dry, curl, ran])
        expect(stdout + stderr).not.toMatch(/precious|cHJlY2lvdXM/);
    });

    test('api registry PUT kv', async () => {
      const stdout = outputOf(await run('api registry PUT kv/app --data - --dry-run', { stdin: 'precious' }));
      expect(stdout).toContain('<redacted>');
      expect(stdout).not.toContain('precious');
    });
  });

  test('takes --address and --namespace', async () => {
    const server = await serve((_seen, response) => response.end('"ok"'));
    await run(`api secrets GET x --namespace team --address ${server.url}`);
    expect(server.seen[0]?.headers['x-secrets-namespace']).toBe('team');
  });

  test.each([
    ['secrets GET ssh/../sys', 'must not contain ".." as a path segment'],
    ['secrets GET ssh/%2e%2e/sys', 'must not contain ".." as a path segment'],
    ['secrets GET a//b', 'contains an empty path segment'],
    ['secrets GET a.', 'must not end with a period'],
    ['secrets GET a%00b', 'contains a control character'],
    ['secrets GET http://elsewhere.example.com/v1/x', 'invalid path: expected a path within the service'],
    ['secrets GET x#y', 'invalid path: expected a path within the service'],
    ['secrets GET sys/%zz', 'invalid percent-encoding'],
    ['secrets G-T x', 'invalid HTTP method "G-T"'],
    ['nope GET x', 'invalid SERVICE "nope": expected one of secrets, registry, box, scheduler, accounts'],
    ['secrets GET', 'missing argument PATH'],
    ['secrets POST x --data {"token":"hvs.precious"}', 'is not accepted on the command line'],
    ['secrets POST x --data @none', 'no such file'],
  ])('rejects "api %s" before a request is sent', async (argv, message) => {
    const server = await serve((_seen, response) => response.end());
    const ran = await run(`api ${argv}`, { env: { LANYARD_SECRETS_ADDR: server.url } });
    expectFailure(ran, 2, message);
    expect(ran.stderr).not.toContain('hvs.precious');
    expect(server.seen).toEqual([]);
  });

  test.each([
    ['GET nowhere/x', 3, 'no handler for route'],
    ['GET ssh/nope', 3, 'unsupported path'],
    ['DELETE ssh/public_key', 1, 'unsupported operation'],
    ['POST ssh/roles/x', 1, 'missing key type'],
    ['FETCH sys/health', 1, ''],
  ])('"api secrets %s" exits with %i', async (argv, code, message) => {
    expectFailure(await run(`api secrets ${argv}`), code, message);
  });

  test.each([
    ['text/html', '<html>Log in</html>', 'an HTML page'],
    ['application/json', '{"a":', 'malformed JSON'],
  ])('reports an unknown outcome of a write with the response %s %s', async (type, body, why) => {
    const server = await serve((_seen, response) =>
      response.writeHead(200, { 'Content-Type': type }).end(body),
    );
    expectFailure(await run(`api secrets POST x --address ${server.url}`), 9, why);
    expect(server.seen).toHaveLength(1);
    expect(await run(`api secrets GET x --address ${server.url}`)).toMatchObject({ code: 1, stdout: '' });
  });

  test('rejects JSON that is nested too deep as a response of another service', async () => {
    const body = `${'[{"a":'.repeat(5000)}1${'}]'.repeat(5000)}`;
    const server = await serve((_seen, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(body),
    );
    for (const format of ['text', 'json', 'yaml']) {
      const ran = await run(`api secrets GET x -o ${format} --address ${server.url}`);
      expectFailure(ran, 1, 'unexpected response from the secrets service: status 200');
      expect(ran.stderr).toContain('JSON nested deeper than 1000 levels');
    }
  });

  test('writes to standard output with --out -, and creates no file of that name', async () => {
    const before = at.list();
    const { stdout } = await run('api secrets GET ssh/roles/deploy --out - --field data.ttl');
    expect(stdout).toBe('30m0s\n');
    expect(at.list()).toEqual(before);
  });

  test('reports an unknown outcome of a lost write, and sends it once', async () => {
    const server = await serveSocket((socket) => socket.destroy());
    expect(await run(`api secrets POST x --address ${server.url}`)).toMatchObject({ code: 9, stdout: '' });
    expect(server.seen).toHaveLength(1);
  });
});
