import type { Answer } from '../../http/service.ts';
import { providerOf, readableBox, versionOf } from '../access.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusals.ts';
import { countDownload } from '../state/boxes.ts';

/** The image of `PROVIDER.box`: of the provider's default architecture. */
export function getImageFile(call: Call): Promise<Answer> {
  const file = call.params.file ?? '';
  if (!file.endsWith('.box')) throw notFound();
  return getImage({ ...call, params: { ...call.params, provider: file.slice(0, -'.box'.length) } });
}

/**
 * Sends the image, or leads to where it is, and counts that it was asked for: once, however many parts are fetched,
 * and not where somebody looks whether it is there, by its first byte.
 */
export async function getImage(call: Call): Promise<Answer> {
  const { registry, request } = call;
  const box = readableBox(call);
  const { id, url } = providerOf(call, versionOf(call, box));
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
