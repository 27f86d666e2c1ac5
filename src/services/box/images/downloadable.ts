import type { BoxRegistry } from '../call.ts';
import type { Provider } from '../model/boxes.ts';

/**
 * Can the image of a provider be had? It is elsewhere, or it was uploaded and is what the provider's checksum says,
 * as far as that was computed when it came.
 */
export function isDownloadable({ images }: BoxRegistry, { id, url, checksum }: Provider): boolean {
  if (url !== null) return true;
  const image = images.find(id);
  if (!image) return false;
  const computed = checksum === null ? undefined : image.checksums[checksum.type];
  return computed === undefined || computed === checksum?.value;
}

/** Removes what was uploaded for providers that are no more. */
export async function removeImages({ images }: BoxRegistry, providers: readonly Provider[]): Promise<void> {
  for (const { id } of providers) await images.remove(id);
}
