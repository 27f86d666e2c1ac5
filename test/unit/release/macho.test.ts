import { expect, test } from 'vitest';
import { machoLayout, signMacho, verifyMacho } from '../../../scripts/release/macho.ts';

/** The smallest file with what the signature needs: __TEXT with one section, and __LINKEDIT. */
function executable(): Buffer {
  const file = Buffer.alloc(3 * 4096 + 100, 7);
  file.fill(0, 0, 0x400);
  file.writeUInt32LE(0xfeedfacf, 0);
  file.writeUInt32LE(0x0100000c, 4);
  file.writeUInt32LE(2, 16);
  file.writeUInt32LE(152 + 72, 20);
  const segment = (at: number, name: string, offset: number, size: number, sections: number) => {
    file.writeUInt32LE(0x19, at);
    file.writeUInt32LE(72 + 80 * sections, at + 4);
    file.write(name, at + 8, 'latin1');
    file.writeBigUInt64LE(BigInt(offset), at + 40);
    file.writeBigUInt64LE(BigInt(size), at + 48);
    file.writeUInt32LE(sections, at + 64);
  };
  segment(32, '__TEXT', 0, 2 * 4096, 1);
  file.writeUInt32LE(0x400, 32 + 72 + 48);
  segment(184, '__LINKEDIT', 2 * 4096, 4096 + 100, 0);
  return file;
}

test('signs an executable, and signs it again with the same result', () => {
  const signed = signMacho(executable(), 'lanyard');
  verifyMacho(signed);
  expect(machoLayout(signed)).toMatchObject({ cpu: 'arm64', signature: { offset: 3 * 4096 + 112 } });
  expect(signMacho(signed, 'lanyard')).toEqual(signed);
});

test('a changed byte is found', () => {
  const signed = signMacho(executable(), 'lanyard');
  signed[5000] = 8;
  expect(() => verifyMacho(signed)).toThrow('wrong hash of page 1');
});

test('an executable without a signature is found', () => {
  expect(() => verifyMacho(executable())).toThrow('not signed');
  expect(() => machoLayout(Buffer.alloc(64))).toThrow('not a 64-bit Mach-O file');
});

test('fails without space for the load command', () => {
  const file = executable();
  file.writeUInt32LE(260, 32 + 72 + 48);
  expect(() => signMacho(file, 'lanyard')).toThrow('no space for LC_CODE_SIGNATURE');
});
