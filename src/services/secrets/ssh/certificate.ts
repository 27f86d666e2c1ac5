import type { PublicKey } from './public-key.ts';
import { string, uint32, uint64 } from './wire.ts';

export interface CertificateContent {
  readonly subject: PublicKey;
  /** The public key of the CA in wire format. */
  readonly ca: Buffer;
  readonly nonce: Uint8Array;
  readonly serial: bigint;
  readonly kind: CertificateKind;
  readonly keyId: string;
  readonly principals: readonly string[];
  /** Unix seconds. */
  readonly validAfter: number;
  readonly validBefore: number;
  readonly criticalOptions: Readonly<Record<string, string>>;
  readonly extensions: Readonly<Record<string, string>>;
}

export type CertificateKind = 'user' | 'host';

const kindNumbers = { user: 1, host: 2 } as const;

/** Builds a line for a `-cert.pub` file, with a trailing newline. `sign` returns a signature blob. */
export async function issueCertificate(content: CertificateContent, sign: (data: Buffer) => Promise<Buffer>) {
  const type = certificateType(content.subject.type);
  const body = encodeBody(type, content);
  const certificate = Buffer.concat([body, string(await sign(body))]);
  return `${type} ${certificate.toString('base64')}\n`;
}

function certificateType(keyType: string): string {
  return `${keyType.replace(/@openssh\.com$/, '')}-cert-v01@openssh.com`;
}

// The order of the fields, and sorting options by name, follow OpenSSH's PROTOCOL.certkeys.
function encodeBody(type: string, content: CertificateContent): Buffer {
  return Buffer.concat([
    string(type),
    string(content.nonce),
    content.subject.fields,
    uint64(content.serial),
    uint32(kindNumbers[content.kind]),
    string(content.keyId),
    string(Buffer.concat(content.principals.map((principal) => string(principal)))),
    uint64(BigInt(content.validAfter)),
    uint64(BigInt(content.validBefore)),
    string(encodeOptions(content.criticalOptions)),
    string(encodeOptions(content.extensions)),
    string(''),
    string(content.ca),
  ]);
}

/** An option without a value has empty data; a value is a string within the data. */
function encodeOptions(options: Readonly<Record<string, string>>): Buffer {
  const sorted = Object.entries(options)
    .map(([name, value]) => [Buffer.from(name), value] as const)
    .sort(([a], [b]) => Buffer.compare(a, b));
  return Buffer.concat(
    sorted.flatMap(([name, value]) => [string(name), string(value === '' ? '' : string(value))]),
  );
}
