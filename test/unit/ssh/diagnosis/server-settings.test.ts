import { expect, test } from 'vitest';
import {
  acceptsAlgorithm,
  matchesPattern,
  readEffectiveSettings,
  readSettingsFile,
} from '../../../../src/ssh/diagnosis/server-settings.ts';

test('reads sshd_config: the first value, several AllowUsers, Include, and Match blocks as conditional', () => {
  const included = (pattern: string): string =>
    pattern === 'conf.d/*' ? 'TrustedUserCAKeys /etc/ca.pub\n' : '';
  const settings = readSettingsFile(
    [
      '# comment',
      'Include conf.d/*',
      'trustedusercakeys /etc/other.pub',
      'AllowUsers = a b',
      'AllowUsers c',
      'RevokedKeys "/etc/ssh/revoked keys"',
      'Match User d',
      '  PubkeyAuthentication no',
    ].join('\r\n'),
    included,
  );
  expect(settings.values('trustedusercakeys')).toEqual(['/etc/ca.pub']);
  expect(settings.values('allowusers')).toEqual(['a b', 'c']);
  expect(settings.values('revokedkeys')).toEqual(['/etc/ssh/revoked keys']);
  expect(settings.values('pubkeyauthentication')).toEqual([]);
  expect(settings.conditional.has('pubkeyauthentication')).toBe(true);
});

test('ends with an Include that includes itself', () => {
  expect(readSettingsFile('Include a', () => 'Include a\nStrictModes no').values('strictmodes')).toEqual([
    'no',
  ]);
});

test('reads the output of sshd -T, where none is not set', () => {
  const settings = readEffectiveSettings('trustedusercakeys none\nallowusers a\nallowusers b\n');
  expect(settings.values('trustedusercakeys')).toEqual([]);
  expect(settings.values('allowusers')).toEqual(['a', 'b']);
});

test.each([
  ['ssh-ed25519,rsa-sha2-512', 'ssh-ed25519', true],
  ['rsa-*', 'ssh-ed25519', false],
  ['+ssh-rsa', 'ssh-rsa', true],
  ['+ssh-rsa', 'ssh-ed25519', undefined],
  ['-ssh-ed25519*', 'ssh-ed25519', false],
  ['-ssh-rsa', 'ssh-ed25519', undefined],
] as const)('evaluates the list of algorithms %s for %s', (list, algorithm, expected) => {
  expect(acceptsAlgorithm(list, algorithm)).toBe(expected);
});

test('matches patterns as text, not as regular expressions', () => {
  expect(matchesPattern('a.b*', 'a.bc')).toBe(true);
  expect(matchesPattern('a.b', 'axb')).toBe(false);
  expect(matchesPattern('u?er', 'user')).toBe(true);
});
