import { messageOf } from '../../core/errors.ts';
import {
  HttpError,
  type HttpRequest,
  type HttpService,
  type ServiceParts,
} from '../../core/http/http-service.ts';
import { checkTables } from '../../core/store/table.ts';
import { imageResponse } from './download.ts';
import { ImageFolder, type ReceivedImage } from './image-folder.ts';
import { imageRecords, type StoredImage, type Upload, type UploadOptions } from './images.ts';
import { uploadPath, uploadService } from './upload.ts';
import { type UploadSession, UploadSessions, uploadGone } from './upload-sessions.ts';

/** The storage is for images only: the record of each, by the key of its provider. */
export interface ImageParts extends Omit<ServiceParts, 'version'> {
  /** The data directory; without one, images are deleted when the process ends. */
  readonly directory?: string | undefined;
  /** Receives a line for each file that was moved or removed at start. */
  readonly onNotice?: (line: string) => void;
  /** Milliseconds without a byte until an upload is aborted. */
  readonly stallTimeoutMs?: number;
}

/** Maximum bytes of a direct upload: the limit of object stores (docs/protocol/box.md#uploads). */
const maxDirectBytes = 5 * 1024 ** 3;
const defaultStallTimeoutMs = 2 * 60_000;

/**
 * The images of the box registry: at most one for a provider, and the service that receives uploads. The key of a
 * provider does not change when it, its version or its box is renamed, and is never reused.
 */
export class ImageStore {
  readonly uploads: HttpService;
  readonly #parts: ImageParts;
  readonly #folder: ImageFolder;
  readonly #sessions: UploadSessions;
  readonly #receiving = new Set<Promise<StoredImage | ReceivedImage>>();
  #origin: string | undefined;

  private constructor(parts: ImageParts) {
    this.#parts = parts;
    this.#folder = new ImageFolder(parts.directory, () => Buffer.from(parts.random(16)).toString('hex'));
    this.#sessions = new UploadSessions(parts.clock);
    this.uploads = uploadService((id, request) => {
      const received = this.#receive(id, request).finally(() => this.#receiving.delete(received));
      this.#receiving.add(received);
      return received;
    }, parts);
  }

