import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AuditLogOptions } from '../../../../src/services/secrets/audit/audit-log.ts';
import type { Json } from '../../../../src/wire/json.ts';
import { has } from '../../../support/require.ts';
import { smallDisk } from '../../../support/small-disk.ts';
import { folder } from '../support.ts';
import { decorated } from './engine-calls.ts';
import { authOf, data, denied, outcome, secrets } from './support.ts';

interface Entry {
  readonly time: string;
  readonly type: 'request' | 'response';
  readonly auth: Readonly<Record<string, Json>>;
  readonly request: Readonly<Record<string, Json>>;
  readonly response?: Readonly<Record<string, Json>>;
  readonly error?: string;
}

const entriesOf = (path: string, prefix = ''): Entry[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      expect(line.startsWith(prefix)).toBe(true);
      return JSON.parse(line.slice(prefix.length));
    });

async function audited(options: Partial<AuditLogOptions> = {}, more: Parameters<typeof secrets>[0] = {}) {
  const path = options.path ?? join(await folder(), 'audit.log');
  const service = await secrets({ ...more, auditLog: { ...options, path } });
  const hashOf = async (input: string) =>
    String(data(await service.post('sys/audit-hash/file', { input }))?.hash);
  /** The two lines of the last request with this path. */
  const last = (requestPath: string) =>
    entriesOf(path, options.prefix)
      .filter(({ request }) => request.path === requestPath)
      .slice(-2);
  return { ...service, path, hashOf, last };
}

