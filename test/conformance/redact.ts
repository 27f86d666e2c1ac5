import { hostname } from 'node:os';
import { formatJson, type Json, parseJson } from '../../src/wire/json.ts';
import type { RawExchange } from './recorder.ts';
import type { Exchange } from './recording.ts';
import { recordedRun } from './run.ts';
import { shapeOf } from './shape.ts';

/** What is known of a run whose exchanges are made fit to be kept. */
export interface RunFacts {
  /** The prefix of the run's names. */
  readonly run: string;
  /** Secrets that the run was given or made. */
  readonly secrets: readonly string[];
  /** When the run began. */
  readonly start: Date;
  /** Addresses of the service and of the proxy before it. */
  readonly addresses: readonly string[];
}

// Members whose values are secrets, or random and of no use: without case, `_` and `-`.
const secretMember =
  /^(?:clienttoken|clienttokenaccessor|accessor|token|secretid|secretidaccessor|privatekey|otp|password|jwt|listtoken|wrappingtoken|bearertoken|nonce|roottoken|clientsecrethmac|tokenid)$/i;
// Only in responses to these paths is a member called `key` or `id` a secret.
const secretPaths: readonly [RegExp, string][] = [
  [/\/creds\//, 'key'],
  [/\/auth\/token\/(lookup|create)/, 'id'],
];

// Shorter ones may be words (`root`): they are taken out where they are the value of a secret member.
const shortestSecret = 12;

/** Which headers of a response are kept; the values of those that count something are always 1. */
const keptHeader = /^(?:x-|location$|retry-after$|www-authenticate$|allow$)/;
const counting = /-(?:index|lastcontact)$|ratelimit/;

/** What is kept of responses that describe a machine: everything else in them is left out. */
const kept: readonly [RegExp, readonly (readonly string[])[]][] = [
  [
    /^\/v1\/agent\/self/,
    [
      ...['Datacenter', 'PrimaryDatacenter', 'Version', 'Server'].map((name) => ['Config', name]),
      ['config', 'Version', 'Version'],
      ['config', 'ACL', 'Enabled'],
      ['config', 'Region'],
      ['config', 'Datacenter'],
    ],
  ],
];

/** Is the member of a response to this path a secret, whatever its value? */
const isSecret = (path: string, name: string): boolean =>
  secretMember.test(name.replace(/[-_]/g, '')) ||
  secretPaths.some(([pattern, member]) => member === name && pattern.test(path));

/** Every secret in the responses, and those that the run knows of; longest first. */
function secretsOf(exchanges: readonly RawExchange[], known: readonly string[]): string[] {
  const found = new Set(known);
  for (const { path, body } of exchanges)
    visit(parsed(body), (name, value) => {
      if (typeof value === 'string' && isSecret(path, name)) found.add(value);
    });
  return [...found]
    .filter((secret) => secret.length >= shortestSecret)
    .sort((one, other) => other.length - one.length);
}

/** A JSON text without short secrets, which are words elsewhere and so cannot be searched for. */
function withoutShortSecrets(path: string, body: string): string {
  const value = parsed(body);
  let isChanged = false;
  visit(value, (name, member, holder) => {
    if (typeof member !== 'string' || member === '' || member.length >= shortestSecret) return;
    if (member === 'anonymous' || !isSecret(path, name)) return;
    isChanged = true;
    Object.assign(holder, { [name]: 'redacted' });
  });
  return isChanged ? formatJson(value) : body;
}

function visit(value: unknown, look: (name: string, value: unknown, holder: object) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    look(name, member, value);
    visit(member, look);
  }
}

// Of the policy global-management and the anonymous token, and those that steps name.
const fixedId = /^00000000-0000-[04]000-[08]000-/;
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const isUuid = (text: string): boolean => new RegExp(`^${uuid.source}$`).test(text);
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----(?:\\n|\n)?/g;
const time = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
// Of accounts and the like; those of zeros and of 1234567890 are the same everywhere.
const shortId =
  /(?:\b|(?<=%22))(acctpw|acctoidc|acctldap|ampw|amoidc|amldap|at|r|u|o|p)_(?!0{10}|1234567890)([0-9A-Za-z]{10})(?![0-9A-Za-z])/g;
