import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { memoryStore, openStore } from '../../../../../src/services/core/store/store.ts';
import type { Json } from '../../../../../src/wire/json.ts';
import { folder } from '../../support.ts';

const run = promisify(execFile);
const storeModule = JSON.stringify(
  join(import.meta.dirname, '../../../../../src/services/core/store/store.ts'),
);

describe('a store', () => {
  test('returns keys in order and by prefix', async () => {
    const store = memoryStore();
    await store.write(['b/2', 'a', 'b/1', 'c', 'b', 'b/10'].map((key) => ({ key, value: key })));
    await store.write([{ key: 'b/2' }, { key: 'not there' }]);
    expect(store.keys('')).toEqual(['a', 'b', 'b/1', 'b/10', 'c']);
    expect(store.keys('b/')).toEqual(['b/1', 'b/10']);
    expect(store.keys('d')).toEqual([]);
  });

  test('can be viewed below a prefix, and further below', async () => {
    const store = memoryStore();
    const inner = store.withPrefix('x/').withPrefix('y/');
    await inner.write([{ key: 'k1', value: 1 }]);
    expect(store.keys('')).toEqual(['x/y/k1']);
    expect(inner.keys('k')).toEqual(['k1']);
    expect(store.withPrefix('x/').keys('y/k')).toEqual(['y/k1']);
    expect(inner.get('k1')).toBe(1);
  });

  test('shows a write immediately', () => {
    const store = memoryStore();
    void store.write([{ key: 'k', value: 'v' }]);
    expect(store.get('k')).toBe('v');
  });

  test('rejects writes after it is closed', async () => {
    const store = memoryStore();
    await store.close();
    await expect(store.write([{ key: 'k', value: 1 }])).rejects.toThrow('closed');
  });
});

