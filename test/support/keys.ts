import { generateKeyPairSync, type KeyObject } from 'node:crypto';

/** A key pair that needs no `ssh-keygen`: the public half as OpenSSH writes it, the private half as PKCS#8. */
export interface KeyPair {
  /** `type base64 comment`, one line. */
  readonly publicLine: string;
  readonly privatePem: string;
}

export type KeyType = 'ed25519' | 'rsa2048' | 'rsa3072' | 'ecdsa256' | 'ecdsa384' | 'ecdsa521';

/** A key pair of a type, fresh from the system's generator. */
export function keyPair(type: KeyType, comment = 'test@example'): KeyPair {
  const { publicKey, privateKey } = generate(type);
  const [name, ...parts] = blobParts(type, { ...publicKey.export({ format: 'jwk' }) });
  const blob = Buffer.concat([name, ...parts].map(string)).toString('base64');
  return {
    publicLine: `${name} ${blob} ${comment}\n`,
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function generate(type: KeyType): { publicKey: KeyObject; privateKey: KeyObject } {
  if (type === 'ed25519') return generateKeyPairSync('ed25519');
  if (type.startsWith('rsa')) return generateKeyPairSync('rsa', { modulusLength: Number(type.slice(3)) });
  return generateKeyPairSync('ec', { namedCurve: `P-${type.slice(5)}` });
}

let rsa: { readonly publicKey: KeyObject; readonly privateKey: KeyObject } | undefined;

/** An RSA key pair of 2048 bits, made once for all tests of the process: each takes long to find. */
export function rsaPair() {
  rsa ??= generateKeyPairSync('rsa', { modulusLength: 2048 });
  return rsa;
}

type Jwk = Readonly<Record<string, unknown>>;

function blobParts(type: KeyType, jwk: Jwk): [string, ...(string | Buffer)[]] {
  const bytes = (member: string): Buffer => Buffer.from(String(jwk[member]), 'base64url');
  if (type === 'ed25519') return ['ssh-ed25519', bytes('x')];
  if (type.startsWith('rsa')) return ['ssh-rsa', positive(bytes('e')), positive(bytes('n'))];
  const curve = `nistp${type.slice(5)}`;
  return [`ecdsa-sha2-${curve}`, curve, Buffer.concat([Buffer.of(4), bytes('x'), bytes('y')])];
}

/** A number of the SSH wire format is signed: a leading bit would make it negative. */
const positive = (number: Buffer): Buffer =>
  (number[0] ?? 0) < 0x80 ? number : Buffer.concat([Buffer.of(0), number]);

function string(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
