import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { has } from '../../../../support/require.ts';
import { decorated, errorOf, keyFolder, type Mount, mount, show } from './harness.ts';

describe.skipIf(!has('ssh-keygen'))('signing where there is no CA', () => {
  const keys = keyFolder();
  afterAll(keys.remove);

  let body = { public_key: '', valid_principals: 'ubuntu' };
  beforeAll(() => {
    body = { ...body, public_key: keys.keygen('-t ed25519').public };
  });

  let ssh: Mount;
  beforeEach(async () => {
    ssh = mount();
    await ssh.write('roles/r', { key_type: 'ca', allow_user_certificates: true, allowed_users: 'ubuntu' });
  });

  it('is a create, and an update once there is a CA; no other path distinguishes them', async () => {
    expect(ssh.engine.exists('sign/r')).toBe(false);
    await ssh.write('config/ca', { key_type: 'ed25519' });
    expect(ssh.engine.exists('sign/r')).toBe(true);
    for (const path of ['config/ca', 'roles/r', 'issue/r', 'creds/r', 'sign']) {
      expect(ssh.engine.exists(path)).toBeUndefined();
    }
  });

  it('generates one CA with the defaults, however many requests create it concurrently', async () => {
    const signed = await Promise.all([1, 2].map(() => ssh.call('create', 'sign/r', body)));
    const authorities = signed.map((response) => show(String(response?.data?.signed_key)).ca);
    expect(new Set(authorities).size).toBe(1);
    expect(authorities[0]).toMatch(/^RSA /);
    expect(signed[0]?.warnings).toEqual(['the mount had no CA; one was generated with the default settings']);
    expect((await ssh.call('create', 'sign/r', body))?.warnings).toEqual([]);
    expect(show(await ssh.sign('r', body)).ca).toBe(authorities[0]);
  });

  it('generates none for a rejected request', async () => {
    expect(await errorOf(ssh.call('create', 'sign/r', { ...body, valid_principals: 'root' }))).toBe(
      '400 root is not a valid value for valid_principals',
    );
    expect(ssh.storage.keys('')).toEqual(['role/r']);
  });

  it('fails as an update', async () => {
    expect(await errorOf(ssh.call('update', 'sign/r', body))).toBe(
      `500 ${decorated('error creating signer: no keys configured')}`,
    );
    expect(ssh.storage.keys('')).toEqual(['role/r']);
  });
});
