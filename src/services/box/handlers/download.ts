import type { HttpResponse } from '../../core/http/http-service.ts';
import { requireProvider, requireReadableBox, requireVersion } from '../auth.ts';
import type { Call } from '../call.ts';
import { notFound } from '../errors.ts';
import { countDownload } from '../model/boxes.ts';

/** The image of `PROVIDER.box`: of the provider's default architecture. */
export function getImageFile(call: Call): Promise<HttpResponse> {
  const file = call.params.file ?? '';
  if (!file.endsWith('.box')) throw notFound();
  return getImage({ ...call, params: { ...call.params, provider: file.slice(0, -'.box'.length) } });
}

/**
 * Sends the image, or redirects to its URL, and counts the download: once for a download in parts, and not for a
 * request of only the first byte, which checks whether the image exists.
 */
export async function getImage(call: Call): Promise<HttpResponse> {
  const { registry, request } = call;
  const box = requireReadableBox(call);
  const { id, url } = requireProvider(call, requireVersion(call, box));
  if (url === null && !registry.images.find(id)) throw notFound();
  if (request.method === 'GET' && isFromStart(request.headers.range)) {
    await countDownload(registry.storage, box);
  }
  if (url !== null) return { status: 302, headers: { Location: url } };
  const image = await registry.images.download(id, request);
  if (!image) throw notFound();
  return image;
}

const isFromStart = (range: string | undefined): boolean =>
  range === undefined || /^bytes=0-(?!0$)/i.test(range);
