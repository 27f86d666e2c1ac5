import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../bundle.ts';

/** The values that the library exports. An ES module cannot see them in the bundled CommonJS module. */
const exported = [
  'LanyardError',
  'accounts',
  'box',
  'formatJson',
  'registry',
  'scheduler',
  'secrets',
  'startServices',
];

/** The files of dist/library besides the bundle: the entry of ES modules, and the declarations of both entries. */
export async function libraryFiles(): Promise<Readonly<Record<string, string>>> {
  return {
    'index.mjs': `import library from './index.js';\n\nexport const { ${exported.join(', ')} } = library;\n`,
    'index.d.mts': "export * from './index.js';\n",
    'index.d.ts': await readFile(join(root, 'types/index.d.ts'), 'utf8'),
  };
}
