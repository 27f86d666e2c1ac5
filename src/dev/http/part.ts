import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Answer, FilePart } from './service.ts';

/** Bytes per read: enough for speed; a response holds at most twice this in memory. */
const blockBytes = 256 * 1024;

export const isFilePart = (body: Answer['body']): body is FilePart =>
  typeof body === 'object' && 'file' in body;

/** Bytes of a body. */
export function lengthOf(body: Answer['body']): number {
  return isFilePart(body) ? body.length : Buffer.byteLength(body ?? '');
}

/**
 * Sends a part of a file as fast as the client reads it, and stops when the client disconnects. Does not end
 * the response.
 * @throws Error: the file is shorter than expected
 */
export async function sendPart({ file, start, length }: FilePart, response: ServerResponse): Promise<void> {
  const end = start + length;
  for (let at = start; at < end && !response.destroyed; ) {
    const wanted = Math.min(blockBytes, end - at);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(wanted), 0, wanted, at);
    if (bytesRead === 0) throw new Error(`a file ended at ${at} bytes, before ${end}`);
    at += bytesRead;
    if (!response.destroyed && !response.write(buffer.subarray(0, bytesRead))) await room(response);
  }
}

/** Waits until the response accepts more data or is closed. */
async function room(response: ServerResponse): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  settled.abort();
}
