import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { homeForAll, servicesForAll } from '../support/command-tests.ts';
import { eventually } from '../support/eventually.ts';
import { lanyard, shell, start } from '../support/process.ts';
import { has } from '../support/require.ts';

// What signals do to commands that run another one. `run` is in test/commands/run.test.ts.

const at = homeForAll();
servicesForAll(at);
beforeAll(async () => {
  at.write('plugins/lanyard-wrap', '#!/bin/sh\nshift; exec "$@"\n', 0o755);
  at.env.PATH = `${at.file('plugins')}:${at.env.PATH}`;
});

const all = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;
const isVarLocked = async (path: string): Promise<boolean> =>
  'Lock' in JSON.parse((await at.run(['api', 'scheduler', 'GET', `var/${path}`])).stdout);
const isKeyLocked = async (key: string): Promise<boolean> =>
  (await at.run(['registry', 'kv', 'get', `${key}/.lock`])).code === 0;
const stateOf = (pid: number): string | undefined => {
  try {
    return /^\d+ \(.*\) (\w)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
};
const isAlive = (pid: number): boolean => !['Z', undefined].includes(stateOf(pid));

const locks = [
  { name: 'var lock', words: ['var', 'lock', 'locks/v'], isLocked: () => isVarLocked('locks/v') },
  { name: 'registry lock', words: ['registry', 'lock', 'locks/r'], isLocked: () => isKeyLocked('locks/r') },
];
const isLocked = async () => true;
const commands = [
  ...locks,
  { name: 'dev run', words: ['dev', 'run'], isLocked },
  { name: 'secrets token keep-alive', words: ['secrets', 'token', 'keep-alive'], isLocked },
  { name: 'a plugin', words: ['wrap'], isLocked },
];

test.each(commands)(
  '$name forwards each signal each time, and stays until the command ends',
  async (command) => {
    at.clear('stop');
    const traps = all.map((name) => `trap 'echo got-${name}' ${name.slice(3)}`).join('; ');
    const script = `${traps}; echo ready; while [ ! -e stop ]; do sleep 0.02; done; exit 5`;
    const child = start(at, [...command.words, '--', 'sh', '-c', script]);
    await child.until(/ready/);
    for (const name of all) {
      for (const times of [1, 2]) {
        child.child.kill(name);
        await eventually(() => expect(child.stdout().split(`got-${name}\n`)).toHaveLength(times + 1));
      }
    }
    expect(await command.isLocked()).toBe(true);
    at.write('stop', '');
    expect(await child.ended).toMatchObject({ code: 5, signal: null });
    expect(child.stderr()).not.toContain('ebugger');
  },
);

test.each(locks)('$name is held until the processes that the command left have ended', async (lock) => {
  at.clear('stop');
  const left = '(while [ ! -e stop ]; do sleep 0.02; done; echo end) & echo ready; exit 4';
  const child = start(at, [...lock.words, '--', 'sh', '-c', left]);
  await eventually(() => expect(child.stderr()).toContain('waiting for the processes that it has started'));
  expect(await lock.isLocked()).toBe(true);
  at.write('stop', '');
  expect(await child.ended).toMatchObject({ code: 4, stdout: 'ready\nend\n' });
  expect(await lock.isLocked()).toBe(false);
});

test('when a lock is lost, everything that the command has started is ended', async () => {
  const deaf = `trap "" TERM; echo $$ > deaf; echo ready; while :; do sleep 0.1; done`;
  const script = `sh -c '${deaf}' & wait`;
  const child = start(at, ['registry', 'lock', 'locks/r', '--grace', '0.2s', '--', 'sh', '-c', script]);
  await child.until(/ready/);
  await at.run(['registry', 'kv', 'delete', 'locks/r/.lock', '--yes']);
  const { code, stderr } = await child.ended;
  expect(code, stderr).toBe(6);
  expect(stderr).toContain('the command ended with exit code 143');
  expect(isAlive(Number(at.read('deaf')))).toBe(false);
});

test.skipIf(process.platform !== 'linux' || !has('script'))(
  'on a terminal, ^C reaches a locked command once, and its processes end when the lock is lost',
  async () => {
    at.write(
      'count.cjs',
      `const { spawn } = require('node:child_process');
       let count = 0;
       process.on('SIGINT', () => { count += 1; if (count === 1) process.kill(process.ppid, 'SIGUSR2'); });
       process.on('SIGUSR2', () => {
         const { pid } = spawn('sh', ['-c', 'trap "" INT; sleep 300; exit'], { stdio: 'ignore' });
         require('node:fs').writeFileSync('orphan', pid + ' ' + count);
         process.stdout.write('lose');
       });
       setInterval(() => {}, 1000); process.stdout.write('ready');`,
    );
    const line = `exec ${lanyard} registry lock locks/t -- '${process.execPath}' count.cjs`;
    const terminal = spawn('script', ['-qec', line, '/dev/null'], {
      cwd: at.path,
      env: at.env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let shown = '';
    terminal.stdout.on('data', (chunk) => {
      const before = shown;
      shown += chunk;
      if (!before.includes('ready') && shown.includes('ready')) terminal.stdin.write('\x03');
      if (!before.includes('lose') && shown.includes('lose'))
        void at.run(['registry', 'kv', 'delete', 'locks/t/.lock', '--yes']);
    });
    const code = await new Promise((ended) => terminal.once('close', ended));
    expect(code, shown).toBe(6);
    const [orphan, count] = at.read('orphan').split(' ').map(Number);
    expect(count).toBe(1);
    expect(isAlive(orphan ?? 0)).toBe(false);
  },
);

/** Writes the IDs of a process and its child to files. */
const family = 'echo $$ > outer; sleep 1000 & echo $! > inner; echo ready; wait';
const isStopped = (pids: readonly number[], expected: boolean) =>
  eventually(() => expect(pids.map((pid) => stateOf(pid) === 'T')).toEqual(pids.map(() => expected)));

describe.skipIf(process.platform !== 'linux')('SIGTSTP and SIGCONT without a terminal', () => {
  test.each(locks)('$name stops and continues the command with all that it started', async (lock) => {
    const deaf = `trap '' TSTP; ${family}`;
    const child = start(at, [...lock.words, '--', 'sh', '-c', deaf]);
    await child.until(/ready/);
    const pids = [child.child.pid ?? 0, Number(at.read('outer')), Number(at.read('inner'))];
    for (const _time of [1, 2]) {
      child.child.kill('SIGTSTP');
      await isStopped(pids, true);
      child.child.kill('SIGCONT');
      await isStopped(pids, false);
    }
    expect(await lock.isLocked()).toBe(true);
    child.child.kill('SIGTERM');
    expect(await child.ended).toMatchObject({ code: 143, stdout: 'ready\n' });
  });

  test('a lock that was lost meanwhile ends the command when it continues', async () => {
    const child = start(at, ['registry', 'lock', 'locks/r', '--grace', '0.2s', '--', 'sh', '-c', family]);
    await child.until(/ready/);
    const pids = [child.child.pid ?? 0, Number(at.read('outer')), Number(at.read('inner'))];
    child.child.kill('SIGTSTP');
    await isStopped(pids, true);
    await at.run(['registry', 'kv', 'delete', 'locks/r/.lock', '--yes']);
    child.child.kill('SIGCONT');
    expect((await child.ended).code).toBe(6);
    expect(pids.filter(isAlive)).toEqual([]);
  });
});

describe.skipIf(process.platform !== 'linux' || !has('script') || !has('bash'))('^Z in a shell', () => {
  const lock = `${lanyard} registry lock locks/z --`;
  const ctrlZ = '\x1a';
  type Step = readonly [shown: string, typed: string];
  /** Stops it, continues it, and types a line for it. */
  const stopped: readonly Step[] = [
    ['on\r\n', ctrlZ],
    ['Stopped', 'fg; echo "ended"=$?\n'],
    ['fg; echo "ended"=$?\r\n', 'typed\n'],
  ];
  const cases: readonly [what: string, line: string, steps: readonly Step[], shown: RegExp][] = [
    [
      'stops a locked command with Lanyard, and fg continues both',
      `${lock} sh -c 'echo on; read line; echo "line $line"; exit 3'`,
      stopped,
      /line typed\r\nended=3/,
    ],
    [
      'stops nothing if the command ignores it',
      `${lock} sh -c 'trap "" TSTP; echo on; read line; exit 3'`,
      [
        ['on\r\n', ctrlZ],
        ['^Z', 'typed\n'],
      ],
      /^(?![\s\S]*Stopped)[\s\S]*ended=3/,
    ],
    [
      'of a plugin that stops itself, like ssh, stops Lanyard',
      `${lanyard} stopper`,
      [['Stopped', 'fg; echo "ended"=$?\n']],
      /on\r\nended=3/,
    ],
    [
      'stops an editor',
      `EDITOR="sh -c 'echo on; read line'" ${lanyard} kv edit secret/z`,
      stopped,
      /nchanged[\s\S]*ended=0/,
    ],
    [
      'stops a pager',
      `LANYARD_PAGER="sh -c 'echo on; read line </dev/tty'" ${lanyard} help`,
      stopped,
      /ended=0/,
    ],
  ];
  beforeAll(async () => {
    at.write('plugins/lanyard-stopper', '#!/bin/sh\nkill -STOP $$; echo on; exit 3\n', 0o755);
    await at.run(['kv', 'put', 'secret/z', 'a=1']);
  });

  test.each(cases)('%s', async (_what, line, steps, expected) => {
    const terminal = spawn('script', ['-qec', 'bash --norc --noprofile -i', '/dev/null'], {
      cwd: at.path,
      env: { ...at.env, HOME: at.path, TERM: 'xterm' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void terminal.kill('SIGKILL'));
    const ended = new Promise((done) => terminal.once('close', done));
    // The shell may have ended before the last `exit` is written.
    terminal.stdin.on('error', () => {});
    let shown = '';
    let from = 0;
    const left = [...steps];
    const isEnd = () => left.length === 0 && /ended=(?!147)\d/.test(shown.slice(from));
    terminal.stdout.on('data', (chunk) => {
      shown += chunk;
      const [text = '', typed = ''] = left[0] ?? [];
      const found = shown.indexOf(text, from);
      if (isEnd()) terminal.stdin.write('exit\n');
      if (left.length === 0 || found < 0) return;
      from = found + text.length;
      left.shift();
      terminal.stdin.write(typed);
    });
    terminal.stdin.write(`${line}; echo "ended"=$?\n`);
    await ended;
    expect(shown).toMatch(expected);
  });
});

test('SIGUSR1 opens no debugger, and the process has the name lanyard', async () => {
  const child = start(at, ['dev', '--port', '0', '-o', 'json']);
  const { addresses } = JSON.parse(await child.until(/\}\n$/));
  child.child.kill('SIGUSR1');
  child.child.kill('SIGUSR2');
  if (process.platform === 'linux')
    expect(readFileSync(`/proc/${child.child.pid}/comm`, 'utf8')).toBe('lanyard\n');
  expect((await fetch(`${addresses.secrets}/v1/sys/health`)).ok).toBe(true);
  child.child.kill('SIGQUIT');
  const { signal, stderr } = await child.ended;
  expect(signal).toBe(null);
  expect(stderr).toMatch(/Stopped the embedded services\.\n$/);
  expect(stderr).not.toContain('ebugger');
});

test.skipIf(!has('mkfifo')).each([
  ['the file of a value', ['kv', 'put', 'secret/x', 'v=@pipe']],
  ['an input file', ['kv', 'put', 'secret/x', '--in', 'pipe']],
  ['a command that handles signals', ['dev', '--port', '0', '--password', '@pipe']],
])('SIGTERM ends the wait for a pipe: %s', async (_what, argv) => {
  at.clear('pipe');
  execFileSync('mkfifo', [at.file('pipe')]);
  const child = start(at, argv);
  // Fails until there is a reader.
  const writer = await eventually(() => openSync(at.file('pipe'), constants.O_WRONLY | constants.O_NONBLOCK));
  onTestFinished(() => closeSync(writer));
  child.child.kill('SIGTERM');
  expect(await child.ended).toMatchObject({ code: 143, stderr: 'error: interrupted\n' });
});

test.skipIf(!has('bash'))('reads the output of another command, when it comes', async () => {
  const line = `${lanyard} kv put secret/piped v=@<(sleep 0.1; printf late) --in <(sleep 0.1; echo '{"w":"in"}')`;
  expect(await shell(at, line, {}, 'bash')).toMatchObject({ code: 0, stderr: '' });
  expect((await at.run(['kv', 'get', 'secret/piped', '--field', 'v'])).stdout.trim()).toBe('late');
  expect((await at.run(['kv', 'get', 'secret/piped', '--field', 'w'])).stdout.trim()).toBe('in');
});
