import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findRevocation, type Revocable, readRevocable } from '../../../../src/ssh/krl/check.ts';
import { maxEntries } from '../../../../src/ssh/krl/format.ts';
import {
  emptyKrl,
  entriesOf,
  type Krl,
  missingEntries,
  type RevokedEntry,
  withEntries,
  withoutEntries,
} from '../../../../src/ssh/krl/krl.ts';
import { readKrl } from '../../../../src/ssh/krl/read.ts';
import { maxSerial } from '../../../../src/ssh/krl/serial-ranges.ts';
import { writeKrl } from '../../../../src/ssh/krl/write.ts';
import { wireString, wireUint32 } from '../../../../src/ssh/wire-format.ts';
import { has } from '../../../support/require.ts';
import { Keygen, kinds, rejection } from '../keygen.ts';

const uint64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
};
const serial = (from: bigint, to = from, ca = ''): RevokedEntry => ({ by: 'serial', ca, from, to });
const listOf = (...entries: readonly RevokedEntry[]): Krl => withEntries(emptyKrl, entries);
const section = (type: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([type]), wireString(content)]);
const header = writeKrl(emptyKrl);
const certificates = (...sections: readonly Buffer[]): Buffer =>
  Buffer.concat([header, section(1, Buffer.concat([wireString(''), wireString(''), ...sections]))]);
const read = (bytes: Buffer): Krl => readKrl(bytes, 'list');

describe('the entries of a list', () => {
  test('adjoining and overlapping serials become one range', () => {
    const krl = listOf(serial(5n, 9n), serial(1n), serial(10n), serial(2n, 3n), serial(7n, 12n));
    expect(entriesOf(krl)).toEqual([serial(1n, 3n), serial(5n, 12n)]);
  });

  test('serials are removed from within a range, and a CA without entries disappears', () => {
    const krl = listOf(serial(1n, 100n), serial(1n, 5n, 'AAAA'), { by: 'key ID', ca: '', keyId: 'x' });
    const left = withoutEntries(krl, [serial(10n, 20n), serial(90n, 200n), serial(1n, 5n, 'AAAA')]);
    expect(entriesOf(left)).toEqual([serial(1n, 9n), serial(21n, 89n), { by: 'key ID', ca: '', keyId: 'x' }]);
  });

  test('a range counts as missing until all of its serials are in the list', () => {
    const krl = listOf(serial(1n, 10n));
    expect(missingEntries(krl, [serial(2n, 10n), serial(10n, 11n), serial(3n, 3n, 'AAAA')])).toEqual([
      serial(10n, 11n),
      serial(3n, 3n, 'AAAA'),
    ]);
  });

  test.each([
    ['scattered serials', (index: number) => BigInt(index) * 1000n + 1n, 8.1],
    ['every second serial', (index: number) => BigInt(index) * 2n + 1n, 0.27],
    ['consecutive serials', (index: number) => BigInt(index) + 1n, 0.01],
  ])('100,000 %s take few bytes and are all found', (_name, serialOf, bytesEach) => {
    const entries = Array.from({ length: 100_000 }, (_, index) => serial(serialOf(index)));
    const bytes = writeKrl(listOf(...entries));
    expect(bytes.length / entries.length).toBeLessThan(bytesEach);
    const krl = read(bytes);
    expect(missingEntries(krl, entries)).toEqual([]);
    expect(krl).toEqual(listOf(...entries));
  });

  test('the order in which entries are added does not change the bytes', () => {
    const entries = [serial(9n), serial(4n, 8n, 'AAAA'), ...keyEntries()];
    expect(writeKrl(listOf(...entries))).toEqual(writeKrl(listOf(...entries.toReversed())));
  });
});

