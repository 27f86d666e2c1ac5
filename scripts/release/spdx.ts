import { sha256 } from './checksums.ts';

/** What is read of the SBOM in CycloneDX. */
export interface Components {
  readonly metadata: { readonly timestamp: string; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly cpe?: string;
  readonly licenses?: readonly { readonly expression: string }[];
  readonly hashes?: readonly { readonly content: string }[];
}

/** The same SBOM as SPDX 2.3 in JSON. Its namespace is made from the content, so the same SBOM gives the same text. */
export function spdx(sbom: Components): string {
  const { component: program, timestamp } = sbom.metadata;
  const all = [program, ...sbom.components];
  const ids = new Map(all.map((component) => [component['bom-ref'], idOf(component)]));
  const id = (ref: string) => ids.get(ref) ?? ref;
  const document = {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: `${program.name}-${program.version}`,
    documentNamespace: `https://spdx.org/spdxdocs/${program.name}-${program.version}-${sha256(JSON.stringify(sbom))}`,
    creationInfo: { created: timestamp.replace(/\.\d+Z$/, 'Z'), creators: [`Tool: ${program.name}-release`] },
    packages: all.map(packageOf),
    relationships: [
      relationship('SPDXRef-DOCUMENT', 'DESCRIBES', id(program['bom-ref'])),
      ...sbom.dependencies.flatMap(({ ref, dependsOn }) =>
        dependsOn.map((on) => relationship(id(ref), 'DEPENDS_ON', id(on))),
      ),
    ],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

const idOf = ({ name, version }: Component) =>
  `SPDXRef-Package-${`${name}-${version}`.replace(/[^A-Za-z0-9.-]+/g, '-')}`;

const relationship = (spdxElementId: string, relationshipType: string, relatedSpdxElement: string) => ({
  spdxElementId,
  relationshipType,
  relatedSpdxElement,
});

function packageOf(component: Component): object {
  const { name, version, purl, cpe, licenses, hashes } = component;
  const reference = (referenceCategory: string, referenceType: string, referenceLocator: string) => ({
    referenceCategory,
    referenceType,
    referenceLocator,
  });
  const externalRefs = [reference('PACKAGE-MANAGER', 'purl', purl)];
  if (cpe) externalRefs.push(reference('SECURITY', 'cpe23Type', cpe));
  const checksums = hashes?.map(({ content }) => ({ algorithm: 'SHA512', checksumValue: content }));
  return {
    SPDXID: idOf(component),
    name,
    versionInfo: version,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: licenses?.[0]?.expression ?? 'NOASSERTION',
    copyrightText: 'NOASSERTION',
    externalRefs,
    checksums,
  };
}
