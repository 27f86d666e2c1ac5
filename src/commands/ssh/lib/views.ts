import {
  bad,
  type Document,
  dim,
  fields,
  good,
  type StyledText,
  strong,
  warn,
} from '../../../output/document.ts';
import { formatTimestamp, relativeTime } from '../../../output/humanize.ts';
import type { CertificateInfo, PublicKeyInfo } from '../../../ssh/types.ts';

const names = (list: readonly string[], none: StyledText): StyledText =>
  list.length === 0 ? none : list.join(', ');

const option = ([name, value]: readonly [string, string]): string =>
  value === '' ? name : `${name}=${value}`;

/** The last moment a Date can hold, in unix seconds. */
const maxDateSeconds = 8_640_000_000_000;

const time = (seconds: number): string =>
  seconds > maxDateSeconds ? `unix second ${seconds}` : formatTimestamp(new Date(seconds * 1000));

function validUntilText(certificate: CertificateInfo, now: Date): StyledText {
  const { validBefore } = certificate;
  if (validBefore === undefined) return [warn('forever')];
  const left = validBefore - now.getTime() / 1000;
  const words = relativeTime(left);
  return [time(validBefore), ' ', left > 0 ? good(`(${words})`) : bad(`(expired ${words})`)];
}

function validFromText(certificate: CertificateInfo, now: Date): StyledText {
  const { validAfter } = certificate;
  if (validAfter === undefined) return 'always';
  const ahead = validAfter - now.getTime() / 1000;
  return ahead > 0
    ? [time(validAfter), ' ', warn(`(not valid yet: ${relativeTime(ahead)})`)]
    : time(validAfter);
}

const keyText = ({ type, bits, fingerprint }: PublicKeyInfo): StyledText => [
  `${type}, ${bits} bits, `,
  strong(fingerprint),
];

/** @param revoked whether it is revoked; undefined: unknown */
export function certificateView(certificate: CertificateInfo, now: Date, revoked?: StyledText): Document {
  return [
    fields([
      ['certificate', `${certificate.kind}, ${certificate.type}`],
      ['principals', names(certificate.principals, [warn(`any ${certificate.kind}`)])],
      ['valid from', validFromText(certificate, now)],
      ['valid until', validUntilText(certificate, now)],
      ['extensions', names(certificate.extensions.map(option), [dim('none')])],
      ['critical options', names(certificate.criticalOptions.map(option), [dim('none')])],
      ['key ID', certificate.keyId],
      ['serial', certificate.serial],
      ['public key', keyText(certificate.key)],
      ['signed by', keyText(certificate.signingCa)],
      [
        'signature',
        certificate.signatureValid
          ? certificate.signatureAlgorithm
          : [certificate.signatureAlgorithm, ' ', bad('invalid')],
      ],
      ['revoked', revoked],
    ]),
  ];
}

/** A certificate as data: times in ISO 8601 (null: unlimited), and the remaining seconds. */
export function certificateData(certificate: CertificateInfo, now: Date) {
  const iso = (seconds: number | undefined): string | number | null =>
    seconds === undefined
      ? null
      : seconds > maxDateSeconds
        ? seconds
        : new Date(seconds * 1000).toISOString();
  return {
    what: 'certificate',
    ...certificate,
    criticalOptions: Object.fromEntries(certificate.criticalOptions),
    extensions: Object.fromEntries(certificate.extensions),
    /** RFC 3339; a number of seconds since 1970 after the year 275760; null: always. */
    validAfter: iso(certificate.validAfter),
    /** As validAfter; null: unlimited. */
    validBefore: iso(certificate.validBefore),
    /** Negative: the certificate has expired; null: unlimited. */
    secondsLeft:
      certificate.validBefore === undefined
        ? null
        : Math.floor(certificate.validBefore - now.getTime() / 1000),
  };
}

/** @param revoked whether it is revoked; undefined: unknown */
export const keyView = (what: string, key: PublicKeyInfo | undefined, revoked?: StyledText): Document => [
  fields([
    ['file', what],
    ['type', key && `${key.type}, ${key.bits} bits`],
    ['fingerprint', key && strong(key.fingerprint)],
    ['comment', key?.comment || undefined],
    ['revoked', revoked],
  ]),
];
