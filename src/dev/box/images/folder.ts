import { type FileHandle, lstat, mkdtemp, open, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openRegular, syncDirectory } from '../../data-directory.ts';
import { EmbeddedError } from '../../errors.ts';
import { HttpRefusal } from '../../http/service.ts';
import { makeDirectory } from '../../make-directory.ts';
import type { ChecksumType, StoredImage } from './images.ts';
import { receive } from './receive.ts';

/** An image that is on disk and whole. */
export interface ReceivedImage extends Pick<StoredImage, 'size' | 'checksums'> {
  /** Its name in the folder. */
  readonly file: string;
}

/** What a file is called until it is a provider's image. */
const unfinished = '.part';

/** Names of files in the folder: the only ones that are ever moved or removed. */
const fileName = /^[\da-f]{32}$/;
const ownName = /^[\da-f]{32}(\.part)?$/;

/** The folder below a data directory, and its name in data of before. */
const folderName = 'lanyard-images';
const formerName = 'images';

/**
 * The folder that images are files of: below the data directory, or, without one, a private folder of the
 * system's that is made with the first image and removed at the end. Symbolic links are not followed, and of what is
 * in the folder only files with names as it makes them are touched.
 */
export class ImageFolder {
  readonly #kept: string | undefined;
  readonly #former: string | undefined;
  readonly #newName: () => string;
  #folder: Promise<string> | undefined;

  /** @param directory the data directory */
  constructor(directory: string | undefined, newName: () => string) {
    this.#kept = directory === undefined ? undefined : join(directory, folderName);
    this.#former = directory === undefined ? undefined : join(directory, formerName);
    this.#newName = newName;
  }

  /**
   * Moves images to the folder from where earlier versions kept them, and removes files that no image refers to: what
   * was unfinished when the process ended, images that were replaced.
   *
   * @param files those that images refer to
   * @returns one line for each kind of change
   * @throws EmbeddedError data: one of the two folders is not a folder itself (a symbolic link, a file)
   */
  async keepOnly(files: ReadonlySet<string>): Promise<string[]> {
    const folder = this.#kept;
    if (folder === undefined) return [];
    const names = new Set(await ownFiles(folder));
    const moved = await this.#moveFormer(
      [...files].filter((file) => fileName.test(file) && !names.has(file)),
    );
    const unused = [...names].filter((name) => !files.has(name));
    for (const name of unused) await unlink(join(folder, name)).catch(ifMissing(undefined));
    return [
      ...(moved === 0 ? [] : [`Moved ${counted(moved)} from ${this.#former} to ${folder}.`]),
      ...(unused.length === 0 ? [] : [`Removed ${counted(unused.length)} no longer used from ${folder}.`]),
    ];
  }

  /** Moves those of some files that are in the former folder; what else is there stays there. */
  async #moveFormer(missing: readonly string[]): Promise<number> {
    const from = this.#former;
    if (from === undefined || missing.length === 0) return 0;
    const there = new Set(await ownFiles(from));
    const found = missing.filter((file) => there.has(file));
    if (found.length === 0) return 0;
    for (const file of found) await rename(join(from, file), await this.#path(file));
    await syncDirectory(await this.#open());
    // Succeeds only if nothing else is in it.
    await rmdir(from).catch(() => {});
    await syncDirectory(dirname(from));
    return found.length;
  }

  /**
   * Takes an image in, to the disk; it is unfinished until it is finished.
   * @throws HttpRefusal of the chunks; 507: the disk is full. Nothing is left behind.
   */
  async receive(
    chunks: AsyncIterable<Uint8Array>,
    checksums: ReadonlySet<ChecksumType>,
  ): Promise<ReceivedImage> {
    const file = this.#newName();
    const path = await this.#path(file + unfinished);
    try {
      const handle = await open(path, 'wx', 0o600);
      try {
        return { file, ...(await receive(chunks, handle, checksums)) };
      } finally {
        await handle.close();
      }
    } catch (error) {
      await unlink(path).catch(ifMissing(undefined));
      throw isFull(error) ? new HttpRefusal(507, 'there is no room for the image on the disk') : error;
    }
  }

  /** Gives an unfinished file the name of an image, to the disk. */
  async finish(file: string): Promise<void> {
    await rename(await this.#path(file + unfinished), await this.#path(file));
    await syncDirectory(await this.#open());
  }

  /** Removes a file, finished or not. Who reads it reads on. */
  async remove(file: string): Promise<void> {
    if (!fileName.test(file)) return;
    for (const name of [file, file + unfinished]) {
      await unlink(await this.#path(name)).catch(ifMissing(undefined));
    }
  }

  /** Opens an image to be read; undefined: it does not exist, or is not a regular file. */
  async open(file: string): Promise<FileHandle | undefined> {
    if (!fileName.test(file)) return undefined;
    return openRegular(await this.#path(file)).catch((error: unknown) => {
      if (['ENOENT', 'ELOOP', 'EINVAL'].includes(codeOf(error) ?? '')) return undefined;
      throw error;
    });
  }

  /** Removes the folder, if it was made for this process. */
  async close(): Promise<void> {
    const folder = await this.#folder?.catch(() => undefined);
    if (this.#kept === undefined && folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  async #path(name: string): Promise<string> {
    return join(await this.#open(), name);
  }

  async #open(): Promise<string> {
    this.#folder ??= this.#make();
    try {
      return await this.#folder;
    } catch (error) {
      this.#folder = undefined;
      throw error;
    }
  }

  async #make(): Promise<string> {
    if (this.#kept === undefined) return mkdtemp(join(tmpdir(), 'lanyard-images-'));
    const made = await makeDirectory(this.#kept);
    await expectFolder(this.#kept);
    if (made !== undefined) await syncDirectory(dirname(made));
    return this.#kept;
  }
}

/**
 * The regular files of a folder that have names as the folder of images makes them.
 * @throws EmbeddedError data: it is not a folder itself
 */
async function ownFiles(folder: string): Promise<string[]> {
  if (!(await expectFolder(folder))) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && ownName.test(entry.name)).map(({ name }) => name);
}

/** @returns does it exist? @throws EmbeddedError data: it is a symbolic link, or something else */
async function expectFolder(path: string): Promise<boolean> {
  const found = await lstat(path).catch(ifMissing(undefined));
  if (found === undefined || found.isDirectory()) return found !== undefined;
  const what = found.isSymbolicLink() ? 'a symbolic link' : 'not a directory';
  throw new EmbeddedError('data', `cannot use ${path} for images: it is ${what}; move it away`);
}

const counted = (files: number): string => (files === 1 ? '1 image file' : `${files} image files`);

function ifMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (codeOf(error) === 'ENOENT') return value;
    throw error;
  };
}

const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '');

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
