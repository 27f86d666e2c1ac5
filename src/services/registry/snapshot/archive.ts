import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Bytes of a block of a tar file: a header is one, contents are padded to a multiple. */
const blockBytes = 512;
/** Decompressed bytes of an archive, so that a small body does not fill the memory. */
const maxBytes = 1024 * 1024 * 1024;

/** What an archive of a snapshot has besides checksums (docs/protocol/registry.md#snapshots). */
export interface Archive {
  /** The metadata of Raft, as JSON. */
  readonly meta: Buffer;
  readonly state: Buffer;
}

/** An archive that cannot be restored; with the message of the product where it has one. */
export class InvalidArchive extends Error {}

/** Writes an archive: a tar file, compressed by gzip. @param modified unix seconds */
export async function writeArchive({ meta, state }: Archive, modified: number): Promise<Buffer> {
  const sums = Buffer.from(`${sumOf(meta)}  meta.json\n${sumOf(state)}  state.bin\n`);
  const tar = Buffer.concat([
    ...file('meta.json', meta, modified),
    ...file('state.bin', state, modified),
    ...file('SHA256SUMS', sums, modified),
    Buffer.alloc(2 * blockBytes),
  ]);
  return compress(tar);
}

/** Reads an archive and verifies its checksums. @throws InvalidArchive */
export async function readArchive(bytes: Uint8Array): Promise<Archive> {
  const tar = await decompress(bytes, { maxOutputLength: maxBytes }).catch(() => {
    throw new InvalidArchive('failed to decompress snapshot: gzip: invalid header');
  });
  const files = new Map<string, Buffer>();
  for (let at = 0; at + blockBytes <= tar.length; ) {
    const header = tar.subarray(at, at + blockBytes);
    if (header.every((byte) => byte === 0)) break;
    const name = textIn(header, 0, 100);
    const length = Number.parseInt(textIn(header, 124, 12), 8);
    const end = at + blockBytes + length;
    if (!(length >= 0) || end > tar.length)
      throw new InvalidArchive('failed to read snapshot file: failed reading snapshot: unexpected EOF');
    if (!['meta.json', 'state.bin', 'SHA256SUMS'].includes(name))
      throw new InvalidArchive(`failed to read snapshot file: unexpected file "${name}" in snapshot`);
    files.set(name, tar.subarray(at + blockBytes, end));
    at = blockBytes * Math.ceil(end / blockBytes);
  }
  const sums = files.get('SHA256SUMS')?.toString() ?? '';
  const verified = (name: string): Buffer => {
    const content = files.get(name);
    const isSame = content && sums.split('\n').includes(`${sumOf(content)}  ${name}`);
    if (isSame) return content;
    throw new InvalidArchive(
      `failed to read snapshot file: failed checking integrity of snapshot: hash check failed for "${name}"`,
    );
  };
  return { meta: verified('meta.json'), state: verified('state.bin') };
}

const sumOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const textIn = (header: Buffer, at: number, length: number): string =>
  header.toString('latin1', at, at + length).split('\0')[0] ?? '';

/** A file of a tar archive (POSIX.1-1988, ustar): its header, its content and zeros up to the next block. */
function file(name: string, content: Buffer, modified: number): Buffer[] {
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  const write = (text: string, at: number) => header.write(text, at, 'latin1');
  write(name, 0);
  write(octal(0o600, 8), 100);
  write(octal(0, 8), 108);
  write(octal(0, 8), 116);
  write(octal(content.length, 12), 124);
  write(octal(modified, 12), 136);
  write(' '.repeat(8), 148);
  write('0', 156);
  write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const padding = Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes);
  return [header, content, padding];
}
