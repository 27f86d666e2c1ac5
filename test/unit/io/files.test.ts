import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readText, writeFiles } from '../../../src/io/files.ts';
import { checkOutputFiles } from '../../../src/io/output-files.ts';
import { folderForAll } from '../../support/folders.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { setUmask } from '../../support/users.ts';

const root = folderForAll();

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'));
});
const at = (name: string) => join(folder, name);
const isRoot = process.getuid?.() === 0;

describe('reading a text file', () => {
  test('gives its text, without a byte order mark', async () => {
    writeFileSync(at('a'), '\uFEFFgrüße\n');
    expect(await readText(at('a'), 'the key')).toBe('grüße\n');
  });

  test('reads a pipe, as a shell makes it for <(command)', () => {
    const source = join(import.meta.dirname, '../../../src/io/files.ts');
    const program = `import { readText } from '${source}'; process.stdout.write(await readText(process.argv[2], 'it'));`;
    writeFileSync(at('read.mjs'), program);
    const line = '"$0" "$1" <(sleep 0.2; printf hello)';
    expect(String(execFileSync('bash', ['-c', line, process.execPath, at('read.mjs')]))).toBe('hello');
  });

  test.each<[string, () => void, string]>([
    ['missing', () => undefined, 'cannot read the key from PATH: no such file'],
    ['a folder', () => mkdirSync(at('a')), 'cannot read the key from PATH: is a directory'],
    [
      'longer than the limit',
      () => writeFileSync(at('a'), 'x'.repeat(101)),
      'cannot read the key from PATH: longer than 100 bytes',
    ],
    [
      'endless',
      () => symlinkSync('/dev/zero', at('a')),
      'cannot read the key from PATH: longer than 100 bytes',
    ],
    ['with a zero byte', () => writeFileSync(at('a'), 'a\0b'), 'the key in PATH is not UTF-8 text'],
    [
      'not UTF-8',
      () => writeFileSync(at('a'), Buffer.from([0x61, 0xff])),
      'the key in PATH is not UTF-8 text',
    ],
  ])('a file that is %s is a usage error', async (_, make, message) => {
    make();
    await expect(readText(at('a'), 'the key', 100)).rejects.toMatchObject({
      kind: 'usage',
      message: message.replace('PATH', at('a')),
    });
  });

  test('a file of just the limit is read', async () => {
    writeFileSync(at('a'), 'x'.repeat(100));
    expect(await readText(at('a'), 'the key', 100)).toHaveLength(100);
  });

  test.skipIf(isRoot)('a file without permission is a usage error', async () => {
    writeFileSync(at('a'), 'x');
    chmodSync(at('a'), 0);
    await expect(readText(at('a'), 'the key')).rejects.toMatchObject({
      kind: 'usage',
      message: `cannot read the key from ${at('a')}: permission denied`,
    });
  });
});

describe('writing files', () => {
  test('writes each with its mode, 0600 by default, whatever the umask', () => {
    setUmask(0o077);
    writeFiles([
      { path: at('key'), content: 'private' },
      { path: at('key.pub'), content: new Uint8Array([1, 2]), mode: 0o644 },
    ]);
    expect(readFileSync(at('key'), 'utf8')).toBe('private');
    expect([...readFileSync(at('key.pub'))]).toEqual([1, 2]);
    expect(statSync(at('key')).mode & 0o777).toBe(0o600);
    expect(statSync(at('key.pub')).mode & 0o777).toBe(0o644);
    expect(readdirSync(folder).sort()).toEqual(['key', 'key.pub']);
  });

  test('an existing file is rejected, and none of the others is written', () => {
    writeFileSync(at('key.pub'), 'old');
    const files = [
      { path: at('key'), content: 'new' },
      { path: at('key.pub'), content: 'new' },
    ];
    expect(() => writeFiles(files)).toThrow(
      expect.objectContaining({ kind: 'usage', message: `cannot write ${at('key.pub')}: already exists` }),
    );
    expect(readdirSync(folder)).toEqual(['key.pub']);
    expect(readFileSync(at('key.pub'), 'utf8')).toBe('old');
  });

  test('an existing file that may be replaced is a new file afterwards, complete and with its new mode', () => {
    writeFileSync(at('cert'), 'old', { mode: 0o644 });
    const before = statSync(at('cert')).ino;
    writeFiles([{ path: at('cert'), content: 'new', replace: true }]);
    expect(readFileSync(at('cert'), 'utf8')).toBe('new');
    expect(statSync(at('cert')).ino).not.toBe(before);
    expect(statSync(at('cert')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['cert']);
  });

  test.each([false, true])('a link is rejected and not followed (replace: %s)', (replace) => {
    writeFileSync(at('target'), 'old');
    symlinkSync(at('target'), at('link'));
    symlinkSync(at('nowhere'), at('dangling'));
    for (const name of ['link', 'dangling']) {
      expect(() => writeFiles([{ path: at(name), content: 'new', replace }])).toThrow(
        `cannot write ${at(name)}: it is a symbolic link`,
      );
    }
    expect(readFileSync(at('target'), 'utf8')).toBe('old');
    expect(readdirSync(folder).sort()).toEqual(['dangling', 'link', 'target']);
  });

  test('a folder or a device is rejected, also with replace', () => {
    mkdirSync(at('a'));
    const write = (path: string) => () => writeFiles([{ path, content: 'x', replace: true }]);
    expect(write(at('a'))).toThrow('it is not a regular file');
    expect(write('/dev/null')).toThrow('it is not a regular file');
  });

  test('a missing folder is named', () => {
    expect(() => writeFiles([{ path: at('no/key'), content: 'x' }])).toThrow(
      expect.objectContaining({
        kind: 'usage',
        message: `cannot write ${at('no/key')}: no such directory ${at('no')}`,
      }),
    );
  });

  test('targets can be checked before there is anything to write', () => {
    writeFileSync(at('key'), 'old');
    expect(() => checkOutputFiles([{ path: at('key') }])).toThrow('already exists');
    checkOutputFiles([{ path: at('key'), replace: true }, { path: at('new') }]);
  });

  test('a full disk is a failure that names the file, and leaves nothing behind', async (context) => {
    const disk = await smallDisk();
    if (disk === undefined) return context.skip('mounting a disk needs more rights');
    const path = join(disk, 'key');
    expect(() => writeFiles([{ path, content: 'x'.repeat(8 * 1024 * 1024) }])).toThrow(
      expect.objectContaining({ kind: 'failure', message: `cannot write ${path}: no space left on device` }),
    );
    expect(readdirSync(disk)).toEqual([]);
  });
});

describe('a temporary file', () => {
  const old = new Date(Date.now() - 3_600_000);

  test('that a killed run left is removed with the next write of its file', async () => {
    const source = join(import.meta.dirname, '../../../src/io/files.ts');
    writeFileSync(
      at('kill.mjs'),
      `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
       fs.linkSync = () => process.kill(process.pid, 'SIGKILL'); syncBuiltinESMExports();
       const { writeFiles } = await import('${source}'); writeFiles([{ path: process.argv[2], content: 'a' }]);`,
    );
    spawnSync(process.execPath, [at('kill.mjs'), at('key')]);
    const [name = ''] = readdirSync(folder).filter((each) => each.endsWith('.tmp'));
    expect(name).toMatch(/^\.key\./);
    utimesSync(at(name), old, old);
    rmSync(at('kill.mjs'));
    writeFiles([{ path: at('key'), content: 'new' }]);
    expect(readdirSync(folder)).toEqual(['key']);
  });
});
