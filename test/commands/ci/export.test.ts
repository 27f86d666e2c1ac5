import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { embeddedForAll, expectExit, expectFailure, outputOf } from '../../support/command-tests.ts';
import { JobLog, parseAssignments } from '../../support/github-runner.ts';
import type { Ran, RunOptions } from '../../support/run.ts';

const { at, running } = embeddedForAll();

const run = (argv: readonly string[], options?: RunOptions): Promise<Ran> => at.run(argv, options);
const done = async (argv: readonly string[], options?: RunOptions): Promise<string> => {
  return outputOf(await run(argv, options));
};
const put = (path: string, pairs: object): Promise<string> =>
  done(['kv', 'put', path, '--in', '-'], { stdin: JSON.stringify(pairs) });

/** The environment of a step; its files are empty. */
function step(): Record<string, string> {
  return {
    GITHUB_ACTIONS: 'true',
    GITHUB_OUTPUT: at.write('output', ''),
    GITHUB_ENV: at.write('env', ''),
  };
}
const exported = (argv: readonly string[], options: RunOptions = {}): Promise<Ran> =>
  run(['ci', 'export', ...argv], { ...options, env: { ...step(), ...options.env } });
const outputs = (): object => Object.fromEntries(parseAssignments(at.read('output')));
const variables = (): object => Object.fromEntries(parseAssignments(at.read('env')));
function logOf({ stdout, stderr }: Ran): JobLog {
  const log = new JobLog();
  // Standard output is read last: what is masked there must have been masked on standard error.
  for (const line of [...stderr.split('\n'), ...stdout.split('\n')]) if (line !== '') log.add(line);
  return log;
}

const pem = ['-----BEGIN KEY-----', 'AbCd+/==100%', '  indented', '', 'tail-of-key', '-----END KEY-----', ''];

beforeAll(async () => {
  await put('secret/app/db', { user: 'app-user', password: 'hunter22' });
  await put('secret/app/odd', {
    pem: pem.join('\n'),
    crlf: 'first\r\nsecond\rthird\n\r',
    percent: '100%25 %0A %',
    padded: '  spaces around  ',
    unicode: 'pässwörd-密碼-🔑',
    empty: '',
    newline: '\n',
    json: { nested: 'deep-secret', list: [1, 'two-secret'] },
    number: 5432,
    nothing: null,
    'dotted.name-x': 'dotted-value',
    hostile: 'a\nLANYARD_\nEVIL=1\nEVIL<<EOF\nx\nEOF\n::set-output name=x::y\n::stop-commands::z',
  });
  await done(['var', 'put', 'app/mail', 'host=mail-host', 'key=mail-key']);
});
beforeEach(() => {
  at.clear('output');
  at.clear('env');
  at.clear('job.env');
});

