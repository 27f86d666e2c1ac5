import { LanyardError } from '../../errors.ts';
import type { Endpoint, TransportOptions } from '../endpoint.ts';
import type { Next } from '../http/decisions.ts';
import { exchange } from '../http/exchange.ts';
import { retryDelayMs } from '../http/retry.ts';
import { type Image, openDownload } from './download.ts';
import { openStreams } from './stream.ts';
import { uploadOnce } from './upload.ts';

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

/** Makes the functions that move large bodies, in a few attempts. */
export function transfer(endpoint: Endpoint, options: TransportOptions) {
  const requests = { endpoint, options, open: openStreams(endpoint, options) };

  /** Sends until there is a result; `decide` decides about errors, with the number of the attempt that failed. */
  const inAttempts = <Result>(
    once: () => Promise<Result>,
    decide: (error: unknown, attempt: number) => Promise<Next<number, Result>>,
  ): Promise<Result> =>
    exchange(
      1,
      () =>
        once().then(
          (result) => ({ result }),
          (error: unknown) => ({ error }),
        ),
      async (attempt, outcome) => ('result' in outcome ? outcome : decide(outcome.error, attempt)),
      { signal: options.signal, interrupted: () => new LanyardError('interrupted', 'interrupted') },
    );

  /** The next attempt. @throws the error: of the last attempt, or one that would be the same. */
  function retry(error: unknown, attempt: number, what: string): Next<number, never> {
    const isTemporary = error instanceof LanyardError && error.retryable;
    const afterMs = retryDelayMs({ kind: 'network' }, 'read', attempt, options.random(), maxAttempts);
    if (!isTemporary || afterMs === undefined) throw error;
    options.note(
      `${error.message}; ${what} in ${(afterMs / 1000).toFixed(1)} s (attempt ${attempt + 1} of ${maxAttempts})`,
    );
    return { send: attempt + 1, afterMs };
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
    put({ address, length, chunks, isStored }: Upload): Promise<void> {
      return inAttempts(
        async () => uploadOnce(requests, new URL(await address()), length, chunks()),
        async (error, attempt) => {
          const isUnknown = error instanceof LanyardError && error.kind === 'unknown';
          if (!isUnknown || !(await isStored())) return retry(error, attempt, 'retrying with a new address');
          options.note('The response was lost, but the service has the complete image.');
          return { result: undefined };
        },
      );
    },

    /**
     * Downloads an image, and resumes after a lost connection; attempts are counted from the last one that received
     * something. The token is sent to the service's own origin only.
     * @throws LanyardError: of the last attempt; what the destination throws.
     */
    async get(address: string, destination: Destination): Promise<void> {
      let received = (await destination.has())?.length ?? 0;
      return inAttempts(
        () => download(address, destination),
        async (error, attempt) => {
          const length = (await destination.has())?.length ?? 0;
          const failed = length > received ? 1 : attempt;
          received = length;
          return retry(error, failed, length > 0 ? 'resuming' : 'retrying');
        },
      );
    },

    /** The image at an address and its size in bytes, if known, without downloading it; undefined: it does not exist. */
    probe(address: string): Promise<{ readonly size: number | undefined } | undefined> {
      return inAttempts<{ readonly size: number | undefined } | undefined>(
        async () => {
          const { size, close } = await openDownload(requests, address, { first: 0, last: 0 });
          close();
          return { size };
        },
        async (error, attempt) =>
          error instanceof LanyardError && error.kind === 'not_found'
            ? { result: undefined }
            : retry(error, attempt, 'retrying'),
      );
    },
  };
}
