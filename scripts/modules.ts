import { basename } from 'node:path';
import { build, type Metafile, transform } from 'esbuild';
import { bundling, smaller } from './bundle.ts';
import { loadBuiltInsLazily, nameMembers } from './chunk.ts';

const strict = '"use strict";';

/** A file of dist/: a CommonJS module, by its whole path. */
interface Module {
  readonly path: string;
  readonly code: string;
}

/**
 * The programs, and in chunks what is loaded only when it is needed. They are CommonJS, because an ES module reads
 * every property of the built-in modules that it imports: `import 'node:http'` loads a second HTTP client and a
 * WebSocket.
 */
export async function modules(): Promise<{
  readonly modules: readonly Module[];
  readonly metafile: Metafile;
}> {
  const { outputFiles, metafile } = await build({
    ...bundling,
    // The keyring's program is started by itself, as a process.
    entryPoints: ['src/cli/cli.ts', 'src/config/keyring-program.ts', 'src/library/index.ts'],
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
  const finished = outputFiles.map(async ({ path, text }) => ({ path, code: await finish(text, commonJs) }));
  return { modules: await Promise.all(finished), metafile };
}

async function finish(module: string, commonJs: ReadonlySet<string>): Promise<string> {
  const { code } = await transform(
    nameMembers(module, (file) => commonJs.has(file)),
    { format: 'cjs', platform: 'node', supported: { 'dynamic-import': false } },
  );
  return (await transform(loadBuiltInsLazily(code), { ...smaller, banner: strict, target: bundling.target }))
    .code;
}
