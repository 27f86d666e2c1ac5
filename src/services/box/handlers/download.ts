import * as s from '../../core/schema/types.ts';
import { requireProvider, requireReadableBox } from '../auth.ts';
import { operations, read } from '../call.ts';
import { notFound } from '../errors.ts';
import { countDownload } from '../model/boxes.ts';

const operation = operations('Downloads');

const image = { type: 'application/octet-stream', schema: { type: 'string', format: 'binary' } };

/** Sends the image or redirects to it. Counts a download once, also one in parts; the first byte alone is a check. */
export const getImage = operation(
  'downloadImage',
  'Download an image, or get its URL if it is not uploaded',
  {
    headers: {
      Range: s.string('A range of bytes, such as `bytes=0-`.'),
      'If-Range': s.string('The `ETag` of an interrupted download.'),
    },
    responses: {
      200: { description: 'The image.', headers: 'image', content: image },
      206: { description: 'The requested range of the image.', headers: 'range', content: image },
      302: { description: 'The image is at another URL.', headers: 'redirect' },
      304: { description: 'Not modified.', headers: 'image' },
      416: { description: 'Range not satisfiable.', headers: 'range' },
    },
    ...read,
    async handle(call) {
      const { registry, request } = call;
      const { box, provider } = requireProvider(call, requireReadableBox(call));
      const { id, url } = provider;
      if (url === null && !registry.images.find(id)) throw notFound();
      if (request.method === 'GET' && isFromStart(request.headers.range))
        await countDownload(registry.storage, box);
      if (url !== null) return { status: 302, headers: { Location: url } };
      const found = await registry.images.download(id, request);
      if (!found) throw notFound();
      return found;
    },
  },
);

/** The image of `PROVIDER.box`: of the provider's default architecture. */
export const getImageFile: typeof getImage = {
  ...getImage,
  id: 'downloadDefaultImage',
  summary: 'Download the image of the default architecture, or get its URL',
  handle(call) {
    const file = call.params.file ?? '';
    if (!file.endsWith('.box')) throw notFound();
    return getImage.handle({ ...call, params: { ...call.params, provider: file.slice(0, -'.box'.length) } });
  },
};

const isFromStart = (range: string | undefined): boolean =>
  range === undefined || /^bytes=0-(?!0$)/i.test(range);
