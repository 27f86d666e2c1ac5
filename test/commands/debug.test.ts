import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure, homeForEach } from '../support/command-tests.ts';
import { start } from '../support/process.ts';
import { smallDisk } from '../support/small-disk.ts';
import { serve } from '../unit/api/support.ts';

const at = homeForEach();
const { at: base } = embeddedForAll();

beforeEach(() => {
  Object.assign(at.env, { ...base.env, ...at.env });
});

type Line = { readonly event: string; readonly [field: string]: unknown };

const trace = (name = 'trace'): Line[] =>
  at
    .read(name)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const eventsOf = (lines: readonly Line[]): string[] => lines.map(({ event }) => event);

test('--debug writes settings, requests, responses and the end to a new file of mode 0600', async () => {
  const before = process.umask(0);
  const ran = await at.run(['kv', 'put', 'secret/app', 'password=hunter2-hunter2', '--debug', 'trace']);
  process.umask(before);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(statSync(at.file('trace')).mode & 0o777).toBe(0o600);
  const lines = trace();
  expect(eventsOf(lines)).toEqual([
    'start',
    'settings',
    ...Array.from({ length: (lines.length - 3) / 2 }, () => ['request', 'response']).flat(),
    'end',
  ]);
  expect(lines[0]).toMatchObject({ command: 'kv put' });
  expect(lines[1]).toMatchObject({
    service: 'secrets',
    addresses: [base.env.LANYARD_SECRETS_ADDR],
    addressFrom: 'LANYARD_SECRETS_ADDR',
    tokenFrom: 'LANYARD_SECRETS_TOKEN',
  });
  expect(lines.at(-3)).toMatchObject({
    method: 'POST',
    url: `${base.env.LANYARD_SECRETS_ADDR}/v1/secret/data/app`,
    headers: { 'x-vault-token': '<redacted>', 'content-type': 'application/json' },
    body: { data: { password: '<redacted>' } },
  });
  expect(lines.at(-2)).toMatchObject({ status: 200, id: lines.at(-3)?.id, ms: expect.any(Number) });
  expect(lines.at(-1)).toMatchObject({ code: 0 });
  const text = at.read('trace');
  for (const secret of ['hunter2-hunter2', base.env.LANYARD_SECRETS_TOKEN ?? ''])
    expect(text).not.toContain(secret);
});

test('LANYARD_DEBUG_FILE does the same, and several commands append to one file', async () => {
  at.env.LANYARD_DEBUG_FILE = 'trace';
  await at.run(['kv', 'put', 'secret/app', 'password=hunter2-hunter2']);
  const first = at.read('trace');
  expect((await at.run(['kv', 'get', 'secret/app'])).stdout).toContain('hunter2-hunter2');
  expect(at.read('trace').startsWith(first)).toBe(true);
  expect(eventsOf(trace()).filter((event) => event === 'start')).toHaveLength(2);
  expect(at.read('trace')).not.toContain('hunter2');
});

test('the end of a failed command is its error; retries are in the file', async () => {
  const { url, seen } = await serve((_seen, response) =>
    response.writeHead(503, { 'Content-Type': 'text/plain' }).end('overloaded'),
  );
  const ran = await at.run(['registry', 'kv', 'get', 'a', '--address', url, '--debug', 'trace'], {
    random: (length) => new Uint8Array(length),
  });
  expect(ran.code).toBe(8);
  expect(seen).toHaveLength(3);
  const lines = trace();
  expect(lines.filter(({ event }) => event === 'response')).toHaveLength(3);
  expect(lines.find(({ event }) => event === 'note')).toMatchObject({
    text: expect.stringContaining('; retrying ('),
  });
  expect(lines.find(({ event }) => event === 'response')).toMatchObject({ status: 503, body: 'overloaded' });
  expect(lines.at(-1)).toMatchObject({ event: 'end', code: 8, error: { kind: 'unavailable' } });
  const rejected = await at.run(
    ['registry', 'kv', 'get', 'a', '--address', 'http://127.0.0.1:1', '--debug', 'refused'],
    {
      random: (length) => new Uint8Array(length),
    },
  );
  expect(rejected.code).toBe(7);
  expect(trace('refused').find(({ event }) => event === 'network-error')).toMatchObject({
    code: 'ECONNREFUSED',
  });
});

test('an interrupted command has written its request and its end', async () => {
  const { url } = await serve(() => child.child.kill('SIGINT'));
  const child = start(at, ['registry', 'kv', 'get', 'a', '--address', url, '--debug', 'trace']);
  expect((await child.ended).code).toBe(130);
  expect(eventsOf(trace())).toEqual(['start', 'settings', 'request', 'end']);
  expect(trace().at(-1)).toMatchObject({ code: 130 });
});

