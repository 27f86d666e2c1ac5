import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { embeddedForAll } from '../../support/command-tests.ts';

const { at } = embeddedForAll();
const isRoot = userInfo().uid === 0;

const put = async (...pairs: readonly string[]): Promise<void> => {
  expect(await at.run(['kv', 'put', 'secret/app', ...pairs])).toMatchObject({ code: 0 });
};
const secret = 'password={{ ("secret/app" | kv).password }}\n';
const render = (...argv: readonly string[]) => at.run(['render', ...argv]);
const mode = (name: string): number => statSync(at.file(name)).mode & 0o7777;

describe('files', () => {
  test('are created with mode 0600, and not written again while they are the same', async () => {
    await put('password=one');
    at.write('a.liquid', secret);
    expect(await render('a.liquid:a.conf')).toEqual({ code: 0, stdout: 'a.conf\tcreated\n', stderr: '' });
    expect([at.read('a.conf'), mode('a.conf')]).toEqual(['password=one\n', 0o600]);
    utimesSync(at.file('a.conf'), 1, 1);
    expect(await render('a.liquid:a.conf', '-o', 'json')).toMatchObject({
      code: 0,
      stdout: `${JSON.stringify([{ template: 'a.liquid', file: 'a.conf', change: 'unchanged' }], null, 2)}\n`,
    });
    expect(statSync(at.file('a.conf')).mtimeMs).toBe(1000);
    await put('password=two');
    expect(await render('a.liquid:a.conf', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(at.read('a.conf')).toBe('password=two\n');
  });

  test('keep the mode of an existing file, unless --mode changes it', async () => {
    at.write('m.liquid', 'x');
    at.write('m.conf', 'y', 0o600);
    chmodSync(at.file('m.conf'), 0o640);
    await render('m.liquid:m.conf');
    expect([at.read('m.conf'), mode('m.conf')]).toEqual(['x', 0o640]);
    expect(await render('m.liquid:m.conf', '--mode', '0644')).toMatchObject({ stdout: 'm.conf\tchanged\n' });
    expect(mode('m.conf')).toBe(0o644);
    expect(await render('m.liquid:m.conf', '--mode', '644')).toMatchObject({ stdout: 'm.conf\tunchanged\n' });
  });

  test.skipIf(!isRoot)('keep the owner of an existing file, unless --owner changes it', async () => {
    at.write('o.liquid', 'x');
    writeFileSync(at.file('o.conf'), 'y');
    chownSync(at.file('o.conf'), 12345, 23456);
    await render('o.liquid:o.conf');
    expect(statSync(at.file('o.conf'))).toMatchObject({ uid: 12345, gid: 23456 });
    await render('o.liquid:o.conf', '--owner', '1:daemon');
    const daemon = Number(/^daemon:[^:]*:(\d+):/m.exec(readFileSync('/etc/group', 'utf8'))?.[1]);
    expect(statSync(at.file('o.conf'))).toMatchObject({ uid: 1, gid: daemon });
    await render('o.liquid:o.conf', '--owner', 'root');
    expect(statSync(at.file('o.conf'))).toMatchObject({ uid: 0, gid: 0 });
    for (const owner of ['no-such-user', '1:no-such-group'])
      expect(await render('o.liquid:o.conf', '--owner', owner)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(
          /^error: invalid --owner: the (user|group) of "no-such-.*" does not exist\n/,
        ),
      });
  });

  test('are all written, or none: one missing value, and every error is shown', async () => {
    await put('password=one');
    at.write('good.liquid', secret);
    at.write('bad.liquid', '\n{{ ("secret/app" | kv).nope }}');
    at.write('worse.liquid', '{{ "none" | key }}');
    const ran = await render('good.liquid:good.conf', 'bad.liquid:bad.conf', 'worse.liquid:worse.conf');
    expect(ran).toMatchObject({ code: 3, stdout: '' });
    expect(ran.stderr).toContain('cannot render bad.liquid:2:4: no value for ("secret/app" | kv).nope');
    expect(ran.stderr).toContain('cannot render worse.liquid:1:1: key "none" not found');
    expect(['good.conf', 'bad.conf', 'worse.conf'].filter((name) => existsSync(at.file(name)))).toEqual([]);
  });

  test('200 templates in one call', async () => {
    await put('password=one');
    const targets = Array.from({ length: 200 }, (_, index) => {
      at.write(`many/${index}.liquid`, `${index} ${secret}`);
      return `many/${index}.liquid:many/${index}.conf`;
    });
    const ran = await render(...targets);
    expect(ran.stdout.split('\n')).toHaveLength(201);
    expect(at.read('many/199.conf')).toBe('199 password=one\n');
    expect(at.list('many').filter((name) => !/\.(liquid|conf)$/.test(name))).toEqual([]);
  });

  test('two renderings at the same time leave one complete text', async () => {
    at.write('one.liquid', `${'1'.repeat(100_000)}\n`);
    at.write('two.liquid', `${'2'.repeat(100_000)}\n`);
    const both = await Promise.all([render('one.liquid:same.conf'), render('two.liquid:same.conf')]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(at.read('same.conf')).toMatch(/^(1{100000}|2{100000})\n$/);
  });

  test('a template from standard input', async () => {
    expect(await at.run(['render', '--', '-:in.conf'], { stdin: 'x' })).toMatchObject({ code: 0 });
    expect(at.read('in.conf')).toBe('x');
  });
});

describe('files that cannot be written', () => {
  test.each([
    ['a.liquid:none/a.conf', /^error: cannot write \S*none\/a\.conf: no such directory/],
    ['a.liquid:folder', /^error: cannot write \S*folder: it is not a regular file/],
    ['a.liquid:link.conf', /^error: cannot write \S*link\.conf: it is a symbolic link/],
    ['a.liquid:', /^error: invalid argument "a\.liquid:": expected TEMPLATE or TEMPLATE:FILE/],
    [':a.conf', /^error: invalid argument ":a\.conf": expected TEMPLATE or TEMPLATE:FILE/],
    ['a.liquid a.liquid:a', /^error: several templates require a FILE each: expected TEMPLATE:FILE/],
    ['a.liquid:a a.liquid:a', /^error: duplicate file "a"/],
    ['-- -:a -:b', /^error: standard input \(-\) can be read only once/],
    ['none.liquid:a.conf', /^error: cannot read the input from \S*none\.liquid: no such file/],
    ['a.liquid --mode 0644', /^error: --mode requires TEMPLATE:FILE/],
    ['a.liquid --watch', /^error: --watch requires TEMPLATE:FILE/],
    ['a.liquid --exec true', /^error: --exec requires TEMPLATE:FILE/],
    ['a.liquid:a --mode 9', /^error: invalid --mode "9": expected permission bits such as 0640/],
    ['a.liquid:a --signal HUP', /^error: --signal and --pid-file require each other/],
    ['a.liquid:a --signal NOPE --pid-file x', /^error: invalid --signal "NOPE"/],
    ['a.liquid:a --debounce 1s', /^error: --debounce and --interval require --watch/],
    ['a.liquid:a --watch --interval 1ms', /^error: invalid --interval "1ms"/],
  ])('%s', async (line, message) => {
    at.write('a.liquid', 'x');
    mkdirSync(at.file('folder'), { recursive: true });
    if (!existsSync(at.file('link.conf'))) {
      at.write('real.conf', 'old');
      symlinkSync('real.conf', at.file('link.conf'));
    }
    const ran = await render(...line.split(' '));
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toMatch(message);
    expect(at.read('real.conf')).toBe('old');
  });

  test.skipIf(isRoot)('a directory that is not writable', async () => {
    at.write('locked/a.conf', 'old');
    chmodSync(at.file('locked'), 0o500);
    at.write('a.liquid', 'new');
    const ran = await render('a.liquid:locked/a.conf');
    chmodSync(at.file('locked'), 0o700);
    expect(ran).toMatchObject({ code: 1 });
    expect(at.read('locked/a.conf')).toBe('old');
  });
});

describe('--dry-run', () => {
  test('shows the changed lines without secrets, and writes nothing', async () => {
    await put('password=one', 'user=app');
    at.write('d.liquid', `# app\nuser={{ ("secret/app" | kv).user }}\n${secret}# end\n`);
    at.write('d.conf', '# app\nuser=app\npassword=older-secret\n# end\n');
    const ran = await render('d.liquid:d.conf', 'd.liquid:new.conf', '--dry-run');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout.split('\n').map((line) => line.trimEnd())).toEqual([
      'Change d.conf',
      '    # app',
      '    user=(hidden)',
      '  - (hidden)',
      '  + password=(hidden)',
      '    # end',
      'Create new.conf',
      '  + # app',
      '  + user=(hidden)',
      '  + password=(hidden)',
      '  + # end',
      '',
    ]);
    expect(at.read('d.conf')).toContain('older-secret');
    expect(existsSync(at.file('new.conf'))).toBe(false);
    expect(await render('d.liquid', '--dry-run')).toMatchObject({
      stdout: '# app\nuser=(hidden)\npassword=(hidden)\n# end\n',
    });
  });

  test('hides captured and multi-line values', async () => {
    await put('password=one\ntwo');
    at.write('c.liquid', `{% capture p %}p={{ ("secret/app" | kv).password }}{% endcapture %}[{{ p }}]\n`);
    expect(await render('c.liquid', '--dry-run')).toMatchObject({ stdout: '[(hidden)\n(hidden)]\n' });
    at.write(
      'e.liquid',
      `{% capture p %}{{ ("secret/app" | kv).password }}{% endcapture %}{% if p contains "one" %}yes{% endif %}{% if p == "one
two" %}same{% endif %}`,
    );
    expect(await render('e.liquid', '--dry-run')).toMatchObject({ stdout: '(hidden)' });
  });

  test('shows values that are not secret', async () => {
    await at.run(['registry', 'kv', 'put', 'port', '80']);
    at.write('k.liquid', 'port {{ "port" | key }}\n');
    at.write('k.conf', 'port 79\n');
    const ran = await render('k.liquid:k.conf', '--dry-run', '--exec', 'touch executed');
    expect(ran.stdout).toBe('Change k.conf\n  - port 79\n  + port 80\n');
    expect(existsSync(at.file('executed'))).toBe(false);
  });
});

describe('after a change', () => {
  test('--exec runs once for all files, and not if nothing has changed', async () => {
    at.write('x.liquid', 'x');
    const line = ['x.liquid:x1.conf', 'x.liquid:x2.conf', '--exec', 'echo run >> ran; echo seen'];
    expect(await render(...line)).toMatchObject({ code: 0 });
    expect(await render(...line)).toMatchObject({ code: 0 });
    expect(at.read('ran')).toBe('run\n');
  });

  test('--exec that fails is an error, and the files are written', async () => {
    at.write('f.liquid', 'x');
    expect(await render('f.liquid:f.conf', '--exec', 'exit 3')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('error: the command of --exec failed with exit code 3\n'),
    });
    expect(at.read('f.conf')).toBe('x');
  });

  test('--signal requires a process', async () => {
    at.write('s.liquid', 'x');
    for (const [content, message] of [
      ['abc', 'does not contain a process ID'],
      ['1\n', 'does not contain a process ID'],
      ['999999999\n', 'process 999999999 of pid does not exist'],
    ] as const) {
      at.clear('s.conf');
      at.write('pid', content);
      const ran = await render('s.liquid:s.conf', '--signal', 'HUP', '--pid-file', 'pid');
      expect(ran.stderr).toContain(message);
      expect(ran.code).not.toBe(0);
    }
  });
});
