import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { groups, tree } from '../src/commands/tree.ts';
import { generated, generatedFolders } from './generate/files.ts';
import { modelOf } from './generate/model.ts';
import { resultSchemasFile, resultSchemasText } from './generate/results/results.ts';
import { generatedForLibrary } from './library/generated.ts';

const fileOf = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Writes the generated files, and removes those of areas that no longer exist. */
const files = {
  ...generated(await modelOf(tree, groups)),
  ...generatedForLibrary(),
  [resultSchemasFile]: await resultSchemasText(tree),
};
for (const [path, text] of Object.entries(files)) {
  await mkdir(dirname(fileOf(path)), { recursive: true });
  await writeFile(fileOf(path), text);
}
for (const folder of generatedFolders)
  for (const name of await readdir(fileOf(folder)))
    if (!Object.hasOwn(files, `${folder}/${name}`)) await rm(fileOf(`${folder}/${name}`));