describe('a file that is not private is rejected before anything is sent:', () => {
  test.each([
    ['a symbolic link', () => symlinkSync(at.write('other', ''), at.file('trace')), 'it is a symbolic link'],
    ['a dangling link', () => symlinkSync('/nowhere', at.file('trace')), 'it is a symbolic link'],
    ['a folder', () => mkdirSync(at.file('trace')), 'illegal operation on a directory'],
    [
      'a file that others can read',
      () => chmodSync(at.write('trace', ''), 0o644),
      'other users have access to it',
    ],
  ])('%s', async (_name, prepare, cause) => {
    prepare();
    const ran = await at.run(['kv', 'put', 'secret/never', 'a=b', '--debug', 'trace']);
    expectFailure(ran, 2, `cannot write the debug file ${at.file('trace')}: ${cause}`);
    expect((await at.run(['kv', 'get', 'secret/never'])).code).toBe(3);
    expect(at.list().includes('other') ? at.read('other') : '').toBe('');
  });

  test('a folder that does not exist', async () => {
    expect((await at.run(['profile', 'list', '--debug', 'no/trace'])).code).toBe(2);
  });
});

test('a full disk is one warning, and the command succeeds', async ({ skip }) => {
  const disk = await smallDisk();
  if (disk === undefined) return skip('needs a user who may mount a file system');
  await at.run(['kv', 'put', 'secret/app', 'a=b']);
  writeFileSync(join(disk, 'trace'), '', { mode: 0o600 });
  const filler = openSync(join(disk, 'filler'), 'w');
  expect(() => {
    for (;;) writeSync(filler, Buffer.alloc(4096));
  }).toThrow('ENOSPC');
  closeSync(filler);
  const ran = await at.run([
    'kv',
    'get',
    'secret/app',
    '--field',
    'data.data.a',
    '--debug',
    join(disk, 'trace'),
  ]);
  expect(ran).toEqual({
    code: 0,
    stdout: 'b\n',
    stderr: `warning: cannot write the debug file ${join(disk, 'trace')}: no space left on device\n`,
  });
});

test('numbers beyond 2^53 in a response do not fail a command', async () => {
  expect(await at.run(['var', 'put', 'deploy/db', 'user=app', '--debug', 'trace'])).toMatchObject({
    code: 0,
  });
  expect(trace().some(({ body }) => typeof body === 'object')).toBe(true);
  const big = '18446744073709551615';
  const { url } = await serve((_seen, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(`{"a":${big}}`),
  );
  const line = ['api', 'registry', 'GET', 'status/leader', '--address', url, '--debug', 'big'];
  expect(await at.run(line)).toMatchObject({ code: 0, stderr: '' });
  expect(at.read('big')).toContain(`"body":{"a":${big}}`);
});

describe('a body with fields of the user is written without values:', () => {
  test.each([
    ['secrets write', ['secrets', 'write', 'cubbyhole/x', 'note=hunter2-hunter2'], ''],
    ['secrets write, rejected', ['secrets', 'write', 'sys/none', 'note=hunter2-hunter2'], ''],
    ['secrets write, echoed', ['secrets', 'write', 'identity/entity', 'metadata=hunter2-hunter2'], ''],
    ['api', ['api', 'secrets', 'POST', 'cubbyhole/x', '--data', '-'], '{"deep":["hunter2-hunter2"]}'],
    ['api, registry', ['api', 'registry', 'PUT', 'kv/x', '--data', '-'], 'hunter2-hunter2'],
  ])('%s', async (_name, argv, stdin) => {
    await at.run([...argv, '--debug', 'trace'], { stdin });
    expect(eventsOf(trace())).toContain('response');
    expect(at.read('trace')).not.toContain('hunter2');
  });
});

test('secrets in the query of a URL or of a redirect are not written', async () => {
  const { url } = await serve((seen, response) => {
    const target = seen.url.includes('again') ? 200 : 307;
    response.writeHead(target, { Location: '/v1/again?x=hunter2-hunter2' }).end('{}');
  });
  const path = '/v1/kv/x?token=hunter2-one&acl_token=hunter2-two&client_secret=hunter2-three';
  await at.run(['api', 'registry', 'GET', path, '--address', url, '--debug', 'trace']);
  const lines = trace();
  expect(lines.find(({ event }) => event === 'response')).toMatchObject({
    headers: { location: '/v1/again?…' },
  });
  expect(lines.find(({ event }) => event === 'request')?.url).toBe(
    `${url}/v1/kv/x?token=redacted&acl_token=redacted&client_secret=redacted`,
  );
});
