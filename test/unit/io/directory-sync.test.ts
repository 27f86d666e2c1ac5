import { join } from 'node:path';
import { expect, test } from 'vitest';
import { syncDirectoryTogether } from '../../../src/io/directory-sync.ts';
import { folderForTest } from '../../support/folders.ts';

test('calls that come during a sync share the next one', async () => {
  const path = folderForTest();
  const first = syncDirectoryTogether(path);
  const [second, third] = [syncDirectoryTogether(path), syncDirectoryTogether(path)];
  expect(second).not.toBe(first);
  expect(third).toBe(second);
  const ended: string[] = [];
  await Promise.all([first.then(() => ended.push('first')), second.then(() => ended.push('second'))]);
  expect(ended).toEqual(['first', 'second']);
});

test('a call after the last sync starts one', async () => {
  const path = folderForTest();
  const first = syncDirectoryTogether(path);
  await first;
  const second = syncDirectoryTogether(path);
  expect(second).not.toBe(first);
  await second;
});

test('another directory has a sync of its own', async () => {
  const syncs = [folderForTest(), folderForTest()].map(syncDirectoryTogether);
  expect(syncs[0]).not.toBe(syncs[1]);
  await Promise.all(syncs);
});

test('a directory that cannot be synced is not an error', async () => {
  await expect(syncDirectoryTogether(join(folderForTest(), 'missing'))).resolves.toBeUndefined();
});
