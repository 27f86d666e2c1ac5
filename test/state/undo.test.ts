import { existsSync, statSync } from 'node:fs';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../../src/wire/json.ts';
import { isWrite } from '../faults/proxy.ts';
import { start } from '../support/process.ts';
import {
  benchForAll,
  newSetId,
  policy,
  recordText,
  type Stated,
  secret,
  variable,
  writeSet,
} from './bench.ts';

const bench = await benchForAll();
let id = '';
let recipient = '';
const identity = ['--identity', '@key.txt'];
beforeAll(async () => {
  const key = await generateX25519Identity();
  recipient = await identityToRecipient(key);
  bench.at.write('key.txt', `${key}\n`, 0o600);
});
beforeEach(() => {
  id = newSetId();
  bench.proxy.begin();
});

const state = (objects: readonly Stated[]): void => writeSet(bench, objects, { id });
async function run(code: number, argv: readonly string[], options = {}) {
  const ran = await bench.run(argv, options);
  expect(ran.code, `${argv.join(' ')}\n${ran.stdout}${ran.stderr}`).toBe(code);
  return ran;
}
const file = () => `${id}.yaml`;
const apply = (...more: readonly string[]) => run(0, ['apply', 'state', '--yes', '--undo', file(), ...more]);
const undo = (...more: readonly string[]) => run(0, ['apply', file(), '--yes', ...more]);
const memberKeys = async (): Promise<readonly string[]> =>
  JSON.parse(await recordText(bench, id))
    .members.map(({ key }: { key: string }) => key)
    .sort();
const descriptionOf = async (name: string): Promise<string> =>
  (await run(0, ['acl', 'policy', 'get', name, '--field', 'Description'])).stdout.trim();
const exists = async (name: string): Promise<boolean> =>
  (await bench.run(['acl', 'policy', 'get', name])).code === 0;
const kvOf = async (path: string): Promise<Json> =>
  JSON.parse((await run(0, ['kv', 'get', `secret/${path}`, '-o', 'json'])).stdout).data.data;

describe('the file', () => {
  test('is written with mode 0600, and read as a set', async () => {
    state([policy(`${id}-a`)]);
    const { stderr } = await apply();
    expect(stderr).toBe(`Run \`lanyard apply ${file()}\` to undo 1 change.\n`);
    expect(statSync(bench.at.file(file())).mode & 0o777).toBe(0o600);
    await run(0, ['validate', file()]);
    expect((await run(10, ['plan', file()])).stdout).toContain('Plan: 0 to create, 0 to update, 1 to delete');
  });

  test('is not written if nothing changed', async () => {
    state([policy(`${id}-a`)]);
    await apply();
    const { stderr } = await run(0, ['apply', 'state', '--yes', '--undo', 'none.yaml']);
    expect(stderr).toBe('Nothing changed: none.yaml was not written.\n');
    expect(existsSync(bench.at.file('none.yaml'))).toBe(false);
  });

  test('replaces no other file without --force', async () => {
    state([policy(`${id}-a`)]);
    bench.at.write(file(), 'kept\n');
    const { stderr } = await run(2, ['apply', 'state', '--yes', '--undo', file()]);
    expect(stderr).toContain('already exists');
    expect([bench.at.read(file()), bench.writes()]).toEqual(['kept\n', []]);
    await apply('--force');
    expect(bench.at.read(file())).toContain('kind: registry.policy');
  });

  test('is not written in a dry run', async () => {
    state([policy(`${id}-a`)]);
    await run(10, ['apply', 'state', '--dry-run', '--undo', file()]);
    expect(existsSync(bench.at.file(file()))).toBe(false);
  });

  test('is written by the apply of a saved plan', async () => {
    state([policy(`${id}-a`)]);
    await run(10, ['plan', 'state', '--out', `${id}.plan`]);
    await run(0, ['apply', `${id}.plan`, '--yes', '--undo', file()]);
    await undo();
    expect(await exists(`${id}-a`)).toBe(false);
  });

  test.each([
    [['--undo', '-'], 'standard output has the results'],
    [['--undo', 'undo.json'], 'the file has YAML documents'],
    [['--undo', 'undo.plan'], 'the file has YAML documents'],
    [['--undo', 'state/undo.yaml'], 'it is in state, whose files are the set'],
    [['--undo', 'missing/undo.yaml'], 'no such directory'],
    [['--undo', 'undo.yaml', '--undo-recipient', 'age1x'], 'invalid recipient "age1x"'],
    [
      ['--undo', 'undo.yaml', '--undo-recipient', 'age1x', '--undo-passphrase', 'env://HOME'],
      'only one of --undo-recipient and --undo-passphrase',
    ],
    [['--undo-recipient', 'age1x'], '--undo-recipient requires --undo'],
    [['--undo-passphrase', 'env://HOME'], '--undo-passphrase requires --undo'],
    [['--force'], '--force requires --undo'],
  ])('rejects %j', async (flags, message) => {
    state([policy(`${id}-a`)]);
    const { stderr } = await run(2, ['apply', 'state', '--yes', ...flags]);
    expect(stderr).toContain(message);
    expect(bench.writes()).toEqual([]);
  });
});

