import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Metafile } from 'esbuild';
import { root } from './bundle.ts';
import { folderOf, keyringFolder, type Library, librariesIn } from './libraries.ts';

/** The time to write into what is built: that of SOURCE_DATE_EPOCH (Unix time in seconds), or now. */
export function buildTime(): Date {
  const { SOURCE_DATE_EPOCH: seconds } = process.env;
  return seconds ? new Date(Number(seconds) * 1000) : new Date();
}

/**
 * The SBOM of the packaged program, as CycloneDX 1.6 in JSON: the libraries in the bundle, the keyring library, and Node.
 * The same bundle, Node and time give the same text; it has no serial number.
 *
 * @param nodes versions of Node in the executables
 * @throws Error: a library that package-lock.json does not have
 */
export async function cyclonedx(
  metafile: Metafile,
  time: Date,
  nodes: readonly string[] = [process.versions.node],
): Promise<string> {
  const libraries = await librariesIn(metafile, [keyringFolder]);
  const [lanyard, lockfile] = await Promise.all(
    ['package.json', 'package-lock.json'].map(async (file) =>
      JSON.parse(await readFile(join(root, file), 'utf8')),
    ),
  );
  const program = { ...npmPackage({ ...lanyard, folder: root }), type: 'application' };
  const runtimes = nodes.map(nodeComponent);
  // A library of which two copies of the same version are inside is one component.
  const components = new Map(
    libraries.map((library) => {
      const hashes = [{ alg: 'SHA-512', content: sha512(library, lockfile.packages) }];
      const component = { ...npmPackage(library), hashes };
      return [component.purl, component];
    }),
  );
  const purlOf = new Map(libraries.map((library) => [library.folder, npmPackage(library).purl]));
  const dependencies = dependenciesIn(metafile, (path) => purlOf.get(folderOf(path) ?? '') ?? program.purl);
  const outsideBundle = [...runtimes.map(({ purl }) => purl), purlOf.get(keyringFolder) ?? ''];
  for (const purl of outsideBundle) dependencies.set(purl, new Set()).get(program.purl)?.add(purl);
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { timestamp: time.toISOString(), lifecycles: [{ phase: 'build' }], component: program },
    components: [...components.values(), ...runtimes],
    dependencies: [...dependencies].map(([ref, on]) => ({ ref, dependsOn: [...on].sort() })),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** Which component imports which in the bundle. `componentOf` gives the component that a file belongs to. */
function dependenciesIn(
  { inputs }: Metafile,
  componentOf: (path: string) => string,
): Map<string, Set<string>> {
  const dependencies = new Map(Object.keys(inputs).map((path) => [componentOf(path), new Set<string>()]));
  for (const [path, { imports }] of Object.entries(inputs)) {
    const importer = componentOf(path);
    for (const { path, external } of imports) {
      if (!external && componentOf(path) !== importer) dependencies.get(importer)?.add(componentOf(path));
    }
  }
  return dependencies;
}

function npmPackage({ name, version, license }: Library) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    ...(license && { licenses: [{ expression: license }] }),
    purl,
  };
}

/** Node. Databases of vulnerabilities know it by its CPE. */
function nodeComponent(version: string) {
  const purl = `pkg:generic/node@${version}`;
  return {
    type: 'platform',
    'bom-ref': purl,
    name: 'node',
    version,
    licenses: [{ expression: 'MIT' }],
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    purl,
  };
}

/** The checksum of the library's npm archive, in hexadecimal. */
function sha512(
  { folder, name }: Library,
  packages: Readonly<Record<string, { readonly integrity?: string }>>,
): string {
  const integrity = packages[relative(root, folder).split(sep).join('/')]?.integrity;
  if (!integrity?.startsWith('sha512-')) throw new Error(`package-lock.json has no SHA-512 of ${name}`);
  return Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
}
