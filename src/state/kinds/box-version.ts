import { conflict, unlessNotFound } from '../../errors.ts';
import { boxVersion as versionFields } from '../../objects/box.ts';
import type { Identity, Kind, Services } from '../kind.ts';
import {
  boxField,
  boxLive,
  boxPathOf,
  listVersions,
  ownerField,
  rejectContents,
  textOf,
} from './box-lists.ts';

/** The name of a version in the paths of the registry. */
export const versionPathOf = (identity: Identity) => ({ ...boxPathOf(identity), version: identity.key });

export const readVersion = async (services: Services, identity: Identity) =>
  unlessNotFound((await services.box()).readVersion(versionPathOf(identity)));

/** `acme/web 1.0.0` */
export const versionLabel = ({ scope: { owner, box }, key }: Identity): string => `${owner}/${box} ${key}`;

/** A version of a box (docs/protocol/box.md#boxes-and-versions). That it is released is a `box.release`. */
export const boxVersion: Kind = {
  name: 'box.version',
  service: 'box',
  description: 'A version of a box, without its providers.',
  scope: [ownerField, boxField],
  nameIs: 'number of the version, such as 1.0.0',
  schema: versionFields,
  level: 3,
  mark: { type: 'text', field: 'description' },
  guard: 're-read',
  isProtected: true,
  references: ({ scope: { owner = '', box = '' } }) => [
    { kind: 'box.box', identity: { scope: { owner }, key: box } },
  ],
  label: versionLabel,
  async list(services, known = []) {
    const versions = await listVersions(services, known);
    return versions.map(({ scope, version }) => ({ scope, key: version.version }));
  },
  async read(services, identity) {
    const version = await readVersion(services, identity);
    // A change of its providers also changes its time.
    return version && boxLive(version, { description: version.description_markdown ?? '' });
  },
  async create(services, { identity, spec }) {
    if (await readVersion(services, identity))
      throw conflict(`cannot create version ${versionLabel(identity)}: already exists`);
    const box = await services.box();
    const version = { description: textOf(spec, 'description'), version: identity.key };
    await box.createVersion({ ...boxPathOf(identity), version });
  },
  async update(services, { identity, spec }) {
    const box = await services.box();
    const version = { description: textOf(spec, 'description') };
    await box.updateVersion({ ...boxPathOf(identity), number: identity.key, version });
  },
  async remove(services, identity) {
    const providers = (await readVersion(services, identity))?.providers ?? [];
    const details = providers.map(
      ({ name, architecture }) => `provider ${name} (${architecture ?? 'unknown'})`,
    );
    rejectContents(`version ${versionLabel(identity)}`, 'providers', details);
    await (await services.box()).deleteVersion(versionPathOf(identity));
  },
};
