import { execFileSync } from 'node:child_process';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../../../../src/wire/json.ts';
import { has } from '../../../../support/require.ts';
import { decorated, errorOf } from '../engine-calls.ts';
import { keyFolder, type Mount, mount, show, signWith } from './harness.ts';

const keys = keyFolder();
afterAll(keys.remove);

let ssh: Mount;
beforeEach(() => {
  ssh = mount();
});

const configured = '400 keys are already configured; delete them before reconfiguring';

describe.skipIf(!has('ssh-keygen'))('a generated CA', () => {
  it.each<[Record<string, Json>, string, number]>([
    [{}, 'ssh-rsa', 4096],
    [{ key_type: 'rsa', key_bits: 2048 }, 'ssh-rsa', 2048],
    [{ key_type: 'ssh-rsa', key_bits: '3072' }, 'ssh-rsa', 3072],
    [{ key_type: 'ec' }, 'ecdsa-sha2-nistp256', 256],
    [{ key_type: 'ec', key_bits: 384 }, 'ecdsa-sha2-nistp384', 384],
    [{ key_type: 'ec', key_bits: 521 }, 'ecdsa-sha2-nistp521', 521],
    [{ key_type: 'ecdsa-sha2-nistp256', key_bits: 9 }, 'ecdsa-sha2-nistp256', 256],
    [{ key_type: 'ecdsa-sha2-nistp384' }, 'ecdsa-sha2-nistp384', 384],
    [{ key_type: 'ecdsa-sha2-nistp521' }, 'ecdsa-sha2-nistp521', 521],
    [{ key_type: 'ed25519' }, 'ssh-ed25519', 256],
    [{ key_type: 'ssh-ed25519', generate_signing_key: true }, 'ssh-ed25519', 256],
  ])('of %j is a %s key of %i bits', async (body, type, bits) => {
    const response = await ssh.write('config/ca', body);
    const publicKey = String(response?.data?.public_key);
    expect(publicKey).toMatch(new RegExp(`^${type} [A-Za-z0-9+/=]+\n$`));
    const listed = execFileSync('ssh-keygen', ['-l', '-f', '-'], { input: publicKey, encoding: 'utf8' });
    expect(listed).toMatch(new RegExp(`^${bits} `));
    expect(await ssh.read('config/ca')).toEqual({ public_key: publicKey });
    expect((await ssh.call('read', 'public_key', {}, { displayName: '' }))?.text).toEqual({
      contentType: 'text/plain',
      body: publicKey,
    });
  });

  it.each<[Record<string, Json>, string]>([
    [{ key_type: 'pgp' }, `500 ${decorated('unknown ssh key pair algorithm: pgp')}`],
    [
      { key_type: 'rsa', key_bits: 1024 },
      '400 key_bits of an RSA key must be between 2048 and 8192, not 1024',
    ],
    [
      { key_type: 'rsa', key_bits: 65536 },
      '400 key_bits of an RSA key must be between 2048 and 8192, not 65536',
    ],
    [{ key_type: 'ec', key_bits: 224 }, '400 key_bits of an ec key must be 256, 384 or 521, not 224'],
    [
      { generate_signing_key: true, public_key: 'x' },
      '400 public_key and private_key must not be set when generate_signing_key is set to true',
    ],
    [
      { private_key: 'x' },
      '400 only one of public_key and private_key set; both must be set to use, or both must be blank to auto-generate',
    ],
    [
      { managed_key_name: 'hsm' },
      '400 managed keys are not available: no managed key is configured in this service',
    ],
    [
      { managed_key_id: '7', private_key: 'x' },
      '400 managed keys are not available: no managed key is configured in this service',
    ],
    [
      { key_bits: 'many' },
      '400 Field validation failed: error converting input for field "key_bits": expected an integer, got an invalid string',
    ],
  ])('of %j is rejected', async (body, rejection) => {
    expect(await errorOf(ssh.write('config/ca', body))).toBe(rejection);
    expect(await errorOf(ssh.read('config/ca'))).toBe("400 keys haven't been configured yet");
  });

  it('does not block the event loop during generation', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await ssh.write('config/ca', { key_type: 'rsa', key_bits: 4096 });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });

  it('returns a warning about ignored fields', async () => {
    const response = await ssh.write('config/ca', { key_type: 'ed25519', shape: 1, color: 2 });
    expect(response?.warnings).toEqual(['Endpoint ignored these unrecognized parameters: [color shape]']);
  });
});

describe('CA information', () => {
  it('does not exist before it is submitted', async () => {
    expect(await errorOf(ssh.read('config/ca'))).toBe("400 keys haven't been configured yet");
    expect(await errorOf(ssh.read('public_key'))).toBe('404');
    expect(await ssh.call('delete', 'config/ca')).toBeUndefined();
  });

  it('is replaced only after it was deleted', async () => {
    await ssh.call('create', 'config/ca', { key_type: 'ed25519' });
    const before = await ssh.read('config/ca');
    expect(await errorOf(ssh.write('config/ca', { key_type: 'ed25519' }))).toBe(configured);
    expect(await errorOf(ssh.write('config/ca', { managed_key_name: 'hsm' }))).toBe(configured);
    expect(await ssh.read('config/ca')).toEqual(before);
    expect(await ssh.call('delete', 'config/ca')).toBeUndefined();
    expect(await errorOf(ssh.read('public_key'))).toBe('404');
    await ssh.write('config/ca', { key_type: 'ed25519' });
    expect(await ssh.read('config/ca')).not.toEqual(before);
  });

  it('is submitted once by two concurrent requests', async () => {
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => errorOf(ssh.write('config/ca', { key_type: 'ec' }))),
    );
    expect(outcomes.filter((outcome) => outcome === configured)).toHaveLength(2);
  });

  it('shows its private key in no response', async () => {
    const responses = [await ssh.write('config/ca', { key_type: 'ec' }), await ssh.call('read', 'config/ca')];
    await ssh.write('roles/any', { key_type: 'ca', allow_user_certificates: true });
    expect(JSON.stringify(responses)).not.toMatch(/private/i);
    expect(ssh.storage.keys('')).toEqual(['ca', 'role/any']);
  });

  it('is loaded by an engine that starts on the same storage', async () => {
    await ssh.write('config/ca', { key_type: 'ed25519' });
    const restarted = mount(ssh.storage);
    expect(await restarted.read('config/ca')).toEqual(await ssh.read('config/ca'));
  });

  it.skipIf(!has('ssh-keygen'))('replaced in the storage by another engine is used for signing', async () => {
    const { public: publicKey } = keys.keygen('-t ed25519');
    await ssh.write('config/ca', { key_type: 'ed25519' });
    await signWith(ssh, publicKey);
    const other = mount(ssh.storage);
    await other.call('delete', 'config/ca');
    await other.write('config/ca', { key_type: 'ec' });
    expect(show(await signWith(ssh, publicKey)).algorithm).toBe('ecdsa-sha2-nistp256');
  });

  it('returns its public key without a token', () => {
    expect(ssh.engine.access('read', 'public_key')).toBe('none');
    expect(ssh.engine.access('read', 'config/ca')).toBe('token');
    expect(ssh.engine.type).toBe('ssh');
  });
});
