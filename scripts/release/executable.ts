import { chmodSync, copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { inject } from 'postject';
import type { Payload } from '../packaged/payload.ts';
import { signMacho } from './macho.ts';
import { lockedPackage, npmPackage } from './npm-package.ts';
import type { Target } from './targets.ts';
import { run } from './tools.ts';

/** The program that removes the symbols of a target's Node; undefined: it keeps them. */
export const stripper = ({ os, arch }: Target): string | undefined =>
  os === 'linux' ? { x64: 'strip', arm64: 'aarch64-linux-gnu-strip' }[arch] : undefined;

/**
 * Writes the executable of a target: its Node, with the payload as a single executable application.
 *
 * @param payload for Linux x64 with compiled code, for the others without
 * @param folder for temporary files
 * @param output absolute path
 */
export async function executable(
  target: Target,
  payload: Payload,
  folder: string,
  output: string,
): Promise<void> {
  const node = join(npmPackage(target.node), target.os === 'win' ? 'bin/node.exe' : 'bin/node');
  const blob = join(folder, `${target.id}.blob`);
  const config = join(folder, `${target.id}.json`);
  writeFileSync(
    config,
    JSON.stringify({
      // The blob contains this path, so it is the same in every folder.
      main: basename(payload.program),
      output: blob,
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      useCodeCache: false,
      assets: { ...payload.assets, keyring: keyringLibrary(target) },
    }),
  );
  run(join(npmPackage(target.generator), 'bin/node'), ['--experimental-sea-config', config], {
    cwd: dirname(payload.program),
  });
  mkdirSync(dirname(output), { recursive: true });
  copyFileSync(node, output);
  // Before the injection: a file that is stripped after it crashes.
  const strip = stripper(target);
  if (strip) run(strip, [output]);
  await withoutWarnings(() =>
    inject(output, 'NODE_SEA_BLOB', readFileSync(blob), {
      sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
      ...(target.os === 'darwin' && { machoSegmentName: 'NODE_SEA' }),
    }),
  );
  if (target.os === 'darwin') writeFileSync(output, signMacho(readFileSync(output), 'lanyard'));
  chmodSync(output, 0o755);
}

/** Runs `inject` without its warnings about names of ELF notes and the removed signature, which are harmless. */
async function withoutWarnings(inject: () => Promise<void>): Promise<void> {
  const write = process.stderr.write;
  process.stderr.write = ((text: string, ...rest: []) =>
    /^warning: (Can't find string offset|The signature seems corrupted)/.test(text) ||
    write.call(process.stderr, text, ...rest)) as typeof write;
  try {
    await inject();
  } finally {
    process.stderr.write = write;
  }
}

/** The keyring package of a target, unpacked. */
export const keyringFolder = ({ keyring }: Target): string => npmPackage(lockedPackage(keyring));

function keyringLibrary(target: Target): string {
  const folder = keyringFolder(target);
  const [library] = globSync('*.node', { cwd: folder });
  if (!library) throw new Error(`${target.keyring} has no library`);
  return join(folder, library);
}
