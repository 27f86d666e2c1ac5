import { chmodSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tree } from '../../../src/commands/tree.ts';
import { errorOf, expectFailure, expectOutput, homeForEach } from '../../support/command-tests.ts';
import { lanyard, lanyardProcess, shell } from '../../support/process.ts';
import { sized } from '../../support/soak.ts';

const at = homeForEach();
const run = (...argv: string[]) => at.run(argv);

const set = async (name: string, expansion: string, ...flags: string[]): Promise<void> => {
  expect(await run('alias', 'set', name, expansion, ...flags)).toMatchObject({ code: 0, stderr: '' });
};

describe('alias set', () => {
  test('stores an alias in the configuration, next to the profiles', async () => {
    await run('profile', 'put', 'one', 'secrets.address=http://127.0.0.1:1');
    expectOutput(await run('alias', 'set', 'ps', 'profile list'), 'Created alias ps.\n');
    expect(JSON.parse(at.read('config/config.json'))).toEqual({
      active: 'one',
      profiles: { one: { secrets: { address: 'http://127.0.0.1:1' } } },
      aliases: { ps: 'profile list' },
    });
    expect(statSync(at.file('config/config.json')).mode & 0o777).toBe(0o600);
    expect((await run('ps')).stdout).toBe('one\tactive\tsecrets\n');
  });

  test('reads the expansion from standard input', async () => {
    expect(await at.run(['alias', 'set', 'ps', '-'], { stdin: `profile get 'a b'\n` })).toMatchObject({
      code: 0,
    });
    expect((await run('alias', 'get', 'ps')).stdout).toBe(`profile get 'a b'\n`);
  });

  test('replaces an alias only with --force', async () => {
    await set('ps', 'profile list');
    expect(await run('alias', 'set', 'ps', 'profile get')).toEqual({
      code: 6,
      stdout: '',
      stderr: 'error: alias "ps" already exists\nhint: Use --force to replace it.\n',
    });
    await set('ps', 'profile get', '--force');
    expect((await run('alias', 'get', 'ps', '-o', 'json')).stdout).toBe(
      '{\n  "name": "ps",\n  "expansion": "profile get",\n  "shell": false\n}\n',
    );
  });

  test('never creates an alias with the name of a command', async () => {
    const names = new Set(tree.map(({ path }) => path.split(' ')[0] ?? ''));
    for (const name of [...names, 'help', 'version'])
      expect(await run('alias', 'set', name, 'profile list'), name).toMatchObject({
        code: 2,
        stderr: `error: cannot create alias "${name}": a command has the same name\n`,
      });
    expect(at.list()).toEqual([]);
  });

  test.each(['-x', '', 'a b', 'a/b', '../a', '__complete', 'ä', 'x'.repeat(65)])(
    'rejects the name %j',
    async (name) => {
      expectFailure(await run('alias', 'set', '--', name, 'profile list'), 2, 'invalid alias name');
    },
  );

  test.each([
    ['nothing here', '"nothing" is not a command, alias or plugin'],
    ['a', '"a" is not a command, alias or plugin'],
    ['kv get | grep x', 'it contains an unquoted "|"'],
    ['!kv get', 'it begins with "!"'],
    ['$1 get', 'it must begin with a command'],
    ['--profile x kv get', 'it must begin with a command'],
    ['', 'it is empty'],
  ])('rejects the expansion %j', async (expansion, problem) => {
    expectFailure(await run('alias', 'set', 'a', '--', expansion), 2, `invalid alias "a": ${problem}`);
  });

  test('loses no alias of concurrent processes', { timeout: 120_000 }, async () => {
    const names = Array.from({ length: sized(50, 8) }, (_none, index) => `a${index}`);
    const ran = await Promise.all(
      names.map((name) => lanyardProcess(at, ['alias', 'set', name, `kv get ${name}`])),
    );
    expect(ran.map(({ code }) => code)).toEqual(names.map(() => 0));
    expect(JSON.parse(at.read('config/config.json')).aliases).toEqual(
      Object.fromEntries(names.map((name) => [name, `kv get ${name}`])),
    );
  });
});

