import { expect, test } from 'vitest';
import { isClientLog, readClientLog } from '../../../../src/ssh/diagnosis/client-log.ts';
import { readServerLog } from '../../../../src/ssh/diagnosis/server-log.ts';

// Lines as OpenSSH 9.2 writes them; test/e2e/ssh-doctor*.test.ts reads those of the installed version.

const offer = (path: string, type: string, from = 'explicit'): string =>
  `debug1: Offering public key: ${path} ${type} SHA256:abc ${from}`;

test('reads the keys that were offered, with spaces in their paths', () => {
  const log = [
    offer('/home/a b/id', 'ED25519'),
    offer('/home/a b/id', 'ED25519-CERT', 'agent'),
    'debug1: Server accepts key: /home/a b/id ED25519-CERT SHA256:abc agent',
  ].join('\r\n');
  expect(readClientLog(log).offers).toEqual([
    {
      path: '/home/a b/id',
      type: 'ED25519',
      fingerprint: 'SHA256:abc',
      isFromAgent: false,
      isAccepted: false,
    },
    {
      path: '/home/a b/id',
      type: 'ED25519-CERT',
      fingerprint: 'SHA256:abc',
      isFromAgent: true,
      isAccepted: true,
    },
  ]);
});

test('reads the part of the host behind jump hosts, and of the jump host that fails', () => {
  const first = 'Authenticated to jump ([192.0.2.1]:22) using "publickey".';
  const second = 'Authenticated to web (via proxy) using "publickey".';
  const denied = 'a@web: Permission denied (publickey).';
  expect(readClientLog(`${offer('j', 'RSA')}\n${first}\n${offer('w', 'RSA')}\n${denied}`, 1)).toMatchObject({
    authenticated: 1,
    isDenied: true,
    offers: [{ path: 'w' }],
  });
  expect(readClientLog(`${offer('j', 'RSA')}\n${denied}`, 1)).toMatchObject({
    authenticated: 0,
    offers: [{ path: 'j' }],
  });
  expect(readClientLog(`${first}\n${second}\n`, 1)).toMatchObject({ authenticated: 2, isDenied: false });
});

test('reads a second factor, and a text before the identification of the host', () => {
  expect(readClientLog('Authenticated using "publickey" with partial success.').isPartial).toBe(true);
  const banner =
    'debug1: kex_exchange_identification: banner line 0: Welcome\ndebug1: Remote protocol version 2.0, remote software version x';
  expect(readClientLog(banner).network).toBeUndefined();
  expect(
    readClientLog('debug1: kex_exchange_identification: banner line 0: Not allowed at this time').network,
  ).toMatchObject({ kind: 'closed' });
});

test('reads an empty log', () => {
  expect(readClientLog('')).toMatchObject({
    authenticated: 0,
    network: undefined,
    methods: undefined,
    offers: [],
  });
  expect(readServerLog('', 'ubuntu')).toBeUndefined();
  expect(isClientLog('')).toBe(false);
});

test('reads the connection of the user by the process, of lines that are mixed', () => {
  const log = [
    'Nov 27 20:45:27 web1 sshd[11]: Connection from 192.0.2.7 port 1 on 192.0.2.1 port 22 rdomain ""',
    'Nov 27 20:45:27 web1 sshd[12]: Connection from 192.0.2.8 port 1 on 192.0.2.1 port 22 rdomain ""',
    'Nov 27 20:45:27 web1 sshd[11]: Certificate invalid: expired',
    'Nov 27 20:45:28 web1 sshd[12]: Certificate lacks principal list',
    'Nov 27 20:45:28 web1 sshd[11]: Failed publickey for ubuntu from 192.0.2.7 port 1 ssh2: ED25519-CERT SHA256:k ID x (serial 0) CA ED25519 SHA256:ca',
    'Nov 27 20:45:28 web1 sshd[12]: Connection closed by authenticating user admin 192.0.2.8 port 1 [preauth]',
  ].join('\n');
  expect(readServerLog(log, 'ubuntu')).toMatchObject({
    user: 'ubuntu',
    address: '192.0.2.7',
    isAccepted: false,
    failedCa: 'SHA256:ca',
    reasons: [{ kind: 'expired' }],
  });
  expect(readServerLog(log, 'admin')).toMatchObject({
    address: '192.0.2.8',
    reasons: [{ kind: 'no principals' }],
  });
  expect(readServerLog(log, 'nobody')).toBeUndefined();
});

test('reads the log of lanyard ssh verify --pam', () => {
  const line = 'rejected "ubuntu" from "192.0.2.7": invalid one-time password: unknown or already used\n';
  expect(readServerLog(line, 'ubuntu')).toMatchObject({
    user: 'ubuntu',
    reasons: [{ kind: 'one-time password', values: ['invalid one-time password: unknown or already used'] }],
  });
});
