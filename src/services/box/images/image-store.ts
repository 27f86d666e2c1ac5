import type { Json } from '../../../wire/json.ts';
import { messageOf } from '../../core/errors.ts';
import { HttpError, type HttpRequest, type HttpService } from '../../core/http/http-service.ts';
import type { Storage } from '../../core/store/storage.ts';
import { imageResponse } from './download.ts';
import { ImageFolder, type ReceivedImage } from './image-folder.ts';
import type { Images, StoredImage } from './images.ts';
import { uploadPath, uploadService } from './upload.ts';
import { type UploadSession, UploadSessions, uploadGone } from './upload-sessions.ts';

export interface ImageParts {
  /** For images only: the record of each, by the key of its provider. */
  readonly storage: Storage;
  /** The data directory; without one, images are deleted when the process ends. */
  readonly directory?: string | undefined;
  readonly clock: () => Date;
  readonly random: (length: number) => Uint8Array;
  readonly log: (line: string) => void;
  /** Receives a line for each file that was moved or removed at start. */
  readonly onNotice?: (line: string) => void;
  /** Milliseconds without a byte until an upload is aborted. */
  readonly stallTimeoutMs?: number;
}

/** The images, and the service that receives uploads. */
export interface ImageStore extends Images {
  readonly uploads: HttpService;
  /** Sets the address of `uploads`, `http://127.0.0.1:PORT`. */
  setUploadOrigin(origin: string): void;
  /** Waits for running uploads, which end with their connections, and removes unused files. */
  close(): Promise<void>;
}

/**
 * Maximum bytes of a direct upload: the limit of object stores (docs/protocol/box.md#uploads). Other uploads are
 * unlimited.
 */
const maxDirectBytes = 5 * 1024 ** 3;
const defaultStallTimeoutMs = 2 * 60_000;

/** The stored record of an image, and its file name in the folder. */
type ImageRecord = StoredImage & { readonly file: string };

/** Opens the images, and removes files that an earlier process left incomplete. */
export async function openImageStore(parts: ImageParts): Promise<ImageStore> {
  const { storage, clock, random, log } = parts;
  const folder = new ImageFolder(parts.directory, () => Buffer.from(random(16)).toString('hex'));
  const sessions = new UploadSessions(clock);
  const receiving = new Set<Promise<StoredImage | ReceivedImage>>();
  const stallTimeoutMs = parts.stallTimeoutMs ?? defaultStallTimeoutMs;
  let origin: string | undefined;

  const recordOf = (key: string) => storage.get(key) as unknown as ImageRecord | undefined;
  const used = new Set(storage.keys('').flatMap((key) => recordOf(key)?.file ?? []));
  for (const line of await folder.removeUnused(used)) parts.onNotice?.(line);

  /** Removes files that are no longer referenced. */
  async function discard(images: readonly Pick<ReceivedImage, 'file'>[]): Promise<void> {
    for (const { file } of images) {
      await folder.remove(file).catch((error: unknown) => {
        log(`box: an image that is no longer used stays until the next start: ${messageOf(error)}`);
      });
    }
  }

  async function receive(id: string, request: HttpRequest): Promise<StoredImage | ReceivedImage> {
    await discard(sessions.removeExpired());
    const session = sessions.requireOpen(id);
    session.activeSenders++;
    try {
      return await receiveInto(session, request);
    } finally {
      session.activeSenders--;
    }
  }

  async function receiveInto(
    session: UploadSession,
    request: HttpRequest,
  ): Promise<StoredImage | ReceivedImage> {
    const { checksumType, requiresConfirmation } = session.options;
    const limit = requiresConfirmation ? maxDirectBytes : Number.POSITIVE_INFINITY;
    const chunks = request.stream({ limit, stallTimeoutMs });
    const image = await folder.receive(chunks, new Set(checksumType && [checksumType]));
    // The first complete image is used; meanwhile another may have arrived, or the provider been deleted.
    if (session.state !== 'open' || image.size === 0) {
      await discard([image]);
      throw image.size === 0 ? new HttpError(400, 'the body is empty; send the image') : uploadGone();
    }
    session.state = 'used';
    sessions.extend(session);
    if (!requiresConfirmation) return startStoring(session, image);
    sessions.awaitConfirmation(session, image);
    return image;
  }

  /** Uses an image for its provider. If that fails, the upload is as if nothing had been sent. */
  function startStoring(session: UploadSession, image: ReceivedImage): Promise<StoredImage> {
    session.storing = store(session, image).catch(async (error: unknown) => {
      delete session.storing;
      if (session.state === 'used') session.state = 'open';
      await discard([image]);
      throw error;
    });
    return session.storing;
  }

  async function store(
    session: UploadSession,
    { file, size, checksums }: ReceivedImage,
  ): Promise<StoredImage> {
    await folder.finish(file);
    if (session.state === 'gone') throw uploadGone();
    const image: StoredImage = { size, checksums, stored: clock().toISOString() };
    const previous = recordOf(session.key);
    await storage.write([{ key: session.key, value: { ...image, file } as unknown as Json }]);
    if (previous) await discard([previous]);
    try {
      await session.options.onStored?.(image);
    } catch (error) {
      log(`box: ${messageOf(error)}`);
    }
    return image;
  }

  async function remove(key: string): Promise<void> {
    const previous = recordOf(key);
    const unconfirmed = sessions.endForProvider(key);
    if (previous) await storage.write([{ key }]);
    await discard(previous ? [...unconfirmed, previous] : unconfirmed);
  }

  return {
    remove,

    async removeAllExcept(keys) {
      const unusedKeys = storage.keys('').filter((key) => !keys.has(key));
      for (const key of unusedKeys) await remove(key);
      if (unusedKeys.length > 0)
        parts.onNotice?.(`Removed the images of deleted providers: ${unusedKeys.length}.`);
    },

    find(key) {
      const record = recordOf(key);
      if (!record) return undefined;
      const { file: _, ...image } = record;
      return image;
    },

    startUpload(key, options = {}) {
      if (origin === undefined)
        throw new HttpError(503, 'images cannot be uploaded: nothing listens for them');
      void discard(sessions.removeExpired());
      const id = Buffer.from(random(32)).toString('base64url');
      const { expires } = sessions.add(id, key, options);
      return { id, uploadPath: origin + uploadPath(id), expires: new Date(expires) };
    },

    async confirmUpload(key, id) {
      await discard(sessions.removeExpired());
      const session = sessions.get(id);
      if (
        !session ||
        session.key !== key ||
        session.state !== 'used' ||
        !session.options.requiresConfirmation
      )
        return undefined;
      const { unconfirmed } = session;
      delete session.unconfirmed;
      sessions.extend(session);
      return unconfirmed ? startStoring(session, unconfirmed.image) : session.storing;
    },

    async download(key, request) {
      for (;;) {
        const record = recordOf(key);
        if (!record) return undefined;
        const file = await folder.open(record.file);
        if (file) return imageResponse(record, file, request);
        // Replaced before it was opened: try the new one.
        if (recordOf(key)?.file !== record.file) continue;
        log(`box: the file of an image is missing: ${record.file}`);
        return undefined;
      }
    },

    uploads: uploadService((id, request) => {
      const received = receive(id, request).finally(() => receiving.delete(received));
      receiving.add(received);
      return received;
    }, parts),

    setUploadOrigin(address) {
      origin = address;
    },

    async close() {
      await Promise.allSettled(receiving);
      await discard(sessions.endAll());
      await folder.close();
    },
  };
}
