import { randomInt } from 'node:crypto';
import { chmodSync, lstatSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { LanyardError, osErrorMessage } from '../errors.ts';

/** Milliseconds. */
const defaultTimeoutMs = 20_000;
/** SQLITE_BUSY: another process holds it. */
const sqliteBusy = 5;

/**
 * Runs `work` while this process alone holds the lock of `file`; others wait, up to `patience` milliseconds.
 *
 * The lock is SQLite's on `<file>.lock`, an empty database that stays: the kernel holds it for the process and
 * lets go of it when the process ends in whatever way, SIGKILL included, so no lock is ever stale. A lock that
 * is a folder or a file of its own must be judged stale and removed by those who wait, and two of them can
 * then each believe that they hold it (docs/adr/0004 has the measurement).
 *
 * @param file an absolute path in a folder that exists.
 * @throws LanyardError failure: the lock cannot be had.
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

async function open(path: string): Promise<DatabaseSync> {
  const { DatabaseSync } = await import('node:sqlite');
  try {
    // SQLite would follow a link, and make what it leads to.
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats && !stats.isFile()) throw new Error('not a regular file');
    const isNew = stats === undefined;
    const lock = new DatabaseSync(path);
    // Whatever the mask of the process is.
    if (isNew) chmodSync(path, 0o600);
    return lock;
  } catch (error) {
    throw lockError(path, error);
  }
}

async function acquire(lock: DatabaseSync, path: string, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      lock.exec('BEGIN EXCLUSIVE');
      return;
    } catch (error) {
      if (!isBusy(error)) throw lockError(path, error);
    }
    if (performance.now() > deadline) {
      throw new LanyardError(
        'failure',
        `cannot lock ${path}: held by another process for ${timeoutMs / 1000} s`,
        { hint: 'Wait for the other lanyard command, or stop it, and try again.', retryable: true },
      );
    }
    // Uneven pauses, so that those who wait do not all come back at the same moment.
    await delay(randomInt(2, 20));
  }
}

function isBusy(error: unknown): boolean {
  return (error as { readonly errcode?: unknown }).errcode === sqliteBusy;
}

function lockError(path: string, error: unknown): LanyardError {
  return new LanyardError('failure', `cannot lock ${path}: ${osErrorMessage(error)}`, {
    hint: 'The lock file is always empty; check that you can write to it.',
    cause: error,
  });
}
