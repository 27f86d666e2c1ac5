import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure, words } from '../support/command-tests.ts';
import { lanyard, start } from '../support/process.ts';
import { has } from '../support/require.ts';
import { runAt, shelf } from './scheduler-shelf.ts';

const { at } = embeddedForAll();
const run = runAt(at);
beforeAll(async () => {
  await at.run(['kv', 'put', 'secret/mail', '--in', '-'], {
    stdin: '{"host": "mx", "port": 25, "none": null}',
  });
});

/** The environment of a child process. */
function seen(): Record<string, string> {
  const entries = at.read('seen').split('\0').filter(Boolean);
  return Object.fromEntries(
    entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
}
const show = ['--', 'sh', '-c', `env -0 > '${at.file('seen')}'`];

describe('run', () => {
  test('sets variables and secrets in the environment of a command, and writes nothing to disk', async () => {
    const server = await shelf();
    const odd = `'"\n$HOME=\`x\` é🔑 \\ `;
    server.put('app/db', { 'db-user': odd, '9lives': '', ['__proto__']: 'own' });
    const before = at.list();
    const ran = await run(server, [
      ...words('run --var app/db --kv secret/mail --prefix my- --upper'),
      ...show,
    ]);
    expect(ran).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(seen()).toMatchObject({
      MY_DB_USER: odd,
      MY_9LIVES: '',
      MY___PROTO__: 'own',
      MY_HOST: 'mx',
      MY_PORT: '25',
      MY_NONE: '',
      PATH: at.env.PATH,
    });
    at.clear('seen');
    expect(at.list()).toEqual(before);
    await run(server, ['run', '--var', 'app/db', ...show]);
    expect(seen()).toMatchObject({ db_user: odd, _9lives: '' });
  });

  test.each([
    ['PATH', []],
    ['LD_PRELOAD', []],
    ['node-options', ['--upper']],
    ['bash_env', ['--upper']],
    ['OPTIONS', ['--prefix', 'NODE_']],
  ])('rejects an item that would set %s (%j), and runs nothing', async (name, flags) => {
    const server = await shelf();
    server.put('app/db', { [name]: 'secret' });
    at.clear('seen');
    const ran = await run(server, ['run', '--var', 'app/db', ...flags, ...show]);
    expectFailure(ran, 2, 'which changes how programs run');
    expect(ran.stderr).not.toContain('secret');
    expect(existsSync(at.file('seen'))).toBe(false);
    expect((await run(server, ['run', '--var', 'app/db', '--prefix', 'APP_', ...show])).code).toBe(0);
    expect(Object.keys(seen())).toContain(`APP_${name.replace('-', '_')}`);
  });

  test.each([
    [{ 'a-b': '1', a_b: '2' }, '"a-b" of app and "a_b" of app both map to a_b'],
    [{ '-': '1' }, '"-" of app is not a valid name of an environment variable'],
    [{ '': '1' }, '"" of app is not a valid name of an environment variable'],
    [{ a: 'secret\u0000' }, '"a" of app contains a null character'],
  ])('rejects %j, and runs nothing', async (items, message) => {
    const server = await shelf();
    server.put('app', items);
    at.clear('seen');
    const ran = await run(server, ['run', '--var', 'app', ...show]);
    expectFailure(ran, 2, message);
    expect(ran.stderr).not.toContain('secret');
    expect(existsSync(at.file('seen'))).toBe(false);
  });

  test('rejects a duplicate name of two sources', async () => {
    const server = await shelf();
    server.put('app', { HOST: 'secret-value' });
    const ran = await run(server, ['run', '--var', 'app', '--kv', 'secret/mail', '--upper', '--', 'true']);
    expectFailure(ran, 2, '"HOST" of app and "host" of secret/mail both map to HOST');
  });

  test.each([
    [['run', '--', 'true'], 2, '--var, --kv, --key, --creds or --template is required'],
    [['run', '--var', 'app'], 2, 'COMMAND'],
    [['run', '--var', 'app', '--out', 'f', '--', 'true'], 2, 'unknown flag "--out"'],
    [['run', '--var', 'app', '--field', 'a', '--', 'true'], 2, 'unknown flag "--field"'],
    [['run', '--var', 'a.b', '--', 'true'], 2, 'invalid variable path'],
    [['run', '--var', 'none', '--', 'true'], 3, 'variable "none" not found'],
    [['run', '--kv', 'secret/none', '--', 'true'], 3, 'secret "secret/none" not found'],
    [['run', '--var', 'app', '--', 'no-such-program'], 2, 'command not found'],
  ])('%j exits with %i', async (argv, code, message) => {
    const server = await shelf();
    server.put('app', { a: '1' });
    expectFailure(await run(server, argv), code, message);
  });

  test('returns the exit code, and passes arguments after -- unchanged', async () => {
    const server = await shelf();
    server.put('app', { a: '1' });
    const script = `printf '%s|' "$@" > '${at.file('words')}'; exit 42`;
    const ran = await run(server, [
      ...words('run --var app -- sh -c'),
      script,
      ...words('sh --var -o'),
      'x y',
    ]);
    expect(ran.code).toBe(42);
    expect(at.read('words')).toBe('--var|-o|x y|');
  });

  test('forwards signals', async () => {
    const server = await shelf();
    server.put('app', { CODE: '7' });
    const script = `trap 'exit $CODE' TERM; echo ready; while :; do sleep 0.05; done`;
    const child = start(at, ['run', '--var', 'app', '--', 'sh', '-c', script], {
      LANYARD_SCHEDULER_ADDR: server.url,
    });
    await child.until(/ready/);
    child.child.kill('SIGTERM');
    expect(await child.ended).toMatchObject({ code: 7, signal: null });
  });

  test.each(['SIGINT', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH'] as const)(
    'forwards %s each time, and waits for the command',
    async (name) => {
      const server = await shelf();
      server.put('app', { CODE: '7' });
      const script = `trap 'echo "got"' ${name.slice(3)}; trap 'exit $CODE' TERM; echo ready; while :; do sleep 0.02; done`;
      const child = start(at, ['run', '--var', 'app', '--', 'sh', '-c', script], {
        LANYARD_SCHEDULER_ADDR: server.url,
      });
      await child.until(/ready/);
      child.child.kill(name);
      await child.until(/got\n/);
      child.child.kill(name);
      await child.until(/got\ngot\n/);
      child.child.kill('SIGTERM');
      expect(await child.ended).toMatchObject({ code: 7, signal: null, stderr: '' });
    },
  );

  test.skipIf(process.platform !== 'linux' || !has('script'))(
    'leaves ^C to the terminal, which sends it to the command',
    async () => {
      const server = await shelf();
      server.put('app', { a: '1' });
      // What Lanyard would forward arrives before the second signal that it forwards afterwards.
      const count = `let count = 0; let others = 0;
        const ask = () => process.kill(process.ppid, 'SIGUSR2');
        process.on('SIGINT', () => { count += 1; if (count === 1) ask(); });
        process.on('SIGUSR2', () => { others += 1; if (others === 1) ask(); else process.exit(40 + count); });
        setInterval(() => {}, 1000); process.stdout.write('ready');`;
      at.write('count.cjs', count);
      const line = `exec ${lanyard} run --var app -- '${process.execPath}' count.cjs`;
      const terminal = spawn('script', ['-qec', line, '/dev/null'], {
        cwd: at.path,
        env: { ...at.env, LANYARD_SCHEDULER_ADDR: server.url },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      let shown = '';
      terminal.stdout.on('data', (chunk) => {
        if (!shown.includes('ready') && `${shown}${chunk}`.includes('ready')) terminal.stdin.write('\x03');
        shown += chunk;
      });
      expect(await new Promise((ended) => terminal.once('close', ended)), shown).toBe(41);
    },
  );

  test('masks values in the log of a CI service', async () => {
    const server = await shelf();
    server.put('app', { a: 'secret-a' });
    const ran = await run(server, 'run --var app -- true', { env: { GITHUB_ACTIONS: 'true' } });
    expect(ran).toMatchObject({ code: 0, stderr: '::add-mask::secret-a\n' });
  });
});
