import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { root } from './bundle.ts';

/**
 * The licences of the libraries that are in a bundle, as a text to hand on with it: their terms ask for that.
 *
 * @throws Error: a library that names no licence
 */
export async function licensesIn({ inputs }: Metafile): Promise<string> {
  const packages = new Set(Object.keys(inputs).flatMap((path) => packageOf(join(root, path)) ?? []));
  return (await Promise.all([...packages].sort().map(licenseOf))).join(`\n${'-'.repeat(80)}\n\n`);
}

/** The folder of the library that a file belongs to; undefined: it is Lanyard's own. */
function packageOf(file: string): string | undefined {
  if (!file.includes('node_modules')) return undefined;
  let folder = dirname(file);
  // Folders inside a library may have a package.json that only says which kind of modules they hold.
  while (
    !/node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+$/.test(folder) ||
    !existsSync(join(folder, 'package.json'))
  )
    folder = dirname(folder);
  return folder;
}

async function licenseOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
  };
  const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
  if (license === undefined && file === undefined) throw new Error(`${name} names no licence`);
  const terms =
    file === undefined ? 'It comes without the text.\n' : await readFile(join(folder, file), 'utf8');
  return `${name} ${version} (${license ?? 'see below'})\n\n${terms}`;
}
