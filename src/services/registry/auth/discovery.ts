import { type Json, parseJson } from '../../../wire/json.ts';
import { FieldError } from '../../core/http/decode-body.ts';
import { goRulesFor } from '../../core/schema/go-rules.ts';
import { read } from '../../core/schema/read.ts';
import * as s from '../../core/schema/types.ts';
import { loopbackUrl } from './loopback.ts';

export type ProviderMetadata = Awaited<ReturnType<typeof discover>>;

const timeoutMs = 5_000;
const maxResponseBytes = 1 << 20;

const providerMetadata = s.object({
  ...s.each(['issuer', 'jwks_uri', 'authorization_endpoint', 'token_endpoint'], s.string()),
  code_challenge_methods_supported: s.list(s.string()),
});
type Metadata = s.Input<typeof providerMetadata>;

/**
 * Reads the metadata of a provider on loopback (OpenID Connect Discovery 1.0). Its endpoints must be on loopback too,
 * except the authorization endpoint.
 *
 * @throws Error with the cause
 */
export async function discover(provider: URL) {
  const metadata = await readMetadata(provider);
  const authorization = metadata.authorization_endpoint;
  if (!/^https?:/.test(authorization) || !URL.canParse(authorization)) {
    throw new FieldError('authorization_endpoint must be a URL');
  }
  return {
    ...keysIn(metadata),
    authorization: new URL(authorization),
    token: loopbackUrl(metadata.token_endpoint, 'token_endpoint'),
    /** Whether it supports PKCE (RFC 7636). */
    pkce: metadata.code_challenge_methods_supported.includes('S256'),
  };
}

/** Reads where an issuer has its keys. It need not have other endpoints: CI services only issue tokens. */
export const discoverKeys = async (issuer: URL) => keysIn(await readMetadata(issuer));

const keysIn = ({ issuer, jwks_uri }: Metadata) => ({
  issuer,
  keys: loopbackUrl(jwks_uri, 'jwks_uri'),
});

async function readMetadata(provider: URL): Promise<Metadata> {
  const base = provider.href.replace(/\/$/, '');
  const url = new URL(`${base}/.well-known/openid-configuration`);
  const metadata = await fetchFromProvider(providerMetadata, url);
  const { issuer } = metadata;
  if (issuer.replace(/\/$/, '') !== base) {
    throw new FieldError(`the provider at ${base} calls itself "${issuer}"`);
  }
  return metadata;
}

/** Sends a request to a provider on loopback, without redirects. @throws Error with the cause */
export async function fetchFromProvider<T extends s.ObjectType>(
  type: T,
  url: URL,
  init: Pick<RequestInit, 'method' | 'body' | 'headers'> = {},
): Promise<s.Input<T>> {
  const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  const text = await readBody(response);
  if (!response.ok) throw new Error(`${url.origin}${url.pathname} answered ${response.status}`);
  return read(type, parseJson(text) as Json, goRulesFor(`the answer of ${url.origin}${url.pathname}`));
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
