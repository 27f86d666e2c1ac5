import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../../../../src/wire/json.ts';
import { has } from '../../../../support/require.ts';
import {
  decorated,
  errorOf,
  keyFolder,
  line,
  type Mount,
  mount,
  mountWithCa,
  show,
  signOutcome,
} from './harness.ts';

type Data = Record<string, Json>;

describe.skipIf(!has('ssh-keygen'))('signing', () => {
  const keys = keyFolder();
  afterAll(keys.remove);

  let publicKey = '';
  let rsa = '';
  let p384 = '';
  let hash = '';
  beforeAll(() => {
    publicKey = keys.keygen('-t ed25519').public;
    rsa = keys.keygen('-t rsa -b 2048').public;
    p384 = keys.keygen('-t ecdsa -b 384').public;
    const blob = Buffer.from(publicKey.split(' ')[1] ?? '', 'base64');
    hash = createHash('sha256').update(blob).digest('hex');
  });

  let ssh: Mount;
  beforeEach(async () => {
    ssh = await mountWithCa();
  });

  const user = { key_type: 'ca', allow_user_certificates: true, allowed_users: 'ubuntu,deploy' };
  const host = { key_type: 'ca', allow_host_certificates: true, allowed_domains: 'example.com,test' };

  const outcome = (role: Data, body: Data) => signOutcome(ssh, role, { public_key: publicKey, ...body });

  describe('finds the role and the key', () => {
    it('or names the unknown role', async () => {
      expect(await errorOf(ssh.sign('web', { public_key: publicKey }))).toBe('400 Unknown role: web');
    });

    it.each(['', '  ', null])('or reports the missing public key given as %j', async (given) => {
      expect(await outcome(user, { public_key: given })).toBe('400 missing public_key');
    });

    it('or reports why it cannot parse the key, without repeating it', async () => {
      const start = '400 failed to parse public_key as SSH key: ';
      expect(await outcome(user, { public_key: 'nonsense secret' })).toBe(`${start}it is not valid base64`);
      const { private: secret } = keys.keygen('-t ed25519');
      expect(await outcome(user, { public_key: secret })).toBe(`${start}it is a private key`);
      const certificate = await (async () => {
        await ssh.write('roles/r', user);
        return ssh.sign('r', { public_key: publicKey, valid_principals: 'ubuntu' });
      })();
      expect(await outcome(user, { public_key: certificate })).toBe(
        `${start}it is a certificate, not a plain key`,
      );
    });

    it('and accepts the base64 of the key alone', async () => {
      const base64 = publicKey.split(' ')[1] ?? '';
      expect(await outcome(user, { public_key: base64, valid_principals: 'ubuntu' })).toHaveProperty('type');
    });
  });

  describe('applies allowed_user_key_lengths to the key', () => {
    const failed = '400 public_key failed to meet the key requirements: ';

    it.each<[string, Data, string]>([
      ['ed25519', { rsa: 2048 }, 'key of type ed25519 is not allowed'],
      ['rsa', { rsa: 4096 }, 'key is of an invalid size: 2048'],
      ['rsa', { 'ssh-rsa': [3072, 4096] }, 'key is of an invalid size: 2048'],
      ['rsa', { 'ssh-rsa': 0 }, 'key is of an invalid size: 2048'],
      ['rsa', { ed25519: 0 }, 'key of type rsa is not allowed'],
      ['p384', { ecdsa: 256 }, 'key is of an invalid size: 384'],
      ['p384', { ec: '256,521' }, 'key is of an invalid size: 384'],
      ['p384', { 'ecdsa-sha2-nistp256': 0 }, 'key of type ecdsa is not allowed'],
      ['sk', { ed25519: 0 }, 'key of type sk-ssh-ed25519@openssh.com is not allowed'],
    ])('and rejects a key (%s) against %j', async (key, lengths, reason) => {
      expect(await outcome({ ...user, allowed_user_key_lengths: lengths }, { public_key: named(key) })).toBe(
        failed + reason,
      );
    });

    it.each<[string, Data]>([
      ['rsa', {}],
      ['rsa', { rsa: 2048 }],
      ['rsa', { rsa: 4096, 'ssh-rsa': 2048 }],
      ['rsa', { rsa: '4096,2048' }],
      ['rsa', { rsa: [4096, '2048'] }],
      ['p384', { ecdsa: [256, 384] }],
      ['p384', { ec: 384 }],
      ['p384', { 'ecdsa-sha2-nistp384': 0 }],
      ['p384', { 'ecdsa-sha2-nistp384': 7 }],
      ['ed25519', { ed25519: 0 }],
      ['ed25519', { 'ssh-ed25519': 128 }],
      ['ed25519', { ed25519: [] }],
      ['sk', { 'sk-ssh-ed25519@openssh.com': 0 }],
    ])('and allows a key (%s) against %j', async (key, lengths) => {
      const role = { ...user, allowed_user_key_lengths: lengths };
      expect(await outcome(role, { public_key: named(key), valid_principals: 'ubuntu' })).toHaveProperty(
        'type',
      );
    });

    function named(key: string): string {
      if (key === 'sk') return line('sk-ssh-ed25519@openssh.com', Buffer.alloc(32, 9), 'ssh:');
      return { rsa, p384 }[key] ?? publicKey;
    }
  });

  describe('gives the certificate a key ID', () => {
    const body = { valid_principals: 'ubuntu' };

    it('that is the display name of the token', async () => {
      expect(await outcome(user, body)).toMatchObject({ keyId: 'root' });
    });

    it('that is the hash of the key when the token has no name', async () => {
      await ssh.write('roles/r', user);
      const certificate = await ssh.sign('r', { ...body, public_key: publicKey }, { displayName: '' });
      expect(show(certificate).keyId).toBe(hash);
    });

    it('that the user chose, only if the role permits it', async () => {
      const chosen = { ...body, key_id: 'build 7' };
      expect(await outcome({ ...user, allow_user_key_ids: true }, chosen)).toMatchObject({
        keyId: 'build 7',
      });
      expect(await outcome(user, chosen)).toBe('400 setting key_id is not allowed by role');
      expect(await outcome({ ...user, allow_user_key_ids: true }, body)).toMatchObject({ keyId: 'root' });
    });

    it('by the format of the role, its variables replaced once', async () => {
      const key_id_format = '{{role_name}}/{{token_display_name}}/{{public_key_hash}}/{{other}}';
      await ssh.write('roles/r', { ...user, key_id_format });
      const more = { displayName: '{{role_name}}$&' };
      const certificate = await ssh.sign('r', { ...body, public_key: publicKey }, more);
      expect(show(certificate).keyId).toBe(`r/{{role_name}}$&/${hash}/{{other}}`);
    });
  });

  describe('permits a certificate type', () => {
    it.each<[Data, Json, string]>([
      [user, 'host', "400 cert_type 'host' is not allowed by role"],
      [host, 'user', "400 cert_type 'user' is not allowed by role"],
      [host, null, "400 cert_type must be either 'user' or 'host'"],
      [host, '', "400 cert_type must be either 'user' or 'host'"],
      [user, 'robot', "400 cert_type must be either 'user' or 'host'"],
      [user, 'USER', "400 cert_type must be either 'user' or 'host'"],
      [{ key_type: 'otp', default_user: 'ubuntu' }, 'user', "400 cert_type 'user' is not allowed by role"],
    ])('as the role (%j) specifies: requested %j', async (role, cert_type, rejection) => {
      expect(await outcome(role, { cert_type, valid_principals: 'ubuntu' })).toBe(rejection);
    });

    it('and rejects a key ID on an otp role before the type', async () => {
      const otp = { key_type: 'otp', default_user: 'ubuntu' };
      expect(await outcome(otp, { key_id: 'x' })).toBe('400 setting key_id is not allowed by role');
    });
  });

  it('rejects values of the wrong type before anything else', async () => {
    expect(await errorOf(ssh.sign('nowhere', { extensions: 'permit-pty' }))).toBe(
      '400 Field validation failed: error converting input for field "extensions": expected an object, got an invalid string',
    );
    expect(await outcome(user, { key_id: 'a\0b' })).toBe(
      '400 Field validation failed: error converting input for field "key_id": it contains a NUL character',
    );
  });

  it('warns about fields that had no effect', async () => {
    await ssh.write('roles/r', user);
    const body = { public_key: publicKey, valid_principals: 'ubuntu', name: 'other', tll: '1h' };
    expect((await ssh.write('sign/r', body))?.warnings).toEqual([
      'Endpoint ignored these unrecognized parameters: [tll]',
      "Endpoint replaced the value of these parameters with the values captured from the endpoint's path: [name]",
    ]);
  });

  it('fails without a CA', async () => {
    const bare = mount();
    await bare.write('roles/r', user);
    expect(await errorOf(bare.sign('r', { public_key: publicKey, valid_principals: 'ubuntu' }))).toBe(
      `500 ${decorated('error creating signer: no keys configured')}`,
    );
  });

  it('checks the faults of a request in a fixed order', async () => {
    const bare = mount();
    const faults: Data = {
      public_key: '',
      key_id: 'x',
      cert_type: 'robot',
      valid_principals: 'root',
      ttl: '2h',
      critical_options: { x: '' },
      extensions: { y: '' },
    };
    const role = {
      ...user,
      max_ttl: '1h',
      allowed_critical_options: 'z',
      allowed_user_key_lengths: { rsa: 2048 },
    };
    const steps: [Data, string][] = [
      [{}, 'Unknown role: r'],
      [{}, 'missing public_key'],
      [{ public_key: 'x' }, 'failed to parse public_key as SSH key: it is not valid base64'],
      [
        { public_key: publicKey },
        'public_key failed to meet the key requirements: key of type ed25519 is not allowed',
      ],
      [{ public_key: rsa }, 'setting key_id is not allowed by role'],
      [{ key_id: '' }, "cert_type must be either 'user' or 'host'"],
      [{ cert_type: 'user' }, 'root is not a valid value for valid_principals'],
      [{ valid_principals: 'ubuntu' }, 'ttl is larger than maximum allowed 3600'],
      [{ ttl: '1h' }, 'critical options not on allowed list: [x]'],
      [{ critical_options: {} }, 'extensions [y] are not on allowed list'],
    ];
    for (const [index, [mended, message]] of steps.entries()) {
      if (index === 1) await bare.write('roles/r', role);
      Object.assign(faults, mended);
      expect(await errorOf(bare.sign('r', faults))).toBe(`400 ${message}`);
    }
    expect(await errorOf(bare.sign('r', { ...faults, extensions: {} }))).toMatch(
      /^500 .*no keys configured/s,
    );
  });
});
