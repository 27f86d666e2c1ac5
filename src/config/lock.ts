import { randomInt } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, rmSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { LanyardError, osFailure } from '../errors.ts';

const defaultTimeoutMs = 20_000;
const lockHint = 'The lock file is always empty; check that you can write to it.';
const fullHint = 'Nothing was changed. Free disk space and run the command again.';
/** SQLITE_BUSY: another process holds it. */
const sqliteBusy = 5;
/** SQLITE_FULL */
const sqliteFull = 13;
/** SQLITE_CANTOPEN */
const sqliteCannotOpen = 14;

/**
 * Runs `work` while this process holds the lock of `file`; other processes wait, up to `timeoutMs`.
 *
 * The lock is SQLite's on `<file>.lock`, an empty database that is kept: the kernel releases it when the process ends
 * in any way, including SIGKILL, so no lock is ever stale. With a lock directory or lock file, a waiting process must
 * remove a stale one, and two processes could then both believe that they hold it (docs/adr/0004 has the
 * measurement).
 *
 * @param file an absolute path in a directory that exists.
 * @throws LanyardError failure: the lock cannot be acquired.
 */
export async function withLock<Result>(
  file: string,
  work: () => Promise<Result>,
  timeoutMs = defaultTimeoutMs,
): Promise<Result> {
  const path = `${file}.lock`;
  const lock = await open(path);
  try {
    await acquire(lock, path, timeoutMs);
    return await work();
  } finally {
    lock.close();
  }
}

/**
 * As {@link withLock}, for a lock file that its holder may remove: a process that waited for a removed file locks the
 * new one.
 */
export async function withRemovableLock<Result>(
  file: string,
  work: () => Promise<Result>,
  timeoutMs = defaultTimeoutMs,
): Promise<Result> {
  const path = `${file}.lock`;
  for (;;) {
    const lock = await open(path);
    try {
      const opened = lstatSync(path, { throwIfNoEntry: false })?.ino;
      await acquire(lock, path, timeoutMs);
      if (opened !== undefined && lstatSync(path, { throwIfNoEntry: false })?.ino === opened)
        return await work();
    } finally {
      lock.close();
      // SQLite's own file, which it would have removed at its next use.
      if (!existsSync(path)) rmSync(`${path}-journal`, { force: true });
    }
  }
}

/**
 * Locks without waiting, for code that already holds another lock. They are released with the process, as those of
 * {@link withLock}.
 */
export async function immediateLocks() {
  const sqlite = await import('node:sqlite');
  return {
    /** @returns releases the lock; undefined: another process holds it. @throws LanyardError failure. */
    tryLock(path: string): (() => void) | undefined {
      const lock = openWith(sqlite, path);
      try {
        if (tryAcquire(lock, path)) return () => lock.close();
      } catch (error) {
        lock.close();
        throw error;
      }
      lock.close();
      return undefined;
    },
  };
}

const open = async (path: string): Promise<DatabaseSync> => openWith(await import('node:sqlite'), path);

function openWith({ DatabaseSync }: typeof import('node:sqlite'), path: string): DatabaseSync {
  try {
    // SQLite would follow a link, and create its target.
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats && !stats.isFile()) throw new Error('not a regular file');
    const isNew = stats === undefined;
    const lock = new DatabaseSync(path);
    // Whatever the umask.
    if (isNew) chmodSync(path, 0o600);
    return lock;
  } catch (error) {
    throw lockFailure(path, error);
  }
}

/** SQLite does not say why it cannot create a file. */
function lockFailure(path: string, error: unknown): LanyardError {
  const { errcode } = error as { readonly errcode?: unknown };
  if (errcode !== sqliteFull && !(errcode === sqliteCannotOpen && isFull(dirname(path))))
    return osFailure(`lock ${path}`, error, lockHint);
  return new LanyardError('failure', `cannot lock ${path}: no space left on device`, {
    hint: fullHint,
    cause: error,
  });
}

/** Whether a file system has no space or no inodes left. */
function isFull(directory: string): boolean {
  try {
    const { bavail, files, ffree } = statfsSync(directory);
    return bavail === 0 || (files > 0 && ffree === 0);
  } catch {
    return false;
  }
}

async function acquire(lock: DatabaseSync, path: string, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    if (tryAcquire(lock, path)) return;
    if (performance.now() > deadline) {
      throw new LanyardError(
        'failure',
        `cannot lock ${path}: held by another process for ${timeoutMs / 1000} s`,
        { hint: 'Wait for the other lanyard command, or stop it, and try again.', retryable: true },
      );
    }
    // Random pauses, so that waiting processes do not retry at the same moment.
    await delay(randomInt(2, 20));
  }
}

/** @returns whether it is locked; false: another process holds it. */
function tryAcquire(lock: DatabaseSync, path: string): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    const { errcode } = error as { readonly errcode?: unknown };
    if (errcode === sqliteBusy) return false;
    throw lockFailure(path, error);
  }
}
