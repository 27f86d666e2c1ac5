import { conflict, unlessNotFound } from '../../errors.ts';
import { box as boxFields } from '../../objects/box.ts';
import type { Identity, JsonObject, Kind, Live, Services } from '../kind.ts';
import { normalize } from '../normalize.ts';
import { boxLive, listBoxes, ownerField, rejectContents, textOf } from './box-lists.ts';

const pathOf = ({ scope: { owner = '' }, key }: Identity) => ({ username: owner, name: key });

const readBox = async (services: Services, identity: Identity) =>
  unlessNotFound((await services.box()).readBox(pathOf(identity)));

/** What contains versions changes its time with each of them, so no version of the box itself is known. */
async function read(services: Services, identity: Identity): Promise<Live | undefined> {
  const box = await readBox(services, identity);
  if (!box) return undefined;
  const { short_description, description_markdown: description, private: is_private } = box;
  return boxLive(box, {
    short_description: short_description ?? '',
    description: description ?? '',
    is_private: is_private ?? false,
  });
}

/** All fields: an update without `is_private` makes a box private. */
const fieldsOf = (spec: JsonObject) => ({
  short_description: textOf(spec, 'short_description'),
  description: textOf(spec, 'description'),
  is_private: (normalize(boxFields.properties.is_private, spec.is_private) ?? true) === true,
});

const label = ({ scope, key }: Identity): string => `${scope.owner}/${key}`;

/** A box of the box registry (docs/protocol/box.md#boxes-and-versions). */
export const boxBox: Kind = {
  name: 'box.box',
  service: 'box',
  description: 'A box, without its versions.',
  scope: [ownerField],
  nameIs: 'name of the box',
  schema: boxFields,
  level: 1,
  mark: { type: 'text', field: 'description' },
  guard: 're-read',
  isProtected: true,
  label,
  async list(services, known = []) {
    const boxes = await listBoxes(services, known);
    return boxes.map(({ owner, name }) => ({ scope: { owner }, key: name }));
  },
  read,
  async create(services, { identity, spec }) {
    if (await readBox(services, identity))
      throw conflict(`cannot create box ${label(identity)}: already exists`);
    await (await services.box()).createBox({ box: { ...fieldsOf(spec), ...pathOf(identity) } });
  },
  async update(services, { identity, spec }) {
    await (await services.box()).updateBox({ ...pathOf(identity), box: fieldsOf(spec) });
  },
  async remove(services, identity) {
    const versions = (await readBox(services, identity))?.versions ?? [];
    const details = versions.map(({ version }) => `version ${version}`);
    rejectContents(`box ${label(identity)}`, 'versions', details);
    await (await services.box()).deleteBox(pathOf(identity));
  },
};
