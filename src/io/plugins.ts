import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

interface PathHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
}

/** A program in PATH whose name begins with `lanyard-`. */
export interface Plugin {
  /** Without `lanyard-` and, on Windows, the extension. */
  readonly name: string;
  readonly path: string;
  readonly isExecutable: boolean;
}

const prefix = 'lanyard-';
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
/** Words of a command line that may belong to the name of a plugin. */
const maxWords = 8;

/**
 * The plugin for a command line: `lanyard-foo-bar`, else `lanyard-foo`, for `foo bar`.
 *
 * @param words a command line without the program.
 * @returns the plugin and the words after its name; undefined: none exists.
 */
export function findPlugin(
  words: readonly string[],
  host: PathHost,
): { readonly plugin: Plugin; readonly args: readonly string[] } | undefined {
  const end = words.slice(0, maxWords).findIndex((word) => !namePattern.test(word));
  const folders = foldersOf(host);
  for (let length = end < 0 ? Math.min(words.length, maxWords) : end; length > 0; length -= 1) {
    const name = words.slice(0, length).join('-');
    for (const folder of folders)
      for (const extension of extensionsOf(host)) {
        const path = join(folder, `${prefix}${name}${extension}`);
        if (isExecutable(path, host))
          return { plugin: { name, path, isExecutable: true }, args: words.slice(length) };
      }
  }
  return undefined;
}

/** All plugins in PATH, in the order in which they are found; files of the same name too. */
export function listPlugins(host: PathHost): readonly Plugin[] {
  const extensions = extensionsOf(host);
  return foldersOf(host).flatMap((folder) =>
    namesIn(folder).flatMap((file): Plugin[] => {
      const extension = extensions.find((each) => file.toLowerCase().endsWith(each));
      if (!file.startsWith(prefix) || extension === undefined) return [];
      const name = file.slice(prefix.length, file.length - extension.length);
      const path = join(folder, file);
      if (!namePattern.test(name) || !isFile(path)) return [];
      return [{ name, path, isExecutable: isExecutable(path, host) }];
    }),
  );
}

/** The folders in PATH. Relative and empty entries, which mean the current directory, are ignored. */
const foldersOf = ({ env }: PathHost): readonly string[] => [
  ...new Set((env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder))),
];

/** In lower case; on POSIX systems a program has none. */
const extensionsOf = ({ env, platform }: PathHost): readonly string[] =>
  platform === 'win32'
    ? (env.PATHEXT || '.COM;.EXE;.BAT;.CMD')
        .toLowerCase()
        .split(';')
        .filter((extension) => extension.startsWith('.'))
    : [''];

/** Whether a path is a regular file; not if it cannot be read: a loop of symbolic links, a folder without access. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function isExecutable(path: string, { platform }: PathHost): boolean {
  if (!isFile(path)) return false;
  try {
    if (platform !== 'win32') accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The sorted names in a folder; none if it cannot be read. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
