import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure } from '../../support/command-tests.ts';
import type { Ran, RunOptions } from '../../support/run.ts';
import { type Handler, json, serve, serveSocket, type TestServer } from '../../unit/api/support.ts';

const { at, run, done } = embeddedForAll();
const runAt = (server: Pick<TestServer, 'url'>, line: string, options: RunOptions = {}): Promise<Ran> =>
  run(line, { ...options, env: { LANYARD_SECRETS_ADDR: server.url, ...options.env } });
const answering = (body: unknown, status = 200): Promise<TestServer> =>
  serve((_seen, response) => json(response, body, status));

beforeAll(async () => {
  await done('secrets write ssh/roles/web key_type=ca allow_user_certificates=true default_user=ubuntu');
});

describe('secrets read', () => {
  test('shows the members of the data, label and value', async () => {
    const stdout = await done('secrets read ssh/roles/web');
    expect(stdout).toContain('key_type\tca\n');
    expect(stdout).toContain('allow_user_certificates\ttrue\n');
    expect(stdout).toContain('allowed_domains\t-\n');
    expect(await done('secrets read ssh/roles/web --field default_user')).toBe('ubuntu\n');
    expect(await done('secrets read ssh/roles/web -o env')).toContain("key_type='ca'\n");
    expect(JSON.parse(await done('secrets read ssh/roles/web -o json'))).toMatchObject({
      lease_id: '',
      data: { key_type: 'ca' },
    });
  });

  test('reports a missing path', async () => {
    expect(await run('secrets read ssh/roles/missing')).toEqual({
      code: 3,
      stdout: '',
      stderr: 'error: path "ssh/roles/missing" not found\n',
    });
  });

  test('keeps the message of the service', async () => {
    expectFailure(await run('secrets read nowhere/at/all'), 3, 'no handler for route');
    const warned = await answering({ data: null, warnings: ['Invalid path for a versioned engine'] }, 404);
    expect((await runAt(warned, 'secrets read secret/app')).stderr).toContain('Invalid path for a versioned');
  });

  test('prints a text unchanged', async () => {
    await done('secrets write ssh/config/ca key_type=ed25519');
    expect(await done('secrets read ssh/public_key')).toMatch(/^ssh-ed25519 \S+\n$/);
  });

  test('shows warnings', async () => {
    const server = await answering({ data: { a: 1 }, warnings: ['mind the gap'] });
    expect(await runAt(server, 'secrets read any/path')).toEqual({
      code: 0,
      stdout: 'a\t1\n',
      stderr: 'warning: mind the gap\n',
    });
  });

  const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\ndef\n-----END OPENSSH PRIVATE KEY-----\n';
  test.each([
    [
      'a value of version 2',
      {
        mount_type: 'kv',
        data: { data: { pin: '2222', deep: { user: 'root' } }, metadata: { created_time: '2024-01-01' } },
      },
      ['2222', 'root'],
    ],
    [
      'a value of version 1',
      { mount_type: 'kv', lease_id: '', lease_duration: 2764800, data: { user: 'root' } },
      ['root'],
    ],
    [
      'a value of version 1 of a service that names no type',
      { lease_id: '', lease_duration: 2764800, data: { user: 'root' } },
      ['root'],
    ],
    [
      'metadata of a secret',
      { mount_type: 'kv', data: { current_version: 1, versions: { 1: { created_time: '2024-01-01' } } } },
      [],
    ],
    [
      'a role',
      {
        mount_type: 'jwt',
        lease_id: '',
        lease_duration: 0,
        data: {
          bound_subject: 'auth/jwt/login',
          policies: ['jwt-repo:x'],
          token_ttl: '1h',
          bind_secret_id: true,
        },
      },
      [],
    ],
    ['a password', { data: { username: 'a-user-of-it', password: 'hunter22' } }, ['hunter22']],
    ['a secret ID', { data: { secret_id: 'e4b9-2f', secret_id_accessor: 'accessor-of-it' } }, ['e4b9-2f']],
    [
      'a token',
      { data: null, auth: { client_token: 'hvs.abc', accessor: 'accessor-of-it', policies: ['default'] } },
      ['hvs.abc'],
    ],
    [
      'a wrapped response',
      { data: null, wrap_info: { token: 'hvs.wrap', creation_path: 'secret/data/app' } },
      ['hvs.wrap'],
    ],
    [
      'a one-time password',
      { data: { ip: '192.0.2.7', key: '2f7e25a2', key_type: 'otp', username: 'ubuntu-user' } },
      ['2f7e25a2'],
    ],
    [
      'a private key, as one text and line by line,',
      { data: { signed_key: 'ssh-rsa AAAA', private_key: key } },
      [key, key.trim(), ...key.trim().split('\n')],
    ],
    [
      'a private key under any name',
      { data: { pem_bundle: key, serial_number: '01:02' } },
      [key, key.trim(), ...key.trim().split('\n')],
    ],
    [
      'a token under any name',
      { data: { note: 'hvs.CAESIJabcdefghijklmnopqrstuv' } },
      ['hvs.CAESIJabcdefghijklmnopqrstuv'],
    ],
    [
      'the shares of a service',
      { keys: ['share-one'], keys_base64: ['c2hhcmU='], root_token: 'hvs.root' },
      ['share-one', 'c2hhcmU=', 'hvs.root'],
    ],
  ])('masks %s in a CI service, and no other text', async (_name, body, secrets) => {
    const server = await answering(body);
    for (const line of ['secrets read any/path -o json', 'secrets write any/path a=b -o json']) {
      const ran = await runAt(server, line, { env: { GITHUB_ACTIONS: 'true' } });
      expect(ran.code).toBe(0);
      expect(ran.stderr).toBe(
        secrets.map((secret) => `::add-mask::${secret.replaceAll('\n', '%0A')}\n`).join(''),
      );
    }
  });

  test.each([
    ['secrets read ..', 'must not contain ".." as a path segment'],
    ['secrets read ssh/../sys/mounts', 'must not contain ".." as a path segment'],
    ['secrets read /ssh', 'contains an empty path segment'],
    ['secrets read ssh//roles', 'contains an empty path segment'],
    ['secrets read ssh/roles/web.', 'must not end with a period'],
    ['secrets write ssh/./roles k=v', 'must not contain "." as a path segment'],
    ['secrets delete ssh//roles --yes', 'contains an empty path segment'],
    ['secrets list .. ', 'must not contain ".." as a path segment'],
    ['secrets help ..', 'must not contain ".." as a path segment'],
  ])('and similar commands reject "%s", and send nothing', async (line, message) => {
    const server = await answering({});
    expectFailure(await runAt(server, line.trim()), 2, message);
    expect(server.seen).toEqual([]);
  });

  test('has a namespace by header or in the path', async () => {
    const server = await answering({ data: {} });
    await runAt(server, 'secrets read ssh/roles/web -n ns1/ns2');
    await runAt(server, 'secrets read ns2/ssh/roles/web -n ns1');
    await runAt(server, 'secrets read ns1/ns2/ssh/roles/web');
    expect(server.seen.map(({ url, headers }) => [headers['x-secrets-namespace'], url])).toEqual([
      ['ns1/ns2', '/v1/ssh/roles/web'],
      ['ns1', '/v1/ns2/ssh/roles/web'],
      [undefined, '/v1/ns1/ns2/ssh/roles/web'],
    ]);
    expect(server.seen.every(({ headers }) => headers['x-secrets-request'] === 'true')).toBe(true);
  });
});

