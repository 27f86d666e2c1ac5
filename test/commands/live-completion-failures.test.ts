import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { generatedPasswordCost } from '../../src/services/core/password.ts';
import { startServices } from '../../src/services/start-services.ts';
import { embeddedForAll, expectExit, homeForTest, servicesForTest } from '../support/command-tests.ts';
import type { RunOptions } from '../support/run.ts';
import { type Handler, serve } from '../unit/api/support.ts';

const { at, running } = embeddedForAll();

const ran = async (...argv: string[]): Promise<void> => {
  expectExit(await at.run(argv), 0);
};

/** The lines of a completion, which prints nothing else and never fails. */
async function completed(line: readonly string[], current = '', options: RunOptions = {}): Promise<string[]> {
  const { code, stdout, stderr } = await at.run(['__complete', 'zsh', `=${current}`, '--', ...line], options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.split('\n').slice(0, -1);
}

/** A directory of mode 0700 for the cache of one test. */
let directories = 0;
function runtimeDirectory(): string {
  directories += 1;
  const path = at.file(`run-${directories}`);
  mkdirSync(path, { mode: 0o700 });
  return path;
}

const queries: Handler = (_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify([{ ID: '8f246b77', Name: 'web', Token: 'hunter2', Service: { Service: 'nginx' } }]),
  );
};

const execQuery = ['query', 'exec'];
const signRole = ['ssh', 'sign'];

beforeAll(async () => {
  at.env.XDG_RUNTIME_DIR = at.file('missing/runtime');
  await ran('ssh', 'role', 'put', 'deploy', '--allow-user-certificates');
});

describe('a completion without a result is silent', () => {
  test('a role is listed, with its key type', async () => {
    expect(await completed(signRole)).toEqual(['deploy\tca']);
  });

  test('a service that does not respond in time', async () => {
    const limit = new AbortController();
    const limits: number[] = [];
    const slow = await serve(() => limit.abort());
    const lines = await completed([...execQuery, '--address', slow.url], '', {
      timeout: (milliseconds) => {
        limits.push(milliseconds);
        return limit.signal;
      },
    });
    expect(lines).toEqual([]);
    expect(slow.seen).toHaveLength(1);
    expect(limits).toHaveLength(1);
    expect(limits[0]).toBeLessThan(400);
  });

  test('a service that closes the connection gets one request', async () => {
    const closing = await serve((_seen, response) => void response.socket?.destroy());
    expect(await completed([...execQuery, '--address', closing.url])).toEqual([]);
    expect(closing.seen).toHaveLength(1);
  });

  test.each([
    ['no service', { LANYARD_SECRETS_ADDR: 'http://127.0.0.1:1' }],
    ['no address', { LANYARD_SECRETS_ADDR: '' }],
    ['an invalid address', { LANYARD_SECRETS_ADDR: 'ftp://x' }],
    ['no token', { LANYARD_SECRETS_TOKEN: '' }],
    ['a token that the service rejects', { LANYARD_SECRETS_TOKEN: 'wrong' }],
    ['a profile that does not exist', { LANYARD_PROFILE: 'missing' }],
    ['an invalid setting', { LANYARD_SECRETS_SKIP_VERIFY: 'perhaps' }],
    ['completion without services', { LANYARD_COMPLETION: 'static' }],
  ])('%s', async (_what, env) => {
    expect(await completed(signRole, '', { env })).toEqual([]);
  });

  test('a sealed service', async () => {
    const other = homeForTest();
    const started = await servicesForTest(other);
    await other.run(['ssh', 'role', 'put', 'deploy', '--allow-user-certificates']);
    const list = (): Promise<string[]> =>
      completed(signRole, '', {
        env: { LANYARD_SECRETS_ADDR: started.addresses.secrets, LANYARD_SECRETS_TOKEN: started.rootToken },
      });
    expect(await list()).toEqual(['deploy\tca']);
    await other.run(['secrets', 'seal', '--yes']);
    expect(await list()).toEqual([]);
  });

  test.each([
    [[], ''],
    [['nosuch'], ''],
    [['ssh'], ''],
    [['ssh', 'sign', 'deploy'], ''],
    [['ssh', 'sign'], '--'],
    [['ssh', 'sign', '--nosuch'], 'x='],
    [['ssh', 'sign', '--output', 'nosuch'], ''],
    [['api', 'secrets', 'GET'], ''],
    [['box', 'version', 'get', 'a/b/c'], ''],
    [['kv', 'get'], '../'],
    [['kv', 'get'], 'secret/\u0000/'],
    [['query', 'exec'], '\ud800'],
  ])('the line %j with the word %j', async (line, current) => {
    expect(await completed(line, current)).toEqual([]);
  });

  test.each([[[]], [['tcsh', '=', '--']], [['bash']], [['bash', 'x', '--']], [['bash', '=', 'ssh', 'sign']]])(
    'the request %j',
    async (argv) => {
      expect(await at.run(['__complete', ...argv])).toEqual({ code: 0, stdout: '', stderr: '' });
    },
  );
});

