import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { groups, tree } from '../src/commands/tree.ts';
import { generated } from './generate/files.ts';
import { modelOf } from './generate/model.ts';
import { resultSchemasFile, resultSchemasText } from './generate/results/results.ts';

/** Writes the completion scripts, the reference of the commands and schemas from the commands themselves. */
const files = {
  ...generated(await modelOf(tree, groups)),
  [resultSchemasFile]: await resultSchemasText(tree),
};
for (const [path, text] of Object.entries(files)) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
