import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appendFiles } from '../../../src/io/append-files.ts';
import { folderForAll } from '../../support/folders.ts';
import { smallDisk } from '../../support/small-disk.ts';

const directory = folderForAll();

function file(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}
const read = (path: string): string => readFileSync(path, 'utf8');

test('appends to each file, after a newline where the last line is not terminated', () => {
  const [empty, terminated, open] = [file('empty', ''), file('terminated', 'a\n'), file('open', 'a')];
  appendFiles([empty, terminated, open].map((path) => ({ path, content: 'ü\n' })));
  expect([empty, terminated, open].map(read)).toEqual(['ü\n', 'a\nü\n', 'a\nü\n']);
});

test.each([
  ['missing', () => join(directory, 'missing'), 'no such file or directory'],
  ['a directory', () => directory, 'illegal operation on a directory'],
  ['a device', () => '/dev/null', 'it is not a regular file'],
])('changes no file if one is %s', (_, other, message) => {
  const first = file('first', 'kept\n');
  const append = () => appendFiles([first, other()].map((path) => ({ path, content: 'x\n' })));
  expect(append).toThrow(
    expect.objectContaining({ kind: 'usage', message: expect.stringContaining(message) }),
  );
  expect(read(first)).toBe('kept\n');
});

test.skipIf(process.getuid?.() === 0)('changes no file if one is not writable', () => {
  const [first, second] = [file('first', 'kept\n'), file('second', 'kept\n')];
  chmodSync(second, 0o400);
  const append = () => appendFiles([first, second].map((path) => ({ path, content: 'x\n' })));
  expect(append).toThrow(expect.objectContaining({ kind: 'usage' }));
  expect(read(first)).toBe('kept\n');
});

test('a full disk leaves all files as they were', async ({ skip }) => {
  const disk = await smallDisk();
  if (disk === undefined) return skip('needs the right to mount');
  const [first, second] = [file('first', 'kept\n'), join(disk, 'second')];
  writeFileSync(second, 'kept\n');
  const append = () =>
    appendFiles([
      { path: first, content: 'x\n' },
      { path: second, content: 'x'.repeat(8 * 1024 * 1024) },
    ]);
  expect(append).toThrow(
    expect.objectContaining({ kind: 'failure', message: expect.stringContaining('no space') }),
  );
  expect(read(first)).toBe('kept\n');
  expect(read(second)).toBe('kept\n');
});
