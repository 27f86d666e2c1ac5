import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { EmbeddedError, messageOf } from '../../core/errors.ts';

export interface AuditFileOptions {
  /** Absolute. */
  readonly path: string;
  /** Permissions without execution; 0: those that the file has. Default 0600. */
  readonly mode?: number | undefined;
  readonly prefix?: string | undefined;
}

/** An audit log: a regular file that lines are only appended to. */
export class AuditFile {
  readonly path: string;
  readonly #file: FileHandle;
  /** The end of the last write, successful or not. */
  #last: Promise<unknown> = Promise.resolve();
  /** Whether a write failed in the middle of a line. */
  #isTorn: boolean;

  private constructor(path: string, file: FileHandle, isTorn: boolean) {
    this.path = path;
    this.#file = file;
    this.#isTorn = isTorn;
  }

  /**
   * Creates the file, or opens one to append to it. Links, pipes, directories, files of other users and files with
   * other content are rejected and left unchanged. @throws EmbeddedError foreign
   */
  static async open({ path, mode = 0o600, prefix = '' }: AuditFileOptions): Promise<AuditFile> {
    let file: FileHandle | undefined;
    try {
      const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDWR } = constants;
      // A pipe would block without O_NONBLOCK until it has a reader.
      file = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode || 0o600);
      const isTorn = await checkFile(file, `${prefix}{"`);
      if (mode !== 0) await file.chmod(mode);
      return new AuditFile(path, file, isTorn);
    } catch (error) {
      await file?.close();
      throw new EmbeddedError('foreign', `cannot use ${path} as the audit log: ${reasonOf(error)}`, error);
    }
  }

  /** Appends a line, after those before. @throws the system error */
  append(line: string): Promise<void> {
    const written = this.#last.then(() => this.#write(line));
    this.#last = written.catch(() => {});
    return written;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#file.close();
  }

  async #write(line: string): Promise<void> {
    const bytes = Buffer.from(`${this.#isTorn ? '\n' : ''}${line}\n`);
    this.#isTorn = true;
    for (let at = 0; at < bytes.length; ) at += (await this.#file.write(bytes, at)).bytesWritten;
    this.#isTorn = false;
  }
}

/**
 * Checks that a file is one to append to.
 * @param start of each of its lines
 * @returns whether its last line is incomplete
 */
async function checkFile(file: FileHandle, start: string): Promise<boolean> {
  const { size, nlink, uid, ...stats } = await file
    .stat()
    .then((each) => ({ ...each, isFile: each.isFile() }));
  if (!stats.isFile) throw new Error('it is not a regular file');
  if (nlink > 1) throw new Error('it has other hard links');
  if (process.platform !== 'win32' && uid !== process.geteuid?.())
    throw new Error(`it belongs to another user (uid ${uid})`);
  if (size === 0) return false;
  const expected = Buffer.from(start);
  const first = Buffer.alloc(expected.length);
  await file.read(first, 0, first.length, 0);
  if (!first.equals(expected)) throw new Error('it exists and is not an audit log with the same prefix');
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return last.toString() !== '\n';
}

function reasonOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  if (code === 'ELOOP') return 'it is a symbolic link';
  if (code === 'ENXIO') return 'it is not a regular file';
  if (code === 'EISDIR') return 'it is a directory';
  return messageOf(error);
}
