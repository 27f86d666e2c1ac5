import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'lanyard-test-'));
const remove = (path: string): void => rmSync(path, { recursive: true, force: true });

/** A temporary folder for all tests of the file or block, removed after the last one. */
export function folderForAll(): string {
  const path = temporaryFolder();
  afterAll(() => remove(path));
  return path;
}

/** A temporary folder for the running test, removed after it. */
export function folderForTest(): string {
  const path = temporaryFolder();
  onTestFinished(() => remove(path));
  return path;
}
