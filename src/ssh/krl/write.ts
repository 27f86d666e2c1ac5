import { wireString, wireUint32 } from '../wire-format.ts';
import { certificateSections, formatVersion, magic, maxBitmapBits, sections } from './format.ts';
import type { Krl, RevokedCertificates } from './krl.ts';
import type { SerialRange } from './serial-ranges.ts';

/** Writes a key revocation list as sshd reads it (PROTOCOL.krl), in canonical order: equal lists are equal bytes. */
export function writeKrl(krl: Krl): Buffer {
  const header = [
    magic,
    wireUint32(formatVersion),
    wireUint64(krl.version),
    wireUint64(krl.generated),
    wireUint64(0n),
    wireString(''),
    wireString(krl.comment),
  ];
  const certificates = [...krl.certificates]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([ca, revoked]) => section(sections.certificates, certificateSection(ca, revoked)));
  const blobs = [
    [sections.key, krl.keys],
    [sections.sha1, krl.sha1],
    [sections.sha256, krl.sha256],
  ] as const;
  const keys = blobs
    .filter(([, values]) => values.size > 0)
    .map(([type, values]) => section(type, strings(values, 'base64')));
  return Buffer.concat([...header, ...certificates, ...keys]);
}

function certificateSection(ca: string, { serials, keyIds }: RevokedCertificates): Buffer {
  const parts = [wireString(Buffer.from(ca, 'base64')), wireString(''), ...serialSections(serials)];
  if (keyIds.size > 0) parts.push(section(certificateSections.keyId, strings(keyIds, 'latin1')));
  return Buffer.concat(parts);
}

const section = (type: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([type]), wireString(content)]);

const strings = (values: ReadonlySet<string>, encoding: 'base64' | 'latin1'): Buffer =>
  Buffer.concat(
    [...values]
      .map((value) => Buffer.from(value, encoding))
      .sort(Buffer.compare)
      .map(wireString),
  );

/** A gap of more bits costs more in a bitmap than a serial in a list. */
const maxGapBits = 64n;
/** Bytes of the header of a section, with the offset and the length of a bitmap. */
const bitmapOverhead = 5 + 8 + 4;
const listedBytes = 8;
const rangeBytes = 5 + 2 * 8;

/**
 * Serials in the shortest of three forms, chosen for each cluster of them: bitmaps where they are dense, ranges for long
 * runs, lists for the others.
 */
function serialSections(ranges: readonly SerialRange[]): Buffer[] {
  const written: Buffer[] = [];
  let listed: bigint[] = [];
  const endList = (): void => {
    if (listed.length === 0) return;
    written.push(section(certificateSections.serialList, Buffer.concat(listed.map(wireUint64))));
    listed = [];
  };
  for (let at = 0; at < ranges.length; ) {
    const cluster = clusterAt(ranges, at);
    at += cluster.length;
    const apart = cluster.reduce((sum, range) => sum + Math.min(rangeBytes, bytesInList(range)), 0);
    if (bytesInBitmap(cluster) < apart) {
      endList();
      written.push(section(certificateSections.serialBitmap, bitmapOf(cluster)));
      continue;
    }
    for (const range of cluster) {
      if (bytesInList(range) <= rangeBytes) {
        for (let serial = range.from; serial <= range.to; serial += 1n) listed.push(serial);
        continue;
      }
      endList();
      const limits = Buffer.concat([wireUint64(range.from), wireUint64(range.to)]);
      written.push(section(certificateSections.serialRange, limits));
    }
  }
  endList();
  return written;
}

/** The ranges from an index on that are close together and fit into one bitmap; at least one. */
function clusterAt(ranges: readonly SerialRange[], start: number): readonly SerialRange[] {
  const first = ranges[start];
  if (first === undefined) return [];
  let end = start + 1;
  for (let last = first; ; end += 1) {
    const next = ranges[end];
    // The highest bit is the sign.
    const fits =
      next && next.to - first.from + 1n < BigInt(maxBitmapBits) && next.from - last.to <= maxGapBits;
    if (!fits || isLong(next) || isLong(last)) return ranges.slice(start, end);
    last = next;
  }
}

/** A run that is shorter as a range of its own than as bits. */
const isLong = ({ from, to }: SerialRange): boolean => to - from + 1n > 2 * rangeBytes * 8;

const bytesInList = ({ from, to }: SerialRange): number =>
  to - from > 2n ? Number.POSITIVE_INFINITY : listedBytes * (Number(to - from) + 1);

function bytesInBitmap(cluster: readonly SerialRange[]): number {
  const [first, last] = [cluster.at(0), cluster.at(-1)];
  const bits = first && last ? last.to - first.from + 1n : 0n;
  return bits < maxBitmapBits ? bitmapOverhead + Math.floor(Number(bits) / 8) + 1 : Number.POSITIVE_INFINITY;
}

/** The offset, and the bits as an unsigned integer: a zero byte precedes a first bit that would be the sign. */
function bitmapOf(cluster: readonly SerialRange[]): Buffer {
  const [offset, end] = [cluster.at(0)?.from ?? 0n, cluster.at(-1)?.to ?? 0n];
  const bits = Buffer.alloc(Math.floor(Number(end - offset + 1n) / 8) + 1);
  for (const { from, to } of cluster)
    for (let bit = Number(from - offset); bit <= Number(to - offset); bit += 1) {
      const index = bits.length - 1 - (bit >>> 3);
      bits.writeUInt8(bits.readUInt8(index) | (1 << (bit & 7)), index);
    }
  return Buffer.concat([wireUint64(offset), wireString(bits)]);
}

function wireUint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}
