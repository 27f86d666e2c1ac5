import { usage } from '../errors.ts';
import { tryParseJson } from '../wire/json.ts';
import { compact } from '../wire/objects.ts';
import { isServiceWide, type ServiceName } from '../wire/services.ts';
import { anything } from './decode.ts';
import type { Operation } from './operation.ts';
import { type Hidden, textOf } from './redaction.ts';
import { services } from './services.ts';

/** A request that is not in the operation tables (`lanyard api`). */
export interface AnyCall {
  readonly method: string;
  /** Path and query as the user wrote them. */
  readonly path: string;
  readonly content: Uint8Array | undefined;
}

type AnyInput = Readonly<Record<string, string | Uint8Array | undefined>>;

const successes = [200, 201, 202, 203, 204, 205, 206];

/**
 * An operation for a call that the tables do not have. The path may leave out the service's base (`sys/health`
 * for `/v1/sys/health`); its parts are checked as for every operation.
 *
 * @throws LanyardError usage: no method, or a path with a scheme, host or fragment.
 */
export function anyCall(
  service: ServiceName,
  call: AnyCall,
): Operation<AnyInput, unknown> & { readonly input: AnyInput } {
  const method = call.method.toUpperCase();
  if (!/^[A-Z]{1,20}$/.test(method)) throw usage(`invalid HTTP method "${call.method}"`);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(call.path) || call.path.includes('#'))
    throw usage('invalid path: expected a path within the service such as /v1/sys/health', {
      hint: 'The address comes from the profile, or from --address.',
    });
  const [given = '', search] = split(call.path, '?');
  const base = services[service].base.slice(1);
  const isFullPath = given.startsWith('/') || given.startsWith(`${base}/`);
  const fullPath = isFullPath ? given.replace(/^\//, '') : `${base}/${given}`;
  const trailing = fullPath.endsWith('/');
  const path = decoded(trailing ? fullPath.slice(0, -1) : fullPath);
  const query = [...new URLSearchParams(search)];
  const reads = ['GET', 'HEAD', 'LIST', 'SCAN', 'OPTIONS'].includes(method);
  return {
    name: `${method} ${given}`,
    service,
    method,
    path: `/{+path}${trailing ? '/' : ''}`,
    fixedQuery: query,
    ...(service === 'registry' ? { query: ['dc'] } : {}),
    // Unsealing and health checks need no token.
    token: 'optional',
    ...(service === 'secrets' && isServiceWide(path.replace(/^v1\//, ''))
      ? { namespace: 'none' as const }
      : {}),
    ...(call.content === undefined ? {} : { body: 'content' as const }),
    ...hiddenOf(service, path),
    anyFields: true,
    ...(isJson(call.content) ? { contentType: jsonType(service, method) } : {}),
    accepts: successes,
    retry: reads ? 'read' : 'write',
    exact: true,
    decode: anything,
    input: compact({ path, content: call.content }),
  };
}

/** Secrets in a body that no field name shows: a value of the key-value store, an unseal share, a gossip key. */
function hiddenOf(service: ServiceName, path: string): Hidden {
  if (service === 'registry' && path.startsWith('v1/kv/')) return { secretBody: true };
  return service === 'secrets' || path.endsWith('/keyring') ? { secretKeys: true } : {};
}

const jsonType = (service: ServiceName, method: string): string =>
  (method === 'PATCH' && services[service].patch) || 'application/json';

function isJson(content: Uint8Array | undefined): boolean {
  const text = content && textOf(content);
  return text !== undefined && tryParseJson(text) !== undefined;
}

function split(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(path: string): string {
  try {
    return path.split('/').map(decodeURIComponent).join('/');
  } catch {
    throw usage(`invalid path "${path}": invalid percent-encoding`);
  }
}
