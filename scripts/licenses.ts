import { globSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { root } from './bundle.ts';
import { type Library, librariesIn } from './libraries.ts';

/**
 * The licenses of the libraries that are in a bundle, as a text to hand on with it: their terms ask for that.
 *
 * @param added absolute paths of the folders of more libraries
 * @throws Error: a library that names no license
 */
export async function licensesIn(metafile: Metafile, added: readonly string[] = []): Promise<string> {
  const libraries = await librariesIn(metafile, added);
  return (await Promise.all(libraries.map(licenseOf))).join(`\n${'-'.repeat(80)}\n\n`);
}

async function licenseOf({ folder, name, version, license }: Library): Promise<string> {
  const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
  if (license === undefined && file === undefined) throw new Error(`${name} names no license`);
  const terms =
    file === undefined ? 'It comes without the text.\n' : await readFile(join(folder, file), 'utf8');
  return `${name} ${version} (${license ?? 'see below'})\n\n${terms}`;
}

/**
 * The licenses of a Node and of the libraries inside it: the text that was installed with it. npm removes that of the
 * package `node` when it installs another package, so a copy of Node 24's is kept for such an installation.
 *
 * @param executable absolute path of Node's executable
 */
export function nodeLicense(executable: string): Promise<string> {
  const folder = dirname(executable);
  const [installed] = globSync(
    [
      'LICENSE', // Windows
      '../LICENSE', // archives of nodejs.org and version managers
      '../node_modules/node-*/LICENSE', // npm package node
      '../share/doc/node*/{LICENSE,copyright}', // Linux distributions
    ],
    { cwd: folder },
  );
  const file = installed ? join(folder, installed) : join(root, 'scripts/packaged/node-license.txt');
  return readFile(file, 'utf8');
}
