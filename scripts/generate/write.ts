import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../bundle.ts';

/**
 * Writes files, by their path in the repository.
 *
 * @param folders in which there are no others: those of areas that no longer exist are removed.
 */
export async function writeFiles(
  files: Readonly<Record<string, string>>,
  folders: readonly string[],
): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  for (const folder of folders)
    for (const name of await readdir(join(root, folder)))
      if (!Object.hasOwn(files, `${folder}/${name}`)) await rm(join(root, folder, name));
}
