import { constants } from 'node:fs';
import { type FileHandle, mkdtemp, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { syncDirectory } from '../../data-directory.ts';
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

/**
 * The folder that images are files of: below the data directory, or, without one, a private folder of the
 * system's that is made with the first image and removed at the end.
 */
export class ImageFolder {
  readonly #kept: string | undefined;
  readonly #newName: () => string;
  #folder: Promise<string> | undefined;

  /** @param directory the data directory */
  constructor(directory: string | undefined, newName: () => string) {
    this.#kept = directory === undefined ? undefined : join(directory, 'images');
    this.#newName = newName;
  }

  /** Removes what nobody refers to: what was unfinished when the process ended, images that were replaced. */
  async removeAllBut(files: ReadonlySet<string>): Promise<void> {
    if (this.#kept === undefined) return;
    const names = await readdir(this.#kept).catch(ifMissing([] as string[]));
    for (const name of names) if (!files.has(name)) await rm(join(this.#kept, name), { force: true });
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
    await Promise.all([
      rm(await this.#path(file), { force: true }),
      rm(await this.#path(file + unfinished), { force: true }),
    ]);
  }

  /** Opens an image to be read; undefined: it is not there. */
  async open(file: string): Promise<FileHandle | undefined> {
    return open(await this.#path(file), constants.O_RDONLY).catch(ifMissing(undefined));
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
    if (made !== undefined) await syncDirectory(dirname(made));
    return this.#kept;
  }
}

function ifMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (codeOf(error) === 'ENOENT') return value;
    throw error;
  };
}

const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '');

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
