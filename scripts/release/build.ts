import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../bundle.ts';
import { cyclonedx } from '../cyclonedx.ts';
import { keyringFolder as keyringLibraryFolder } from '../libraries.ts';
import { licensesIn } from '../licenses.ts';
import { type Payload, payload } from '../packaged/payload.ts';
import { gzip, normalize, tar, xz, zip } from './archive.ts';
import { checksumsOf, sumsText } from './checksums.ts';
import { executable, keyringFolder, stripper } from './executable.ts';
import { type Contents, layout } from './layout.ts';
import { deb, place, rpm } from './linux-packages.ts';
import { npmPackage } from './npm-package.ts';
import { imageRoot, ociArchive } from './oci.ts';
import { debianVersion, formula, type PackageInfo, scoopManifest } from './packages.ts';
import { sign } from './sign.ts';
import { missingPackages, siteArchive } from './site.ts';
import { type Components, spdx } from './spdx.ts';
import { debianArch, rpmArch, type Target, targets } from './targets.ts';
import { missing, run, say } from './tools.ts';

export interface ReleaseInfo {
  readonly version: string;
  readonly revision: string;
  /** Time of the commit, in Unix seconds. */
  readonly seconds: number;
  readonly maintainer: string;
  /** Where the files will be downloaded from, without a trailing slash; undefined: not known. */
  readonly address: string | undefined;
  /** Only these artefacts or files; empty: all. */
  readonly only: readonly string[];
}

interface Build extends ReleaseInfo {
  /** Folder of the release. */
  readonly output: string;
  /** Folder for temporary files. */
  readonly work: string;
  /** Artefacts that were skipped, with the reason. */
  readonly skipped: Map<string, string>;
}

/**
 * Writes the files of a release into a folder, which is emptied first. An artefact whose tools are missing is skipped
 * with a line.
 *
 * @returns the artefacts that were skipped, with the reason
 */
