import { realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * The path of a program in PATH. Unlike the path of the running file, it does not change when an upgrade moves the
 * program to the folder of another version, which Homebrew and npm do.
 *
 * @param path absolute path of the program that runs.
 * @param name its file name in the folders of PATH.
 * @returns `path` if PATH has no absolute folder with that program.
 */
export function installedPath(
  path: string,
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const target = resolved(path);
  const found = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find((candidate) => target !== undefined && resolved(candidate) === target);
  return found ?? path;
}

function resolved(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
