import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, errorOf, quietOutputOf } from '../../support/command-tests.ts';
import type { RunOptions } from '../../support/run.ts';
import { playback, routes } from '../openbao.ts';

const { running, run } = embeddedForAll();
beforeAll(async () => {
  expect((await run('secrets write sys/namespaces/ns1')).code).toBe(0);
});
const inNs1: RunOptions = { env: { VAULT_NAMESPACE: 'ns1', LANYARD_SECRETS_TOKEN: '' } };

describe('paths that concern the entire service', () => {
  test.each([
    ['secrets status', 'state\tactive'],
    ['secrets read sys/health', 'initialized\ttrue'],
    ['secrets read sys/seal-status', 'sealed\tfalse'],
    ['secrets read sys/init', 'initialized\ttrue'],
    ['secrets read sys/leader', 'ha_enabled\tfalse'],
    ['secrets write sys/unseal reset=true', 'sealed\tfalse'],
    ['api secrets GET sys/health', '"initialized":true'],
    ['api secrets GET /v1/sys/init', '"initialized":true'],
  ])('%s responds in a namespace, without a token', async (argv, text) => {
    for (const [line, options] of [
      [argv, inNs1],
      [`${argv} -n ns1`, { env: { LANYARD_SECRETS_TOKEN: '' } }],
    ] as const) {
      expect(quietOutputOf(await run(line, options))).toContain(text);
    }
  });

  test('status is ok in a namespace', async () => {
    const { stdout } = await run('status -o json', { env: { VAULT_NAMESPACE: 'ns1' } });
    expect(JSON.parse(stdout)[0]).toMatchObject({ service: 'secrets', state: 'ok', problem: null });
  });

  test.each([
    ['secrets read sys/health', 'GET sys/health'],
    ['secrets read sys/health?standbyok=true', 'GET sys/health?standbyok=true'],
    ['secrets read sys/seal-status', 'GET sys/seal-status'],
    ['secrets read sys/init', 'GET sys/init'],
    ['secrets read sys/leader', 'GET sys/leader'],
    ['secrets write sys/init secret_shares=1', 'POST sys/init'],
    ['secrets write sys/unseal key=-', 'POST sys/unseal'],
  ])('%s sends neither namespace nor token', async (argv, route) => {
    const server = await playback({ [route]: { status: 200, body: { sealed: false } } });
    const ran = await run(`${argv} -n ns1 --address ${server.url}`, { stdin: 'aabbccdd' });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(routes(server)).toEqual([route]);
    expect(Object.keys(server.seen[0]?.headers ?? {}).filter((name) => /namespace|token/.test(name))).toEqual(
      [],
    );
  });

  test('api sends no namespace', async () => {
    const server = await playback({ 'GET sys/seal-status': { status: 200, body: { sealed: false } } });
    expect((await run(`api secrets GET sys/seal-status -n ns1 --address ${server.url}`)).code).toBe(0);
    expect(server.seen[0]?.headers).not.toHaveProperty('x-vault-namespace');
    expect(server.seen[0]?.headers).not.toHaveProperty('x-secrets-namespace');
  });

  test.each(['sys/mounts', 'sys/health/more', 'sys/seal'])('%s sends the namespace', async (path) => {
    const server = await playback({ [`GET ${path}`]: { status: 200, body: { data: { a: 'b' } } } });
    expect((await run(`secrets read ${path} -n ns1 --address ${server.url}`)).code).toBe(0);
    expect(server.seen[0]?.headers).toMatchObject({
      'x-vault-namespace': 'ns1',
      'x-vault-token': running.rootToken,
    });
  });

  test('their failures are reported like any other', async () => {
    const ran = await run('secrets write sys/init secret_shares=1 secret_threshold=1 -o json', inNs1);
    expect(errorOf(ran, 1)).toMatchObject({
      status: 400,
      messages: ['secrets service is already initialized'],
    });
    expect((await run('secrets read sys/mounts', inNs1)).code).toBe(4);
  });

  test('an unseal key is shown nowhere', async () => {
    const ran = await run('secrets write sys/unseal key=abcdef0123456789 --dry-run -v');
    expect(ran.code).toBe(0);
    expect(ran.stdout + ran.stderr).not.toContain('abcdef0123456789');
  });
});

describe('a query in the path', () => {
  test('of secrets read and list is sent as the query', async () => {
    const data = { data: { keys: ['b'], a: '1' } };
    const server = await playback({
      'GET secret/data/app?version=1': { status: 200, body: data },
      'LIST secret/metadata/app?after=a&limit=1': { status: 200, body: data },
    });
    for (const argv of [
      'secrets read secret/data/app?version=1',
      'secrets list secret/metadata/app/?after=a&limit=1',
    ])
      expect(await run(`${argv} --address ${server.url}`)).toMatchObject({ code: 0, stderr: '' });
    expect(routes(server)).toEqual([
      'GET secret/data/app?version=1',
      'LIST secret/metadata/app?after=a&limit=1',
    ]);
  });

  test('reads an earlier version of a secret', async () => {
    await run('kv put secret/versions a=1');
    await run('kv put secret/versions a=2');
    expect((await run('secrets read secret/data/versions?version=1 --field data.a')).stdout).toBe('1\n');
    expect(await run('secrets read secret/data/versions?version=9')).toMatchObject({ code: 3, stdout: '' });
  });

  test.each([
    ['secrets write a/b?c=d e=f', 'POST'],
    ['secrets delete a/b?c=d --yes', 'DELETE'],
    ['secrets help a/b?c=d', 'GET'],
  ])('%s is a usage error that names api', async (argv, method) => {
    expect(errorOf(await run(`${argv} --address http://127.0.0.1:9 -o json`), 2)).toMatchObject({
      kind: 'usage',
      hint: expect.stringContaining(`lanyard api secrets ${method} 'a/b?c=d'`),
    });
  });
});
