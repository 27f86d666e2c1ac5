import type { FileHandle } from 'node:fs/promises';
import type { HttpRequest, HttpResponse } from '../../core/http/http-service.ts';
import type { StoredImage } from './images.ts';

type DownloadRequest = Pick<HttpRequest, 'method' | 'headers'>;

interface Range {
  readonly start: number;
  readonly length: number;
}

/**
 * The response to a download (RFC 9110, sections 13 and 14): the image, one range, or 304; several ranges get the
 * complete image.
 *
 * @param file is closed with the response
 */
export async function imageResponse(
  { size, checksums }: StoredImage,
  file: FileHandle,
  { method, headers: requestHeaders }: DownloadRequest,
): Promise<HttpResponse> {
  const etag = `"${checksums.sha256}"`;
  const headers = { ETag: etag, 'Accept-Ranges': 'bytes' };
  if (requestHeaders['if-none-match'] !== undefined && matchesEtag(requestHeaders['if-none-match'], etag)) {
    await file.close();
    return { status: 304, headers };
  }
  // A range of another image would corrupt the client's file: then the complete image is sent.
  const isSameImage = requestHeaders['if-range'] === undefined || requestHeaders['if-range'] === etag;
  const range = method === 'GET' && isSameImage ? readRange(requestHeaders.range, size) : undefined;
  if (range === 'none') {
    await file.close();
    return { status: 416, headers: { ...headers, 'Content-Range': `bytes */${size}` } };
  }
  const content = { ...headers, 'Content-Type': 'application/octet-stream' };
  if (!range) return { status: 200, headers: content, body: { file, start: 0, length: size } };
  const { start, length } = range;
  return {
    status: 206,
    headers: { ...content, 'Content-Range': `bytes ${start}-${start + length - 1}/${size}` },
    body: { file, start, length },
  };
}

function matchesEtag(header: string, etag: string): boolean {
  return header.split(',').some((each) => ['*', etag].includes(each.trim().replace(/^W\//, '')));
}

/** @returns undefined: the complete image, unless exactly one range is requested; none: it begins after the end. */
function readRange(header: string | undefined, size: number): Range | 'none' | undefined {
  const [match, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header ?? '') ?? [];
  if (match === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'none' : { start: size - length, length };
  }
  const start = Number(first);
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'none' : { start, length: end - start };
}
