import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Program } from './harness.ts';

const launcher = fileURLToPath(new URL('../../bin/lanyard.js', import.meta.url));
const packaged = fileURLToPath(new URL('../../dist/lanyard', import.meta.url));

type Environment = Readonly<Record<string, string>>;

/** Lanyard as it is installed: this runtime, the launcher, the bundle. */
export const installed = (args: readonly string[], env: Environment = {}): Program => ({
  name: `lanyard ${args.join(' ')}`,
  command: process.execPath,
  args: [launcher, ...args],
  env,
});

/** Lanyard as one file; undefined when it was not made (`npm run package`). */
export const single = (args: readonly string[], env: Environment = {}): Program | undefined =>
  existsSync(packaged)
    ? { name: `packaged lanyard ${args.join(' ')}`, command: packaged, args, env }
    : undefined;

const library = new URL('../../dist/library/index.mjs', import.meta.url);

/** A program that imports the library and calls nothing. */
export const imported: Program = {
  name: "import 'lanyard'",
  command: process.execPath,
  args: ['--input-type=module', '-e', `import '${library}'`],
};

/** This runtime, with nothing to do. */
export const nothing: Program = { name: 'node -e 0', command: process.execPath, args: ['-e', '0'] };

/** Said once by a benchmark that cannot measure the packaged program. */
export const notPackaged = 'dist/lanyard is not there (npm run package): the packaged program is left out';
