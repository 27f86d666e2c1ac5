import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { immediateLocks, withLock } from '../../../src/config/lock.ts';
import { eventually } from '../../support/eventually.ts';
import { folderForAll } from '../../support/folders.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { setUmask } from '../../support/users.ts';

const root = folderForAll();

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'));
  file = join(folder, 'config.json');
});

const modeOf = (path: string) => statSync(path).mode & 0o777;

/** Takes the lock and holds it until it is told to let go. */
async function held(path = file) {
  const released = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const done = withLock(path, () => {
    taken.resolve();
    return released.promise;
  });
  await taken.promise;
  return async () => {
    released.resolve();
    await done;
  };
}

describe('a lock', () => {
  test('returns the result of the function, and leaves an empty file', async () => {
    expect(await withLock(file, async () => 'done')).toBe('done');
    expect(readdirSync(folder)).toEqual(['config.json.lock']);
    expect(statSync(`${file}.lock`).size).toBe(0);
  });

  test('runs one function at a time', async () => {
    let running = 0;
    const most: number[] = [];
    const work = async () => {
      most.push(++running);
      await pause(5);
      running--;
    };
    await Promise.all(Array.from({ length: 5 }, () => withLock(file, work)));
    expect(most).toEqual([1, 1, 1, 1, 1]);
  });

  test('is waited for until it is free', async () => {
    const release = await held();
    let had = false;
    const waiting = withLock(file, async () => {
      had = true;
    });
    await pause(200);
    expect(had).toBe(false);
    await release();
    await waiting;
    expect(had).toBe(true);
  });

  test('of another file is free', async () => {
    const release = await held();
    expect(await withLock(join(folder, 'other.json'), async () => 'done', 0)).toBe('done');
    await release();
  });

  test('is waited for only so long', async () => {
    const release = await held();
    await expect(withLock(file, async () => 'done', 50)).rejects.toMatchObject({
      kind: 'failure',
      message: `cannot lock ${file}.lock: held by another process for 0.05 s`,
      hint: 'Wait for the other lanyard command, or stop it, and try again.',
      retryable: true,
    });
    await release();
    expect(await withLock(file, async () => 'done', 0)).toBe('done');
  });

  test('is free again after the function failed', async () => {
    const failing = withLock(file, () => Promise.reject(new Error('failed')));
    await expect(failing).rejects.toThrow('failed');
    expect(await withLock(file, async () => 'done', 0)).toBe('done');
  });

  test.runIf(process.platform === 'linux')('leaves no file open', async () => {
    const open = () => readdirSync('/proc/self/fd').length;
    await withLock(file, async () => {});
    const before = open();
    for (let round = 0; round < 20; round++) {
      await withLock(file, async () => {});
      await withLock(file, () => Promise.reject(new Error('failed'))).catch(() => {});
    }
    await eventually(() => expect(open()).toBeLessThan(before + 10));
  });
});

describe('the file of a lock', () => {
  test.each([0o777, 0])('is created with mode 0600, with umask %i', async (mask) => {
    setUmask(mask);
    await withLock(file, async () => {});
    expect(modeOf(`${file}.lock`)).toBe(0o600);
  });

  test('keeps its mode', async () => {
    writeFileSync(`${file}.lock`, '');
    chmodSync(`${file}.lock`, 0o640);
    await withLock(file, async () => {});
    expect(modeOf(`${file}.lock`)).toBe(0o640);
  });

  const hint = 'The lock file is always empty; check that you can write to it.';

  test('is not written to a full disk: the error says so', async (context) => {
    const disk = await smallDisk();
    if (disk === undefined) return context.skip('mounting a disk needs more rights');
    const full = join(disk, 'config.json');
    const locked = () => withLock(full, async () => 'done');
    const fill = join(disk, 'fill');
    expect(() => writeFileSync(fill, Buffer.alloc(8 * 1024 * 1024))).toThrow('ENOSPC');
    const error = {
      kind: 'failure',
      message: `cannot lock ${full}.lock: no space left on device`,
      hint: 'Nothing was changed. Free disk space and run the command again.',
    };
    await expect(locked()).rejects.toMatchObject(error);
    await expect(immediateLocks().then(({ tryLock }) => tryLock(`${full}.lock`))).rejects.toMatchObject(
      error,
    );
    rmSync(fill);
    expect(await locked()).toBe('done');
    const createAll = () => {
      for (let index = 0; ; index += 1) writeFileSync(join(disk, String(index)), '');
    };
    expect(createAll).toThrow('ENOSPC');
    await expect(locked()).rejects.toMatchObject(error);
  });

  test('is needed: a folder in its place is an error, and so is a missing folder', async () => {
    mkdirSync(`${file}.lock`);
    const missing = join(folder, 'no', 'config.json');
    for (const [path, reason] of [
      [file, 'not a regular file'],
      [missing, 'unable to open database file'],
    ] as const) {
      await expect(withLock(path, async () => 'done')).rejects.toMatchObject({
        kind: 'failure',
        message: `cannot lock ${path}.lock: ${reason}`,
        hint,
        cause: expect.any(Error),
      });
    }
  });

  test('is not created through a link', async () => {
    symlinkSync('elsewhere', `${file}.lock`);
    const message = `cannot lock ${file}.lock: not a regular file`;
    await expect(withLock(file, async () => 'done')).rejects.toMatchObject({ kind: 'failure', message });
    expect(readdirSync(folder)).toEqual(['config.json.lock']);
  });

  test('is needed: a file that holds something else is an error, and is left unchanged', async () => {
    writeFileSync(`${file}.lock`, 'x'.repeat(1000));
    await expect(withLock(file, async () => 'done')).rejects.toMatchObject({
      kind: 'failure',
      message: `cannot lock ${file}.lock: file is not a database`,
      hint,
    });
    expect(statSync(`${file}.lock`).size).toBe(1000);
  });
});
