import { jsonResponse } from '../../core/http/http-service.ts';
import { requireOwner, requirePaid, requireReadableBox, requireWritableBox } from '../auth.ts';
import { type Call, operations, read, timeOf, write } from '../call.ts';
import { checkName } from '../check-name.ts';
import { unprocessable } from '../errors.ts';
import { removeImages } from '../images/downloadable.ts';
import { type Box, boxOf, putBox, removeBox } from '../model/boxes.ts';
import { bodies, box, boxSummary } from '../objects.ts';
import { boxView, fullBoxView } from '../views.ts';

const operation = operations('Boxes');

export const getBox = operation('getBox', 'Read a box', {
  ...read,
  returns: box,
  handle(call) {
    return jsonResponse(200, fullBoxView(call, requireReadableBox(call)));
  },
});

/** Creates a box; private by default. */
export const createBox = operation('createBox', 'Create a box', {
  ...write,
  body: bodies.newBox,
  returns: box,
  async handle(call) {
    const { box: fields } = await call.body();
    const owner = requireOwner(call, fields.username).name;
    const name = checkName('box.name', fields.name);
    const now = timeOf(call);
    const created: Box = {
      owner,
      name,
      shortDescription: fields.short_description ?? '',
      description: fields.description || null,
      private: fields.is_private,
      createdAt: now,
      updatedAt: now,
      versions: [],
    };
    requirePaid(call, created);
    rejectDuplicate(call, created);
    await putBox(call.registry.storage, created);
    return jsonResponse(200, fullBoxView(call, created));
  },
});

/** Changes the given fields; `is_private` defaults to true here too. */
export const updateBox = operation('updateBox', 'Update a box', {
  ...write,
  body: bodies.box,
  returns: box,
  async handle(call) {
    const { box: fields } = await call.body();
    const existing = requireWritableBox(call);
    const name = fields.name ?? existing.name;
    const updated: Box = {
      ...existing,
      name: name === existing.name ? name : checkName('box.name', name),
      shortDescription: fields.short_description ?? existing.shortDescription,
      description: fields.description === undefined ? existing.description : fields.description || null,
      private: fields.is_private,
      updatedAt: timeOf(call),
    };
    requirePaid(call, updated);
    if (updated.name !== existing.name) rejectDuplicate(call, updated);
    await putBox(call.registry.storage, updated, existing);
    return jsonResponse(200, fullBoxView(call, updated));
  },
});

export const deleteBox = operation('deleteBox', 'Delete a box with its versions', {
  ...write,
  returns: boxSummary,
  async handle(call) {
    const existing = requireWritableBox(call);
    const response = jsonResponse(200, boxView(call, existing));
    await removeBox(call.registry.storage, existing);
    await removeImages(
      call.registry,
      existing.versions.flatMap(({ providers }) => providers),
    );
    return response;
  },
});

/** @throws HttpError 422 */
function rejectDuplicate({ registry }: Call, { owner, name }: Box): void {
  if (boxOf(registry.storage, owner, name)) throw unprocessable(`There is a box ${owner}/${name} already`);
}
