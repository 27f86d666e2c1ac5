import { jsonResponse } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import { requireProvider, requireWritableBox } from '../auth.ts';
import { type Call, operations, write } from '../call.ts';
import { unprocessable } from '../errors.ts';
import type { Upload } from '../images/images.ts';
import type { Provider } from '../model/boxes.ts';
import { provider as providerType } from '../objects.ts';
import { fullProviderView } from '../views.ts';

const operation = operations('Uploads');

/** Starts an upload; a complete image replaces the provider's image immediately. */
export const prepareUpload = operation('prepareUpload', 'Start an upload of the default architecture', {
  ...write,
  description: 'PUT the image to `upload_path`, without a token.',
  returns: s.object({ upload_path: s.string() }),
  handle(call) {
    const { uploadPath } = startUpload(call, false);
    return jsonResponse(200, { upload_path: uploadPath });
  },
});

/** As `prepareUpload`, but the image is used once the callback was called (docs/protocol/box.md#uploads). */
export const prepareDirectUpload = operation(
  'prepareDirectUpload',
  'Start a direct upload of the default architecture',
  {
    ...write,
    description: 'PUT the image to `upload_path`, without a token. Then PUT to `callback`.',
    returns: s.object({ upload_path: s.string(), callback: s.string() }),
    handle(call) {
      const { id, uploadPath } = startUpload(call, true);
      const path = call.request.path.segments.map(encodeURIComponent).join('/');
      return jsonResponse(200, { upload_path: uploadPath, callback: `${call.origin}/${path}/${id}` });
    },
  },
);

/** The callback of a direct upload: uses the received image. */
export const confirmUpload = operation(
  'confirmUpload',
  'Use the image of a direct upload of the default architecture',
  {
    ...write,
    returns: providerType,
    async handle(call) {
      const found = requireProvider(call, requireWritableBox(call));
      const image = await call.registry.images.confirmUpload(found.provider.id, call.params.upload ?? '');
      if (!image)
        throw unprocessable('Nothing was received by this upload, or it is over; begin another one');
      return jsonResponse(200, fullProviderView(call, found));
    },
  },
);

/** @throws HttpError 422: the provider has a URL; 503: the upload origin is not listening */
function startUpload(call: Call, requiresConfirmation: boolean): Upload {
  const { provider } = requireProvider(call, requireWritableBox(call));
  if (provider.url !== null) throw externalImageError(provider);
  const { id, checksum } = provider;
  return call.registry.images.startUpload(id, {
    requiresConfirmation,
    ...(checksum && { checksumType: checksum.type }),
  });
}

function externalImageError({ name }: Provider) {
  return unprocessable(`The image of ${name} is at its URL; to upload one, take the URL away first`);
}
