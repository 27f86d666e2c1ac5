import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { immediateLocks } from './lock.ts';
import { createPrivateDirectory } from './private-directory.ts';

export type Instances = Awaited<ReturnType<typeof instances>>;

const idPattern = /^[0-9a-f]{16}$/;

/**
 * The running instances of `lanyard dev`: each holds the lock of a file in the configuration directory. The system
 * releases it when the process ends in any way; a process ID could belong to another process by then
 * (docs/adr/0050-profiles-of-dev.md).
 *
 * @param directory an absolute path; it need not exist.
 */
export async function instances(directory: string) {
  const { tryLock } = await immediateLocks();
  const pathOf = (id: string): string => join(directory, `dev-${id}.lock`);

  return {
    /**
     * Registers this process as an instance with a new ID, before the ID is written anywhere.
     *
     * @returns ends the instance.
     */
    async start(id: string): Promise<() => void> {
      await createPrivateDirectory(directory);
      const release = tryLock(pathOf(id));
      if (release === undefined) throw new Error(`instance ${id} is already running`);
      return () => {
        release();
        remove(id);
      };
    },
    /** Whether the instance is running. If that is unknown, it is. */
    isRunning(id: string): boolean {
      if (!idPattern.test(id) || !existsSync(pathOf(id))) return false;
      try {
        const release = tryLock(pathOf(id));
        release?.();
        return release === undefined;
      } catch {
        return true;
      }
    },
    remove,
  };

  /** Removes the file of an instance that has ended, and the journal that a killed one leaves. */
  function remove(id: string): void {
    if (!idPattern.test(id)) return;
    for (const suffix of ['', '-journal']) rmSync(`${pathOf(id)}${suffix}`, { force: true });
  }
}