describe('a store on disk', () => {
  test('stores every kind of value exactly', async () => {
    const path = await folder();
    const value: Json = { big: 2n ** 63n, text: 'ü\u0000\n', list: [null, true, 1.5], nested: { '': {} } };
    const first = await openStore(path);
    await first.write([
      { key: 'ключ/\u{1f511}', value },
      { key: 'gone', value: 1 },
    ]);
    await first.write([{ key: 'gone' }]);
    await first.close();
    const second = await openStore(path);
    expect(second.keys('')).toEqual(['ключ/\u{1f511}']);
    expect(second.get('ключ/\u{1f511}')).toEqual(value);
    await second.close();
  });

  test('is private to its owner', async () => {
    const path = join(await folder(), 'new', 'data');
    const store = await openStore(path);
    await store.write([{ key: 'k', value: 1 }]);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    for (const name of ['lanyard.db', 'lanyard.db-wal']) {
      expect((await stat(join(path, name))).mode & 0o777, name).toBe(0o600);
    }
    await store.close();
  });

  test('makes an empty directory private, and rejects its own directory if it is accessible to others', async () => {
    const path = await folder();
    const [empty, used] = [join(path, 'empty'), join(path, 'used')];
    for (const each of [empty, used]) {
      await mkdir(each);
      await chmod(each, 0o755);
    }
    await (await openStore(empty)).close();
    await (await openStore(used)).close();
    await chmod(used, 0o755);
    expect((await stat(empty)).mode & 0o777).toBe(0o700);
    await expect(openStore(used)).rejects.toMatchObject({
      reason: 'data',
      message: `the data directory ${used} is accessible to other users; run: chmod 700 ${used}`,
    });
    expect((await stat(used)).mode & 0o777).toBe(0o755);
  });

  test.for([
    ['closed to others', 0o700],
    ['open to others', 0o755],
  ] as const)('rejects a directory with files of others, %s, and changes nothing in it', async ([, mode]) => {
    const path = await folder();
    for (const [name, content] of [
      ['photo.jpg', 'my only copy'],
      ['secrets.key.new', 'mine'],
    ] as const)
      await writeFile(join(path, name), content);
    await mkdir(join(path, 'images'));
    await writeFile(join(path, 'images', 'ab'.repeat(16)), 'mine');
    await chmod(path, mode);
    const before = (await readdir(path, { recursive: true })).sort();
    await expect(openStore(path)).rejects.toMatchObject({
      reason: 'foreign',
      message: `cannot use ${path} as the data directory: it is not empty and contains files that Lanyard did not create; choose a new or empty directory`,
    });
    expect((await readdir(path, { recursive: true })).sort()).toEqual(before);
    expect((await stat(path)).mode & 0o777).toBe(mode);
  });

  test.for([
    ['is not a database', 'notes'],
    ['is empty', ''],
    ['is a symbolic link', undefined],
  ] as const)('rejects a directory with files of others whose lanyard.db %s', async ([, text]) => {
    const path = await folder();
    await writeFile(join(path, 'note'), 'x');
    if (text === undefined) {
      const own = await folder();
      await (await openStore(own)).close();
      await symlink(join(own, 'lanyard.db'), join(path, 'lanyard.db'));
    } else await writeFile(join(path, 'lanyard.db'), text, { mode: 0o644 });
    await expect(openStore(path)).rejects.toMatchObject({
      reason: 'foreign',
      message: expect.stringContaining('its lanyard.db was not created by Lanyard'),
    });
    if (text === undefined) return;
    expect(await readFile(join(path, 'lanyard.db'), 'utf8')).toBe(text);
    expect((await stat(join(path, 'lanyard.db'))).mode & 0o777).toBe(0o644);
  });

  test('is not opened through a symbolic link', async () => {
    const path = await folder();
    await writeFile(join(path, 'target'), '');
    await symlink('target', join(path, 'lanyard.db'));
    await expect(openStore(path)).rejects.toMatchObject({ reason: 'foreign' });
    expect(await readFile(join(path, 'target'), 'utf8')).toBe('');
  });

  test('can be open only once', async () => {
    const path = await folder();
    const store = await openStore(path);
    await expect(openStore(path)).rejects.toMatchObject({
      reason: 'locked',
      message: expect.stringContaining(`${path}/lanyard.db is in use`),
    });
    await store.write([{ key: 'k', value: 1 }]);
    await store.close();
    await (await openStore(path)).close();
  });

  test('can be open only once in two processes', async () => {
    const path = await folder();
    const store = await openStore(path);
    const script = `
      const { openStore } = await import(${storeModule});
      await openStore(${JSON.stringify(path)}).catch((error) => console.log(error.reason));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    expect(stdout).toBe('locked\n');
    await store.close();
  });

  test('names the damaged file, and does not change it', async () => {
    const path = await folder();
    const file = join(path, 'lanyard.db');
    for (const spoil of [
      async () => writeFile(file, 'this is no database, whatever its name may say'.repeat(100)),
      async () => {
        await rm(file);
        const store = await openStore(path);
        await store.write(
          Array.from({ length: 300 }, (_, at) => ({ key: `k${at}`, value: 'x'.repeat(100) })),
        );
        await store.close();
        const bytes = await readFile(file);
        await writeFile(file, bytes.fill(0x55, 5000, 20000));
      },
    ]) {
      await spoil();
      const before = await readFile(file);
      await expect(openStore(path)).rejects.toMatchObject({
        reason: 'data',
        message: expect.stringContaining(`the database ${file} is damaged`),
      });
      expect((await readFile(file)).equals(before)).toBe(true);
    }
  });

  test('does not change a database of another program', async () => {
    const path = await folder();
    const script = `
      const { DatabaseSync } = await import('node:sqlite');
      new DatabaseSync(${JSON.stringify(join(path, 'lanyard.db'))}).exec('CREATE TABLE other (a)');`;
    await run(process.execPath, ['--input-type=module', '-e', script]);
    const before = await readFile(join(path, 'lanyard.db'));
    await expect(openStore(path)).rejects.toThrow('was not created by Lanyard');
    expect((await readFile(join(path, 'lanyard.db'))).equals(before)).toBe(true);
    expect(await readdir(path)).toEqual(['lanyard.db']);
  });

  test('suppresses only the warning that SQLite is experimental', async () => {
    const script = `
      const { openStore } = await import(${storeModule});
      const store = await openStore(${JSON.stringify(await folder())});
      process.emitWarning('keep me');
      await store.close();`;
    const { stderr } = await run(process.execPath, ['--input-type=module', '-e', script]);
    expect(stderr).toContain('keep me');
    expect(stderr).not.toContain('SQLite');
  });

  test('commits the writes of one turn together, of a key the last', async () => {
    const path = await folder();
    const store = await openStore(path);
    await store.write([{ key: 'removed', value: 1 }]);
    const writes = [
      store.write([
        { key: 'a', value: 1 },
        { key: 'b', value: 1 },
      ]),
      store.write([{ key: 'a' }, { key: 'removed', value: 2 }]),
      store.write([{ key: 'b', value: 2 }, { key: 'removed' }]),
      store.write([{ key: 'a', value: 3 }]),
    ];
    // Waits for all of them.
    await store.write([]);
    await store.close();
    await Promise.all(writes);
    const reopened = await openStore(path);
    expect(reopened.keys('').map((key) => [key, reopened.get(key)])).toEqual([
      ['a', 3],
      ['b', 2],
    ]);
    await reopened.close();
  });

  test('commits what was written when it is closed in the same turn', async () => {
    const path = await folder();
    const store = await openStore(path);
    const written = store.write([{ key: 'a', value: 1 }]);
    await store.close();
    await written;
    const reopened = await openStore(path);
    expect(reopened.get('a')).toBe(1);
    await reopened.close();
  });

  test('rolls back to what is on disk when a write fails, and works again when it can', async () => {
    const path = await folder();
    // No file may exceed 400 blocks of 512 bytes; the signal for it is ignored, so that the write fails.
    const script = `
      const { openStore } = await import(${storeModule});
      const store = await openStore(${JSON.stringify(path)});
      await store.write([{ key: 'small', value: 'before' }]);
      const first = store.write([{ key: 'small', value: 'between' }]);
      // Writes of one turn of the event loop are committed together.
      await new Promise(setImmediate);
      const outcomes = await Promise.allSettled([
        first,
        store.write([{ key: 'large', value: 'x'.repeat(1_000_000) }, { key: 'small', value: 'after' }]),
        store.write([{ key: 'other', value: 'built on it' }]),
      ]);
      const seen = { small: store.get('small'), keys: store.keys('') };
      await store.write([{ key: 'small', value: 'at last' }]);
      await store.close();
      console.log(JSON.stringify({ outcomes: outcomes.map(({ status, reason }) => reason?.message ?? status), seen }));`;
    const { stdout } = await run('/bin/sh', [
      '-c',
      `trap '' XFSZ; ulimit -f 400; exec "$0" --input-type=module -e "$1"`,
      process.execPath,
      script,
    ]);
    const { outcomes, seen } = JSON.parse(stdout);
    expect(outcomes).toEqual([
      'fulfilled',
      expect.stringContaining(`cannot write to ${path}/lanyard.db`),
      expect.stringContaining(`cannot write to ${path}/lanyard.db`),
    ]);
    expect(seen).toEqual({ small: 'between', keys: ['small'] });
    const store = await openStore(path);
    expect(store.get('small')).toBe('at last');
    await store.close();
  });
});
