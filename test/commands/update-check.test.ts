import { existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { homeForEach } from '../support/command-tests.ts';
import { listening } from '../support/ports.ts';
import { self } from '../support/process.ts';
import type { RunOptions } from '../support/run.ts';

const at = homeForEach();
let server: Server;
let requests: IncomingMessage[];
let respond: { readonly status: number; readonly body: string };

beforeEach(async () => {
  requests = [];
  respond = { status: 200, body: '{"version":"9.9.9","url":"https://example.com/lanyard"}' };
  server = createServer((request, response) => {
    requests.push(request);
    response.writeHead(respond.status, { Location: 'https://example.com' }).end(respond.body);
  });
  at.env.LANYARD_UPDATE_CHECK = `${(await listening(server)).address}/latest`;
  at.env.CI = '';
  at.env.XDG_CACHE_HOME = at.file('cache');
  at.env.HOME = at.path;
});
afterEach(() => {
  server.close();
});

const cache = 'cache/lanyard/update.json';
const list = (options: RunOptions = {}) => at.run(['profile', 'list'], { columns: 120, self, ...options });
const stored = () => JSON.parse(at.read(cache));
const version = () => (existsSync(at.file(cache)) ? stored().version : undefined);
const note = /^A new version of lanyard is available: \S+ -> 9\.9\.9 \(https:\/\/example\.com\/lanyard\)\n$/;

test('reports a newer version at a later command, and reads the URL once a day', async () => {
  const now = new Date('2026-11-22T10:00:00Z');
  expect((await list({ now })).stderr).toBe('');
  await expect.poll(version, { timeout: 30_000 }).toBe('9.9.9');
  expect(statSync(at.file(cache)).mode & 0o777).toBe(0o600);
  const clock = () => new Date(stored().at + 3_600_000);
  expect(await list({ clock })).toMatchObject({ code: 0, stderr: expect.stringMatching(note) });
  expect((await list({ clock })).stderr).toMatch(note);
  expect(requests).toHaveLength(1);
  respond = { status: 200, body: '{"tag_name":"v9.10.0"}' };
  await list({ now: new Date(stored().at + 25 * 3_600_000) });
  await expect.poll(version, { timeout: 30_000 }).toBe('9.10.0');
  expect(requests).toHaveLength(2);
});

test('the request contains nothing about the user', async () => {
  await list();
  await expect.poll(version, { timeout: 30_000 }).toBe('9.9.9');
  const { method, url, headers } = requests[0] as IncomingMessage;
  expect([method, url]).toEqual(['GET', '/latest']);
  expect(Object.keys(headers).sort()).toEqual([
    'accept',
    'accept-encoding',
    'accept-language',
    'connection',
    'host',
    'sec-fetch-mode',
    'user-agent',
  ]);
  expect(headers['user-agent']).toBe('lanyard');
});

test.each([
  ['without the variable', { LANYARD_UPDATE_CHECK: '' }, {}],
  ['in CI', { CI: 'true' }, {}],
  ['without a terminal', {}, { columns: undefined }],
  ['for plain http to another host', { LANYARD_UPDATE_CHECK: 'http://example.com/latest' }, {}],
  ['for an invalid URL', { LANYARD_UPDATE_CHECK: 'yes' }, {}],
])('nothing is read %s', async (_name, env, options) => {
  const { columns, ...rest } = { columns: 120, ...options };
  const ran = await at.run(['profile', 'list'], {
    ...rest,
    ...(columns === undefined ? {} : { columns }),
    env,
    self: ['/no/such/program'],
  });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(at.file(cache))).toBe(false);
});

test('a check that fails or cannot be stored is silent, and is not repeated on the same day', async () => {
  respond = { status: 302, body: '{"version":"9.9.9"}' };
  await list();
  await expect.poll(() => requests.length, { timeout: 30_000 }).toBe(1);
  for (const self of [['/no/such/program'], [process.execPath, '-e', '']])
    expect(await list({ self })).toMatchObject({ code: 0, stderr: '' });
  expect(requests).toHaveLength(1);
  at.write(cache, 'damaged');
  expect(await list({ self: ['/no/such/program'] })).toMatchObject({ code: 0, stderr: '' });
  at.write('file', '');
  expect(await list({ env: { XDG_CACHE_HOME: at.file('file') } })).toMatchObject({ code: 0, stderr: '' });
});

test('a relative cache folder is ignored', async () => {
  await list({ env: { XDG_CACHE_HOME: 'cache' } });
  await expect.poll(() => requests.length, { timeout: 30_000 }).toBe(1);
  expect(existsSync(at.file('.cache/lanyard/update.json'))).toBe(true);
});

test('an older version, and one of no known form, are not mentioned', async () => {
  for (const body of [
    '{"version":"0.0.0"}',
    '{"version":"9.9.9-rc.1"}',
    '{"version":"\\u001b[31m9"}',
    '[]',
  ]) {
    // The process of the previous check may still write its file.
    at.env.XDG_CACHE_HOME = at.file(`cache-${requests.length}`);
    respond = { status: 200, body };
    const before = requests.length;
    await list();
    await expect.poll(() => requests.length, { timeout: 30_000 }).toBe(before + 1);
    expect((await list({ self: ['/no/such/program'] })).stderr).toBe('');
  }
});

test('--quiet has no note', async () => {
  at.write(cache, JSON.stringify({ at: Date.now(), from: at.env.LANYARD_UPDATE_CHECK, version: '9.9.9' }));
  expect((await list()).stderr).toContain('9.9.9');
  expect((await at.run(['profile', 'list', '-q'], { columns: 120, self })).stderr).toBe('');
});
