import { Damaged, WireReader } from './wire-format.ts';

const forever = 2n ** 64n - 1n;

/** What is asked of a certificate beyond being fresh; what is not named does not matter. */
export interface Wanted {
  /** These, and no others. */
  readonly principals?: readonly string[] | undefined;
  readonly kind?: 'user' | 'host' | undefined;
}

/**
 * Is a certificate for this key, as wanted, and has it more than a third of its life left? It is asked before
 * every login, so nothing is loaded for it; signatures are for those who check them, the hosts.
 *
 * @param certificate the line of its file; `publicKey` is that of the key's. What is neither is not fresh.
 * @param now unix seconds.
 */
export function isFresh(certificate: string, publicKey: string, now: number, wanted: Wanted = {}): boolean {
  try {
    const { key, kind, principals, after, before } = read(blobOf(certificate));
    return (
      key.equals(fieldsOf(blobOf(publicKey))) &&
      (wanted.kind === undefined || kind === (wanted.kind === 'user' ? 1 : 2)) &&
      (wanted.principals === undefined || areSame(new Set(wanted.principals), new Set(principals))) &&
      hasLife(after, before, now)
    );
  } catch (error) {
    if (error instanceof Damaged) return false;
    throw error;
  }
}

const areSame = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  some.size === others.size && [...some].every((name) => others.has(name));

function hasLife(after: bigint, before: bigint, now: number): boolean {
  const at = BigInt(Math.floor(now));
  if (at < after) return false;
  return before === forever || (before - at) * 3n > before - after;
}

/** The fields of a certificate (OpenSSH's PROTOCOL.certkeys). Where its key's fields end, its type says. */
function read(blob: Buffer) {
  const reader = new WireReader(blob);
  const fields = fieldCounts.get(stem(reader.name()));
  if (fields === undefined) throw new Damaged('unknown certificate type');
  reader.string();
  const start = reader.position;
  for (let field = 0; field < fields; field++) reader.string();
  const key = reader.since(start);
  reader.uint64();
  const kind = reader.uint32();
  reader.string();
  const names = reader.nested();
  const principals: string[] = [];
  while (!names.atEnd) principals.push(names.text());
  const after = reader.uint64();
  const before = reader.uint64();
  for (const _member of ['critical options', 'extensions', 'reserved', 'CA', 'signature']) reader.string();
  reader.end();
  return { key, kind, principals, after, before };
}

/** What follows the type of a public key. */
function fieldsOf(blob: Buffer): Buffer {
  const reader = new WireReader(blob);
  reader.name();
  return blob.subarray(reader.position);
}

const stem = (type: string): string => type.replace(/-cert-v01@openssh\.com$/, '');

const fieldCounts = new Map([
  ['ssh-ed25519', 1],
  ['ssh-rsa', 2],
  ['rsa-sha2-256', 2],
  ['rsa-sha2-512', 2],
  ['ecdsa-sha2-nistp256', 2],
  ['ecdsa-sha2-nistp384', 2],
  ['ecdsa-sha2-nistp521', 2],
  ['ssh-dss', 4],
  ['sk-ssh-ed25519', 2],
  ['sk-ecdsa-sha2-nistp256', 3],
]);

const blobOf = (line: string): Buffer => Buffer.from(line.trim().split(/\s+/)[1] ?? '', 'base64');

/** Where ssh looks for the certificate of a key file. */
export const besideKey = (path: string): string => `${path.replace(/\.pub$/, '')}-cert.pub`;
