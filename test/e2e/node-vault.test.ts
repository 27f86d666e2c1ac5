import nodeVault from 'node-vault';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseCertificate } from '../../src/ssh/certificate.ts';
import { homeForAll, homeForTest, servicesForAll, servicesForTest } from '../support/command-tests.ts';
import { keyPair } from '../support/keys.ts';

// A client that was written for another server, by others: it sends `X-Vault-Token`, `LIST` and its own bodies.

const at = homeForAll();
const running = servicesForAll(at);
let vault: nodeVault.client;

beforeAll(async () => {
  vault = client(running.rootToken);
});

const client = (token = '', options: nodeVault.VaultOptions = {}) =>
  nodeVault({ endpoint: running.addresses.secrets, token, ...options });

/** The error of the client for a rejected request. */
const rejected = (statusCode: number, message: string) =>
  expect.objectContaining({ message, response: expect.objectContaining({ statusCode }) });

describe('node-vault', () => {
  test('reads the status of the service', async () => {
    expect(await vault.health()).toMatchObject({ initialized: true, sealed: false, standby: false });
    expect(await vault.status()).toMatchObject({ type: 'shamir', sealed: false, t: 1, n: 1, progress: 0 });
    expect(await vault.initialized()).toEqual({ initialized: true });
    expect((await vault.mounts()).data).toMatchObject({
      'secret/': { type: 'kv', options: { version: '2' } },
      'ssh/': { type: 'ssh' },
    });
    expect((await vault.tokenLookupSelf()).data).toMatchObject({ id: running.rootToken, policies: ['root'] });
  });

  test('initializes, unseals and seals a service of its own', async () => {
    const fresh = await servicesForTest(homeForTest(), { uninitialized: true });
    const stranger = nodeVault({ endpoint: fresh.addresses.secrets });
    expect(await stranger.initialized()).toEqual({ initialized: false });
    expect(await stranger.health()).toMatchObject({ initialized: false, sealed: true });
    const made = await stranger.init({ secret_shares: 3, secret_threshold: 2 });
    expect(made.keys).toHaveLength(3);
    expect(await stranger.unseal({ key: made.keys[2] })).toMatchObject({ sealed: true, progress: 1 });
    expect(await stranger.unseal({ key: made.keys[0] })).toMatchObject({ sealed: false });
    stranger.token = made.root_token;
    await stranger.write('secret/data/a', { data: { b: 'c' } });
    await stranger.seal();
    expect(await stranger.health()).toMatchObject({ initialized: true, sealed: true });
    await expect(stranger.read('secret/data/a')).rejects.toEqual(rejected(503, 'secrets service is sealed'));
  });

  test('writes, reads, lists and deletes in a key-value mount of version 1', async () => {
    await vault.mount({ mount_point: 'plain', type: 'kv', options: { version: '1' } });
    const secret = { user: 'u', password: 'ü"\\', port: 5432, nested: { list: [1, null] } };
    await vault.write('plain/app/db', secret);
    await vault.write('plain/top', { a: 'b' });
    expect((await vault.read('plain/app/db')).data).toEqual(secret);
    expect((await vault.list('plain')).data).toEqual({ keys: ['app/', 'top'] });
    expect((await vault.list('plain/app')).data).toEqual({ keys: ['db'] });
    await vault.delete('plain/app/db');
    await expect(vault.read('plain/app/db')).rejects.toEqual(rejected(404, 'Status 404'));
    await expect(vault.list('plain/app')).rejects.toEqual(rejected(404, 'Status 404'));
    expect((await vault.list('plain')).data).toEqual({ keys: ['top'] });
  });

  test('does the same with versions in a mount of version 2', async () => {
    const first = await vault.write('secret/data/app/db', { data: { password: 'one' }, options: { cas: 0 } });
    expect(first.data).toMatchObject({ version: 1, destroyed: false, deletion_time: '' });
    expect((await vault.write('secret/data/app/db', { data: { password: 'two' } })).data.version).toBe(2);
    expect((await vault.update('secret/data/app/db', { data: { user: 'u' } })).data.version).toBe(3);
    expect((await vault.read('secret/data/app/db')).data).toMatchObject({
      data: { password: 'two', user: 'u' },
      metadata: { version: 3 },
    });
    expect((await vault.read('secret/data/app/db?version=1')).data.data).toEqual({ password: 'one' });
    await expect(
      vault.write('secret/data/app/db', { data: { password: 'x' }, options: { cas: 1 } }),
    ).rejects.toEqual(rejected(400, 'check-and-set parameter did not match the current version'));
    expect((await vault.list('secret/metadata')).data).toEqual({ keys: ['app/'] });
    expect((await vault.list('secret/metadata/app')).data).toEqual({ keys: ['db'] });
    await vault.delete('secret/data/app/db');
    await expect(vault.read('secret/data/app/db')).rejects.toMatchObject({
      response: { statusCode: 404, body: { data: { data: null, metadata: { version: 3 } } } },
    });
    await vault.write('secret/undelete/app/db', { versions: [3] });
    expect((await vault.read('secret/data/app/db')).data.data).toEqual({ password: 'two', user: 'u' });
    await vault.write('secret/destroy/app/db', { versions: [1] });
    expect((await vault.read('secret/metadata/app/db')).data).toMatchObject({
      current_version: 3,
      versions: { 1: { destroyed: true }, 3: { destroyed: false, deletion_time: '' } },
    });
    await vault.delete('secret/metadata/app/db');
    await expect(vault.list('secret/metadata')).rejects.toEqual(rejected(404, 'Status 404'));
  });

  test('lists by GET, too, where it may not use LIST', async () => {
    await vault.write('secret/data/one', { data: {} });
    const tame = client(running.rootToken, { noCustomHTTPVerbs: true });
    expect((await tame.list('secret/metadata')).data).toEqual((await vault.list('secret/metadata')).data);
  });

  test('gets a signed certificate', async () => {
    const ca = { generate_signing_key: true, key_type: 'ed25519' };
    const { data: authority } = await vault.write('ssh/config/ca', ca);
    expect(authority.public_key).toMatch(/^ssh-ed25519 /);
    await vault.write('ssh/roles/deploy', {
      key_type: 'ca',
      allow_user_certificates: true,
      allowed_users: 'ubuntu,deploy',
      default_user: 'ubuntu',
      default_extensions: { 'permit-pty': '' },
      ttl: '10m',
    });
    const key_info = { deploy: { key_type: 'ca' } };
    expect((await vault.list('ssh/roles')).data).toEqual({ keys: ['deploy'], key_info });
    const role = { allowed_users: 'ubuntu,deploy', ttl: '10m0s' };
    expect((await vault.read('ssh/roles/deploy')).data).toMatchObject(role);
    const { publicLine: public_key } = keyPair('ed25519');
    const sign = (valid_principals: string) =>
      vault.write('ssh/sign/deploy', { public_key, valid_principals });
    const { data: signed } = await sign('deploy');
    expect(signed.serial_number).toMatch(/^[0-9a-f]{1,16}$/);
    const certificate = { kind: 'user', principals: ['deploy'], signatureValid: true };
    expect(parseCertificate(signed.signed_key, 'signed')).toMatchObject(certificate);
    expect(await vault.read('ssh/public_key')).toBe(`${authority.public_key}`);
    await expect(sign('root')).rejects.toMatchObject({ response: { statusCode: 400 } });
    await vault.delete('ssh/roles/deploy');
    await expect(vault.read('ssh/roles/deploy')).rejects.toEqual(rejected(404, 'Status 404'));
  });

  test('gets a one-time password, and a host verifies it once', async () => {
    const role = { key_type: 'otp', default_user: 'ubuntu', cidr_list: '10.0.0.0/8' };
    await vault.write('ssh/roles/hosts', role);
    const made = await vault.write('ssh/creds/hosts', { ip: '10.1.2.3' });
    expect(made.data).toMatchObject({ key_type: 'otp', ip: '10.1.2.3', username: 'ubuntu', port: 22 });
    expect(made.lease_id).toMatch(/^ssh\/creds\/hosts\/\w{24}$/);
    const host = client();
    const verify = (password: typeof made) => host.write('ssh/verify', { otp: password.data.key });
    const verified = { ip: '10.1.2.3', username: 'ubuntu', role_name: 'hosts' };
    expect((await verify(made)).data).toEqual(verified);
    await expect(verify(made)).rejects.toEqual(rejected(400, 'OTP not found'));
    const other = await vault.write('ssh/creds/hosts', { ip: '10.1.2.3' });
    await vault.revoke({ lease_id: other.lease_id });
    await expect(verify(other)).rejects.toEqual(rejected(400, 'OTP not found'));
  });

  test('logs in with a name and a password, and may do what its policies say', async () => {
    await vault.enableAuth({ mount_point: 'userpass', type: 'userpass' });
    await vault.addPolicy({ name: 'reader', rules: 'path "secret/data/team/*" { capabilities = ["read"] }' });
    await vault.write('auth/userpass/users/bob', { password: 'hunter22', token_policies: 'reader' });
    await vault.write('secret/data/team/a', { data: { for: 'bob' } });
    const bob = client('');
    const { auth } = await bob.userpassLogin({ username: 'bob', password: 'hunter22' });
    expect(auth).toMatchObject({ policies: ['default', 'reader'], metadata: { username: 'bob' } });
    expect(bob.token).toBe(auth.client_token);
    expect((await bob.read('secret/data/team/a')).data.data).toEqual({ for: 'bob' });
    for (const act of [
      () => bob.read('secret/data/one'),
      () => bob.write('secret/data/team/a', { data: {} }),
    ]) {
      await expect(act()).rejects.toMatchObject({ response: { statusCode: 403 } });
    }
    await expect(client('').userpassLogin({ username: 'bob', password: 'wrong' })).rejects.toEqual(
      rejected(400, 'invalid username or password'),
    );
    await bob.tokenRevokeSelf();
    await expect(bob.read('secret/data/team/a')).rejects.toMatchObject({ response: { statusCode: 403 } });
  });

  test('reads help with its OpenAPI document', async () => {
    const { help, openapi } = await vault.help('ssh');
    expect(help).toContain('Sign a public key with a role.');
    expect(openapi.openapi).toMatch(/^3\.0\./);
  });
});
