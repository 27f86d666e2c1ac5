import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isEd25519Point } from '../../../../../src/services/secrets/ssh/ed25519-point.ts';
import { keyPair } from '../../../../support/keys.ts';
import { line, mountWithCa } from './harness.ts';

// The content of a certificate is written to logs and terminals of servers that accept it.

const public_key = keyPair('ed25519').publicLine;
const invisible = ['\u202e', '\u200b', '\u200d', '\u2066', '\ufeff', '\u00ad', '\u{e0041}'];
const controls = ['\n', '\r', '\u001b[2J', '\t', '\u007f', '\u0085', '\u009b31m', '\u2028', '\u2029'];

const role = {
  key_type: 'ca',
  allow_user_certificates: true,
  allowed_users: '*',
  allow_host_certificates: true,
  allowed_domains: '*',
  default_user: 'ubuntu',
  allow_user_key_ids: true,
  allowed_extensions: '*',
};

async function prepared(more: object = {}) {
  const mount = await mountWithCa();
  await mount.write('roles/any', { ...role, ...more });
  const sign = (data: object, displayName = 'root') =>
    mount.sign('any', { public_key, ...data }, { displayName });
  const issue = (data: object) => mount.write('issue/any', { key_type: 'ed25519', ...data });
  return { sign, issue };
}

const rejected = (message: string) => ({ status: 400, errors: [message] });

describe('a certificate', () => {
  test.for([
    ...controls.map((character) => ['a control', JSON.stringify(character), character] as const),
    ...invisible.map((character) => ['an invisible', JSON.stringify(character), character] as const),
  ])(
    'does not have %s character, %s, in principals, key IDs and names of options',
    async ([kind, , character]) => {
      const { sign, issue } = await prepared();
      const name = `a${character}b`;
      for (const ask of [sign, issue]) {
        for (const [field, body] of [
          ['valid_principals', { valid_principals: `x,${name}`, cert_type: 'user' }],
          ['valid_principals', { valid_principals: `x,${name}`, cert_type: 'host' }],
          ['key_id', { key_id: name }],
          ['extensions', { extensions: { [name]: '' } }],
          ['critical_options', { critical_options: { [name]: '' } }],
        ] as const)
          await expect(ask(body), field).rejects.toMatchObject(
            rejected(`${field} contains ${kind} character`),
          );
      }
    },
  );

  test('has no control character from its role, or from the display name of the token', async () => {
    const named = { default_user: 'a\u001bb', allow_user_key_ids: false };
    await expect((await prepared(named)).sign({})).rejects.toMatchObject(
      rejected('valid_principals contains a control character'),
    );
    const { sign } = await prepared({ allow_user_key_ids: false });
    const wrong = rejected('key_id contains a control character');
    await expect(sign({}, 'token-a\nb')).rejects.toMatchObject(wrong);
    const formatted = await prepared({ key_id_format: 'of {{token_display_name}}' });
    await expect(formatted.sign({}, 'token-a\nb')).rejects.toMatchObject(wrong);
    await expect((await prepared({ key_id_format: 'a\u0007b' })).sign({})).rejects.toMatchObject(wrong);
  });

  test('has no key ID of more than 4,096 bytes', async () => {
    const { sign, issue } = await prepared();
    const tooLong = rejected('key_id is longer than 4096 bytes');
    for (const key_id of ['a'.repeat(4097), 'ä'.repeat(2049)])
      for (const ask of [sign, issue]) await expect(ask({ key_id })).rejects.toMatchObject(tooLong);
    await expect(sign({ key_id: 'a'.repeat(4096) })).resolves.toBeDefined();
    const formatted = await prepared({ key_id_format: 'x'.repeat(4097), allow_user_key_ids: false });
    await expect(formatted.sign({})).rejects.toMatchObject(tooLong);
  });

  test('has no extension or critical option without a name', async () => {
    const { sign } = await prepared();
    for (const field of ['extensions', 'critical_options'])
      await expect(sign({ [field]: { '': 'x' } })).rejects.toMatchObject(
        rejected(`${field} contains an empty name`),
      );
    for (const field of ['default_extensions', 'default_critical_options'])
      await expect((await prepared({ [field]: { '': 'x' } })).sign({})).rejects.toMatchObject(
        rejected(`${field} contains an empty name`),
      );
  });

  test('may have all other characters', async () => {
    const { sign } = await prepared();
    const names = "ünï,jörg,名前,a b,O'Hara,x@example.com,\u00a0";
    expect(await sign({ valid_principals: names, key_id: 'für "alle" \u{1f511}' })).toMatch(
      /^ssh-ed25519-cert/,
    );
  });
});

describe('a public key of Ed25519', () => {
  const p = 2n ** 255n - 19n;
  const bytesOf = (y: bigint, sign = 0): Buffer => {
    const bytes = Buffer.from(y.toString(16).padStart(64, '0'), 'hex').reverse();
    bytes[31] = (bytes[31] ?? 0) | (sign << 7);
    return bytes;
  };
  const power = (base: bigint, exponent: bigint): bigint => {
    let [result, square] = [1n, base % p];
    for (let left = exponent; left > 0n; left >>= 1n) {
      if (left & 1n) result = (result * square) % p;
      square = (square * square) % p;
    }
    return result;
  };

  test('that is valid is accepted', () => {
    for (let time = 0; time < 200; time++) {
      const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
      expect(isEd25519Point(Buffer.from(x, 'base64url'))).toBe(true);
    }
    // RFC 8032, section 7.1.
    for (const hex of [
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
      'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    ])
      expect(isEd25519Point(Buffer.from(hex, 'hex'))).toBe(true);
  });

  test('is a point of the curve, or not, according to its equation', () => {
    const d = (p - ((121_665n * power(121_666n, p - 2n)) % p)) % p;
    const seen = { true: 0, false: 0 };
    for (let time = 0; time < 300; time++) {
      const y = BigInt(`0x${randomBytes(32).toString('hex')}`) % p;
      const x2 = ((y * y + p - 1n) * power(d * y * y + 1n, p - 2n)) % p;
      const isSquare = power(x2, (p - 1n) / 2n) === 1n;
      expect(isEd25519Point(bytesOf(y, time % 2)), y.toString(16)).toBe(isSquare);
      seen[`${isSquare}`]++;
    }
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(80);
  });

  test.for([
    ['all zeros', bytesOf(0n)],
    ['all zeros, and a sign', bytesOf(0n, 1)],
    ['the neutral one', bytesOf(1n)],
    ['of order 2', bytesOf(p - 1n)],
    ['of order 8', bytesOf(0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n)],
    [
      'of order 8, the other',
      bytesOf(0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n, 1),
    ],
    ['not reduced', bytesOf(p + 3n)],
    ['all ones', Buffer.alloc(32, 0xff)],
    ['not on the curve', bytesOf(2n)],
  ] as const)('that is %s is not signed', async ([, point]) => {
    expect(isEd25519Point(point)).toBe(false);
    const { sign } = await prepared();
    for (const key of [line('ssh-ed25519', point), line('sk-ssh-ed25519@openssh.com', point, 'ssh:')])
      await expect(sign({ public_key: key })).rejects.toMatchObject(
        rejected('failed to parse public_key as SSH key: its point is not a usable point of its curve'),
      );
  });
});
