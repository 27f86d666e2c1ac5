import { existsSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  expectFailure,
  homeForAll,
  homeForEach,
  runnerOf,
  servicesForAll,
  words,
} from '../../support/command-tests.ts';
import { snapshotFile } from '../../support/snapshot-file.ts';
import { type Handler, json, type Seen, serve } from '../../unit/api/support.ts';

const at = homeForEach();
const snapshot = runnerOf(at, 'secrets snapshot');
const path = '/v1/sys/storage/raft/snapshot';
const leader = { ha_enabled: true, is_self: true, leader_address: '' };
const health = { initialized: true, sealed: false, standby: false, version: '2.6.2' };

/** A server of a raft cluster, with the responses of OpenBao 2.6.2. */
function raft(own: Partial<Record<'leader' | 'health' | 'snapshot', Handler>> = {}): Handler {
  return (seen, response, count) => {
    if (seen.url === '/v1/sys/leader')
      return own.leader ? own.leader(seen, response, count) : json(response, leader);
    if (seen.url.startsWith('/v1/sys/health'))
      return own.health ? own.health(seen, response, count) : json(response, health);
    if (own.snapshot) return own.snapshot(seen, response, count);
    if (seen.method === 'PUT') return void response.writeHead(204).end();
    response.writeHead(200, { 'Content-Type': 'application/gzip' }).end(snapshotFile());
  };
}

const at1 = (...urls: readonly string[]) => ({
  cwd: at.path,
  env: { LANYARD_SECRETS_ADDR: urls.join(','), LANYARD_SECRETS_TOKEN: 's.token-of-test' },
});
const requests = (seen: readonly Seen[]): string[] => seen.map(({ method, url }) => `${method} ${url}`);

describe('secrets snapshot save', () => {
  test('writes a verified snapshot to a new file of mode 0600', async () => {
    const { url, seen } = await serve(raft());
    const ran = await snapshot('save a.snap', at1(url));
    expect(ran).toEqual({
      code: 0,
      stdout: 'Saved snapshot a.snap.\nsize\t13 KiB\nindex\t33\nterm\t3\nID\tbolt-snapshot\n'.replace(
        '13 KiB',
        sizeText(snapshotFile().length),
      ),
      stderr: '',
    });
    expect(at.bytes('a.snap').equals(snapshotFile())).toBe(true);
    expect(statSync(at.file('a.snap')).mode & 0o777).toBe(0o600);
    expect(requests(seen)).toEqual(['GET /v1/sys/leader', `GET ${path}`]);
    expect(seen[1]?.headers['x-vault-token']).toBe('s.token-of-test');
  });

  test('keeps an existing file, unless --force is given', async () => {
    const { url, seen } = await serve(raft());
    at.write('a.snap', 'mine');
    expectFailure(await snapshot('save a.snap', at1(url)), 2, 'already exists', 'Use --force');
    expect([at.read('a.snap'), seen.length]).toEqual(['mine', 0]);
    expect((await snapshot('save a.snap --force', at1(url))).code).toBe(0);
    expect(at.bytes('a.snap').length).toBe(snapshotFile().length);
  });

  test.each([
    ['an incomplete archive', snapshotFile().subarray(0, 5000), 'incomplete archive'],
    ['a missing last file', snapshotFile({ sealed: '' }), 'SHA256SUMS.sealed is missing'],
    ['another checksum', snapshotFile({ sums: () => '0'.repeat(64) }), 'checksum mismatch of meta.json'],
    ['an empty response', Buffer.alloc(0), 'not a gzip file'],
  ])('writes no file for %s', async (_what, body, message) => {
    const { url } = await serve(raft({ snapshot: (_seen, response) => void response.end(body) }));
    expectFailure(await snapshot('save a.snap', at1(url)), 1, message);
    expect(at.list().filter((name) => name.includes('a.snap'))).toEqual([]);
  });

  test('writes no file if the connection ends early', async () => {
    const handler: Handler = (_seen, response) => {
      response.writeHead(200, { 'Content-Length': '100000' });
      response.write(snapshotFile().subarray(0, 3000), () => response.destroy());
    };
    const { url } = await serve(raft({ snapshot: handler }));
    expectFailure(await snapshot('save a.snap', at1(url)), 7, 'cannot save snapshot');
    expect(at.list().filter((name) => name.includes('a.snap'))).toEqual([]);
  });

  test('asks the active server, where the settings have it; else warns', async () => {
    const active = await serve(raft());
    const toActive: Handler = (_seen, response) =>
      json(response, { ha_enabled: true, is_self: false, leader_address: active.url });
    const standby = await serve(raft({ leader: toActive }));
    expect(await snapshot('save a.snap', at1(standby.url, active.url))).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(requests(active.seen)).toEqual([`GET ${path}`]);
    const alone = await snapshot('save b.snap', at1(standby.url));
    expect(alone).toMatchObject({
      code: 0,
      stderr: 'warning: the snapshot is of a standby: it may lack the latest changes\n',
    });
  });

  test('tries the next server if one cannot be reached', async () => {
    const { url } = await serve(raft());
    const ran = await snapshot('save a.snap', at1('http://127.0.0.1:1', url));
    expect([ran.code, existsSync(at.file('a.snap'))]).toEqual([0, true]);
    expect(ran.stderr).toContain('trying the next server');
  });

  test('reports a denial, and a file name that is standard output', async () => {
    const denied: Handler = (_seen, response) => json(response, { errors: ['permission denied'] }, 403);
    const { url, seen } = await serve(raft({ snapshot: denied }));
    expectFailure(
      await snapshot('save a.snap', at1(url)),
      5,
      'cannot save snapshot: permission denied (403)',
    );
    expectFailure(await snapshot('save -', at1(url)), 2, 'must be verified first');
    expect(seen).toHaveLength(2);
  });

  test('shows the curl line of the request, and writes nothing', async () => {
    const { url, seen } = await serve(raft());
    const { stdout, code } = await snapshot('save a.snap --curl', at1(url));
    expect([code, seen.length, at.list()]).toEqual([0, 0, at.list()]);
    expect(stdout).toMatch(/^curl --request GET .*\/v1\/sys\/storage\/raft\/snapshot\n$/);
    expect(stdout).not.toContain('s.token-of-test');
  });
});

