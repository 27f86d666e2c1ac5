import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callKinds, readTrace, type SystemCalls, traced } from './system-calls.ts';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const launcher = join(root, 'bin/lanyard.js');
const preload = fileURLToPath(new URL('record.cjs', import.meta.url));

/** What a command costs at every run on every machine, beyond a bare runtime with nothing to do. */
export interface Counts {
  /** Modules of the sources in the files that it loads, and libraries as `node_modules/NAME`; sorted. */
  readonly modules: readonly string[];
  /** Number of files of the program that it loads. */
  readonly files: number;
  /** Their size, in bytes. */
  readonly bytes: number;
  /** Built-in modules of Node that it loads; sorted. */
  readonly builtIns: readonly string[];
  /** Without strace, they are not counted. */
  readonly system?: SystemCalls | undefined;
}

/** Counts with system calls. */
export interface TracedCounts extends Counts {
  readonly system: SystemCalls;
}

/** Counts command lines of the built program. */
export interface Counter {
  /** Runs a command line and counts nothing. @throws Error when it fails */
  run(args: readonly string[]): Promise<void>;
  /** @throws Error when the command fails */
  count(args: readonly string[]): Promise<Counts>;
}

interface Recorded {
  readonly builtIns: readonly string[];
  readonly files: readonly string[];
}

interface Options {
  /** A folder for HOME and for what is recorded. */
  readonly folder: string;
  /** Added to an environment of PATH and HOME alone. */
  readonly env: Readonly<Record<string, string>>;
  /** Also count system calls, by strace. */
  readonly trace: boolean;
}

/** Makes a counter, with a bare runtime as its zero. */
export async function counter(options: Options): Promise<Counter> {
  const { outputs } = JSON.parse(readFileSync(join(root, 'dist/meta.json'), 'utf8')) as Metafile;
  const bare = await recorded(['-e', '0'], options);
  const bareSystem = options.trace ? await systemCalls(['-e', '0'], options) : undefined;
  const runLanyard = (args: readonly string[]) => run([process.execPath, launcher, ...args], options);
  return {
    run: runLanyard,
    async count(args) {
      // Fills the compile cache.
      await runLanyard(args);
      const { files, builtIns } = await recorded([launcher, ...args], options);
      const system = options.trace ? await systemCalls([launcher, ...args], options) : undefined;
      return {
        modules: modulesIn(files, outputs),
        files: files.length,
        bytes: files.map((file) => statSync(file).size).reduce((sum, size) => sum + size, 0),
        builtIns: publicNames(without(builtIns, bare.builtIns)),
        system: system && bareSystem && beyond(system, bareSystem, options.folder),
      };
    },
  };
}

async function recorded(args: readonly string[], options: Options): Promise<Recorded> {
  const file = join(options.folder, 'counts.json');
  await run([process.execPath, '--require', preload, ...args], {
    ...options,
    env: { ...options.env, COUNTS_FILE: file },
  });
  return JSON.parse(readFileSync(file, 'utf8')) as Recorded;
}

async function systemCalls(args: readonly string[], options: Options): Promise<SystemCalls> {
  const folder = join(options.folder, 'trace');
  await run(traced(folder, process.execPath, args), options);
  return readTrace(folder, [root, options.folder]);
}

async function run([command = '', ...args]: readonly string[], { folder, env }: Options): Promise<void> {
  // A file: Node writes to it as to the pipe of a shell, and no stream is opened.
  const output = join(folder, 'output');
  const descriptor = openSync(output, 'w');
  try {
    const child = spawn(command, args, {
      cwd: folder,
      // Nothing of the caller's environment: a proxy or a profile changes what is loaded. ICU finds the time zone of
      // the machine in different ways.
      env: { PATH: process.env.PATH ?? '', HOME: folder, TZ: 'UTC', ...env },
      stdio: ['ignore', descriptor, descriptor],
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`${args.join(' ')} failed: ${readFileSync(output, 'utf8').trim()}`);
  } finally {
    closeSync(descriptor);
  }
}

interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

/** The modules in files of the bundle. Other files have their own name. */
function modulesIn(files: readonly string[], outputs: Metafile['outputs']): string[] {
  const names = files.flatMap((file) => {
    const path = relative(root, file).replaceAll('\\', '/');
    const inputs = outputs[path]?.inputs;
    if (inputs === undefined) return [path];
    return Object.entries(inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : []));
  });
  return sortedSet(names.map((name) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name));
}

/** "Internal Binding os" and "NativeModule os" as "binding os" and "os". */
const publicNames = (names: readonly string[]): string[] =>
  sortedSet(
    names.map((name) => name.replace(/^NativeModule /, '').replace(/^Internal Binding /, 'binding ')),
  );

/** Without what a bare runtime does, and with names that are the same everywhere. */
function beyond(system: SystemCalls, bare: SystemCalls, home: string): SystemCalls {
  const calls = callKinds.map((kind) => [kind, system.calls[kind] - bare.calls[kind]] as const);
  const opened = without(system.opened, bare.opened)
    .map((path) => path.replace(root, 'lanyard').replace(home, '~'))
    // Counted as modules, and their compile cache by the number of calls.
    .filter((path) => !/^lanyard\/(dist|bin)\/|^~\/\.cache\//.test(path));
  return {
    calls: Object.fromEntries(calls) as SystemCalls['calls'],
    bytesRead: system.bytesRead - bare.bytesRead,
    opened: sortedSet(opened),
  };
}

const without = (names: readonly string[], others: readonly string[]): string[] => {
  const known = new Set(others);
  return names.filter((name) => !known.has(name));
};

const sortedSet = (names: readonly string[]): string[] => [...new Set(names)].sort();