function keyEntries(): RevokedEntry[] {
  return [2, 1].flatMap((byte): RevokedEntry[] => [
    { by: 'SHA256', hash: Buffer.alloc(32, byte).toString('base64') },
    { by: 'SHA1', hash: Buffer.alloc(20, byte).toString('base64') },
    { by: 'key', key: Buffer.alloc(8, byte).toString('base64') },
    { by: 'key ID', ca: '', keyId: `id-${byte}` },
  ]);
}

describe('a damaged list is rejected', () => {
  const complete = writeKrl({
    ...listOf(serial(1n), serial(100n, 200n), serial(2n ** 40n, 2n ** 63n), ...keyEntries()),
    comment: 'ours',
  });

  test('at every length but those where a section ends', async () => {
    const accepted: number[] = [];
    for (let length = 0; length < complete.length; length += 1) {
      try {
        read(complete.subarray(0, length));
        accepted.push(length);
      } catch (error) {
        expect(error).toMatchObject({ kind: 'usage' });
      }
    }
    // After the header, and after each of the first three sections.
    expect(accepted).toHaveLength(4);
  });

  test.each([
    ['another file', Buffer.from('ssh-ed25519 AAAA'), 'list is not an OpenSSH key revocation list'],
    ['an empty file', Buffer.alloc(0), 'is not an OpenSSH key revocation list'],
    ['trailing bytes', Buffer.concat([complete, Buffer.from([10])]), 'unexpected end of data'],
    ['another version', Buffer.concat([complete.subarray(0, 8), wireUint32(2)]), 'format version 2'],
    ['an unknown section', Buffer.concat([header, section(9, Buffer.alloc(0))]), 'unsupported section 9'],
    ['a signature', Buffer.concat([header, section(4, Buffer.alloc(8))]), 'signed lists are not supported'],
    ['serial 0', certificates(section(0x20, uint64(0n))), 'invalid range'],
    ['a reversed range', certificates(section(0x21, Buffer.concat([uint64(2n), uint64(1n)]))), 'range'],
    ['an unknown section of certificates', certificates(section(0x30, Buffer.alloc(0))), 'section 48'],
    ['a short fingerprint', Buffer.concat([header, section(5, wireString('x'))]), 'wrong length'],
    [
      'a long bitmap',
      certificates(section(0x22, Buffer.concat([uint64(1n), wireString(Buffer.alloc(2049, 1))]))),
      'longer than OpenSSH reads',
    ],
    [
      'a bitmap beyond the last serial',
      certificates(section(0x22, Buffer.concat([uint64(maxSerial), wireString(Buffer.from([2]))]))),
      'highest serial',
    ],
    [
      'a critical extension',
      Buffer.concat([
        header,
        section(255, Buffer.concat([wireString('x@y'), Buffer.from([1]), wireString('')])),
      ]),
      'unsupported critical extension "x@y"',
    ],
  ])('%s', async (_name, bytes, message) => {
    expect((await rejection(() => read(bytes))).message).toContain(message);
  });

  test('an extension that is not critical is ignored', () => {
    const extension = Buffer.concat([wireString('x@y'), Buffer.from([0]), wireString('data')]);
    const bytes = Buffer.concat([certificates(section(0x39, extension), section(0x20, uint64(7n)))]);
    expect(entriesOf(read(Buffer.concat([bytes, section(255, extension)])))).toEqual([serial(7n)]);
  });

  test('a range of 2^63 serials is one entry, and the number of entries is limited', async () => {
    const range = section(0x21, Buffer.concat([uint64(1n), uint64(2n ** 63n)]));
    expect(entriesOf(read(certificates(range)))).toEqual([serial(1n, 2n ** 63n)]);
    const dense = section(0x22, Buffer.concat([uint64(1n), wireString(Buffer.alloc(2048, 0x55))]));
    const many = Array.from({ length: Math.ceil(maxEntries / 8192) + 1 }, () => dense);
    expect((await rejection(() => read(certificates(...many)))).message).toContain(`${maxEntries} entries`);
  });
});

