import { type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import { requireProvider, requireReadableBox, requireVersion, requireWritableBox } from '../auth.ts';
import { type Call, operations, read, timeOf, write } from '../call.ts';
import { checkName } from '../check-name.ts';
import { forbidden, unprocessable } from '../errors.ts';
import { removeImages } from '../images/downloadable.ts';
import { type ChecksumType, checksumTypes } from '../images/images.ts';
import { type Provider, putBox, withProvider, withVersion } from '../model/boxes.ts';
import { bodies, type ProviderFields, providerSummary, provider as providerType } from '../objects.ts';
import { fullProviderView, providerView } from '../views.ts';

const operation = operations('Providers');

/** Hexadecimal digits of a checksum. */
const checksumLengths: Readonly<Record<ChecksumType, number>> = {
  md5: 32,
  sha1: 40,
  sha256: 64,
  sha384: 96,
  sha512: 128,
};

export const getProvider = operation('getProvider', 'Read a provider of the default architecture', {
  ...read,
  returns: providerType,
  handle(call) {
    return jsonResponse(200, fullProviderView(call, requireProvider(call, requireReadableBox(call))));
  },
});

/** Creates a provider; without a URL its image must be uploaded. The URL is stored, never fetched. */
export const createProvider = operation('createProvider', 'Create a provider', {
  ...write,
  body: bodies.newProvider,
  returns: providerType,
  async handle(call) {
    const parent = requireVersion(call, requireWritableBox(call));
    const { provider: fields } = await call.body();
    const now = timeOf(call);
    const provider: Provider = {
      id: Buffer.from(call.registry.random(16)).toString('hex'),
      name: checkName('provider.name', fields.name),
      architecture: fields.architecture || 'unknown',
      isDefault: fields.default_architecture ?? false,
      url: checkUrl(fields.url),
      checksum: readChecksum(fields),
      createdAt: now,
      updatedAt: now,
    };
    return saveProvider(call, parent, undefined, provider);
  },
});

/** Changes the given fields; an empty URL allows uploads. */
export const updateProvider = operation('updateProvider', 'Update a provider of the default architecture', {
  ...write,
  body: bodies.provider,
  returns: providerType,
  async handle(call) {
    const { provider: fields } = await call.body();
    const { provider: existing, ...parent } = requireProvider(call, requireWritableBox(call));
    const updated: Provider = {
      ...existing,
      name: checkName('provider.name', fields.name ?? existing.name),
      architecture: fields.architecture || existing.architecture,
      isDefault: fields.default_architecture ?? existing.isDefault,
      url: fields.url === undefined ? existing.url : checkUrl(fields.url),
      checksum:
        fields.checksum !== undefined || fields.checksum_type !== undefined
          ? readChecksum(fields, existing.checksum?.type)
          : existing.checksum,
      updatedAt: timeOf(call),
    };
    return saveProvider(call, parent, existing, updated);
  },
});

export const deleteProvider = operation('deleteProvider', 'Delete a provider of the default architecture', {
  ...write,
  returns: providerSummary,
  async handle(call) {
    const found = requireProvider(call, requireWritableBox(call));
    const { box, version, provider } = found;
    const response = jsonResponse(200, providerView(call, found));
    const now = timeOf(call);
    const updatedVersion = withProvider(version, provider, undefined, now);
    await putBox(call.registry.storage, withVersion(box, version, updatedVersion, now));
    await removeImages(call.registry, [provider]);
    return response;
  },
});

async function saveProvider(
  call: Call,
  { box, version }: ReturnType<typeof requireVersion>,
  existing: Provider | undefined,
  updated: Provider,
): Promise<HttpResponse> {
  const { name, architecture, updatedAt } = updated;
  const isTaken = version.providers.some(
    (each) => each !== existing && each.name === name && each.architecture === architecture,
  );
  if (isTaken) throw unprocessable('Metadata provider must be unique for version');
  const updatedVersion = withProvider(version, existing, updated, updatedAt);
  const updatedBox = withVersion(box, version, updatedVersion, updatedAt);
  await putBox(call.registry.storage, updatedBox);
  if (updated.url !== null) await removeImages(call.registry, [updated]);
  const provider = updatedVersion.providers.find(({ id }) => id === updated.id) ?? updated;
  return jsonResponse(200, fullProviderView(call, { box: updatedBox, version: updatedVersion, provider }));
}

/** @returns null: the image is uploaded. @throws HttpError 403 */
function checkUrl(url: string | undefined): string | null {
  if (!url) return null;
  const { protocol } = URL.parse(url) ?? {};
  if (protocol !== 'http:' && protocol !== 'https:')
    throw forbidden('provider.url must be an absolute http or https URL');
  return url;
}

/** @throws HttpError 403: one of both is missing, the type is unknown, or the length does not match it */
function readChecksum({ checksum = '', checksum_type }: ProviderFields, currentType?: ChecksumType) {
  const value = checksum.toLowerCase();
  const type = checksum_type || (value === '' ? undefined : currentType);
  if (value === '' && type === undefined) return null;
  if (!type) throw forbidden(`provider.checksum_type must be one of ${checksumTypes.join(', ')}`);
  if (value.length !== checksumLengths[type] || !/^[0-9a-f]+$/.test(value))
    throw forbidden(
      `provider.checksum must be the ${checksumLengths[type]} hexadecimal digits of a ${type} checksum`,
    );
  return { type, value };
}
