import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Script } from 'node:vm';
import { loader } from './load.ts';

// Lanyard as it is packaged, from modules in the folder MODULES. It leaves there the compiled code of what it ran, of
// each function that was called in this run and in those before, and the names of the modules in the file "loaded".

// On Windows, the script NODE cannot be started.
if (process.env.NODE && process.platform !== 'win32') process.execPath = process.env.NODE;
const folder = process.env.MODULES ?? '';
const file = (name: string) => join(folder, name);
const scripts = new Map<string, Script>();
/** The compiled code with which each module was loaded. */
const read = new Map<string, Buffer | undefined>();
const compiledCode = (name: string): Buffer | undefined => {
  const path = file(`${name}.compiled`);
  return existsSync(path) ? readFileSync(path) : undefined;
};
/** Functions of earlier runs stay compiled, although this run does not call them. V8 rejects the code with such a flag. */
const keepFunctions = (keeps: boolean): void =>
  setFlagsFromString(keeps ? '--no-flush-bytecode' : '--flush-bytecode');
const load = loader(
  {
    code: (name) => readFileSync(file(name), 'utf8'),
    compiled: (name) => {
      keepFunctions(false);
      const compiled = compiledCode(name);
      read.set(name, compiled);
      return compiled;
    },
  },
  {
    compiled: (name, script) => {
      if (script.cachedDataRejected) throw new Error(`V8 rejected the code of ${name}`);
      keepFunctions(true);
      scripts.set(name, script);
    },
  },
);
// The services run for as long as the machine takes: which of their functions ran would depend on it.
if (!process.env.SERVES_TRAINING) process.on('exit', writeCompiled);

function writeCompiled(): void {
  appendFileSync(file('loaded'), [...scripts.keys(), ''].join('\n'));
  keepFunctions(false);
  for (const [name, script] of scripts) {
    // What another process has written meanwhile contains its functions, which this process does not have.
    const before = read.get(name);
    const now = compiledCode(name);
    if (now && !before?.equals(now)) continue;
    // Others may read it meanwhile.
    const written = file(`${name}.${process.pid}`);
    writeFileSync(written, script.createCachedData());
    renameSync(written, file(`${name}.compiled`));
  }
}

const { cli } = load('cli.js') as { cli(): Promise<number> };
process.exitCode = await cli();
