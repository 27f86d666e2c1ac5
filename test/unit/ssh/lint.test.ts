import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keys } from '../../../src/ssh/keys.ts';
import { has } from '../../support/require.ts';
import { Keygen, kinds } from './keygen.ts';

const now = Date.UTC(2030, 0, 1, 1) / 1000;
const begin = '20300101000000Z';
const fine = ['-n', 'deploy', '-V', `${begin}:20300101080000Z`];

describe.skipIf(!has('ssh-keygen'))('lint of what ssh-keygen made', () => {
  const keygen = new Keygen();
  beforeAll(() => {
    for (const name of ['ca', 'key']) keygen.make(name, kinds.ed25519);
    keygen.make('rsa', kinds.rsa);
    keygen.make('short', ['-t', 'rsa', '-b', '1024']);
  });
  afterAll(() => keygen.remove());

  const rules = async (text: string): Promise<string[]> =>
    (await keys.lint(await keys.inspect(text, 'x'), now)).map(({ severity, rule }) => `${severity} ${rule}`);
  const certified = (...options: readonly string[]) => keygen.sign('ca', 'key', '-I', 'x', ...options);

  test('finds nothing in a certificate as it should be', async () => {
    expect(await rules(certified(...fine))).toEqual([]);
    expect(await rules(certified('-h', '-n', 'web1', '-V', `${begin}:20300601000000Z`))).toEqual([]);
    expect(await rules(keygen.read('key.pub'))).toEqual([]);
    expect(await rules(keygen.read('key'))).toEqual([]);
  });

  test.each([
    ['valid for any user', ['-V', fine[3]], ['error any-principal']],
    ['valid for ever', ['-n', 'a', '-V', 'always:forever'], ['error forever']],
    ['expired', ['-n', 'a', '-V', '20290101000000Z:20290101080000Z'], ['error expired']],
    ['not valid yet', ['-n', 'a', '-V', '20310101000000Z:20310101080000Z'], ['warning not-yet-valid']],
    ['about to expire', ['-n', 'a', '-V', `${begin}:20300101013000Z`], ['warning expiring']],
    ['long-lived', ['-n', 'a', '-V', `${begin}:20310101000000Z`], ['warning long-lived']],
    ['a wildcard for users', ['-n', 'a,*', '-V', fine[3]], ['warning wildcard']],
    ['a wildcard for hosts', ['-h', '-n', '*.example.com', '-V', fine[3]], ['warning wildcard']],
    ['any host', ['-h', '-n', '*', '-V', fine[3]], ['error wildcard']],
    ['an unknown critical option', [...fine, '-O', 'critical:strict@example.com'], ['error critical-option']],
    ['every address', [...fine, '-O', 'source-address=0.0.0.0/0'], ['warning source-address']],
    ['no extensions', [...fine, '-O', 'clear'], ['warning extensions']],
  ] as [string, string[], string[]][])('finds %s', async (_what, options, found) => {
    expect(await rules(certified(...options))).toEqual(found);
  });

  test('finds SHA-1, a short key, and a key that signed itself', async () => {
    expect(await rules(keygen.sign('rsa', 'key', '-I', 'x', '-t', 'ssh-rsa', ...fine))).toEqual([
      'error sha1',
    ]);
    expect(await rules(keygen.sign('ca', 'short', '-I', 'x', ...fine))).toEqual(['error weak-key']);
    expect(await rules(keygen.read('short.pub'))).toEqual(['error weak-key']);
    expect(await rules(keygen.sign('ca', 'ca', '-I', 'x', ...fine))).toEqual(['error self-signed']);
  });

  test('finds a signature that does not verify', async () => {
    const [type, base64 = ''] = certified(...fine).split(' ');
    const blob = Buffer.from(base64, 'base64');
    blob.writeUInt8((blob.at(-1) ?? 0) ^ 1, blob.length - 1);
    expect(await rules(`${type} ${blob.toString('base64')}`)).toEqual(['error signature']);
  });
});
