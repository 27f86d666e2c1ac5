import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { embeddedForAll, expectExit, jsonLines } from '../support/command-tests.ts';
import { roundRobin } from '../support/round-robin.ts';

// A standby whose next reads after a change do not see it.
let balancer: Awaited<ReturnType<typeof roundRobin>>;
let active: string;
let standby: string;
const { at, running } = embeddedForAll({ conditions: { standby: { requests: 8 } } });
beforeAll(async () => {
  active = running.addresses.secrets;
  standby = running.embedded.conditions.standbyAddress ?? '';
  balancer = await roundRobin([standby, active, standby]);
});
afterAll(async () => {
  await balancer.close();
});
const ways = {
  'the standby': () => ({ LANYARD_SECRETS_ADDR: standby }),
  'a round-robin load balancer': () => ({ LANYARD_SECRETS_ADDR: balancer.address }),
  'addresses that begin with the standby': () => ({ LANYARD_SECRETS_ADDR: `${standby},${active}` }),
  'addresses that begin with the active server': () => ({ LANYARD_SECRETS_ADDR: `${active},${standby}` }),
};
let count = 0;

describe.each(Object.entries(ways))('through %s', (_name, envOf) => {
  let env: Readonly<Record<string, string>>;
  let mount: string;
  const run = (...argv: readonly string[]) =>
    at.run(argv, { env, random: (length) => new Uint8Array(length) });
  /** Through the active server: what is really there. */
  const look = (...argv: readonly string[]) => at.run(argv);
  beforeEach(async () => {
    env = envOf();
    count += 1;
    mount = `m${count}`;
  });

  test('creates a CA, whose issuer the standby does not see', async () => {
    await look('secrets', 'mount', 'enable', 'ssh', '--path', mount);
    running.embedded.conditions.catchUp();
    expect(await run('ssh', 'ca', 'create', '--mount', mount, '--key-type', 'ed25519')).toMatchObject({
      code: 0,
    });
    const ran = await run('ssh', 'ca', 'create', '--mount', mount, '--key-type', 'ed25519');
    expectExit(ran, 6, 'already has a CA');
  });

  test('restores a version that the standby does not see, and checks the current one', async () => {
    const secret = `secret/${mount}`;
    expect(await run('kv', 'put', secret, 'a=1')).toMatchObject({ code: 0 });
    expect(await run('kv', 'put', secret, 'a=2')).toMatchObject({ code: 0 });
    expect(await run('kv', 'rollback', secret, '--version', '1')).toMatchObject({ code: 0 });
    expect(await look('kv', 'get', secret, '--field', 'a')).toMatchObject({ stdout: '1\n' });
  });

  test('writes to a mount that the standby does not have yet', async () => {
    for (const version of ['1', '2']) {
      const path = `${mount}-kv${version}`;
      await look('secrets', 'mount', 'enable', 'kv', '--version', version, '--path', path);
      expect(await run('kv', 'put', `${path}/a`, 'a=1')).toMatchObject({ code: 0 });
      await look('kv', 'put', `${path}/a`, 'a=2');
      expect(await look('kv', 'get', `${path}/a`, '--field', 'a')).toMatchObject({ stdout: '2\n' });
    }
  });

  test('reads from a mount that the standby does not have yet', async () => {
    await look('secrets', 'mount', 'enable', 'kv', '--version', '2', '--path', `${mount}-kv`);
    await look('kv', 'put', `${mount}-kv/a`, 'a=1');
    expect(await run('kv', 'get', `${mount}-kv/a`, '--field', 'a')).toMatchObject({ stdout: '1\n' });
  });

  test('waits for the service, with any token', async () => {
    expect(await run('wait', 'status', 'secrets', '--timeout', '0')).toMatchObject({ code: 0 });
    const invalid = { env: { ...env, LANYARD_SECRETS_TOKEN: 's.doesnotexist' } };
    expect(await at.run(['wait', 'status', 'secrets', '--timeout', '0'], invalid)).toMatchObject({ code: 0 });
  });

  test('applies a set, plans nothing more, and applies a change and a deletion', async () => {
    const set = (name: string) => `${mount}/${name}`;
    at.write(
      set('set.yaml'),
      `apiVersion: lanyard/v1\nkind: Set\nmetadata: {name: ${mount}, id: standby${String(count).padStart(3, '0')}}\nspec:\n  record: file:.${mount}-record.json\n`,
    );
    const policy = (name: string, rule: string) =>
      at.write(
        set(`${name}.yaml`),
        `apiVersion: lanyard/v1\nkind: secrets.policy\nmetadata: {name: ${name}}\nspec: {policy: 'path "${rule}" { capabilities = ["read"] }'}\n`,
      );
    policy(`${mount}-a`, 'a/*');
    policy(`${mount}-b`, 'b/*');
    expect(await run('apply', at.file(mount), '--yes')).toMatchObject({ code: 0 });
    expect(await run('plan', at.file(mount))).toMatchObject({ code: 0 });
    policy(`${mount}-a`, 'other/*');
    at.clear(set(`${mount}-b.yaml`));
    expect(await run('apply', at.file(mount), '--yes', '--prune', '--prune-max', '1')).toMatchObject({
      code: 0,
    });
    expect((await look('secrets', 'policy', 'get', `${mount}-a`)).stdout).toContain('other/*');
    expect(await look('secrets', 'policy', 'get', `${mount}-b`)).toMatchObject({ code: 3 });
  });
});

test('behind one address, a read of a command that writes is two requests: the first requests a wrapped response', async () => {
  await at.run(['kv', 'put', 'secret/wrapped', 'a=1']);
  await at.run(['kv', 'put', 'secret/wrapped', 'a=2']);
  running.embedded.conditions.catchUp();
  const line = ['--debug', at.file('trace'), 'kv', 'rollback', 'secret/wrapped', '--version', '1'];
  const env = { LANYARD_SECRETS_ADDR: balancer.address };
  expect(await at.run(line, { env, random: (length) => new Uint8Array(length) })).toMatchObject({ code: 0 });
  const requests = jsonLines(at.read('trace'))
    .filter(({ event }) => event === 'request')
    .map(({ method, url, headers }) => ({
      path: new URL(url).pathname,
      method,
      isWrapped: headers['X-Vault-Wrap-TTL'] !== undefined,
    }));
  const reads = requests.filter(({ path, method }) => path === '/v1/secret/data/wrapped' && method === 'GET');
  expect(reads.length).toBeGreaterThan(0);
  for (const read of reads) {
    expect(read.isWrapped).toBe(true);
    expect(requests[requests.indexOf(read) + 1]).toMatchObject({
      path: '/v1/sys/wrapping/unwrap',
      method: 'POST',
    });
  }
});
