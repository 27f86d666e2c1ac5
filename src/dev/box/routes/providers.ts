import { type Answer, jsonAnswer } from '../../http/service.ts';
import { changeableBox, providerOf, readableBox, versionOf, writtenFields } from '../access.ts';
import { type Call, timeOf } from '../http/call.ts';
import type { Fields } from '../http/fields.ts';
import { checkName } from '../http/names.ts';
import { notAllowed, unprocessable } from '../http/refusals.ts';
import { type ChecksumType, checksumTypes } from '../images/images.ts';
import { type Box, type Provider, putBox, type Version, withProvider, withVersion } from '../state/boxes.ts';
import { removeImages } from '../usable.ts';
import { providerView, wholeProviderView } from '../views.ts';

/** What virtual machines are made for (docs/protocol/box.md#architectures); `unknown` where nothing is said. */
const architectures = [
  'amd64',
  'i386',
  'arm',
  'arm64',
  'ppc64le',
  'ppc64',
  'mips64le',
  'mips64',
  'mipsle',
  'mips',
  's390x',
  'unknown',
];

/** Digits of a checksum in hex. */
const digits: Readonly<Record<ChecksumType, number>> = {
  md5: 32,
  sha1: 40,
  sha256: 64,
  sha384: 96,
  sha512: 128,
};

export function getProvider(call: Call): Answer {
  const box = readableBox(call);
  const version = versionOf(call, box);
  return jsonAnswer(200, wholeProviderView(call, box, version, providerOf(call, version)));
}

/** Makes a provider; without a URL its image has to be uploaded. The URL is only kept, never fetched. */
export async function createProvider(call: Call): Promise<Answer> {
  const fields = await writtenFields(call, 'provider');
  const box = changeableBox(call);
  const version = versionOf(call, box);
  const now = timeOf(call);
  const provider: Provider = {
    id: Buffer.from(call.registry.random(16)).toString('hex'),
    name: checkName('provider.name', fields.required('name')),
    architecture: checkArchitecture(fields.text('architecture') || 'unknown'),
    isDefault: fields.boolean('default_architecture') ?? false,
    url: checkUrl(fields.text('url')),
    checksum: readChecksum(fields),
    createdAt: now,
    updatedAt: now,
  };
  return changed(call, { box, version }, undefined, provider);
}

/** Changes the members that are given; a URL that is empty makes way for an upload. */
export async function updateProvider(call: Call): Promise<Answer> {
  const fields = await writtenFields(call, 'provider');
  const box = changeableBox(call);
  const version = versionOf(call, box);
  const before = providerOf(call, version);
  const after: Provider = {
    ...before,
    name: checkName('provider.name', fields.text('name') ?? before.name),
    architecture: checkArchitecture(fields.text('architecture') || before.architecture),
    isDefault: fields.boolean('default_architecture') ?? before.isDefault,
    url: fields.has('url') ? checkUrl(fields.text('url')) : before.url,
    checksum:
      fields.has('checksum') || fields.has('checksum_type')
        ? readChecksum(fields, before.checksum?.type)
        : before.checksum,
    updatedAt: timeOf(call),
  };
  return changed(call, { box, version }, before, after);
}

export async function deleteProvider(call: Call): Promise<Answer> {
  const box = changeableBox(call);
  const version = versionOf(call, box);
  const provider = providerOf(call, version);
  const answer = jsonAnswer(200, providerView(call, box, version, provider));
  const now = timeOf(call);
  const kept = withProvider(version, provider, undefined, now);
  await putBox(call.registry.storage, withVersion(box, version, kept, now));
  await removeImages(call.registry, [provider]);
  return answer;
}

async function changed(
  call: Call,
  { box, version }: { readonly box: Box; readonly version: Version },
  before: Provider | undefined,
  after: Provider,
): Promise<Answer> {
  const { name, architecture, updatedAt } = after;
  const isTaken = version.providers.some(
    (each) => each !== before && each.name === name && each.architecture === architecture,
  );
  if (isTaken) throw unprocessable('Metadata provider must be unique for version');
  const kept = withProvider(version, before, after, updatedAt);
  const whole = withVersion(box, version, kept, updatedAt);
  await putBox(call.registry.storage, whole);
  if (after.url !== null) await removeImages(call.registry, [after]);
  const answered = kept.providers.find(({ id }) => id === after.id) ?? after;
  return jsonAnswer(200, wholeProviderView(call, whole, kept, answered));
}

/** @throws HttpRefusal 403 */
function checkArchitecture(name: string): string {
  if (!architectures.includes(name))
    throw notAllowed(`provider.architecture must be one of ${architectures.join(', ')}`);
  return name;
}

/** @returns null: the image is uploaded. @throws HttpRefusal 403 */
function checkUrl(url: string | undefined): string | null {
  if (!url) return null;
  const { protocol } = URL.parse(url) ?? {};
  if (protocol !== 'http:' && protocol !== 'https:')
    throw notAllowed('provider.url must be an absolute http or https URL');
  return url;
}

/** @throws HttpRefusal 403: one of the two is missing, the type is not known, or the length is not the type's */
function readChecksum(fields: Fields, typeBefore?: ChecksumType): Provider['checksum'] {
  const value = (fields.text('checksum') ?? '').toLowerCase();
  const given = fields.text('checksum_type') || (value === '' ? '' : (typeBefore ?? ''));
  if (value === '' && given === '') return null;
  const type = checksumTypes.find((each) => each === given);
  if (!type) throw notAllowed(`provider.checksum_type must be one of ${checksumTypes.join(', ')}`);
  if (value.length !== digits[type] || !/^[0-9a-f]+$/.test(value))
    throw notAllowed(
      `provider.checksum must be the ${digits[type]} hexadecimal digits of a ${type} checksum`,
    );
  return { type, value };
}
