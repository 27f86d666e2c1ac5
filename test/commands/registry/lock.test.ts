import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { embeddedForEach, expectExit, expectFailure, outputOf } from '../../support/command-tests.ts';
import { eventually } from '../../support/eventually.ts';
import { start } from '../../support/process.ts';
import type { Ran } from '../../support/run.ts';
import { losingProxy } from '../losing-proxy.ts';
import { pausingProxy } from '../pausing-proxy.ts';

const lockFlags = '3304740253564472344';
const { at, running, run } = embeddedForEach();
/** Runs a shell script under a lock. */
const lock = (flags: string, script: string): Promise<Ran> =>
  at.run(['registry', 'lock', ...flags.split(' '), '--', 'sh', '-c', script]);
const sessions = async () => JSON.parse((await run('registry session list -o json')).stdout);
const hold = async (key: string, flags = lockFlags): Promise<string> => {
  const created = await run('registry session create --ttl 1h --lock-delay 0s --field ID');
  const id = created.stdout.trim();
  expectExit(await run(`registry kv put ${key} x --acquire ${id} --flags ${flags}`), 0);
  return id;
};

describe('registry lock', () => {
  test('runs the command while the key of consul lock is locked, and leaves nothing behind', async () => {
    const url = `${running.addresses.registry}/v1/kv/locks/a/.lock`;
    const ran = await lock(
      '/locks/a/',
      `curl -s ${url} > '${at.file('seen')}'; test "$CONSUL_LOCK_HELD" = true; exit 7`,
    );
    expect(ran).toEqual({ code: 7, stdout: '', stderr: '' });
    // Larger than the safe integers.
    expect(at.read('seen')).toContain(`"Flags":${lockFlags}`);
    expect(JSON.parse(at.read('seen'))[0]).toMatchObject({
      Key: 'locks/a/.lock',
      Session: expect.any(String),
    });
    expect((await run('registry kv get locks/a/.lock')).code).toBe(3);
    expect(await sessions()).toEqual([]);
  });

  test('the session has the settings of the flags', async () => {
    const url = `${running.addresses.registry}/v1/session/list`;
    await lock('locks/a --ttl 20s --lock-delay 3s --name own', `curl -s ${url} > '${at.file('seen')}'`);
    expect(JSON.parse(at.read('seen'))).toMatchObject([
      { Name: 'own', TTL: '20s', LockDelay: 3_000_000_000, Behavior: 'release' },
    ]);
  });

  test('does not start the command if the key is locked for longer than --wait', async () => {
    const holder = await hold('locks/a/.lock');
    for (const wait of ['0', '0.1s']) {
      const ran = await lock(`locks/a --wait ${wait}`, `touch '${at.file('seen')}'`);
      expectFailure(ran, 8, 'cannot lock key "locks/a/.lock": another process holds the lock');
    }
    expect(existsSync(at.file('seen'))).toBe(false);
    expect(await sessions()).toMatchObject([{ ID: holder }]);
  });

  test.each([
    ['any request', /./],
    ['the creation of its session', /session\/create/],
  ])('ends with --wait if the service does not respond to %s', async (_name, path) => {
    const end = new AbortController();
    const silent = await pausingProxy(running.addresses.registry, async (_count, request) => {
      if (!path.test(request)) return;
      end.abort();
      await new Promise(() => undefined);
    });
    const waited: number[] = [];
    const ran = await run(`registry lock locks/a --wait 2s --address ${silent.address} -- touch seen`, {
      timeout: (milliseconds) => {
        waited.push(milliseconds);
        return end.signal;
      },
    });
    expectFailure(ran, 8, 'cannot lock key "locks/a/.lock": no response within --wait');
    expect(waited).toContain(2000);
    expect(existsSync(at.file('seen'))).toBe(false);
  });

  test('a key that is not a lock is a conflict', async () => {
    // The flags of a semaphore of `consul lock -n`.
    await run('registry kv put locks/a/.lock {} --flags 16210313421097356768');
    const ran = await lock('locks/a', 'exit 0');
    expectFailure(ran, 6, 'cannot lock key "locks/a/.lock": the existing key is not a lock');
    expect((await run('registry kv get locks/a/.lock')).code).toBe(0);
  });

  test('waits until the key is free', async () => {
    const holder = await hold('locks/a/.lock');
    const waiting = start(at, ['registry', 'lock', 'locks/a', '--', 'sh', '-c', 'echo locked']);
    await eventually(() => expect(waiting.stderr()).toContain('waiting for the lock on key "locks/a/.lock"'));
    await run(`registry session delete ${holder} --yes`);
    expect(await waiting.ended).toMatchObject({ code: 0, stdout: 'locked\n' });
  });

  test('two commands under the same lock never run at once', async () => {
    const file = at.file('running');
    const script = `test ! -e '${file}' && touch '${file}' && sleep 0.2 && rm '${file}'`;
    const all = await Promise.all([
      lock('locks/a', script),
      lock('locks/a', script),
      lock('locks/a', script),
    ]);
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0]);
  });

  test.each(['session', 'key'])('stops the command if its %s is deleted', async (what) => {
    const child = start(at, [
      ...['registry', 'lock', 'locks/a', '--ttl', '1h', '--lock-delay', '0s', '--grace', '0.2s', '--'],
      ...['sh', '-c', 'trap "" TERM; echo started; while :; do sleep 0.1; done'],
    ]);
    await child.until(/started/);
    const [{ ID }] = await sessions();
    await run(
      what === 'session' ? `registry session delete ${ID} --yes` : 'registry kv delete locks/a/.lock --yes',
    );
    const ran = await child.ended;
    expectExit(ran, 6, 'lost the lock on key "locks/a/.lock"', 'the command ended with exit code 137');
    expect(await sessions()).toEqual([]);
  });

  test('^C reaches the command, and the lock is released', async () => {
    const child = start(at, [
      ...['registry', 'lock', 'locks/a', '--'],
      ...['sh', '-c', 'trap "exit 3" INT; echo started; while :; do sleep 0.1; done'],
    ]);
    await child.until(/started/);
    child.child.kill('SIGINT');
    expect(await child.ended).toMatchObject({ code: 3 });
    expect(await sessions()).toEqual([]);
    expect((await run('registry kv get locks/a/.lock')).code).toBe(3);
  });

  test('^C while it waits deletes its session', async () => {
    const holder = await hold('locks/a/.lock');
    const waiting = start(at, ['registry', 'lock', 'locks/a', '--', 'true']);
    await eventually(() => expect(waiting.stderr()).toContain('waiting for the lock'));
    waiting.child.kill('SIGINT');
    expect(await waiting.ended).toMatchObject({ code: 130 });
    expect(await sessions()).toMatchObject([{ ID: holder }]);
  });

  test('repeats calls whose response was lost', async () => {
    const lossy = await losingProxy(running.addresses.registry, /create|acquire|release/);
    expectExit(await lock(`locks/a --address ${lossy.address}`, `touch '${at.file('seen')}'`), 0);
    expect(lossy.lost).toHaveLength(3);
    expect(existsSync(at.file('seen'))).toBe(true);
    expect((await run('registry kv get locks/a/.lock')).code).toBe(3);
    // The session of the lost response is the one that is used.
    expect(await sessions()).toEqual([]);
  });

  test.each([
    ['/ -- true', 'invalid KEY ""'],
    ['a --ttl 5s -- true', 'invalid --ttl 5s: expected 10s to 24h'],
    ['a --lock-delay 2m -- true', 'invalid --lock-delay 2m: expected at most 60s'],
    ['../b -- true', 'must not contain ".." as a path segment'],
    ['a', 'missing'],
  ])('rejects %s', async (line, problem) => {
    expectFailure(await run(`registry lock ${line}`), 2, problem);
  });

  test('--dry-run shows the first request, and starts nothing', async () => {
    const stdout = outputOf(await lock('locks/a --dry-run', `touch '${at.file('seen')}'`));
    expect(stdout).toContain('/v1/session/create');
    expect(existsSync(at.file('seen'))).toBe(false);
    expect(await sessions()).toEqual([]);
  });
});
