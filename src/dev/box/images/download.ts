import type { FileHandle } from 'node:fs/promises';
import type { Answer, HttpRequest } from '../../http/service.ts';
import type { StoredImage } from './images.ts';

type Asked = Pick<HttpRequest, 'method' | 'headers'>;

interface Range {
  readonly start: number;
  readonly length: number;
}

/**
 * The answer that gives an image, or what is asked of it (RFC 9110, sections 13 and 14): one range; several are
 * answered with the whole.
 *
 * @param file is given away with the answer, or closed
 */
export async function imageAnswer(
  { size, checksums }: StoredImage,
  file: FileHandle,
  { method, headers: asked }: Asked,
): Promise<Answer> {
  const tag = `"${checksums.sha256}"`;
  const headers = { ETag: tag, 'Accept-Ranges': 'bytes' };
  if (asked['if-none-match'] !== undefined && matches(asked['if-none-match'], tag)) {
    await file.close();
    return { status: 304, headers };
  }
  // A range of another image would be spliced into this one: then the whole is sent.
  const same = asked['if-range'] === undefined || asked['if-range'] === tag;
  const range = method === 'GET' && same ? readRange(asked.range, size) : undefined;
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

function matches(header: string, tag: string): boolean {
  return header.split(',').some((each) => ['*', tag].includes(each.trim().replace(/^W\//, '')));
}

/** @returns undefined: the whole, as no one range is asked for; none: it begins behind the end. */
function readRange(header: string | undefined, size: number): Range | 'none' | undefined {
  const [whole, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header ?? '') ?? [];
  if (whole === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'none' : { start: size - length, length };
  }
  const start = Number(first);
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'none' : { start, length: end - start };
}
