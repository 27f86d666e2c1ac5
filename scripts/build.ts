import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { build, transform } from 'esbuild';
import { bundling, root, smaller } from './bundle.ts';
import { loadBuiltInsLazily, nameMembers } from './chunk.ts';
import { licensesIn } from './licenses.ts';

// Makes dist/: the programs, and in chunks/ what is loaded only when it is needed. They are CommonJS, because
// an ES module reads every property of the built-in modules that it imports: `import 'node:http'` loads a
// second HTTP client and a WebSocket. dist/meta.json says what went where; the architecture test reads it.

const dist = join(root, 'dist');
const strict = '"use strict";';
const { outputFiles, metafile } = await build({
  ...bundling,
  // The keyring's program is started by itself, as a process.
  entryPoints: ['src/cli.ts', 'src/config/keyring-program.ts'],
  outbase: 'src',
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  define: { ...bundling.define, 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
  // Only ES modules can be split into chunks; each of them becomes CommonJS below.
  format: 'esm',
  splitting: true,
  inject: ['scripts/base.ts'],
  metafile: true,
  write: false,
  logLevel: 'warning',
});

const commonJs = new Set(
  Object.entries(metafile.outputs)
    .filter(([, { entryPoint }]) => entryPoint && metafile.inputs[entryPoint]?.format === 'cjs')
    .map(([path]) => basename(path)),
);

async function finish(module: string): Promise<string> {
  const { code } = await transform(
    nameMembers(module, (file) => commonJs.has(file)),
    { format: 'cjs', platform: 'node', supported: { 'dynamic-import': false } },
  );
  return (await transform(loadBuiltInsLazily(code), { ...smaller, banner: strict, target: bundling.target }))
    .code;
}

await rm(dist, { recursive: true, force: true });
for (const { path, text } of outputFiles) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, await finish(text));
}
await writeFile(join(dist, 'package.json'), '{ "type": "commonjs" }\n');
await writeFile(join(dist, 'meta.json'), JSON.stringify(metafile));
await writeFile(join(dist, 'licenses.txt'), await licensesIn(metafile));
