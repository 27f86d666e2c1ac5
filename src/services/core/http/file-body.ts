import type { ServerResponse } from 'node:http';
import type { EncodedResponse, FileBody } from './http-service.ts';

/** Bytes per read: enough for speed; a response holds at most twice this in memory. */
const blockBytes = 256 * 1024;

export const isFileBody = (body: EncodedResponse['body']): body is FileBody =>
  typeof body === 'object' && 'file' in body;

export function bodyLength(body: EncodedResponse['body']): number {
  return isFileBody(body) ? body.length : Buffer.byteLength(body ?? '');
}

/**
 * Sends a part of a file as fast as the client reads it, and stops when the client disconnects. Does not end
 * the response. Two buffers are used in turn: one is filled while the other is sent. A new one for each block would
 * make V8 collect all of its heap every 64 MiB, which took more processor time than the sending.
 *
 * @throws Error: the file is shorter than expected
 */
export async function sendFileBody({ file, start, length }: FileBody, response: ServerResponse) {
  const end = start + length;
  const bufferBytes = Math.min(blockBytes, length);
  let [buffer, spare] = [Buffer.allocUnsafeSlow(bufferBytes), Buffer.allocUnsafeSlow(bufferBytes)];
  let sent: Promise<void> | undefined;
  // A response that is destroyed does not call back.
  let onClose: (() => void) | undefined;
  response.once('close', () => onClose?.());
  for (let at = start; at < end && !response.destroyed; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(bufferBytes, end - at), at);
    if (bytesRead === 0) throw new Error(`a file ended at ${at} bytes, before ${end}`);
    at += bytesRead;
    await sent;
    if (response.destroyed) break;
    const bytes = buffer.subarray(0, bytesRead);
    sent = new Promise((resolve) => {
      onClose = resolve;
      response.write(bytes, () => resolve());
    });
    [buffer, spare] = [spare, buffer];
  }
  await sent;
}
