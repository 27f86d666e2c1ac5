import { formatJson, type Json, parseJson } from '../wire/json.ts';
import { isSecretName, normalizeName } from '../wire/received-secrets.ts';
import type { Body, Operation } from './operation.ts';

/** What replaces a secret. */
export const redacted = '<redacted>';

const keyName = /^keys?$/;

/** Which values of a body are secrets, in addition to those that are in every body. */
export type Hidden = Pick<Operation<never, unknown>, 'secretBody' | 'secretKeys'>;

// Maps of what people store: every value in them is a secret (variable items, key-value data).
const secretMaps = new Set(['Items', 'data']);

const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const startOfPrivateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const shortest = 4;
const shortestToken = 8;

/** What to hide in a text: a secret everywhere, or a pattern for the places where it is a secret. */
export type Secret = string | RegExp;

/**
 * A token as a secret. Tokens of products are long; one of fewer than eight characters was chosen by a person for a
 * development server (`root`), and is an ordinary word too. It is hidden only where a text says that it is a token:
 * behind `token`, `bearer` or `authorization`, with or without quotes, `:`, `=` and other words of a header's name.
 */
export function tokenSecret(token: string): Secret {
  if (token.length >= shortestToken) return token;
  const label = String.raw`(?:token|bearer|authorization)s?["'\`]?(?:\s*[:=]\s*|\s+)(?:bearer\s+)?["'\`]?`;
  const escaped = token.replaceAll(/[^\w]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<=${label})${escaped}(?![\w-])`, 'gi');
}

/**
 * What must not be shown of HTTP basic authentication: `user:password`, and as the header has it. A password of fewer
 * than eight characters (`admin:read`) is an ordinary word too, and is hidden only together with its user.
 *
 * @param text `user:password`.
 * @param encoded the same in base64.
 */
export function basicAuthSecrets(text: string, encoded: string): readonly string[] {
  const password = text.slice(text.indexOf(':') + 1);
  return [text, encoded, ...(password.length < shortestToken ? [] : [password])];
}

/** A text in its escaped form inside a JSON string. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

/**
 * Replaces secrets in a text, in the forms in which they are sent (plain, inside JSON, inside JSON that is quoted in JSON,
 * inside a URL), and every private key in PEM format. Secrets of fewer than four characters are kept: they are parts of
 * ordinary words.
 */
export function redact(text: string, secrets: readonly Secret[]): string {
  const isText = (secret: Secret): secret is string => typeof secret === 'string';
  const forms = secrets
    .filter(isText)
    .filter((secret) => secret.length >= shortest)
    .flatMap((secret) => {
      const inJson = escaped(secret);
      return [secret, inJson, escaped(inJson), encodeURIComponent(secret)];
    })
    .sort((a, b) => b.length - a.length);
  const places = secrets.filter((secret) => !isText(secret));
  return hidePrivateKeys(
    [...forms, ...places].reduce<string>((left, form) => left.replaceAll(form, redacted), text),
  );
}

const hidePrivateKeys = (text: string): string => text.replace(privateKey, redacted);

// A word or a few, a number, a duration: values that a service names in a message, and no password.
const plain = /^(?:[a-z]{1,12}(?:[ _./-][a-z]{1,12}){0,2}|[A-Z]{1,12}|\d{1,7}(?:ns|us|ms|s|m|h|d)?)$/;

/** A URL for messages: no user information, and no value for a parameter that carries a token. */
export function redactUrl(url: URL): string {
  if (url.username === '' && url.password === '' && url.search === '') return url.href;
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  for (const name of new Set(shown.searchParams.keys())) {
    if (isSecretName(name)) shown.searchParams.set(name, 'redacted');
  }
  return shown.href;
}

/** The body of a request with `<redacted>` instead of its secrets; text that is not a JSON structure stays text. */
export function hideSecrets(text: string, hidden: Hidden = {}): Body {
  const body = parsed(text);
  if (typeof body === 'object' && body !== null) return replaceSecrets(body, () => redacted, hidden);
  return hidden.secretBody ? redacted : hidePrivateKeys(text);
}

/**
 * The secrets in the body of a request, so that an echo of them can be redacted. Of the values that are only assumed to be
 * secrets, words and numbers are not hidden: a message without them would not describe the error.
 */
export function secretsIn(content: string | Uint8Array | undefined, hidden: Hidden = {}): readonly string[] {
  const body = content === undefined ? undefined : parsed(content);
  const found: string[] = [];
  const text = body === undefined && content !== undefined && hidden.secretBody && textOf(content);
  if (text) found.push(text);
  if (body !== undefined) {
    forEachSecret(body, hidden, (secret, assumed) => {
      const text = typeof secret === 'string' ? secret : formatJson(secret);
      if (!assumed || !plain.test(text)) found.push(text);
    });
  }
  return found;
}

/** A body as text; undefined: it is not text, or contains a zero byte, which a command line cannot have. */
export function textOf(body: string | Uint8Array): string | undefined {
  if (typeof body === 'string') return body;
  return body.includes(0) ? undefined : unlessInvalid(() => decoded(body));
}

const decoded = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);

const parsed = (body: string | Uint8Array): Json | undefined => unlessInvalid(() => parseJson(decoded(body)));

/** What a function returns, or undefined where it throws. */
function unlessInvalid<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function replaceSecrets(value: Json, replace: (secret: Json) => Json, hidden: Hidden): Json {
  if (Array.isArray(value)) return value.map((element) => replaceSecrets(element, replace, hidden));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        replaceSecrets(member, replace, hiddenIn(name, member, hidden)),
      ]),
    );
  }
  return isSecretValue(value, hidden) ? replace(value) : value;
}

/** Calls back for what `replaceSecrets` replaces: the body of every request is searched, so nothing is built. */
function forEachSecret(value: Json, hidden: Hidden, found: (secret: Json, assumed: boolean) => void): void {
  if (Array.isArray(value)) {
    for (const element of value) forEachSecret(element, hidden, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value))
      forEachSecret(member, hiddenIn(name, member, hidden), found);
  } else if (isSecretValue(value, hidden)) found(value, hidden.secretBody === 'assumed');
}

const completely: Hidden = { secretBody: true };

const hiddenIn = (name: string, member: Json, hidden: Hidden): Hidden =>
  isSecret(name, member, hidden) ? completely : hidden;

const isSecretValue = (value: Json, { secretBody }: Hidden): boolean =>
  value !== null &&
  (secretBody !== undefined || (typeof value === 'string' && startOfPrivateKey.test(value)));

const booleans: ReadonlySet<unknown> = new Set([true, false, 'true', 'false']);

/** A boolean with the name of a secret (`bind_secret_id`, `disable_local_ca_jwt=true`) is not a secret. */
function isSecret(name: string, member: Json, { secretKeys }: Hidden): boolean {
  if (secretMaps.has(name)) return true;
  return (
    !booleans.has(member) &&
    (isSecretName(name) || (secretKeys === true && keyName.test(normalizeName(name))))
  );
}