describe('GitHub Actions', () => {
  test('sets outputs, and no variables by default', async () => {
    const ran = await exported(['--kv', 'secret/app/db', '--var', 'app/mail key | MAIL_KEY']);
    expect(ran).toMatchObject({ code: 0, stdout: 'Set outputs: user, password, MAIL_KEY.\n' });
    expect(outputs()).toEqual({ user: 'app-user', password: 'hunter22', MAIL_KEY: 'mail-key' });
    expect(at.read('env')).toBe('');
  });

  test('reads the paths and names of vault-action', async () => {
    const list = `
      secret/data/app/db user | DB_USER ;
      secret/data/app/db password ;
      secret/data/app/odd "dotted.name-x" ;
      secret/data/app/odd json.nested | NESTED ;`;
    expectExit(await exported(['--read', list, '--env']), 0);
    expect(outputs()).toEqual({
      DB_USER: 'app-user',
      password: 'hunter22',
      dotted__namex: 'dotted-value',
      NESTED: 'deep-secret',
    });
    expect(variables()).toEqual({
      DB_USER: 'app-user',
      PASSWORD: 'hunter22',
      DOTTED__NAMEX: 'dotted-value',
      NESTED: 'deep-secret',
    });
  });

  test.each([
    ['*', { user: 'app-user', password: 'hunter22' }, ['USER', 'PASSWORD']],
    ['**', { user: 'app-user', password: 'hunter22' }, ['user', 'password']],
    ['* | db_', { db_user: 'app-user', db_password: 'hunter22' }, ['DB_USER', 'DB_PASSWORD']],
    ['** | db_', { db_user: 'app-user', db_password: 'hunter22' }, ['db_user', 'db_password']],
  ])('selects all keys with %s', async (key, wanted, names) => {
    expect((await exported(['--kv', `secret/app/db ${key}`, '--env'])).code).toBe(0);
    expect(outputs()).toEqual(wanted);
    expect(Object.keys(variables())).toEqual(names);
  });

  test('passes every value unchanged, whatever it contains', async () => {
    expectExit(await exported(['--kv', 'secret/app/odd **', '--env']), 0);
    const stored = JSON.parse(
      await done(['kv', 'get', 'secret/app/odd', '--select', 'data.data', '-o', 'json']),
    );
    const text = (value: unknown): string =>
      typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
    const wanted = Object.fromEntries(
      Object.entries(stored).map(([name, value]) => [name.replace('.', '__').replace('-', ''), text(value)]),
    );
    expect(outputs()).toEqual(wanted);
    expect(variables()).toEqual(wanted);
  });

  test('masks every line of every value before anything is written', async () => {
    const ran = await exported(['--kv', 'secret/app/odd', '--env', '-o', 'json']);
    const log = logOf(ran);
    for (const line of pem.filter(Boolean)) expect(log.masks(line), line).toBe(true);
    for (const text of [
      'first',
      'second',
      'third',
      '100%25 %0A %',
      'spaces around',
      '  spaces around  ',
      'pässwörd-密碼-🔑',
      'deep-secret',
      'two-secret',
      '5432',
      'dotted-value',
      'EVIL=1',
      '::stop-commands::z',
    ])
      expect(log.masks(text), text).toBe(true);
    expect(log.text).not.toContain('warning');
    // The runner masks the encoded forms of a text that it got as one.
    expect(log.masks(Buffer.from(pem.join('\n')).toString('base64'))).toBe(true);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      ci: 'github',
      outputs: expect.arrayContaining(['pem', 'json']),
    });
    // Standard error has nothing but masks.
    expect(ran.stderr.replaceAll(/^::add-mask::.*\n/gm, '')).toBe('');
  });

  test('masks before it writes: if standard error cannot be written, nothing is', async () => {
    const { lanyard, shell } = await import('../../support/process.ts');
    const line = `${lanyard} ci export --kv secret/app/db 2>/dev/full`;
    expect((await shell(at, line, step())).code).toBe(1);
    expect(at.read('output')).toBe('');
  });

  test('uses a new delimiter for each value, and another one if a value has it', async () => {
    let calls = 0;
    const random = (length: number): Uint8Array => new Uint8Array(length).fill(calls++ === 0 ? 0xaa : calls);
    await put('secret/app/guess', { value: `x\nLANYARD_${'aa'.repeat(16)}\nEVIL=1` });
    expect((await exported(['--kv', 'secret/app/guess value'], { random })).code).toBe(0);
    expect(outputs()).toEqual({ value: `x\nLANYARD_${'aa'.repeat(16)}\nEVIL=1` });
  });

  test('continues after a line that is not terminated', async () => {
    const env = step();
    at.write('output', 'earlier=1');
    expect((await run(['ci', 'export', '--kv', 'secret/app/db user'], { env })).code).toBe(0);
    expect(outputs()).toEqual({ earlier: '1', user: 'app-user' });
  });

  test.each([
    ['a missing secret', ['--kv', 'secret/app/db', '--kv', 'secret/missing'], 3],
    ['a missing key', ['--kv', 'secret/app/db', '--kv', 'secret/app/db missing'], 3],
    ['a missing path', ['--kv', 'secret/app/db', '--read', 'secret/data/missing key'], 3],
    ['a missing variable', ['--kv', 'secret/app/db', '--var', 'missing'], 3],
    ['a name that is used twice', ['--kv', 'secret/app/db', '--kv', 'secret/app/db user'], 2],
    ['a name that changes how programs run', ['--env', '--kv', 'secret/app/db user | LD_PRELOAD'], 2],
    ['a name of the runner', ['--env', '--kv', 'secret/app/db user | ACTIONS_ID_TOKEN_REQUEST_URL'], 2],
    ['a name of the state of an action', ['--env', '--kv', 'secret/app/db user | STATE_directory'], 2],
    ['a setting of Lanyard', ['--env', '--kv', 'secret/app/db user | LANYARD_SECRETS_ADDR'], 2],
    ['a name with a hyphen', ['--env', '--kv', 'secret/app/db user | my-name'], 2],
  ])('writes nothing after %s', async (_, argv, code) => {
    const ran = await exported(argv);
    expect(ran).toMatchObject({ code, stdout: '' });
    expect(at.read('output') + at.read('env')).toBe('');
    expect(logOf(ran).text).not.toMatch(/hunter22|app-user/);
  });

  test('an output may have a name that no variable may have', async () => {
    expect((await exported(['--kv', 'secret/app/db user | path'])).code).toBe(0);
    expect(outputs()).toEqual({ path: 'app-user' });
  });

  test('a name that affects other programs must be allowed', async () => {
    for (const name of [
      'VAULT_ADDR',
      'https_proxy',
      'DOCKER_HOST',
      'npm_config_script_shell',
      'PSModulePath',
    ]) {
      const argv = ['--env', '--kv', `secret/app/db user | ${name}`];
      const rejected = await exported(argv);
      expect(rejected.code, name).toBe(2);
      expect(rejected.stderr).toContain(`--allow-name ${name}`);
      expect((await exported([...argv, '--allow-name', 'OTHER'])).code).toBe(2);
      expect((await exported([...argv, '--allow-name', name])).code).toBe(0);
      expect(variables()).toEqual({ [name]: 'app-user' });
    }
    const own = ['--env', '--kv', 'secret/app/db user | GITHUB_PATH', '--allow-name', 'GITHUB_PATH'];
    expect((await exported(own)).code).toBe(2);
  });

  test('a variable may have the name of a token of Lanyard', async () => {
    expect((await exported(['--env', '--kv', 'secret/app/db user | LANYARD_SCHEDULER_TOKEN'])).code).toBe(0);
    expect(variables()).toEqual({ LANYARD_SCHEDULER_TOKEN: 'app-user' });
  });

  test('on Windows the case of variables does not matter', async () => {
    const argv = ['--env', '--kv', 'secret/app/db user | Path'];
    expect((await exported(argv)).code).toBe(0);
    for (const [specs, message] of [
      [argv, 'would set PATH'],
      [['--env', '--kv', 'secret/app/db user | One', '--var', 'app/mail host | ONE'], 'has the same name'],
    ] as const) {
      expectFailure(await exported(specs, { env: { RUNNER_OS: 'Windows' } }), 2, message);
    }
  });

  test('a key of several lines cannot start a line of a message', async () => {
    await put('secret/app/lines', { 'a\n::stop-commands::x': '1-value', 'a::stop-commands::x': '2-value' });
    for (const spec of ['secret/app/lines', 'secret/app/lines missing']) {
      const ran = await exported(['--kv', spec]);
      expect(ran.code).not.toBe(0);
      expect(ran.stderr).toContain('a\\n::stop-commands::x');
      expect(ran.stderr).not.toMatch(/^\s*::stop/m);
    }
  });

  test('a key named data is a key, except in responses of key-value engines', async () => {
    const argv = ['secrets', 'write', 'cubbyhole/app', '--in', '-'];
    await done(argv, { stdin: JSON.stringify({ data: { inner: 'in-value' }, other: 'other-value' }) });
    expect((await exported(['--read', 'cubbyhole/app'])).code).toBe(0);
    expect(outputs()).toEqual({ data: '{"inner":"in-value"}', other: 'other-value' });
  });

  test('leaves out what does not exist with --ignore-not-found', async () => {
    const ran = await exported([
      ...['--kv', 'secret/missing', '--kv', 'secret/app/db missing'],
      ...['--kv', 'secret/app/db user', '--ignore-not-found'],
    ]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('warning: secret "secret/missing" not found');
    expect(ran.stderr).toContain('warning: secret/app/db has no key "missing"');
    expect(outputs()).toEqual({ user: 'app-user' });
  });

  test('keeps both files as they were if one cannot be written', async () => {
    const env = { ...step(), GITHUB_ENV: '/dev/full' };
    expectFailure(await run(['ci', 'export', '--kv', 'secret/app/db', '--env'], { env }), 2);
    expect(at.read('output')).toBe('');
  });

  test('reports missing files of the runner before it reads', async () => {
    for (const [env, message] of [
      [{ GITHUB_OUTPUT: '' }, 'cannot export: GITHUB_OUTPUT is not set'],
      [{ GITHUB_OUTPUT: at.file('gone') }, 'cannot export: GITHUB_OUTPUT is not an existing file'],
      [{ GITHUB_OUTPUT: at.path }, 'cannot export: GITHUB_OUTPUT is not an existing file'],
      [{ GITHUB_ENV: '' }, 'cannot export: GITHUB_ENV is not set'],
    ] as const) {
      expectFailure(await exported(['--kv', 'secret/missing', '--env'], { env }), 2, message);
    }
  });

  test.each(['--dry-run', '--curl'])('%s shows the requests, and writes nothing', async (flag) => {
    const stdout = outputOf(await exported(['--kv', 'secret/app/db', '--var', 'app/mail', flag]));
    expect(stdout).toContain('/v1/secret/data/app/db');
    expect(stdout).toContain('/v1/var/app/mail');
    expect(stdout).not.toContain(running.rootToken);
    expect(at.read('output')).toBe('');
  });

  test('a path without data is an error', async () => {
    expectFailure(await exported(['--read', 'sys/health initialized']), 1, 'sys/health has no data');
  });
});

