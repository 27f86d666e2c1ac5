import { HttpError, type HttpRequest } from '../core/http/http-service.ts';

/** Paths that only have a meaning with a name below them. */
const missingNames: Readonly<Record<string, string>> = {
  'v1/namespace': 'Missing Namespace Name',
  'v1/acl/policy': 'Missing Policy Name',
  'v1/acl/token': 'Missing Token Accessor',
};

const variablePrefix = '/v1/var';

/** Rejects methods and paths as Nomad does (docs/protocol/scheduler.md#requests-and-responses). @throws HttpError 400, 404, 405 */
export function checkRequest({ method, path: { segments, hasTrailingSlash } }: HttpRequest): void {
  const isVariable = segments[1] === 'var';
  if (method === 'HEAD') throw new HttpError(isVariable ? 400 : 405, 'Invalid method');
  if (!hasTrailingSlash || isVariable) return;
  const missingName = missingNames[segments.join('/')];
  throw missingName ? new HttpError(400, missingName) : new HttpError(404, 'Invalid URL path');
}

/**
 * The target of a request with empty, `.` or `..` segments in its path removed, as Nomad cleans paths, and that of
 * `/v1/var` with a slash; undefined: the same. Encoded characters stay as they are.
 */
export function cleanedTarget(target: string): string | undefined {
  const [, path = '', query = ''] = /^([^?]*)(.*)$/s.exec(target) ?? [];
  const segments = path.split('/').slice(1);
  if (path === variablePrefix) return `${path}/${query}`;
  const last = segments.at(-1);
  const cleaned: string[] = [];
  for (const segment of segments) {
    if (segment === '..') cleaned.pop();
    else if (segment !== '' && segment !== '.') cleaned.push(segment);
  }
  const hasTrailingSlash = (last === '' || last === '.') && cleaned.length > 0;
  const clean = `/${cleaned.join('/')}${hasTrailingSlash ? '/' : ''}`;
  return path.startsWith('/') && clean !== path ? `${clean}${query}` : undefined;
}
