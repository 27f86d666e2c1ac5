import { type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import {
  readRequestFields,
  requireOwner,
  requirePaid,
  requireReadableBox,
  requireWritableBox,
} from '../auth.ts';
import { type Call, timeOf } from '../call.ts';
import { checkName } from '../check-name.ts';
import { unprocessable } from '../errors.ts';
import { removeImages } from '../images/downloadable.ts';
import { type Box, boxOf, putBox, removeBox } from '../model/boxes.ts';
import { boxView, fullBoxView } from '../views.ts';

export function getBox(call: Call): HttpResponse {
  return jsonResponse(200, fullBoxView(call, requireReadableBox(call)));
}

/** Creates a box; private by default. */
export async function createBox(call: Call): Promise<HttpResponse> {
  const fields = await readRequestFields(call, 'box');
  const owner = requireOwner(call, fields.required('username')).name;
  const name = checkName('box.name', fields.required('name'));
  const now = timeOf(call);
  const box: Box = {
    owner,
    name,
    shortDescription: fields.string('short_description') ?? '',
    description: fields.string('description') || null,
    private: fields.boolean('is_private') ?? true,
    createdAt: now,
    updatedAt: now,
    versions: [],
  };
  requirePaid(call, box);
  rejectDuplicate(call, box);
  await putBox(call.registry.storage, box);
  return jsonResponse(200, fullBoxView(call, box));
}

/** Changes the given fields; `is_private` defaults to true here too. */
export async function updateBox(call: Call): Promise<HttpResponse> {
  const fields = await readRequestFields(call, 'box');
  const existing = requireWritableBox(call);
  const name = fields.string('name') ?? existing.name;
  const box: Box = {
    ...existing,
    name: name === existing.name ? name : checkName('box.name', name),
    shortDescription: fields.string('short_description') ?? existing.shortDescription,
    description: fields.has('description') ? fields.string('description') || null : existing.description,
    private: fields.boolean('is_private') ?? true,
    updatedAt: timeOf(call),
  };
  requirePaid(call, box);
  if (box.name !== existing.name) rejectDuplicate(call, box);
  await putBox(call.registry.storage, box, existing);
  return jsonResponse(200, fullBoxView(call, box));
}

export async function deleteBox(call: Call): Promise<HttpResponse> {
  const box = requireWritableBox(call);
  const response = jsonResponse(200, boxView(call, box));
  await removeBox(call.registry.storage, box);
  await removeImages(
    call.registry,
    box.versions.flatMap(({ providers }) => providers),
  );
  return response;
}

/** @throws HttpError 422 */
function rejectDuplicate({ registry }: Call, { owner, name }: Box): void {
  if (boxOf(registry.storage, owner, name)) throw unprocessable(`There is a box ${owner}/${name} already`);
}
