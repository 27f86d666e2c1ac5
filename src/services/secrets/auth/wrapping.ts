import type { JsonObject } from '../../../wire/json.ts';
import { encodeBody, type HttpRequest, type HttpResponse } from '../../core/http/http-service.ts';
import { requestToken } from '../call.ts';
import type { Core } from '../core.ts';
import type { EngineResponse } from '../engine.ts';
import { badRequest, SecretsError, withErrorPrefix } from '../errors.ts';
import type { TokenEntry } from '../model/token-entries.ts';
import { parseLifetime } from '../model/ttl.ts';
import { isWrappingToken } from '../model/wrapped-responses.ts';
import type { Target } from '../target.ts';

/** Response wrapping (docs/protocol/secrets.md#response-wrapping). */

/** The requested lifetime in seconds; 0: the response is not wrapped. @throws SecretsError 400 */
export function readWrapTtl(request: HttpRequest): number {
  const text = request.serviceHeader('wrap-ttl') ?? '';
  if (request.serviceHeader('wrap-format')?.toLowerCase() === 'jwt')
    throw badRequest('X-Vault-Wrap-Format "jwt" is not supported');
  return withErrorPrefix('error parsing X-Vault-Wrap-TTL header', () => {
    const seconds = parseLifetime(text);
    if (seconds < 0) throw badRequest('requested wrap ttl cannot be negative');
    return seconds;
  });
}

/** The paths that take a wrapping token, in the body or as the caller's. */
const wrappingTokenPaths = ['sys/wrapping/lookup', 'sys/wrapping/rewrap', 'sys/wrapping/unwrap'];

/** Whether a wrapping token is used in the namespace of the request, whatever its own is. */
export function isUsedAnywhere(token: TokenEntry, { namespacePath }: Pick<Target, 'namespacePath'>): boolean {
  return isWrappingToken(token) && wrappingTokenPaths.includes(namespacePath);
}

/** The wrapping token of a request, of any namespace; undefined: the path takes none. @throws SecretsError 400, 403 */
export function findWrappingToken(
  { tokens }: Core,
  request: HttpRequest,
  target: Target,
  data: JsonObject,
): TokenEntry | undefined {
  if (!wrappingTokenPaths.includes(target.namespacePath)) return undefined;
  const inBody = data.token ?? undefined;
  const invalid = (cause: string) => new SecretsError(403, `error validating wrapping token: ${cause}`);
  if (inBody !== undefined && typeof inBody !== 'string')
    throw invalid('could not decode token in request body');
  if (inBody === '') throw invalid('empty token in request body');
  const text = inBody ?? requestToken(request) ?? '';
  if (text === '') throw invalid('token is empty');
  const token = tokens.find(text);
  if (!token || !isWrappingToken(token)) throw invalidWrappingToken();
  return token;
}

export const invalidWrappingToken = (): SecretsError =>
  badRequest('wrapping token is not valid or does not exist');

/**
 * Stores the response to a request under a new wrapping token, if it has content and is not wrapped yet.
 * @param ttl seconds; 0: the response is not to be wrapped
 * @returns `wrap_info`
 */
export async function wrapResponse(
  { wrapping }: Core,
  { namespace, namespacePath, mount }: Target,
  ttl: number,
  { response, http }: { readonly response: EngineResponse | undefined; readonly http: HttpResponse },
): Promise<JsonObject | undefined> {
  if (response?.wrapInfo || ttl === 0 || http.body === undefined) return undefined;
  const { body } = await encodeBody(http);
  const isList = Array.isArray(response?.data?.keys);
  return wrapping.wrap(
    {
      status: http.status,
      contentType: http.headers?.['Content-Type'] ?? '',
      body: String(body),
      creationPath: isList ? `${namespacePath}/` : namespacePath,
    },
    { ttl, namespace, wrappedAccessor: wrappedAccessor(mount?.entry.type, response) },
  );
}

/** The accessor of a token, or of a secret ID of `approle`. */
function wrappedAccessor(mountType: string | undefined, response: EngineResponse | undefined) {
  const auth = response?.auth;
  const accessor = auth ? auth.accessor : mountType === 'approle' && response?.data?.secret_id_accessor;
  return typeof accessor === 'string' && accessor !== '' ? accessor : undefined;
}
