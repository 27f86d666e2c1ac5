import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectExit, expectFailure, homeForAll } from '../../support/command-tests.ts';
import type { Ran, RunOptions } from '../../support/run.ts';
import { type Handler, json, serve, serveSocket, type TestServer } from '../../unit/api/support.ts';

const at = homeForAll();
at.env.LANYARD_SECRETS_TOKEN = 'hvs.the-token-of-this-test';

const run = (server: Pick<TestServer, 'url'>, line: string, options: RunOptions = {}): Promise<Ran> =>
  at.run(line.split(' '), { ...options, env: { LANYARD_SECRETS_ADDR: server.url, ...options.env } });

/** A service whose mount is `secret/`, in this version; the rest is the handler's. */
const mounted =
  (version: '1' | '2' | null, rest: Handler, path = 'secret/'): Handler =>
  (seen, response, count) =>
    seen.url.startsWith('/v1/sys/internal/ui/mounts/')
      ? json(response, { data: { path, type: 'kv', options: version && { version } } })
      : rest(seen, response, count);

/** The requests of a command, without the one for the active server. */
const asked = ({ seen }: TestServer): string[] =>
  seen.filter(({ url }) => url !== '/v1/sys/leader').map(({ method, url }) => `${method} ${url}`);
const nothing: Handler = (_seen, response) => json(response, { errors: [] }, 404);

test('a path with the data/ of the API is not found, with the path to use', async () => {
  const server = await serve(mounted('2', nothing));
  for (const part of ['data', 'metadata']) {
    const ran = await run(server, `kv get secret/${part}/app/db`);
    expectFailure(ran, 3, `The path is without "${part}/": secret/app/db.`);
  }
});

describe('the question for the mount', () => {
  test('is read once, for the full path', async () => {
    const server = await serve(mounted('2', nothing));
    await run(server, 'kv get secret/app/db');
    expect(asked(server)).toEqual([
      'GET /v1/sys/internal/ui/mounts/secret/app/db',
      'GET /v1/secret/data/app/db',
    ]);
  });

  test('that the service does not know (404) means version 1', async () => {
    const server = await serve(nothing);
    await run(server, 'kv get secret/app/db');
    await run(server, 'kv get --mount team/kv app');
    expect(asked(server).filter((line) => !line.includes('/sys/'))).toEqual([
      'GET /v1/secret/app/db',
      'GET /v1/team/kv/app',
    ]);
  });

  test.each([
    [null, 'GET /v1/secret/app'],
    ['1', 'GET /v1/secret/app'],
    ['2', 'GET /v1/secret/data/app'],
  ] as const)('detected as version %s', async (version, then) => {
    const server = await serve(mounted(version, nothing));
    await run(server, 'kv get secret/app');
    expect(asked(server)[1]).toBe(then);
  });

  test.each([
    ['ns1/ns2/secret/app', 'secret/', '/v1/ns1/ns2/secret/data/app'],
    ['ns2/secret/app', 'ns1/ns2/secret/', '/v1/ns2/secret/data/app'],
    ['secret/app', 'ns1/secret/', '/v1/secret/data/app'],
    ['ns1/secret/app', 'ns1/secret/', '/v1/ns1/secret/data/app'],
  ])('for %s, a response of %s leads to %s', async (path, mount, url) => {
    const server = await serve(mounted('2', nothing, mount));
    await run(server, `kv get ${path}`);
    expect(server.seen[1]?.url).toBe(url);
  });

  test('that is rejected ends the command with the message of the service', async () => {
    const server = await serve((_seen, response) =>
      json(response, { errors: ['preflight capability check returned 403, please ...'] }, 403),
    );
    expectFailure(await run(server, 'kv put secret/app k=v'), 5, 'preflight capability check returned 403');
    expect(asked(server)).toEqual([
      'GET /v1/sys/internal/ui/mounts/secret/app',
      'GET /v1/secret/sys/internal/ui/mounts/app',
      'GET /v1/secret/sys/mounts',
    ]);
  });

  test('with a different mount than --mount names is rejected', async () => {
    const server = await serve(mounted('2', nothing));
    expect(await run(server, 'kv get --mount secret/app db')).toMatchObject({ code: 2, stdout: '' });
    expect(server.seen).toHaveLength(1);
  });
});

