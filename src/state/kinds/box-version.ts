import { conflict, unlessNotFound } from '../../errors.ts';
import { field } from '../../objects/schema.ts';
import type { Identity, Kind, Services } from '../kind.ts';
import { boxField, boxPathOf, listVersions, ownerField, textOf } from './box-lists.ts';

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
  schema: field.object({
    description: field.lines({ description: 'Description in Markdown.' }),
  }),
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
    if (!version) return undefined;
    const { description_markdown, created_at } = version;
    // The time of its last change is also that of its providers.
    const spec = { description: description_markdown ?? '' };
    return { spec, version: '', ...(created_at ? { uid: created_at } : {}) };
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
    if (providers.length > 0)
      throw conflict(`cannot delete version ${versionLabel(identity)}: it has providers`, {
        service: 'box',
        details: providers.map(({ name, architecture }) => `provider ${name} (${architecture ?? 'unknown'})`),
        hint: 'Delete its providers first.',
      });
    await (await services.box()).deleteVersion(versionPathOf(identity));
  },
};
