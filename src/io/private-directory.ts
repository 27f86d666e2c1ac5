import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readlinkSync, rmSync, type Stats, statSync } from 'node:fs';
import { chmod, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { osFailure } from '../errors.ts';

/**
 * Creates a new directory of mode 0700, whose name begins with the prefix.
 *
 * @throws LanyardError failure: the parent is missing or not writable
 */
export async function newFolder(prefix: string, parent: string = tmpdir()) {
  const path = await mkdtemp(join(parent, prefix)).catch((cause) => {
    throw osFailure(`create a directory in ${parent}`, cause);
  });
  // Whatever the umask.
  await chmod(path, 0o700);
  return { path, remove: (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}

/** A directory of this process. */
export interface TemporaryDirectory {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Creates a new directory of mode 0700 in the system's temporary directory, and removes those that killed processes
 * of the user left. The name contains the process ID. It is removed at the latest when this process exits, which a
 * second signal may cause at any time.
 *
 * @param prefix `lanyard-`, a word and a hyphen.
 */
export async function createTemporaryDirectory(
  prefix: string,
  parent: string = tmpdir(),
): Promise<TemporaryDirectory> {
  await removeStale(parent).catch(() => undefined);
  const { path, remove } = await newFolder(`${prefix}${processes()}-${process.pid}-`, parent);
  const removeAtExit = (): void => rmSync(path, { recursive: true, force: true });
  process.once('exit', removeAtExit);
  return {
    path,
    async remove(): Promise<void> {
      await remove();
      process.removeListener('exit', removeAtExit);
    },
  };
}

/** The user's private runtime directory; undefined: none. */
export function runtimeDirectory({
  XDG_RUNTIME_DIR: path,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  if (!path || !isAbsolute(path)) return undefined;
  let stats: Stats;
  try {
    stats = statSync(path);
  } catch {
    return undefined;
  }
  const isOwn = stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
  return isOwn ? normalize(path).replace(/(?<=.)\/+$/, '') : undefined;
}

const temporaryForm = /^lanyard-[a-z]+-([0-9a-f]{8})-([1-9]\d*)-[^-]{6}$/;

async function removeStale(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, space, pid] = temporaryForm.exec(name) ?? [];
    if (space !== processes() || isRunning(Number(pid))) continue;
    const path = join(parent, name);
    const entry = await lstat(path);
    if (entry.isDirectory() && entry.uid === process.geteuid?.())
      await rm(path, { recursive: true, force: true });
  }
}

/** Identifies the namespace of process IDs: containers that share a directory have different ones. */
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
 * Creates a directory of mode 0700, and missing parents. Node's recursive `mkdir` would loop forever if the system
 * reports ENOENT although the parent exists, as in /proc.
 *
 * @throws the error of the system.
 */
export function createPrivateDirectory(path: string): void {
  if (isDirectory(path)) return;
  if (dirname(path) !== path) createPrivateDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
    // Whatever the umask.
    chmodSync(path, 0o700);
  } catch (error) {
    // Another process may have created it.
    if (!isDirectory(path)) throw error;
  }
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
