import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from './bundle.ts';
import { generatedFiles } from './generate/cache.ts';
import { writeFiles } from './generate/write.ts';
import { licensesIn } from './licenses.ts';
import { modules } from './modules.ts';

// Makes dist/, except dist/release: the programs, the library and their chunks, and before that what they and the
// packages have inside: man/, the schemas of results, docs/library/. dist/meta.json says what went where; the
// architecture test reads it.

const dist = join(root, 'dist');
const generated = await generatedFiles();
await writeFiles(generated.built, ['man', 'docs/library']);
const built = await modules();
await mkdir(dist, { recursive: true });
for (const name of await readdir(dist)) {
  if (name !== 'release') await rm(join(dist, name), { recursive: true, force: true });
}
for (const { path, code } of built.modules) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, code);
}
await writeFiles(generated.library, []);
await writeFile(join(dist, 'package.json'), '{ "type": "commonjs" }\n');
await writeFile(join(dist, 'meta.json'), JSON.stringify(built.metafile));
await writeFile(join(dist, 'licenses.txt'), await licensesIn(built.metafile));
