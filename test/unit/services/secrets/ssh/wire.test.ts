import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bitLength,
  MalformedError,
  mpint,
  string,
  uint32,
  uint64,
  WireReader,
} from '../../../../../src/services/secrets/ssh/wire.ts';

describe('the SSH wire format', () => {
  // The examples of RFC 4251, section 5.
  it.each([
    ['', '00000000'],
    ['09a378f9b2e332a7', '0000000809a378f9b2e332a7'],
    ['80', '000000020080'],
    ['0000007f', '000000017f'],
  ])('writes the number %j as an mpint', (magnitude, written) => {
    expect(mpint(Buffer.from(magnitude, 'hex')).toString('hex')).toBe(written);
  });

  it('writes integers, text and bytes', () => {
    expect(uint32(699921578).toString('hex')).toBe('29b7f4aa');
    expect(uint64(2n ** 64n - 1n).toString('hex')).toBe('ffffffffffffffff');
    expect(string('testing').toString('hex')).toBe('0000000774657374696e67');
    expect(string('é').toString('hex')).toBe('00000002c3a9');
  });

  it('reads every number that it wrote', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 600n }), (number) => {
        const hex = number.toString(16);
        const magnitude = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
        const read = new WireReader(mpint(magnitude)).mpint();
        expect(BigInt(`0x${read.toString('hex')}`)).toBe(number);
        expect(bitLength(read)).toBe(number.toString(2).length);
      }),
      { seed: 1 },
    );
  });

  it.each([
    ['a length beyond the end', '00000005aabb'],
    ['a cut length', '000000'],
    ['a negative number', '00000001ff'],
    ['zero', '00000000'],
    ['a number with a needless zero in front', '000000020012'],
  ])('rejects %s', (_, hex) => {
    expect(() => new WireReader(Buffer.from(hex, 'hex')).mpint()).toThrow(MalformedError);
  });
});