describe('the audit log', () => {
  test('has a line for each request and its response, with hashed texts', async () => {
    const { ask, path, hashOf, last, rootToken, get, list } = await audited();
    const body = { x: 'a secret', n: 5, list: ['a secret', true], o: { p: 'q' } };
    expect((await ask('PUT', 'shelf/things/a', { body })).status).toBe(204);
    const [request, response] = last('shelf/things/a');
    const hashed = await hashOf('a secret');
    expect(hashed).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
    expect(request).toMatchObject({
      type: 'request',
      auth: {
        client_token: await hashOf(rootToken ?? ''),
        accessor: expect.stringMatching(/^hmac-sha256:/),
        display_name: 'root',
        policies: ['root'],
        policy_results: { allowed: true },
        token_type: 'service',
      },
      request: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        operation: 'create',
        mount_point: 'shelf/',
        mount_type: 'shelf',
        mount_class: 'secret',
        client_token: await hashOf(rootToken ?? ''),
        namespace: { id: 'root' },
        path: 'shelf/things/a',
        data: { x: hashed, n: 5, list: [hashed, true], o: { p: await hashOf('q') } },
        remote_address: '127.0.0.1',
        remote_port: expect.any(Number),
      },
    });
    expect(response).toMatchObject({
      type: 'response',
      request: request?.request,
      response: { mount_point: 'shelf/' },
    });
    const read = await get('shelf/things/a');
    expect(last('shelf/things/a')[1]).toMatchObject({
      request: { id: read.json?.request_id, operation: 'read' },
      response: { data: { kept: { x: hashed, n: 5 } } },
    });
    await list('shelf/things');
    expect(last('shelf/things/')[0]).toMatchObject({ request: { operation: 'list' } });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const text = readFileSync(path, 'utf8');
    expect(text).not.toContain('a secret');
    expect(text).not.toContain(rootToken);
  });

  test('has the hash of an issued token, and its policies', async () => {
    const { createToken, hashOf, last } = await audited();
    const { client_token: token, accessor } = await createToken({ policies: ['default'], ttl: '1h' });
    expect(last('auth/token/create')[1]).toMatchObject({
      request: { mount_class: 'auth', operation: 'update' },
      response: {
        auth: {
          client_token: await hashOf(token),
          accessor: await hashOf(accessor),
          policies: ['default'],
          token_ttl: 3600,
        },
      },
    });
  });

  test('has the hashes of a wrapping token, and nothing of the wrapped response', async () => {
    const { ask, hashOf, last, post } = await audited();
    await ask('PUT', 'shelf/things/a', { body: { x: 'a secret' } });
    const wrapped = await ask('GET', 'shelf/things/a', { headers: { 'X-Vault-Wrap-TTL': '60' } });
    const info = wrapped.json?.wrap_info as Readonly<Record<string, string>>;
    const { response } = last('shelf/things/a')[1] ?? {};
    expect(response).toMatchObject({
      wrap_info: {
        ttl: 60,
        token: await hashOf(info.token ?? ''),
        accessor: await hashOf(info.accessor ?? ''),
      },
    });
    expect(response).not.toHaveProperty('data');
    const unwrapped = await post('sys/wrapping/unwrap', {}, info.token ?? '');
    expect(data(unwrapped)).toEqual({ kept: { x: 'a secret' } });
    expect(JSON.stringify(last('sys/wrapping/unwrap'))).not.toContain('a secret');
  });

  test('has denied requests, and errors without texts of the request', async () => {
    const { hashOf, last, post, get } = await audited();
    expect((await get('shelf/things/b', 'hvs.invalid')).status).toBe(403);
    const [request, response] = last('shelf/things/b');
    expect(request).toMatchObject({
      auth: { token_type: 'default' },
      request: { client_token: await hashOf('hvs.invalid') },
      error: decorated('permission denied'),
    });
    expect(response).toMatchObject({
      response: { data: { error: expect.stringMatching(/^hmac-sha256:/) } },
      error: decorated('permission denied'),
    });
    expect((await get('shelf/things/c', null)).status).toBe(403);
    expect(last('shelf/things/c')[0]?.request).not.toHaveProperty('client_token');
    expect((await get('nowhere/x')).status).toBe(404);
    expect(last('nowhere/x')[1]).toMatchObject({ error: decorated('unsupported path') });
    expect((await post('sys/mounts/a', { type: 'odd one' })).status).toBe(400);
    expect(last('sys/mounts/a')[1]?.error).toBe(decorated('invalid request'));
  });

  test('has requests without a token, and those of namespaces', async () => {
    const { last, hashOf, post, get } = await audited();
    await post('sys/auth/userpass', { type: 'userpass' });
    await post('auth/userpass/users/bob', { password: 'a password' });
    const login = await post('auth/userpass/login/bob', { password: 'a password' }, null);
    const { client_token: token } = authOf(login);
    expect(last('auth/userpass/login/bob')).toMatchObject([
      { auth: { token_type: 'default' }, request: { data: { password: await hashOf('a password') } } },
      { response: { auth: { client_token: await hashOf(token), metadata: { username: 'bob' } } } },
    ]);
    await post('sys/namespaces/team');
    await get('team/sys/mounts');
    expect(last('sys/mounts')[0]?.request.namespace).toEqual({ id: expect.any(String), path: 'team/' });
    expect((await get('team/sys/audit')).status).toBe(404);
  });

  test('honors the lists of fields that are not hashed', async () => {
    const { ask, last, hashOf, post, get } = await audited();
    const body = { audit_non_hmac_request_keys: ['x'], audit_non_hmac_response_keys: 'y,z' };
    expect((await post('sys/mounts/shelf/tune', body)).status).toBe(204);
    await ask('PUT', 'shelf/things/a', { body: { x: 'plain', y: 'hashed' } });
    expect(last('shelf/things/a')[0]?.request.data).toEqual({ x: 'plain', y: await hashOf('hashed') });
    await get('shelf/things/a');
    expect(last('shelf/things/a')[1]?.response?.data).toMatchObject({
      kept: { x: await hashOf('plain'), y: 'hashed' },
    });
  });

  test('log_raw, hmac_accessor, elide_list_responses, mode and prefix are honored', async () => {
    const options = { logRaw: true, elideListResponses: true, mode: 0o754, prefix: '@audit: ' };
    const { ask, last, path, rootToken, get, list } = await audited(options);
    await ask('PUT', 'shelf/things/a', { body: { x: 'plain' } });
    expect(last('shelf/things/a')[0]).toMatchObject({
      auth: { client_token: rootToken },
      request: { data: { x: 'plain' } },
    });
    await list('sys/policies/acl');
    expect(last('sys/policies/acl/')[1]?.response?.data).toEqual({ keys: 2 });
    expect(statSync(path).mode & 0o777).toBe(0o644);
    expect(data(await get('sys/audit'))).toEqual({
      'file/': {
        path: 'file/',
        type: 'file',
        description: 'set when the service was started',
        options: {
          file_path: path,
          log_raw: 'true',
          elide_list_responses: 'true',
          mode: '0754',
          prefix: '@audit: ',
        },
        local: false,
      },
    });
    const other = await audited({ hmacAccessor: false });
    const { accessor } = await other.createToken({ policies: ['default'] });
    expect(other.last('auth/token/create')[1]).toMatchObject({ response: { auth: { accessor } } });
  });

  test('is continued after a restart, with the same hashes', async () => {
    const directory = await folder();
    const first = await audited({}, { dataDirectory: directory });
    const hash = await first.hashOf('a secret');
    const count = entriesOf(first.path).length;
    await first.close();
    const again = await audited({ path: first.path }, { dataDirectory: directory });
    expect(await again.hashOf('a secret')).toBe(hash);
    expect(entriesOf(first.path)).toHaveLength(count + 2);
  });

  test('begins a new line after an incomplete one', async () => {
    const path = join(await folder(), 'audit.log');
    writeFileSync(path, '{"time":"2026', { mode: 0o600 });
    const { get } = await audited({ path });
    await get('sys/mounts');
    const [torn, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(torn).toBe('{"time":"2026');
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(['request', 'response']);
  });

  test('has every line of requests at the same time, complete', async () => {
    const { ask, path } = await audited();
    const before = entriesOf(path).length;
    const value = 'x'.repeat(100_000);
    await Promise.all(
      Array.from({ length: 20 }, (_each, at) => ask('PUT', `shelf/things/${at}`, { body: { value, at } })),
    );
    expect(entriesOf(path)).toHaveLength(before + 40);
  });

  test('does not have the paths of the service state, and is not needed for them', async () => {
    const { path, get } = await audited();
    const before = entriesOf(path).length;
    for (const each of ['health', 'seal-status', 'leader']) await get(`sys/${each}`, null);
    expect(entriesOf(path)).toHaveLength(before);
  });
});

