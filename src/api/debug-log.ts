import { isUtf8 } from 'node:buffer';
import { type Json, tryParseJson } from '../wire/json.ts';
import { isObject } from '../wire/objects.ts';
import { receivedSecrets } from '../wire/received-secrets.ts';
import type { Trace } from './endpoint.ts';
import type { RawResponse } from './http/response.ts';
import type { Operation } from './operation.ts';
import { hideSecrets, redact, redacted, redactUrl, type Secret, secretsIn } from './redaction.ts';

/** Headers that are credentials, under any prefix. */
const secretHeader = /authorization|cookie|token|api-?key|nonce|secret-?id/i;
/** A token of a secrets service, a JWT. */
const secretText = /^(?:hv[sbr]|[sbr])\.[\w-]{20,}$|^eyJ[\w-]+\.[\w-]+\./;
/** Received texts of fewer characters are also ordinary words. */
const minSecretLength = 8;
/** Instead of a text of a successful response. */
const unshown = '…';
const maxTextLength = 500;
const maxBodyBytes = 64 * 1024;

/** What determines the secrets in a body. */
type Traced = Pick<Operation<never, unknown>, 'secretBody' | 'secretKeys' | 'anyFields'>;

/** Writes the requests of one call and their responses to a trace, without secrets. */
export class CallTrace {
  readonly #trace: Trace;
  readonly #operation: Traced;
  readonly #secrets: readonly Secret[];
  #id = 0;
  #startedAt = process.hrtime.bigint();

  /** @param secrets in the requests of this call. */
  constructor(trace: Trace, operation: Traced, secrets: readonly Secret[]) {
    this.#trace = trace;
    this.#operation = operation;
    this.#secrets = secrets;
  }

  request(
    method: string,
    url: URL,
    headers: Readonly<Record<string, unknown>>,
    body?: string | Uint8Array,
  ): void {
    this.#id = this.#trace.nextId();
    this.#startedAt = process.hrtime.bigint();
    this.#trace.write({
      event: 'request',
      id: this.#id,
      method,
      url: redact(redactUrl(url), this.#secrets),
      headers: this.#headersOf(headers),
      ...this.#bodyOf(body, 'request'),
    });
  }

  /** A request to a URL that is a credential: only its origin is written. */
  requestAt(method: string, { origin }: URL, headers: Readonly<Record<string, unknown>>): void {
    this.request(method, new URL(`${origin}/…`), headers);
  }

  /** @param response without bytes: the body is not written. */
  response({ status, headers, bytes }: Omit<RawResponse, 'text'>): void {
    this.#trace.write({
      event: 'response',
      id: this.#id,
      status,
      ms: this.#elapsedMs(),
      headers: this.#headersOf(headers),
      ...(bytes === undefined ? {} : { bytes: bytes.length }),
      ...this.#bodyOf(bytes, status >= 400 ? 'error' : 'response'),
    });
  }

  /** The request ended without a response. */
  networkError(code: string): void {
    this.#trace.write({ event: 'network-error', id: this.#id, code, ms: this.#elapsedMs() });
  }

  #elapsedMs(): number {
    return Number((process.hrtime.bigint() - this.#startedAt) / 1_000_000n);
  }

  #headersOf(headers: Readonly<Record<string, unknown>>): Json {
    return Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => {
        if (value === undefined) return [];
        if (secretHeader.test(name)) return [[name, redacted]];
        // A relative address too may have a credential in its query.
        const text =
          name.toLowerCase() === 'location' ? String(value).replace(/\?.*$/s, '?…') : String(value);
        return [[name, this.#shown(text)]];
      }),
    );
  }

  /**
   * The fields of a JSON body without secrets, and the text of an error. Any text of a successful response may be a
   * secret, also under another name than expected, and other formats too: they are not written.
   */
  #bodyOf(
    body: string | Uint8Array | undefined,
    kind: 'request' | 'response' | 'error',
  ): { readonly body?: Json } {
    if (body === undefined || body.length === 0 || body.length > maxBodyBytes) return {};
    const text = typeof body === 'string' ? body : isUtf8(body) ? Buffer.from(body).toString() : '';
    const parsed = tryParseJson(text);
    if (typeof parsed !== 'object' || parsed === null)
      return kind === 'error' ? { body: this.#shown(text) } : {};
    this.#receive(receivedSecrets(parsed));
    const isHidden = kind === 'request' && this.#operation.anyFields === true;
    if (isHidden) this.#receive(secretsIn(text, { secretBody: 'assumed' }));
    const hidden = isHidden ? ({ secretBody: true } as const) : this.#operation;
    const fields = hideSecrets(text, { ...hidden, secretKeys: true }) as Json;
    return { body: mapTexts(fields, (value) => (kind === 'response' ? unshown : this.#shown(value))) };
  }

  #receive(secrets: readonly string[]): void {
    this.#trace.received(secrets.filter((secret) => secret.length >= minSecretLength));
  }

  /** A text without secrets; it is redacted before it is shortened: half a secret would not be found. */
  #shown(text: string): string {
    if (secretText.test(text)) return redacted;
    const shown = withoutUrl(redact(text, this.#secrets));
    return shown.length > maxTextLength ? `${shown.slice(0, maxTextLength)}…` : shown;
  }
}

/** A JSON value with every text replaced; names are kept. */
function mapTexts(value: Json, replace: (text: string) => string): Json {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((element) => mapTexts(element, replace));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, replace)]));
}

/** The path and query of a URL may be a credential: an address for an upload, a login. */
function withoutUrl(text: string): string {
  if (!/^[a-z][a-z+.-]*:\/\//i.test(text)) return text;
  const url = URL.parse(text);
  return url === null ? redacted : `${url.origin === 'null' ? `${url.protocol}//` : url.origin}/…`;
}
