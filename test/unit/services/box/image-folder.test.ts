import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ImageFolder } from '../../../../src/services/box/images/image-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'lanyard-folder-'));
beforeAll(() => void vi.stubEnv('TMPDIR', root));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

const name = () => 'a'.repeat(32);
const none = new Set<never>();

test('an upload that begins after the end creates no directory', async () => {
  const folder = new ImageFolder(undefined, name);
  await folder.close();
  await expect(folder.receive((async function* () {})(), none)).rejects.toMatchObject({ status: 503 });
  expect(readdirSync(root)).toEqual([]);
});

test('an upload that runs at the end leaves nothing', async () => {
  const folder = new ImageFolder(undefined, name);
  const started = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const receiving = folder.receive(
    (async function* () {
      yield new Uint8Array(1);
      started.resolve();
      await end.promise;
      throw new Error('cut off');
    })(),
    none,
  );
  await started.promise;
  const listeners = process.listenerCount('exit');
  await folder.close();
  expect(readdirSync(root)).toEqual([]);
  expect(process.listenerCount('exit')).toBe(listeners - 1);
  end.resolve();
  await expect(receiving).rejects.toThrow('cut off');
  expect(readdirSync(root)).toEqual([]);
});
