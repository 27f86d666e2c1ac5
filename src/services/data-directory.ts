import { constants } from 'node:fs';
import { chmod, type FileHandle, link, lstat, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceName } from '../wire/services.ts';
import { EmbeddedError, messageOf } from './core/errors.ts';
import { createDirectory } from './create-directory.ts';

/** The database in a data directory, and the `PRAGMA application_id` of each database created by Lanyard. */
export const databaseName = 'lanyard.db';
export const databaseApplicationId = 0x4c4e5944;

/** Names of the files that the services write to a data directory. */
const knownFileName =
  /^(lanyard\.db(-wal|-shm|-journal)?|(secrets|registry|scheduler)\.key(\.new)?|lanyard-images)$/;

/**
 * Makes the data directory private to its owner (0700), creating it if it does not exist. A directory that
 * is not empty is accepted only if its files are Lanyard's. Nothing in a rejected directory is changed,
 * including its mode.
 * @throws EmbeddedError foreign: not empty, and not created by Lanyard; data: cannot be used, or accessible
 * to others
 */
export async function prepareDirectory(directory: string): Promise<void> {
  let mode: number;
  let names: string[];
  let isAcceptable: boolean;
  try {
    await createDirectory(directory);
    names = await readdir(directory);
    isAcceptable = names.length === 0 || (await isLanyardDirectory(directory, names));
    if (isAcceptable) await requireFiles(directory, names);
    ({ mode } = await stat(directory));
    const isPrivate = process.platform === 'win32' || (mode & 0o077) === 0;
    if (isAcceptable && isPrivate) return await removeSecondNames(directory, names);
    if (names.length === 0) return await chmod(directory, 0o700);
  } catch (error) {
    throw new EmbeddedError('data', `cannot use the data directory ${directory}: ${messageOf(error)}`, error);
  }
  if (!isAcceptable) {
    const cause = names.includes(databaseName)
      ? `it is not empty, and its ${databaseName} was not created by Lanyard`
      : 'it is not empty and contains files that Lanyard did not create';
    throw new EmbeddedError(
      'foreign',
      `cannot use ${directory} as the data directory: ${cause}; choose a new or empty directory`,
    );
  }
  throw new EmbeddedError(
    'data',
    `the data directory ${directory} is accessible to other users; run: chmod 700 ${directory}`,
  );
}

/**
 * SQLite follows symbolic links and blocks on pipes.
 * @throws Error: an expected file is not a regular file, has hard links, or belongs to another user
 */
async function requireFiles(directory: string, names: readonly string[]): Promise<void> {
  for (const name of names.filter((each) => knownFileName.test(each) && each !== imagesName)) {
    const result = await lstat(join(directory, name));
    if (!result.isFile()) throw new Error(`${name} is not a regular file`);
    // The file under the other name would change too: a copy made of links, or a file of another program.
    if (result.nlink > 1 && !(await isSecondName(directory, name.replace(/(\.new)?$/, '.new'), result.nlink)))
      throw new Error(`${name} has other hard links; use a copy without them: cp -a ${directory} NEW`);
    if (process.platform !== 'win32' && result.uid !== 0 && result.uid !== process.geteuid?.())
      throw new Error(`${name} belongs to another user (uid ${result.uid})`);
  }
}

const newKeyName = /\.key\.new$/;

/**
 * Whether it is the second and last name of a key file. A crash leaves it between the two steps of
 * creating a key file.
 */
async function isSecondName(directory: string, name: string, nlink: number): Promise<boolean> {
  if (!newKeyName.test(name) || nlink !== 2) return false;
  const path = join(directory, name);
  const [second, first] = await Promise.all(
    [path, path.slice(0, -'.new'.length)].map((each) => lstat(each).catch(() => undefined)),
  );
  return second !== undefined && second.ino === first?.ino && second.dev === first.dev;
}

/** Removes the second names of key files that a crash left. */
async function removeSecondNames(directory: string, names: readonly string[]): Promise<void> {
  for (const name of names.filter((each) => newKeyName.test(each)))
    if (await isSecondName(directory, name, 2)) await rm(join(directory, name), { force: true });
}

/** The directory of images; who uses it rejects links and files of this name. */
const imagesName = 'lanyard-images';

/**
 * Reports whether a directory that is not empty holds Lanyard's data: its database has Lanyard's application
 * ID or, if a crash or damage left none, it contains only files of a data directory.
 */
async function isLanyardDirectory(directory: string, names: readonly string[]): Promise<boolean> {
  const path = join(directory, databaseName);
  const result = await lstat(path).catch(() => undefined);
  if (!result?.isFile()) return false;
  if ((await hasApplicationId(path)) || (await walHasApplicationId(`${path}-wal`))) return true;
  return names.every((name) => knownFileName.test(name));
}

