import { existsSync, lstatSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMemoryFiles } from '../../../src/io/memory-files.ts';
import { folderForAll } from '../../support/folders.ts';

const tmpfs = 0x01021994;
const hasMemory =
  process.platform === 'linux' && existsSync('/dev/shm') && statfsSync('/dev/shm').type === tmpfs;
const onDisk = folderForAll();

describe.skipIf(!hasMemory)('files in memory', () => {
  test('are private, replaced together and removed', async () => {
    // A runtime directory on a disk is not used.
    const files = await createMemoryFiles({ XDG_RUNTIME_DIR: onDisk });
    const root = dirname(files.path);
    try {
      expect(statfsSync(root).type).toBe(tmpfs);
      expect(statSync(root).mode & 0o777).toBe(0o700);
      await (await files.prepare({ A: '1', B: 'x\n' }))();
      expect(readFileSync(join(files.path, 'B'), 'utf8')).toBe('x\n');
      expect(statSync(join(files.path, 'A')).mode & 0o777).toBe(0o600);
      expect(lstatSync(files.path).isSymbolicLink()).toBe(true);
      const publish = await files.prepare({ A: '2' });
      expect(readFileSync(join(files.path, 'A'), 'utf8')).toBe('1');
      await publish();
      expect(readdirSync(files.path)).toEqual(['A']);
      expect(readFileSync(join(files.path, 'A'), 'utf8')).toBe('2');
      await (await files.prepare({ A: '3' }))();
      // The values before the last ones do not remain.
      expect(readdirSync(root).sort()).toEqual(['2', '3', 'current']);
    } finally {
      await files.remove();
    }
    expect(existsSync(root)).toBe(false);
  });

  test('keep the current ones if new ones cannot be written', async () => {
    const files = await createMemoryFiles({});
    try {
      await (await files.prepare({ A: '1' }))();
      await expect(files.prepare({ A: '2', 'no/such': 'x' })).rejects.toMatchObject({ kind: 'failure' });
      expect(readFileSync(join(files.path, 'A'), 'utf8')).toBe('1');
      await (await files.prepare({ A: '3' }))();
      expect(readFileSync(join(files.path, 'A'), 'utf8')).toBe('3');
    } finally {
      await files.remove();
    }
  });
});
