import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { libraryFiles } from '../../scripts/library/files.ts';
import { generatedForLibrary } from '../../scripts/library/generated.ts';
import * as library from '../../src/library/index.ts';

const committed = (path: string): Promise<string> =>
  readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

const generated = generatedForLibrary();

test.each(Object.entries(generated))('%s is up to date', async (path, text) => {
  expect(await committed(path), 'run: npm run generate').toBe(text);
});

test('the library has the declared types', () => {
  // Checked by the compiler, not at run time.
  const declared: typeof import('../../types/index.d.ts') = library;
  expect(declared).toBe(library);
});

test('the ES module and the declarations have every export', async () => {
  const names = Object.keys(library).sort();
  const { 'index.mjs': module = '' } = await libraryFiles();
  expect([...module.matchAll(/\w+(?=[,\s]+(?:\w+[,\s]+)*\} = library)/g)].map(String).sort()).toEqual(names);
  const declarations = generated['types/index.d.ts'] ?? '';
  const values = [...declarations.matchAll(/^export declare (?:function|class) (\w+)/gm)];
  expect([...new Set(values.map(([, name]) => name))].sort()).toEqual(names);
});

test('every declaration and every operation has a comment', () => {
  const declarations = generated['types/index.d.ts'] ?? '';
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
  expect(generated['types/index.d.ts']).not.toMatch(/^import |\bimport\(|\bNodeJS\.|\bBuffer\b/m);
});
