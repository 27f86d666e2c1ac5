import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWithin, parseAddress, parseBlock } from '../../../../../src/services/secrets/ssh/address.ts';

function matches(address: string, block: string): boolean | undefined {
  const [parsed, within] = [parseAddress(address), parseBlock(block)];
  return parsed && within && isWithin(parsed, within);
}

/** An address, and another one that shares its first bits, so that both are often in one block. */
function pair(address: fc.Arbitrary<string>, width: number, separator: string, base: number) {
  return fc.tuple(address, address, fc.nat(width)).map(([one, other, bits]) => {
    const size = separator === '.' ? 8 : 16;
    const binary = (text: string) =>
      expanded(text)
        .map((part) => part.toString(2).padStart(size, '0'))
        .join('');
    const expanded = (text: string) =>
      text.split(separator).map((part) => Number.parseInt(part || '0', base));
    const mixed = binary(one).slice(0, bits) + binary(other).slice(bits);
    const parts = mixed.match(new RegExp(`.{${size}}`, 'g')) ?? [];
    return [one, parts.map((part) => Number.parseInt(part, 2).toString(base)).join(separator), bits] as const;
  });
}

const fullIPv6 = fc
  .array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 })
  .map((groups) => groups.map((group) => group.toString(16)).join(':'))
  .filter((text) => !text.startsWith('0:0:0:0:0:'));

describe('a CIDR block', () => {
  // Node's own block lists, implemented in C++, are independent of this code.
  it.each([
    ['ipv4', pair(fc.ipV4(), 32, '.', 10), 32],
    ['ipv6', pair(fullIPv6, 128, ':', 16), 128],
  ] as const)('contains the same addresses of %s as an independent list', (family, pairs, width) => {
    const outcomes = { true: 0, false: 0 };
    fc.assert(
      fc.property(pairs, fc.integer({ min: -3, max: 3 }), ([network, address, shared], offset) => {
        const bits = Math.min(width, Math.max(0, shared + offset));
        const oracle = new BlockList();
        oracle.addSubnet(network, bits, family);
        const expected = oracle.check(address, family);
        outcomes[`${expected}`]++;
        expect(matches(address, `${network}/${bits}`)).toBe(expected);
      }),
      { seed: 3, numRuns: 3000 },
    );
    expect(Math.min(outcomes.true, outcomes.false)).toBeGreaterThan(500);
  });

  it('never contains an address of the other family', () => {
    fc.assert(
      fc.property(fc.ipV4(), fullIPv6, fc.nat(32), (v4, v6, bits) => {
        expect(matches(v4, `${v6}/${bits}`)).toBe(false);
        expect(matches(v6, `${v4}/${bits}`)).toBe(false);
      }),
      { seed: 3, numRuns: 300 },
    );
    expect(matches('10.0.0.1', '::/0')).toBe(false);
  });

  it.each([
    ['::ffff:10.1.2.3', '10.0.0.0/8', true],
    ['::ffff:a01:203', '10.0.0.0/8', true],
    ['0:0:0:0:0:FFFF:10.1.2.3', '11.0.0.0/8', false],
    ['10.1.2.3', '::ffff:10.0.0.0/104', true],
    ['10.1.2.3', '::ffff:10.0.0.0/95', false],
    ['10.1.2.3', '::ffff:11.0.0.0/104', false],
    ['10.1.2.3', '10.1.2.3/32', true],
    ['10.1.2.4', '10.1.2.3/32', false],
    ['255.255.255.255', '0.0.0.0/0', true],
    ['fe80::1', 'FE80::/10', true],
    ['::1', '::/128', false],
    ['::1.2.3.4', '::102:304/128', true],
  ])('compares %s and %s by value', (address, block, expected) => {
    expect(matches(address, block)).toBe(expected);
  });

  it.each([
    '10.0.0.0/33',
    '10.0.0.1',
    '::/129',
    '::ffff:1.2.3.4/129',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10/8',
    'fe80::1%eth0/64',
    '10.0.0.0/-1',
    '',
  ])('is not %j', (text) => {
    expect(parseBlock(text)).toBeUndefined();
  });
});

describe('an address', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['FE80:0:0:0:0:0:0:1', 'fe80::1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::', '::'],
  ])('given as %s is %s', (given, text) => {
    expect(parseAddress(given)?.text).toBe(text);
  });

  it.each([
    '',
    '10.0.0',
    '10.0.0.256',
    '010.0.0.1',
    ' 10.0.0.1',
    'fe80::1%eth0',
    '1::2::3',
    'example.com',
    '10.0.0.1:22',
  ])('is not %j', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});
