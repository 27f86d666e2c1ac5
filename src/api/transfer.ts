import { setTimeout as delay } from 'node:timers/promises';
import { LanyardError } from '../errors.ts';
import { type Image, openDownload } from './download.ts';
import { openStreams } from './open-stream.ts';
import { send } from './send.ts';
import type { Endpoint, TransportOptions } from './transport.ts';

/** An image on its way to where the service wants it. */
export interface Upload {
  /** Where the bytes go. Asked before each attempt: an address soon expires, and is good for one. */
  readonly address: () => Promise<string>;
  /** Bytes. */
  readonly length: number;
  /** The bytes from the first on, again for each attempt. */
  readonly chunks: () => AsyncIterable<Uint8Array>;
  /** Is the image there all the same? Asked when every byte was sent and the response was lost. */
  readonly isStored: () => Promise<boolean>;
}

/** Where an image is put that is on its way here. */
export interface Destination {
  /** What is present already of the image with that entity tag. */
  readonly has: () => Promise<{ readonly length: number; readonly etag: string } | undefined>;
  /** The image begins; what is there beyond `from` (or all, should it be of another image) is dropped. */
  readonly begin: (image: Image) => Promise<void>;
  readonly write: (chunk: Uint8Array) => Promise<void>;
}

/** Large bodies, at the service and at the origins that it names. */
export interface Transfer {
  /**
   * Puts an image, in five attempts at most. No token goes with it, and no redirect is followed.
   * @throws LanyardError: as `send`, of the last attempt; what `chunks`, `address` and `isStored` throw.
   */
  put(upload: Upload): Promise<void>;
  /**
   * Gets an image, going on where a lost connection ended; the attempts are counted from the last that moved. The
   * token goes to the service's own origin only, and no further than a redirect within it.
   * @throws LanyardError: as `receive`, of the last attempt; what the destination throws.
   */
  get(address: string, destination: Destination): Promise<void>;
  /** Is there an image at an address, and of how many bytes, where that is told? It is not got. */
  probe(address: string): Promise<{ readonly size: number | undefined } | undefined>;
}

const attempts = 5;
const base = 500;

/** Makes the functions that move large bodies: no token to another origin, a few attempts, said on stderr. */
export function transfer(endpoint: Endpoint, options: TransportOptions): Transfer {
  const open = openStreams(endpoint, options);
  const parts = { endpoint, options, open };

  /** Waits before the next attempt, or throws the error if it was the last. */
  async function again(error: unknown, attempt: number, what: string): Promise<void> {
    if (!(error instanceof LanyardError) || !error.retryable || attempt >= attempts) throw error;
    const wait = options.random() * base * 2 ** (attempt - 1);
    options.note(
      `${error.message}; ${what} in ${(wait / 1000).toFixed(1)} s (attempt ${attempt + 1} of ${attempts})`,
    );
    await delay(wait, undefined, { signal: options.signal }).catch(() => {
      throw new LanyardError('interrupted', 'interrupted');
    });
  }

  return {
    async put({ address, length, chunks, isStored }) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await send(parts, { address: await address(), length, chunks: chunks() });
        } catch (error) {
          if (error instanceof LanyardError && error.kind === 'unknown' && (await isStored())) {
            return options.note('The response was lost, but the service has the complete image.');
          }
          await again(error, attempt, 'retrying with a new address');
        }
      }
    },
    async get(address, destination) {
      let reached = (await destination.has())?.length ?? 0;
      for (let attempt = 1; ; attempt++) {
        try {
          return await fill(address, destination);
        } catch (error) {
          const length = (await destination.has())?.length ?? 0;
          if (length > reached) attempt = 1;
          reached = length;
          await again(error, attempt, length > 0 ? 'resuming' : 'retrying');
        }
      }
    },
    async probe(address) {
      for (let attempt = 1; ; attempt++) {
        try {
          const image = await openDownload(parts, address, { first: 0, last: 0 });
          image.close();
          return { size: image.size };
        } catch (error) {
          if (error instanceof LanyardError && error.kind === 'not_found') return undefined;
          await again(error, attempt, 'retrying');
        }
      }
    },
  };

  async function fill(address: string, destination: Destination): Promise<void> {
    const there = await destination.has();
    const image = await openDownload(parts, address, there && { first: there.length, etag: there.etag });
    try {
      await destination.begin(image);
      for await (const chunk of image.chunks) await destination.write(chunk);
    } finally {
      image.close();
    }
  }
}