describe('a mount that was created', () => {
  const mount = (): Stated => ({
    kind: 'secrets.mount',
    identity: { scope: {}, key: `${id}/` },
    spec: { type: 'kv', options: { version: '2' } },
  });

  test('is kept if another client wrote to it', async () => {
    state([mount(), { ...secret('mine', { user: 'app' }), identity: { scope: { mount: id }, key: 'mine' } }]);
    await apply();
    await run(0, ['kv', 'put', `${id}/other`, 'a=b']);
    const { stderr } = await run(6, ['apply', file(), '--yes']);
    expect(stderr).toContain(
      `secrets.mount ${id}/: has secrets.kv ${id}/other, which the apply did not create`,
    );
    await run(0, ['kv', 'delete', `${id}/other`, '--yes']);
    await undo();
    expect((await bench.run(['secrets', 'mount', 'get', id])).code).toBe(3);
  });
});

describe('the record', () => {
  test('has the members of before, and the original files show the same changes again', async () => {
    const keep = policy(`${id}-keep`);
    state([keep, policy(`${id}-old`)]);
    await apply('--force');
    const before = JSON.parse(await recordText(bench, id));
    const only = { ...keep, spec: { Description: 'only this' } };
    state([only, policy(`${id}-new`)]);
    const prune = ['--prune', '--prune-max', '1'];
    await apply('--force', ...prune);
    expect(await memberKeys()).toEqual([`${id}-keep`, `${id}-new`]);
    await undo();
    const after = JSON.parse(await recordText(bench, id));
    expect(await memberKeys()).toEqual([`${id}-keep`, `${id}-old`]);
    expect(after.generation).toBe(before.generation + 2);
    // Fields that the files do not state any more are removed again.
    const { stdout } = await run(10, ['plan', 'state', '--prune']);
    expect(stdout).toContain('- Rules:');
    expect(stdout).toContain(`- registry.policy ${id}-old (pruned)`);
    expect(stdout).toContain('Plan: 1 to create, 1 to update, 1 to delete, 0 unchanged.');
    await apply('--force', ...prune);
  });

  test('an object that was adopted and changed belongs to no set again', async () => {
    const mine = policy(`${id}-a`, 'of the set');
    await run(0, ['acl', 'policy', 'put', `${id}-a`, '--description', 'by hand', '--rules', '']);
    state([mine]);
    await apply('--adopt');
    await undo();
    expect([await descriptionOf(`${id}-a`), await memberKeys()]).toEqual(['by hand', []]);
    expect((await run(10, ['plan', 'state'])).stdout).toContain('does not belong to this set; use --adopt');
  });

  test('an object that was taken over belongs to the other set again', async () => {
    state([policy(`${id}-a`, 'first')]);
    await apply();
    const other = id;
    id = newSetId();
    state([policy(`${other}-a`, 'second')]);
    await apply('--take-over');
    await undo();
    expect(await descriptionOf(`${other}-a`)).toBe(`first [lanyard:${other}]`);
    expect(await memberKeys()).toEqual([]);
  });
});

describe('a change of another client', () => {
  test('is kept; --adopt undoes the rest and it', async () => {
    state([policy(`${id}-a`, 'first'), policy(`${id}-b`)]);
    await apply();
    await run(0, ['acl', 'policy', 'put', `${id}-a`, '--description', 'by hand']);
    const { stderr } = await run(6, ['apply', file(), '--yes']);
    expect(stderr).toContain(`registry.policy ${id}-a: was changed since the apply; use --adopt`);
    expect([await descriptionOf(`${id}-a`), await exists(`${id}-b`)]).toEqual(['by hand', true]);
    await undo('--adopt');
    expect([await exists(`${id}-a`), await exists(`${id}-b`)]).toEqual([false, false]);
  });

  test('a deletion is kept', async () => {
    state([policy(`${id}-a`, 'first')]);
    await apply();
    state([policy(`${id}-a`, 'second')]);
    await apply('--force');
    await run(0, ['acl', 'policy', 'delete', `${id}-a`, '--yes']);
    expect((await run(6, ['apply', file(), '--yes'])).stderr).toContain('was deleted since the apply');
  });

  test('an undo of an earlier apply is rejected after a later one', async () => {
    state([policy(`${id}-a`, 'first')]);
    await apply();
    state([policy(`${id}-a`, 'second')]);
    await run(0, ['apply', 'state', '--yes']);
    await run(6, ['apply', file(), '--yes']);
    expect(await descriptionOf(`${id}-a`)).toContain('second');
  });
});

