import { mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createDirectories, listFilesRecursively } from '../../../src/io/directories.ts';
import { folderForTest } from '../../support/folders.ts';

let root: string;
beforeEach(() => {
  root = folderForTest();
});

describe('the files below a folder', () => {
  test('are relative and sorted, without hidden ones', async () => {
    mkdirSync(join(root, 'b/c'), { recursive: true });
    mkdirSync(join(root, '.git'));
    for (const file of ['z', 'b/c/d', 'b/a', '.env', '.git/config']) writeFileSync(join(root, file), '');
    expect(await listFilesRecursively(root)).toEqual(['b/a', 'b/c/d', 'z']);
  });

  test.each([
    ['a link', () => symlinkSync('/etc', join(root, 'link')), /neither a file nor a directory/],
    ['no folder', () => rmSync(root, { recursive: true }), /no such directory/],
  ])('are rejected where there is %s', async (_what, prepare, message) => {
    prepare();
    await expect(listFilesRecursively(root)).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(message),
    });
    mkdirSync(root, { recursive: true });
  });
});

describe('folders', () => {
  test('are made of mode 0700, again and again', async () => {
    const folder = join(root, 'new');
    await createDirectories(folder, ['a/b', 'a/c']);
    await createDirectories(folder, ['a/b']);
    for (const path of ['', 'a', 'a/b', 'a/c']) expect(statSync(join(folder, path)).mode & 0o777).toBe(0o700);
  });

  test('are not made through a link, nor over a file', async () => {
    symlinkSync(tmpdir(), join(root, 'link'));
    writeFileSync(join(root, 'file'), '');
    for (const path of ['link/a', 'file/a'])
      await expect(createDirectories(root, [path])).rejects.toMatchObject({ kind: 'usage' });
  });
});
