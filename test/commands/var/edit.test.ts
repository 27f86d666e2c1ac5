import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  expectExit,
  expectFailure,
  homeForAll,
  outputOf,
  servicesForAll,
} from '../../support/command-tests.ts';
import { start } from '../../support/process.ts';
import { editing, keptIn } from '../editing.ts';
import { runAt, shelf } from '../scheduler-shelf.ts';

const { at, leftovers, editor } = editing();
const run = runAt(at);

const edit = (server: { url: string }, script: string, flags = '') =>
  run(server, `var edit app${flags}`, { env: editor(script) });

const items = { a: 'one', b: 'two\nlines', yes: 'yes' };

/** The line that a hint gives to write a kept text. */
const writingLine = (stderr: string): string =>
  /`lanyard (var put [^`]*)` to write it/.exec(stderr)?.[1] ?? '';

describe('var edit', () => {
  test('edits YAML in a private file, writes with check-and-set, and removes the file', async () => {
    const server = await shelf();
    server.put('app', items);
    const stdout = outputOf(await edit(server, `sed -i 's/one/1.10/; $a new:' "$1"; echo chatter`));
    expect(stdout).toBe('Wrote app (4 items, ModifyIndex 12).\na\tchanged\nnew\tadded\n');
    expect(server.writes()).toEqual(['PUT /v1/var/app?cas=11']);
    expect(server.bodies()).toEqual([{ Items: { ...items, a: '1.10', new: '' } }]);
    expect(at.read('seen')).toMatch(
      /^# Variable app\..*\n#.*\na: one\nb: \|-?\n {2}two\n {2}lines\n"yes": "yes"\n$/,
    );
    expect(at.read('modes')).toBe('600\n700\n');
    expect(leftovers()).toEqual([]);
  });

  test.each([
    ['does not change the text', 'true', 0],
    ['empties the text', ': > "$1"', 0],
    ['changes only the formatting', `sed -i 's/a: one/a: "one"/' "$1"`, 0],
    ['fails', 'echo x: y >> "$1"; exit 3', 1],
  ])('writes nothing when the editor %s', async (_what, script, code) => {
    const server = await shelf();
    server.put('app', items);
    expect((await edit(server, script)).code).toBe(code);
    expect(server.writes()).toEqual([]);
    expect(leftovers()).toEqual([]);
  });

  /** Somebody else writes `theirs` before the first write that comes. */
  const raced = async (theirs: Record<string, string> | undefined) => {
    const server = await shelf({
      change: ({ method }) => {
        if (method !== 'PUT' || server.writes().length > 1) return;
        if (theirs) server.put('app', theirs);
        else server.variables.clear();
      },
    });
    server.put('app', items);
    return server;
  };

  test('keeps concurrent changes', async () => {
    const server = await raced({ a: 'one', yes: 'yes', theirs: 'x' });
    expect(await edit(server, `sed -i 's/one/mine/' "$1"`)).toMatchObject({
      code: 0,
      stderr: 'The variable was changed concurrently; the changes were merged.\n',
    });
    expect(server.bodies()[1]).toEqual({ Items: { a: 'mine', yes: 'yes', theirs: 'x' } });
  });

  test('writes nothing if both changed the same item, lists it without values, and keeps the text', async () => {
    const server = await raced({ ...items, a: 'secret-theirs' });
    const ran = await edit(server, `sed -i 's/one/secret-mine/; s/lines/words/' "$1"`);
    expect(ran).toMatchObject({ code: 6, stdout: '' });
    for (const line of ['a: both changed it', 'b: only you changed it']) expect(ran.stderr).toContain(line);
    expect(ran.stderr).not.toContain('secret-');
    expect(server.variables.get('default app')?.Items?.a).toBe('secret-theirs');
    const line = writingLine(ran.stderr);
    const file = keptIn(ran.stderr);
    expect(line).toContain(file);
    const text = readFileSync(file);
    expect(await run(server, line)).toMatchObject({
      code: 0,
      stderr: `Removed ${file}: its text was written.\n`,
    });
    expect(leftovers()).toEqual([]);
    expect(server.variables.get('default app')?.Items).toEqual({
      a: 'secret-mine',
      b: 'two\nwords',
      yes: 'yes',
    });
    // A second write would revert concurrent changes.
    mkdirSync(dirname(file));
    writeFileSync(file, text);
    expect((await run(server, line)).code).toBe(6);
    expect(existsSync(file)).toBe(true);
  });

  test('the command that writes a kept text keeps concurrent changes', async () => {
    const server = await raced({ a: 'theirs', b: 'theirs', added: 'theirs', yes: 'yes' });
    const ran = await edit(server, `sed -i 's/one/mine/; /yes/d' "$1"`);
    expect(ran.code).toBe(6);
    expect((await run(server, writingLine(ran.stderr))).code).toBe(0);
    expect(server.variables.get('default app')?.Items).toEqual({ a: 'mine', b: 'theirs', added: 'theirs' });
  });

  test('saves a text in the private runtime directory of the user, if it exists', async () => {
    const server = await shelf();
    server.put('app', items);
    at.write('runtime/.keep', '');
    const runtime = at.file('runtime');
    const broken = (env: Record<string, string>) =>
      run(server, 'var edit app', { env: { ...editor(`echo ': : [' >> "$1"`), ...env } });
    chmodSync(runtime, 0o755);
    expect(keptIn((await broken({ XDG_RUNTIME_DIR: runtime })).stderr)).toContain(at.file('tmp'));
    expect(keptIn((await broken({ XDG_RUNTIME_DIR: 'relative' })).stderr)).toContain(at.file('tmp'));
    chmodSync(runtime, 0o700);
    const file = keptIn((await broken({ XDG_RUNTIME_DIR: `${runtime}/` })).stderr);
    expect(dirname(dirname(file))).toBe(runtime);
    writeFileSync(file, 'a: written');
    const line = `var put app --in ${file}`;
    expect((await run(server, `${line} --dry-run`, { env: { XDG_RUNTIME_DIR: runtime } })).code).toBe(0);
    expect(existsSync(file)).toBe(true);
    expect((await run(server, line, { env: { XDG_RUNTIME_DIR: runtime } })).code).toBe(0);
    expect(existsSync(dirname(file))).toBe(false);
  });

  test.each(['--dry-run', '--curl'])('keeps no text with %s', async (flag) => {
    const server = await shelf();
    server.put('app', items);
    const ran = await edit(server, `echo ': : [' >> "$1"`, ` ${flag}`);
    expect(ran.code).toBe(2);
    expect(ran.stderr).not.toContain('kept');
    expect(leftovers()).toEqual([]);
  });

  test('does not delete a file of the user after the write, whatever its name', async () => {
    const server = await shelf();
    for (const name of ['edited.yaml', 'lanyard-kept-abc/edited.yaml']) {
      const file = at.write(name, 'a: b');
      expect((await run(server, `var put app --in ${file}`)).code).toBe(0);
      expect(existsSync(file)).toBe(true);
    }
    const other = join(at.file('tmp'), 'lanyard-kept-abc', 'other.yaml');
    mkdirSync(dirname(other));
    writeFileSync(other, 'a: b');
    expect((await run(server, `var put app --in ${other}`)).code).toBe(0);
    expect(existsSync(other)).toBe(true);
  });

  test('names the namespace in the command that writes a kept text', async () => {
    const server = await shelf();
    server.put('app', items, 'team');
    const ran = await edit(server, `echo ': : [' >> "$1"`, ' --namespace team');
    expect(ran.stderr).toContain(
      `run \`lanyard var put app --namespace team --cas 11 --in ${keptIn(ran.stderr)}\` to write it`,
    );
  });

  test('keeps the text if the variable was deleted concurrently', async () => {
    const ran = await edit(await raced(undefined), `sed -i 's/one/mine/' "$1"`);
    expect(ran).toMatchObject({ code: 6, stdout: '' });
    expect(readFileSync(keptIn(ran.stderr), 'utf8')).toContain('a: mine');
    expect(writingLine(ran.stderr)).toContain(' --cas 0 ');
  });

  test.each([
    ['is not YAML', `echo ': : [' >> "$1"`, 'not valid YAML'],
    ['has a name twice', `echo 'a: again' >> "$1"`, 'duplicate key'],
    ['has a list', `echo 'l: [1]' >> "$1"`, 'the value of "l" is not a string'],
  ])('keeps a text that %s', async (_what, script, message) => {
    const server = await shelf();
    server.put('app', items);
    const ran = await edit(server, script);
    expectFailure(ran, 2, message);
    keptIn(ran.stderr);
    expect(server.writes()).toEqual([]);
  });

  test('fails before any write for a missing variable or without an editor', async () => {
    const server = await shelf();
    expect(await edit(server, 'true')).toMatchObject({ code: 3, stdout: '' });
    server.put('app', items);
    expect((await run(server, 'var edit app')).stderr).toContain('Set VISUAL or EDITOR');
    const dry = await edit(server, `sed -i 's/one/secret-mine/' "$1"`, ' --dry-run');
    expect(dry.stdout).toContain('"a": "<redacted>"');
    expect(server.writes()).toEqual([]);
    expect(leftovers()).toEqual([]);
  });

  test('removes the file if interrupted while the editor runs', async () => {
    const server = await shelf();
    server.put('app', items);
    const env = editor(`echo ready > '${at.file('ready')}'; exec sleep 30`);
    const running = start(at, ['var', 'edit', 'app'], { ...env, LANYARD_SCHEDULER_ADDR: server.url });
    while (!existsSync(at.file('ready'))) await new Promise((done) => setTimeout(done, 20));
    expect(leftovers()).toHaveLength(1);
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130, stdout: '' });
    expect(leftovers()).toEqual([]);
  });
});

