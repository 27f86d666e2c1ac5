import { existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { errorOf, expectFailure, homeForAll, quietOutputOf } from '../../support/command-tests.ts';
import { json } from '../../unit/api/support.ts';
import { runAt, shelf } from '../scheduler-shelf.ts';

const at = homeForAll();
const run = runAt(at);
beforeEach(() => at.clear('out'));

const odd = {
  'new\nline': 'a\r\n\n',
  quotes: `'"=`,
  emoji: '🔑',
  ['__proto__']: 'own',
  empty: '',
  '': 'without a name',
  nul: '\u0000',
};

describe('var export', () => {
  test.each(['json', 'yaml'])('as %s and import into another namespace keeps the items', async (format) => {
    const server = await shelf();
    server.put('app/db', odd);
    server.put('app/db/more', { a: '1' });
    server.put('~top-_', { b: '2' });
    server.put('other', { c: '3' }, 'team');
    const stdout = quietOutputOf(await run(server, `var export out --format ${format}`));
    expect(stdout).toContain('Wrote 3 files for 3 variables.\n');
    expect(at.list('out')).toEqual([
      `out/app/db.${format}`,
      `out/app/db/more.${format}`,
      `out/~top-_.${format}`,
    ]);
    for (const file of at.list('out')) expect(statSync(at.file(file)).mode & 0o777).toBe(0o600);
    expect(statSync(at.file('out/app')).mode & 0o777).toBe(0o700);
    expect((await run(server, 'var import out --namespace copy')).code).toBe(0);
    expect(Object.entries(server.variables.get('copy app/db')?.Items ?? {})).toEqual(
      Object.entries(odd).sort(),
    );
    expect(server.variables.get('copy app/db/more')?.Items).toEqual({ a: '1' });
    expect((await run(server, 'var diff --with-namespace copy')).code).toBe(0);
  });

  test.each(['json', 'yaml'])('as %s has a stable order if the service shuffles items', async (format) => {
    const server = await shelf();
    server.put('app', { z: '1', b: '2', q: '3', a: '4' });
    expect((await run(server, `var export out --format ${format}`)).code).toBe(0);
    const content = at.read(`out/app.${format}`);
    server.put('app', { q: '3', a: '4', z: '1', b: '2' });
    const again = await run(server, `var export out --format ${format} -o json`);
    expect(JSON.parse(again.stdout)).toMatchObject([{ path: 'app', action: 'unchanged' }]);
    expect(at.read(`out/app.${format}`)).toBe(content);
    for (const output of ['env', 'yaml', 'text', 'json']) {
      const shown = (await run(server, `var get app --reveal -o ${output}`)).stdout;
      server.put('app', { b: '2', z: '1', a: '4', q: '3' });
      const other = (await run(server, `var get app --reveal -o ${output}`)).stdout;
      expect(other.replaceAll(/\d\d/g, 'N')).toBe(shown.replaceAll(/\d\d/g, 'N'));
    }
  });

  test('writes all variables to standard output with -, and no file', async () => {
    const server = await shelf();
    server.put('app/db', { user: 'app' });
    server.put('other', { n: '1' });
    const before = at.list();
    const all = { 'app/db': { user: 'app' }, other: { n: '1' } };
    for (const flags of ['', ' -o json']) {
      const { stdout } = await run(server, `var export -${flags}`);
      expect(JSON.parse(stdout)).toEqual(all);
    }
    const yaml = await run(server, 'var export - --prefix app/ --format yaml');
    expect(yaml).toMatchObject({ code: 0, stdout: 'app/db:\n  user: app\n', stderr: '' });
    expect(at.list()).toEqual(before);
  });

  test('skips a path that is not valid as a file name, with a warning', async () => {
    const server = await shelf();
    for (const path of ['/lead', 'a//b', 'trail/', 'plain']) server.put(path, { a: '1' });
    const ran = await run(server, 'var export out');
    expect(ran.code).toBe(0);
    expect(at.list('out')).toEqual(['out/plain.json']);
    for (const path of ['/lead', 'a//b', 'trail/'])
      expect(ran.stderr).toContain(`skipped variable "${path}"`);
  });

  test('keeps equal files, and overwrites differing ones only with --force', async () => {
    const server = await shelf();
    server.put('a', { k: '1' });
    server.put('b', { k: '1' });
    await run(server, 'var export out');
    expect((await run(server, 'var export out')).stdout).toContain('Wrote 0 files for 2 variables.');
    server.put('a', { k: 'secret-2' });
    const ran = await run(server, 'var export out');
    expectFailure(ran, 2, '1 file would be overwritten; nothing was written\n  out/a.json');
    expect(at.read('out/a.json')).toBe('{\n  "k": "1"\n}\n');
    expect((await run(server, 'var export out --force')).stdout).toContain(
      'out/a.json\treplaced\nout/b.json\tunchanged\n',
    );
    expect(at.read('out/a.json')).toContain('secret-2');
    expect((await run(server, 'var export out --prefix b --force')).stdout).toContain('for 1 variable.');
  });

  test('writes nothing outside the directory, neither through links nor through paths from the service', async () => {
    const server = await shelf();
    server.put('app/db', { k: '1' });
    mkdirSync(at.file('elsewhere'), { recursive: true });
    mkdirSync(at.file('out'));
    symlinkSync(at.file('elsewhere'), at.file('out/app'));
    expect((await run(server, 'var export out --force')).stderr).toContain('out/app: not a directory');
    at.clear('out');
    mkdirSync(at.file('out/app'), { recursive: true });
    symlinkSync(at.file('elsewhere/file'), at.file('out/app/db.json'));
    expect((await run(server, 'var export out --force')).stderr).toContain('symbolic link');
    expect(at.list('elsewhere')).toEqual([]);
    const hostile = await shelf({
      change: (_seen, response) => json(response, [{ Path: '../../escaped' }]),
    });
    expectFailure(await run(hostile, 'var export out'), 1, 'unexpected response');
    expect(existsSync(at.file('escaped.json'))).toBe(false);
  });
});

describe('var import', () => {
  test('creates, updates and keeps variables, and is idempotent', async () => {
    const server = await shelf();
    server.put('old', { same: '1', changed: 'secret-1', gone: 'x' });
    server.put('equal', { k: 'v' });
    at.write('out/new/one.yaml', 'a: 1\n');
    at.write('out/old.json', '{"same": "1", "changed": "secret-2", "added": ""}');
    at.write('out/equal.env', "k='v'\n");
    at.write('out/.git/config', 'x');
    at.write('out/README.md', 'x');
    const plan = await run(server, 'var import out --dry-run');
    const steps = ['Variable equal is unchanged.', 'changed\tchanged\ngone\tremoved\nadded\tadded\n'];
    for (const step of [...steps, 'Variable new/one would be created.', 'Variable old would be updated.'])
      expect(plan.stdout).toContain(step);
    expect(plan.stderr).toBe(
      'warning: skipped README.md: expected the extension .json, .yaml, .yml or .env\n',
    );
    expect(plan.stdout).not.toContain('secret-');
    expect(server.writes()).toEqual([]);
    const ran = await run(server, 'var import out');
    for (const step of [...steps, 'Created variable new/one.', 'Updated variable old.'])
      expect(ran.stdout).toContain(step);
    expect(server.writes()).toEqual(['PUT /v1/var/new/one?cas=0', 'PUT /v1/var/old?cas=11']);
    expect(
      JSON.parse((await run(server, 'var import out -o json')).stdout).map(
        (step: { action: string }) => step.action,
      ),
    ).toEqual([...['unchanged', 'unchanged', 'unchanged']]);
    expect(server.writes()).toHaveLength(2);
    for (const flags of ['--curl', '--dry-run --curl']) {
      const { stdout } = await run(server, `var import out --namespace n ${flags}`);
      for (const path of ['equal', 'new/one', 'old'])
        expect(stdout).toMatch(new RegExp(`^curl --request PUT .*/v1/var/${path}[?]`, 'm'));
      expect(stdout).not.toContain('secret-');
    }
    expect((await run(server, 'var import out --curl')).stdout).toMatch(/^# nothing to send: .*(\n# .*)*\n$/);
    expect(server.writes()).toHaveLength(2);
  });

  test.each([
    ['a bad name', 'out/a.b.json', '{"a": "1"}', 'invalid variable path'],
    ['two files of one variable', 'out/good.yaml', 'a: 1\n', 'two files for variable "good"'],
    ['a file that is not JSON', 'out/bad.json', '{"a": "hunter22"', 'is not valid JSON (line 1 column 17)'],
  ])('with %s sends nothing', async (_what, file, content, message) => {
    at.write('out/good.json', '{"a": "1"}');
    at.write(file, content);
    const server = await shelf();
    const ran = await run(server, 'var import out');
    expectFailure(ran, 2, message);
    expect(ran.stderr).not.toContain('hunter22');
    expect(server.seen).toEqual([]);
  });

  test('follows no links, and requires a directory', async () => {
    at.write('elsewhere/secret.json', '{"a": "1"}');
    mkdirSync(at.file('out'));
    symlinkSync(at.file('elsewhere'), at.file('out/linked'));
    const server = await shelf();
    expect((await run(server, 'var import out')).stderr).toContain('neither a file nor a directory');
    expect(await run(server, 'var import nowhere')).toMatchObject({ code: 2, stdout: '' });
    expect(await run(server, 'var import elsewhere/secret.json')).toMatchObject({ code: 2, stdout: '' });
  });

  test('reports a partial import, and completes it when run again', async () => {
    at.write('out/a.json', '{"k": "1"}');
    at.write('out/b.json', '{"k": "1"}');
    let isBroken = true;
    const server = await shelf({
      change: ({ method, url }, response) => {
        if (!isBroken || method !== 'PUT' || !url.includes('/b')) return;
        response.writeHead(403).end('Permission denied');
      },
    });
    const ran = await run(server, 'var import out', { env: { LANYARD_SCHEDULER_TOKEN: 't' } });
    expectFailure(ran, 9, 'a: created');
    isBroken = false;
    expect((await run(server, 'var import out')).code).toBe(0);
    expect(server.variables.size).toBe(2);
  });
});

test('var import hints to run it again after a concurrent change', async () => {
  at.write('met/a.json', '{"k": "1"}');
  const server = await shelf({
    change: ({ method }) => {
      if (method === 'PUT') server.put('a', { k: 'theirs' });
    },
  });
  expect(errorOf(await run(server, 'var import met -o json'), 6)).toMatchObject({
    messages: ['k: differs'],
    hint: 'Run the same command again to compare and write the differences.',
  });
});

describe('var diff', () => {
  test('lists the differences between a variable and a file, and exits with 10', async () => {
    const server = await shelf();
    server.put('app', { same: 's', changed: 'secret-1', gone: 'secret-x' });
    at.write('out/app.json', '{"same": "s", "changed": "secret-2", "added": "secret-y"}');
    expect(await run(server, 'var diff app --with out/app.json')).toEqual({
      code: 10,
      stdout: 'app\tchanged\tchanged\napp\tgone\tremoved\napp\tadded\tadded\n',
      stderr: '',
    });
    const shown = await run(server, 'var diff app --with out/app.json --reveal -o json');
    expect(shown.code).toBe(10);
    expect(JSON.parse(shown.stdout)[0]).toEqual({
      path: 'app',
      key: 'changed',
      change: 'changed',
      before: 'secret-1',
      after: 'secret-2',
    });
    const equal = await run(server, 'var diff app --with -', {
      stdin: JSON.stringify(server.variables.get('default app')),
    });
    expect(equal).toEqual({ code: 0, stdout: 'No differences in 1 variable.\n', stderr: '' });
  });

  test('compares a directory and two namespaces, including variables of one side only', async () => {
    const server = await shelf();
    server.put('a', { k: '1' });
    server.put('only-here', { k: '1' });
    server.put('a', { k: '1' }, 'team');
    server.put('only-there', { k: '1' }, 'team');
    at.write('out/a.yaml', 'k: 2\n');
    at.write('out/only-there.yaml', 'k: 1\n');
    for (const line of ['var diff out', 'var diff --with out'])
      expect(await run(server, line)).toEqual({
        code: 10,
        stdout: 'a\tk\tchanged\nonly-here\tk\tremoved\nonly-there\tk\tadded\n',
        stderr: '',
      });
    expect((await run(server, 'var diff --with out --prefix only')).stdout).toBe(
      'only-here\tk\tremoved\nonly-there\tk\tadded\n',
    );
    expect((await run(server, 'var diff --with-namespace team')).stdout).toBe(
      'only-here\tk\tremoved\nonly-there\tk\tadded\n',
    );
    expect((await run(server, 'var diff a --with-namespace team')).code).toBe(0);
    expect(await run(server, 'var diff none --with-namespace team')).toMatchObject({ code: 3, stdout: '' });
  });

  test.each([
    ['var diff', 'expected either DIR, --with or --with-namespace'],
    ['var diff --with a --with-namespace b', 'expected either DIR, --with or --with-namespace'],
    ['var diff a --with b --prefix c', '--prefix cannot be combined with PATH'],
    ['var diff --with nowhere', 'no such directory'],
    ['var diff nowhere', 'no such directory\nhint: To compare one variable, use PATH with --with FILE.\n'],
    ['var diff a --with nowhere', 'no such file'],
    ['var diff a --with-namespace *', 'one namespace'],
  ])('%s is rejected', async (line, message) => {
    expectFailure(await run(await shelf(), line), 2, message);
  });
});
