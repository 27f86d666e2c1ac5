import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** Makes the names in a directory durable. Not every system can do that; the files themselves are synced anyway. */
export function syncDirectory(directory: string): void {
  try {
    const handle = openSync(directory, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // As above.
  }
}

interface Syncs {
  readonly running: Promise<void>;
  /** Begins when the running one has ended. */
  next: Promise<void> | undefined;
}

const syncsByDirectory = new Map<string, Syncs>();

/**
 * The same on another thread, once for all calls that come while a sync of the directory is running: that one may have
 * begun before their files had their names.
 */
export function syncDirectoryTogether(directory: string): Promise<void> {
  const syncs = syncsByDirectory.get(directory);
  if (syncs === undefined) return startSync(directory);
  syncs.next ??= syncs.running.then(() => startSync(directory));
  return syncs.next;
}

function startSync(directory: string): Promise<void> {
  const syncs: Syncs = { running: syncOnThread(directory), next: undefined };
  syncsByDirectory.set(directory, syncs);
  return syncs.running.then(() => {
    if (syncs.next === undefined) syncsByDirectory.delete(directory);
  });
}

async function syncOnThread(directory: string): Promise<void> {
  try {
    const handle = await open(directory, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // As above.
  }
}
