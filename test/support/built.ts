import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** What the build reads. A directory is newer when a file was removed from it. */
const sources = ['src', 'scripts', 'completions', 'docs/guides'];

const changed = (path: string): number => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Before the tests that start the built program: builds it, unless it is newer than its sources. */
export async function setup(): Promise<void> {
  const newest = sources
    .flatMap((folder) => [
      folder,
      ...readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, String(file))),
    ])
    .map(changed);
  if (Math.max(...newest, changed('package.json')) > changed('dist/meta.json'))
    await import('../../scripts/build.ts');
}
