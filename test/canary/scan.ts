/** A secret that a test can recognise wherever it appears. */
export interface Canary {
  readonly name: CanaryName;
  readonly value: string;
}

/** Every kind of secret that a command handles. */
export type CanaryName =
  | 'token' // the token of the profile
  | 'issued' // a token that a service issues
  | 'password'
  | 'new password'
  | 'one-time password'
  | 'code' // of a second factor, or of an OIDC provider
  | 'client nonce'
  | 'token ID' // that the token of a login in the browser is requested with
  | 'JWT'
  | 'secret ID'
  | 'private key'
  | 'value' // of a key-value secret
  | 'item' // of a variable
  | 'registry value'
  | 'query token'
  | 'HTTP authentication'
  | 'proxy password'
  | 'address password'
  | 'client key'
  | 'unseal key';

/** Handled by every command that calls a service, and shown by none. */
export const everywhere: readonly CanaryName[] = [
  'token',
  'HTTP authentication',
  'proxy password',
  'address password',
  'client key',
];

/** How many characters of a secret are enough to recognise it. */
const enough = 12;

/** The texts by which a secret is recognised: both ends of every part of it, in every encoding. */
function needlesOf(value: string): readonly string[] {
  return partsOf(value).flatMap((part) => {
    const ends = [part.slice(0, enough), part.slice(-enough)];
    const longer = [part.slice(0, 2 * enough), part.slice(-2 * enough)];
    return [...ends.flatMap(encodings), ...longer.flatMap(base64s)];
  });
}

/** What is secret in a value: not the ID in a token, the header of a JWT or the frame of a private key. */
function partsOf(value: string): readonly string[] {
  const [, inToken] = /^at_[^_]+_(.+)$/s.exec(value) ?? [];
  const [, signature] = /^eyJ[\w-]*\.[\w-]*\.([\w-]+)$/.exec(value) ?? [];
  const parts = inToken ?? signature ?? value;
  if (!value.includes('PRIVATE KEY')) return parts.split(/\r?\n/).filter((line) => line.length >= enough);
  const lines = value.split(/\s+/).filter((line) => /^[A-Za-z0-9+/=]{20,}$/.test(line));
  // The public half comes first, and in the form of OpenSSH at the end too.
  const [only = ''] = lines;
  if (lines.length === 1) return [only.slice(-40)];
  return lines.slice(Math.ceil(lines.length / 2), -1).map((line) => line.slice(0, 30));
}

function encodings(text: string): readonly string[] {
  const hex = Buffer.from(text).toString('hex');
  const url = encodeURIComponent(text);
  const escaped = JSON.stringify(text).slice(1, -1);
  return [text, url, url.replaceAll('%20', '+'), escaped, hex, hex.toUpperCase()];
}

/** The base64 of a text, wherever it begins in a longer one, without the characters that its neighbours share. */
function base64s(text: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64');
    const own = whole.slice(Math.ceil((before * 4) / 3));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')].filter((form) => form.length >= enough);
  });
}

export interface Scanner {
  readonly add: (canary: Canary) => void;
  /** Is this value, or a part of it, a canary? */
  readonly has: (value: string) => boolean;
  /** The canaries in a text. */
  readonly find: (text: string) => ReadonlySet<CanaryName>;
  /** The same, as values. */
  readonly findValues: (text: string) => ReadonlySet<string>;
}

/** Looks for canaries in texts of any length. */
export function scanner(): Scanner {
  const gram = 8;
  const starts = new Map<string, { readonly needle: string; readonly canary: Canary }[]>();
  const known = new Set<string>();
  const found = (text: string): ReadonlySet<Canary> => {
    const hits = new Set<Canary>();
    for (let at = 0; at + gram <= text.length; at++)
      for (const { needle, canary } of starts.get(text.slice(at, at + gram)) ?? [])
        if (!hits.has(canary) && text.startsWith(needle, at)) hits.add(canary);
    return hits;
  };
  return {
    add(canary) {
      if (known.has(canary.value)) return;
      known.add(canary.value);
      for (const needle of new Set(needlesOf(canary.value))) {
        const start = needle.slice(0, gram);
        starts.set(start, [...(starts.get(start) ?? []), { needle, canary }]);
      }
    },
    has: (value) => known.has(value),
    find: (text) => new Set([...found(text)].map(({ name }) => name)),
    findValues: (text) => new Set([...found(text)].map(({ value }) => value)),
  };
}
