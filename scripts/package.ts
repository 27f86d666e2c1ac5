import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pkg from '@yao-pkg/pkg/lib-es5/sea.js';
import { build, transform } from 'esbuild';
import { bundling, root, smaller } from './bundle.ts';
import { loadBuiltInsLazily } from './chunk.ts';
import { licensesIn } from './licenses.ts';

// Makes dist/lanyard, one file to copy to a machine that has no Node: this very runtime, with the program and
// its compiled code inside. The keyring's native code cannot be in it, so there tokens rest in the file.

const entry = `
import { cli } from './src/cli.ts';
cli().then((code) => {
  process.exitCode = code;
  setTimeout(() => process.exit(), 50).unref();
});
`;
const platform = ({ darwin: 'macos', win32: 'win' } as const)[process.platform as 'darwin'] ?? 'linux';
const output = join(root, 'dist', process.platform === 'win32' ? 'lanyard.exe' : 'lanyard');
const folder = await mkdtemp(join(tmpdir(), 'lanyard-package-'));
try {
  const program = join(folder, 'lanyard.cjs');
  const made = join(folder, 'lanyard');
  const { outputFiles, metafile } = await build({
    ...bundling,
    // A program in one file stands beside no other: it has no place to name.
    define: {
      ...bundling.define,
      'import.meta.dirname': 'undefined',
      'import.meta.filename': 'undefined',
    },
    stdin: { contents: entry, resolveDir: root, loader: 'ts' },
    format: 'cjs',
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  for (const { text } of outputFiles) {
    await writeFile(
      program,
      (await transform(loadBuiltInsLazily(text), { ...smaller, target: bundling.target })).code,
    );
  }
  await pkg.default(program, {
    useLocalNode: true,
    seaConfig: { disableExperimentalSEAWarning: true, useSnapshot: false, useCodeCache: true },
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
} finally {
  await rm(folder, { recursive: true });
}
process.stdout.write(`${output}\n`);
