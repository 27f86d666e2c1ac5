import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { root } from './bundle.ts';

/** A library in a bundle. */
export interface Library {
  /** Absolute path. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** SPDX expression; undefined if package.json has none. */
  readonly license?: string;
}

/** The folder of the keyring library, which a packaged executable contains as native code, not in the bundle. */
export const keyringFolder = join(root, 'node_modules/@napi-rs/keyring');

/**
 * The libraries in a bundle, sorted by folder.
 *
 * @param added absolute paths of the folders of more libraries
 */
export async function librariesIn(
  { inputs }: Metafile,
  added: readonly string[] = [],
): Promise<readonly Library[]> {
  const folders = new Set([...Object.keys(inputs).flatMap((path) => folderOf(path) ?? []), ...added]);
  return Promise.all([...folders].sort().map(libraryAt));
}

/**
 * The folder of the library that a file of a bundle belongs to, as absolute path; undefined: the file is Lanyard's own.
 *
 * @param path as in esbuild's metafile, relative to the root of the package
 */
export function folderOf(path: string): string | undefined {
  if (!path.includes('node_modules')) return undefined;
  let folder = dirname(join(root, path));
  // Folders inside a library may have a package.json that only says which kind of modules they hold.
  while (
    !/node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+$/.test(folder) ||
    !existsSync(join(folder, 'package.json'))
  )
    folder = dirname(folder);
  return folder;
}

async function libraryAt(folder: string): Promise<Library> {
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  ) as Library;
  return { folder, name, version, ...(license && { license }) };
}
