import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FileBody, HttpResponse } from './http-service.ts';

/** Bytes per read: enough for speed; a response holds at most twice this in memory. */
const blockBytes = 256 * 1024;

export const isFileBody = (body: HttpResponse['body']): body is FileBody =>
  typeof body === 'object' && 'file' in body;

export function bodyLength(body: HttpResponse['body']): number {
  return isFileBody(body) ? body.length : Buffer.byteLength(body ?? '');
}

/**
 * Sends a part of a file as fast as the client reads it, and stops when the client disconnects. Does not end
 * the response.
 * @throws Error: the file is shorter than expected
 */
export async function sendFileBody(
  { file, start, length }: FileBody,
  response: ServerResponse,
): Promise<void> {
  const end = start + length;
  for (let at = start; at < end && !response.destroyed; ) {
    const chunkBytes = Math.min(blockBytes, end - at);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(chunkBytes), 0, chunkBytes, at);
    if (bytesRead === 0) throw new Error(`a file ended at ${at} bytes, before ${end}`);
    at += bytesRead;
    if (!response.destroyed && !response.write(buffer.subarray(0, bytesRead))) await waitForDrain(response);
  }
}

async function waitForDrain(response: ServerResponse): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  controller.abort();
}