describe.each([
  ['2', 'secret/app'],
  ['1', 'plain/app'],
])('kv edit in an engine of version %s', (version, path) => {
  const here = homeForAll();
  servicesForAll(here);
  beforeAll(async () => {
    await here.run(['api', 'secrets', 'POST', 'sys/mounts/plain', '--data', '-'], { stdin: '{"type":"kv"}' });
  });
  const pairs = async () =>
    JSON.parse(
      (await here.run(['kv', 'get', path, '--select', version === '2' ? 'data.data' : 'data'])).stdout,
    );
  const put = (json: object) => here.run(['kv', 'put', path, '--in', '-'], { stdin: JSON.stringify(json) });
  const change = (script: string) => here.run(['kv', 'edit', path], { env: editor(script) });

  test('writes the edited values with their types', async () => {
    await put({ a: 'one', port: 5432, nested: { deep: [1, null] } });
    expect(await change(`sed -i 's/one/two/; s/5432/5433/' "$1"`)).toMatchObject({ code: 0, stderr: '' });
    expect(await pairs()).toEqual({ a: 'two', port: 5433, nested: { deep: [1, null] } });
    expect((await change('true')).stdout).toBe(`Secret ${path} is unchanged.\n`);
    expect(leftovers()).toEqual([]);
  });

  test('names mount and namespace in the command that opens the secret again', async () => {
    const at1 = ['--namespace', 'team'];
    const made = { type: 'kv', options: { version } };
    await here.run(['api', 'secrets', 'POST', 'sys/namespaces/team']);
    await here.run(['api', 'secrets', 'POST', 'sys/mounts/own', '--data', '-', ...at1], {
      stdin: JSON.stringify(made),
    });
    await here.run(['kv', 'put', 'app', '--mount', 'own', 'a=1', ...at1]);
    const ran = await here.run(['kv', 'edit', 'app', '--mount', 'own', ...at1], {
      env: editor(`echo ': : [' >> "$1"`),
    });
    expectFailure(ran, 2, 'Run "lanyard kv edit app --mount own --namespace team" to edit the secret again');
  });

  /** Somebody else writes while the editor is open. */
  const meanwhile = async (theirs: object, script: string) => {
    const env = editor(
      `${script}; echo ready > '${at.file('now')}'; while [ -e '${at.file('now')}' ]; do sleep 0.05; done`,
    );
    const editing = here.run(['kv', 'edit', path], { env });
    while (!existsSync(at.file('now'))) await new Promise((done) => setTimeout(done, 20));
    await put(theirs);
    at.clear('now');
    return editing;
  };

  test('keeps concurrent changes', async () => {
    await put({ a: 'one', b: 'two' });
    const ran = await meanwhile({ a: 'one', b: 'theirs' }, `sed -i 's/one/mine/' "$1"`);
    expectExit(ran, 0, 'the changes were merged');
    expect(await pairs()).toEqual({ a: 'mine', b: 'theirs' });
  });

  test('writes nothing if both changed the same pair, and keeps the text', async () => {
    await put({ a: 'one' });
    const ran = await meanwhile({ a: 'secret-theirs' }, `sed -i 's/one/secret-mine/' "$1"`);
    expectFailure(ran, 6, 'a: both changed it');
    expect(ran.stderr).not.toContain('secret-');
    expect(await pairs()).toEqual({ a: 'secret-theirs' });
    expect(readFileSync(keptIn(ran.stderr), 'utf8')).toContain('secret-mine');
  });
});