test('a token in the keyring is used if reading it opens no prompt', async () => {
  const keyring = at.write(
    'keyring.cjs',
    `const { appendFileSync, readFileSync } = require('node:fs');
    const request = JSON.parse(readFileSync(0));
    appendFileSync(${JSON.stringify(at.file('requests.txt'))}, JSON.stringify(request) + '\\n');
    const locked = process.env.LOCKED === 'yes' && request.noPrompt;
    process.stdout.write(JSON.stringify(locked ? { error: 'may be locked' } : { token: process.env.STORED }));`,
  );
  at.write(
    'config/credentials.json',
    JSON.stringify({ tokens: { work: { secrets: { where: 'keyring' } } } }),
  );
  at.write(
    'config/config.json',
    JSON.stringify({
      profiles: {
        work: { secrets: { address: running.addresses.secrets, token: 'stored' } },
        fresh: { secrets: { address: running.addresses.secrets } },
      },
    }),
  );
  const withKeyring = (more: Readonly<Record<string, string>>): RunOptions => ({
    env: {
      ...{ LANYARD_KEYRING: '', LANYARD_SECRETS_TOKEN: '', LANYARD_SECRETS_ADDR: '' },
      ...{ STORED: running.rootToken, ...more },
    },
    keyring: [process.execPath, keyring],
  });
  const line = ['-p', 'work', ...signRole];
  expect(await completed(line, '', withKeyring({}))).toEqual(['deploy\tca']);
  expect(await completed(line, '', withKeyring({ LOCKED: 'yes' }))).toEqual([]);
  for (const request of at.read('requests.txt').trim().split('\n'))
    expect(JSON.parse(request)).toMatchObject({ action: 'get', noPrompt: true });
  // A command may prompt.
  expect(await at.run(['-p', 'work', 'ssh', 'role', 'list'], withKeyring({ LOCKED: 'yes' }))).toMatchObject({
    code: 0,
  });
  expect(at.read('requests.txt').trim().split('\n').at(-1)).not.toContain('noPrompt');
  // The first login on a terminal says so.
  const note = 'Shell completion cannot read tokens in this keyring';
  const login = async (more: Readonly<Record<string, string>>): Promise<string> => {
    const argv = ['-p', 'fresh', 'secrets', 'login', '--token', 'env://STORED'];
    const { code, stderr } = await at.run(argv, { ...withKeyring(more), columns: 100 });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return stderr;
  };
  expect(await login({ LOCKED: 'yes' })).toContain(note);
  expect(await login({ LOCKED: 'yes' })).not.toContain(note);
  expect((await at.run(['profile', 'put', 'fresh', 'secrets.token='], withKeyring({}))).code).toBe(0);
  expect(await login({})).not.toContain(note);
});

test('names with control or invisible characters and names like flags are not offered', async () => {
  const address = running.addresses.registry;
  const keys = [
    'odd/ok',
    'odd/\u001b[31mred',
    'odd/a\nb',
    'odd/a\tb',
    'odd/\u202egnp',
    'odd/a\u200bb',
    '-rf',
  ];
  // The path of a request cannot have them.
  const operations = keys.map((Key) => ({ KV: { Verb: 'set', Key, Value: 'eA==' } }));
  await fetch(`${address}/v1/txn`, { method: 'PUT', body: JSON.stringify(operations) });
  const { body } = await fetch(`${address}/v1/kv/odd/?keys`).then(async (response) => ({
    body: (await response.json()) as string[],
  }));
  expect(body).toContain('odd/a\nb');
  expect(await completed(['registry', 'kv', 'get'], 'odd/')).toEqual(['odd/ok']);
  expect(await completed(['registry', 'kv', 'get'])).toEqual(['odd/']);
});

