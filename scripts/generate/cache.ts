import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../bundle.ts';
import type { Generated } from './files.ts';

const cache = join(root, 'node_modules/.cache/lanyard-generated.json');
/** What the generated files are made from. */
const sources = [
  'src/**/*',
  'scripts/**/*',
  'docs/guides/*',
  'test/conformance/**/*',
  'CHANGELOG.md',
  'package.json',
  'package-lock.json',
];

/** The generated files. They are made again only after a change of a source, as that takes seconds. */
export async function generatedFiles(): Promise<Generated> {
  const key = keyOf(sources);
  const kept = await readFile(cache, 'utf8').then(JSON.parse, () => undefined);
  if (kept?.key === key) return kept.files;
  const { generated } = await import('./files.ts');
  const files = await generated();
  await mkdir(dirname(cache), { recursive: true });
  await writeFile(cache, JSON.stringify({ key, files }));
  return files;
}

function keyOf(patterns: readonly string[]): string {
  const hash = createHash('sha256');
  for (const entry of globSync(patterns, { cwd: root, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}