const seconds = /(?<=[:,[ ])1[789]\d{8}(?=[,}\]\s])/g;
// In the key of a recorded certificate: the time of its signature, before its serial number.
const timeOfKey = /\b\d{6}\.\d{3}Z(?=-\d{6,20}\b)/g;
const nanoseconds = /\b1[789]\d{17}\b/g;
/** The page of a login at a provider, whose address and parameters are random. */
const authUrl = /(?<="auth_url": ?")[^"]+(?=")/g;
const leaseTail = /(?<="lease_id": ?"[^"]*\/)[A-Za-z0-9.]{20,}(?=")/g;

/** Stands for a private key; a replay puts a real one in its place. */
export const privateKeyMark = 'PRIVATE KEY';

/**
 * Makes the exchanges of a run fit for a recording: no secret is left, names have the prefix of recordings, IDs are
 * numbered in the order in which they appear, times are relative to the run's start, to the minute;
 * that in the key of a recorded certificate is the start, the time at which a replay signs.
 */
export function normalised(exchanges: readonly RawExchange[], clean: Cleaner): Exchange[] {
  return exchanges.map((raw): Exchange => {
    const path = clean(raw.path);
    const headers = Object.entries(raw.headers)
      .filter(([name]) => keptHeader.test(name))
      .map(([name, value]): [string, string] => [name, counting.test(name) ? '1' : clean(String(value))]);
    const request = parsed(raw.requestBody);
    return {
      method: raw.method,
      path,
      ...(raw.requestBody === ''
        ? {}
        : {
            request: {
              type: mediaType(raw.requestType),
              shape: request === undefined ? 'text' : shapeOf(request),
            },
          }),
      status: raw.status,
      type: mediaType(raw.headers['content-type']),
      headers: Object.fromEntries(headers.sort()),
      ...bodyOf(withoutShortSecrets(raw.path, reduced(path, raw.body)), clean),
    };
  });
}

const mediaType = (text = ''): string => text.replace(/;.*/s, '').trim();

/** What is kept of a body. */
function reduced(path: string, body: string): string {
  const members = kept.find(([pattern]) => pattern.test(path))?.[1];
  const value = parsed(body);
  if (members === undefined || typeof value !== 'object' || value === null) return body;
  const result: Record<string, unknown> = {};
  for (const names of members) copy(value, result, names);
  return formatJson(result);
}

function copy(from: object, to: Record<string, unknown>, [name, ...rest]: readonly string[]): void {
  if (name === undefined || !Object.hasOwn(from, name)) return;
  const value = (from as Record<string, unknown>)[name];
  if (rest.length === 0) to[name] = value;
  else if (typeof value === 'object' && value !== null) {
    to[name] ??= {};
    copy(value, to[name] as Record<string, unknown>, rest);
  }
}

function bodyOf(body: string, clean: Cleaner): Pick<Exchange, 'json' | 'text'> {
  if (body === '') return {};
  const value = parsed(body);
  if (value === undefined) return { text: clean(body) };
  // Parsed after the cleaning, which knows the forms of the wire.
  return { json: parsed(clean(body)) as Json };
}

const minute = 60_000;
const day = 24 * 60 * minute;

/** Takes secrets out of a text, and makes its names, IDs and times those of recordings. */
export type Cleaner = (text: string) => string;

/** The cleaner for the exchanges of one run: the same secret or ID is replaced by the same text everywhere. */
export function cleanerOf(
  exchanges: readonly RawExchange[],
  { run, start, addresses, secrets: known }: RunFacts,
): Cleaner {
  const secrets = secretsOf(exchanges, known);
  const ids = new Map<string, string>();
  const numbered = (id: string): string => {
    if (fixedId.test(id)) return id;
    const known = ids.get(id) ?? `00000000-0000-4000-9000-${String(ids.size + 1).padStart(12, '0')}`;
    ids.set(id, known);
    return known;
  };
  const marks = new Map<string, string>();
  const markOf = (secret: string): string => {
    const mark = marks.get(secret) ?? (isUuid(secret) ? numbered(secret) : redacted(secret, marks.size));
    marks.set(secret, mark);
    return mark;
  };
  const forms = secrets.map((secret) => ({
    secret,
    forms: new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]),
  }));
  const short = new Map<string, string>();
  const shortened = (type: string, id: string): string => {
    const known = short.get(id) ?? String(short.size + 1).padStart(10, '0');
    short.set(id, known);
    return `${type}_${known}`;
  };
  const base = Math.floor(start.getTime() / minute) * minute;
  const relative = (milliseconds: number): number =>
    base + Math.round((milliseconds - start.getTime()) / minute) * minute;
  const host = hostname();
  return (text) => {
    let clean = text.replace(privateKey, privateKeyMark);
    for (const { secret, forms: each } of forms)
      for (const form of each) if (clean.includes(form)) clean = clean.replaceAll(form, markOf(secret));
    for (const address of addresses) clean = clean.replaceAll(new URL(address).host, 'service.invalid');
    return (
      clean
        .replaceAll(run, recordedRun)
        .replace(uuid, numbered)
        .replace(leaseTail, 'lease')
        .replace(authUrl, 'https://provider.invalid/authorize?state=redacted')
        .replace(time, (found) => new Date(relative(Date.parse(found))).toISOString())
        .replace(timeOfKey, start.toISOString().slice(11, 16).replace(':', '').concat('00.000Z'))
        .replace(shortId, (_all, type: string, id: string) => shortened(type, id))
        .replace(seconds, (found) =>
          Math.abs(Number(found) * 1000 - start.getTime()) < day
            ? String(relative(Number(found) * 1000) / 1000)
            : found,
        )
        // A serial number of a certificate can have as many digits.
        .replace(nanoseconds, (found) =>
          Math.abs(Number(found) / 1e6 - start.getTime()) < day
            ? String(BigInt(relative(Number(found) / 1e6)) * 1_000_000n)
            : found,
        )
        .replaceAll(`"${host}"`, '"host"')
    );
  };
}

/** What stands for a secret. The ID within an accounts token is no secret, and calls name it. */
function redacted(secret: string, index: number): string {
  const id = /^at_[0-9A-Za-z]{10}_/.exec(secret)?.[0];
  return id === undefined ? `redacted-${index + 1}` : `${id}redacted`;
}

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