export async function build(info: ReleaseInfo, output: string): Promise<ReadonlyMap<string, string>> {
  run('npm', ['run', '-s', 'build'], { cwd: root });
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'lanyard-release-'));
  try {
    const all: Build = { ...info, output, work, skipped: new Map() };
    await buildAll(all);
    return all.skipped;
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** Makes an artefact, or says which tools it lacks. */
async function attempt(
  { skipped, only }: Build,
  name: string,
  tools: readonly string[],
  make: () => void | Promise<void>,
): Promise<void> {
  if (only.length > 0 && !only.some((selected) => selected.includes(name) || name.includes(selected))) {
    skipped.set(name, 'not selected');
    return;
  }
  const lacking = missing(tools);
  if (lacking.length > 0) {
    skipped.set(name, `${lacking.join(', ')} missing`);
    say(`skipped ${name}: ${lacking.join(', ')} missing`);
    return;
  }
  const start = Date.now();
  await make();
  say(`made ${name} (${((Date.now() - start) / 1000).toFixed(0)} s)`);
}

async function buildAll(all: Build): Promise<void> {
  const { work, output, version, seconds } = all;
  const compiled = await payloadIn(join(work, 'compiled'), true);
  const plain = await payloadIn(join(work, 'plain'), false);
  const linux: { readonly target: Target; readonly contents: Contents }[] = [];
  for (const target of targets) {
    const strip = stripper(target);
    const packer = target.os === 'win' ? ['zip'] : ['tar', 'xz'];
    await attempt(all, target.id, [...packer, ...(strip ? [strip] : [])], async () => {
      const own = target.id === 'linux-x64' ? compiled : plain;
      const contents = await contentsOf(target, own, work);
      if (target.os === 'linux') linux.push({ target, contents });
      archive(all, target, contents);
    });
  }
  for (const { target, contents } of linux) {
    const info: PackageInfo = { ...all, target };
    const debName = `lanyard_${debianVersion(version)}_${debianArch[target.arch]}.deb`;
    await attempt(all, debName, ['dpkg-deb'], () =>
      deb(info, contents, { folder: join(work, debName), seconds, output: join(output, debName) }),
    );
    const rpmName = `lanyard-${debianVersion(version)}-1.${rpmArch[target.arch]}.rpm`;
    await attempt(all, rpmName, ['rpmbuild'], () =>
      rpm(info, contents, { folder: join(work, rpmName), seconds, output: join(output, rpmName) }),
    );
  }
  const image = `lanyard-${version}-oci.tar`;
  await attempt(all, image, ['apt-get', 'dpkg-deb'], () => {
    const roots = linux.map(({ target, contents }) => ({
      target,
      root: imageRoot(target, contents, join(work, `image-${target.id}`)),
    }));
    ociArchive(all, roots, join(work, 'oci'), join(output, image));
  });
  await attempt(all, `lanyard-${version}.tgz`, ['npm'], () => {
    run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', output], { cwd: root });
  });
  const site = `lanyard-${version}-site.tar.gz`;
  await attempt(all, site, ['npm', 'tar', ...missingPackages()], () => siteArchive(all));
  await sbom(all, compiled);
  installers(all);
  const sums = checksumsOf(output, readdirSync(output));
  writeFileSync(join(output, 'SHA256SUMS'), sumsText(sums));
  const note = sign(join(output, 'SHA256SUMS'), `lanyard ${version}`);
  if (note) all.skipped.set('SHA256SUMS.minisig', note);
  say(note ? `skipped SHA256SUMS.minisig: ${note}` : 'made SHA256SUMS.minisig');
}

async function payloadIn(folder: string, compiled: boolean): Promise<Payload> {
  mkdirSync(folder);
  return payload(folder, { compiled });
}

/** Writes the executable of a target and the texts that belong to it. */
async function contentsOf(target: Target, own: Payload, work: string): Promise<Contents> {
  const folder = join(work, `contents-${target.id}`);
  mkdirSync(folder);
  const program = join(folder, 'lanyard');
  await executable(target, own, work, program);
  const libraries = join(folder, 'licenses.txt');
  writeFileSync(libraries, await licensesIn(own.metafile, [keyringLibraryFolder]));
  const node = join(folder, 'node-license.txt');
  const nodeLicense = join(npmPackage(target.node), 'LICENSE');
  // npm's package for Windows has no license; the versions of Node 24 have the same one.
  copyFileSync(existsSync(nodeLicense) ? nodeLicense : join(npmPackage(target.generator), 'LICENSE'), node);
  const keyring = join(folder, 'keyring-licenses.md');
  copyFileSync(join(keyringFolder(target), 'LICENSE.third-party.md'), keyring);
  return {
    executable: program,
    completions: join(root, 'completions'),
    licenses: [join(root, 'LICENSE'), libraries, node, keyring],
    manPages: globSync('man/*.[1-8]', { cwd: root })
      .sort()
      .map((path) => join(root, path)),
  };
}

function archive({ version, seconds, work, output }: Build, target: Target, contents: Contents): void {
  const name = `lanyard-${version}-${target.id}`;
  const folder = join(work, name);
  place(layout(target.os === 'win' ? 'windows' : 'archive', contents), folder);
  normalize(folder, seconds);
  if (target.os === 'win') {
    zip(work, name, join(output, `${name}.zip`));
    return;
  }
  const file = join(target.os === 'linux' ? output : work, `${name}.tar`);
  tar(work, name, seconds, file);
  if (target.os === 'linux') xz(file);
  else gzip(file, join(output, `${name}.tar.gz`));
}

async function sbom({ version, seconds, output }: Build, { metafile }: Payload): Promise<void> {
  const nodes = new Set(targets.map(({ node }) => node.version));
  const document = await cyclonedx(metafile, new Date(seconds * 1000), [...nodes].sort());
  writeFileSync(join(output, `lanyard-${version}.cdx.json`), document);
  writeFileSync(join(output, `lanyard-${version}.spdx.json`), spdx(JSON.parse(document) as Components));
}

function installers(all: Build): void {
  const { output, version, address, skipped } = all;
  const script = readFileSync(join(root, 'scripts/release/install.sh'), 'utf8');
  const filled = script.replaceAll('@VERSION@', version).replaceAll('@ADDRESS@', address ?? '');
  writeFileSync(join(output, 'install.sh'), filled, { mode: 0o755 });
  if (address === undefined) {
    const note = 'LANYARD_RELEASE_URL is not set';
    for (const name of ['lanyard.rb', 'lanyard.json']) skipped.set(name, note);
    say(`skipped lanyard.rb, lanyard.json: ${note}`);
    return;
  }
  const published = { version, address, checksums: checksumsOf(output, readdirSync(output)) };
  if (['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'].every((id) => !skipped.has(id))) {
    writeFileSync(join(output, 'lanyard.rb'), formula(published));
  }
  if (!skipped.has('win-x64')) writeFileSync(join(output, 'lanyard.json'), scoopManifest(published));
}
