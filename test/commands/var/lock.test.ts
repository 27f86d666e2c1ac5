import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  embeddedForEach,
  expectExit,
  expectFailure,
  expectOutput,
  outputOf,
} from '../../support/command-tests.ts';
import { eventually } from '../../support/eventually.ts';
import { start } from '../../support/process.ts';
import type { Ran, RunOptions } from '../../support/run.ts';
import { serveSocket } from '../../unit/api/support.ts';
import { losingProxy } from '../losing-proxy.ts';

const { at, running, run } = embeddedForEach();
/** Runs a shell script under a lock. */
const lock = (flags: string, script: string, options?: RunOptions): Promise<Ran> =>
  at.run(['var', 'lock', ...flags.split(' '), '--', 'sh', '-c', script], options);
const variable = async (path: string) => JSON.parse((await run(`api scheduler GET var/${path}`)).stdout);

describe('var lock', () => {
  test('runs the command while the variable is locked, and releases the lock', async () => {
    await run('var put app/db user=app');
    const url = `${running.addresses.scheduler}/v1/var/app/db`;
    expectFailure(await lock('app/db', `curl -s ${url} > '${at.file('seen')}'; exit 7`), 7);
    const { Lock, Items } = JSON.parse(at.read('seen'));
    expect(Lock).toMatchObject({ TTL: '15s', LockDelay: '15s' });
    expect(Items).toEqual({ user: 'app' });
    const after = await variable('app/db');
    expect(after).not.toHaveProperty('Lock');
    expect(after.Items).toEqual({ user: 'app' });
  });

  test('creates a missing variable', async () => {
    expectOutput(await lock('locks/new --ttl 10s --lock-delay 1s', 'exit 0'), '');
    expect(await variable('locks/new')).toMatchObject({ Path: 'locks/new' });
  });

  test('--env sets the items in the environment of the command', async () => {
    await run('var put app/db user=app');
    await lock('app/db --env --prefix APP_ --upper', `printf %s "$APP_USER" > '${at.file('seen')}'`);
    expect(at.read('seen')).toBe('app');
    await lock('app/db', `printf %s "$user" > '${at.file('seen')}'`);
    expect(at.read('seen')).toBe('');
  });

  test('--env with an item that changes how programs run starts nothing and releases the lock', async () => {
    await run('var put app/db PATH=/tmp');
    expectFailure(await lock('app/db --env', `touch '${at.file('seen')}'`), 2, 'would set PATH');
    expect(existsSync(at.file('seen'))).toBe(false);
    expect(await variable('app/db')).not.toHaveProperty('Lock');
  });

  test('a command that does not exist is a usage error, and the lock is released', async () => {
    const ran = await run('var lock locks/a -- no-such-command');
    expect(ran).toMatchObject({ code: 2, stderr: 'error: cannot run no-such-command: command not found\n' });
    expect(await variable('locks/a')).not.toHaveProperty('Lock');
  });

  test('does not start the command if the variable is locked for longer than --wait', async () => {
    const held = JSON.stringify({ Lock: { ID: 'other', TTL: '1h' } });
    await run('api scheduler PUT var/locks/a?lock-acquire --data -', { stdin: held });
    expect(await lock('locks/a --wait 0', `touch '${at.file('seen')}'`)).toEqual({
      code: 8,
      stdout: '',
      stderr:
        'error: cannot lock variable "locks/a": another process holds the lock\nhint: The command was not started. Increase --wait to wait longer.\n',
    });
    // Long enough for the first attempt on a busy machine: without its response, nothing is known about the lock.
    const waited = await lock('locks/a --wait 3s', `touch '${at.file('seen')}'`);
    expectFailure(waited, 8, 'waiting for the lock on variable "locks/a"\n');
    expect(existsSync(at.file('seen'))).toBe(false);
    expect((await variable('locks/a')).Lock).toMatchObject({ ID: 'other' });
  });

  test('waits until the lock is free', async () => {
    const held = JSON.stringify({ Lock: { ID: 'other', TTL: '1h' } });
    await run('api scheduler PUT var/locks/a?lock-acquire --data -', { stdin: held });
    const waiting = start(at, ['var', 'lock', 'locks/a', '--', 'sh', '-c', 'echo locked']);
    await eventually(() => expect(waiting.stderr()).toContain('waiting for the lock'));
    const release = JSON.stringify({ Lock: { ID: 'other' } });
    await run('api scheduler PUT var/locks/a?lock-release --data -', { stdin: release });
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

  test('stops the command if the lock is lost, with SIGKILL if it ignores SIGTERM', async () => {
    const child = start(at, [
      ...['var', 'lock', 'locks/a', '--ttl', '10s', '--grace', '0.2s', '--'],
      ...['sh', '-c', 'trap "echo TERM" TERM; echo started; while :; do sleep 0.1; done'],
    ]);
    await child.until(/started/);
    const { Lock } = await variable('locks/a');
    const release = JSON.stringify({ Lock: { ID: Lock.ID } });
    await run('api scheduler PUT var/locks/a?lock-release --data -', { stdin: release });
    const ran = await child.ended;
    expect(ran.code, ran.stderr).toBe(6);
    expect(ran.stdout).toContain('TERM');
    expect(ran.stderr).toContain('lost the lock on variable "locks/a"');
    expect(ran.stderr).toContain('the command ended with exit code 137');
  });

  test('^C reaches the command, and the lock is released', async () => {
    const child = start(at, [
      ...['var', 'lock', 'locks/a', '--'],
      ...['sh', '-c', 'trap "exit 3" INT; echo started; while :; do sleep 0.1; done'],
    ]);
    await child.until(/started/);
    child.child.kill('SIGINT');
    expect(await child.ended).toMatchObject({ code: 3 });
    expect(await variable('locks/a')).not.toHaveProperty('Lock');
  });

  test('^C while it waits ends it', async () => {
    const held = JSON.stringify({ Lock: { ID: 'other', TTL: '1h' } });
    await run('api scheduler PUT var/locks/a?lock-acquire --data -', { stdin: held });
    const waiting = start(at, ['var', 'lock', 'locks/a', '--', 'true']);
    await eventually(() => expect(waiting.stderr()).toContain('waiting for the lock'));
    waiting.child.kill('SIGINT');
    expect(await waiting.ended).toMatchObject({ code: 130 });
    expect((await variable('locks/a')).Lock).toMatchObject({ ID: 'other' });
  });

  test.each([
    ['a//b -- true', 'invalid variable path "a//b": empty segment'],
    ['a --ttl 5s -- true', 'invalid --ttl 5s: expected 10s to 24h'],
    ['a --upper -- true', '--prefix and --upper require --env'],
    ['a --wait x -- true', 'invalid --wait "x"'],
    ['a --namespace * -- true', 'invalid namespace "*"'],
    ['a', 'missing'],
  ])('rejects %s', async (line, problem) => {
    expectFailure(await run(`var lock ${line}`), 2, problem);
  });

  test('--dry-run shows the request, and starts nothing', async () => {
    await run('var put app/db user=hidden-value');
    const stdout = outputOf(await lock('app/db --dry-run', `touch '${at.file('seen')}'`));
    expect(stdout).toMatch(/PUT \S+\/v1\/var\/app\/db\?cas=\d+/);
    expect(stdout).not.toContain('hidden-value');
    expect(existsSync(at.file('seen'))).toBe(false);
  });

  test('an unreachable scheduler is not waited for', async () => {
    const losing = await serveSocket((socket) => socket.destroy());
    expectFailure(await lock(`locks/a --address ${losing.url}`, `touch '${at.file('seen')}'`), 7);
    expect(existsSync(at.file('seen'))).toBe(false);
  });

  test('repeats calls whose response was lost', async () => {
    const lossy = await losingProxy(running.addresses.scheduler, /lock-(acquire|release)/);
    expectExit(await lock(`locks/a --address ${lossy.address}`, `touch '${at.file('seen')}'`), 0);
    expect(lossy.lost).toEqual([
      expect.stringContaining('lock-acquire'),
      expect.stringContaining('lock-release'),
    ]);
    expect(existsSync(at.file('seen'))).toBe(true);
    expect(await variable('locks/a')).not.toHaveProperty('Lock');
  });
});
