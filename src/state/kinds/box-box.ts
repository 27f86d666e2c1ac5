import { conflict, unlessNotFound } from '../../errors.ts';
import { field } from '../../objects/schema.ts';
import type { Identity, JsonObject, Kind, Live, Services } from '../kind.ts';
import { normalize } from '../normalize.ts';
import { listBoxes, ownerField, textOf } from './box-lists.ts';

const privateField = field.boolean({ default: true, description: 'Visible only to authorized users.' });

const pathOf = ({ scope: { owner = '' }, key }: Identity) => ({ username: owner, name: key });

const readBox = async (services: Services, identity: Identity) =>
  unlessNotFound((await services.box()).readBox(pathOf(identity)));

/** What contains versions changes its time with each of them, so no version of the box itself is known. */
async function read(services: Services, identity: Identity): Promise<Live | undefined> {
  const box = await readBox(services, identity);
  if (!box) return undefined;
  const { short_description, description_markdown, private: isPrivate, created_at } = box;
  return {
    spec: {
      short_description: short_description ?? '',
      description: description_markdown ?? '',
      is_private: isPrivate ?? false,
    },
    version: '',
    ...(created_at ? { uid: created_at } : {}),
  };
}

/** All fields: an update without `is_private` makes a box private. */
const fieldsOf = (spec: JsonObject) => ({
  short_description: textOf(spec, 'short_description'),
  description: textOf(spec, 'description'),
  is_private: (normalize(privateField, spec.is_private) ?? true) === true,
});

const label = ({ scope, key }: Identity): string => `${scope.owner}/${key}`;

/** A box of the box registry (docs/protocol/box.md#boxes-and-versions). */
export const boxBox: Kind = {
  name: 'box.box',
  service: 'box',
  description: 'A box, without its versions.',
  scope: [ownerField],
  nameIs: 'name of the box',
  schema: field.object({
    short_description: field.string({ description: 'Shown in search results.' }),
    description: field.lines({ description: 'Description in Markdown.' }),
    is_private: privateField,
  }),
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
    if (versions.length > 0)
      throw conflict(`cannot delete box ${label(identity)}: it has versions`, {
        service: 'box',
        details: versions.map(({ version }) => `version ${version}`),
        hint: 'Delete its versions first.',
      });
    await (await services.box()).deleteBox(pathOf(identity));
  },
};