describe('secrets write', () => {
  test('writes members from the command line, files and standard input', async () => {
    writeFileSync(join(at.path, 'role.json'), '{"key_type":"ca","allow_host_certificates":true,"ttl":"1h"}');
    const stdout = await done('secrets write ssh/roles/host --in role.json allowed_domains=- ttl=2h', {
      stdin: 'example.com\n',
    });
    expect(stdout).toBe('Wrote to ssh/roles/host.\n');
    const role = JSON.parse(await done('secrets read ssh/roles/host -o json')).data;
    expect(role).toMatchObject({
      allow_host_certificates: true,
      allowed_domains: 'example.com',
      ttl: '2h0m0s',
    });
  });

  test('without members sends an empty object', async () => {
    const server = await serve((_seen, response) => response.writeHead(204).end());
    expect(await runAt(server, 'secrets write sys/rotate')).toMatchObject({
      code: 0,
      stdout: 'Wrote to sys/rotate.\n',
    });
    expect(server.seen[0]).toMatchObject({ method: 'POST', url: '/v1/sys/rotate', body: '{}' });
  });

  test('sends members of every name', async () => {
    const server = await serve((_seen, response) => response.writeHead(204).end());
    await runAt(server, 'secrets write any path=a content=b __proto__=c');
    expect(server.seen[0]?.body).toBe('{"path":"a","content":"b","__proto__":"c"}');
  });

  test('shows what the service gave back: data, or a token', async () => {
    const token = { auth: { client_token: 'hvs.made', policies: ['default'] }, data: null };
    const server = await answering(token);
    expect((await runAt(server, 'secrets write auth/token/create')).stdout).toBe(
      'client_token\thvs.made\npolicies\t["default"]\n',
    );
    expect((await runAt(server, 'secrets write auth/token/create --field client_token')).stdout).toBe(
      'hvs.made\n',
    );
  });

  test('shows in a dry run what stood on the command line, and nothing from elsewhere', async () => {
    expect(await done('secrets write ssh/roles/x key_type=ca --curl')).toContain(
      `--data-raw '{"key_type":"ca"}'`,
    );
    for (const flag of ['--curl', '--dry-run']) {
      const stdout = await done(`secrets write any key=- ${flag}`, { stdin: 'hidden-one' });
      expect(stdout).toContain('<redacted>');
      expect(stdout).not.toContain('hidden');
    }
  });

  test('shows the error of the service, without a value that it echoes', async () => {
    expectFailure(await run('secrets write ssh/roles/x key_type=enigma'), 1, '(400)');
    const echo = await serve(({ body }, response) => json(response, { errors: [body] }, 400));
    expect((await runAt(echo, 'secrets write any key=-', { stdin: 'hunter22' })).stderr).not.toContain(
      'hunter22',
    );
  });
});