const sqliteHeader = Buffer.from('SQLite format 3\0');
/** Offset of the application ID in the first page of a SQLite database. */
const applicationIdOffset = 68;

const isLanyardPage = (page: Buffer): boolean =>
  page.subarray(0, sqliteHeader.length).equals(sqliteHeader) &&
  page.readUInt32BE(applicationIdOffset) === databaseApplicationId;

async function hasApplicationId(path: string): Promise<boolean> {
  return (
    (await readRegularFile(path, async (file) =>
      isLanyardPage(await readAt(file, 0, applicationIdOffset + 4)),
    )) ?? false
  );
}

/**
 * Until the write-ahead log is closed, everything written since the last start is only in the log, including
 * the application ID.
 */
async function walHasApplicationId(path: string): Promise<boolean> {
  const result = await readRegularFile(path, async (file) => {
    const [header, frame] = [32, 24];
    const head = await readAt(file, 0, header);
    const pageBytes = head.readUInt32BE(8);
    if (head.readUInt32BE(0) >>> 1 !== 0x377f0682 >>> 1 || pageBytes < 512 || pageBytes > 65_536)
      return false;
    // The application ID is written in the first transaction, which has few pages.
    for (let index = 0; index < 64; index++) {
      const at = header + index * (frame + pageBytes);
      const page = await readAt(file, at, frame + applicationIdOffset + 4);
      if (page.readUInt32BE(0) === 1 && isLanyardPage(page.subarray(frame))) return true;
    }
    return false;
  });
  return result ?? false;
}

/**
 * Reads a regular file without following symbolic links. Returns undefined if it does not exist or is not a
 * regular file.
 */
async function readRegularFile<Value>(
  path: string,
  read: (file: FileHandle) => Promise<Value>,
): Promise<Value | undefined> {
  const file = await openRegular(path).catch(() => undefined);
  try {
    return file && (await read(file));
  } finally {
    await file?.close();
  }
}

/** Bytes of a file, padded with zeros past its end. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  await file.read(bytes, 0, length, position);
  return bytes;
}

/**
 * Opens a regular file for reading. Does not follow symbolic links or block on pipes.
 * @throws the system error; ELOOP: a symbolic link, EINVAL: not a regular file
 */
export async function openRegular(path: string): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw Object.assign(new Error(`${path} is not a regular file`), { code: 'EINVAL' });
}

/**
 * Creates a file accessible only to its owner (0600), or sets that mode on an existing one. Does not follow
 * symbolic links.
 */
export async function ensurePrivateFile(path: string): Promise<void> {
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

/** A key file: the 32-byte key for data at rest, in hex on one line. */
export interface KeyFile {
  readonly path: string;
  /** @throws EmbeddedError data: the file exists but contains no valid key. */
  read(): Promise<Uint8Array | undefined>;
  /** Writes a new key atomically; on disk when this resolves. Never overwrites an existing key. */
  create(key: Uint8Array): Promise<void>;
}

/** Bytes read from a key file: more than a key and its line ending. */
const maxKeyBytes = 128;

/** @param service the service that uses the key */
export function keyFile(directory: string, service: ServiceName): KeyFile {
  const path = join(directory, `${service}.key`);
  return {
    path,
    async read() {
      let text: string;
      try {
        const file = await openRegular(path);
        // One byte more than a key is enough to detect a file that is too long.
        text = (await readAt(file, 0, maxKeyBytes).finally(() => file.close()))
          .toString()
          .replace(/\0+$/, '')
          .trim();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw new EmbeddedError('data', `cannot read the key file ${path}: ${messageOf(error)}`, error);
      }
      if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, 'hex');
      throw new EmbeddedError('data', `the key file ${path} is damaged; restore it from a backup`);
    },
    async create(key) {
      const temporaryPath = `${path}.new`;
      try {
        // A file left by a crash holds a key that was never used.
        await rm(temporaryPath, { force: true });
        await writeSynced(temporaryPath, `${Buffer.from(key).toString('hex')}\n`);
        await link(temporaryPath, path);
      } catch (error) {
        throw new EmbeddedError('data', `cannot write the key file ${path}: ${messageOf(error)}`, error);
      } finally {
        await rm(temporaryPath, { force: true });
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

/** Makes a new name in the directory survive a crash, where the system supports it. */
export async function syncDirectory(directory: string): Promise<void> {
  try {
    const handle = await open(directory, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // Windows cannot open directories; its file system orders changes of names itself.
  }
}
