import { describe, expect, test } from 'vitest';
import { keyPair } from '../../../../support/keys.ts';
import { type Data, decorated, errorOf } from '../engine-calls.ts';
import { certificateOf, line, mount, mountWithCa, publicKey, signed } from './harness.ts';

const keys: Readonly<Record<string, string>> = {
  ed25519: publicKey,
  rsa: keyPair('rsa2048').publicLine,
  p384: keyPair('ecdsa384').publicLine,
  sk: line('sk-ssh-ed25519@openssh.com', Buffer.alloc(32, 9), 'ssh:'),
};
const user = { key_type: 'ca', allow_user_certificates: true, allowed_users: 'ubuntu,deploy' };
const otp = { key_type: 'otp', default_user: 'ubuntu' };

describe('the public key to sign', () => {
  const unparsed = '400 failed to parse public_key as SSH key: ';

  test.each<[unknown, string]>([
    ['', '400 missing public_key'],
    ['  ', '400 missing public_key'],
    [null, '400 missing public_key'],
    ['nonsense secret', `${unparsed}it is not valid base64`],
    [keyPair('ed25519').privatePem, `${unparsed}it is a private key`],
    [line('ssh-ed25519-cert-v01@openssh.com', 'x'), `${unparsed}it is a certificate, not a plain key`],
  ])('cannot be %j', async (public_key, error) => {
    expect(await signed(user, { public_key } as Data)).toBe(error);
  });

  test('may be the base64 of the key alone', async () => {
    const body = { public_key: publicKey.split(' ')[1] ?? '', valid_principals: 'ubuntu' };
    expect(await signed(user, body)).toMatchObject({ principals: ['ubuntu'] });
  });

  test.each<[string, Data, string]>([
    ['ed25519', { rsa: 2048 }, 'key of type ed25519 is not allowed'],
    ['rsa', { rsa: 4096 }, 'key is of an invalid size: 2048'],
    ['rsa', { 'ssh-rsa': [3072, 4096] }, 'key is of an invalid size: 2048'],
    ['rsa', { 'ssh-rsa': 0 }, 'key is of an invalid size: 2048'],
    ['rsa', { ed25519: 0 }, 'key of type rsa is not allowed'],
    ['p384', { ecdsa: 256 }, 'key is of an invalid size: 384'],
    ['p384', { ec: '256,521' }, 'key is of an invalid size: 384'],
    ['p384', { 'ecdsa-sha2-nistp256': 0 }, 'key of type ecdsa is not allowed'],
    ['sk', { ed25519: 0 }, 'key of type sk-ssh-ed25519@openssh.com is not allowed'],
  ])('of type %s is rejected if the role allows only %j', async (key, lengths, reason) => {
    const role = { ...user, allowed_user_key_lengths: lengths };
    expect(await signed(role, { public_key: keys[key] ?? '' })).toBe(
      `400 public_key failed to meet the key requirements: ${reason}`,
    );
  });

  test.each<[string, Data]>([
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
  ])('of type %s is signed if the role allows %j', async (key, lengths) => {
    const role = { ...user, allowed_user_key_lengths: lengths };
    const body = { public_key: keys[key] ?? '', valid_principals: 'ubuntu' };
    expect(await signed(role, body)).toMatchObject({ signatureValid: true });
  });
});

