import { execFileSync } from 'node:child_process';
import { createECDH, generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../../../../src/wire/json.ts';
import { has } from '../../../../support/require.ts';
import { errorOf } from '../engine-calls.ts';
import {
  fingerprint,
  keyFolder,
  line,
  type Mount,
  makesDsa,
  mount,
  mountWithCa,
  noon,
  show,
} from './harness.ts';

const keys = keyFolder();
afterAll(keys.remove);

const authorities: readonly (readonly [Record<string, Json>, string])[] = [
  [{ key_type: 'rsa', key_bits: 2048 }, 'rsa-sha2-256'],
  [{ key_type: 'ec', key_bits: 256 }, 'ecdsa-sha2-nistp256'],
  [{ key_type: 'ec', key_bits: 384 }, 'ecdsa-sha2-nistp384'],
  [{ key_type: 'ec', key_bits: 521 }, 'ecdsa-sha2-nistp521'],
  [{ key_type: 'ed25519' }, 'ssh-ed25519'],
];

const subjects: readonly (readonly [string, () => string])[] = [
  ['ssh-rsa', () => keys.keygen('-t rsa -b 2048').public],
  ...(makesDsa() ? ([['ssh-dss', () => keys.keygen('-t dsa').public]] as const) : []),
  ['ecdsa-sha2-nistp256', () => keys.keygen('-t ecdsa -b 256').public],
  ['ecdsa-sha2-nistp384', () => keys.keygen('-t ecdsa -b 384').public],
  ['ecdsa-sha2-nistp521', () => keys.keygen('-t ecdsa -b 521').public],
  ['ssh-ed25519', () => keys.keygen('-t ed25519').public],
  ['sk-ssh-ed25519@openssh.com', securityKeyEd25519],
  ['sk-ecdsa-sha2-nistp256@openssh.com', securityKeyP256],
];

function securityKeyEd25519(): string {
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  return line('sk-ssh-ed25519@openssh.com', Buffer.from(x, 'base64url'), 'ssh:');
}

function securityKeyP256(): string {
  return line(
    'sk-ecdsa-sha2-nistp256@openssh.com',
    'nistp256',
    createECDH('prime256v1').generateKeys(),
    'ssh:',
  );
}

const role = {
  key_type: 'ca',
  allow_user_certificates: true,
  allow_host_certificates: true,
  allowed_users: '*',
  allowed_domains: 'example.com',
  allow_subdomains: true,
  allow_user_key_ids: true,
  allowed_extensions: '*',
};

describe.skipIf(!has('ssh-keygen')).each(authorities)('a certificate of a CA %j', (ca, algorithm) => {
  let ssh: Mount;
  beforeAll(async () => {
    ssh = mount();
    await ssh.write('config/ca', ca);
    await ssh.write('roles/any', role);
  });

  it.each(subjects)('for a %s key can be read by ssh-keygen', async (type, make) => {
    const publicKey = make();
    const response = await ssh.call('create', 'sign/any', {
      public_key: publicKey,
      valid_principals: 'ubuntu,deploy',
      ttl: '1h',
      key_id: 'build 7',
      critical_options: { 'source-address': '10.0.0.0/8', 'force-command': '/bin/date' },
      extensions: { 'permit-pty': '', 'permit-X11-forwarding': '' },
    });
    expect(response?.lease).toBeUndefined();
    expect(response?.warnings ?? []).toEqual([]);
    const certificate = String(response?.data?.signed_key);
    expect(certificate).toMatch(/^\S+ [A-Za-z0-9+/=]+\n$/);
    const { public_key: caKey } = await ssh.read('config/ca');
    expect(show(certificate)).toEqual({
      type: `${type.replace('@openssh.com', '')}-cert-v01@openssh.com`,
      kind: 'user',
      publicKey: expect.stringContaining(fingerprint(publicKey)),
      ca: expect.stringContaining(fingerprint(String(caKey))),
      algorithm,
      keyId: 'build 7',
      serial: BigInt(`0x${response?.data?.serial_number}`).toString(),
      valid: 'from 2026-03-04T11:59:30 to 2026-03-04T13:00:00',
      principals: ['ubuntu', 'deploy'],
      criticalOptions: ['force-command /bin/date', 'source-address 10.0.0.0/8'],
      extensions: ['permit-X11-forwarding', 'permit-pty'],
    });
  });
});

describe.skipIf(!has('ssh-keygen'))('the signature', () => {
  let rsaCa: Mount;
  beforeAll(async () => {
    rsaCa = mount();
    await rsaCa.write('config/ca', { key_type: 'rsa', key_bits: 2048 });
  });

  it.each([
    ['default', 'rsa-sha2-256'],
    ['', 'rsa-sha2-256'],
    ['rsa-sha2-256', 'rsa-sha2-256'],
    ['rsa-sha2-512', 'rsa-sha2-512'],
    ['ssh-rsa', 'ssh-rsa'],
  ])('of an RSA CA follows algorithm_signer %j', async (signer, algorithm) => {
    await rsaCa.write('roles/any', { ...role, algorithm_signer: signer });
    const certificate = await rsaCa.sign('any', {
      public_key: keys.keygen('-t ed25519').public,
      valid_principals: 'ubuntu',
    });
    expect(show(certificate).algorithm).toBe(algorithm);
  });

  it('of another CA rejects an RSA algorithm', async () => {
    const ssh = await mountWithCa();
    await ssh.write('roles/any', { ...role, algorithm_signer: 'rsa-sha2-256' });
    const body = { public_key: keys.keygen('-t ed25519').public, valid_principals: 'ubuntu' };
    expect(await errorOf(ssh.sign('any', body))).toBe(
      "400 algorithm_signer 'rsa-sha2-256' requires an RSA CA key, but the CA key is ssh-ed25519; set it to 'default' in the role",
    );
  });

  it('is signed by the new CA after the CA was replaced', async () => {
    const ssh = await mountWithCa();
    await ssh.write('roles/any', role);
    const body = { public_key: keys.keygen('-t ed25519').public, valid_principals: 'ubuntu' };
    await ssh.sign('any', body);
    await ssh.call('delete', 'config/ca');
    await ssh.write('config/ca', { key_type: 'ec' });
    expect(show(await ssh.sign('any', body)).algorithm).toBe('ecdsa-sha2-nistp256');
  });

  it('permits a certified key to sign as its principals only', async () => {
    const ssh = await mountWithCa();
    await ssh.write('roles/any', role);
    const key = keys.keygen('-t ed25519');
    const body = { public_key: key.public, valid_principals: 'ubuntu' };
    writeFileSync(`${key.file}-cert.pub`, await ssh.sign('any', body, { now: new Date() }));
    const message = join(keys.folder, 'message');
    writeFileSync(message, 'hello');
    const signers = join(keys.folder, 'signers');
    const { public_key: caKey } = await ssh.read('config/ca');
    writeFileSync(signers, `ubuntu,deploy cert-authority ${caKey}`);
    execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-n', 'file', '-f', `${key.file}-cert.pub`, message]);
    const verify = (principal: string) =>
      execFileSync(
        'ssh-keygen',
        ['-Y', 'verify', '-f', signers, '-I', principal, '-n', 'file', '-s', `${message}.sig`],
        { input: 'hello', encoding: 'utf8', stdio: 'pipe' },
      );
    expect(verify('ubuntu')).toContain('Good "file" signature');
    expect(() => verify('deploy')).toThrow();
  });
});

describe.skipIf(!has('ssh-keygen'))('a certificate', () => {
  let ssh: Mount;
  const key = { public: '' };
  beforeAll(async () => {
    ssh = await mountWithCa();
    await ssh.write('roles/any', role);
    key.public = keys.keygen('-t ed25519').public;
  });

  it('can be a host certificate', async () => {
    const body = { public_key: key.public, cert_type: 'host', valid_principals: 'a.example.com' };
    expect(show(await ssh.sign('any', body))).toMatchObject({
      kind: 'host',
      principals: ['a.example.com'],
      criticalOptions: [],
      extensions: [],
    });
  });

  it('has a serial of 64 random bits, in hex without leading zeros', async () => {
    const serials = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const response = await ssh.write('sign/any', { public_key: key.public, valid_principals: 'ubuntu' });
        return String(response?.data?.serial_number);
      }),
    );
    expect(new Set(serials).size).toBe(200);
    expect(serials.every((serial) => /^[1-9a-f][0-9a-f]{0,15}$/.test(serial))).toBe(true);
    expect(serials.some((serial) => serial.length < 16)).toBe(true);
    expect(serials.some((serial) => serial >= '8'.padEnd(16, '0') && serial.length === 16)).toBe(true);
  });

  it('supports text beyond ASCII and sorts option names by bytes', async () => {
    const body = {
      public_key: key.public,
      valid_principals: 'jürgen,日本',
      extensions: { z: '', Z: '', 'ä@example.com': 'wert', a: '' },
    };
    const shown = show(await ssh.sign('any', body));
    expect(shown.principals).toHaveLength(2);
    expect(shown.extensions.map((item) => item.slice(0, 1))).toEqual(['Z', 'a', 'z', 'ä']);
  });

  it('may begin before 1970', async () => {
    await ssh.write('roles/old', { ...role, not_before_duration: '2000000h' });
    const body = { public_key: key.public, valid_principals: 'ubuntu', ttl: 60 };
    expect(show(await ssh.sign('old', body)).valid).toBe('before 2026-03-04T12:01:00');
  });

  it('starts and ends at full seconds', async () => {
    const now = new Date(noon.getTime() + 999);
    const body = { public_key: key.public, valid_principals: 'ubuntu', ttl: 60 };
    expect(show(await ssh.sign('any', body, { now })).valid).toBe(
      'from 2026-03-04T11:59:30 to 2026-03-04T12:01:00',
    );
  });

  it('has at most as many principals as OpenSSH reads', async () => {
    const names = Array.from({ length: 257 }, (_, index) => `u${index}`);
    const full = await ssh.sign('any', { public_key: key.public, valid_principals: names.slice(1).join() });
    expect(show(full).principals).toHaveLength(256);
    expect(await errorOf(ssh.sign('any', { public_key: key.public, valid_principals: names.join() }))).toBe(
      '400 valid_principals contains more than 256 names',
    );
  });
});
