import type { Json } from '../../../wire/json.ts';
import { messageOf } from '../../errors.ts';
import { HttpRefusal, type HttpRequest, type HttpService } from '../../http/service.ts';
import type { Storage } from '../../storage.ts';
import { imageAnswer } from './download.ts';
import { ImageFolder, type ReceivedImage } from './folder.ts';
import type { Images, StoredImage } from './images.ts';
import { isOver, type Ticket, Tickets } from './tickets.ts';
import { uploadPath, uploadService } from './upload.ts';

export interface ImageParts {
  /** Of the images alone: what is known of each, by its provider's key. */
  readonly storage: Storage;
  /** The data directory; without one images live as long as the process. */
  readonly directory?: string | undefined;
  readonly clock: () => Date;
  readonly random: (length: number) => Uint8Array;
  readonly log: (line: string) => void;
  /** Told of files that were moved or removed at the start, one line each. */
  readonly note?: (line: string) => void;
  /** Milliseconds without a byte until the sender of an image is given up. */
  readonly stall?: number;
}

/** The images, and the origin that they are uploaded to. */
export interface ImageStore extends Images {
  readonly uploads: HttpService;
  /** Tells where `uploads` listens, `http://127.0.0.1:PORT`. */
  listensAt(origin: string): void;
  /** Waits for what is being received, which the end of its connections ends, and removes what is nobody's. */
  close(): Promise<void>;
}

/**
 * Bytes of an image that is uploaded directly: what stores take at once (docs/protocol/box.md#uploads). Others have no
 * limit.
 */
const maxDirectBytes = 5 * 1024 ** 3;
const usualStall = 2 * 60_000;

/** What the storage has of an image: what is known of it, and its name in the folder. */
type ImageRecord = StoredImage & { readonly file: string };

/** Opens the images, and removes what an earlier process left unfinished. */
export async function openImages(parts: ImageParts): Promise<ImageStore> {
  const { storage, clock, random, log } = parts;
  const folder = new ImageFolder(parts.directory, () => Buffer.from(random(16)).toString('hex'));
  const tickets = new Tickets(clock);
  const receiving = new Set<Promise<StoredImage | ReceivedImage>>();
  const stall = parts.stall ?? usualStall;
  let origin: string | undefined;

  const recordOf = (key: string) => storage.get(key) as unknown as ImageRecord | undefined;
  const used = new Set(storage.keys('').flatMap((key) => recordOf(key)?.file ?? []));
  for (const line of await folder.keepOnly(used)) parts.note?.(line);

  /** Removes files that nobody refers to any more. */
  async function discard(images: readonly Pick<ReceivedImage, 'file'>[]): Promise<void> {
    for (const { file } of images) {
      await folder.remove(file).catch((error: unknown) => {
        log(`box: an image that is no longer used stays until the next start: ${messageOf(error)}`);
      });
    }
  }

  async function receive(id: string, request: HttpRequest): Promise<StoredImage | ReceivedImage> {
    await discard(tickets.sweep());
    const ticket = tickets.open(id);
    ticket.senders++;
    try {
      return await take(ticket, request);
    } finally {
      ticket.senders--;
    }
  }

  async function take(ticket: Ticket, request: HttpRequest): Promise<StoredImage | ReceivedImage> {
    const { checksumType, held } = ticket.options;
    const limit = held ? maxDirectBytes : Number.POSITIVE_INFINITY;
    const chunks = request.stream({ limit, stall });
    const image = await folder.receive(chunks, new Set(checksumType && [checksumType]));
    // The first to be whole is the one; another may have come, or the provider gone, meanwhile.
    if (ticket.state !== 'open' || image.size === 0) {
      await discard([image]);
      throw image.size === 0 ? new HttpRefusal(400, 'the body is empty; send the image') : isOver();
    }
    ticket.state = 'used';
    tickets.renew(ticket);
    if (!held) return keep(ticket, image);
    tickets.hold(ticket, image);
    return image;
  }

  /** Makes an image the provider's. If that fails the upload is as if nothing had been sent. */
  function keep(ticket: Ticket, image: ReceivedImage): Promise<StoredImage> {
    ticket.kept = store(ticket, image).catch(async (error: unknown) => {
      delete ticket.kept;
      if (ticket.state === 'used') ticket.state = 'open';
      await discard([image]);
      throw error;
    });
    return ticket.kept;
  }

  async function store(ticket: Ticket, { file, size, checksums }: ReceivedImage): Promise<StoredImage> {
    await folder.finish(file);
    if (ticket.state === 'gone') throw isOver();
    const image: StoredImage = { size, checksums, stored: clock().toISOString() };
    const before = recordOf(ticket.key);
    await storage.write([{ key: ticket.key, value: { ...image, file } as unknown as Json }]);
    if (before) await discard([before]);
    try {
      await ticket.options.stored?.(image);
    } catch (error) {
      log(`box: ${messageOf(error)}`);
    }
    return image;
  }

  async function remove(key: string): Promise<void> {
    const before = recordOf(key);
    const waited = tickets.endOf(key);
    if (before) await storage.write([{ key }]);
    await discard(before ? [...waited, before] : waited);
  }

  return {
    remove,

    async removeAllBut(keys) {
      const gone = storage.keys('').filter((key) => !keys.has(key));
      for (const key of gone) await remove(key);
      if (gone.length > 0) parts.note?.(`Removed the images of deleted providers: ${gone.length}.`);
    },

    find(key) {
      const record = recordOf(key);
      if (!record) return undefined;
      const { file: _, ...image } = record;
      return image;
    },

    begin(key, options = {}) {
      if (origin === undefined)
        throw new HttpRefusal(503, 'images cannot be uploaded: nothing listens for them');
      void discard(tickets.sweep());
      const id = Buffer.from(random(32)).toString('base64url');
      const { expires } = tickets.add(id, key, options);
      return { id, uploadPath: origin + uploadPath(id), expires: new Date(expires) };
    },

    async confirm(key, id) {
      await discard(tickets.sweep());
      const ticket = tickets.get(id);
      if (!ticket || ticket.key !== key || ticket.state !== 'used' || !ticket.options.held) return undefined;
      const { waiting } = ticket;
      delete ticket.waiting;
      tickets.renew(ticket);
      return waiting ? keep(ticket, waiting.image) : ticket.kept;
    },

    async download(key, request) {
      for (;;) {
        const record = recordOf(key);
        if (!record) return undefined;
        const file = await folder.open(record.file);
        if (file) return imageAnswer(record, file, request);
        // Replaced before it was opened: then there is another.
        if (recordOf(key)?.file !== record.file) continue;
        log(`box: the file of an image is missing: ${record.file}`);
        return undefined;
      }
    },

    uploads: uploadService((id, request) => {
      const received = receive(id, request).finally(() => receiving.delete(received));
      receiving.add(received);
      return received;
    }),

    listensAt(address) {
      origin = address;
    },

    async close() {
      await Promise.allSettled(receiving);
      await discard(tickets.endAll());
      await folder.close();
    },
  };
}
