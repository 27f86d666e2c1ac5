import type { Readable } from 'node:stream';
import { concatInSlices } from '../in-slices.ts';
import { HttpError, type StreamLimits } from './http-service.ts';

/** Maximum bytes of a request body that is read into memory (docs/protocol/common.md#limits). */
const maxBodyBytes = 32 * 1024 * 1024;

export interface Body {
  /** The Content-Length header, if present: a body that is too long is rejected before it is sent. */
  readonly contentLength: string | undefined;
  /** Starts reading; sends `100 Continue` if the client waits for it. */
  open(): Readable;
}

/** For complete texts only: it has no state between them. */
const completeDecoder = new TextDecoder('utf-8', { fatal: true });

/** Reads a body as text, decoding as it arrives. @throws HttpError 413, 400 not UTF-8 or cut off */
export async function readText(body: Body): Promise<string> {
  const parts: string[] = [];
  let first: Buffer | undefined;
  let decoder: TextDecoder | undefined;
  try {
    await readAll(body, (chunk) => {
      // A decoder for parts takes longer to create than most bodies to read: they arrive at once.
      if (first === undefined) {
        first = chunk;
        return;
      }
      if (!decoder) {
        decoder = new TextDecoder('utf-8', { fatal: true });
        parts.push(decoder.decode(first, { stream: true }));
      }
      parts.push(decoder.decode(chunk, { stream: true }));
    });
    if (!decoder) return first === undefined ? '' : completeDecoder.decode(first);
    parts.push(decoder.decode());
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw new HttpError(400, 'body is not UTF-8');
  }
  return parts.join('');
}

/** Reads a body as bytes. @throws HttpError 413, 400 cut off */
export async function readBytes(body: Body): Promise<Buffer> {
  const parts: Buffer[] = [];
  await readAll(body, (chunk) => parts.push(chunk));
  return concatInSlices(parts);
}

/** Passes chunks to `take` as they arrive. Listens: an iterator takes longer than a short body. @throws HttpError 413, 400 */
function readAll(body: Body, take: (chunk: Buffer) => void): Promise<void> {
  if (Number(body.contentLength ?? 0) > maxBodyBytes) return Promise.reject(tooLargeError());
  const stream = body.open();
  if (stream.readableEnded) return Promise.resolve();
  if (stream.destroyed) return Promise.reject(incompleteError());
  return new Promise((resolve, reject) => {
    let bytes = 0;
    const stop = (): void => {
      stream.off('data', onData).off('end', onEnd).off('error', onCutOff).off('close', onCutOff);
    };
    const fail = (error: unknown): void => {
      stop();
      // Not destroyed: the connection is still needed for the response, before which the rest is drained.
      stream.pause();
      reject(error);
    };
    const onCutOff = (): void => fail(incompleteError());
    const onEnd = (): void => {
      stop();
      resolve();
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      try {
        if (bytes > maxBodyBytes) throw tooLargeError();
        take(chunk);
      } catch (error) {
        fail(error);
      }
    };
    stream.on('data', onData).on('end', onEnd).on('error', onCutOff).on('close', onCutOff);
  });
}

/** Reads a body no faster than its chunks are consumed. @throws HttpError 413, 408 stalled, 400 cut off */
export async function* readChunks(
  body: Body,
  { limit, stallTimeoutMs }: Partial<StreamLimits> & Pick<StreamLimits, 'limit'>,
): AsyncGenerator<Buffer> {
  if (Number(body.contentLength ?? 0) > limit) throw tooLargeError();
  let bytes = 0;
  // Not destroyed on rejection: the connection is still needed for the response.
  const iterator = body.open().iterator({ destroyOnReturn: false }) as AsyncGenerator<Buffer>;
  try {
    for (;;) {
      const next = iterator.next();
      const { done, value } = await (stallTimeoutMs === undefined ? next : withTimeout(stallTimeoutMs, next));
      if (done) return;
      bytes += value.length;
      if (bytes > limit) throw tooLargeError();
      yield value;
    }
  } catch (error) {
    throw error instanceof HttpError ? error : incompleteError();
  } finally {
    // Releases the body, so that the rest can be drained; not awaited, because the sender may have stalled.
    iterator.return(undefined).catch(() => {});
  }
}

/** @throws HttpError 408 */
async function withTimeout<Value>(timeoutMs: number, promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HttpError(408, 'timed out waiting for the request body')), timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

const tooLargeError = (): HttpError => new HttpError(413, 'http: request body too large');

const incompleteError = (): HttpError => new HttpError(400, 'incomplete request body');
