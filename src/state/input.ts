import { join, normalize } from 'node:path';
import type { Files } from '../command/files.ts';
import { LanyardError, usage } from '../errors.ts';
import { decodeText } from '../io/files.ts';
import type { Prompts } from '../io/io.ts';
import { type InputFile, type ReadOptions, readDocuments, type StateFiles } from './documents.ts';
import { type Problem, sortProblems } from './problems.ts';

/** Where files and standard input are read from. Commands pass `ctx`. */
export interface StateSources {
  readonly input: Pick<Prompts, 'readStdin'>;
  readonly files: Pick<Files, 'exists' | 'isFile' | 'isDirectory' | 'listRecursively' | 'readBytes'>;
}

/** The files of a set, and what they were read from. */
export interface StateInput extends StateFiles {
  /** In the order of the paths; files of a directory are sorted. */
  readonly files: readonly InputFile[];
  /** The names of all files in this order, also of those that are not UTF-8. */
  readonly names: readonly string[];
  /** Every path is a directory: the files may be the complete set. */
  readonly isFromDirectories: boolean;
}

interface Decryption {
  /** The content of an encrypted file; the same bytes of any other. */
  readonly decrypt?: (bytes: Buffer, name: string) => Promise<Buffer>;
}

/** The name of standard input in messages; documents from it have no directory. */
const stdinName = 'standard input';
const maxBytes = 16 * 1024 * 1024;
/** Whether a file of a directory is read. */
export const isStateFile = (name: string): boolean => /\.(ya?ml|json)$/i.test(name);

/**
 * Reads the documents of files, directories and standard input (`-`), and checks them. Of a directory: all files
 * *.yaml, *.yml and *.json below it; names that begin with a period and the record of the set are skipped, and a file
 * counts once.
 *
 * @returns also the problems of the documents, and of files that are not UTF-8.
 * @throws LanyardError usage: a path that does not exist or cannot be read, a symbolic link in a directory, or a
 * directory without such files.
 */
export async function readStateFiles(
  paths: readonly string[],
  { input, files: reader }: StateSources,
  { decrypt = async (bytes) => bytes, ...options }: ReadOptions & Decryption,
): Promise<StateInput> {
  const problems: Problem[] = [];
  const files: InputFile[] = [];
  const names: string[] = [];
  const decode = async (stored: Buffer, name: string): Promise<void> => {
    names.push(name);
    const bytes = await decrypt(stored, name);
    try {
      const text = decodeText(bytes, name);
      files.push(bytes === stored ? { name, text } : { name, text, stored: stored.toString('latin1') });
    } catch (error) {
      if (!(error instanceof LanyardError)) throw error;
      problems.push({ position: { file: name, line: 1, column: 1 }, message: 'not UTF-8 text' });
    }
  };
  const seen = new Set<string>();
  let isFromDirectories = true;
  for (const path of paths) {
    if (path !== '-' && !(await reader.exists(path)))
      throw usage(
        `cannot read ${path}: ${path.includes('\ufffd') ? 'the file name is not UTF-8' : 'no such file or directory'}`,
      );
    const isDirectory = path !== '-' && (await reader.isDirectory(path));
    if (path !== '-' && !isDirectory && !(await reader.isFile(path)))
      throw usage(`cannot read ${path}: not a regular file or directory`, {
        hint: 'Use - to read standard input.',
      });
    isFromDirectories &&= isDirectory;
    if (path === '-') {
      await decode(await input.readStdin(), stdinName);
      continue;
    }
    for (const name of isDirectory ? await listStateFiles(path, reader) : [normalize(path)]) {
      if (seen.has(name)) continue;
      seen.add(name);
      await decode(await reader.readBytes(name, 'the documents', maxBytes), name);
    }
  }
  const all = await readDocuments(files, options);
  const { record } = all.set ?? {};
  const isDocument = (name: string): boolean => record?.store !== 'file' || normalize(record.path) !== name;
  const documents = files.filter(({ name }) => isDocument(name));
  const read = documents.length === files.length ? all : await readDocuments(documents, options);
  return {
    ...read,
    problems: sortProblems([...problems, ...read.problems], names),
    files: documents,
    names: names.filter(isDocument),
    isFromDirectories,
  };
}

/**
 * The documents that are in a directory.
 *
 * @returns undefined: it does not exist, or has no such files.
 * @throws LanyardError as `readStateFiles`.
 */
export async function readExistingState(
  directory: string,
  sources: StateSources,
): Promise<StateInput | undefined> {
  if (!(await sources.files.exists(directory))) return undefined;
  const names = await sources.files.listRecursively(directory, isStateFile);
  if (names.length === 0) return undefined;
  return readStateFiles([directory], sources, { allowsUnknownFields: true });
}

async function listStateFiles(
  directory: string,
  reader: Pick<Files, 'listRecursively'>,
): Promise<readonly string[]> {
  const names = await reader.listRecursively(directory, isStateFile);
  if (names.length === 0)
    throw usage(`cannot read ${directory}: no files *.yaml, *.yml or *.json`, {
      hint: 'Run `lanyard export DIR` to write the state of the services.',
    });
  return names.map((name) => join(directory, name));
}