describe('secrets of version 2', () => {
  const before = { user: 'app', empty: '', limits: { most: 5 }, none: null };

  test('are restored from their version, without values in the file', async () => {
    const path = `${id}#?/db`;
    state([secret(path, before)]);
    await apply();
    state([secret(path, { user: 'canary-new' })]);
    const { stderr } = await apply('--force');
    expect(stderr).not.toContain('warning');
    expect(bench.at.read(file())).toContain('valuesVersion: 1');
    await undo();
    expect(await kvOf(encodeURI(path).replaceAll('%23', '#'))).toEqual(before);
  });

  test('are undeleted', async () => {
    state([secret(id, before)]);
    await apply();
    state([secret(id, before, { ensure: 'absent' })]);
    await apply('--force');
    expect((await bench.run(['kv', 'get', `secret/${id}`])).code).toBe(3);
    await undo();
    expect(await kvOf(id)).toEqual(before);
    expect(await memberKeys()).toEqual([id]);
  });

  test('a version that was destroyed is an error, and nothing is written', async () => {
    state([secret(id, before)]);
    await apply();
    state([secret(id, { user: 'new' })]);
    await apply('--force');
    await run(0, ['kv', 'destroy', `secret/${id}`, '--versions', '1', '--yes']);
    bench.proxy.begin();
    expect((await run(2, ['plan', file()])).stderr).toContain(`version 1 of secret/${id} was destroyed`);
    await run(2, ['apply', file(), '--yes']);
    expect(bench.writes()).toEqual([]);
  });

  test('where the service keeps one version only, the values cannot be undone', async () => {
    state([secret(id, before)]);
    await apply();
    await run(0, ['kv', 'metadata', 'put', `secret/${id}`, '--max-versions', '1']);
    state([secret(id, { user: 'new' })]);
    const { stderr } = await apply('--force');
    expect(stderr).toContain(`warning: secrets.kv secret/${id}: the undo does not restore the previous data`);
    expect(bench.at.read(file())).toContain('values: unmanaged');
  });
});

describe('values of secrets', () => {
  const old = 'Canary-old-7f3a';
  const next = 'Canary-new-9b1c';
  const objects = (password: string): readonly Stated[] => [
    variable(id, { password, user: 'app' }),
    { kind: 'registry.key', identity: { scope: {}, key: id }, spec: { value: password } },
    policy(id, `plain ${password === old ? 'first' : 'second'}`),
  ];

  test('are in no file without a recipient; a warning before the prompt names the objects', async () => {
    state(objects(old));
    await apply();
    state(objects(next));
    bench.proxy.begin();
    const { stderr } = await run(2, ['apply', 'state', '--undo', file(), '--force']);
    expect(stderr).toMatch(
      new RegExp(
        `scheduler.variable ${id}: the undo does not restore the previous Items\\n[^]*cannot prompt`,
      ),
    );
    expect(bench.writes()).toEqual([]);
    const applied = await apply('--force', '-o', 'json');
    expect(JSON.parse(applied.stdout).undo).toMatchObject({
      file: file(),
      encrypted: false,
      notRestored: [
        { id: { kind: 'registry.key' }, what: 'the previous value', all: false },
        { id: { kind: 'scheduler.variable' }, what: 'the previous Items', all: false },
      ],
    });
    const texts = [bench.at.read(file()), applied.stdout, applied.stderr].join('');
    for (const value of [old, next]) expect(texts).not.toContain(value);
    await undo();
    expect(await descriptionOf(id)).toContain('plain first');
    expect((await run(0, ['var', 'get', id, '--field', 'Items.password'])).stdout.trim()).toBe(next);
  });

  test('are in an encrypted file with a recipient', async () => {
    state(objects(old));
    await run(0, ['apply', 'state', '--yes']);
    state(objects(next));
    const applied = await apply('--undo-recipient', recipient);
    expect(applied.stderr).not.toContain('warning');
    const text = bench.at.read(file());
    expect(text).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----/);
    expect((await run(2, ['plan', file()])).stderr).toContain('--identity is required');
    const plan = await run(10, ['plan', file(), ...identity, '-o', 'json']);
    await run(10, ['plan', file(), ...identity, '--out', `${id}.plan`]);
    const done = await run(0, ['apply', `${id}.plan`, '--yes', ...identity]);
    const texts = [text, applied, plan, done].map((each) => JSON.stringify(each)).join('');
    for (const value of [old, next]) expect(texts + bench.at.read(`${id}.plan`)).not.toContain(value);
    expect((await run(0, ['var', 'get', id, '--field', 'Items.password'])).stdout.trim()).toBe(old);
    expect((await run(0, ['registry', 'kv', 'get', id])).stdout.trim()).toBe(old);
  });

  test('are encrypted with a passphrase', async () => {
    const env = { ...bench.at.env, PHRASE: 'correct horse' };
    state([variable(id, { password: old })]);
    await run(0, ['apply', 'state', '--yes']);
    state([variable(id, { password: next })]);
    await run(0, ['apply', 'state', '--yes', '--undo', file(), '--undo-passphrase', 'env://PHRASE'], { env });
    await run(0, ['apply', file(), '--yes', '--passphrase', 'env://PHRASE'], { env });
    expect((await run(0, ['var', 'get', id, '--field', 'Items.password'])).stdout.trim()).toBe(old);
  });

  test('deleted ones are named in a comment', async () => {
    state([variable(id, { password: old })]);
    await apply();
    state([variable(id, { password: old }, { ensure: 'absent' })]);
    const { stderr } = await apply('--force');
    expect(stderr).toContain(
      `warning: scheduler.variable ${id}: the change cannot be undone: its values, which are secrets cannot be restored`,
    );
    expect(bench.at.read(file())).not.toContain(old);
    expect((await run(0, ['plan', file()])).stdout).toBe('No changes. The files contain no objects.\n');
  });
});

