import type { CertificateInfo } from '../../../../ssh/types.ts';
import { tryParseJson } from '../../../../wire/json.ts';
import { compact, isObject } from '../../../../wire/objects.ts';

/**
 * A certificate that was signed, as `ssh history` shows it and as the record stores it (version 1). A field that is
 * missing is not known: an audit log has hashes of most fields.
 */
export interface SignedCertificate {
  /** RFC 3339: when it was signed, by the clock of the client (record) or of the service (audit log). */
  readonly time: string;
  /** Display name of the token that requested it, or local user and host. */
  readonly user?: string;
  /** Where `user` is from: `token`, or `local` if the token could not be looked up. */
  readonly userFrom?: 'token' | 'local';
  /** The name that the user logged in with, if the login method stores it in the token. */
  readonly username?: string;
  /** Identity entity of the token. */
  readonly entityId?: string;
  /** Local user and host of the client (record), or its address (audit log). */
  readonly client?: string;
  /** Address of the secrets service, as the client used it. */
  readonly service?: string;
  /** Namespace of the secrets service; missing: the root namespace. */
  readonly namespace?: string;
  /** Mount path of the SSH engine. */
  readonly mount: string;
  readonly role: string;
  readonly kind?: 'user' | 'host';
  /** Empty: valid for any principal. */
  readonly principals?: readonly string[];
  /** Decimal. */
  readonly serial?: string;
  readonly keyId?: string;
  /** Of the certified key: `SHA256:` and base64. */
  readonly fingerprint?: string;
  /** Of the CA key that signed it. */
  readonly caFingerprint?: string;
  /** RFC 3339; null: always. */
  readonly validAfter?: string | null;
  /** RFC 3339; null: unlimited. */
  readonly validBefore?: string | null;
  /** Fields of a later version are kept. */
  readonly [field: string]: unknown;
}

/** The last moment a Date can hold, in unix seconds. */
const maxDateSeconds = 8_640_000_000_000;

const iso = (seconds: number | undefined): string | null =>
  seconds === undefined ? null : new Date(Math.min(seconds, maxDateSeconds) * 1000).toISOString();

/** The fields of a certificate; times after the year 275760 are the last time of that year. */
export const certificateFields = (certificate: CertificateInfo) => ({
  kind: certificate.kind,
  principals: certificate.principals,
  serial: certificate.serial,
  keyId: certificate.keyId,
  fingerprint: certificate.key.fingerprint,
  caFingerprint: certificate.signingCa.fingerprint,
  validAfter: iso(certificate.validAfter),
  validBefore: iso(certificate.validBefore),
});

/** Whether a text is a time in RFC 3339. */
export const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));

const isText = (value: unknown): boolean => typeof value === 'string';
const isLimit = (value: unknown): boolean => value === null || isTime(value);
const isOneOf =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'string' && names.includes(value);

const required = { time: isTime, mount: isText, role: isText };
const optional: Readonly<Record<string, (value: unknown) => boolean>> = {
  user: isText,
  userFrom: isOneOf('token', 'local'),
  username: isText,
  entityId: isText,
  client: isText,
  service: isText,
  namespace: isText,
  kind: isOneOf('user', 'host'),
  principals: (value) => Array.isArray(value) && value.every(isText),
  serial: (value) => typeof value === 'string' && /^\d{1,20}$/.test(value),
  keyId: isText,
  fingerprint: isText,
  caFingerprint: isText,
  validAfter: isLimit,
  validBefore: isLimit,
};

/** An entry of a record, from its text. Fields that are not known are kept. @returns undefined: it is damaged, or not an entry */
export function parseEntry(text: string): SignedCertificate | undefined {
  const value = tryParseJson(text);
  if (!isObject(value)) return undefined;
  const isEntry = (entry: unknown): entry is SignedCertificate =>
    Object.entries(required).every(([name, check]) => check(value[name])) &&
    Object.entries(optional).every(([name, check]) => value[name] === undefined || check(value[name]));
  return isEntry(value) ? value : undefined;
}

/** The name of an entry below the location of the record: its day (UTC), its time and its serial number. */
export function entryName({ time, serial = '0' }: Pick<SignedCertificate, 'time' | 'serial'>): string {
  const [day = '', clock = ''] = new Date(time).toISOString().split('T');
  return `${day}/${clock.replaceAll(':', '')}-${serial}`;
}

/** The serial number in the name of an entry. @returns undefined: it is not the name of an entry */
export const serialOfName = (name: string): string | undefined =>
  /^\d{6}\.\d{3}Z-(\d{1,20})$/.exec(name)?.[1];

/** Whether a directory of the record has the entries of a day. */
export const isDay = (name: string): boolean => /^\d{4}-\d\d-\d\d$/.test(name);

/** Whether a certificate is still valid; undefined: not known. @param now unix milliseconds */
export function isValid({ validBefore }: SignedCertificate, now: number): boolean | undefined {
  if (validBefore === undefined) return undefined;
  return validBefore === null || Date.parse(validBefore) > now;
}

/** Only the fields that are known. */
export const signedCertificate = (
  fields: {
    readonly [Name in keyof SignedCertificate]: SignedCertificate[Name] | undefined;
  },
): SignedCertificate => compact(fields) as SignedCertificate;
