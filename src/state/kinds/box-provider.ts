import type { BoxClient } from '../../api/box.ts';
import { providerCalls } from '../../api/box-provider.ts';
import { conflict, isFailure, isNotFound, unlessNotFound } from '../../errors.ts';
import { checksumTypes, boxProvider as providerFields } from '../../objects/box.ts';
import type { Identity, JsonObject, Kind, Live, Services, Write } from '../kind.ts';
import { isSame } from '../normalize.ts';
import { boxField, boxLive, listVersions, ownerField, textOf } from './box-lists.ts';

export type Provider = Awaited<ReturnType<BoxClient['readProvider']>>['body'];

const noArchitecture = 'unknown';

/**
 * Finds a provider. One without an architecture is looked for by its name: a registry of the first version of the API
 * has no other path. If the name leads to another architecture, the path of the second version is used.
 */
async function find(services: Services, { scope, key }: Identity) {
  const box = await services.box();
  const { owner = '', box: name = '', version = '', architecture = noArchitecture } = scope;
  const at = { username: owner, name, version, provider: key };
  const exact = { calls: providerCalls(box, at, architecture), fields: { architecture } };
  if (architecture !== noArchitecture)
    return { ...exact, provider: await unlessNotFound(exact.calls.read()) };
  const named = { calls: providerCalls(box, at, undefined), fields: {} };
  const provider = await unlessNotFound(named.calls.read());
  const isOther = (provider?.architecture ?? noArchitecture) !== noArchitecture;
  return isOther ? { ...exact, provider: await unlessNotFound(exact.calls.read()) } : { ...named, provider };
}

/** Whether a provider has an image; true if that is not known. */
export async function hasImage(
  services: Services,
  { original_url, hosted_token, download_url }: Provider,
): Promise<boolean> {
  if (original_url || hosted_token || !download_url) return true;
  const { address } = await services.settings('box');
  if (URL.parse(download_url)?.origin !== new URL(address).origin) return true;
  try {
    await (await services.box()).probeImage({ download_url });
    return true;
  } catch (error) {
    if (!isFailure(error)) throw error;
    return !isNotFound(error);
  }
}

/** The checksum is computed from the image, so a provider without an image has none. */
async function read(services: Services, identity: Identity): Promise<Live | undefined> {
  const { provider } = await find(services, identity);
  if (!provider) return undefined;
  const { original_url, checksum, checksum_type, default_architecture, updated_at } = provider;
  const known = checksum && (await hasImage(services, provider)) ? { checksum, checksum_type } : {};
  const spec = {
    url: original_url ?? '',
    checksum: known.checksum ?? '',
    checksum_type: known.checksum_type ?? '',
    default_architecture: default_architecture ?? false,
  };
  return { ...boxLive(provider, spec), version: updated_at ?? '' };
}

/** The type that a checksum has by its length; undefined: it has no such length. */
const typeOf = (checksum: string): string | undefined =>
  Object.entries(checksumTypes).find(([, digits]) => digits === checksum.length)?.[0];

/** The checksum that is stored. A type may belong to the previous checksum. */
function checksumOf(spec: JsonObject): { readonly checksum: string; readonly checksum_type: string } {
  const checksum = textOf(spec, 'checksum').toLowerCase();
  return { checksum, checksum_type: typeOf(checksum) ?? textOf(spec, 'checksum_type') };
}

async function create(services: Services, { identity, spec, resolvePath }: Write): Promise<void> {
  const { calls, fields, provider } = await find(services, identity);
  if (provider) throw conflict(`cannot create provider ${label(identity)}: already exists`);
  const url = textOf(spec, 'url');
  const { file, default_architecture } = spec;
  const isDefault = default_architecture === true ? { default_architecture } : {};
  if (typeof file !== 'string') {
    const checksum = textOf(spec, 'checksum') === '' ? {} : checksumOf(spec);
    await calls.create({ ...(url === '' ? {} : { url }), ...checksum, ...isDefault, ...fields });
    return;
  }
  const { uploadImage } = await import('../box-upload.ts');
  // The checksum is not sent: the service computes it from the image, which is uploaded next.
  const prepare = () => calls.create({ ...isDefault, ...fields });
  await uploadImage(services, calls, {
    path: resolvePath(file),
    name: file,
    ...checksumOf(spec),
    prepare,
  });
}

