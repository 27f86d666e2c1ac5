import { extname, join } from 'node:path';

/** The command that runs keyring-program; undefined: it is not next to this module (a bundled program). */
export function keyringCommand(): readonly [string, string] | undefined {
  const directory: string | undefined = import.meta.dirname;
  if (directory === undefined) return undefined;
  return [process.execPath, join(directory, `../config/keyring-program${extname(import.meta.filename)}`)];
}
