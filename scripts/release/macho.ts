import { createHash } from 'node:crypto';

// Ad-hoc signatures of Mach-O executables for one architecture (64-bit), as Go's linker writes them: one code
// directory with a SHA-256 of each page. macOS on Apple silicon runs nothing without a signature.

const segmentCommand = 0x19;
const signatureCommand = 0x1d;
const pageSize = 4096;
const alignUp = (value: number, to: number) => Math.ceil(value / to) * to;

interface Layout {
  readonly cpu: 'x64' | 'arm64';
  /** End of the load commands. */
  readonly end: number;
  /** First byte of a section: what is before it, and after the load commands, is free. */
  readonly firstSection: number;
  readonly segments: readonly { name: string; at: number; offset: number; size: number }[];
  /** Position of the command that names the signature, and of the signature. */
  readonly signature: { readonly at: number; readonly offset: number; readonly size: number } | undefined;
}

/** Reads the load commands. @throws Error: not a Mach-O executable for x64 or arm64 */
export function machoLayout(file: Buffer): Layout {
  if (file.readUInt32LE(0) !== 0xfeedfacf) throw new Error('not a 64-bit Mach-O file');
  const cpu = ({ 16777223: 'x64', 16777228: 'arm64' } as const)[file.readUInt32LE(4)];
  if (!cpu) throw new Error('unknown architecture');
  const segments: Layout['segments'][number][] = [];
  let signature: Layout['signature'];
  let firstSection = file.length;
  let at = 32;
  for (let index = 0; index < file.readUInt32LE(16); index++) {
    const command = file.readUInt32LE(at);
    if (command === segmentCommand) {
      const name = file.toString('latin1', at + 8, at + 24).replace(/\0+$/, '');
      const offset = Number(file.readBigUInt64LE(at + 40));
      segments.push({ name, at, offset, size: Number(file.readBigUInt64LE(at + 48)) });
      for (let section = 0; section < file.readUInt32LE(at + 64); section++) {
        const start = file.readUInt32LE(at + 72 + section * 80 + 48);
        if (start > 0) firstSection = Math.min(firstSection, start);
      }
    } else if (command === signatureCommand) {
      signature = { at, offset: file.readUInt32LE(at + 8), size: file.readUInt32LE(at + 12) };
    }
    at += file.readUInt32LE(at + 4);
  }
  return { cpu, end: at, firstSection, segments, signature };
}

/**
 * The executable with an ad-hoc signature; an existing one is replaced.
 *
 * @param identifier the name in the signature
 * @throws Error: no space for the load command, or __LINKEDIT is not the end of the file
 */
export function signMacho(executable: Buffer, identifier: string): Buffer {
  const { end, firstSection, segments, signature } = machoLayout(executable);
  const linkedit = segments.find(({ name }) => name === '__LINKEDIT');
  const text = segments.find(({ name }) => name === '__TEXT');
  if (!linkedit || !text) throw new Error('no __LINKEDIT or no __TEXT segment');
  const content = executable.subarray(0, signature?.offset ?? executable.length);
  if (content.length > linkedit.offset + linkedit.size) throw new Error('data after __LINKEDIT');
  if (!signature && end + 16 > firstSection) throw new Error('no space for LC_CODE_SIGNATURE');

  const start = alignUp(content.length, 16);
  const directory = codeDirectorySize(identifier, start);
  const size = alignUp(20 + directory, 16);
  const signed = Buffer.alloc(start + size);
  content.copy(signed);

  const at = signature?.at ?? end;
  signed.writeUInt32LE(signatureCommand, at);
  signed.writeUInt32LE(16, at + 4);
  signed.writeUInt32LE(start, at + 8);
  signed.writeUInt32LE(size, at + 12);
  if (!signature) {
    signed.writeUInt32LE(signed.readUInt32LE(16) + 1, 16);
    signed.writeUInt32LE(signed.readUInt32LE(20) + 16, 20);
  }
  const linkeditSize = signed.length - linkedit.offset;
  signed.writeBigUInt64LE(BigInt(alignUp(linkeditSize, 0x4000)), linkedit.at + 32);
  signed.writeBigUInt64LE(BigInt(linkeditSize), linkedit.at + 48);

  signed.writeUInt32BE(0xfade0cc0, start); // a signature of one blob
  signed.writeUInt32BE(20 + directory, start + 4);
  signed.writeUInt32BE(1, start + 8);
  signed.writeUInt32BE(0, start + 12); // of the type code directory
  signed.writeUInt32BE(20, start + 16);
  writeCodeDirectory(signed, start + 20, { identifier, codeLimit: start, text });
  return signed;
}

const headerSize = 88;
const codeDirectorySize = (identifier: string, codeLimit: number) =>
  headerSize + identifier.length + 1 + 32 * Math.ceil(codeLimit / pageSize);

function writeCodeDirectory(
  file: Buffer,
  at: number,
  {
    identifier,
    codeLimit,
    text,
  }: { identifier: string; codeLimit: number; text: { offset: number; size: number } },
): void {
  const hashes = headerSize + identifier.length + 1;
  const words = [
    0xfade0c02, // code directory
    codeDirectorySize(identifier, codeLimit),
    0x20400, // version
    0x2, // ad hoc
    hashes,
    headerSize, // the identifier
    0, // special slots
    Math.ceil(codeLimit / pageSize),
    codeLimit,
  ];
  for (const [index, word] of words.entries()) file.writeUInt32BE(word, at + 4 * index);
  file.set([32, 2, 0, Math.log2(pageSize)], at + 36); // SHA-256, any platform
  file.writeBigUInt64BE(BigInt(text.offset), at + 64);
  file.writeBigUInt64BE(BigInt(text.size), at + 72);
  file.writeBigUInt64BE(1n, at + 80); // the main program
  file.write(identifier, at + headerSize, 'latin1');
  for (let page = 0; page * pageSize < codeLimit; page++) {
    pageHash(file, page, codeLimit).copy(file, at + hashes + 32 * page);
  }
}

const pageHash = (file: Buffer, page: number, codeLimit: number) =>
  createHash('sha256')
    .update(file.subarray(page * pageSize, Math.min((page + 1) * pageSize, codeLimit)))
    .digest();

/** Checks the signature of an executable. @throws Error: what is missing or wrong */
export function verifyMacho(file: Buffer): void {
  const { signature, segments } = machoLayout(file);
  if (!signature) throw new Error('not signed');
  if (signature.offset + signature.size !== file.length) throw new Error('the signature is not the end');
  const linkedit = segments.at(-1);
  if (linkedit?.name !== '__LINKEDIT' || linkedit.offset + linkedit.size !== file.length) {
    throw new Error('__LINKEDIT is not the end');
  }
  const at = signature.offset + file.readUInt32BE(signature.offset + 16);
  if (file.readUInt32BE(signature.offset) !== 0xfade0cc0 || file.readUInt32BE(at) !== 0xfade0c02) {
    throw new Error('no code directory');
  }
  const codeLimit = file.readUInt32BE(at + 32);
  const hashes = at + file.readUInt32BE(at + 16);
  if (codeLimit !== signature.offset) throw new Error('the signature does not cover the file');
  for (let page = 0; page < file.readUInt32BE(at + 28); page++) {
    const expected = file.subarray(hashes + 32 * page, hashes + 32 * (page + 1));
    if (!pageHash(file, page, codeLimit).equals(expected)) throw new Error(`wrong hash of page ${page}`);
  }
}
