import { hash } from 'node:crypto';
import { isPublicKeyType } from '../public-key.ts';
import { MalformedDataError, WireReader } from '../wire-format.ts';
import type { RevokedEntry } from './krl.ts';

/** An entry of a revocation list, for people and programs. */
export interface DescribedEntry {
  /** What the entry revokes by. */
  readonly by: RevokedEntry['by'];
  /** A serial or a range `N-M`, a key ID, or a fingerprint: `SHA256:` or `SHA1:` and base64. */
  readonly value: string;
  /** Of serials and key IDs: the fingerprint of the CA, or `any`. */
  readonly ca?: string;
  /** Of keys: the type, if it is known, such as `ssh-ed25519`. */
  readonly type?: string;
}

/** Bytes that are not UTF-8 in a key ID become U+FFFD. */
export function describeEntry(entry: RevokedEntry): DescribedEntry {
  switch (entry.by) {
    case 'serial': {
      const value = entry.from === entry.to ? String(entry.from) : `${entry.from}-${entry.to}`;
      return { by: entry.by, value, ca: caText(entry.ca) };
    }
    case 'key ID':
      return {
        by: entry.by,
        value: Buffer.from(entry.keyId, 'latin1').toString('utf8'),
        ca: caText(entry.ca),
      };
    case 'key': {
      const type = typeOf(Buffer.from(entry.key, 'base64'));
      return { by: entry.by, value: fingerprintOf(entry.key), ...(type === undefined ? {} : { type }) };
    }
    default:
      return { by: entry.by, value: `${entry.by}:${entry.hash.replace(/=+$/, '')}` };
  }
}

const caText = (ca: string): string => (ca === '' ? 'any' : fingerprintOf(ca));

/** `SHA256:` and base64 without padding. @param key a public key blob in base64 */
const fingerprintOf = (key: string): string =>
  `SHA256:${hash('sha256', Buffer.from(key, 'base64'), 'base64').replace(/=+$/, '')}`;

function typeOf(blob: Buffer): string | undefined {
  try {
    const type = new WireReader(blob).name();
    return isPublicKeyType(type) ? type : undefined;
  } catch (error) {
    if (error instanceof MalformedDataError) return undefined;
    throw error;
  }
}
