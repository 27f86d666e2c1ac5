import { constants } from 'node:fs';
import { chmod, link, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceName } from '../wire/services.ts';
import { EmbeddedError, messageOf } from './errors.ts';
import { makeDirectory } from './make-directory.ts';

/**
 * Makes the data directory private to its owner (0700), creating it if need be. A directory that others may
 * enter is closed to them only while it is empty: what someone keeps elsewhere is not ours to change.
 *
 * @throws EmbeddedError data
 */
export async function prepareDirectory(directory: string): Promise<void> {
  try {
    await makeDirectory(directory);
    const { mode } = await stat(directory);
    if (process.platform === 'win32' || (mode & 0o077) === 0) return;
    if ((await readdir(directory)).length === 0) return await chmod(directory, 0o700);
  } catch (error) {
    throw new EmbeddedError('data', `cannot use the data directory ${directory}: ${messageOf(error)}`, error);
  }
  throw new EmbeddedError(
    'data',
    `the data directory ${directory} is open to other users and not empty; ` +
      `close it with: chmod 700 ${directory}`,
  );
}

/**
 * Creates a file for its owner alone (0600), or takes that mode to the file that is there. No symlink is
 * followed.
 */
export async function privateFile(path: string): Promise<void> {
  try {
    const file = await open(path, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600);
    try {
      await file.chmod(0o600);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new EmbeddedError('data', `cannot use ${path}: ${messageOf(error)}`, error);
  }
}

/** A key file: 32 bytes that open what is encrypted at rest, in hex on one line. */
export interface KeyFile {
  readonly path: string;
  /** @throws EmbeddedError data: the file is there and holds no key. */
  read(): Promise<Uint8Array | undefined>;
  /** Writes a new key, on disk when this resolves: whole or not at all, and never over an existing one. */
  create(key: Uint8Array): Promise<void>;
}

/** @param service whose key it is */
export function keyFile(directory: string, service: ServiceName): KeyFile {
  const path = join(directory, `${service}.key`);
  return {
    path,
    async read() {
      let text: string;
      try {
        text = (await readFile(path, 'utf8')).trim();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw new EmbeddedError('data', `cannot read the key file ${path}: ${messageOf(error)}`, error);
      }
      if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, 'hex');
      throw new EmbeddedError('data', `the key file ${path} is damaged; restore it from a copy`);
    },
    async create(key) {
      const beside = `${path}.new`;
      try {
        // What a crash left there is of no key that was ever used.
        await rm(beside, { force: true });
        await writeSynced(beside, `${Buffer.from(key).toString('hex')}\n`);
        await link(beside, path);
      } catch (error) {
        throw new EmbeddedError('data', `cannot write the key file ${path}: ${messageOf(error)}`, error);
      } finally {
        await rm(beside, { force: true });
      }
      await syncDirectory(directory);
    },
  };
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a new name in the directory survive a crash; not every system can, and none needs to be told. */
export async function syncDirectory(directory: string): Promise<void> {
  try {
    const handle = await open(directory, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // Windows opens no directories; its file system orders names itself.
  }
}