  /** Opens the images, and removes files that an earlier process left incomplete. */
  static async open(parts: ImageParts): Promise<ImageStore> {
    checkTables(parts.storage, [imageRecords]);
    const images = new ImageStore(parts);
    const used = new Set(imageRecords.values(parts.storage).map(({ file }) => file));
    for (const line of await images.#folder.removeUnused(used)) parts.onNotice?.(line);
    return images;
  }

  /** The image of a provider; undefined: none, or its upload is not complete. */
  find(key: string): StoredImage | undefined {
    const record = this.#record(key);
    if (!record) return undefined;
    const { file: _, ...image } = record;
    return image;
  }

  /**
   * Creates an upload of a provider's image; other uploads stay open. It ends with the first complete image, which
   * replaces the existing one, or when it expires before. @throws HttpError 503: the upload origin does not listen
   */
  startUpload(key: string, options: UploadOptions = {}): Upload {
    if (this.#origin === undefined)
      throw new HttpError(503, 'images cannot be uploaded: nothing listens for them');
    void this.#discard(this.#sessions.removeExpired());
    const id = Buffer.from(this.#parts.random(32)).toString('base64url');
    const { expires } = this.#sessions.add(id, key, options);
    return { id, uploadPath: this.#origin + uploadPath(id), expires: new Date(expires) };
  }

  /**
   * Uses the image received by a direct upload for the provider; idempotent.
   * @param id of the upload
   * @returns undefined: the provider has no such direct upload, or it expired or received no complete image
   */
  async confirmUpload(key: string, id: string): Promise<StoredImage | undefined> {
    await this.#discard(this.#sessions.removeExpired());
    const session = this.#sessions.get(id);
    if (session?.key !== key || session.state !== 'used' || !session.options.requiresConfirmation)
      return undefined;
    const { unconfirmed } = session;
    delete session.unconfirmed;
    this.#sessions.extend(session);
    return unconfirmed ? this.#startStoring(session, unconfirmed.image) : session.storing;
  }

  /**
   * The response to GET or HEAD of an image: all of it or a range (`Range`, `If-Range`, `If-None-Match`), sent to its
   * end even if the image is replaced meanwhile. @returns undefined: no image
   */
  async download(key: string, request: Pick<HttpRequest, 'method' | 'headers'>) {
    for (;;) {
      const record = this.#record(key);
      if (!record) return undefined;
      const file = await this.#folder.open(record.file);
      if (file) return imageResponse(record, file, request);
      // Replaced before it was opened: try the new one.
      if (this.#record(key)?.file !== record.file) continue;
      this.#parts.log(`box: the file of an image is missing: ${record.file}`);
      return undefined;
    }
  }

  /** Removes the image of a provider, if it exists, and ends all its uploads. */
  async remove(key: string): Promise<void> {
    const previous = this.#record(key);
    const unconfirmed = this.#sessions.endForProvider(key);
    if (previous) await this.#parts.storage.write([imageRecords.remove(key)]);
    await this.#discard(previous ? [...unconfirmed, previous] : unconfirmed);
  }

  /** Removes the images of all other providers, which were deleted just before the last process ended. */
  async removeAllExcept(keys: ReadonlySet<string>): Promise<void> {
    const unusedKeys = imageRecords.keys(this.#parts.storage).filter((key) => !keys.has(key));
    for (const key of unusedKeys) await this.remove(key);
    if (unusedKeys.length > 0)
      this.#parts.onNotice?.(`Removed the images of deleted providers: ${unusedKeys.length}.`);
  }

  /** Sets the address of `uploads`, `http://127.0.0.1:PORT`. */
  setUploadOrigin(origin: string): void {
    this.#origin = origin;
  }

  /** Waits for running uploads, which end with their connections, and removes unused files. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#receiving);
    await this.#discard(this.#sessions.endAll());
    await this.#folder.close();
  }

  #record(key: string) {
    return imageRecords.get(this.#parts.storage, key);
  }

  async #receive(id: string, request: HttpRequest): Promise<StoredImage | ReceivedImage> {
    await this.#discard(this.#sessions.removeExpired());
    const session = this.#sessions.requireOpen(id);
    session.activeSenders++;
    try {
      return await this.#receiveInto(session, request);
    } finally {
      session.activeSenders--;
    }
  }

  async #receiveInto(session: UploadSession, request: HttpRequest): Promise<StoredImage | ReceivedImage> {
    const { checksumType, requiresConfirmation } = session.options;
    const limit = requiresConfirmation ? maxDirectBytes : Number.POSITIVE_INFINITY;
    const { stallTimeoutMs = defaultStallTimeoutMs } = this.#parts;
    const chunks = request.stream({ limit, stallTimeoutMs });
    const image = await this.#folder.receive(chunks, new Set(checksumType && [checksumType]));
    // The first complete image is used; meanwhile another may have arrived, or the provider been deleted.
    if (session.state !== 'open' || image.size === 0) {
      await this.#discard([image]);
      throw image.size === 0 ? new HttpError(400, 'the body is empty; send the image') : uploadGone();
    }
    session.state = 'used';
    this.#sessions.extend(session);
    if (!requiresConfirmation) return this.#startStoring(session, image);
    this.#sessions.awaitConfirmation(session, image);
    return image;
  }

  /** Uses an image for its provider. If that fails, the upload is as if nothing had been sent. */
  #startStoring(session: UploadSession, image: ReceivedImage): Promise<StoredImage> {
    session.storing = this.#store(session, image).catch(async (error: unknown) => {
      delete session.storing;
      if (session.state === 'used') session.state = 'open';
      await this.#discard([image]);
      throw error;
    });
    return session.storing;
  }

  async #store(session: UploadSession, { file, size, checksums }: ReceivedImage): Promise<StoredImage> {
    const { storage, clock } = this.#parts;
    await this.#folder.finish(file);
    if (session.state === 'gone') throw uploadGone();
    const image: StoredImage = { size, checksums, stored: clock().toISOString() };
    const previous = this.#record(session.key);
    await storage.write([imageRecords.put(session.key, { ...image, file })]);
    if (previous) await this.#discard([previous]);
    return image;
  }

  /** Removes files that are no longer referenced. */
  async #discard(images: readonly Pick<ReceivedImage, 'file'>[]): Promise<void> {
    for (const { file } of images) {
      await this.#folder.remove(file).catch((error: unknown) => {
        this.#parts.log(
          `box: an image that is no longer used stays until the next start: ${messageOf(error)}`,
        );
      });
    }
  }
}