describe('nonsense', () => {
  test.each([
    ['kv get secret/../sys/mounts', 'must not contain ".." as a path segment'],
    ['kv get secret//app', 'contains an empty path segment'],
    ['kv get secret/app/', 'contains an empty path segment'],
    ['kv get secret/app.', 'must not end with a period'],
    ['kv put secret/app', 'nothing to write'],
    ['kv put secret/app pair', 'KEY=VALUE, KEY=@FILE or KEY=-'],
    ['kv put secret/app =v', 'KEY=VALUE, KEY=@FILE or KEY=-'],
    ['kv put secret/app k=1 k=2', 'duplicate key "k"'],
    ['kv put secret/app k=@nowhere', 'nowhere'],
    ['kv put secret/app k=- l=-', 'standard input can be read only once'],
    ['kv put secret/app --in list.json', 'list.json is not a JSON object'],
    ['kv put secret/app --in bad.json', 'bad.json is not valid JSON (line 2 column 1)'],
    ['kv put secret/app --in large.json', 'large.json: a number is too large'],
    ['kv put secret/app k=v --cas x', 'invalid --cas "x": expected a non-negative integer'],
    [
      'kv metadata put secret/app --cas-required maybe',
      'invalid --cas-required "maybe": expected one of true, false',
    ],
  ])('%s is rejected and nothing is sent', async (line, message) => {
    writeFileSync(join(at.path, 'list.json'), '[1]');
    writeFileSync(join(at.path, 'bad.json'), '{"password": "hunter22"\n');
    writeFileSync(join(at.path, 'large.json'), '{"password": 1e400}\n');
    const server = await serve(nothing);
    const ran = await run(server, line, { stdin: 'text' });
    expectFailure(ran, 2, message);
    expect(ran.stderr).not.toContain('hunter22');
    expect(server.seen).toEqual([]);
    rmSync(join(at.path, 'list.json'));
    rmSync(join(at.path, 'bad.json'));
    rmSync(join(at.path, 'large.json'));
  });
});

describe('the request', () => {
  test.each([
    ['kv put secret/a k=v', 'POST /v1/secret/data/a', { data: { k: 'v' }, options: {} }],
    ['kv put secret/a k=v --cas 0', 'POST /v1/secret/data/a', { data: { k: 'v' }, options: { cas: 0 } }],
    ['kv patch secret/a k=v', 'PATCH /v1/secret/data/a', { data: { k: 'v' }, options: {} }],
    ['kv delete secret/a --versions 1,2', 'POST /v1/secret/delete/a', { versions: [1, 2] }],
    ['kv undelete secret/a --versions 1 --versions 2', 'POST /v1/secret/undelete/a', { versions: [1, 2] }],
    ['kv destroy secret/a --versions 2 --yes', 'POST /v1/secret/destroy/a', { versions: [2] }],
    [
      'kv metadata put secret/a --cas-required false --custom-metadata a=b',
      'POST /v1/secret/metadata/a',
      { cas_required: false, custom_metadata: { a: 'b' } },
    ],
    [
      'kv config put secret --delete-version-after 60',
      'POST /v1/secret/config',
      { delete_version_after: '60s' },
    ],
  ])('by "%s"', async (line, request, body) => {
    const server = await serve(
      mounted('2', (_seen, response) => json(response, { data: { version: 1, created_time: 't' } })),
    );
    const ran = await run(server, line);
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
    const written = server.seen.find(({ method, url }) => `${method} ${url}` === request);
    expect(JSON.parse(written?.body ?? '')).toEqual(body);
    expect(written?.headers['content-type']).toBe(
      request.startsWith('PATCH') ? 'application/merge-patch+json' : 'application/json',
    );
  });

  test('to an engine of version 1 is the pairs only, also those named like parts of the route', async () => {
    const server = await serve(mounted('1', (_seen, response) => response.writeHead(204).end()));
    await run(server, 'kv put secret/a path=x mount=y content=z');
    expect(asked(server)[2]).toBe('POST /v1/secret/a');
    expect(JSON.parse(server.seen.at(-1)?.body ?? '')).toEqual({ path: 'x', mount: 'y', content: 'z' });
  });
});

