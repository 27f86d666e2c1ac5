import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package's folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Import {
  /** A file of the package (`src/errors.ts`), a package's name, or `node:` and a built-in module's. */
  readonly to: string;
  /** Only types are taken: nothing is loaded when the program runs. */
  readonly typeOnly: boolean;
  /** By `import()`: loaded when the line is reached. */
  readonly lazy: boolean;
}

export interface Source {
  /** From the package's folder: `src/commands/ssh/sign.ts`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
  /** `export … from`: names that another file has. */
  readonly passedOn: readonly string[];
}

/** Every source file of the program. */
export function sources(): Source[] {
  return globSync('src/**/*.ts', { cwd: root }).map((name) => {
    const path = name.replaceAll('\\', '/');
    const text = readFileSync(`${root}/${path}`, 'utf8');
    return { path, text, imports: importsOf(path, text), passedOn: passedOnIn(text) };
  });
}

const statement = /^import (type )?([^;']*?)(?: from )?'([^']+)'/gm;
const call = /\b(typeof )?import\('([^']+)'\)/g;

function importsOf(path: string, text: string): Import[] {
  const eager = [...text.matchAll(statement)].map(([, type, names = '', to = '']) => ({
    to: resolve(path, to),
    typeOnly: type !== undefined || /^\{(\s*type \w+( as \w+)?,?\s*)+\}$/.test(names),
    lazy: false,
  }));
  const lazy = [...text.matchAll(call)].map(([, type, to = '']) => ({
    to: resolve(path, to),
    typeOnly: type !== undefined,
    lazy: true,
  }));
  return [...eager, ...lazy];
}

function resolve(from: string, to: string): string {
  if (to.startsWith('.')) return posix.join(posix.dirname(from), to);
  if (to.startsWith('node:')) return to;
  return to
    .split('/')
    .slice(0, to.startsWith('@') ? 2 : 1)
    .join('/');
}

const passedOnIn = (text: string): string[] =>
  [...text.matchAll(/^export [^;]*? from '([^']+)'/gm)].map(([line]) => line);
