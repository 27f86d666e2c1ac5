import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from './bundle.ts';
import { buildTime, cyclonedx } from './cyclonedx.ts';
import { modules } from './modules.ts';

// Writes dist/lanyard.cdx.json (or FILE): the SBOM that `npm run package` writes, without the program.

const [, , output = join(root, 'dist', 'lanyard.cdx.json')] = process.argv;
const { metafile } = await modules();
await mkdir(dirname(output), { recursive: true });
await writeFile(output, await cyclonedx(metafile, buildTime()));
process.stdout.write(`${output}\n`);
