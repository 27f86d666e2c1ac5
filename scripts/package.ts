import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pkg from '@yao-pkg/pkg/lib-es5/sea.js';
import { root } from './bundle.ts';
import { buildTime, cyclonedx } from './cyclonedx.ts';
import { keyringFolder } from './libraries.ts';
import { licensesIn, nodeLicense } from './licenses.ts';
import { hostKeyring } from './packaged/keyring-library.ts';
import { payload } from './packaged/payload.ts';

// Makes dist/lanyard (or the FILE that is named), one file to copy to a machine that has no Node: this very runtime,
// with the program's modules, their compiled code and the keyring library inside. Each module is read when it is
// needed: a start costs what it uses. The licenses of what is inside, and the SBOM, are written into the same folder.

const platform = ({ darwin: 'macos', win32: 'win' } as const)[process.platform as 'darwin'] ?? 'linux';
const [, , output = join(root, 'dist', process.platform === 'win32' ? 'lanyard.exe' : 'lanyard')] =
  process.argv;
const folder = await mkdtemp(join(tmpdir(), 'lanyard-package-'));
try {
  const { metafile, program, assets } = await payload(folder, { compiled: true });
  const keyring = hostKeyring();
  const made = join(folder, 'lanyard');
  await pkg.default(program, {
    useLocalNode: true,
    seaConfig: {
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      useCodeCache: true,
      assets: { ...assets, ...(keyring && { keyring }) },
    },
    targets: [
      {
        nodeRange: `node${process.versions.node.split('.')[0]}`,
        platform,
        arch: process.arch,
        output: made,
      },
    ],
  });
  await mkdir(dirname(output), { recursive: true });
  await copyFile(made, output);
  await writeFile(join(dirname(output), 'licenses.txt'), await licensesIn(metafile, [keyringFolder]));
  await writeFile(join(dirname(output), 'node-license.txt'), await nodeLicense(process.execPath));
  await writeFile(join(dirname(output), 'lanyard.cdx.json'), await cyclonedx(metafile, buildTime()));
} finally {
  await rm(folder, { recursive: true });
}
process.stdout.write(`${output}\n`);
