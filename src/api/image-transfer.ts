import { setTimeout as delay } from 'node:timers/promises';
import { LanyardError } from '../errors.ts';
import type { Endpoint, TransportOptions } from './endpoint.ts';
import { openStreams } from './http/stream.ts';
import { type Image, openDownload } from './image-download.ts';
import { uploadOnce } from './image-upload.ts';

/** An image to upload. */
export interface Upload {
  /** Returns where the bytes go; called before each attempt, because an address expires and is valid for one. */
  readonly address: () => Promise<string>;
  /** Bytes. */
  readonly length: number;
  /** The bytes from the start, again for each attempt. */
  readonly chunks: () => AsyncIterable<Uint8Array>;
  /** Whether the service has the image. Called when every byte was sent and the response was lost. */
  readonly isStored: () => Promise<boolean>;
}

/** Where a downloaded image is written. */
export interface Destination {
  /** What exists already of the image with that entity tag. */
  readonly has: () => Promise<{ readonly length: number; readonly etag: string } | undefined>;
  /** The image begins; what exists beyond `from` (or everything, if it is of another image) is dropped. */
  readonly begin: (image: Image) => Promise<void>;
  /** May use the chunk until the next call has resolved. */
  readonly write: (chunk: Uint8Array) => Promise<void>;
}

/** Large bodies, at the service and at the origins that it names. */
export type Transfer = ReturnType<typeof transfer>;

const maxAttempts = 5;
const baseDelayMs = 500;

/** Makes the functions that move large bodies, in a few attempts. */
export function transfer(endpoint: Endpoint, options: TransportOptions) {
  const requests = { endpoint, options, open: openStreams(endpoint, options) };

  /** Waits before the next attempt; after the last one, throws the error. */
  async function pause(error: unknown, attempt: number, what: string): Promise<void> {
    if (!(error instanceof LanyardError) || !error.retryable || attempt >= maxAttempts) throw error;
    const delayMs = options.random() * baseDelayMs * 2 ** (attempt - 1);
    options.note(
      `${error.message}; ${what} in ${(delayMs / 1000).toFixed(1)} s (attempt ${attempt + 1} of ${maxAttempts})`,
    );
    await delay(delayMs, undefined, { signal: options.signal }).catch(() => {
      throw new LanyardError('interrupted', 'interrupted');
    });
  }

  async function download(address: string, destination: Destination): Promise<void> {
    const existing = await destination.has();
    const range = existing && { first: existing.length, etag: existing.etag };
    const image = await openDownload(requests, address, range);
    try {
      await destination.begin(image);
      for await (const chunk of image.chunks) await destination.write(chunk);
    } finally {
      image.close();
    }
  }

  return {
    /**
     * Uploads an image, in five attempts at most. No token is sent, and no redirect is followed.
     * @throws LanyardError: of the last attempt, `unknown` if all was sent and the response was lost; what `chunks`,
     * `address` and `isStored` throw.
     */
    async put({ address, length, chunks, isStored }: Upload): Promise<void> {
      for (let attempt = 1; ; attempt++) {
        try {
          return await uploadOnce(requests, new URL(await address()), length, chunks());
        } catch (error) {
          if (error instanceof LanyardError && error.kind === 'unknown' && (await isStored())) {
            return options.note('The response was lost, but the service has the complete image.');
          }
          await pause(error, attempt, 'retrying with a new address');
        }
      }
    },

    /**
     * Downloads an image, and resumes after a lost connection; attempts are counted from the last one that received
     * something. The token is sent to the service's own origin only.
     * @throws LanyardError: of the last attempt; what the destination throws.
     */
    async get(address: string, destination: Destination): Promise<void> {
      let received = (await destination.has())?.length ?? 0;
      for (let attempt = 1; ; attempt++) {
        try {
          return await download(address, destination);
        } catch (error) {
          const length = (await destination.has())?.length ?? 0;
          if (length > received) attempt = 1;
          received = length;
          await pause(error, attempt, length > 0 ? 'resuming' : 'retrying');
        }
      }
    },

    /** The image at an address and its size in bytes, if known, without downloading it; undefined: it does not exist. */
    async probe(address: string): Promise<{ readonly size: number | undefined } | undefined> {
      for (let attempt = 1; ; attempt++) {
        try {
          const { size, close } = await openDownload(requests, address, { first: 0, last: 0 });
          close();
          return { size };
        } catch (error) {
          if (error instanceof LanyardError && error.kind === 'not_found') return undefined;
          await pause(error, attempt, 'retrying');
        }
      }
    },
  };
}
