import { spawnSync } from 'node:child_process';
import { closeSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { writeOut } from '../../../src/io/stdout.ts';
import { folderForAll } from '../../support/folders.ts';
import { smallDisk } from '../../support/small-disk.ts';

const root = folderForAll();

const program = [join(import.meta.dirname, 'write-out.ts')];

function writeTo(path: string, lines: number, bytes: number) {
  const file = openSync(path, 'w');
  const args = [...program, String(lines), String(bytes)];
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', file, 'pipe'] });
  closeSync(file);
  return { status, stderr: String(stderr) };
}

test('data written to a stream arrives completely', async () => {
  const stream = new PassThrough();
  const received = text(stream);
  expect(await writeOut(stream, 'one\n')).toBe(true);
  expect(await writeOut(stream, Buffer.from('two\n'))).toBe(true);
  stream.end();
  expect(await received).toBe('one\ntwo\n');
});

test('data written to a file arrives completely', () => {
  const path = join(root, 'out');
  expect(writeTo(path, 3, 1_000_000)).toEqual({ status: 0, stderr: 'all' });
  expect(statSync(path).size).toBe(3_000_003);
});

test('a pipe whose reader exits ends quietly', () => {
  const line = 'set -o pipefail; "$0" "$@" | head -1; echo $?';
  const { stdout, stderr } = spawnSync('bash', ['-c', line, process.execPath, ...program, '100000', '100']);
  expect(String(stdout)).toBe(`${'x'.repeat(100)}\n0\n`);
  expect(String(stderr)).toBe('closed');
});

test.skipIf(process.platform !== 'linux')('a full device is a failure', () => {
  expect(writeTo('/dev/full', 1, 10)).toEqual({
    status: 1,
    stderr: 'failure: cannot write to standard output: no space left on device',
  });
});

test('a disk that fills up halfway is a failure, and not a shorter success', async (context) => {
  const disk = await smallDisk();
  if (disk === undefined) return context.skip('mounting a disk needs more rights');
  expect(writeTo(join(disk, 'out'), 1, 8 * 1024 * 1024)).toEqual({
    status: 1,
    stderr: 'failure: cannot write to standard output: no space left on device',
  });
});
