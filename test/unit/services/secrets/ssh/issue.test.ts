import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { has } from '../../../../support/require.ts';
import { type Data, decorated, errorOf } from '../engine-calls.ts';
import { fingerprint, keyFolder, type Mount, mount, mountWithCa, show } from './harness.ts';

const user = { key_type: 'ca', allow_user_certificates: true, allowed_users: 'ubuntu,deploy' };
const body = { valid_principals: 'ubuntu' };

describe.skipIf(!has('ssh-keygen'))('issuing a key', () => {
  const keys = keyFolder();
  afterAll(keys.remove);

  let ssh: Mount;
  let made = 0;
  beforeEach(async () => {
    ssh = await mountWithCa();
    await ssh.write('roles/r', user);
  });

  async function issue(data: Data, role = 'r'): Promise<Record<string, string>> {
    return (await ssh.write(`issue/${role}`, { ...body, ...data }))?.data as Record<string, string>;
  }

  /** The public key of a private key file from ssh-keygen. */
  function publicKeyOf(privateKey = ''): string {
    const file = join(keys.folder, `issued-${made++}`);
    writeFileSync(file, privateKey, { mode: 0o600 });
    return execFileSync('ssh-keygen', ['-y', '-P', '', '-f', file], { encoding: 'utf8' });
  }

  it.each<[Data, string, number, string, string]>([
    [{}, 'ssh-rsa', 2048, 'rsa', 'RSA PRIVATE KEY'],
    [{ key_type: 'rsa', key_bits: 2048 }, 'ssh-rsa', 2048, 'rsa', 'RSA PRIVATE KEY'],
    [{ key_bits: '3072' }, 'ssh-rsa', 3072, 'rsa', 'RSA PRIVATE KEY'],
    [{ key_type: 'rsa', key_bits: 4096 }, 'ssh-rsa', 4096, 'rsa', 'RSA PRIVATE KEY'],
    [{ key_type: 'ec' }, 'ecdsa-sha2-nistp256', 256, 'ec', 'EC PRIVATE KEY'],
    [{ key_type: 'ec', key_bits: 384 }, 'ecdsa-sha2-nistp384', 384, 'ec', 'EC PRIVATE KEY'],
    [{ key_type: 'ec', key_bits: 521 }, 'ecdsa-sha2-nistp521', 521, 'ec', 'EC PRIVATE KEY'],
    [{ key_type: 'ed25519' }, 'ssh-ed25519', 256, 'ed25519', 'OPENSSH PRIVATE KEY'],
    [{ key_type: 'ed25519', key_bits: 9 }, 'ssh-ed25519', 256, 'ed25519', 'OPENSSH PRIVATE KEY'],
  ])('of %j returns a %s key of %i bits that OpenSSH reads', async (asked, type, bits, kind, label) => {
    const issued = await issue(asked);
    expect(Object.keys(issued).sort()).toEqual([
      'private_key',
      'private_key_type',
      'serial_number',
      'signed_key',
    ]);
    expect(issued.private_key_type).toBe(kind);
    expect(issued.private_key).toMatch(
      new RegExp(`^-----BEGIN ${label}-----\n[^]+\n-----END ${label}-----\n$`),
    );
    const publicKey = publicKeyOf(issued.private_key);
    expect(publicKey).toMatch(new RegExp(`^${type} `));
    const listed = execFileSync('ssh-keygen', ['-l', '-f', '-'], { input: publicKey, encoding: 'utf8' });
    expect(listed).toMatch(new RegExp(`^${bits} `));
    const certificate = show(issued.signed_key ?? '');
    expect(certificate.publicKey).toContain(fingerprint(publicKey));
    expect(certificate).toMatchObject({ kind: 'user', keyId: 'root', principals: ['ubuntu'] });
    expect(BigInt(certificate.serial).toString(16)).toBe(issued.serial_number);
  });

  it('returns a private key that matches its public key', async () => {
    for (const asked of [{}, { key_type: 'ec', key_bits: 521 }, { key_type: 'ed25519' }]) {
      const { private_key = '' } = await issue(asked);
      const publicKey = publicKeyOf(private_key);
      const file = join(keys.folder, `issued-${made - 1}`);
      writeFileSync(`${file}.pub`, publicKey);
      const signed = execFileSync('ssh-keygen', ['-Y', 'sign', '-q', '-n', 'file', '-f', file], {
        input: 'text',
        encoding: 'utf8',
      });
      writeFileSync(`${file}.sig`, signed);
      writeFileSync(`${file}.allowed`, `ubuntu ${publicKey}`);
      const verify = [
        '-Y',
        'verify',
        '-n',
        'file',
        '-I',
        'ubuntu',
        '-f',
        `${file}.allowed`,
        '-s',
        `${file}.sig`,
      ];
      expect(execFileSync('ssh-keygen', verify, { input: 'text', encoding: 'utf8' })).toContain('Good');
    }
  });

  it('returns another key each time, and stores none', async () => {
    const [one, other] = [await issue({ key_type: 'ed25519' }), await issue({ key_type: 'ed25519' })];
    expect(one.private_key).not.toBe(other.private_key);
    expect(ssh.storage.keys('')).toEqual(['ca', 'role/r']);
  });

  it('includes the hash of the key in a key ID whose format contains it', async () => {
    await ssh.write('roles/r', { ...user, key_id_format: '{{role_name}}-{{public_key_hash}}' });
    const issued = await issue({ key_type: 'ed25519' });
    const blob = Buffer.from(publicKeyOf(issued.private_key).split(' ')[1] ?? '', 'base64');
    const hash = createHash('sha256').update(blob).digest('hex');
    expect(show(issued.signed_key ?? '').keyId).toBe(`r-${hash}`);
  });

  it('does not block the event loop during key generation', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await issue({ key_bits: 4096 });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });

  it('warns about fields that had no effect', async () => {
    const response = await ssh.write('issue/r', { ...body, key_type: 'ec', public_key: 'x', name: 'y' });
    expect(response?.warnings).toEqual([
      'Endpoint ignored these unrecognized parameters: [public_key]',
      "Endpoint replaced the value of these parameters with the values captured from the endpoint's path: [name]",
    ]);
  });

  it.each<[Data, string]>([
    [{ key_type: 'dsa' }, '400 unknown ssh key pair algorithm: dsa; key_type must be rsa, ec or ed25519'],
    [{ key_bits: 1024 }, '400 key_bits of an rsa key must be 2048, 3072 or 4096, not 1024'],
    [{ key_bits: -1 }, '400 key_bits of an rsa key must be 2048, 3072 or 4096, not -1'],
    [{ key_bits: 65_536 }, '400 key_bits of an rsa key must be 2048, 3072 or 4096, not 65536'],
    [{ key_type: 'ec', key_bits: 224 }, '400 key_bits of an ec key must be 256, 384 or 521, not 224'],
    [{ key_id: 'mine' }, '400 setting key_id is not allowed by role'],
    [{ cert_type: 'robot' }, "400 cert_type must be either 'user' or 'host'"],
    [{ cert_type: 'host' }, "400 cert_type 'host' is not allowed by role"],
    [{ valid_principals: '' }, '400 empty valid principals not allowed by role'],
    [{ valid_principals: 'root' }, '400 root is not a valid value for valid_principals'],
    [{ ttl: '769h' }, '400 ttl is larger than maximum allowed 2764800'],
    [{ extensions: { 'permit-pty': '' } }, '400 extensions [permit-pty] are not on allowed list'],
    [
      { key_bits: 'many' },
      '400 Field validation failed: error converting input for field "key_bits": expected an integer, got an invalid string',
    ],
  ])('of %j is rejected', async (asked, rejection) => {
    expect(await errorOf(issue(asked))).toBe(rejection);
  });

  it('is rejected by unknown roles and by roles without certificates', async () => {
    await ssh.write('roles/old', { key_type: 'otp', default_user: 'ubuntu' });
    expect(await errorOf(issue({}, 'nowhere'))).toBe('400 unknown role: nowhere');
    expect(await errorOf(issue({}, 'old'))).toBe("400 role key type 'otp' not allowed to issue key pairs");
  });

  it('is rejected without a CA', async () => {
    const bare = mount();
    await bare.write('roles/r', user);
    expect(await errorOf(bare.write('issue/r', body))).toBe(
      `500 ${decorated('error creating signer: no keys configured')}`,
    );
  });

  const type = '400 provided key_type value not in allowed_user_key_types';
  const size = "400 provided key_bits value not in list of role's allowed_user_key_types";

  it.each<[Data, Data, string | undefined]>([
    [{ ed25519: 0 }, {}, type],
    [{ rsa: 2048 }, { key_type: 'ed25519' }, type],
    [{ 'ecdsa-sha2-nistp384': 0 }, { key_type: 'ec' }, type],
    [{ rsa: 4096 }, {}, size],
    [{ 'ssh-rsa': [3072, 4096] }, { key_bits: 2048 }, size],
    [{ ecdsa: 384 }, { key_type: 'ec' }, size],
    [{ rsa: 2048 }, {}, undefined],
    [{ rsa: '4096,2048' }, { key_bits: 2048 }, undefined],
    [{ ec: 256 }, { key_type: 'ec' }, undefined],
    [{ ecdsa: [256, 521] }, { key_type: 'ec', key_bits: 521 }, undefined],
    [{ 'ecdsa-sha2-nistp384': 0 }, { key_type: 'ec', key_bits: 384 }, undefined],
    [{ ed25519: 0 }, { key_type: 'ed25519' }, undefined],
    [{ 'ssh-ed25519': 7 }, { key_type: 'ed25519' }, undefined],
  ])('if the role allows %j, requested %j', async (lengths, asked, rejection) => {
    await ssh.write('roles/r', { ...user, allowed_user_key_lengths: lengths });
    if (rejection === undefined) expect(await issue(asked)).toHaveProperty('private_key');
    else expect(await errorOf(issue(asked))).toBe(rejection);
  });
});
