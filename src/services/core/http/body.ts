import type { Readable } from 'node:stream';
import { HttpError, type StreamLimits } from './http-service.ts';

/** Maximum bytes of a request body that is read into memory (docs/protocol/common.md#limits). */
const maxBodyBytes = 32 * 1024 * 1024;

export interface Body {
  /** The Content-Length header, if present: a body that is too long is rejected before it is sent. */
  readonly contentLength: string | undefined;
  /** Starts reading; sends `100 Continue` if the client waits for it. */
  open(): Readable;
}

/**
 * Reads a body as text, decoding as it arrives.
 *
 * @throws HttpError 413 over `maxBodyBytes`, 400 not UTF-8 or cut off
 */
export async function readText(body: Body): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: string[] = [];
  try {
    for await (const chunk of readChunks(body, { limit: maxBodyBytes })) {
      parts.push(decoder.decode(chunk, { stream: true }));
    }
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
  for await (const chunk of readChunks(body, { limit: maxBodyBytes })) parts.push(chunk);
  return Buffer.concat(parts);
}

/**
 * Reads a body as it arrives, no faster than the chunks are consumed.
 * @throws HttpError 413 over the limit, 408 stalled, 400 cut off
 */
export async function* readChunks(
  { contentLength, open }: Body,
  { limit, stallTimeoutMs }: Partial<StreamLimits> & Pick<StreamLimits, 'limit'>,
): AsyncGenerator<Buffer> {
  if (Number(contentLength ?? 0) > limit) throw tooLargeError();
  let bytes = 0;
  // Not destroyed on rejection: the connection is still needed for the response.
  const iterator = open().iterator({ destroyOnReturn: false }) as AsyncGenerator<Buffer>;
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
    throw error instanceof HttpError ? error : new HttpError(400, 'incomplete request body');
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
