import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

// Replaces the compiled code in the folder that is named by code without traces of the timing of the runs.

const [, , folder = ''] = process.argv;
for (const name of globSync('*.compiled', { cwd: folder }).sort()) {
  const path = join(folder, name);
  const filename = name.slice(0, -'.compiled'.length);
  const script = new Script(readFileSync(join(folder, filename), 'utf8'), {
    filename,
    cachedData: readFileSync(path),
  });
  if (script.cachedDataRejected) throw new Error(`V8 rejected ${name}`);
  writeFileSync(path, script.createCachedData());
}
