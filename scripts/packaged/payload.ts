import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { bundling, root, smaller } from '../bundle.ts';
import { modules } from '../modules.ts';
import { wrapped } from './load.ts';

/** What a packaged executable contains besides Node. */
export interface Payload {
  readonly metafile: Metafile;
  /** Absolute path of the main script. */
  readonly program: string;
  /** Absolute paths of the assets, by name, without the keyring library. */
  readonly assets: { readonly places: string; readonly modules: string };
}

/**
 * Writes the payload of a packaged executable into a folder.
 *
 * @param compiled also the compiled code of the modules, for executables with this process's Node
 */
export async function payload(folder: string, { compiled }: { compiled: boolean }): Promise<Payload> {
  const { metafile, modules: all } = await modules();
  const names = all.map(({ path }) => basename(path));
  for (const { path, code } of all) {
    await writeFile(join(folder, basename(path)), wrapped(code), { flag: 'wx' });
  }
  if (compiled) await compile(folder);
  await gather(folder, names);
  const program = join(folder, 'main.cjs');
  await build({
    ...bundling,
    ...smaller,
    entryPoints: [join(root, 'scripts/packaged/main.ts')],
    outfile: program,
    format: 'cjs',
    logLevel: 'warning',
  });
  return {
    metafile,
    program,
    assets: { places: join(folder, 'places'), modules: join(folder, 'modules') },
  };
}

/**
 * Writes the compiled code of the modules that run, next to them. It contains only functions that have run, so the
 * program is run: the fast path, and the tour, which uses all the services. A fixed seed, and compiling once more from
 * the result, give the same code in every build.
 */
async function compile(folder: string): Promise<void> {
  const home = join(folder, 'home');
  const node = join(folder, 'node');
  await mkdir(home);
  // The tour starts itself for every line, so the seed is not only an argument of the first process.
  await writeFile(node, `#!/bin/sh\nexec '${process.execPath}' ${seed} "$@"\n`, { mode: 0o700 });
  const program = join(root, 'scripts/packaged/compile.ts');
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: home,
    MODULES: folder,
    NODE: node,
    TRAINED: JSON.stringify([process.execPath, seed, program]),
  };
  const run = (script: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) => {
    const { error, status } = spawnSync(process.execPath, [seed, script, ...args], {
      env: { ...env, ...more },
      cwd: home,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (error || status !== 0) throw error ?? new Error(`${script} ${args.join(' ')} ended with ${status}`);
  };
  for (const args of [['--version'], ['--help'], ['completion', 'bash'], ['quickstart']]) {
    run(program, args);
  }
  const training = [process.execPath, join(root, 'scripts/packaged/training.ts')];
  run(program, ['dev', 'run', '--', ...training], { SERVES_TRAINING: '1' });
  run(join(root, 'scripts/packaged/recompile.ts'), [folder]);
}

/** V8's seed of hashes, which the compiled code contains. It does not make V8 reject the code in other processes. */
const seed = '--predictable';

/**
 * Writes the modules and their compiled code into one file, and their positions into another. Modules that are used
 * together are adjacent: of an executable, the pages near a mapped read are in memory, too.
 */
async function gather(folder: string, names: readonly string[]): Promise<void> {
  const uses = new Map<string, number>();
  const loaded = join(folder, 'loaded');
  const runs = existsSync(loaded) ? await readFile(loaded, 'utf8') : '';
  for (const name of runs.split('\n')) uses.set(name, (uses.get(name) ?? 0) + 1);
  const ordered = names.toSorted((a, b) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0));
  const places: Record<string, readonly [number, number]> = {};
  const parts: Buffer[] = [];
  let end = 0;
  for (const name of ordered.flatMap((name) => [name, `${name}.compiled`])) {
    if (!existsSync(join(folder, name))) continue;
    const part = await readFile(join(folder, name));
    places[name] = [end, end + part.length];
    end += part.length;
    parts.push(part);
  }
  await writeFile(join(folder, 'modules'), Buffer.concat(parts));
  await writeFile(join(folder, 'places'), JSON.stringify(places));
}
