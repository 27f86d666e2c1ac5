import { usage } from '../../errors.ts';
import { withKeyErrors } from '../key-line.ts';
import { isPublicKeyType, readPublicKey } from '../public-key.ts';
import { MalformedDataError, WireReader } from '../wire-format.ts';
import {
  certificateSections,
  formatVersion,
  magic,
  maxBitmapBits,
  maxEntries,
  maxKrlBytes,
  sections,
} from './format.ts';
import { emptyKrl, type Krl, type RevokedEntry, withEntries } from './krl.ts';
import { maxSerial, type SerialRange } from './serial-ranges.ts';

/** Whether bytes begin like a key revocation list. */
export const isKrl = (bytes: Uint8Array): boolean => magic.equals(bytes.subarray(0, magic.length));

/**
 * Reads a key revocation list. What sshd rejects, and then every login, is rejected: damaged and truncated lists, unknown
 * sections, critical extensions, signatures. Extensions that are not critical are ignored.
 *
 * @param name the file or location, for messages.
 * @throws LanyardError usage: not a list, damaged, of another format version, or too large.
 */
export function readKrl(bytes: Buffer, name: string): Krl {
  if (!isKrl(bytes)) throw usage(`${name} is not an OpenSSH key revocation list`);
  if (bytes.length > maxKrlBytes)
    throw usage(`${name} is too large: ${bytes.length} bytes, at most ${maxKrlBytes} are supported`);
  return withKeyErrors(name, () => {
    const reader = new WireReader(bytes);
    reader.bytes(magic.length);
    const format = reader.uint32();
    if (format !== formatVersion) throw new MalformedDataError(`unsupported format version ${format}`);
    const [version, generated, _flags] = [reader.uint64(), reader.uint64(), reader.uint64()];
    const _reserved = reader.string();
    const comment = cString(reader).toString('utf8');
    const entries = new Entries();
    while (!reader.isAtEnd) {
      const type = reader.bytes(1).readUInt8();
      readSection(type, reader.nested(), entries);
    }
    return { ...withEntries(emptyKrl, entries.all), version, generated, comment };
  });
}

/** The entries that were read, up to their limit. */
class Entries {
  readonly all: RevokedEntry[] = [];

  add(entry: RevokedEntry): void {
    if (this.all.length === maxEntries) throw new MalformedDataError(`more than ${maxEntries} entries`);
    this.all.push(entry);
  }
}

function readSection(type: number, section: WireReader, entries: Entries): void {
  switch (type) {
    case sections.certificates:
      readCertificates(section, entries);
      return;
    case sections.key:
      while (!section.isAtEnd) entries.add({ by: 'key', key: section.string().toString('base64') });
      return;
    case sections.sha1:
    case sections.sha256: {
      const [by, length] = type === sections.sha1 ? (['SHA1', 20] as const) : (['SHA256', 32] as const);
      while (!section.isAtEnd) entries.add({ by, hash: section.fixed(length).toString('base64') });
      return;
    }
    case sections.extension:
      readExtension(section);
      return;
    case sections.signature:
      throw new MalformedDataError('signed lists are not supported, also not by OpenSSH 9.4 and later');
    default:
      throw new MalformedDataError(`unsupported section ${type}`);
  }
}

function readCertificates(section: WireReader, entries: Entries): void {
  const blob = section.string();
  if (blob.length > 0 && isPublicKeyType(new WireReader(blob).name())) readPublicKey(blob);
  const ca = blob.toString('base64');
  const _reserved = section.string();
  const add = (range: SerialRange): void => {
    if (range.from === 0n || range.from > range.to)
      throw new MalformedDataError('invalid range of serial numbers');
    entries.add({ by: 'serial', ca, ...range });
  };
  while (!section.isAtEnd) {
    const type = section.bytes(1).readUInt8();
    const content = section.nested();
    switch (type) {
      case certificateSections.serialList:
        readSerials(content, add);
        break;
      case certificateSections.serialRange:
        add({ from: content.uint64(), to: content.uint64() });
        break;
      case certificateSections.serialBitmap:
        readBitmap(content, add);
        break;
      case certificateSections.keyId:
        while (!content.isAtEnd)
          entries.add({ by: 'key ID', ca, keyId: cString(content).toString('latin1') });
        break;
      case certificateSections.extension:
        readExtension(content);
        break;
      default:
        throw new MalformedDataError(`unsupported section ${type} of certificates`);
    }
    content.requireEnd();
  }
}

/** Single serials; consecutive ones are one entry. */
function readSerials(content: WireReader, add: (range: SerialRange) => void): void {
  let range: SerialRange | undefined;
  while (!content.isAtEnd) {
    const serial = content.uint64();
    if (range !== undefined && serial === range.to + 1n) range = { from: range.from, to: serial };
    else {
      if (range) add(range);
      range = { from: serial, to: serial };
    }
  }
  if (range) add(range);
}

/** Bit N of the bitmap, from its end, is the serial `offset + N`. */
function readBitmap(content: WireReader, add: (range: SerialRange) => void): void {
  const offset = content.uint64();
  const bitmap = content.string();
  if ((bitmap[0] ?? 0) >= 0x80) throw new MalformedDataError('a bitmap is negative');
  const start = bitmap.findIndex((byte) => byte !== 0);
  const bits = start < 0 ? Buffer.alloc(0) : bitmap.subarray(start);
  if (bits.length * 8 > maxBitmapBits) throw new MalformedDataError('a bitmap is longer than OpenSSH reads');
  const isSet = (index: number): boolean =>
    (((bits[bits.length - 1 - (index >>> 3)] ?? 0) >>> (index & 7)) & 1) === 1;
  const count = bits.length * 8;
  for (let index = 0; index < count; index += 1) {
    if (!isSet(index)) continue;
    const first = index;
    while (index + 1 < count && isSet(index + 1)) index += 1;
    const to = offset + BigInt(index);
    if (to > maxSerial) throw new MalformedDataError('a bitmap exceeds the highest serial number');
    add({ from: offset + BigInt(first), to });
  }
}

function readExtension(content: WireReader): void {
  const name = cString(content).toString('utf8');
  const isCritical = content.bytes(1).readUInt8() !== 0;
  const _data = content.string();
  content.requireEnd();
  if (isCritical) throw new MalformedDataError(`unsupported critical extension ${JSON.stringify(name)}`);
}

/** A string without NUL; one at the end is ignored, as by OpenSSH. */
function cString(reader: WireReader): Buffer {
  const value = reader.string();
  const end = value.indexOf(0);
  if (end < 0) return value;
  if (end < value.length - 1) throw new MalformedDataError('a string contains a NUL');
  return value.subarray(0, end);
}
