import { expect, test } from 'vitest';
import { spdx } from '../../../scripts/release/spdx.ts';

const component = (name: string, version: string) => ({
  'bom-ref': `pkg:npm/${name}@${version}`,
  purl: `pkg:npm/${name}@${version}`,
  name,
  version,
  licenses: [{ expression: 'MIT' }],
});

test('the SPDX document has every component, dependency and identifier', () => {
  const program = component('lanyard', '1.2.0');
  const library = { ...component('@a/b', '2.0.0'), hashes: [{ content: 'abc' }], cpe: 'cpe:2.3:a' };
  const sbom = {
    metadata: { timestamp: '2026-11-22T09:08:07.000Z', component: program },
    components: [library],
    dependencies: [{ ref: program['bom-ref'], dependsOn: [library['bom-ref']] }],
  };
  const document = JSON.parse(spdx(sbom));
  expect(document).toMatchObject({
    spdxVersion: 'SPDX-2.3',
    creationInfo: { created: '2026-11-22T09:08:07Z' },
    packages: [
      { SPDXID: 'SPDXRef-Package-lanyard-1.2.0' },
      {
        SPDXID: 'SPDXRef-Package--a-b-2.0.0',
        licenseDeclared: 'MIT',
        checksums: [{ algorithm: 'SHA512', checksumValue: 'abc' }],
        externalRefs: [{ referenceType: 'purl' }, { referenceType: 'cpe23Type' }],
      },
    ],
    relationships: [
      { relationshipType: 'DESCRIBES' },
      { relationshipType: 'DEPENDS_ON', relatedSpdxElement: 'SPDXRef-Package--a-b-2.0.0' },
    ],
  });
  expect(spdx(sbom)).toBe(spdx(sbom));
});