async function update(
  services: Services,
  { identity, spec, live, resolvePath }: Write & { readonly live: Live },
): Promise<void> {
  const { calls } = await find(services, identity);
  const isChanged = (name: string) => !isSame(spec[name] ?? '', live.spec[name] ?? '');
  const { file } = spec;
  const fields = {
    ...(isChanged('url') ? { url: textOf(spec, 'url') } : {}),
    ...(isChanged('default_architecture')
      ? { default_architecture: spec.default_architecture === true }
      : {}),
  };
  const isOtherImage =
    textOf(live.spec, 'checksum').toLowerCase() !== checksumOf(spec).checksum || isChanged('checksum_type');
  if (typeof file !== 'string' || !isOtherImage) {
    await calls.update({ ...fields, ...(isOtherImage ? checksumOf(spec) : {}) });
    return;
  }
  const { uploadImage } = await import('../box-upload.ts');
  await uploadImage(services, calls, {
    path: resolvePath(file),
    name: file,
    ...checksumOf(spec),
    // After an interrupted upload, the checksum of the previous image must not remain.
    prepare: () => calls.update({ ...fields, checksum: '', checksum_type: '' }),
  });
}

const label = ({ scope: { owner, box, version, architecture }, key }: Identity): string =>
  `${owner}/${box} ${version} ${key}${architecture === noArchitecture ? '' : ` (${architecture})`}`;

function problemsOf({ file, url, checksum, checksum_type: type }: JsonObject): readonly string[] {
  const problems: string[] = [];
  if (file !== undefined && url !== undefined) problems.push('expected either "file" or "url"');
  if (file !== undefined && checksum === undefined)
    problems.push('missing field "checksum": "file" needs the checksum of the image');
  if (typeof checksum !== 'string' || checksum === '') return problems;
  const known = /^[0-9a-f]+$/i.test(checksum) ? typeOf(checksum) : undefined;
  if (known === undefined) problems.push('invalid checksum: expected the hexadecimal digits of sha256sum');
  else if (typeof type === 'string' && type !== '' && type !== known)
    problems.push(`invalid checksum: it has the length of ${known}, not of ${type}`);
  return problems;
}

/** A provider of a version: an image for one architecture (docs/protocol/box.md#architectures). */
export const boxProvider: Kind = {
  name: 'box.provider',
  service: 'box',
  description: 'A provider of a version of a box, with its image.',
  scope: [
    ownerField,
    boxField,
    { name: 'version', description: 'Number of the version.' },
    {
      name: 'architecture',
      default: noArchitecture,
      description: 'Architecture, such as amd64 or arm64 (default: unknown).',
    },
  ],
  nameIs: 'name of the provider, such as virtualbox',
  schema: providerFields,
  level: 4,
  guard: 're-read',
  isProtected: true,
  notRestored({ action, before, after }) {
    const isUploaded = textOf(before, 'url') === '' && textOf(before, 'checksum') !== '';
    const isLost = action === 'delete' || !isSame(before.checksum, after.checksum);
    return action !== 'create' && isUploaded && isLost
      ? { what: 'the uploaded image', isAll: true }
      : undefined;
  },
  references: ({ scope: { owner = '', box = '', version = '' } }) => [
    { kind: 'box.version', identity: { scope: { owner, box }, key: version } },
  ],
  label,
  check: (_identity, spec) => problemsOf(spec),
  async list(services, known = []) {
    const versions = await listVersions(services, known);
    return versions.flatMap(({ scope, version: { version, providers } }) =>
      (providers ?? []).map(({ name, architecture }) => ({
        scope: { ...scope, version, architecture: architecture ?? noArchitecture },
        key: name,
      })),
    );
  },
  read,
  create,
  update,
  async remove(services, identity) {
    await (await find(services, identity)).calls.remove();
  },
};
