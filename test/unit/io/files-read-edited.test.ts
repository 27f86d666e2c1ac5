import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { listDirectory } from '../../../src/io/directories.ts';
import { editFile } from '../../../src/io/edit-file.ts';
import {
  createDirectory,
  decodeAnyText,
  decodeText,
  exists,
  isFile,
  readBytes,
  readText,
  removeFile,
} from '../../../src/io/files.ts';
import { eventually } from '../../support/eventually.ts';
import { folderForAll } from '../../support/folders.ts';

const root = folderForAll();

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'));
});
const at = (name: string) => join(folder, name);
const modeOf = (name: string) => statSync(at(name)).mode & 0o7777;

describe('text', () => {
  const bytes = (...more: number[]) => Uint8Array.from([0x61, ...more]);

  test('is UTF-8, and nothing else', () => {
    for (const decode of [decodeText, decodeAnyText]) {
      expect(decode(Buffer.from('grüße 👩'), 'it')).toBe('grüße 👩');
      expect(() => decode(bytes(0xff), 'it')).toThrow(
        expect.objectContaining({ kind: 'usage', message: 'it is not UTF-8 text' }),
      );
    }
  });

  test('has neither a byte order mark nor a null byte, unless it is kept unchanged', () => {
    const marked = Buffer.from('\uFEFFa');
    expect(decodeText(marked, 'it')).toBe('a');
    expect(decodeAnyText(marked, 'it')).toBe('\uFEFFa');
    expect(() => decodeText(bytes(0), 'it')).toThrow('it is not UTF-8 text');
    expect(decodeAnyText(bytes(0), 'it')).toBe('a\0');
  });
});

describe('reading a file', () => {
  test('has a limit of 1 MiB by default', async () => {
    const limit = 1024 * 1024;
    writeFileSync(at('a'), 'x'.repeat(limit));
    expect(await readText(at('a'), 'the key')).toHaveLength(limit);
    writeFileSync(at('a'), 'x'.repeat(limit + 1));
    await expect(readText(at('a'), 'the key')).rejects.toMatchObject({
      kind: 'usage',
      message: `cannot read the key from ${at('a')}: longer than 1048576 bytes`,
    });
  });

  test('decodes it in the given encoding', async () => {
    writeFileSync(at('a'), '\uFEFFa\0');
    expect(await readText(at('a'), 'the value', 100, { decode: decodeAnyText })).toBe('\uFEFFa\0');
  });

  test('returns bytes that are no text', async () => {
    writeFileSync(at('a'), Uint8Array.of(0, 0xff));
    expect([...(await readBytes(at('a'), 'it', 2))]).toEqual([0, 0xff]);
    writeFileSync(at('a'), '');
    expect(await readBytes(at('a'), 'it', 0)).toHaveLength(0);
  });

  test('below a file is a usage error', async () => {
    writeFileSync(at('a'), '');
    await expect(readBytes(at('a/b'), 'it', 1)).rejects.toMatchObject({
      kind: 'usage',
      message: `cannot read it from ${at('a/b')}: not a directory`,
      cause: expect.objectContaining({ code: 'ENOTDIR' }),
    });
  });

  test.runIf(process.platform === 'linux')('leaves no file open', async () => {
    const isOpen = () =>
      readdirSync('/proc/self/fd').some((file) => {
        try {
          return readlinkSync(`/proc/self/fd/${file}`) === at('a');
        } catch {
          // That of the list itself is closed by now.
          return false;
        }
      });
    writeFileSync(at('a'), '12345');
    for (let round = 0; round < 20; round++) {
      await readBytes(at('a'), 'it', 5);
      expect(isOpen()).toBe(false);
      await expect(readBytes(at('a'), 'it', 4)).rejects.toMatchObject({ kind: 'usage' });
      await eventually(() => expect(isOpen()).toBe(false));
    }
  });
});