describe('an alias', () => {
  test('gets its arguments, flags before and after it', async () => {
    await run('profile', 'put', 'one', 'secrets.address=http://127.0.0.1:1');
    await set('p', 'profile get $1 --field "secrets.$2"');
    expect((await run('p', 'one', 'address')).stdout).toBe('http://127.0.0.1:1\n');
    await set('verb', 'profile $2 $1');
    const shown = (await run('profile', 'get', 'one', '-o', 'json')).stdout;
    expect((await run('-o', 'json', 'verb', 'one', 'get')).stdout).toBe(shown);
    expect((await run('--output=text', 'verb', 'one', 'get', '-o', 'json')).stdout).toBe(shown);
    expect(await run('p', 'one')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: missing argument 2 of the alias "p"\n  p: profile get $1 --field "secrets.$2"\n',
    });
  });

  test('never takes a flag as an argument: its help is shown, and others are rejected', async () => {
    await set('nuke', 'kv delete --yes secret/$1');
    const help = (await run('kv', 'delete', '--help')).stdout;
    for (const argv of [
      ['nuke', '--help'],
      ['nuke', '-h'],
      ['nuke', 'app', '--help'],
    ])
      expect(await run(...argv), argv.join(' ')).toEqual({ code: 0, stdout: help, stderr: '' });
    const rootHelp = (await run('--help', 'kv', 'delete')).stdout;
    expect(await run('--help', 'nuke')).toEqual({ code: 0, stdout: rootHelp, stderr: '' });
    for (const flag of ['--dry-run', '-q', '--field=a'])
      expect(await run('nuke', flag, 'app')).toEqual({
        code: 2,
        stdout: '',
        stderr: `error: cannot use the flag ${flag} as argument 1 of the alias "nuke"\n  nuke: kv delete --yes secret/$1\nhint: Write flags before the alias or after its arguments.\n`,
      });
    await set('one', 'profile get $1');
    for (const name of ['-', '-1', '--'])
      expect((await run('one', name, 'x')).stderr).not.toContain('cannot use the flag');
  });

  test('may expand to another alias, and not to itself', async () => {
    await set('a', 'profile list');
    await set('b', 'a -o json');
    expect((await run('b')).stdout).toBe('[]\n');
    await set('a', 'b', '--force');
    expect(errorOf(await run('a', '-o', 'json'), 2)).toMatchObject({ message: 'alias loop: a -> b -> a' });
  });

  test('shows the help of its command, and can be a help topic, a version or a completion script', async () => {
    await set('a', 'kv get');
    expect((await run('a', '--help')).stdout).toBe((await run('kv', 'get', '--help')).stdout);
    for (const line of ['version', 'help exit-codes', 'completion bash', 'help']) {
      await set('b', line, '--force');
      expect((await run('b')).stdout, line).toBe((await run(...line.split(' '))).stdout);
    }
  });

  test('is rejected where the configuration is writable by others or damaged', async () => {
    await set('a', 'profile list');
    chmodSync(at.file('config/config.json'), 0o666);
    expect(await run('a')).toMatchObject({ code: 1, stdout: '' });
    expect((await run('a')).stderr).toContain('is writable by other users');
    expect((await run('kv', 'get', '--help')).code).toBe(0);
    chmodSync(at.file('config/config.json'), 0o600);
    at.write('config/config.json', '{"aliases":{"a":1}}');
    expect((await run('a')).stderr).toContain('aliases.a must be a string');
    at.write('config/config.json', '{"aliases":[]}');
    expect((await run('a')).stderr).toContain('aliases must be an object');
  });

  test('of a name that is a command by now is reported, and the command runs', async () => {
    at.write('config/config.json', '{"aliases":{"profile":"kv get"}}');
    expect(await run('profile', 'list')).toMatchObject({ code: 0, stdout: '' });
    expect((await run('alias', 'list')).stderr).toBe(
      'warning: alias "profile" is not used: a command has the same name\n',
    );
  });

  test('of a name on every object is not found', async () => {
    at.write('config/config.json', '{"aliases":{}}');
    for (const name of ['constructor', '__proto__', 'toString'])
      expect((await run(name)).stderr).toContain('unknown command');
  });
});

describe('a shell alias', () => {
  test('runs with its arguments and the path of the program, with its exit code and streams', async () => {
    await set('s', 'cat; printf "%s|" "$0" "$@"; test -x "$LANYARD" && echo yes >&2; exit 7', '--shell');
    expect(JSON.parse(at.read('config/config.json')).aliases.s).toMatch(/^!cat;/);
    expect(await shell(at, `echo in | ${lanyard} s a 'b c' --x; echo "$?"`)).toMatchObject({
      stdout: 'in\ns|a|b c|--x|7\n',
    });
    expect(await run('-q', 's')).toMatchObject({
      code: 2,
      stderr:
        'error: flags cannot precede the shell alias "s"\nhint: Write its name first, then the flags.\n',
    });
  });
});

describe('alias list, get and delete', () => {
  test('work on existing aliases', async () => {
    expect((await run('alias', 'list')).stderr + (await run('alias', 'list', '-o', 'json')).stdout).toBe(
      '[]\n',
    );
    await set('b', 'kv get');
    await set('a', 'echo "$1"', '--shell');
    expect((await run('alias', 'list')).stdout).toBe('a\tshell\techo "$1"\nb\tcommand\tkv get\n');
    expect((await run('alias', 'get', 'a')).stdout).toBe('echo "$1"\n');
    expect((await run('alias', 'delete', 'a')).stdout).toBe('Deleted alias a.\n');
    expect((await run('alias', 'ls', '--field', '0.name')).stdout).toBe('b\n');
    for (const verb of ['get', 'delete'])
      expect(await run('alias', verb, 'a')).toMatchObject({
        code: 3,
        stderr: 'error: alias "a" not found\nhint: Run `lanyard alias list` for the existing aliases.\n',
      });
  });
});
