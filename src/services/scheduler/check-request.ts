import { cleanedTarget } from '../core/http/cleaned-target.ts';
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
  throw missingName ? new HttpError(400, missingName) : new HttpError(404, '');
}

/** The target of a request with a clean path (`/v1/var` gets a slash); undefined: the same. */
export function redirectTarget(target: string): string | undefined {
  if (!target.startsWith(variablePrefix)) return cleanedTarget(target);
  const query = target.slice(variablePrefix.length);
  return query === '' || query.startsWith('?') ? `${variablePrefix}/${query}` : cleanedTarget(target);
}
