import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generatedFiles } from '../../scripts/generate/cache.ts';
import * as library from '../../src/library/index.ts';
import { committed } from '../support/committed.ts';
import { folderForTest } from '../support/folders.ts';
import { root } from '../support/sources.ts';

const generated = await generatedFiles();
const files = { ...generated.built, ...generated.library };
const declarations = files['dist/library/index.d.ts'] ?? '';

test.each(Object.entries(files))('%s is up to date', async (path, text) => {
  expect(await committed(path), 'run: npm run build').toBe(text);
});

test('the library has the declared types', () => {
  const folder = folderForTest();
  const [declared, source] = ['dist/library/index.js', 'src/library/index.ts'].map((path) =>
    join(root, path),
  );
  writeFileSync(
    join(folder, 'check.mts'),
    `import * as library from '${source}';\nexport const declared: typeof import('${declared}') = library;\n`,
  );
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { typeRoots: [join(root, 'node_modules/@types')] },
      include: ['check.mts', join(root, 'src/cli/scripts.d.ts')],
    }),
  );
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
});

test('the ES module and the declarations have every export', () => {
  const names = Object.keys(library).sort();
  const module = files['dist/library/index.mjs'] ?? '';
  expect([...module.matchAll(/\w+(?=[,\s]+(?:\w+[,\s]+)*\} = library)/g)].map(String).sort()).toEqual(names);
  const values = [...declarations.matchAll(/^export declare (?:function|class) (\w+)/gm)];
  expect([...new Set(values.map(([, name]) => name))].sort()).toEqual(names);
});

test('every declaration and every operation has a comment', () => {
  const lines = declarations.split('\n');
  const uncommented = lines.filter(
    (line, index) =>
      (/^export /.test(line) || /^ {2}\w+\(.*(\{|;)$/.test(line)) && !/\*\/$/.test(lines[index - 1] ?? ''),
  );
  expect(uncommented.map((line) => line.trim()).filter((line) => !/^stop\(|^client\(/.test(line))).toEqual(
    [],
  );
});

test('the declarations import nothing', () => {
  expect(declarations).not.toMatch(/^import |\bimport\(|\bNodeJS\.|\bBuffer\b/m);
});
