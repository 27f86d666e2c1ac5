import { chmodSync, symlinkSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { findPlugin, listPlugins } from '../../../src/io/plugins.ts';
import { homeForEach } from '../../support/command-tests.ts';
import { lanyard, shell, start } from '../../support/process.ts';

const at = homeForEach();
beforeEach(() => {
  at.env.PATH = [at.file('bin'), at.file('more'), process.env.PATH].join(delimiter);
});

const plugin = (name: string, script: string, folder = 'bin'): string =>
  at.write(`${folder}/lanyard-${name}`, `#!/bin/sh\n${script}\n`, 0o755);

describe('a plugin', () => {
  test('runs with its arguments, environment, streams and exit code', async () => {
    plugin('hello', 'cat; printf "%s|" "$@"; printf %s "$LANYARD" >&2; exit 42');
    const ran = await shell(at, `echo in | ${lanyard} hello a 'b c' --profile '$x' -- ''; echo "$?"`);
    expect(ran.stdout).toBe('in\na|b c|--profile|$x|--||42\n');
    expect(ran.stderr).toMatch(/cli\.js$/);
  });

  test('of the most words is selected', async () => {
    plugin('foo', 'echo "foo $*"');
    plugin('foo-bar', 'echo "foo-bar $*"');
    expect(
      (await shell(at, `${lanyard} foo bar baz; ${lanyard} foo baz bar; ${lanyard} foo --bar`)).stdout,
    ).toBe('foo-bar baz\nfoo baz bar\nfoo --bar\n');
    expect((await shell(at, `${lanyard} foo-bar x`)).stdout).toBe('foo-bar x\n');
  });

  test('comes after the commands of the program and aliases, and before suggestions', async () => {
    for (const name of ['kv', 'help', 'own', 'vault']) plugin(name, `echo "plugin ${name} $*"`);
    at.write('config/config.json', '{"aliases":{"own":"profile list -o json"}}');
    expect((await at.run(['kv', '--help'])).stdout).toContain('lanyard kv COMMAND');
    expect((await at.run(['help'])).stdout).toContain('Usage: lanyard COMMAND');
    expect((await at.run(['own'])).stdout).toBe('[]\n');
    expect((await shell(at, `${lanyard} vault kv get a`)).stdout).toBe('plugin vault kv get a\n');
    at.clear('bin/lanyard-vault');
    expect((await at.run(['vault', 'kv', 'get', 'a'])).stderr).toContain('Use `lanyard kv get`');
  });

  test.skipIf(process.platform === 'win32')('is found next to names that cannot be read', async () => {
    plugin('hello', 'echo found');
    symlinkSync('lanyard-loop', at.file('bin/lanyard-loop'));
    symlinkSync(at.file('nowhere'), at.file('bin/lanyard-broken'));
    expect((await at.run(['plugin', 'list', '--field', '0.name'])).stdout).toBe('hello\n');
    expect((await at.run(['plugin', 'list'])).stdout.split('\n')).toHaveLength(2);
    expect(await at.run(['alias', 'set', 'hi', 'hello $1'])).toMatchObject({ code: 0 });
    expect((await at.run(['__complete', 'bash', '=he', '--'])).stdout).toContain('hello');
    for (const name of ['loop', 'broken']) expect((await at.run([name])).stderr).toContain('unknown command');
  });

  test('can be the command of an alias', async () => {
    plugin('hello', 'printf "%s|" "$@"');
    expect((await at.run(['alias', 'set', 'hi', 'hello "good day" $1'])).code).toBe(0);
    expect((await shell(at, `${lanyard} hi x y`)).stdout).toBe('good day|x|y|');
  });

  test.each([
    ['empty', ''],
    ['relative', 'bin'],
    ['dot', '.'],
  ])('is never run from an entry of PATH that is %s', async (_name, entry) => {
    plugin('hello', 'echo found', entry === 'bin' ? 'bin' : '.');
    const PATH = [entry, '/nowhere', entry].join(delimiter);
    expect((await at.run(['hello'], { env: { PATH } })).stderr).toContain('unknown command');
    expect((await at.run(['plugin', 'list', '-o', 'json'], { env: { PATH } })).stdout).toBe('[]\n');
  });

  test.each(['../hello', 'a/b', '/bin/ls', '.', 'x y'])('has no name like %j', async (name) => {
    plugin('x', 'echo found');
    plugin('hello', 'echo found');
    expect((await at.run([name])).stderr).toContain('unknown command');
  });

  test('cannot have flags before it', async () => {
    plugin('hello', 'true');
    expect(await at.run(['--profile', 'x', 'hello'])).toMatchObject({
      code: 2,
      stderr: 'error: flags cannot precede the plugin "hello"\nhint: Write its name first, then the flags.\n',
    });
  });

  test('gets signals, and its end by one is the exit code', async () => {
    plugin('loop', `trap 'echo terminated; exit 3' TERM\necho ready\nwhile :; do sleep 0.05; done`);
    const running = start(at, ['loop']);
    await running.until(/ready/);
    running.child.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 3, stdout: 'ready\nterminated\n', stderr: '' });
    plugin('die', 'kill -KILL $$');
    expect((await start(at, ['die']).ended).code).toBe(128 + constants.signals.SIGKILL);
  });

  test('that the system cannot start is an error of the command line', async () => {
    at.write('bin/lanyard-bad', '#!/no/such/interpreter\n', 0o755);
    expect(await at.run(['bad'])).toMatchObject({
      code: 2,
      stderr: `error: cannot run ${at.file('bin/lanyard-bad')}: command not found\n`,
    });
  });
});

describe('plugin list', () => {
  test('lists the plugins in PATH, and what hides them', async () => {
    plugin('a', 'true');
    plugin('a', 'true', 'more');
    plugin('kv', 'true');
    plugin('own', 'true');
    chmodSync(plugin('off', 'true'), 0o644);
    at.write('bin/lanyard-a.d/x', '');
    at.write('bin/lanyard-', '', 0o755);
    symlinkSync('/nowhere', at.file('bin/lanyard-broken'));
    at.write('config/config.json', '{"aliases":{"own":"kv get"}}');
    expect(JSON.parse((await at.run(['plugin', 'list', '-o', 'json'])).stdout)).toEqual([
      { name: 'a', path: at.file('bin/lanyard-a') },
      { name: 'kv', path: at.file('bin/lanyard-kv'), problem: 'hidden by the command "kv"' },
      { name: 'off', path: at.file('bin/lanyard-off'), problem: 'not executable' },
      { name: 'own', path: at.file('bin/lanyard-own'), problem: 'hidden by the alias "own"' },
      { name: 'a', path: at.file('more/lanyard-a'), problem: `hidden by ${at.file('bin/lanyard-a')}` },
    ]);
  });
});

describe('on Windows', () => {
  const host = () => ({ env: { PATH: at.file('bin'), PATHEXT: '.EXE;.CMD' }, platform: 'win32' });

  test('a plugin has an extension of PATHEXT, in any case', () => {
    at.write('bin/lanyard-a.exe', '');
    at.write('bin/lanyard-b.CMD', '');
    at.write('bin/lanyard-c', '', 0o755);
    expect(listPlugins(host()).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(findPlugin(['a', 'x'], host())).toMatchObject({ plugin: { name: 'a' }, args: ['x'] });
    expect(findPlugin(['c'], host())).toBeUndefined();
  });
});
