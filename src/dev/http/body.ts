import type { Readable } from 'node:stream';
import { HttpRefusal, type StreamLimits } from './service.ts';

/** Maximum bytes of a request body that is read into memory (docs/protocol/common.md#limits). */
const maxBodyBytes = 32 * 1024 * 1024;

/** A request body that has not been read. */
export interface Body {
  /** The Content-Length header, if present: a body that is too long is rejected before it is sent. */
  readonly announced: string | undefined;
  /** Starts reading; sends `100 Continue` if the client waits for it. */
  open(): Readable;
}

/**
 * Reads a body as text, decoding as it arrives.
 *
 * @throws HttpRefusal 413 over `maxBodyBytes`, 400 not UTF-8 or cut off
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
    if (error instanceof HttpRefusal) throw error;
    throw new HttpRefusal(400, 'body is not UTF-8');
  }
  return parts.join('');
}

/** Reads a body as bytes. @throws HttpRefusal 413, 400 cut off */
export async function readBytes(body: Body): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of readChunks(body, { limit: maxBodyBytes })) parts.push(chunk);
  return Buffer.concat(parts);
}

/**
 * Reads a body as it arrives, no faster than the chunks are consumed.
 * @throws HttpRefusal 413 over the limit, 408 stalled, 400 cut off
 */
export async function* readChunks(
  { announced, open }: Body,
  { limit, stall }: Partial<StreamLimits> & Pick<StreamLimits, 'limit'>,
): AsyncGenerator<Buffer> {
  if (Number(announced ?? 0) > limit) throw tooLarge();
  let bytes = 0;
  // Not destroyed on rejection: the connection is still needed for the response.
  const iterator = open().iterator({ destroyOnReturn: false }) as AsyncGenerator<Buffer>;
  try {
    for (;;) {
      const next = iterator.next();
      const { done, value } = await (stall === undefined ? next : within(stall, next));
      if (done) return;
      bytes += value.length;
      if (bytes > limit) throw tooLarge();
      yield value;
    }
  } catch (error) {
    throw error instanceof HttpRefusal ? error : new HttpRefusal(400, 'incomplete request body');
  } finally {
    // Releases the body, so that the rest can be drained; not awaited, because the sender may have stalled.
    iterator.return(undefined).catch(() => {});
  }
}

/** @throws HttpRefusal 408 */
async function within<Value>(milliseconds: number, waited: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new HttpRefusal(408, 'timed out waiting for the request body')),
      milliseconds,
    );
  });
  try {
    return await Promise.race([waited, late]);
  } finally {
    clearTimeout(timer);
  }
}

function tooLarge(): HttpRefusal {
  return new HttpRefusal(413, 'http: request body too large');
}
