import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isFresh } from '../../../src/ssh/certificate-freshness.ts';
import { has } from '../../support/require.ts';
import { Keygen, kindNames, kinds } from './keygen.ts';

const hour = 3600;
/** 2030-01-01 00:00 UTC, in unix seconds. */
const begin = Date.UTC(2030, 0, 1) / 1000;
const life = ['-V', '20300101000000Z:20300101030000Z'];

describe.skipIf(!has('ssh-keygen'))('a certificate that is valid for three hours', () => {
  const keygen = new Keygen();
  const publicKey = (name: string) => keygen.read(`${name}.pub`);
  const certified = (name: string, ...options: readonly string[]) =>
    keygen.sign('ca', name, '-I', 'x', ...options);

  beforeAll(() => {
    keygen.make('ca', kinds.ed25519);
    for (const kind of kindNames) keygen.make(kind, kinds[kind]);
  });
  afterAll(() => keygen.remove());

  test.each(kindNames)('is fresh for its key of %s until a point between 1/4 and 2/3 of its life', (kind) => {
    const certificate = certified(kind, '-n', 'deploy', ...life);
    const seconds = Array.from({ length: 3 * hour }, (_each, second) => second);
    const due = seconds.find((second) => !isFresh(certificate, publicKey(kind), begin + second)) ?? 0;
    expect(due).toBeGreaterThanOrEqual((3 * hour) / 4);
    expect(due).toBeLessThanOrEqual(2 * hour);
    expect(isFresh(certificate, publicKey(kind), begin)).toBe(true);
    expect(isFresh(certificate, publicKey(kind), begin + due - 0.5)).toBe(true);
    expect(isFresh(certificate, publicKey(kind), begin + due)).toBe(false);
    expect(isFresh(certificate, publicKey(kind), begin + 4 * hour)).toBe(false);
  });

  test('is due at another time when it is signed again for the same key', () => {
    const due = () => {
      const certificate = certified('ed25519', '-n', 'deploy', ...life);
      for (let second = 0; ; second++)
        if (!isFresh(certificate, publicKey('ed25519'), begin + second)) return second;
    };
    expect(new Set([due(), due(), due(), due()]).size).toBeGreaterThan(1);
  });

  test('is not fresh before it begins', () => {
    expect(isFresh(certified('ed25519', ...life), publicKey('ed25519'), begin - 1)).toBe(false);
  });

  test('is not fresh for another key, of the same type or not', () => {
    keygen.make('other', kinds.ed25519);
    const certificate = certified('ed25519', ...life);
    for (const name of ['other', 'rsa', 'ca']) {
      expect(isFresh(certificate, publicKey(name), begin)).toBe(false);
    }
  });

  test('is not fresh where other principals or another kind is wanted', () => {
    const certificate = certified('ed25519', '-n', 'deploy,admin', ...life);
    const fresh = (wanted: Parameters<typeof isFresh>[3]) =>
      isFresh(certificate, publicKey('ed25519'), begin, wanted);
    expect(fresh({ principals: ['admin', 'deploy', 'admin'], kind: 'user' })).toBe(true);
    expect(fresh({ principals: ['admin'] })).toBe(false);
    expect(fresh({ principals: ['admin', 'root'] })).toBe(false);
    expect(fresh({ kind: 'host' })).toBe(false);
  });

  test('is not fresh when it is cut short, or no certificate at all', () => {
    const certificate = certified('ed25519', ...life);
    expect(isFresh(certificate.slice(0, -40), publicKey('ed25519'), begin)).toBe(false);
    expect(isFresh(publicKey('ed25519'), publicKey('ed25519'), begin)).toBe(false);
    expect(isFresh(certificate, certificate, begin)).toBe(false);
    for (const text of ['', 'hello', 'ssh-ed25519 AAAA']) {
      expect(isFresh(text, publicKey('ed25519'), begin)).toBe(false);
      expect(isFresh(certificate, text, begin)).toBe(false);
    }
  });

  test('is fresh for ever when it never ends', () => {
    const certificate = certified('ed25519', '-V', '20300101000000Z:forever');
    expect(isFresh(certificate, publicKey('ed25519'), begin + 1e9)).toBe(true);
  });
});
