import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type SnapshotEnd, snapshotReader } from '../../../src/io/snapshot-archive.ts';
import { snapshotFile, tarOf } from '../../support/snapshot-file.ts';

async function read(bytes: Uint8Array, end: SnapshotEnd = 'SHA256SUMS.sealed', size = bytes.length) {
  const reader = snapshotReader('a.snap', end);
  for (let at = 0; at < bytes.length; at += size) await reader.write(bytes.subarray(at, at + size));
  return reader.end();
}

test.each([1, 7, 511, 512, 1_000_000])('reads a snapshot from chunks of %i bytes', async (size) => {
  const { meta, files } = await read(snapshotFile(), 'SHA256SUMS.sealed', size);
  expect(meta).toMatchObject({ Index: 33, Term: 3 });
  expect(files.map(({ name }) => name)).toEqual([
    'meta.json',
    'state.bin',
    'SHA256SUMS',
    'SHA256SUMS.sealed',
  ]);
});

test('accepts a snapshot without sealed checksums only where the product writes none', async () => {
  const file = snapshotFile({ sealed: undefined });
  await expect(read(file, 'SHA256SUMS')).resolves.toMatchObject({ meta: { Index: 33 } });
  await expect(read(file)).rejects.toThrow(
    'invalid snapshot a.snap: incomplete: SHA256SUMS.sealed is missing',
  );
  await expect(read(snapshotFile({ sealed: '' }))).rejects.toThrow('SHA256SUMS.sealed is missing');
});

test('rejects every snapshot that is cut off', async () => {
  const file = snapshotFile();
  for (const length of [1, 10, 100, Math.floor(file.length / 2), file.length - 1])
    await expect(read(file.subarray(0, length)), String(length)).rejects.toThrow('invalid snapshot');
});

test('rejects an archive that is cut off before it was compressed', async () => {
  const tar = gunzipSync(snapshotFile());
  for (const length of [512, 700, 2048, tar.length - 1024])
    await expect(read(gzipSync(tar.subarray(0, length))), String(length)).rejects.toThrow('invalid snapshot');
});

test('rejects a snapshot with another checksum, and files that are none', async () => {
  const file = snapshotFile({ sums: (name) => (name === 'state.bin' ? '0'.repeat(64) : undefined) });
  await expect(read(file)).rejects.toThrow('checksum mismatch of state.bin');
  const text = Buffer.from('{"keys": []}');
  await expect(read(text)).rejects.toThrow('not a gzip file with a tar archive');
  await expect(read(gzipSync(text))).rejects.toThrow('invalid snapshot');
  await expect(read(gzipSync(randomBlocks()))).rejects.toThrow('not a gzip file with a tar archive');
});

test('reads the size of an extended header, which Go writes for large files', async () => {
  const meta = '{"Index":1}';
  const state = 'x'.repeat(700);
  const sum = (text: string) => createHash('sha256').update(text).digest('hex');
  const sums = `${sum(meta)}  meta.json\n${sum(state)}  state.bin\n`;
  const tar = tarOf([
    ['meta.json', meta],
    ['pax', `${'00 size=700\n'.replace('00', '12')}`, 'x'],
    ['state.bin', state, '0', 0],
    ['SHA256SUMS', sums],
  ]);
  const { files } = await read(gzipSync(tar), 'SHA256SUMS');
  expect(files[1]).toMatchObject({ name: 'state.bin', size: 700 });
});

const randomBlocks = (): Buffer => createHash('shake256', { outputLength: 2048 }).update('seed').digest();
