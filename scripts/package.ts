import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import pkg from '@yao-pkg/pkg/lib-es5/sea.js';
import { build } from 'esbuild';
import { bundling, root, smaller } from './bundle.ts';
import { buildTime, cyclonedx } from './cyclonedx.ts';
import { licensesIn, nodeLicense } from './licenses.ts';
import { modules } from './modules.ts';
import { wrapped } from './packaged/load.ts';

// Makes dist/lanyard (or the FILE that is named), one file to copy to a machine that has no Node: this very runtime, with the program's modules
// and their compiled code inside. Each is read when it is needed: a start costs what it uses, however large the whole
// is. The keyring's native code cannot be in it, so there tokens rest in the file.
// The licenses of what is inside, and the SBOM, are written into the same folder.

const platform = ({ darwin: 'macos', win32: 'win' } as const)[process.platform as 'darwin'] ?? 'linux';
const [, , output = join(root, 'dist', process.platform === 'win32' ? 'lanyard.exe' : 'lanyard')] =
  process.argv;
const folder = await mkdtemp(join(tmpdir(), 'lanyard-package-'));
try {
  const { metafile, modules: all } = await modules();
  const inside = all.filter(({ path }) => !path.endsWith('keyring-program.js'));
  const names = inside.map(({ path }) => basename(path));
  for (const { path, code } of inside) {
    await writeFile(join(folder, basename(path)), wrapped(code), { flag: 'wx' });
  }
  await compile(names);
  await gather(names);
  const program = join(folder, 'main.cjs');
  await build({
    ...bundling,
    ...smaller,
    entryPoints: [join(root, 'scripts/packaged/main.ts')],
    outfile: program,
    format: 'cjs',
    logLevel: 'warning',
  });
  const made = join(folder, 'lanyard');
  await pkg.default(program, {
    useLocalNode: true,
    seaConfig: {
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      useCodeCache: true,
      assets: { places: join(folder, 'places'), modules: join(folder, 'modules') },
    },
    targets: [
      {
        nodeRange: `node${process.versions.node.split('.')[0]}`,
        platform,
        arch: process.arch,
        output: made,
      },
    ],
  });
  await mkdir(dirname(output), { recursive: true });
  await copyFile(made, output);
  await writeFile(join(dirname(output), 'licenses.txt'), await licensesIn(metafile));
  await writeFile(join(dirname(output), 'node-license.txt'), await nodeLicense(process.execPath));
  await writeFile(join(dirname(output), 'lanyard.cdx.json'), await cyclonedx(metafile, buildTime()));
} finally {
  await rm(folder, { recursive: true });
}
process.stdout.write(`${output}\n`);

/**
 * Writes the compiled code of the modules beside them. What has run is compiled with its functions, so the program is
 * run: what answers at once, and the tour, which goes through all the services.
 */
async function compile(names: readonly string[]): Promise<void> {
  const home = join(folder, 'home');
  await mkdir(home);
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home, MODULES: folder };
  const program = join(root, 'scripts/packaged/compile.ts');
  for (const args of [['--version'], ['--help'], ['completion', 'bash'], ['quickstart']]) {
    const { error, status } = spawnSync(process.execPath, [program, ...args], {
      env,
      cwd: home,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (error || status !== 0) throw error ?? new Error(`lanyard ${args.join(' ')} ended with ${status}`);
  }
  for (const name of names) {
    const path = join(folder, `${name}.compiled`);
    if (existsSync(path)) continue;
    const code = await readFile(join(folder, name), 'utf8');
    await writeFile(path, new Script(code, { filename: name }).createCachedData());
  }
}

/**
 * Writes the modules and their compiled code into one file, and what is where. What is used together stands together:
 * of an executable, the pages around what is read are in memory, too.
 */
async function gather(names: readonly string[]): Promise<void> {
  const uses = new Map<string, number>();
  for (const name of (await readFile(join(folder, 'loaded'), 'utf8')).split('\n')) {
    uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  const ordered = names.toSorted((a, b) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0));
  const places: Record<string, readonly [number, number]> = {};
  const parts: Buffer[] = [];
  let end = 0;
  for (const name of ordered.flatMap((name) => [name, `${name}.compiled`])) {
    const part = await readFile(join(folder, name));
    places[name] = [end, end + part.length];
    end += part.length;
    parts.push(part);
  }
  await writeFile(join(folder, 'modules'), Buffer.concat(parts));
  await writeFile(join(folder, 'places'), JSON.stringify(places));
}
