import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure, outputOf } from '../../support/command-tests.ts';
import type { Ran } from '../../support/run.ts';
import { json, serve, type TestServer } from '../../unit/api/support.ts';

const { run } = embeddedForAll();

describe('acl replication against the embedded registry', () => {
  test('reports the primary datacenter if the token may read the agent', async () => {
    const token = (await run('acl bootstrap --field SecretID')).stdout.trim();
    expect(await run('acl replication', { env: { LANYARD_REGISTRY_TOKEN: token } })).toEqual({
      code: 0,
      stdout: 'This is the primary datacenter; the others replicate from it.\n',
      stderr: '',
    });
  });

  test('prints the status as the service sent it', async () => {
    const { stdout } = await run('acl replication -o json');
    expect(JSON.parse(stdout)).toMatchObject({ Enabled: false, Running: false, ReplicatedIndex: 0 });
    expect((await run('acl replication --field Enabled')).stdout).toBe('false\n');
  });

  test('prints the error of the service for an unknown datacenter', async () => {
    expectFailure(await run('acl replication --dc nowhere'), 1, 'No path to datacenter');
  });
});

const never = '0001-01-01T00:00:00Z';
const healthy = {
  Enabled: true,
  Running: true,
  SourceDatacenter: 'dc1',
  ReplicationType: 'tokens',
  ReplicatedIndex: 100,
  ReplicatedTokenIndex: 200,
  LastSuccess: '2026-11-20T12:00:00Z',
  LastError: never,
};

/** A secondary datacenter with this status, whose primary is at these indexes; without an index, the request is denied. */
async function secondary(
  status: object,
  {
    prefix = 'X-Consul',
    ...indexes
  }: { prefix?: string; policies?: number; tokens?: number; self?: string } = {},
): Promise<TestServer> {
  return serve(({ url }, response) => {
    if (url.startsWith('/v1/acl/replication')) return json(response, status);
    const index = /acl\/(policies|tokens)\?dc=dc1$/.exec(url)?.[1] as 'policies' | 'tokens' | undefined;
    if (url === '/v1/agent/self' && indexes.self !== undefined)
      return json(response, { Config: { Datacenter: indexes.self, PrimaryDatacenter: 'dc1' } });
    if (index === undefined || indexes[index] === undefined)
      return response.writeHead(403).end('Permission denied: anonymous token lacks permission');
    response.setHeader(`${prefix}-Index`, indexes[index]);
    return json(response, []);
  });
}

const now = new Date('2026-11-20T12:03:00Z');
const replication = async (server: TestServer, line = 'acl replication'): Promise<Ran> =>
  run(`${line} --address ${server.url}`, { now });

describe('acl replication of a secondary datacenter', () => {
  test.each(['X-Consul', 'X-Registry'])('is healthy if it is up to date (%s-Index)', async (prefix) => {
    const ran = await replication(await secondary(healthy, { prefix, policies: 100, tokens: 200 }));
    expect(ran.code).toBe(0);
    expect(ran.stdout).toBe(
      [
        'Replication is healthy and up to date.',
        'primary\tdc1',
        'replicates\ttokens',
        'policies\tup to index 100',
        'tokens\tup to index 200',
        'last success\t2026-11-20 12:00:00 UTC (3 minutes ago)',
        'last error\tnever',
        '',
      ].join('\n'),
    );
  });

  test('reports the replication lag', async () => {
    const stdout = outputOf(await replication(await secondary(healthy, { policies: 100, tokens: 242 })));
    expect(stdout).toMatch(/^Replication is running but lagging \(in indexes\): tokens by 42\.\n/);
  });

  test('reports what is unknown if the lists of the primary are forbidden', async () => {
    expect(outputOf(await replication(await secondary(healthy, { policies: 100 })))).toMatch(
      /^Replication is healthy; the lag of tokens is unknown: the primary did not report it\.\n/,
    );
  });

  test('of policies alone does not ask about tokens', async () => {
    const server = await secondary({ ...healthy, ReplicationType: 'policies' }, { policies: 101 });
    const { stdout } = await replication(server);
    expect(stdout).toContain('policies by 1.');
    expect(server.seen.map(({ url }) => url)).not.toContain('/v1/acl/tokens?dc=dc1');
  });

  test('is failing if the last error is more recent than the last success', async () => {
    const status = { ...healthy, LastError: '2026-11-20T12:02:00Z', LastErrorMessage: 'ACL not found' };
    const ran = await replication(await secondary(status));
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(
      /^Replication is failing: the last error is more recent than the last success\.\n/,
    );
    expect(ran.stdout).toMatch(/^error\tACL not found$/m);
  });

  test('is healthy when an error was before the last success', async () => {
    const status = { ...healthy, LastError: '2026-11-20T11:59:00Z' };
    const stdout = outputOf(await replication(await secondary(status, { policies: 1, tokens: 1 })));
    expect(stdout).toMatch(/^Replication is healthy and up to date\.\n/);
  });

  test.each([
    ['has never succeeded', { ...healthy, LastSuccess: never }, 1, /has never succeeded\.\n/],
    ['is not running', { ...healthy, Running: false }, 1, /^Replication is enabled but not running\./],
    [
      'is not enabled',
      { ...healthy, Enabled: false, Running: false },
      0,
      /^Replication is not enabled: this is the primary datacenter, or/,
    ],
  ])('%s', async (_name, status, code, text) => {
    const ran = await replication(await secondary(status));
    expect(ran.code).toBe(code);
    expect(ran.stdout).toMatch(text);
  });

  test('distinguishes a datacenter without replication from the primary', async () => {
    const off = { ...healthy, Enabled: false, Running: false };
    const { stdout } = await replication(await secondary(off, { self: 'dc2' }));
    expect(stdout).toMatch(/^Replication is not enabled in this datacenter/);
    const primary = await replication(await secondary(off, { self: 'dc2' }), 'acl replication --dc dc1');
    expect(primary.stdout).toMatch(/^This is the primary datacenter/);
  });

  test('with a response that is not a status is unexpected', async () => {
    const ran = await replication(await secondary({ Enabled: 'yes' }));
    expectFailure(ran, 1, 'unexpected response from the service registry');
  });
});

describe('acl replication of an embedded secondary datacenter', () => {
  let token: string;
  const { at: pair } = embeddedForAll({ datacenters: ['dc1', 'dc2'] });
  beforeAll(async () => {
    token = (await pair.run(['acl', 'bootstrap', '--field', 'SecretID'])).stdout.trim();
  });
  const ask = (...more: string[]): Promise<Ran> =>
    pair.run(['acl', 'replication', '--dc', 'dc2', ...more], { env: { LANYARD_REGISTRY_TOKEN: token } });

  test('becomes up to date with its primary', async () => {
    await expect
      .poll(async () => (await ask()).stdout)
      .toMatch(/^Replication is healthy and up to date\.\nprimary\tdc1\nreplicates\ttokens\n/);
    expect((await ask('--field', 'SourceDatacenter')).stdout).toBe('dc1\n');
  });

  test('is shown as far as the token permits', async () => {
    const stdout = outputOf(await pair.run(['acl', 'replication', '--dc', 'dc2']));
    expect(stdout).toMatch(/the lag of policies and tokens is unknown/);
  });
});
