import { type Kind, LanyardError } from '../errors.ts';
import { isObject } from '../wire/objects.ts';
import type { Endpoint, TransportOptions } from './endpoint.ts';
import { isPlainHttpRefused } from './http/connection.ts';
import { exchange } from './http/exchange.ts';
import type { RawResponse } from './http/response.ts';
import { retryAfter, retryDelayMs, retryText } from './http/retry.ts';
import { openStreams, startOfResponse } from './images/stream.ts';
import type { EnvironmentProxies } from './proxies.ts';

/** What a runner of GitHub Actions passes to a job with the permission `id-token: write`. */
export interface OidcTokenRequest {
  /** ACTIONS_ID_TOKEN_REQUEST_URL */
  readonly url: string;
  /** ACTIONS_ID_TOKEN_REQUEST_TOKEN, which is sent to that URL only. */
  readonly token: string;
  /** Empty: the default of the service. */
  readonly audience: string;
}

/** The endpoint is new for each job, and may be behind a load balancer that fails for seconds. */
const maxAttempts = 5;

const name = 'request an OIDC token';

/**
 * Requests the OIDC token of a job from GitHub Actions. Redirects are not followed.
 *
 * @returns the token, a JWT.
 * @throws LanyardError usage: an invalid URL or request token, or plain http to another host; unauthenticated, forbidden, unavailable or
 * failure: by the status; unreachable: no response after five attempts.
 */
export async function requestOidcToken(
  request: OidcTokenRequest,
  options: TransportOptions,
  proxies: EnvironmentProxies,
): Promise<string> {
  const url = URL.parse(request.url);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new LanyardError(
      'usage',
      `cannot ${name}: ACTIONS_ID_TOKEN_REQUEST_URL is not an http or https URL`,
    );
  if (request.audience !== '') url.searchParams.set('audience', request.audience);
  if (!/^[\x21-\x7e]+$/.test(request.token))
    throw new LanyardError('usage', `cannot ${name}: ACTIONS_ID_TOKEN_REQUEST_TOKEN is not a valid token`);
  // Only the connection is the same as for a service.
  const endpoint: Endpoint = {
    service: 'secrets',
    address: url.origin,
    token: async () => undefined,
    headerPrefixes: [],
    proxies,
  };
  if (isPlainHttpRefused(endpoint, url))
    throw new LanyardError('usage', `cannot ${name}: ${url.origin} is plain http to another host`, {
      hint: 'Nothing was sent: the token of the request would be readable on the way.',
    });
  const headers = { Accept: 'application/json', Authorization: `Bearer ${request.token}` };
  const open = openStreams(endpoint, options);
  const send = async (): Promise<RawResponse> => {
    options.detail(`> GET ${url.origin}${url.pathname}`);
    const { head, request, failure } = await open('GET', url, headers);
    request.end();
    try {
      const response = await startOfResponse(await head);
      options.detail(`< ${response.status}`);
      return response;
    } catch (error) {
      const { kind, message, hint, retryable } = failure(name, error);
      throw new LanyardError(kind, message, { hint, retryable });
    } finally {
      request.destroy();
    }
  };
  return exchange(
    1,
    () => send().catch((error: LanyardError) => error),
    (attempt, outcome) => {
      if (!(outcome instanceof LanyardError) && outcome.status === 200)
        return { result: tokenIn(outcome, url) };
      const afterMs = delayAfter(outcome, attempt, options);
      if (afterMs === undefined) throw outcome instanceof LanyardError ? outcome : rejection(outcome, url);
      const cause = outcome instanceof LanyardError ? outcome.message : `status ${outcome.status}`;
      options.note(`OIDC token: ${cause}; ${retryText(afterMs)} (attempt ${attempt + 1} of ${maxAttempts})`);
      return { send: attempt + 1, afterMs };
    },
    {
      signal: options.signal,
      interrupted: () => new LanyardError('interrupted', `${name}: interrupted`),
    },
  );
}

function delayAfter(
  outcome: RawResponse | LanyardError,
  attempt: number,
  { random }: Pick<TransportOptions, 'random'>,
): number | undefined {
  if (outcome instanceof LanyardError) {
    const kind = outcome.retryable ? 'network' : 'lasting';
    return retryDelayMs({ kind }, 'read', attempt, random(), maxAttempts);
  }
  const { status, headers } = outcome;
  const after = retryAfter(headers, Date.now());
  return retryDelayMs(
    { kind: 'response', service: 'secrets', status, sealed: false, after },
    'read',
    attempt,
    random(),
    maxAttempts,
  );
}

const kindOf: Readonly<Record<number, Kind>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  429: 'unavailable',
  503: 'unavailable',
};

const rejection = ({ status }: RawResponse, { origin }: URL): LanyardError =>
  new LanyardError(kindOf[status] ?? 'failure', `cannot ${name}: status ${status} from ${origin}`, {
    status,
    retryable: status === 429 || status >= 500,
    hint: status === 401 || status === 403 ? permissionHint : undefined,
  });

export const permissionHint = 'Add "permissions: id-token: write" to the job or the workflow.';

/** The field `value` of the response. No message shows any of it. */
function tokenIn({ text }: RawResponse, { origin }: URL): string {
  const body = parsed(text);
  if (isObject(body) && typeof body.value === 'string' && body.value !== '') return body.value;
  throw new LanyardError('failure', `cannot ${name}: unexpected response from ${origin}: no field "value"`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
