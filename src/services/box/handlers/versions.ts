import { jsonResponse } from '../../core/http/http-service.ts';
import { requireReadableBox, requireVersion, requireWritableBox } from '../auth.ts';
import { type Call, operations, read, timeOf, write } from '../call.ts';
import { forbidden, unprocessable } from '../errors.ts';
import { isDownloadable, removeImages } from '../images/downloadable.ts';
import { type Box, putBox, type Version, versionPattern, withVersion } from '../model/boxes.ts';
import { bodies, version as versionType } from '../objects.ts';
import { versionView } from '../views.ts';

const operation = operations('Versions');

export const getVersion = operation('getVersion', 'Read a version', {
  ...read,
  returns: versionType,
  handle(call) {
    const { box, version } = requireVersion(call, requireReadableBox(call));
    return jsonResponse(200, versionView(call, box, version));
  },
});

export const createVersion = operation('createVersion', 'Create a version', {
  ...write,
  body: bodies.newVersion,
  returns: versionType,
  async handle(call) {
    const box = requireWritableBox(call);
    const { version: fields } = await call.body();
    const number = checkVersion(fields.version);
    rejectDuplicate(box, number);
    const now = timeOf(call);
    const version: Version = {
      version: number,
      status: 'unreleased',
      description: fields.description || null,
      createdAt: now,
      updatedAt: now,
      providers: [],
    };
    return saveVersion(call, box, undefined, version);
  },
});

export const updateVersion = operation('updateVersion', 'Update a version', {
  ...write,
  body: bodies.version,
  returns: versionType,
  async handle(call) {
    const { version: fields } = await call.body();
    const { box, version: existing } = requireVersion(call, requireWritableBox(call));
    const number = fields.version ?? existing.version;
    if (number !== existing.version) rejectDuplicate(box, checkVersion(number));
    const description = fields.description === undefined ? existing.description : fields.description || null;
    return saveVersion(call, box, existing, {
      ...existing,
      version: number,
      description,
      updatedAt: timeOf(call),
    });
  },
});

export const deleteVersion = operation('deleteVersion', 'Delete a version', {
  ...write,
  returns: versionType,
  async handle(call) {
    const { box, version } = requireVersion(call, requireWritableBox(call));
    const response = jsonResponse(200, versionView(call, box, version));
    await putBox(call.registry.storage, withVersion(box, version, undefined, timeOf(call)));
    await removeImages(call.registry, version.providers);
    return response;
  },
});

/** Releases a version with a downloadable image; a revoked version cannot be released again. */
export const releaseVersion = operation('releaseVersion', 'Release a version', {
  ...write,
  returns: versionType,
  async handle(call) {
    const { box, version: existing } = requireVersion(call, requireWritableBox(call));
    if (existing.status === 'active')
      throw unprocessable(`Version ${existing.version} has already been released`);
    if (existing.status === 'revoked')
      throw unprocessable(`Version ${existing.version} was revoked and cannot be released again`);
    if (!existing.providers.some((each) => isDownloadable(call.registry, each)))
      throw unprocessable(
        `Version ${existing.version} cannot be released: it needs a provider with a URL or an uploaded image`,
      );
    return saveVersion(call, box, existing, { ...existing, status: 'active', updatedAt: timeOf(call) });
  },
});

export const revokeVersion = operation('revokeVersion', 'Revoke a version', {
  ...write,
  returns: versionType,
  async handle(call) {
    const { box, version: existing } = requireVersion(call, requireWritableBox(call));
    if (existing.status !== 'active')
      throw unprocessable(
        `Version ${existing.version} is ${existing.status}; only a released version can be revoked`,
      );
    return saveVersion(call, box, existing, { ...existing, status: 'revoked', updatedAt: timeOf(call) });
  },
});

async function saveVersion(call: Call, box: Box, existing: Version | undefined, updated: Version) {
  const updatedBox = withVersion(box, existing, updated, timeOf(call));
  await putBox(call.registry.storage, updatedBox);
  return jsonResponse(200, versionView(call, updatedBox, updated));
}

/** @throws HttpError 403 */
function checkVersion(number: string): string {
  if (number.length > 128 || !versionPattern.test(number))
    throw forbidden(`version.version "${number.slice(0, 128)}" is not a version such as 1.2.3 or 1.2.3-rc.1`);
  return number;
}

/** @throws HttpError 422 */
function rejectDuplicate({ owner, name, versions }: Box, number: string): void {
  if (versions.some(({ version }) => version === number))
    throw unprocessable(`${owner}/${name} has a version ${number} already`);
}