describe('secrets snapshot restore', () => {
  test('sends a verified snapshot to the active server after a prompt', async () => {
    const active = await serve(raft());
    const toActive: Handler = (_seen, response) =>
      json(response, { ha_enabled: true, is_self: false, leader_address: active.url });
    const standby = await serve(raft({ leader: toActive }));
    at.write('a.snap', snapshotFile());
    const settings = at1(standby.url, active.url);
    const asked = await snapshot('restore a.snap', settings);
    expectFailure(asked, 2, 'All current data of the cluster is replaced. This cannot be undone.');
    expect(active.seen).toEqual([]);
    expect(await snapshot('restore a.snap --yes', settings)).toMatchObject({
      code: 0,
      stdout: 'Restored snapshot a.snap.\n',
    });
    expect(requests(active.seen)).toEqual([`PUT ${path}`, 'GET /v1/sys/health']);
    expect(active.seen[0]?.headers['content-length']).toBe(String(snapshotFile().length));
    await snapshot('restore a.snap --yes --force', settings);
    expect(requests(active.seen)).toContain(`PUT ${path}-force`);
  });

  test('sends nothing to a standby, which would seal itself', async () => {
    const toOther: Handler = (_seen, response) =>
      json(response, { ha_enabled: true, is_self: false, leader_address: 'http://127.0.0.1:9' });
    const { url, seen } = await serve(raft({ leader: toOther }));
    at.write('a.snap', snapshotFile());
    expectFailure(
      await snapshot('restore a.snap --yes', at1(url)),
      8,
      'the server is a standby, and the active server http://127.0.0.1:9 is not in the settings',
      `LANYARD_SECRETS_ADDR=${url},http://127.0.0.1:9`,
    );
    expect(requests(seen)).toEqual(['GET /v1/sys/leader']);
  });

  test('reports a server that sealed itself, and one that gives no response, as unknown', async () => {
    at.write('a.snap', snapshotFile());
    const sealed: Handler = (_seen, response) => json(response, { ...health, sealed: true }, 503);
    const failing = await serve(raft({ health: sealed }));
    expectFailure(await snapshot('restore a.snap --yes', at1(failing.url)), 9, 'sealed itself');
    const forced = await snapshot('restore a.snap --yes --force', at1(failing.url));
    expect(forced).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('The service is sealed: unseal'),
    });
    const silent = await serve(raft({ snapshot: (_seen, response) => void response.destroy() }));
    expectFailure(await snapshot('restore a.snap --yes', at1(silent.url)), 9, 'lanyard secrets status');
  });

  test('reports a snapshot of a cluster with other keys', async () => {
    at.write('a.snap', snapshotFile());
    const error =
      'could not verify hash file, possibly the snapshot is using a different set of unseal keys; use the snapshot-force API to bypass this check';
    const handler: Handler = (_seen, response) => json(response, { errors: [error] }, 400);
    const { url } = await serve(raft({ snapshot: handler }));
    expectFailure(await snapshot('restore a.snap --yes', at1(url)), 6, 'other unseal keys', 'Use --force');
  });

  test('sends nothing for an invalid file, and in a dry run', async () => {
    const { url, seen } = await serve(raft());
    at.write('short.snap', snapshotFile().subarray(0, 4000));
    at.write('a.snap', snapshotFile());
    expectFailure(await snapshot('restore short.snap --yes', at1(url)), 1, 'invalid snapshot short.snap');
    expectFailure(await snapshot('restore none.snap --yes', at1(url)), 2, 'no such file');
    const dry = await snapshot('restore a.snap --dry-run', at1(url));
    expect(dry.stdout).toContain(`PUT ${url}${path}`);
    expect(dry.stdout).toContain(`${snapshotFile().length} bytes`);
    expect(seen).toEqual([]);
  });
});

test('secrets snapshot inspect shows a verified file without a service', async () => {
  at.write('a.snap', snapshotFile());
  const { stdout, code } = await at.run(words('secrets snapshot inspect a.snap'), { cwd: at.path });
  expect([code, stdout]).toEqual([0, expect.stringContaining('\nindex\t33\nterm\t3\n')]);
  expect(stdout).toMatch(/\nmeta\.json\t\d+\t[0-9a-f]{64}\nstate\.bin\t12000\t[0-9a-f]{64}\n/);
  const data = await at.run(words('secrets snapshot inspect a.snap -o json'), { cwd: at.path });
  expect(JSON.parse(data.stdout)).toMatchObject({ file: 'a.snap', index: 33, files: expect.any(Array) });
});

describe('on a service without raft storage', () => {
  const own = homeForAll();
  servicesForAll(own);
  test.each(['save a.snap', 'restore b.snap --yes', 'restore b.snap --yes --force'])('%s', async (line) => {
    own.write('b.snap', snapshotFile());
    const ran = await own.run(words(`secrets snapshot ${line}`), { cwd: own.path });
    expectFailure(ran, 1, /cannot (save|restore) snapshot: the service does not use raft storage\n/);
    expect(existsSync(own.file('a.snap'))).toBe(false);
  });
});

const sizeText = (bytes: number): string =>
  bytes < 10 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${Math.round(bytes / 1024)} KiB`;