test('warnings of a response are shown', async () => {
  const server = await serve(
    mounted('1', (_seen, response) => json(response, { data: null, warnings: ['mind the gap'] })),
  );
  const ran = await run(server, 'kv put secret/a k=v');
  expect(ran).toMatchObject({ code: 0, stderr: 'warning: mind the gap\n' });
});

test('a value that the service echoes in an error is redacted', async () => {
  const server = await serve(
    mounted('1', ({ body }, response) => json(response, { errors: [`odd: ${body}`] }, 400)),
  );
  const ran = await run(server, 'kv put secret/a anything=-', { stdin: 'hunter22' });
  expect(ran.code).toBe(1);
  expect(ran.stderr).not.toContain('hunter22');
  expect(ran.stderr).toContain('<redacted>');
});

describe('a write with a lost response', () => {
  const version = { created_time: '2026-11-20T10:00:00Z', deletion_time: '', destroyed: false };
  const current = (data: unknown, number = 3) => ({
    data: { data, metadata: { version: number, ...version } },
  });
  const metadata = (versions: object) => ({ data: { current_version: 3, versions } });

  /** Answers the question for the mount and reads; closes the connection on every write. */
  async function losing(read: unknown, status = 200): Promise<TestServer> {
    const server = await serveSocket((socket, request) => {
      const response = (code: number, body: unknown) => {
        const text = JSON.stringify(body);
        socket.write(
          `HTTP/1.1 ${code} X\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
        );
      };
      if (request.startsWith('GET /v1/sys/')) {
        response(200, { data: { path: 'secret/', type: 'kv', options: { version: '2' } } });
      } else if (request.startsWith('GET')) response(status, read);
      else socket.destroy();
    });
    return server;
  }
  const writes = ({ seen }: TestServer) => seen.filter(({ method }) => method !== 'GET').length;

  test.each([
    ['kv put secret/a k=v', current({ k: 'v' }), 200],
    ['kv patch secret/a k=v', current({ k: 'v', other: 1 }), 200],
    ['kv delete secret/a', { errors: [] }, 404],
    ['kv delete secret/a --versions 2', metadata({ 2: { ...version, deletion_time: 't' } }), 200],
    ['kv undelete secret/a --versions 2', metadata({ 2: version }), 200],
    ['kv destroy secret/a --versions 2 --yes', metadata({ 2: { ...version, destroyed: true } }), 200],
    ['kv metadata delete secret/a --yes', { errors: [] }, 404],
    [
      'kv metadata put secret/a --delete-version-after 90m',
      { data: { ...metadata({}).data, delete_version_after: '1h30m0s' } },
      200,
    ],
    ['kv config put secret --max-versions 3', { data: { max_versions: 3 } }, 200],
  ])('by "%s" succeeds if the value exists', async (line, read, status) => {
    const server = await losing(read, status);
    expectExit(await run(server, line), 0);
    expect(writes(server)).toBe(1);
  });

  test.each([
    ['kv put secret/a k=v', current({ k: 'w' }), 200, 'the current version 3 differs'],
    ['kv put secret/a k=v', { errors: [] }, 404, 'the secret does not exist'],
    ['kv patch secret/a k=v', current({ k: 'w' }), 200, 'the current version 3 differs'],
    ['kv delete secret/a', current({ k: 'w' }), 200, 'the secret still exists'],
    [
      'kv undelete secret/a --versions 2',
      metadata({ 2: { ...version, deletion_time: 't' } }),
      200,
      'version 2',
    ],
    ['kv metadata delete secret/a --yes', metadata({}), 200, 'the secret still exists'],
    ['kv config put secret --max-versions 3', { data: { max_versions: 4 } }, 200, 'differs'],
  ])('by "%s", and is not there, has an unknown outcome', async (line, read, status, found) => {
    const server = await losing(read, status);
    expectFailure(await run(server, line), 9, found);
    expect(writes(server)).toBe(1);
  });
});

describe('kv rollback', () => {
  /** A secret at version 3; each write is passed to `onWrite`, which returns whether its response is sent. */
  async function versioned(onWrite: (current: { number: number; data: unknown }) => number | undefined) {
    const current = { number: 3, data: { k: 'three' } as unknown };
    return serveSocket((socket, request) => {
      const send = (code: number, body: unknown) => {
        const text = JSON.stringify(body);
        socket.write(
          `HTTP/1.1 ${code} X\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
        );
      };
      const metadata = (version: number) => ({
        version,
        created_time: '2026-11-20T10:00:00Z',
        deletion_time: '',
        destroyed: false,
      });
      if (request.startsWith('GET /v1/sys/'))
        send(200, { data: { path: 'secret/', type: 'kv', options: { version: '2' } } });
      else if (request.includes('?version=1'))
        send(200, { data: { data: { k: 'one' }, metadata: metadata(1) } });
      else if (request.startsWith('GET'))
        send(200, { data: { data: current.data, metadata: metadata(current.number) } });
      else {
        const status = onWrite(current);
        if (status === undefined) socket.destroy();
        else send(status, { errors: ['check-and-set parameter did not match the current version'] });
      }
    });
  }

  test('verifies a write whose response was lost by version and data', async () => {
    const server = await versioned((current) => {
      Object.assign(current, { number: 4, data: { k: 'one' } });
      return undefined;
    });
    expect(await run(server, 'kv rollback secret/a --version 1')).toMatchObject({
      code: 0,
      stdout: 'Rolled back secret/a to version 1, written as version 4.\n',
      stderr: 'warning: the response was lost, but the secret was written\n',
    });
  });

  test.each([
    { number: 3, data: { k: 'one' } },
    { number: 5, data: { k: 'one' } },
    { number: 4, data: { k: 'two' } },
  ])('has an unknown outcome with $number and $data after a lost response', async (state) => {
    const server = await versioned((current) => {
      Object.assign(current, state);
      return undefined;
    });
    const ran = await run(server, 'kv rollback secret/a --version 1');
    expectFailure(ran, 9, `the current version ${state.number} differs`);
  });

  test('rejects a version without data', async () => {
    const version = { created_time: '2026-11-20T10:00:00Z', deletion_time: '', destroyed: false };
    const server = await serve(
      mounted('2', ({ url }, response) =>
        json(response, {
          data: { data: null, metadata: { version: url.endsWith('?version=1') ? 1 : 3, ...version } },
        }),
      ),
    );
    const ran = await run(server, 'kv rollback secret/a --version 1');
    expect(ran).toMatchObject({ code: 3, stdout: '' });
    expect(ran.stderr).toBe('error: cannot roll back secret "secret/a": version 1 has no data (null)\n');
  });

  test('fails if the secret was changed concurrently', async () => {
    const server = await versioned(() => 400);
    const ran = await run(server, 'kv rollback secret/a --version 1');
    expectFailure(ran, 6, 'cannot roll back secret "secret/a": changed concurrently; nothing was written');
    expect(ran.stderr).toContain('hint: The current version is no longer 3.');
    expect(server.seen.at(-1)?.body).toContain('"cas":3');
  });
});
