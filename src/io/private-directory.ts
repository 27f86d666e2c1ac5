import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readlinkSync, statSync } from 'node:fs';
import { chmod, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

interface NewFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Makes a new folder of mode 0700, whose name begins with the prefix. */
export async function newFolder(prefix: string, parent: string = tmpdir()): Promise<NewFolder> {
  const path = await mkdtemp(join(parent, prefix));
  // Whatever the mask of the process is.
  await chmod(path, 0o700);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/**
 * Makes a new folder of mode 0700 in the system's temporary folder, and removes those of the user's processes that were
 * killed before they could remove theirs. The name contains the process ID.
 *
 * @param prefix `lanyard-`, a word and a hyphen.
 */
export async function createTemporaryDirectory(prefix: string): Promise<NewFolder> {
  await removeStale(tmpdir()).catch(() => undefined);
  return newFolder(`${prefix}${processes()}-${process.pid}-`);
}

const temporaryForm = /^lanyard-[a-z]+-([0-9a-f]{8})-([1-9]\d*)-[^-]{6}$/;

async function removeStale(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, space, pid] = temporaryForm.exec(name) ?? [];
    if (space !== processes() || isRunning(Number(pid))) continue;
    const path = join(parent, name);
    const there = await lstat(path);
    if (there.isDirectory() && there.uid === process.geteuid?.())
      await rm(path, { recursive: true, force: true });
  }
}

/** Identifies the processes whose IDs this one sees: containers that share a folder have other ones. */
function processes(): string {
  let space = '';
  try {
    space = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has namespaces of process IDs.
  }
  return createHash('sha256').update(`${hostname()} ${space}`).digest('hex').slice(0, 8);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/**
 * Makes a folder of mode 0700, and those above it, where there is none. Node's recursive `mkdir` would try for ever
 * where the system says ENOENT of a folder although there is one above it, as it does in /proc.
 *
 * @throws the error of the system.
 */
export function createPrivateDirectory(path: string): void {
  if (isDirectory(path)) return;
  if (dirname(path) !== path) createPrivateDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
    // Whatever the mask of the process is.
    chmodSync(path, 0o700);
  } catch (error) {
    // Somebody else may have been faster.
    if (!isDirectory(path)) throw error;
  }
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