describe('signing', () => {
  const noType = "400 cert_type must be either 'user' or 'host'";

  test.each<[Data, Data, string]>([
    [{ ...user, allow_user_certificates: false, allow_host_certificates: true }, { cert_type: null }, noType],
    [user, { cert_type: 'USER' }, noType],
    [otp, { cert_type: 'user' }, "400 cert_type 'user' is not allowed by role"],
    [otp, { key_id: 'x' }, '400 setting key_id is not allowed by role'],
    [
      user,
      { key_id: 'a\0b' },
      '400 Field validation failed: error converting input for field "key_id": it contains a NUL character',
    ],
  ])('by the role %j rejects %j', async (role, body, error) => {
    expect(await signed(role, body)).toBe(error);
  });

  test('warns about fields that had no effect', async () => {
    const ssh = await mountWithCa();
    await ssh.write('roles/r', user);
    const body = { public_key: publicKey, valid_principals: 'ubuntu', name: 'other', tll: '1h' };
    expect((await ssh.write('sign/r', body))?.warnings).toEqual([
      'Endpoint ignored these unrecognized parameters: [tll]',
      "Endpoint replaced the value of these parameters with the values captured from the endpoint's path: [name]",
    ]);
  });

  test('checks the faults of a request in a fixed order', async () => {
    const bare = mount();
    const request: Data = {
      public_key: '',
      key_id: 'x',
      cert_type: 'robot',
      valid_principals: 'root',
      ttl: '2h',
      critical_options: { x: '' },
      extensions: 'permit-pty',
    };
    const role = {
      ...user,
      max_ttl: '1h',
      allowed_critical_options: 'z',
      allowed_user_key_lengths: { rsa: 2048 },
    };
    const corrections: [Data, string][] = [
      [
        {},
        'Field validation failed: error converting input for field "extensions": expected an object, got an invalid string',
      ],
      [{ extensions: { y: '' } }, 'Unknown role: r'],
      [{}, 'missing public_key'],
      [{ public_key: 'x' }, 'failed to parse public_key as SSH key: it is not valid base64'],
      [
        { public_key: publicKey },
        'public_key failed to meet the key requirements: key of type ed25519 is not allowed',
      ],
      [{ public_key: keys.rsa ?? '' }, 'setting key_id is not allowed by role'],
      [{ key_id: '' }, "cert_type must be either 'user' or 'host'"],
      [{ cert_type: 'user' }, 'root is not a valid value for valid_principals'],
      [{ valid_principals: 'ubuntu' }, 'ttl is larger than maximum allowed 3600'],
      [{ ttl: '1h' }, 'critical options not on allowed list: [x]'],
      [{ critical_options: {} }, 'extensions [y] are not on allowed list'],
    ];
    for (const [index, [correction, message]] of corrections.entries()) {
      if (index === 2) await bare.write('roles/r', role);
      Object.assign(request, correction);
      expect(await errorOf(bare.sign('r', request))).toBe(`400 ${message}`);
    }
    expect(await errorOf(bare.sign('r', { ...request, extensions: {} }))).toBe(
      `500 ${decorated('error creating signer: no keys configured')}`,
    );
  });
});

describe('signing without a CA', () => {
  const body = { public_key: publicKey, valid_principals: 'ubuntu' };
  const bare = async () => {
    const ssh = mount();
    await ssh.write('roles/r', user);
    return ssh;
  };

  test('is a create, and an update with a CA; no other path distinguishes them', async () => {
    const ssh = await bare();
    expect(ssh.engine.exists('sign/r')).toBe(false);
    await ssh.write('config/ca', { key_type: 'ed25519' });
    expect(ssh.engine.exists('sign/r')).toBe(true);
    for (const path of ['config/ca', 'roles/r', 'issue/r', 'creds/r', 'sign']) {
      expect(ssh.engine.exists(path)).toBeUndefined();
    }
  });

  test('generates one CA with the defaults, however many requests create it concurrently', async () => {
    const ssh = await bare();
    const created = await Promise.all([1, 2].map(() => ssh.call('create', 'sign/r', body)));
    const lines = [...created.map((response) => response?.data?.signed_key), await ssh.sign('r', body)];
    const [ca, ...others] = lines.map((certificate) => certificateOf(certificate).signingCa);
    expect(ca).toMatchObject({ type: 'ssh-rsa' });
    expect(others).toEqual([ca, ca]);
    expect(created[0]?.warnings).toEqual([
      'the mount had no CA; one was generated with the default settings',
    ]);
    expect((await ssh.call('create', 'sign/r', body))?.warnings).toEqual([]);
  });

  test.each([
    ['create', { ...body, valid_principals: 'root' }, '400 root is not a valid value for valid_principals'],
    ['update', body, `500 ${decorated('error creating signer: no keys configured')}`],
  ] as const)('as a rejected %s generates none', async (operation, request, error) => {
    const ssh = await bare();
    expect(await errorOf(ssh.call(operation, 'sign/r', request))).toBe(error);
    expect(ssh.storage.keys('')).toEqual(['role/r']);
  });
});
