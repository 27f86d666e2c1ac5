import { HttpError } from './http-service.ts';

/**
 * Splits the raw target of a request first and decodes it after, so that nothing decoded can become a
 * separator or a step upwards.
 * @throws HttpError 400: not a path of this origin, too many segments, an empty segment, `.` or `..`, an
 * encoded slash, a control character, invalid percent-encoding.
 * @param rawKeyPrefixes paths below which the rest is one key, which may contain slashes, empty segments and
 * dots
 */
export function readPath(target: string, rawKeyPrefixes: readonly string[] = []) {
  const [rawPath, query] = splitQuery(target);
  if (!rawPath.startsWith('/') || !printablePattern.test(rawPath)) throw new HttpError(400, 'malformed path');
  const prefix = rawKeyPrefixes.find((each) => hasTextBelow(rawPath, each));
  if (prefix !== undefined) {
    const key = decodeComponent(rawPath.slice(prefix.length + 2));
    return {
      path: { segments: [...prefix.split('/'), key], hasTrailingSlash: false },
      query: new URLSearchParams(query),
    };
  }
  const raw = splitPath(rawPath.slice(1));
  const hasTrailingSlash = raw.length > 1 && raw.at(-1) === '';
  if (hasTrailingSlash) raw.pop();
  const segments = rawPath === '/' ? [] : raw.map(readSegment);
  return { path: { segments, hasTrailingSlash }, query: new URLSearchParams(query) };
}

/** More than any route, mount or key needs. */
const maxSegments = 256;

/** @throws HttpError 400: too many segments */
export function splitPath(path: string): string[] {
  const segments = path.split('/', maxSegments + 2);
  // One more may be empty, after a trailing slash.
  const last = segments.at(maxSegments);
  if (segments.length > maxSegments + 1 || (last !== undefined && last !== ''))
    throw new HttpError(400, `more than ${maxSegments} segments in path`);
  return segments;
}

/** Whether a path has text after `/prefix/`. */
const hasTextBelow = (path: string, prefix: string): boolean =>
  path.length > prefix.length + 2 && path.startsWith(prefix, 1) && path[prefix.length + 1] === '/';

function splitQuery(target: string): [string, string] {
  const at = target.indexOf('?');
  return at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];
}

const printablePattern = /^[\x21\x22\x24-\x7e]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/** @throws HttpError 400 */
export function readSegment(raw: string): string {
  const segment = decodeComponent(raw);
  if (segment === '') throw new HttpError(400, 'empty segment in path');
  if (segment === '.' || segment === '..') throw new HttpError(400, 'relative segment in path');
  if (segment.includes('/')) throw new HttpError(400, 'encoded slash in path');
  if (controlCharacter.test(segment)) throw new HttpError(400, 'control character in path');
  return segment;
}

function decodeComponent(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    throw new HttpError(400, 'malformed percent-encoding in path');
  }
}
