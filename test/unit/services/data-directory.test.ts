import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, link, open, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { keyFile, prepareDirectory } from '../../../src/services/data-directory.ts';
import { folder } from './support.ts';

afterEach(() => vi.restoreAllMocks());

/** Replaces the next directory sync with `work`. */
async function insteadOfSync(directory: string, work: () => Promise<void>): Promise<void> {
  const handle = await open(directory, 'r');
  vi.spyOn(Object.getPrototypeOf(handle), 'sync').mockImplementationOnce(work);
  await handle.close();
}

describe('a key file', () => {
  test('gets its name only once it is completely on disk', async () => {
    const directory = await folder();
    const file = keyFile(directory, 'secrets');
    const seen: boolean[] = [];
    await insteadOfSync(directory, async () => void seen.push(existsSync(file.path)));
    const key = randomBytes(32);
    await file.create(key);
    expect(seen).toEqual([false]);
    expect(Buffer.from((await file.read()) ?? [])).toEqual(key);
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    expect(await readdir(directory)).toEqual(['secrets.key']);
  });

  test('does not exist after a failed write, and can then be written', async () => {
    const directory = await folder();
    const file = keyFile(directory, 'secrets');
    await insteadOfSync(directory, () => Promise.reject(new Error('the disk is gone')));
    await expect(file.create(randomBytes(32))).rejects.toThrow(
      `cannot write the key file ${file.path}: the disk is gone`,
    );
    expect(await readdir(directory)).toEqual([]);
    await file.create(randomBytes(32));
    expect(await file.read()).toHaveLength(32);
  });

  test('replaces a truncated file left by a crash, and never an existing key file', async () => {
    const directory = await folder();
    const file = keyFile(directory, 'secrets');
    await writeFile(join(directory, 'secrets.key.new'), '12');
    expect(await file.read()).toBeUndefined();
    const key = randomBytes(32);
    await file.create(key);
    await expect(file.create(randomBytes(32))).rejects.toThrow(`cannot write the key file ${file.path}`);
    expect(Buffer.from((await file.read()) ?? [])).toEqual(key);
    expect(await readdir(directory)).toEqual(['secrets.key']);
  });
});

describe('a data directory', () => {
  test('is used after a crash between the two names of a key file, and loses the second one', async () => {
    const directory = await folder();
    await chmod(directory, 0o700);
    await writeFile(join(directory, 'lanyard.db'), '');
    const key = randomBytes(32);
    await keyFile(directory, 'secrets').create(key);
    await link(join(directory, 'secrets.key'), join(directory, 'secrets.key.new'));
    await prepareDirectory(directory);
    expect((await readdir(directory)).sort()).toEqual(['lanyard.db', 'secrets.key']);
    expect(Buffer.from((await keyFile(directory, 'secrets').read()) ?? [])).toEqual(key);
  });

  test.each(['lanyard.db', 'secrets.key', 'secrets.key.new'])(
    'is rejected if %s has a name elsewhere; the command in the error copies it',
    async (name) => {
      const [directory, elsewhere] = [await folder(), await folder()];
      await chmod(directory, 0o700);
      for (const each of new Set(['lanyard.db', name])) await writeFile(join(directory, each), '');
      await link(join(directory, name), join(elsewhere, 'other'));
      const copy = join(elsewhere, 'copy');
      const message = `cannot use the data directory ${directory}: ${name} has other hard links; use a copy without them: cp -a ${directory} NEW`;
      await expect(prepareDirectory(directory)).rejects.toThrow(message);
      execFileSync('cp', ['-a', directory, copy]);
      await prepareDirectory(copy);
    },
  );
});