describe('GitLab', () => {
  const gitlab = { GITLAB_CI: 'true', CI_PROJECT_DIR: '/builds/group/project' };

  test('writes a private file that the script reads', async () => {
    const ran = await run(['ci', 'export', '--kv', 'secret/app/odd ** | K_', '--file', 'job.env'], {
      env: gitlab,
    });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout + ran.stderr).not.toMatch(/deep-secret|5432|AbCd/);
    expect(ran.stderr).toContain('GitLab cannot mask');
    const { shell } = await import('../../support/process.ts');
    const script = `. ./job.env && printf '%s|' "$K_pem" "$K_crlf" "$K_hostile" "$K_empty" "$K_dotted__namex" && stat -c %a job.env`;
    expect((await shell(at, script)).stdout).toBe(
      [
        pem.join('\n'),
        'first\r\nsecond\rthird\n\r',
        'a\nLANYARD_\nEVIL=1\nEVIL<<EOF\nx\nEOF\n::set-output name=x::y\n::stop-commands::z',
        '',
        'dotted-value',
        '600\n',
      ].join('|'),
    );
  });

  test('rejects a file in the project, from which GitLab makes artifacts and reports', async () => {
    for (const file of ['inside/job.env', 'job.env']) {
      const env = { ...gitlab, CI_PROJECT_DIR: at.path };
      const ran = await run(['ci', 'export', '--kv', 'secret/app/db', '--file', file], { env });
      expectFailure(ran, 2, `cannot write secrets to ${file}: it is in the project directory`);
    }
  });

  test('rejects a file in the project through a link', async () => {
    const { mkdirSync, symlinkSync } = await import('node:fs');
    mkdirSync(at.file('project'), { recursive: true });
    symlinkSync(at.file('project'), at.file('link'));
    for (const [project, file] of [
      [at.file('project'), 'link/job.env'],
      [at.file('link'), 'project/job.env'],
    ] as const) {
      const env = { ...gitlab, CI_PROJECT_DIR: project };
      const ran = await run(['ci', 'export', '--kv', 'secret/app/db', '--file', file], { env });
      expectFailure(ran, 2, 'it is in the project directory');
    }
  });

  test.each([
    [['--env'], '--env is for GitHub Actions'],
    [[], 'missing flag --file'],
    [['--file', 'x/y/z'], 'no such directory'],
  ])('rejects %s', async (flags, message) => {
    const ran = await run(['ci', 'export', '--kv', 'secret/app/db', ...flags], { env: gitlab });
    expectFailure(ran, 2, message);
  });

  test('replaces a file with --force only', async () => {
    const argv = ['ci', 'export', '--kv', 'secret/app/db user', '--file', 'job.env'];
    at.write('job.env', 'before');
    expectFailure(await run(argv, { env: gitlab }), 2, 'Use --force to replace it.');
    expect(at.read('job.env')).toBe('before');
    expect((await run([...argv, '--force'], { env: gitlab })).code).toBe(0);
    expect(at.read('job.env')).toBe("export USER='app-user'\n");
  });

  test.each(['true', 'TRUE', '1', 't'])('rejects a job whose script is traced (%s)', async (traced) => {
    const env = { ...gitlab, CI_DEBUG_TRACE: traced };
    const ran = await run(['ci', 'export', '--kv', 'secret/app/db', '--file', 'job.env'], { env });
    expectFailure(ran, 2, 'CI_DEBUG_TRACE');
  });

  test('rejects variables of GitLab', async () => {
    const argv = ['ci', 'export', '--kv', 'secret/app/db user | CI_JOB_TOKEN', '--file', 'job.env'];
    expectFailure(await run(argv, { env: gitlab }), 2, 'would set CI_JOB_TOKEN');
  });
});

test('needs to know the CI service', async () => {
  expectFailure(await run(['ci', 'export', '--kv', 'secret/app/db']), 2, 'cannot detect the CI service');
  const env = { ...step(), GITHUB_ACTIONS: '' };
  const chosen = await run(['ci', 'export', '--ci', 'github', '--kv', 'secret/app/db user'], { env });
  expectExit(chosen, 0, '::add-mask::app-user\n');
});

test.each([
  ['secret/app/db a b', 'too many words'],
  ['| NAME', 'missing path'],
  ['secret/app/db user |', 'missing name'],
  ['secret/app/db | NAME', 'a name requires a key'],
  ['secret/app/db user | 1NAME', 'no digit at its start'],
  ['secret/app/db ""', 'empty key'],
])('rejects the selection %s', async (selection, message) => {
  expectFailure(await exported(['--kv', selection]), 2, message);
});
