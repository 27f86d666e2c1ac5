import { chmodSync, existsSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createPrivateDirectory } from '../../../src/config/private-directory.ts';
import { folderForAll } from '../../support/folders.ts';
import { patchChmod } from '../../support/patched-fs.ts';
import { setUmask } from '../../support/users.ts';

const root = folderForAll();

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'));
});
const at = (name: string) => join(folder, name);
const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('the folder of the configuration', () => {
  test.each([0o777, 0])('is created with its parents, all with mode 0700, with umask %i', async (mask) => {
    setUmask(mask);
    await createPrivateDirectory(at('a/b/c'));
    for (const name of ['a', 'a/b', 'a/b/c']) expect(modeOf(at(name))).toBe(0o700);
  });

  test('is open to others at no time', async () => {
    const modes: number[] = [];
    patchChmod((real) => async (path: string, mode: number) => {
      modes.push(modeOf(path));
      await real(path, mode);
    });
    setUmask(0);
    await createPrivateDirectory(at('a/b'));
    expect(modes).toEqual([0o700, 0o700]);
  });

  test('keeps its mode', async () => {
    mkdirSync(at('a'));
    chmodSync(at('a'), 0o755);
    await createPrivateDirectory(at('a'));
    expect(modeOf(at('a'))).toBe(0o755);
    await createPrivateDirectory(at('a/b'));
    expect(modeOf(at('a'))).toBe(0o755);
  });

  test('may be created concurrently', async () => {
    await Promise.all(Array.from({ length: 20 }, () => createPrivateDirectory(at('a/b/c/d'))));
    expect(modeOf(at('a/b/c/d'))).toBe(0o700);
  });

  test('is not created where there is a file, nor below one', async () => {
    writeFileSync(at('a'), 'x');
    await expect(createPrivateDirectory(at('a'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(createPrivateDirectory(at('a/b'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    expect(statSync(at('a')).size).toBe(1);
  });

  test.runIf(existsSync('/proc/self'))('is not created where the system allows none', async () => {
    await expect(createPrivateDirectory('/proc/self/a/b')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
