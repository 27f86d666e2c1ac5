import { formatJson, type Json, parseJson } from '../wire/json.ts';
import type { Body } from './operation.ts';

/** What stands in the place of a secret. */
export const redacted = '<redacted>';

// Without case, `_` and `-`: the services spell the same member in three ways.
const secretMembers = new Set([
  'accesstoken',
  'bearertoken',
  'bootstrapsecret',
  'clientnonce',
  'clientsecret',
  'clienttoken',
  'code',
  'currentpassword',
  'jwt',
  'newpassword',
  'otp',
  'passphrase',
  'password',
  'privatekey',
  'secret',
  'secretid',
  'token',
  // Of a key-value entry of the registry: what people store there.
  'value',
]);

// Maps of what people store: every value in them is a secret (variable items, key-value data).
const secretMaps = new Set(['Items', 'data']);

const secretParameters = ['token', 'access_token'];
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const shortest = 4;

/**
 * Takes secrets out of a text, in the forms in which they travel (as they are, inside JSON, inside a URL), and
 * every private key in PEM form. Secrets of fewer than four characters are left: taking them out would tear
 * ordinary words.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const forms = secrets
    .filter((secret) => secret.length >= shortest)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
    .sort((a, b) => b.length - a.length);
  return forms.reduce((left, form) => left.replaceAll(form, redacted), text).replace(privateKey, redacted);
}

/** A URL for messages: no user information, and no value for a parameter that carries a token. */
export function redactUrl(url: URL): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  for (const name of secretParameters) {
    if (shown.searchParams.has(name)) shown.searchParams.set(name, 'redacted');
  }
  return shown.href;
}

/**
 * The body of a request with `<redacted>` in the place of its secrets; text that is not a JSON structure stays text.
 *
 * @param all every value is a secret, whatever its name.
 */
export function hideSecrets(text: string, all = false): Body {
  const body = parsed(text);
  if (typeof body === 'object' && body !== null) return replaceSecrets(body, () => redacted, all);
  return all ? redacted : redact(text, []);
}

/** The secrets in the body of a request (with `all` every value), so that an echo of them can be redacted. */
export function secretsIn(content: string | Uint8Array | undefined, all = false): readonly string[] {
  const text = content === undefined ? undefined : textOf(content);
  const body = text === undefined ? undefined : parsed(text);
  const found: string[] = [];
  if (body !== undefined) {
    replaceSecrets(
      body,
      (secret) => {
        found.push(typeof secret === 'string' ? secret : formatJson(secret));
        return secret;
      },
      all,
    );
  }
  return found;
}

/** A body as text; undefined: it is none, or holds a byte that is 0, which no command line can carry. */
export function textOf(body: string | Uint8Array): string | undefined {
  if (typeof body === 'string') return body;
  if (body.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function replaceSecrets(value: Json, replace: (secret: Json) => Json, secret = false): Json {
  if (Array.isArray(value)) return value.map((element) => replaceSecrets(element, replace, secret));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        replaceSecrets(member, replace, secret || secretMaps.has(name) || isSecretName(name)),
      ]),
    );
  }
  return secret && value !== null ? replace(value) : value;
}

function isSecretName(name: string): boolean {
  return secretMembers.has(name.replaceAll(/[_-]/g, '').toLowerCase());
}
