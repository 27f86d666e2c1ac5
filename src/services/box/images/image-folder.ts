import { rmSync } from 'node:fs';
import { type FileHandle, lstat, mkdtemp, open, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { EmbeddedError } from '../../core/errors.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { createDirectory } from '../../create-directory.ts';
import { openRegular, syncDirectory } from '../../data-directory.ts';
import type { ChecksumType, StoredImage } from './images.ts';
import { receiveImage } from './receive.ts';

export interface ReceivedImage extends Pick<StoredImage, 'size' | 'checksums'> {
  readonly file: string;
}

const partialSuffix = '.part';

/** Only files with such names are ever moved or removed. */
const imageFilePattern = /^[\da-f]{32}$/;
const anyFilePattern = /^[\da-f]{32}(\.part)?$/;

/** The directory below a data directory, and its name in earlier versions. */
const folderName = 'lanyard-images';
const legacyFolderName = 'images';

/**
 * The directory of the images: below the data directory, or, without one, a private temporary directory, created with
 * the first image and removed at the end. Symbolic links are not followed, and only files with its names are touched.
 */
export class ImageFolder {
  readonly #persistentPath: string | undefined;
  readonly #legacyPath: string | undefined;
  readonly #newName: () => string;
  #folder: Promise<string> | undefined;
  #isClosed = false;

  /** @param directory the data directory */
  constructor(directory: string | undefined, newName: () => string) {
    this.#persistentPath = directory === undefined ? undefined : join(directory, folderName);
    this.#legacyPath = directory === undefined ? undefined : join(directory, legacyFolderName);
    this.#newName = newName;
  }

  /**
   * Moves images from the directory of earlier versions, and removes files that no image refers to: incomplete or
   * replaced ones.
   *
   * @param files the files that images refer to
   * @returns one line for each kind of change
   * @throws EmbeddedError data: one of the two paths is not a directory itself (a symbolic link, a file)
   */
  async removeUnused(files: ReadonlySet<string>): Promise<string[]> {
    const folder = this.#persistentPath;
    if (folder === undefined) return [];
    const names = new Set(await listImageFiles(folder));
    const moved = await this.#moveLegacyFiles(
      [...files].filter((file) => imageFilePattern.test(file) && !names.has(file)),
    );
    const unused = [...names].filter((name) => !files.has(name));
    for (const name of unused) await unlink(join(folder, name)).catch(ignoreMissing);
    return [
      ...(moved === 0 ? [] : [`Moved ${describeCount(moved)} from ${this.#legacyPath} to ${folder}.`]),
      ...(unused.length === 0
        ? []
        : [`Removed ${describeCount(unused.length)} no longer used from ${folder}.`]),
    ];
  }

  /** Moves the given files from the former directory; other files stay there. */
  async #moveLegacyFiles(missing: readonly string[]): Promise<number> {
    const from = this.#legacyPath;
    if (from === undefined || missing.length === 0) return 0;
    const legacyFiles = new Set(await listImageFiles(from));
    const existing = missing.filter((file) => legacyFiles.has(file));
    if (existing.length === 0) return 0;
    for (const file of existing) await rename(join(from, file), await this.#path(file));
    await syncDirectory(await this.#open());
    // Succeeds only if the directory is empty.
    await rmdir(from).catch(() => {});
    await syncDirectory(dirname(from));
    return existing.length;
  }

  /**
   * Writes an image, under an incomplete name until `finish`; removed on failure.
   * @throws HttpError of the chunks; 507: the disk is full
   */
  async receive(chunks: AsyncIterable<Uint8Array>, checksums: ReadonlySet<ChecksumType>) {
    const file = this.#newName();
    const path = await this.#path(file + partialSuffix);
    try {
      const handle = await open(path, 'wx', 0o600);
      try {
        return { file, ...(await receiveImage(chunks, handle, checksums)) };
      } finally {
        await handle.close();
      }
    } catch (error) {
      await unlink(path).catch(ignoreMissing);
      throw isDiskFull(error) ? new HttpError(507, 'the disk is full: the image cannot be stored') : error;
    }
  }

  /** Gives a file the name of a complete image, durably. */
  async finish(file: string): Promise<void> {
    await rename(await this.#path(file + partialSuffix), await this.#path(file));
    await syncDirectory(await this.#open());
  }

  /** Removes a file, complete or not. Open readers are not affected. */
  async remove(file: string): Promise<void> {
    if (!imageFilePattern.test(file)) return;
    for (const name of [file, file + partialSuffix]) {
      await unlink(await this.#path(name)).catch(ignoreMissing);
    }
  }

  /** Opens an image for reading; undefined: it does not exist, or is not a regular file. */
  async open(file: string): Promise<FileHandle | undefined> {
    if (!imageFilePattern.test(file)) return undefined;
    return openRegular(await this.#path(file)).catch((error: unknown) => {
      if (['ENOENT', 'ELOOP', 'EINVAL'].includes(codeOf(error) ?? '')) return undefined;
      throw error;
    });
  }

  /** Removes a temporary directory. Uploads that are still running fail, and create nothing. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const folder = await this.#folder?.catch(() => undefined);
    if (this.#persistentPath !== undefined || folder === undefined) return;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    temporary.delete(folder);
    if (temporary.size === 0) process.removeListener('exit', removeTemporary);
  }

  async #path(name: string): Promise<string> {
    return join(await this.#open(), name);
  }

  async #open(): Promise<string> {
    this.#folder ??= this.#create();
    try {
      return await this.#folder;
    } catch (error) {
      this.#folder = undefined;
      throw error;
    }
  }

  async #create(): Promise<string> {
    if (this.#isClosed) throw new HttpError(503, 'the service is stopping');
    if (this.#persistentPath === undefined) return createTemporary();
    const createdRoot = await createDirectory(this.#persistentPath);
    await checkDirectory(this.#persistentPath);
    if (createdRoot !== undefined) await syncDirectory(dirname(createdRoot));
    return this.#persistentPath;
  }
}

const temporary = new Set<string>();

/** A second signal ends the process before `close` does. */
function removeTemporary(): void {
  for (const path of temporary) rmSync(path, { recursive: true, force: true });
}

async function createTemporary(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'lanyard-images-'));
  if (temporary.size === 0) process.once('exit', removeTemporary);
  temporary.add(path);
  return path;
}

/** The regular files of a directory that have names of images. @throws EmbeddedError data: not a directory itself */
async function listImageFiles(folder: string): Promise<string[]> {
  if (!(await checkDirectory(folder))) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && anyFilePattern.test(entry.name)).map(({ name }) => name);
}

/** @returns whether it exists. @throws EmbeddedError data: a symbolic link, or not a directory */
async function checkDirectory(path: string): Promise<boolean> {
  const existing = await lstat(path).catch(ignoreMissing);
  if (existing === undefined || existing.isDirectory()) return existing !== undefined;
  const kind = existing.isSymbolicLink() ? 'a symbolic link' : 'not a directory';
  throw new EmbeddedError('data', `cannot use ${path} for images: it is ${kind}; move it away`);
}

const describeCount = (files: number): string => (files === 1 ? '1 image file' : `${files} image files`);

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}

const isDiskFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '');

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