test('a description is one short line', async () => {
  await ran('namespace', 'put', 'long', '--description', `a\nb \u001b[31m ${'x'.repeat(200)}`);
  const [line = ''] = await completed(['namespace', 'get'], 'lo');
  expect(line).toMatch(/^long\ta b \\x1b\[31m x+…$/);
  expect(line.length).toBeLessThan(80);
});

describe('the cache', () => {
  const start = Date.parse('2026-01-02T03:04:05Z');

  test('keeps a list for 5 s', async () => {
    const service = await serve(queries);
    const XDG_RUNTIME_DIR = runtimeDirectory();
    const listAt = (after: number, line: readonly string[] = execQuery, current = ''): Promise<string[]> =>
      completed(line, current, {
        now: new Date(start + after),
        env: { XDG_RUNTIME_DIR, LANYARD_REGISTRY_ADDR: service.url },
      });
    expect(await listAt(0)).toEqual(['web\tnginx']);
    expect(await listAt(4999)).toEqual(['web\tnginx']);
    expect(await listAt(4999, execQuery, 'x')).toEqual([]);
    expect(await listAt(4999, ['query', 'get'])).toEqual(['web\tnginx']);
    expect(service.seen).toHaveLength(1);
    expect(await listAt(4999, [...execQuery, '--dc', 'dc2'])).toEqual(['web\tnginx']);
    expect(await listAt(4999, [...execQuery, '--address', `${service.url}/path`])).toEqual(['web\tnginx']);
    expect(service.seen).toHaveLength(3);
    expect(await listAt(5000)).toEqual(['web\tnginx']);
    expect(await listAt(-1)).toEqual(['web\tnginx']);
    expect(service.seen).toHaveLength(5);
  });

  test('has files of mode 0600 in a directory of mode 0700, with candidates only', async () => {
    const XDG_RUNTIME_DIR = runtimeDirectory();
    await ran('var', 'put', 'app/db', 'password=hunter2');
    await completed(signRole, '', { env: { XDG_RUNTIME_DIR } });
    expect(await completed(['var', 'put', 'app/db'], '', { env: { XDG_RUNTIME_DIR } })).toEqual([
      'password=',
    ]);
    const directory = join(XDG_RUNTIME_DIR, 'lanyard');
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    const files = readdirSync(directory);
    expect(files).toHaveLength(2);
    for (const file of files) {
      expect(file).toMatch(/^completion-[0-9a-f]{64}$/);
      expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
      const text = readFileSync(join(directory, file), 'utf8');
      expect(text).not.toContain('hunter2');
      expect(text).not.toContain(running.rootToken);
      expect(Object.keys(JSON.parse(text))).toEqual(['at', 'candidates']);
    }
  });

  test.each([
    [
      'other users may read',
      (path: string) => {
        mkdirSync(path);
        chmodSync(path, 0o755);
      },
    ],
    [
      'is a link',
      (path: string) => {
        mkdirSync(`${path}-real`, { mode: 0o700 });
        symlinkSync(`${path}-real`, path);
      },
    ],
  ])('is not used in a directory that %s', async (_what, make) => {
    const service = await serve(queries);
    const XDG_RUNTIME_DIR = runtimeDirectory();
    make(join(XDG_RUNTIME_DIR, 'lanyard'));
    const options = { env: { XDG_RUNTIME_DIR, LANYARD_REGISTRY_ADDR: service.url } };
    for (const _ of [1, 2]) expect(await completed(execQuery, '', options)).toEqual(['web\tnginx']);
    expect(service.seen).toHaveLength(2);
    expect(readdirSync(join(XDG_RUNTIME_DIR, 'lanyard'))).toEqual([]);
  });

  test('does not use a damaged file or one that other users may read', async () => {
    const service = await serve(queries);
    const XDG_RUNTIME_DIR = runtimeDirectory();
    const options = {
      now: new Date(start),
      env: { XDG_RUNTIME_DIR, LANYARD_REGISTRY_ADDR: service.url },
    };
    await completed(execQuery, '', options);
    const [name = ''] = readdirSync(join(XDG_RUNTIME_DIR, 'lanyard'));
    const file = `${XDG_RUNTIME_DIR.slice(at.path.length + 1)}/lanyard/${name}`;
    const stored = at.read(file);
    for (const text of ['', '{', '{"at":1}', stored.replace('"web"', '1')]) {
      at.clear(file);
      at.write(file, text);
      expect(await completed(execQuery, '', options)).toEqual(['web\tnginx']);
    }
    expect(service.seen).toHaveLength(5);
    chmodSync(at.file(file), 0o644);
    await completed(execQuery, '', options);
    expect(service.seen).toHaveLength(6);
  });

  test('does not keep failures', async () => {
    const XDG_RUNTIME_DIR = runtimeDirectory();
    const env = { XDG_RUNTIME_DIR, LANYARD_SECRETS_TOKEN: 'wrong' };
    expect(await completed(signRole, '', { now: new Date(start), env })).toEqual([]);
    expect(await completed(signRole, '', { now: new Date(start), env: { XDG_RUNTIME_DIR } })).toEqual([
      'deploy\tca',
    ]);
  });

  test('offers a list to the token, profile, namespace and address that it was requested with, and no other', async () => {
    const XDG_RUNTIME_DIR = runtimeDirectory();
    const now = new Date(start);
    await ran('secrets', 'namespace', 'create', 'team');
    await ran('secrets', 'mount', 'enable', 'ssh', '--path', 'ssh', '-n', 'team');
    await ran('ssh', 'role', 'put', 'ops', '--allow-user-certificates', '-n', 'team');
    const create = ['secrets', 'token', 'create', '--policy', 'default', '--field', 'client_token'];
    const limited = (await at.run(create)).stdout.trim();
    const offered = async (env: Readonly<Record<string, string>> = {}, flags: readonly string[] = []) =>
      completed([...signRole, ...flags], '', { now, env: { XDG_RUNTIME_DIR, ...env } });
    const isFirst = async (...asked: Parameters<typeof offered>): Promise<readonly string[]> => {
      const files = readdirSync(join(XDG_RUNTIME_DIR, 'lanyard')).length;
      const names = await offered(...asked);
      expect(readdirSync(join(XDG_RUNTIME_DIR, 'lanyard'))).toHaveLength(files + 1);
      return names;
    };
    expect(await offered()).toEqual(['deploy\tca']);
    expect(await offered({ LANYARD_SECRETS_TOKEN: limited })).toEqual([]);
    expect(await isFirst({ LANYARD_SECRETS_NAMESPACE: 'team' })).toEqual(['ops\tca']);
    expect(await offered({}, ['--namespace', 'team'])).toEqual(['ops\tca']);

    const address = running.addresses.secrets;
    const ofProfile = { LANYARD_SECRETS_ADDR: '', LANYARD_SECRETS_TOKEN: '' };
    at.write('limited.txt', limited);
    at.write('root.txt', running.rootToken);
    for (const name of ['root', 'limited'])
      await ran(
        ...['profile', 'put', name, `secrets.address=${address}`],
        `secrets.token=file://${at.file(`${name}.txt`)}`,
      );
    await ran('profile', 'use', 'root');
    expect(await isFirst(ofProfile)).toEqual(['deploy\tca']);
    await ran('profile', 'use', 'limited');
    expect(await offered(ofProfile)).toEqual([]);
    expect(await offered(ofProfile, ['--profile', 'root'])).toEqual(['deploy\tca']);
    // The same profile with another token, and another cluster at the same address.
    at.write('root.txt', limited);
    expect(await offered(ofProfile, ['--profile', 'root'])).toEqual([]);
  });

  test('offers no list of the cluster that was at the address before', async () => {
    const XDG_RUNTIME_DIR = runtimeDirectory();
    const start = () =>
      startServices({
        ...{ clock: () => new Date(), random: randomBytes, version: '0.0.0-test' },
        scryptCost: generatedPasswordCost,
      });
    const envOf = (address: string, token = '') => ({
      ...{ XDG_RUNTIME_DIR, LANYARD_SECRETS_ADDR: address, LANYARD_SECRETS_TOKEN: token },
    });
    const [first, second] = [await start(), await start()];
    const { secrets: address } = await first.listen({ secrets: 0 }, ['secrets']);
    onTestFinished(() => second.close());
    const env = envOf(address, first.rootToken);
    const put = ['ssh', 'role', 'put', 'deploy', '--allow-user-certificates'];
    expect(await at.run(put, { env })).toMatchObject({ code: 0 });
    expect(await completed(signRole, '', { env })).toEqual(['deploy\tca']);
    await first.close();
    await second.listen({ secrets: Number(new URL(address).port) }, ['secrets']);
    expect(await completed(signRole, '', { env: envOf(address, second.rootToken) })).toEqual([]);
  });
});
