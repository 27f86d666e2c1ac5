import { type KeyObject, randomBytes } from 'node:crypto';
import { publicBlob } from './private-key.ts';
import { string, uint32 } from './wire.ts';

const charactersPerLine = 70;

/** The section is padded to the block size of its cipher; "none" has 8. */
const blockBytes = 8;

/** An Ed25519 private key, unencrypted and without a comment, in OpenSSH's own format (PROTOCOL.key). */
export function formatOpenssh(key: KeyObject): string {
  const { x = '', d = '' } = key.export({ format: 'jwk' });
  const [publicKey, seed] = [Buffer.from(x, 'base64url'), Buffer.from(d, 'base64url')];
  // The same number twice: after decryption it shows whether the passphrase was correct.
  const check = randomBytes(4);
  const section = Buffer.concat([
    check,
    check,
    string('ssh-ed25519'),
    string(publicKey),
    string(Buffer.concat([seed, publicKey])),
    string(''),
  ]);
  const paddingLength = (blockBytes - (section.length % blockBytes)) % blockBytes;
  const padding = Buffer.from(Array.from({ length: paddingLength }, (_, index) => index + 1));
  const file = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    string('none'),
    string('none'),
    string(''),
    uint32(1),
    string(publicBlob(key)),
    string(Buffer.concat([section, padding])),
  ]);
  const lines = file.toString('base64').match(new RegExp(`.{1,${charactersPerLine}}`, 'g')) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join(
    '\n',
  );
}