describe('a folder', () => {
  test('is listed in the order of its names', () => {
    // The order of the system is another one for the last two.
    const names = ['b', 'a', 'B', '10', '9', '\u{1f600}', '\ufffd'];
    for (const name of names) writeFileSync(at(name), '');
    expect(listDirectory(folder)).toEqual([...names].sort());
  });

  test('is not listed where there is a file, and is an error where there is nothing', () => {
    writeFileSync(at('a'), '');
    expect(listDirectory(at('a'))).toBeUndefined();
    expect(() => listDirectory(at('b'))).toThrow(
      expect.objectContaining({
        kind: 'usage',
        message: `cannot read ${at('b')}: no such file or directory`,
        cause: expect.objectContaining({ code: 'ENOENT' }),
      }),
    );
  });

  test('is created for its owner alone, and an error where there is a file', () => {
    createDirectory(at('a/b'));
    expect([modeOf('a'), modeOf('a/b')]).toEqual([0o700, 0o700]);
    writeFileSync(at('c'), '');
    expect(() => createDirectory(at('c'))).toThrow(
      expect.objectContaining({ kind: 'failure', message: `cannot write ${at('c')}: file already exists` }),
    );
  });
});

describe('editing a file', () => {
  const edit = (change: (text: string) => string) =>
    editFile({ path: at('a'), what: 'the file', mode: 0o640 }, change);

  test('replaces its text, and keeps its mode', async () => {
    writeFileSync(at('a'), 'old');
    chmodSync(at('a'), 0o1604);
    const { ino } = statSync(at('a'));
    expect(await edit((text) => `${text} and new`)).toBe(true);
    expect(readFileSync(at('a'), 'utf8')).toBe('old and new');
    expect(modeOf('a')).toBe(0o1604);
    expect(statSync(at('a')).ino).not.toBe(ino);
    expect(readdirSync(folder)).toEqual(['a']);
  });

  test('leaves it alone when its text is the same', async () => {
    writeFileSync(at('a'), 'old');
    const { ino } = statSync(at('a'));
    expect(await edit((text) => text)).toBe(false);
    expect(statSync(at('a')).ino).toBe(ino);
  });

  test('creates it with the given mode, also when it is empty', async () => {
    const seen: string[] = [];
    expect(
      await edit((text) => {
        seen.push(text);
        return '';
      }),
    ).toBe(true);
    expect(seen).toEqual(['']);
    expect([statSync(at('a')).size, modeOf('a')]).toEqual([0, 0o640]);
  });

  test('rejects a link before it is read', async () => {
    writeFileSync(at('b'), 'old');
    symlinkSync('b', at('a'));
    let changed = false;
    await expect(
      edit(() => {
        changed = true;
        return 'new';
      }),
    ).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining('it is a symbolic link') });
    expect(changed).toBe(false);
    expect(readFileSync(at('b'), 'utf8')).toBe('old');
  });

  test('rejects a file of more than 64 MiB', async () => {
    writeFileSync(at('a'), '');
    truncateSync(at('a'), 64 * 1024 * 1024 + 1);
    await expect(edit(() => 'new')).rejects.toMatchObject({
      message: `cannot read the file from ${at('a')}: longer than 67108864 bytes`,
    });
  });
});

describe('removing a file', () => {
  test('removes it, and succeeds if it does not exist', () => {
    writeFileSync(at('a'), '');
    removeFile(at('a'));
    expect(existsSync(at('a'))).toBe(false);
    removeFile(at('a'));
  });

  test('fails for a folder', () => {
    mkdirSync(at('a'));
    expect(() => removeFile(at('a'))).toThrow(
      expect.objectContaining({
        kind: 'failure',
        message: expect.stringContaining(`cannot remove ${at('a')}: Path is a directory`),
        cause: expect.any(Error),
      }),
    );
  });
});

test('a regular file and a link to one are files', () => {
  writeFileSync(at('file'), '');
  symlinkSync(at('file'), at('link'));
  symlinkSync(at('none'), at('dangling'));
  expect(['file', 'link'].map((name) => isFile(at(name)))).toEqual([true, true]);
  expect(['', 'none', 'dangling', 'file/a'].map((name) => isFile(at(name)))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('a path exists if there is anything, also a link that leads nowhere', () => {
  writeFileSync(at('file'), '');
  symlinkSync('nowhere', at('link'));
  expect(['', 'file', 'link'].map((name) => exists(at(name)))).toEqual([true, true, true]);
  expect(['none', 'none/a', 'file/a'].map((name) => exists(at(name)))).toEqual([false, false, false]);
  expect(() => exists(at('x'.repeat(300)))).toThrow('ENAMETOOLONG');
});
