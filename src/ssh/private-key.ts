import { type PublicKey, readPublicKey } from './public-key.ts';
import { MalformedDataError, WireReader, wireString } from './wire-format.ts';

/** An unencrypted private key. */
export interface PrivateKey {
  readonly encrypted: false;
  readonly publicKey: PublicKey;
  readonly comment: string;
  /** The fields that the agent expects after a certificate of this key; `undefined` for a security key. */
  readonly certifiedFields: Buffer | undefined;
}

/** A private key behind a passphrase; its public key, if the format has it in clear. */
export interface EncryptedPrivateKey {
  readonly encrypted: true;
  readonly publicKey: PublicKey | undefined;
}

const armor = /-----BEGIN OPENSSH PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END OPENSSH PRIVATE KEY-----/;
export const openSshMagic = Buffer.from('openssh-key-v1\0');

/** Reads OpenSSH's own format (OpenSSH's PROTOCOL.key). @throws MalformedDataError */
export function readOpenSshPrivateKey(text: string): PrivateKey | EncryptedPrivateKey {
  const base64 = armor.exec(text)?.[1];
  if (base64 === undefined) throw new MalformedDataError('invalid data between its BEGIN and END lines');
  const reader = new WireReader(Buffer.from(base64, 'base64'));
  if (!reader.bytes(openSshMagic.length).equals(openSshMagic)) throw new MalformedDataError('unknown format');
  const cipher = reader.name();
  const _kdf = reader.name();
  const _kdfOptions = reader.string();
  if (reader.uint32() !== 1) throw new MalformedDataError('it contains more than one key');
  const publicKey = readPublicKey(reader.string());
  const section = reader.string();
  if (cipher !== 'none') return { encrypted: true, publicKey };
  reader.requireEnd();
  return { encrypted: false, publicKey, ...readSection(new WireReader(section), publicKey) };
}

function readSection(reader: WireReader, publicKey: PublicKey) {
  const check = reader.uint32();
  if (reader.uint32() !== check) throw new MalformedDataError('its check numbers do not match');
  if (reader.name() !== publicKey.type)
    throw new MalformedDataError('its private and public keys have different types');
  const { publicFields, certifiedFields } = readKeyPair(publicKey.type, reader);
  const publicPart = Buffer.concat([wireString(publicKey.type), ...publicFields]);
  if (!publicPart.equals(publicKey.blob))
    throw new MalformedDataError('its private and public keys do not match');
  const comment = reader.text();
  for (let pad = 1; !reader.isAtEnd; pad += 1) {
    if (reader.bytes(1)[0] !== (pad & 0xff)) throw new MalformedDataError('invalid padding');
  }
  return { comment, certifiedFields };
}

/** The fields of a private key in the order of its type, each with its length. */
function readKeyPair(type: string, reader: WireReader) {
  if (type === 'ssh-ed25519') {
    const publicFields = fields(reader, 1);
    return { publicFields, certifiedFields: Buffer.concat([...publicFields, wireString(reader.fixed(64))]) };
  }
  if (type === 'ssh-rsa') {
    const [modulusAndExponent, secrets] = [fields(reader, 2), fields(reader, 4)];
    return { publicFields: modulusAndExponent.reverse(), certifiedFields: Buffer.concat(secrets) };
  }
  if (type.startsWith('sk-')) {
    const publicFields = fields(reader, type.includes('ecdsa') ? 3 : 2);
    const _flags = reader.bytes(1);
    const _handleAndReserved = fields(reader, 2);
    return { publicFields, certifiedFields: undefined };
  }
  const publicFields = fields(reader, type === 'ssh-dss' ? 4 : 2);
  return { publicFields, certifiedFields: Buffer.concat(fields(reader, 1)) };
}

function fields(reader: WireReader, count: number): Buffer[] {
  return Array.from({ length: count }, () => wireString(reader.string()));
}
