import { conflict, insteadOf, isNotFound } from '../../errors.ts';
import { field } from '../../objects/schema.ts';
import type { Kind, Services } from '../kind.ts';
import { boxField, boxLive, listVersions, ownerField } from './box-lists.ts';
import { hasImage, type Provider } from './box-provider.ts';
import { readVersion, versionLabel, versionPathOf } from './box-version.ts';

/** @throws LanyardError conflict: a provider has no image. */
async function requireImages(
  services: Services,
  label: string,
  providers: readonly Provider[],
): Promise<void> {
  const found = await Promise.all(providers.map((provider) => hasImage(services, provider)));
  const without = providers.filter((_provider, index) => !found[index]);
  if (providers.length > 0 && without.length === 0) return;
  throw conflict(`cannot release version ${label}: no image to download`, {
    service: 'box',
    details: without.map(({ name }) => `Provider ${name} has no image.`),
  });
}

/**
 * That a version of a box is released (docs/protocol/box.md#boxes-and-versions). To delete it is to revoke the
 * version, which cannot be released again.
 */
export const boxRelease: Kind = {
  name: 'box.release',
  service: 'box',
  description: 'The release of a version of a box. Deleting it revokes the version.',
  scope: [ownerField, boxField],
  nameIs: 'number of the version, such as 1.0.0',
  schema: field.object({}),
  level: 6,
  guard: 're-read',
  isProtected: true,
  notRestored: () => ({ what: 'the release, which is final', isAll: true }),
  references: ({ scope, key }) => [{ kind: 'box.version', identity: { scope, key } }],
  follows: ({ scope: { owner, box }, key }, { kind, identity: { scope } }) =>
    kind === 'box.provider' && scope.owner === owner && scope.box === box && scope.version === key,
  label: versionLabel,
  async list(services, known = []) {
    const versions = await listVersions(services, known);
    return versions.flatMap(({ scope, version: { version, status } }) =>
      status === 'active' ? [{ scope, key: version }] : [],
    );
  },
  async read(services, identity) {
    const version = await readVersion(services, identity);
    return version?.status === 'active' ? boxLive(version, {}) : undefined;
  },
  async create(services, { identity }) {
    const label = versionLabel(identity);
    const version = await readVersion(services, identity);
    if (version?.status === 'active') throw conflict(`cannot release version ${label}: already released`);
    if (version?.status === 'revoked')
      throw conflict(`cannot release version ${label}: the version is revoked`, {
        service: 'box',
        hint: 'Publish the image as a new version.',
      });
    await requireImages(services, label, version?.providers ?? []);
    await (await services.box()).releaseVersion(versionPathOf(identity));
  },
  // It has no fields.
  update: async () => undefined,
  async remove(services, identity) {
    await (await services.box())
      .revokeVersion(versionPathOf(identity))
      .catch(insteadOf(isNotFound, undefined));
  },
};
