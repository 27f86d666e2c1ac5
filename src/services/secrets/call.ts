import type { JsonObject } from '../../wire/json.ts';
import { isObject } from '../../wire/objects.ts';
import type { HttpRequest } from '../core/http/http-service.ts';
import type { HandlerOf } from '../core/operation.ts';
import type { Verb } from './engine.ts';
import { badRequest, SecretsError, unsupportedOperation } from './errors.ts';

/** The caller is authenticated after the mount of the path has been found: see `authorize`. */
export type Handler = HandlerOf<object>;

/** By method, `?list=true` or `?scan=true`, and the snapshot header. @throws SecretsError 400, 405, 415 */
export function requestOperation(request: HttpRequest): Verb {
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      if (booleanParameter(request.query, 'scan')) return 'scan';
      return booleanParameter(request.query, 'list') ? 'list' : 'read';
    case 'LIST':
      return 'list';
    case 'SCAN':
      return 'scan';
    case 'PUT':
    case 'POST':
      return request.serviceHeader('recover-snapshot-id') === undefined ? 'write' : 'recover';
    case 'RECOVER':
      return 'recover';
    case 'DELETE':
      return 'delete';
    case 'PATCH':
      if (contentType(request) === 'application/merge-patch+json') return 'patch';
      throw new SecretsError(415, 'PATCH requires Content-Type: application/merge-patch+json');
    default:
      throw unsupportedOperation();
  }
}

const booleanTexts: Readonly<Record<string, boolean>> = {
  '1': true,
  t: true,
  true: true,
  '0': false,
  f: false,
  false: false,
};

/** A boolean query parameter; false if missing or empty. @throws SecretsError 400: not a boolean */
export function booleanParameter(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  if (value === null || value === '') return false;
  const parsed = booleanTexts[value.toLowerCase()];
  if (parsed === undefined) throw badRequest(`query parameter "${name}" must be true or false`);
  return parsed;
}

function contentType(request: HttpRequest): string {
  return (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/**
 * The fields of the body (JSON or a form), or the query parameters of operations without one.
 * @throws SecretsError 400: not an object; HttpError as the readers of the body
 */
export async function requestData(request: HttpRequest, operation: Verb): Promise<JsonObject> {
  if (['read', 'list', 'scan', 'delete'].includes(operation)) {
    const { query } = request;
    return Object.fromEntries([...query.entries()].filter(([name]) => name !== 'list' && name !== 'scan'));
  }
  if (contentType(request) === 'application/x-www-form-urlencoded') {
    const text = await request.text();
    if (!/^\s*[{[]/.test(text.slice(0, 1000))) return Object.fromEntries(new URLSearchParams(text));
  }
  const body = (await request.json()) ?? {};
  if (!isObject(body)) throw badRequest('error parsing JSON: the body must be an object');
  return body;
}

/** The token, from the service's own header or a bearer token. */
export function requestToken(request: HttpRequest): string | undefined {
  const token = request.serviceHeader('token');
  if (token) return token;
  const { authorization } = request.headers;
  return authorization?.startsWith('Bearer ') ? authorization.slice('Bearer '.length).trim() : undefined;
}
