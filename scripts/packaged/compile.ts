import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Script } from 'node:vm';
import { loader } from './load.ts';

// Lanyard as it is packaged, from modules in the folder MODULES. It leaves there the compiled code of what it ran, of
// each function that was called in this run and in those before, and the names of the modules in the file "loaded".

// On Windows, the script NODE cannot be started.
if (process.env.NODE && process.platform !== 'win32') process.execPath = process.env.NODE;
const folder = process.env.MODULES ?? '';
const file = (name: string) => join(folder, name);
const scripts = new Map<string, Script>();
const load = loader(
  {
    code: (name) => readFileSync(file(name), 'utf8'),
    compiled: (name) => {
      const path = file(`${name}.compiled`);
      return existsSync(path) ? readFileSync(path) : undefined;
    },
  },
  { compiled: (name, script) => scripts.set(name, script) },
);
process.on('exit', () => {
  appendFileSync(file('loaded'), [...scripts.keys(), ''].join('\n'));
  for (const [name, script] of scripts) {
    // Others may read it, or write it, meanwhile.
    const written = file(`${name}.${process.pid}`);
    writeFileSync(written, script.createCachedData());
    renameSync(written, file(`${name}.compiled`));
  }
});
const { cli } = load('cli.js') as { cli(): Promise<number> };
process.exitCode = await cli();
