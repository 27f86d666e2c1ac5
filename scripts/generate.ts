import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { groups, tree } from '../src/commands/tree.ts';
import { generated } from './generate/files.ts';
import { modelOf } from './generate/model.ts';
import { generatedForLibrary } from './library/generated.ts';

// The completion scripts and the reference of the commands from the commands themselves, the declarations and the
// reference of the library from its types.
const files = { ...generated(await modelOf(tree, groups)), ...generatedForLibrary() };
for (const [path, text] of Object.entries(files)) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