describe('secrets list', () => {
  test('shows names, one a line', async () => {
    expect(await done('secrets list ssh/roles')).toContain('web\n');
    expect(await done('secrets list ssh/roles/ -o jsonl')).toContain('"web"\n');
  });

  test('of nothing is no row, and no failure', async () => {
    // Node's own server does not know the method.
    const server = await serveSocket((socket) =>
      socket.write(
        'HTTP/1.1 404 X\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{"errors":[]}',
      ),
    );
    expect(await runAt(server, 'secrets list ssh/roles')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(server.seen[0]).toMatchObject({ method: 'LIST', url: '/v1/ssh/roles' });
    expect((await run('secrets list nowhere')).code).toBe(3);
  });
});

describe('secrets delete', () => {
  test('prompts, deletes', async () => {
    await done('secrets write ssh/roles/gone key_type=ca allow_user_certificates=true');
    expect((await run('secrets delete ssh/roles/gone')).code).toBe(2);
    expect(await done('secrets delete ssh/roles/gone --yes')).toBe('Deleted ssh/roles/gone.\n');
    expect((await run('secrets read ssh/roles/gone')).code).toBe(3);
  });
});

describe('a write with a lost response', () => {
  async function losing(read: unknown, status: number): Promise<TestServer> {
    return serveSocket((socket, request) => {
      const text = JSON.stringify(read);
      if (!request.startsWith('GET')) socket.destroy();
      else
        socket.write(
          `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
        );
    });
  }
  test.each([
    ['secrets write any/path a=b', { data: { a: 'b', other: 1 } }, 200, 0],
    ['secrets write any/path a=b', { data: { a: 'c' } }, 200, 9],
    ['secrets write any/path a=b', { errors: [] }, 404, 9],
    ['secrets write any/path', { data: {} }, 200, 9],
    ['secrets write any/path a=b', { errors: ['unsupported operation'] }, 405, 9],
    ['secrets delete any/path --yes', { errors: [] }, 404, 0],
    ['secrets delete any/path --yes', { data: {} }, 200, 9],
    ['secrets delete any/path --yes', { errors: ['denied'] }, 403, 9],
  ])(
    'by "%s", where a read gives %j (%i), ends with %i… and is sent once',
    async (line, read, status, code) => {
      const server = await losing(read, status);
      expect((await runAt(server, line)).code).toBe(code);
      expect(server.seen.filter(({ method }) => method !== 'GET')).toHaveLength(1);
    },
  );
});

describe('secrets help', () => {
  const help: Handler = ({ url }, response) =>
    url === '/v1/ssh/roles?help=1'
      ? json(response, { help: 'Manage roles.', see_also: null, openapi: { openapi: '3.0.2', paths: {} } })
      : json(response, { errors: [] }, 404);

  test('shows the service’s words, or the OpenAPI document', async () => {
    const server = await serve(help);
    expect((await runAt(server, 'secrets help ssh/roles')).stdout).toBe('Manage roles.\n');
    const { stdout } = await runAt(server, 'secrets help ssh/roles --openapi');
    expect(JSON.parse(stdout)).toEqual({ openapi: '3.0.2', paths: {} });
    expect((await runAt(server, 'secrets help ssh/roles --openapi -o json')).stdout).toBe(stdout);
    expect((await runAt(server, 'secrets help ssh/roles -o json')).stdout).toContain('"see_also": null');
    expect((await runAt(server, 'secrets help other')).code).toBe(3);
  });

  test('reports a missing document', async () => {
    const server = await answering({ help: 'x', openapi: null });
    expect((await runAt(server, 'secrets help ssh --openapi')).code).toBe(3);
  });
});
