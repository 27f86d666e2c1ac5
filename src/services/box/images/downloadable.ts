import type { BoxRegistry } from '../call.ts';
import type { Provider } from '../model/boxes.ts';

/** Whether an image can be downloaded: it is at a URL, or uploaded with the declared checksum, if its type was computed. */
export function isDownloadable({ images }: BoxRegistry, { id, url, checksum }: Provider): boolean {
  if (url !== null) return true;
  const image = images.find(id);
  if (!image) return false;
  const computed = checksum === null ? undefined : image.checksums[checksum.type];
  return computed === undefined || computed === checksum?.value;
}

export async function removeImages({ images }: BoxRegistry, providers: readonly Provider[]): Promise<void> {
  for (const { id } of providers) await images.remove(id);
}
