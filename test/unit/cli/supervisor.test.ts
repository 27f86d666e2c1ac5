import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sleep } from '../../../src/cli/children/held-lock.ts';
import { supervise } from '../../../src/cli/children/supervisor.ts';
import type { SupervisedRun, WatchSettings } from '../../../src/command/supervised-run.ts';
import { LanyardError } from '../../../src/errors.ts';
import { homeForEach } from '../../support/command-tests.ts';
import { eventually } from '../../support/eventually.ts';

// Real child processes, which say in files what happens to them. Nothing here depends on how long a step takes.

const at = homeForEach();

const log = (): string[] => (existsSync(at.file('log')) ? at.read('log').split('\n').slice(0, -1) : []);
const logged = (line: string): Promise<void> => eventually(() => expect(log()).toContain(line));

/** Runs a script whose value VALUE the test sets; `log TEXT` in the script writes a line. */
function supervised(
  script: string,
  { watch = {}, ...more }: Omit<Partial<SupervisedRun>, 'watch'> & { watch?: Partial<WatchSettings> } = {},
  platform: string = process.platform,
) {
  let value = 'one';
  let report: Parameters<WatchSettings['follow']>[0] = () => {};
  const listeners = new Set<(signal: NodeJS.Signals) => void>();
  const signal = new AbortController();
  const said: string[] = [];
  const say = (kind: string) => (text: string) => void said.push(`${kind} ${text.replace(/\d{3,}/g, 'N')}`);
  // The shell says on standard error what it has waited for.
  const functions = `exec 2> /dev/null; log() { echo "$1" >> log; }; held() { while [ ! -e "$1" ]; do sleep 0.02; done; }; `;
  const run: SupervisedRun = {
    publish: async () => undefined,
    command: 'sh',
    args: ['-c', functions + script],
    read: async () => [{ name: 'app', items: { VALUE: value } }],
    toVariables: ([first]) => ({ ...first?.items }),
    withFiles: false,
    watch: {
      action: 'restart',
      follow: async (changed) => {
        report = changed;
      },
      debounce: { minMs: 0, maxMs: 0 },
      splayMs: 0,
      killSignal: 'SIGTERM',
      killTimeoutMs: 600_000,
      ...watch,
    },
    output: { note: say('note'), warn: say('warn'), detail: say('detail'), mask: say('mask') },
    ...more,
  };
  const parent = {
    cwd: at.path,
    env: process.env,
    signal: signal.signal,
    platform,
    clock: () => new Date(),
    random: () => new Uint8Array(4),
    onSignal: (listener: (name: NodeJS.Signals) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return {
    code: supervise(run, parent, sleep),
    said,
    listeners,
    interrupt: () => signal.abort('SIGINT'),
    /** The value of the only source changes, and is reported. */
    change(to: string): void {
      value = to;
      report(0, { VALUE: to });
    },
    report: () => report(0, undefined),
    send(name: NodeJS.Signals): void {
      for (const listener of listeners) listener(name);
    },
  };
}

const ready = 'log "start $VALUE"; held exit';

test('restarts a command with new values when the old one has ended', async () => {
  const run = supervised(`trap 'log "end $VALUE"; exit 4' TERM; ${ready}; log "exit $VALUE"; exit 3`);
  await logged('start one');
  run.change('two');
  await logged('start two');
  at.write('exit', '');
  expect(await run.code).toBe(3);
  expect(log()).toEqual(['start one', 'end one', 'start two', 'exit two']);
  expect(run.said).toEqual([
    'mask one',
    'mask two',
    'note app changed: sending SIGTERM to process N',
    'note started sh again as process N',
  ]);
  expect(run.listeners.size).toBe(0);
});

test('does not restart a command that ends after a change', async () => {
  const run = supervised(`trap 'log asked; held go; exit 4' TERM; ${ready}`, { watch: { action: 'exit' } });
  await logged('start one');
  run.change('two');
  await logged('asked');
  run.change('three');
  at.write('go', '');
  expect(await run.code).toBe(4);
  expect(log()).toEqual(['start one', 'asked']);
});

test.each(['SIGTERM', 'SIGINT', 'SIGQUIT'] as const)(
  'forwards %s, waits for the command, returns its code and does not restart it',
  async (name) => {
    const run = supervised(`trap 'log cleaning; held go; exit 9' TERM INT QUIT; ${ready}`);
    await logged('start one');
    run.send(name);
    await logged('cleaning');
    run.change('two');
    at.write('go', '');
    expect(await run.code).toBe(9);
    expect(log()).toEqual(['start one', 'cleaning']);
    expect(run.said).toContain(`note forwarded ${name} to process N`);
  },
);

test('does not start a command again that was asked to end while it was stopped', async () => {
  const run = supervised(`trap 'log stopping; held go; exit 6' TERM; ${ready}`);
  await logged('start one');
  run.change('two');
  await logged('stopping');
  run.send('SIGTERM');
  at.write('go', '');
  expect(await run.code).toBe(6);
  expect(log().filter((line) => line.startsWith('start'))).toEqual(['start one']);
});

test('forwards HUP, USR1, USR2 and WINCH to the command only, and restarts it afterwards', async () => {
  // The background process would end with any of them.
  const run = supervised(
    `sleep 1000 & trap 'log end; kill $! 2> /dev/null; exit 0' TERM
     for n in HUP USR1 USR2 WINCH; do trap "log $n" $n; done; ${ready}; kill -0 $! && exit 3`,
  );
  await logged('start one');
  for (const name of ['HUP', 'USR1', 'USR2', 'WINCH'] as const) {
    run.send(`SIG${name}`);
    await logged(name);
  }
  expect(log()).not.toContain('end');
  run.change('two');
  await logged('start two');
  at.write('exit', '');
  expect(await run.code).toBe(3);
});

test('sends a signal to a running command, and its files are the new ones then', async () => {
  const run = supervised(
    `trap 'log "got $(cat "$LANYARD_FILES/VALUE")"' HUP; log "start $(cat "$LANYARD_FILES/VALUE") $VALUE"
     log "$LANYARD_FILES"; held exit; exit 5`,
    { withFiles: true, watch: { action: { signal: 'SIGHUP' } } },
  );
  await logged('start one ');
  run.change('two');
  await logged('got two');
  run.change('three');
  await logged('got three');
  at.write('exit', '');
  expect(await run.code).toBe(5);
  const [, path = ''] = log();
  expect(path).toMatch(/^\//);
  expect(existsSync(path)).toBe(false);
  expect(run.said.filter((line) => line.startsWith('note'))).toEqual([
    'note app changed: sent SIGHUP to process N',
    'note app changed: sent SIGHUP to process N',
  ]);
});

test('says that an environment cannot change, and a command that ends with the signal ends the run', async () => {
  const run = supervised(ready, { watch: { action: { signal: 'SIGUSR1' } } });
  await logged('start one');
  run.change('two');
  expect(await run.code).toBe(128 + 10);
  expect(run.said[1]).toBe(
    'note the environment of a running command cannot change: at SIGUSR1 it must read the new values itself (or use --files)',
  );
});

test('sends SIGKILL after the timeout', async () => {
  const run = supervised(`trap 'log ignored' TERM; ${ready}; exit 3`, {
    watch: { action: 'exit', killTimeoutMs: 50 },
  });
  await logged('start one');
  run.change('two');
  expect(await run.code).toBe(128 + 9);
  expect(run.said).toContain('warn process N did not exit within 0.05s of SIGTERM: sending SIGKILL');
});

test('stops a command by the given signal, with the processes that it started', async () => {
  const run = supervised(
    `sh -c 'trap "echo grandchild >> log; exit" USR1; echo "start $VALUE" >> log; while :; do sleep 0.02; done' &
     trap 'wait; exit 2' USR1; held never`,
    { watch: { action: 'exit', killSignal: 'SIGUSR1' } },
  );
  await logged('start one');
  run.change('two');
  expect(await run.code).toBe(2);
  expect(log()).toEqual(['start one', 'grandchild']);
});

test('ends the processes that a command leaves behind', async () => {
  const run = supervised(
    `sh -c 'trap "echo stopped >> log; exit" TERM; echo waiting >> log; while :; do sleep 0.02; done' &
     while ! grep -q waiting log; do sleep 0.02; done; exit 3`,
  );
  at.write('log', '');
  expect(await run.code).toBe(3);
  expect(log()).toEqual(['waiting', 'stopped']);
});

test('keeps a command whose new values cannot be used', async () => {
  let isFailing = false;
  const run = supervised(`${ready}; exit 3`, {
    toVariables: ([first]) => {
      if (isFailing) throw new LanyardError('usage', 'a name is not valid');
      return { ...first?.items };
    },
  });
  await logged('start one');
  isFailing = true;
  run.change('two');
  await eventually(() => expect(run.said).toHaveLength(2));
  expect(run.said[1]).toBe(
    'warn cannot update the values: a name is not valid; the command keeps the current ones',
  );
  at.write('exit', '');
  expect(await run.code).toBe(3);
  expect(log()).toEqual(['start one']);
});

test('stops the command if the watch fails with a defect', async () => {
  const run = supervised(`trap 'log end; exit 0' TERM; ${ready}`, {
    watch: {
      follow: async () => {
        await logged('start one');
        throw new TypeError('a defect');
      },
    },
  });
  await expect(run.code).rejects.toThrow('a defect');
  expect(log()).toEqual(['start one', 'end']);
});

test('rejects with the error of the first read, and starts nothing', async () => {
  const error = new LanyardError('not_found', 'variable "app" not found');
  const run = supervised(ready, { read: () => Promise.reject(error) });
  await expect(run.code).rejects.toBe(error);
  expect(log()).toEqual([]);
});

test('starts nothing after a signal', async () => {
  const run = supervised(ready, {
    read: (signal) =>
      new Promise((done) => signal.addEventListener('abort', () => done([{ name: 'app', items: {} }]))),
  });
  run.interrupt();
  await expect(run.code).rejects.toMatchObject({ kind: 'interrupted' });
  expect(log()).toEqual([]);
});

test('reports a command that cannot start', async () => {
  const run = supervised('', { command: 'no-such-program' });
  await expect(run.code).rejects.toMatchObject({
    kind: 'usage',
    message: 'cannot run no-such-program: command not found',
  });
  expect(run.listeners.size).toBe(0);
});

test('rejects a signal to the command on Windows', async () => {
  const run = supervised(ready, { watch: { action: { signal: 'SIGHUP' } } }, 'win32');
  await expect(run.code).rejects.toMatchObject({ kind: 'usage', message: /cannot send signals on Windows/ });
});