describe.skipIf(!has('ssh-keygen'))('beside ssh-keygen', () => {
  const keygen = new Keygen();
  const cas = ['ca1', 'ca2', 'ca3'];
  const ids = ['ada', 'bob', 'a key ID', 'ÄÖ', 'serial: 1'];
  const serials = [0n, 1n, 2n, 3n, 64n, 65n, 16_383n, 16_384n, 2n ** 32n, 2n ** 63n, maxSerial];
  const subjects: { readonly file: string; readonly revocable: Revocable; readonly text: string }[] = [];
  const blobs: Record<string, string> = {};
  // A fixed sequence: a failure can be repeated.
  let state = 1;
  const below = (limit: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * limit);
  };
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;

  beforeAll(() => {
    const add = (file: string): void => {
      const text = keygen.read(file);
      subjects.push({ file, text, revocable: readRevocable(text, file) });
    };
    for (const ca of cas) {
      keygen.make(ca, kinds.ed25519);
      add(`${ca}.pub`);
      blobs[ca] = keygen.read(`${ca}.pub`).split(' ')[1] ?? '';
    }
    for (const key of ['ed25519', 'ecdsa256', 'rsa'] as const) {
      keygen.make(key, kinds[key]);
      add(`${key}.pub`);
      blobs[key] = keygen.read(`${key}.pub`).split(' ')[1] ?? '';
    }
    let number = 0;
    for (const ca of cas)
      for (const each of serials) {
        number += 1;
        const name = `c${number}`;
        keygen.write(`${name}.pub`, keygen.read(`${pick(['ed25519', 'ecdsa256', 'rsa'])}.pub`));
        keygen.sign(ca, name, '-I', pick(ids), '-z', String(each));
        add(`${name}-cert.pub`);
      }
  });

  afterAll(() => keygen.remove());

  /** The files that ssh-keygen says are revoked. */
  function revokedFiles(list: string): string[] {
    const args = ['-Q', '-f', list, ...subjects.map(({ file }) => file)];
    let output = '';
    try {
      output = keygen.run(...args);
    } catch (error) {
      output = (error as { stdout: string }).stdout;
    }
    expect(output.trim().split('\n')).toHaveLength(subjects.length);
    return subjects
      .filter(({ file }) => new RegExp(`^${file.replace('.', '\\.')} .*: REVOKED$`, 'm').test(output))
      .map(({ file }) => file);
  }

  const foundBy = (krl: Krl): string[] =>
    subjects.filter(({ revocable }) => findRevocation(krl, revocable)).map(({ file }) => file);

  function randomEntries(): RevokedEntry[] {
    return Array.from({ length: 1 + below(6) }, (): RevokedEntry => {
      const ca = blobs[pick([...cas, 'any'])] ?? '';
      const key = blobs[pick(['ed25519', 'ecdsa256', 'rsa', ...cas])] ?? '';
      const from = pick(serials.slice(1));
      const kind = below(12);
      if (kind < 4) return serial(from, from, ca);
      if (kind < 6)
        return serial(
          from,
          [from + BigInt(below(70)), maxSerial].sort((a, b) => (a < b ? -1 : 1))[0] ?? from,
          ca,
        );
      if (kind < 9) return { by: 'key ID', ca, keyId: Buffer.from(pick(ids)).toString('latin1') };
      if (kind === 9) return { by: 'key', key };
      const by = kind === 10 ? 'SHA1' : 'SHA256';
      return { by, hash: digest(by, key) };
    });
  }

  test('ssh-keygen decides the same of every random list that Lanyard writes', () => {
    for (let round = 0; round < 30; round += 1) {
      const krl = listOf(...randomEntries());
      keygen.write('list', writeKrl(krl));
      expect(revokedFiles('list'), JSON.stringify(entriesOf(krl), texts)).toEqual(foundBy(krl));
    }
  });

  test('Lanyard decides the same of every random list that ssh-keygen writes', () => {
    const names: Record<string, string> = Object.fromEntries(
      Object.entries(blobs).map(([name, blob]) => [blob, name]),
    );
    for (let round = 0; round < 30; round += 1) {
      const entries = randomEntries().filter(isWritable);
      let isFirst = true;
      for (const entry of entries) {
        const line =
          entry.by === 'serial'
            ? `serial: ${entry.from}${entry.to > entry.from ? `-${entry.to}` : ''}`
            : entry.by === 'key ID'
              ? `id: ${Buffer.from(entry.keyId, 'latin1')}`
              : `${pick(['key', 'sha1', 'sha256'])}: ${keygen.read(`${names[entry.by === 'key' ? entry.key : ''] ?? ''}.pub`)}`;
        keygen.write('spec', `${line.trimEnd()}\n`);
        const ca = 'ca' in entry && entry.ca !== '' ? `${names[entry.ca]}.pub` : 'none';
        keygen.run('-k', '-q', ...(isFirst ? [] : ['-u']), '-f', 'theirs', '-s', ca, '-z', '7', 'spec');
        isFirst = false;
      }
      if (isFirst) continue;
      const krl = readKrl(Buffer.from(keygen.bytes('theirs')), 'theirs');
      expect(krl.version).toBe(7n);
      expect(foundBy(krl)).toEqual(revokedFiles('theirs'));
      // What Lanyard reads, it writes back.
      expect(read(writeKrl(krl))).toEqual(krl);
    }
  });

  test('lists with bitmaps of ssh-keygen are read, and written no longer', () => {
    const specs = [
      Array.from({ length: 300 }, () => 1 + below(1200)),
      Array.from({ length: 2000 }, (_, index) => 1 + index * 2),
      Array.from({ length: 500 }, () => 1 + below(100_000)),
      Array.from({ length: 3000 }, (_, index) => index + 1 + Math.floor(index / 100) * 40),
    ];
    for (const numbers of specs) {
      keygen.write('spec', numbers.map((each) => `serial: ${each}\n`).join(''));
      keygen.run('-k', '-q', '-f', 'theirs', '-s', 'ca1.pub', 'spec');
      const theirs = keygen.bytes('theirs');
      const krl = read(theirs);
      const ca = blobs.ca1 ?? '';
      expect(krl.certificates).toEqual(
        listOf(...numbers.map((each) => serial(BigInt(each), BigInt(each), ca))).certificates,
      );
      expect(writeKrl(krl).length).toBeLessThanOrEqual(theirs.length * 1.05);
    }
  });

  test('ssh-keygen reads the longest bitmap that Lanyard writes', () => {
    const ca = blobs.ca1 ?? '';
    const entries = Array.from({ length: 8191 }, (_, index) =>
      serial(BigInt(index) * 2n + 1n, BigInt(index) * 2n + 1n, ca),
    );
    keygen.write('list', writeKrl(listOf(...entries, serial(16_384n, 16_384n, ca))));
    expect(keygen.run('-Q', '-l', '-f', 'list')).toContain('serial: 16384');
  });

  test('ssh-keygen shows the version and the comment', () => {
    keygen.write(
      'list',
      writeKrl({ ...listOf(serial(5n)), version: 42n, generated: 1_700_000_000n, comment: 'ops' }),
    );
    const listing = keygen.run('-Q', '-l', '-f', 'list');
    expect(listing).toContain('# KRL version 42');
    expect(listing).toContain('# Generated at 20231114T221320');
    expect(listing).toContain('# Comment: ops');
  });
});

/** What a specification of ssh-keygen can say for a given key. */
const isWritable = (entry: RevokedEntry): boolean =>
  entry.by === 'serial' || entry.by === 'key ID' || entry.by === 'key';

const texts = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
const digest = (by: 'SHA1' | 'SHA256', key: string): string =>
  hash(by === 'SHA1' ? 'sha1' : 'sha256', Buffer.from(key, 'base64'), 'base64');
