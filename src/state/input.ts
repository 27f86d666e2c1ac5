import { join, normalize } from 'node:path';
import type { Files } from '../command/files.ts';
import { LanyardError, usage } from '../errors.ts';
import { decodeText } from '../io/files.ts';
import type { Prompts } from '../io/io.ts';
import { type InputFile, type ParsedFile, parseFiles } from './document-text.ts';
import { checkDocuments, type ReadOptions, type StateFiles, setsIn } from './documents.ts';
import { type Problem, sortProblems } from './problems.ts';
import { stdinName } from './references.ts';
import type { Base } from './set.ts';

/** Where files and standard input are read from. Commands pass `ctx`. */
export interface StateSources {
  readonly input: Pick<Prompts, 'readStdin'>;
  readonly files: Pick<
    Files,
    'exists' | 'isFile' | 'isDirectory' | 'listRecursively' | 'readBytes' | 'realPath'
  >;
}

/** The files of a set, and what they were read from. */
export interface StateInput extends StateFiles {
  /** What the files were read from: files, directories, `-`. */
  readonly paths: readonly string[];
  /** In the order of the paths; files of a directory are sorted. Without the ones of bases. */
  readonly files: readonly InputFile[];
  /** The names of all files in this order, also of those that are not UTF-8; then the ones of bases. */
  readonly names: readonly string[];
  /** Every path is a directory: the files may be the complete set. */
  readonly isFromDirectories: boolean;
}

/** The content of an encrypted file; the same bytes of any other. */
export type Decrypt = (bytes: Buffer, name: string) => Promise<Buffer>;

/** How files are read, and checked. */
interface InputOptions extends ReadOptions {
  readonly decrypt?: Decrypt;
}

const maxBytes = 16 * 1024 * 1024;
/** Whether a file of a directory is read. */
export const isStateFile = (name: string): boolean => /\.(ya?ml|json)$/i.test(name);

/**
 * Reads the documents of files, directories and standard input (`-`), and checks them, with the bases of their set. Of a
 * directory: all files *.yaml, *.yml and *.json below it; names that begin with a period and the record of the set are
 * skipped, and a file counts once.
 *
 * @returns also the problems of the documents, and of files that are not UTF-8.
 * @throws LanyardError usage: a path that does not exist or cannot be read, a symbolic link in a directory, or a
 * directory without such files.
 */
export async function readStateFiles(
  paths: readonly string[],
  sources: StateSources,
  options: InputOptions,
): Promise<StateInput> {
  return inputOf(await readPaths(paths, sources, options), paths, sources, options);
}

/**
 * The same for one or several sets: if more than one path has a document of kind Set, each path is a set of its own.
 *
 * @throws LanyardError usage: as `readStateFiles`; a path without a set besides several that have one.
 */
export async function readSets(
  paths: readonly string[],
  sources: StateSources,
  options: InputOptions,
): Promise<readonly StateInput[]> {
  const sets: { readonly path: string; readonly read: readonly ReadPath[]; readonly hasSet: boolean }[] = [];
  for (const path of paths) {
    const read = await readPaths([path], sources, options);
    sets.push({ path, read, hasSet: read.some(({ files }) => setsIn(files).length > 0) });
  }
  const withSet = sets.filter(({ hasSet }) => hasSet);
  if (withSet.length < 2)
    return [
      await inputOf(
        sets.flatMap(({ read }) => read),
        paths,
        sources,
        options,
      ),
    ];
  const without = sets.find(({ hasSet }) => !hasSet);
  if (without)
    throw usage(`${without.path} has no document of kind Set: of several sets, each argument is one`, {
      hint: 'Use one directory for each set.',
    });
  return Promise.all(sets.map(({ path, read }) => inputOf(read, [path], sources, options)));
}

/** What a path contains. */
interface ReadPath {
  readonly isDirectory: boolean;
  readonly files: readonly ParsedFile[];
  readonly names: readonly string[];
  /** Files that are not UTF-8. */
  readonly problems: readonly Problem[];
}

