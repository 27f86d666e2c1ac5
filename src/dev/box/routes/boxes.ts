import { type Answer, jsonAnswer } from '../../http/service.ts';
import { changeableBox, checkPaid, owningOwner, readableBox, writtenFields } from '../access.ts';
import { type Call, timeOf } from '../http/call.ts';
import { checkName } from '../http/names.ts';
import { unprocessable } from '../http/refusals.ts';
import { type Box, boxOf, putBox, removeBox } from '../state/boxes.ts';
import { removeImages } from '../usable.ts';
import { boxView, wholeBoxView } from '../views.ts';

export function getBox(call: Call): Answer {
  return jsonAnswer(200, wholeBoxView(call, readableBox(call)));
}

/** Makes a box: private, unless it is said not to be. */
export async function createBox(call: Call): Promise<Answer> {
  const fields = await writtenFields(call, 'box');
  const owner = owningOwner(call, fields.required('username')).name;
  const name = checkName('box.name', fields.required('name'));
  const now = timeOf(call);
  const box: Box = {
    owner,
    name,
    shortDescription: fields.text('short_description') ?? '',
    description: fields.text('description') || null,
    private: fields.boolean('is_private') ?? true,
    createdAt: now,
    updatedAt: now,
    versions: [],
  };
  checkPaid(call, box);
  refuseNamesake(call, box);
  await putBox(call.registry.storage, box);
  return jsonAnswer(200, wholeBoxView(call, box));
}

/** Changes the members that are given; a box is private unless it is said not to be, here too. */
export async function updateBox(call: Call): Promise<Answer> {
  const fields = await writtenFields(call, 'box');
  const before = changeableBox(call);
  const name = fields.text('name') ?? before.name;
  const box: Box = {
    ...before,
    name: name === before.name ? name : checkName('box.name', name),
    shortDescription: fields.text('short_description') ?? before.shortDescription,
    description: fields.has('description') ? fields.text('description') || null : before.description,
    private: fields.boolean('is_private') ?? true,
    updatedAt: timeOf(call),
  };
  checkPaid(call, box);
  if (box.name !== before.name) refuseNamesake(call, box);
  await putBox(call.registry.storage, box, before);
  return jsonAnswer(200, wholeBoxView(call, box));
}

export async function deleteBox(call: Call): Promise<Answer> {
  const box = changeableBox(call);
  const answer = jsonAnswer(200, boxView(call, box));
  await removeBox(call.registry.storage, box);
  await removeImages(
    call.registry,
    box.versions.flatMap(({ providers }) => providers),
  );
  return answer;
}

/** @throws HttpRefusal 422 */
function refuseNamesake({ registry }: Call, { owner, name }: Box): void {
  if (boxOf(registry.storage, owner, name)) throw unprocessable(`There is a box ${owner}/${name} already`);
}
