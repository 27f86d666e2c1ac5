import type { Appended } from '../io/append-files.ts';
import type { EditedFile } from '../io/edit-file.ts';
import type { FileAttributes, NewFile } from '../io/files.ts';
import type { LargeFile } from '../io/large-file.ts';
import type { OutputFile } from '../io/output-files.ts';
import type { PartialDownload } from '../io/partial-download.ts';
import type { SnapshotEnd, SnapshotReader } from '../io/snapshot-archive.ts';

/** Files that users name, by the functions of `src/io`; relative paths start at the working directory. */
export interface Files {
  absolute(path: string): string;
  exists(path: string): Promise<boolean>;
  isFile(path: string): Promise<boolean>;
  isDirectory(path: string): Promise<boolean>;
  /** @param what the subject of messages: "the public key". @param limit bytes. */
  readText(path: string, what: string, limit?: number): Promise<string>;
  readBytes(path: string, what: string, limit: number): Promise<Buffer>;
  checkWritable(targets: readonly OutputFile[]): Promise<void>;
  write(all: readonly NewFile[]): Promise<void>;
  /** The same for one of many files: those that are written at the same time share the sync of their directory. */
  writeOneOfMany(file: NewFile): Promise<void>;
  append(all: readonly Appended[]): Promise<void>;
  listRecursively(root: string, isListed?: (name: string) => boolean): Promise<readonly string[]>;
  createDirectories(root: string, paths: readonly string[]): Promise<void>;
  openLarge(path: string, what: string): Promise<LargeFile>;
  /** The partial download for a target. @param hash of the checksum: `md5`, `sha1`, `sha256`, `sha384`, `sha512`. */
  openPartialDownload(
    target: { readonly path: string; readonly replace?: boolean; readonly isBackup?: boolean },
    hash: string,
  ): Promise<PartialDownload>;
  /**
   * Reads a snapshot of a Raft cluster while it passes.
   *
   * @param lastFile what a complete one ends with. @param onState gets the bytes of its state.
   */
  snapshotReader(
    name: string,
    lastFile: SnapshotEnd,
    onState?: (chunk: Uint8Array) => void,
  ): Promise<SnapshotReader>;
  /** Undefined: not a directory. */
  listDirectory(path: string): Promise<string[] | undefined>;
  realPath(path: string): Promise<string>;
  /** The permission bits of the entry at a path, links not followed; undefined: it does not exist. */
  mode(path: string): Promise<number | undefined>;
  /** The same, with user and group. */
  attributes(path: string): Promise<FileAttributes | undefined>;
  createDirectory(path: string): Promise<void>;
  /** Changes a text file that other programs write too, locked. @returns whether it has changed. */
  edit(file: EditedFile, change: (text: string) => string): Promise<boolean>;
  /** The same for a file with any content; undefined: it does not exist. */
  editBytes(file: EditedFile, change: (bytes: Buffer | undefined) => Uint8Array): Promise<boolean>;
  remove(path: string): Promise<void>;
  /** Removes a directory, if it exists and is empty. @returns whether it is gone. */
  removeEmptyDirectory(path: string): Promise<boolean>;
  /**
   * Runs work while this process holds the lock `FILE.lock`, which other processes wait for. Work may remove the lock
   * file. Not locked in a dry run.
   *
   * @param path FILE, in an existing directory.
   */
  locked<Result>(path: string, work: () => Promise<Result>): Promise<Result>;
}
