import { parseJson } from '../../../wire/json.ts';
import { FieldError, Fields } from '../../core/http/fields.ts';
import { loopbackUrl } from './loopback.ts';

export type ProviderMetadata = Awaited<ReturnType<typeof discover>>;

const timeoutMs = 5_000;
const maxResponseBytes = 1 << 20;

/**
 * Reads the metadata of a provider on loopback (OpenID Connect Discovery 1.0). Its endpoints must be on loopback too,
 * except the authorization endpoint.
 *
 * @throws Error with the cause
 */
export async function discover(provider: URL) {
  const fields = await readMetadata(provider);
  const authorization = fields.string('authorization_endpoint');
  if (!/^https?:/.test(authorization) || !URL.canParse(authorization)) {
    throw new FieldError('authorization_endpoint must be a URL');
  }
  return {
    ...keysIn(fields),
    authorization: new URL(authorization),
    token: loopbackUrl(fields.string('token_endpoint'), 'token_endpoint'),
    /** Whether it supports PKCE (RFC 7636). */
    pkce: fields.strings('code_challenge_methods_supported').includes('S256'),
  };
}

/** Reads where an issuer has its keys. It need not have other endpoints: CI services only issue tokens. */
export const discoverKeys = async (issuer: URL) => keysIn(await readMetadata(issuer));

const keysIn = (fields: Fields) => ({
  issuer: fields.string('issuer'),
  keys: loopbackUrl(fields.string('jwks_uri'), 'jwks_uri'),
});

async function readMetadata(provider: URL): Promise<Fields> {
  const base = provider.href.replace(/\/$/, '');
  const fields = await fetchFromProvider(new URL(`${base}/.well-known/openid-configuration`));
  const issuer = fields.string('issuer');
  if (issuer.replace(/\/$/, '') !== base) {
    throw new FieldError(`the provider at ${base} calls itself "${issuer}"`);
  }
  return fields;
}

/** Sends a request to a provider on loopback, without redirects. @throws Error with the cause */
export async function fetchFromProvider(
  url: URL,
  init: Pick<RequestInit, 'method' | 'body' | 'headers'> = {},
): Promise<Fields> {
  const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  const text = await readBody(response);
  if (!response.ok) throw new Error(`${url.origin}${url.pathname} answered ${response.status}`);
  return new Fields(parseJson(text), `the answer of ${url.origin}${url.pathname}`);
}

async function readBody({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > maxResponseBytes) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
