import { type Answer, jsonAnswer } from '../../http/service.ts';
import { changeableBox, readableBox, versionOf, writtenFields } from '../access.ts';
import { type Call, timeOf } from '../http/call.ts';
import { notAllowed, unprocessable } from '../http/refusals.ts';
import { type Box, putBox, type Version, versionForm, withVersion } from '../state/boxes.ts';
import { isUsable, removeImages } from '../usable.ts';
import { versionView } from '../views.ts';

export function getVersion(call: Call): Answer {
  const box = readableBox(call);
  return jsonAnswer(200, versionView(call, box, versionOf(call, box)));
}

/** Makes a version; it is not released. */
export async function createVersion(call: Call): Promise<Answer> {
  const fields = await writtenFields(call, 'version');
  const box = changeableBox(call);
  const number = checkVersion(fields.required('version'));
  refuseNamesake(box, number);
  const now = timeOf(call);
  const version: Version = {
    version: number,
    status: 'unreleased',
    description: fields.text('description') || null,
    createdAt: now,
    updatedAt: now,
    providers: [],
  };
  return changed(call, box, undefined, version);
}

/** Changes the members that are given. */
export async function updateVersion(call: Call): Promise<Answer> {
  const fields = await writtenFields(call, 'version');
  const box = changeableBox(call);
  const before = versionOf(call, box);
  const number = fields.text('version') ?? before.version;
  if (number !== before.version) refuseNamesake(box, checkVersion(number));
  const description = fields.has('description') ? fields.text('description') || null : before.description;
  return changed(call, box, before, { ...before, version: number, description, updatedAt: timeOf(call) });
}

export async function deleteVersion(call: Call): Promise<Answer> {
  const box = changeableBox(call);
  const version = versionOf(call, box);
  const answer = jsonAnswer(200, versionView(call, box, version));
  await putBox(call.registry.storage, withVersion(box, version, undefined, timeOf(call)));
  await removeImages(call.registry, version.providers);
  return answer;
}

/** Releases a version that has a provider whose image can be had; one that was revoked stays so. */
export async function releaseVersion(call: Call): Promise<Answer> {
  const box = changeableBox(call);
  const before = versionOf(call, box);
  if (before.status === 'active') throw unprocessable(`Version ${before.version} has already been released`);
  if (before.status === 'revoked')
    throw unprocessable(`Version ${before.version} was revoked and cannot be released again`);
  if (!before.providers.some((each) => isUsable(call.registry, each)))
    throw unprocessable(
      `Version ${before.version} cannot be released: it needs a provider with a URL or an uploaded image`,
    );
  return changed(call, box, before, { ...before, status: 'active', updatedAt: timeOf(call) });
}

/** Takes a released version back. */
export async function revokeVersion(call: Call): Promise<Answer> {
  const box = changeableBox(call);
  const before = versionOf(call, box);
  if (before.status !== 'active')
    throw unprocessable(
      `Version ${before.version} is ${before.status}; only a released version can be revoked`,
    );
  return changed(call, box, before, { ...before, status: 'revoked', updatedAt: timeOf(call) });
}

async function changed(call: Call, box: Box, before: Version | undefined, after: Version): Promise<Answer> {
  const kept = withVersion(box, before, after, timeOf(call));
  await putBox(call.registry.storage, kept);
  return jsonAnswer(200, versionView(call, kept, after));
}

/** @throws HttpRefusal 403 */
function checkVersion(number: string): string {
  if (number.length > 128 || !versionForm.test(number))
    throw notAllowed(
      `version.version "${number.slice(0, 128)}" is not a version such as 1.2.3 or 1.2.3-rc.1`,
    );
  return number;
}

/** @throws HttpRefusal 422 */
function refuseNamesake({ owner, name, versions }: Box, number: string): void {
  if (versions.some(({ version }) => version === number))
    throw unprocessable(`${owner}/${name} has a version ${number} already`);
}
