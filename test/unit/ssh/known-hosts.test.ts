import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { knownHostsCaLine } from '../../../src/ssh/known-hosts.ts';
import { has } from '../../support/require.ts';
import { Keygen, kinds, rejection } from './keygen.ts';

describe.skipIf(!has('ssh-keygen'))('the known_hosts line of a CA', () => {
  const keygen = new Keygen();
  let ca = '';
  beforeAll(() => {
    keygen.make('ca', kinds.ed25519);
    ca = keygen.read('ca.pub');
  });
  afterAll(() => keygen.remove());

  test('names the hosts, and ssh-keygen finds the CA for them', () => {
    const line = knownHostsCaLine(
      ['*.example.com', '!test.example.com', '[bastion]:2222', '2001:db8::1'],
      ca,
    );
    expect(line).toBe(
      `@cert-authority *.example.com,!test.example.com,[bastion]:2222,2001:db8::1 ${ca.trimEnd()}`,
    );
    keygen.write('known_hosts', `${line}\n`);
    const find = (host: string) =>
      spawnSync('ssh-keygen', ['-F', host, '-f', 'known_hosts'], { cwd: keygen.folder }).stdout.toString();
    for (const host of ['web.example.com', '[bastion]:2222', '2001:db8::1'])
      expect(find(host)).toContain('CA');
    for (const host of ['test.example.com', 'example.org', 'bastion']) expect(find(host)).toBe('');
  });

  test.each([
    [[], 'at least one host pattern must not begin with'],
    [['!a'], 'at least one host pattern must not begin with'],
    [[''], 'invalid host pattern ""'],
    [['a,b'], 'invalid host pattern "a,b"'],
    [['a b'], 'invalid host pattern "a b"'],
    [['a\n@revoked'], 'invalid host pattern "a\\n@revoked"'],
    [['#a'], 'invalid host pattern "#a"'],
    [['|1|salt|hash'], 'invalid host pattern "|1|salt|hash"'],
    [['[a]'], 'invalid host pattern "[a]"'],
  ])('%j is rejected: %s', async (patterns, message) => {
    expect((await rejection(() => knownHostsCaLine(patterns, ca))).message).toContain(message);
  });

  test.each([
    ['ca', 'is not an SSH public key'],
    ['ca-cert.pub', 'is a certificate'],
    ['cut.pub', 'is damaged: unexpected end of data'],
  ])('%s is no public key: it %s', async (name, message) => {
    keygen.sign('ca', 'ca', '-I', 'x');
    keygen.write('cut.pub', ca.split(' ', 2).join(' ').slice(0, -4));
    const error = await rejection(() => knownHostsCaLine(['*'], keygen.read(name)));
    expect(error.message).toContain(`the CA's public key ${message}`);
  });
});