describe('a request that cannot be logged', () => {
  test('fails and changes nothing, until there is space again', async (context) => {
    const disk = await smallDisk();
    if (disk === undefined) return context.skip();
    const path = join(disk, 'audit.log');
    const { ask, logged, get } = await secrets({ auditLog: { path } });
    const put = (name: string) => ask('PUT', `shelf/things/${name}`, { body: { x: 1 } });
    expect((await put('a')).status).toBe(204);
    const filler = join(disk, 'filler');
    writeFileSync(filler, '');
    const chunk = Buffer.alloc(1024);
    expect(() => {
      for (;;) appendFileSync(filler, chunk);
    }).toThrow('ENOSPC');
    // What is left of the last block takes some lines.
    let failed = 0;
    for (let at = 0; at < 20; at++) if ((await put(`b${at}`)).status === 500) failed++;
    expect(failed).toBeGreaterThan(10);
    expect(outcome(await put('c'))).toBe(`500 ${decorated('internal error')}`);
    expect(logged.join('\n')).toContain('cannot write to an audit device');
    rmSync(filler);
    expect((await put('d')).status).toBe(204);
    expect((await get('shelf/things/c')).status).toBe(404);
    const whole = readFileSync(path, 'utf8').trimEnd().split('\n').slice(-2);
    expect(whole.map((line) => JSON.parse(line).request.path)).toEqual(['shelf/things/c', 'shelf/things/c']);
  });
});

describe('sys/audit', () => {
  test('is an empty list without a log, and cannot be changed over HTTP', async () => {
    const { post, get, remove } = await secrets();
    expect(data(await get('sys/audit'))).toEqual({});
    const device = { type: 'file', options: { file_path: '/tmp/lanyard-never-written' } };
    expect(outcome(await post('sys/audit/file', device))).toMatch(
      /^400 cannot enable audit device via API; .*lanyard dev --audit-log FILE$/,
    );
    expect((await remove('sys/audit/file')).status).toBe(204);
    const logged = await audited();
    expect(outcome(await logged.remove('sys/audit/file'))).toBe(
      '400 cannot disable configuration-managed audit device',
    );
  });

  test('sys/audit-hash names the device', async () => {
    const { post } = await audited();
    expect(outcome(await post('sys/audit-hash/none', { input: 'x' }))).toBe(
      '400 unknown audit backend "none/"',
    );
    expect(outcome(await post('sys/audit-hash/file'))).toBe('400 the "input" parameter is empty');
  });

  test('requires sudo', async () => {
    const { post, get, remove, tokenWith } = await audited();
    const token = await tokenWith('path "sys/*" { capabilities = ["read", "update", "delete"] }');
    expect(outcome(await get('sys/audit', token))).toBe(denied);
    expect(outcome(await post('sys/audit/x', {}, token))).toBe(denied);
    expect(outcome(await remove('sys/audit/x', token))).toBe(denied);
    expect((await post('sys/audit-hash/file', { input: 'x' }, token)).status).toBe(200);
  });
});

describe('the file of the audit log', () => {
  const opened = (path: string) => secrets({ auditLog: { path } });

  test('is rejected if it is a link, a directory or a file with other content, and left unchanged', async () => {
    const directory = await folder();
    const at = (name: string) => join(directory, name);
    writeFileSync(at('notes.txt'), 'my notes\n');
    writeFileSync(at('empty'), '');
    symlinkSync(at('empty'), at('link'));
    linkSync(at('empty'), at('hard'));
    mkdirSync(at('folder'));
    for (const [name, message] of [
      ['notes.txt', 'it exists and is not an audit log with the same prefix'],
      ['link', 'it is a symbolic link'],
      ['hard', 'it has other hard links'],
      ['folder', 'it is a directory'],
      ['missing/audit.log', 'no such file or directory'],
    ] as const) {
      await expect(opened(at(name)), name).rejects.toThrow(message);
    }
    expect(readFileSync(at('notes.txt'), 'utf8')).toBe('my notes\n');
    expect(readFileSync(at('empty'), 'utf8')).toBe('');
  });

  test.skipIf(!has('mkfifo'))('is rejected if it is a pipe, without waiting for a reader', async () => {
    const path = join(await folder(), 'pipe');
    execFileSync('mkfifo', [path]);
    await expect(opened(path)).rejects.toThrow('it is not a regular file');
  });

  test('cannot be the database or a key of the data directory', async () => {
    const directory = await folder();
    const first = await secrets({ dataDirectory: directory });
    await first.close();
    for (const name of ['lanyard.db', 'secrets.key']) {
      const path = join(directory, name);
      const before = readFileSync(path);
      await expect(secrets({ auditLog: { path } })).rejects.toThrow('is not an audit log');
      expect(readFileSync(path)).toEqual(before);
    }
  });
});
