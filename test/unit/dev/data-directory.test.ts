import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { keyFile } from '../../../src/dev/data-directory.ts';
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
