import { type ProviderCalls, prepareUpload } from '../api/box-provider.ts';
import { LanyardError, usage } from '../errors.ts';
import { openLargeFile } from '../io/large-file.ts';
import type { Services } from './kind.ts';

interface ImageFile {
  readonly path: string;
  /** As the document names it. */
  readonly name: string;
  readonly checksum: string;
  readonly checksum_type: string;
  /** Creates the provider, or removes the checksum of the previous image. */
  readonly prepare: () => Promise<unknown>;
}

/**
 * Uploads an image, and stores its checksum after it. The file is read before, so that nothing is changed if it is not
 * the one that the document means.
 *
 * @throws LanyardError usage: the file is missing, or has another checksum; failure: the registry stored another image.
 */
export async function uploadImage(services: Services, calls: ProviderCalls, image: ImageFile): Promise<void> {
  const { path, name, checksum, checksum_type } = image;
  const file = await openLargeFile(path, 'image', name);
  try {
    const { chunks, checksum: found } = file.pass(checksum_type);
    for await (const _chunk of chunks);
    if (found() !== checksum)
      throw usage(`cannot upload ${name}: its ${checksum_type} is not the checksum of the document`, {
        details: [`${checksum_type} of the file: ${found()}`],
        hint: 'If the file is right, change "checksum".',
      });
    await image.prepare();
    const upload = await send(services, calls, file.size, () => file.pass(checksum_type).chunks);
    if (upload.callback !== undefined)
      await (await services.box()).confirmUpload({ callback: upload.callback });
  } finally {
    await file.close();
  }
  const { body } = await calls.read();
  const stored = body.download_url && (await (await services.transfer('box')).probe(body.download_url));
  if (!stored || (stored.size ?? file.size) !== file.size)
    throw new LanyardError('failure', `the stored image differs from ${name}`, {
      service: 'box',
      details: [`bytes sent: ${file.size}; bytes stored: ${stored ? stored.size : 'none'}`],
      hint: 'Run the command again to upload it again.',
    });
  await calls.update({ checksum, checksum_type });
}

/** Sends the bytes. @returns the callback that confirms them, where the registry has one. */
async function send(
  services: Services,
  calls: ProviderCalls,
  length: number,
  chunks: () => AsyncIterable<Uint8Array>,
): Promise<{ readonly callback: string | undefined }> {
  const transfer = await services.transfer('box');
  let callback: string | undefined;
  const address = async (): Promise<string> => {
    const upload = await prepareUpload(calls, length);
    callback = upload.callback;
    return upload.upload_path;
  };
  // The image of before may have the same length: after a lost response the file is sent again.
  await transfer.put({ address, length, chunks, isStored: async () => false });
  return { callback };
}
