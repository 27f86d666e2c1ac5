import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Program, works } from './harness.ts';

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

/** Whether there is Lanyard as one file (`npm run package`). */
export const hasPackaged = existsSync(packaged);

/** The ways to start Lanyard that work. @param say told which of them does not */
export function clients(
  say: (line: string) => void,
  args: readonly string[],
  env: Environment = {},
): Program[] {
  const single = { name: `packaged lanyard ${args.join(' ')}`, command: packaged, args, env };
  return [installed(args, env), ...(hasPackaged ? [single] : [])].filter((program) => {
    const isRunning = works(program);
    if (!isRunning) say(`${program.name} does not work: left out`);
    return isRunning;
  });
}

export const isPackaged = ({ command }: Program): boolean => command === packaged;

const library = new URL('../../dist/library/index.mjs', import.meta.url);

/** A program that imports the library and calls nothing. */
export const imported: Program = {
  name: "import 'lanyard'",
  command: process.execPath,
  args: ['--input-type=module', '-e', `import '${library}'`],
};

/** This runtime, with nothing to do. */
export const nothing: Program = { name: 'node -e 0', command: process.execPath, args: ['-e', '0'] };