describe('an apply that did not complete', () => {
  const names = ['a', 'b', 'c', 'd'];
  const policies = (text?: string) => names.map((name) => policy(`${id}-${name}`, text));
  const isPolicy = (request: { method: string; url: string }): boolean =>
    isWrite(request) && request.url.includes('/acl/policy');

  test('has the undo of what was done', async () => {
    state(policies());
    let count = 0;
    bench.proxy.begin({
      picks: (request) => isPolicy(request) && ++count === 3,
      forwards: false,
      play: (socket) => void socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n'),
    });
    const ran = await run(9, ['apply', 'state', '--yes', '--parallelism', '1', '--undo', file()]);
    expect(ran.stderr).toContain('to undo 2 changes.');
    bench.proxy.begin();
    await undo();
    for (const name of names) expect(await exists(`${id}-${name}`)).toBe(false);
  });

  test('leaves no file if nothing was written', async () => {
    state(policies());
    bench.proxy.begin({
      picks: isPolicy,
      forwards: false,
      play: (socket) => void socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n'),
    });
    await run(5, ['apply', 'state', '--yes', '--undo', file()]);
    expect(existsSync(bench.at.file(file()))).toBe(false);
  });

  test.each(['created', 'updated'])('was killed: what it %s is undone', async (what) => {
    if (what === 'updated') {
      state(policies('first'));
      await run(0, ['apply', 'state', '--yes']);
    }
    state(policies('second'));
    const flags = ['--yes', '--parallelism', '1', '--undo', file()];
    const running = start(bench.at, ['apply', 'state', ...flags]);
    let writes = 0;
    bench.proxy.begin({
      picks: (request) => isPolicy(request) && ++writes >= 3,
      forwards: true,
      play: (socket) => {
        running.child.kill('SIGKILL');
        socket.destroy();
      },
    });
    expect((await running.ended).signal).toBe('SIGKILL');
    bench.proxy.begin();
    const plan = await run(10, ['plan', file()]);
    expect(plan.stdout).toContain(
      what === 'created'
        ? 'Plan: 0 to create, 0 to update, 3 to delete, 1 unchanged.'
        : 'Plan: 0 to create, 3 to update, 0 to delete, 1 unchanged.',
    );
    await run(0, ['apply', file(), '--yes', '--steal-lock']);
    for (const name of names)
      if (what === 'created') expect(await exists(`${id}-${name}`)).toBe(false);
      else expect(await descriptionOf(`${id}-${name}`)).toContain('first');
  });

  test('was interrupted: what it did is undone', async () => {
    state(policies());
    const flags = ['--yes', '--parallelism', '1', '--undo', file()];
    const running = start(bench.at, ['apply', 'state', ...flags]);
    let writes = 0;
    bench.proxy.hold((request) => {
      if (isPolicy(request) && ++writes === 2) running.child.kill('SIGINT');
      return undefined;
    });
    const { code, stderr } = await running.ended;
    expect(code, stderr).toBe(130);
    expect(stderr).toMatch(/to undo [23] changes\./);
    bench.proxy.begin();
    await undo();
    for (const name of names) expect(await exists(`${id}-${name}`)).toBe(false);
  });
});
