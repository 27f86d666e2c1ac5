import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const run = (...argv: string[]): boolean => spawnSync(argv[0] ?? '', argv.slice(1)).status === 0;

/** A folder on a disk of 4 MiB and 1,000 files, gone with the test; undefined: this user may not mount one. */
export async function smallDisk(): Promise<string | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'lanyard-small-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  if (!run('mount', '-t', 'tmpfs', '-o', 'size=4m,nr_inodes=1000', 'tmpfs', directory)) return undefined;
  onTestFinished(() => {
    run('umount', '--lazy', directory);
  });
  return directory;
}
