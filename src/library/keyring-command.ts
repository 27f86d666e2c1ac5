import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';

/** The command that runs keyring-program; undefined: it is not next to this module, or the runtime cannot run it. */
export function keyringCommand(): readonly [string, string] | undefined {
  const directory: string | undefined = import.meta.dirname;
  // In a bundled program the directory is another one. Electron would start the application.
  if (directory === undefined || 'electron' in process.versions) return undefined;
  const program = join(directory, `../config/keyring-program${extname(import.meta.filename)}`);
  return existsSync(program) ? [process.execPath, program] : undefined;
}
