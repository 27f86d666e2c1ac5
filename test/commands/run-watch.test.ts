import { existsSync, statfsSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure, words } from '../support/command-tests.ts';
import { eventually } from '../support/eventually.ts';
import { start } from '../support/process.ts';

const { at, running } = embeddedForAll();
beforeAll(async () => {
  at.write('renewed.hcl', 'path "secret/*" { capabilities = ["read"] }');
});

const done = async (line: string): Promise<void> => {
  expect(await at.run(line.split(' '))).toMatchObject({ code: 0 });
};
const soon = ['--debounce', '50ms', '--interval', '100ms'];
const watching = (mode: string, sources: string, script: string, ...flags: readonly string[]) =>
  start(at, ['run', ...sources.split(' '), '--watch', mode, ...soon, ...flags, '--', 'sh', '-c', script]);

/** What it has said on standard error: without the shell, which says what it has waited for. */
const messages = (child: { stderr(): string }): string[] =>
  child
    .stderr()
    .split('\n')
    .filter((line) => line !== '' && line !== 'Terminated');

const hasMemory =
  process.platform === 'linux' && existsSync('/dev/shm') && statfsSync('/dev/shm').type === 0x01021994;

describe('run --watch', () => {
  test('renews its token, and says which token it cannot renew', async () => {
    await done('kv put secret/renewed V=1');
    await done('secrets policy put renewed @renewed.hcl');
    const create = (...flags: string[]) =>
      at.run([...words('secrets token create --policy renewed --ttl 20s --field client_token'), ...flags]);
    const script = 'echo "start $V"; while :; do sleep 0.02; done';
    const run = (token: string) => {
      at.env.LANYARD_SECRETS_TOKEN = token;
      const child = watching('restart', '--kv secret/renewed', script);
      at.env.LANYARD_SECRETS_TOKEN = running.rootToken;
      return child;
    };
    const token = (await create()).stdout.trim();
    const renewed = run(token);
    await renewed.until(/start 1/);
    await eventually(async () => {
      const self = await at.run(['secrets', 'token', 'self', '-o', 'json'], {
        env: { LANYARD_SECRETS_TOKEN: token },
      });
      expect(JSON.parse(self.stdout).last_renewal_time ?? 0).toBeGreaterThan(0);
    });
    renewed.child.kill('SIGTERM');
    await renewed.ended;
    const fixed = run((await create('--not-renewable')).stdout.trim());
    await eventually(() =>
      expect(fixed.stderr()).toMatch(
        /^warning: the token cannot be renewed and expires at \S+ \S+ UTC: the values are not updated after that$/m,
      ),
    );
    fixed.child.kill('SIGTERM');
    await fixed.ended;
  });

  test('restart: the command gets the new values of all sources, and the run its exit code', async () => {
    await done('var put all/db PW=one');
    await done('kv put secret/all HOST=h1');
    const child = watching(
      'restart',
      '--var all/db --kv secret/all',
      `trap 'echo "end $PW"; exit 0' TERM
       trap 'echo asked; while [ ! -e all-go ]; do sleep 0.02; done; exit 7' USR1
       echo "start $PW $HOST $$"; while :; do sleep 0.02; done`,
      '--kill-timeout',
      '10m',
    );
    await child.until(/start one h1/);
    await done('var put all/db PW=two');
    await child.until(/end one\nstart two h1/);
    await done('kv put secret/all HOST=h2');
    await child.until(/end two\nstart two h2/);
    child.child.kill('SIGUSR1');
    await child.until(/asked/);
    at.write('all-go', '');
    expect(await child.ended).toMatchObject({ code: 7, signal: null });
    const pids = [...child.stdout().matchAll(/start .* (\d+)\n/g)].map(([, pid]) => pid);
    expect(messages(child)).toEqual([
      `all/db changed: sending SIGTERM to process ${pids[0]}`,
      `started sh again as process ${pids[1]}`,
      `secret/all changed: sending SIGTERM to process ${pids[1]}`,
      `started sh again as process ${pids[2]}`,
      `forwarded SIGUSR1 to process ${pids[2]}`,
    ]);
  });

  test('keeps a command whose secret was deleted, and restarts it with the next version', async () => {
    await done('kv put secret/gone A=1');
    const child = watching(
      'restart',
      '--kv secret/gone',
      `trap 'exit 0' TERM; echo "start $A"; while :; do sleep 0.02; done`,
    );
    await child.until(/start 1/);
    await done('kv delete secret/gone --yes');
    await eventually(() => expect(child.stderr()).toContain('warning'));
    expect(child.stderr()).toMatch(
      /^warning: cannot update the values: version 1 of secret "secret\/gone" was deleted at [^;]*; the command keeps the current ones\n$/,
    );
    await done('kv put secret/gone A=2');
    await child.until(/start 1\nstart 2/);
    child.child.kill('SIGTERM');
    expect(await child.ended).toMatchObject({ code: 0 });
  });

  test('keeps a command whose token was revoked, with one warning', async () => {
    await done('kv put secret/kept A=1');
    const created = await at.run('secrets token create --policy root --field client_token'.split(' '));
    const child = start(
      at,
      [
        ...['run', '--kv', 'secret/kept', '--watch', 'restart', ...soon, '--', 'sh', '-c'],
        `trap 'exit 6' TERM; echo "start $A"; while :; do sleep 0.02; done`,
      ],
      { LANYARD_SECRETS_TOKEN: created.stdout.trim() },
    );
    await child.until(/start 1/);
    const revoked = await at.run(['secrets', 'token', 'revoke', 'env://REVOKED', '--yes'], {
      env: { REVOKED: created.stdout.trim() },
    });
    expect(revoked).toMatchObject({ code: 0 });
    await done('kv put secret/kept A=2');
    await eventually(() => expect(child.stderr()).toContain('warning'));
    child.child.kill('SIGTERM');
    expect(await child.ended).toMatchObject({ code: 6, stdout: 'start 1\n' });
    expect(messages(child)).toEqual([
      expect.stringMatching(/^warning: cannot update the values: .*; the command keeps the current ones$/),
      expect.stringMatching(/^forwarded SIGTERM to process \d+$/),
    ]);
  });

  test.skipIf(!hasMemory)('signal: replaces the files and sends the signal', async () => {
    await done('var put files/app KEY=one');
    const child = watching(
      'signal:HUP',
      '--var files/app',
      `trap 'echo "got $(cat "$LANYARD_FILES/KEY")"' HUP
       trap 'exit 3' TERM
       echo "start $(cat "$LANYARD_FILES/KEY")$KEY"; while :; do sleep 0.02; done`,
      '--files',
    );
    await child.until(/start one\n/);
    await done('var put files/app KEY=two');
    await child.until(/got two/);
    child.child.kill('SIGTERM');
    expect(await child.ended).toMatchObject({ code: 3, stdout: 'start one\ngot two\n' });
  });

  test('exit: stops the command and returns its exit code', async () => {
    await done('var put exit/app KEY=one');
    const child = watching(
      'exit',
      '--var exit/app',
      `trap 'echo stopped; exit 12' INT; echo "start $KEY"; while :; do sleep 0.02; done`,
      '--kill-signal',
      'INT',
    );
    await child.until(/start one/);
    await done('var put exit/app KEY=two');
    expect(await child.ended).toMatchObject({ code: 12, stdout: 'start one\nstopped\n' });
  });

  test('waits for a command that cleans up after SIGTERM, and ends the watch with it', async () => {
    await done('var put clean/app KEY=one');
    const child = watching(
      'restart',
      '--var clean/app',
      `trap 'echo cleaning; while [ ! -e clean-go ]; do sleep 0.02; done; exit 5' TERM
       echo start; while :; do sleep 0.02; done`,
    );
    await child.until(/start/);
    child.child.kill('SIGTERM');
    await child.until(/cleaning/);
    await done('var put clean/app KEY=two');
    child.child.kill('SIGTERM');
    at.write('clean-go', '');
    expect(await child.ended).toMatchObject({ code: 5, signal: null });
    expect(child.stdout()).toMatch(/^start\n(cleaning\n)+$/);
  });

  test('masks new values in the log of a CI service', async () => {
    await done('var put mask/app KEY=first-value');
    const child = start(
      at,
      [
        ...['run', '--var', 'mask/app', '--watch', 'restart', ...soon, '--', 'sh', '-c'],
        `trap 'exit 0' TERM; echo "start $KEY"; while :; do sleep 0.02; done`,
      ],
      { GITHUB_ACTIONS: 'true' },
    );
    await child.until(/start first/);
    await done('var put mask/app KEY=second-value');
    await child.until(/start second/);
    child.child.kill('SIGTERM');
    await child.ended;
    expect(child.stderr()).toMatch(/^::add-mask::first-value\n::add-mask::second-value\nmask\/app changed: /);
  });

  test.each([
    ['--watch reload', 'invalid --watch "reload": expected restart, signal:SIG, exit or none'],
    ['--watch signal:', 'invalid --watch "signal:"'],
    ['--watch signal:KILL', 'expected one of the signals HUP, INT'],
    ['--watch restart --kill-signal SEGV', 'invalid --kill-signal "SEGV"'],
    ['--watch restart --debounce 10s:2s', 'invalid --debounce "10s:2s"'],
    ['--watch restart --debounce :2s', 'invalid --debounce ":2s"'],
    ['--watch restart --debounce 1s:2s:3s', 'invalid --debounce "1s:2s:3s"'],
    ['--watch restart --debounce soon', 'invalid --debounce "soon"'],
    ['--debounce 1s', '--debounce, --splay and --interval require --watch'],
    ['--watch none --interval 1s', '--debounce, --splay and --interval require --watch'],
    ['--watch signal:HUP --kill-timeout 1s', '--kill-signal and --kill-timeout require --watch restart'],
  ])('rejects %s', async (flags, message) => {
    expectFailure(await at.run(['run', '--var', 'none', ...flags.split(' '), '--', 'true']), 2, message);
  });
});
