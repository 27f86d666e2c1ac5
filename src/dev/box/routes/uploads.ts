import { type Answer, jsonAnswer } from '../../http/service.ts';
import { changeableBox, providerOf, versionOf } from '../access.ts';
import type { Call } from '../http/call.ts';
import { unprocessable } from '../http/refusals.ts';
import type { Upload } from '../images/images.ts';
import type { Provider } from '../state/boxes.ts';
import { wholeProviderView } from '../views.ts';

/** Opens a way to upload the image of a provider; what is sent there is the provider's at once. */
export function prepareUpload(call: Call): Answer {
  const { uploadPath } = begin(call, false);
  return jsonAnswer(200, { upload_path: uploadPath });
}

/** As `prepareUpload`; what is sent is the provider's when the callback was called (docs/protocol/box.md#uploads). */
export function prepareDirectUpload(call: Call): Answer {
  const { id, uploadPath } = begin(call, true);
  const path = call.request.path.segments.map(encodeURIComponent).join('/');
  return jsonAnswer(200, { upload_path: uploadPath, callback: `${call.origin}/${path}/${id}` });
}

/** The callback of a direct upload: makes what was sent the provider's image. */
export async function confirmUpload(call: Call): Promise<Answer> {
  const box = changeableBox(call);
  const version = versionOf(call, box);
  const provider = providerOf(call, version);
  const image = await call.registry.images.confirm(provider.id, call.params.upload ?? '');
  if (!image) throw unprocessable('Nothing was received by this upload, or it is over; begin another one');
  return jsonAnswer(200, wholeProviderView(call, box, version, provider));
}

/** @throws HttpRefusal 422: the image is elsewhere; 503: nothing listens for images */
function begin(call: Call, held: boolean): Upload {
  const provider = providerOf(call, versionOf(call, changeableBox(call)));
  if (provider.url !== null) throw elsewhere(provider);
  const { id, checksum } = provider;
  return call.registry.images.begin(id, { held, ...(checksum && { checksumType: checksum.type }) });
}

function elsewhere({ name }: Provider) {
  return unprocessable(`The image of ${name} is at its URL; to upload one, take the URL away first`);
}
