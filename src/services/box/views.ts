import { filterInSlices, mapInSlices } from '../core/in-slices.ts';
import { canSee, type requireProvider, visibleBox } from './auth.ts';
import type { Call } from './call.ts';
import {
  type Box,
  boxesOf,
  currentVersion,
  downloadsOf,
  type Provider,
  type Version,
} from './model/boxes.ts';
import type { Owner } from './model/owners.ts';

/** A box in a response, without its versions; callers who cannot modify it see only released data. */
export function boxView(call: Call, box: Box): object {
  const { storage } = call.registry;
  const current = currentVersion(box);
  return {
    created_at: box.createdAt,
    updated_at: box.updatedAt,
    tag: `${box.owner}/${box.name}`,
    name: box.name,
    short_description: box.shortDescription,
    ...descriptionView(call, box.description),
    username: box.owner,
    private: box.private,
    downloads: downloadsOf(storage, box),
    current_version: current ? versionView(call, box, current) : null,
  };
}

export function fullBoxView(call: Call, box: Box): object {
  const versions = visibleBox(call, box).versions.map((version) => versionView(call, box, version));
  return { ...boxView(call, box), versions };
}

export function versionView(call: Call, box: Box, version: Version): object {
  const path = `${call.origin}/api/${call.apiVersion}/box/${box.owner}/${box.name}/version/${version.version}`;
  return {
    version: version.version,
    number: version.version,
    status: version.status,
    ...descriptionView(call, version.description),
    created_at: version.createdAt,
    updated_at: version.updatedAt,
    release_url: `${path}/release`,
    revoke_url: `${path}/revoke`,
    providers: providersForApiVersion(call, version.providers).map((each) =>
      providerView(call, { box, version, provider: each }),
    ),
  };
}

/** `v1` has no architectures: it shows the default provider of each name. */
export function providersForApiVersion({ apiVersion }: Call, providers: readonly Provider[]) {
  return apiVersion === 'v1' ? providers.filter(({ isDefault }) => isDefault) : providers;
}

/** A provider with its version and box. */
type BoxProvider = ReturnType<typeof requireProvider>;

export function providerView(call: Call, found: BoxProvider): object {
  const { provider } = found;
  const uploaded = call.registry.images.find(provider.id)?.stored ?? '';
  return {
    name: provider.name,
    hosted: provider.url === null,
    hosted_token: null,
    original_url: provider.url,
    created_at: provider.createdAt,
    updated_at: [provider.updatedAt, uploaded].sort().at(-1),
    download_url: downloadUrl(call, found),
    architecture: provider.architecture,
    default_architecture: provider.isDefault,
  };
}

export function fullProviderView(call: Call, found: BoxProvider): object {
  return { ...providerView(call, found), ...checksumView(call, found.provider) };
}

/** The declared checksum, else the checksum of the uploaded image. */
export function checksumView({ registry }: Call, { id, checksum }: Provider): object {
  if (checksum) return { checksum: checksum.value, checksum_type: checksum.type };
  const image = registry.images.find(id);
  return { checksum: image?.checksums.sha256 ?? null, checksum_type: image ? 'sha256' : null };
}

/** The URL of the download, for uploaded and external images. */
export function downloadUrl(call: Call, { box, version: { version }, provider }: BoxProvider): string {
  const { name, architecture } = provider;
  const file = call.apiVersion === 'v1' ? `${name}.box` : `${name}/${architecture}/vagrant.box`;
  return `${call.origin}/${box.owner}/boxes/${box.name}/versions/${version}/providers/${file}`;
}

/** An owner, with the boxes that the caller may see. */
export async function ownerView(call: Call, { name }: Pick<Owner, 'name'>): Promise<object> {
  const all = await boxesOf(call.registry.storage, name);
  const boxes = await filterInSlices(all, (box) => canSee(call, box));
  return {
    username: name,
    avatar_url: '',
    profile_html: '',
    profile_markdown: '',
    boxes: await mapInSlices(boxes, (box) => boxView(call, box)),
  };
}

export function descriptionView({ renderMarkdown }: Call, markdown: string | null): object {
  return {
    description_html: markdown === null ? null : renderMarkdown(markdown),
    description_markdown: markdown,
  };
}
