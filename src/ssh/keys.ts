import type { PrivateKeyFormatType } from 'sshpk';
import { usage } from '../errors.ts';
import { readCertificate } from './certificate.ts';
import { isFresh } from './freshness.ts';
import {
  certifiedType,
  checkedText,
  fileName,
  keyLine,
  publicKeyLine,
  reading,
  subject,
} from './key-line.ts';
import { type EncryptedPrivateKey, type PrivateKey, readOpenSshPrivateKey } from './private-key.ts';
import { describe, readPublicKey } from './public-key.ts';
import type { Keys, PublicKeyInfo } from './ssh.ts';

const privateArmour = /-----BEGIN (?:[A-Z0-9]+ )?PRIVATE KEY-----|^PuTTY-User-Key-File-\d+:/m;
const openSshArmour = /-----BEGIN OPENSSH PRIVATE KEY-----/;
const encryptedPem = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;
const encryptedPutty = /^PuTTY-User-Key-File-\d+: .*\r?\nEncryption: (?!none\b)/m;
const puttyPublicHalf = /^Public-Lines: \d+\r?\n([A-Za-z0-9+/=\r\n]+?)^Private-Lines: /m;
const control = /\p{Cc}/u;

/**
 * SSH keys in files. Public keys, certificates and OpenSSH's private keys are read here; sshpk, which takes
 * longer to load than they take to read, comes in for new keys and for private keys in other formats.
 */
export const keys: Keys = {
  publicKey(text, name) {
    if (privateArmour.test(text)) throw privateInsteadOfPublic(name);
    const { blob, comment, line } = publicKeyLine(text, name);
    const key = reading(name, () => readPublicKey(blob));
    return { line, info: describe(key, comment) };
  },

  async inspect(text, name) {
    if (privateArmour.test(text)) {
      const key = await readPrivateKey(text, name);
      return { what: 'private key', key: publicInfo(key), encrypted: key.encrypted };
    }
    const line = keyLine(text, name);
    if (certifiedType(line.type) !== undefined) {
      return { what: 'certificate', certificate: readCertificate(line, name) };
    }
    const key = reading(name, () => readPublicKey(line.blob));
    return { what: 'public key', key: describe(key, line.comment) };
  },

  isFresh,

  lint: async (inspected, now) => (await import('./lint.ts')).lint(inspected, now),

  async generate(comment) {
    if (control.test(comment)) throw usage('a key comment must not hold control characters');
    const { default: sshpk } = await import('sshpk');
    const key = sshpk.generatePrivateKey('ed25519');
    key.comment = comment;
    return { privateKey: key.toString('openssh'), publicKey: key.toPublic().toString('ssh') };
  },

  async privateKey(text, name) {
    const key = await usablePrivateKey(text, name);
    return describe(key.publicKey, key.comment);
  },

  async publicHalf(text, name) {
    const { publicKey, comment } = await usablePrivateKey(text, name);
    const line = [publicKey.type, publicKey.blob.toString('base64'), comment].join(' ').trimEnd();
    return { line, info: describe(publicKey, comment) };
  },
};

async function usablePrivateKey(text: string, name: string): Promise<PrivateKey> {
  const key = await readPrivateKey(text, name);
  if (key.encrypted) {
    throw usage(`${subject(name)} is encrypted with a passphrase; an unencrypted private key is needed`, {
      hint: `Remove the passphrase of a copy: ssh-keygen -p -f ${fileName(name)}`,
    });
  }
  return key;
}

/**
 * Reads a private key in the formats of OpenSSH, PEM (PKCS#1, SEC1, PKCS#8) and PuTTY.
 * @throws LanyardError usage: no private key, damaged, or of a kind that SSH does not know.
 */
export async function readPrivateKey(text: string, name: string): Promise<PrivateKey | EncryptedPrivateKey> {
  const content = checkedText(text, name);
  if (!privateArmour.test(content)) throw usage(`${subject(name)} is not a private key`);
  if (encryptedPem.test(content)) return { encrypted: true, publicKey: undefined };
  if (encryptedPutty.test(content)) return reading(name, () => encryptedPuttyKey(content));
  const openSsh = openSshArmour.test(content) ? content : await convert(content, name);
  return reading(name, () => readOpenSshPrivateKey(openSsh));
}

function encryptedPuttyKey(content: string): EncryptedPrivateKey {
  const base64 = puttyPublicHalf.exec(content)?.[1] ?? '';
  return { encrypted: true, publicKey: readPublicKey(Buffer.from(base64, 'base64')) };
}

async function convert(content: string, name: string): Promise<string> {
  const { default: sshpk } = await import('sshpk');
  try {
    return sshpk.parsePrivateKey(content, privateKeyFormat(content), { filename: '' }).toString('openssh');
  } catch {
    // Not kept as the cause: the library's messages may quote what they failed to read.
    throw usage(`${subject(name)} is damaged, or a private key of a kind that SSH does not know`);
  }
}

function privateKeyFormat(content: string): PrivateKeyFormatType {
  // Its types leave out that sshpk reads PuTTY's private keys.
  return (content.includes('PuTTY-User-Key-File-') ? 'putty' : 'pem') as PrivateKeyFormatType;
}

function publicInfo(key: PrivateKey | EncryptedPrivateKey): PublicKeyInfo | undefined {
  return key.publicKey && describe(key.publicKey, key.encrypted ? '' : key.comment);
}

function privateInsteadOfPublic(name: string) {
  const half = name === '-' || name.endsWith('.pub') ? 'its public half' : `its public half, ${name}.pub`;
  return usage(`${subject(name)} is a private key; give ${half}`, {
    hint: `ssh-keygen -y -f ${fileName(name)} prints the public half.`,
  });
}