async function readPaths(
  paths: readonly string[],
  { input, files: reader }: StateSources,
  { decrypt }: Pick<InputOptions, 'decrypt'>,
): Promise<readonly ReadPath[]> {
  const found: ReadPath[] = [];
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
    const names =
      path === '-' ? [stdinName] : isDirectory ? await listStateFiles(path, reader) : [normalize(path)];
    found.push({
      isDirectory,
      ...(await readNames(
        names,
        (name) => (path === '-' ? input.readStdin() : reader.readBytes(name, 'the documents', maxBytes)),
        decrypt,
      )),
    });
  }
  return found;
}

async function readNames(
  names: readonly string[],
  readBytes: (name: string) => Promise<Buffer>,
  decrypt: Decrypt = async (bytes) => bytes,
): Promise<Omit<ReadPath, 'isDirectory'>> {
  const problems: Problem[] = [];
  const files: InputFile[] = [];
  for (const name of names) {
    const stored = await readBytes(name);
    const bytes = await decrypt(stored, name);
    try {
      const text = decodeText(bytes, name);
      files.push(bytes === stored ? { name, text } : { name, text, stored: stored.toString('latin1') });
    } catch (error) {
      if (!(error instanceof LanyardError)) throw error;
      problems.push({ position: { file: name, line: 1, column: 1 }, message: 'not UTF-8 text' });
    }
  }
  return { files: await parseFiles(files), names, problems };
}

/** The documents of a set: without its record, which may be in its directory, and with its bases. */
async function inputOf(
  read: readonly ReadPath[],
  paths: readonly string[],
  sources: StateSources,
  options: ReadOptions,
): Promise<StateInput> {
  const parsed = new Map(read.flatMap(({ files }) => files.map((file) => [file.name, file])));
  const [set] = setsIn([...parsed.values()]);
  const record = set?.record?.store === 'file' ? normalize(set.record.path) : undefined;
  const files = [...parsed.values()].filter(({ name }) => name !== record);
  const names = [...new Set(read.flatMap((each) => each.names))].filter((name) => name !== record);
  const bases = await readBases(set?.bases ?? [], names, sources);
  const checked = checkDocuments(
    files,
    bases.map((base) => base.files),
    options,
  );
  const all = [...names, ...bases.flatMap((base) => base.names)];
  const problems = [...read, ...bases].flatMap((each) => each.problems);
  return {
    ...checked,
    problems: sortProblems([...problems, ...checked.problems], all),
    paths,
    files,
    names: all,
    isFromDirectories: read.every(({ isDirectory }) => isDirectory),
  };
}

/** The files of the bases of a set. What is wrong with a base is a problem of the set. */
async function readBases(
  bases: readonly Base[],
  own: readonly string[],
  { files: reader }: StateSources,
): Promise<readonly Omit<ReadPath, 'isDirectory'>[]> {
  const found: Omit<ReadPath, 'isDirectory'>[] = [];
  const seen = new Set<string>();
  if (bases.length > 0) for (const name of own) seen.add(await reader.realPath(name));
  for (const { text, path, position } of bases) {
    const fail = (message: string): void => {
      found.push({ files: [], names: [], problems: [{ position, message: `base ${text}: ${message}` }] });
    };
    if (!(await reader.isDirectory(path))) {
      fail('no such directory');
      continue;
    }
    const names = (await reader.listRecursively(path, isStateFile)).map((name) => join(path, name));
    const real = await Promise.all(names.map(reader.realPath));
    const shared = names.find((_name, index) => seen.has(real[index] ?? ''));
    if (names.length === 0) fail('no files *.yaml, *.yml or *.json');
    else if (shared !== undefined) fail(`${shared} is also a file of the set or of another base`);
    else found.push(await readNames(names, (name) => reader.readBytes(name, 'the documents', maxBytes)));
    for (const name of real) seen.add(name);
  }
  return found;
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
