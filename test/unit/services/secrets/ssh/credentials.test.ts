import { beforeEach, describe, expect, it } from 'vitest';
import type { Entity } from '../../../../../src/services/secrets/model/identity.ts';
import type { Json } from '../../../../../src/wire/json.ts';
import { type Data, decorated, errorOf } from '../engine-calls.ts';
import { type Mount, mount } from './harness.ts';

const otp = { key_type: 'otp', default_user: 'ubuntu', cidr_list: '10.0.0.0/8, fd00::/8' };
const foreign = '400 Error validating IP: IP does not belong to role';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let ssh: Mount;
beforeEach(() => {
  ssh = mount();
});

/** Writes a role and requests credentials; returns the `data`, or the error. */
async function outcome(role: Data, body: Data): Promise<unknown> {
  await ssh.write('roles/r', { ...otp, ...role });
  let data: unknown;
  const rejection = await errorOf(
    ssh.write('creds/r', body).then((response) => {
      data = response?.data;
    }),
  );
  return data ?? rejection;
}

async function makePassword(ip = '10.1.2.3'): Promise<string> {
  await ssh.write('roles/r', otp);
  return String((await ssh.write('creds/r', { ip }))?.data?.key);
}

describe('credentials', () => {
  it('are a password for a user on a host, with a lease of 768 hours', async () => {
    await ssh.write('roles/r', { ...otp, port: 2222 });
    const response = await ssh.write('creds/r', { ip: '10.1.2.3', colour: 'red', name: 'x' });
    expect(response?.data).toEqual({
      key_type: 'otp',
      key: expect.stringMatching(uuid),
      username: 'ubuntu',
      ip: '10.1.2.3',
      port: 2222,
    });
    expect(response?.lease?.duration).toBe(2_764_800);
    expect(response?.warnings).toEqual([
      'Endpoint ignored these unrecognized parameters: [colour]',
      "Endpoint replaced the value of these parameters with the values captured from the endpoint's path: [name]",
    ]);
  });

  it('are stored, and known to the lease, only as a salted hash', async () => {
    await ssh.write('roles/r', otp);
    const response = await ssh.write('creds/r', { ip: '10.1.2.3' });
    const kept = ssh.storage.keys('').map((key) => [key, ssh.storage.get(key) ?? null]);
    expect(JSON.stringify([kept, response?.lease])).not.toContain(response?.data?.key);
    expect(ssh.storage.keys('otp/')).toHaveLength(1);
    expect(ssh.storage.get('otp-salt')).toMatch(/^[0-9a-f]{64}$/);
  });

  it('share one salt, however many are created first concurrently', async () => {
    await ssh.write('roles/r', otp);
    const made = await Promise.all([1, 2, 3].map(() => ssh.write('creds/r', { ip: '10.1.2.3' })));
    for (const response of made) {
      expect((await ssh.write('verify', { otp: response?.data?.key ?? '' }))?.data?.role_name).toBe('r');
    }
  });

  it.each<[Data, string]>([
    [{}, '400 Missing ip'],
    [{ ip: '' }, '400 Missing ip'],
    [{ ip: 'web.example.com' }, '400 Invalid IP "web.example.com"'],
    [{ ip: '10.0.0.256' }, '400 Invalid IP "10.0.0.256"'],
    [{ ip: 'fe80::1%eth0' }, '400 Invalid IP "fe80::1%eth0"'],
    [{ ip: '192.168.0.1' }, foreign],
    [{ ip: 'fe80::1' }, foreign],
    [
      { ip: {} },
      '400 Field validation failed: error converting input for field "ip": expected a string, got an object',
    ],
    [
      { ip: '10.0.0.1', username: 'a\0b' },
      '400 Field validation failed: error converting input for field "username": it contains a NUL character',
    ],
  ])('of %j are rejected', async (body, rejection) => {
    expect(await outcome({}, body)).toBe(rejection);
    expect(ssh.storage.keys('otp')).toEqual([]);
  });

  it('are rejected by an unknown role', async () => {
    expect(await errorOf(ssh.write('creds/web', { ip: '10.0.0.1' }))).toBe('400 Role "web" not found');
    expect(await errorOf(ssh.write('creds/web', {}))).toBe('400 Missing ip');
  });

  it('are rejected by a ca role, which has no addresses', async () => {
    const ca = { key_type: 'ca', allow_user_certificates: true };
    await ssh.write('roles/r', { ...ca, default_user: 'ubuntu' });
    expect(await errorOf(ssh.write('creds/r', { ip: '10.0.0.1' }))).toBe(foreign);
    await ssh.write('config/zeroaddress', { roles: 'r' });
    expect(await errorOf(ssh.write('creds/r', { ip: '10.0.0.1' }))).toBe(
      `500 ${decorated('key type unknown')}`,
    );
    await ssh.write('roles/r', ca);
    expect(await errorOf(ssh.write('creds/r', { ip: '10.0.0.1' }))).toBe(
      "400 No default username registered. Use 'username' option",
    );
  });

  it.each<[Data, string, string | undefined]>([
    [{}, '10.255.255.255', '10.255.255.255'],
    [{}, 'FD00:0:0::1', 'fd00::1'],
    [{}, '::ffff:10.0.0.1', '10.0.0.1'],
    [{}, '::ffff:11.0.0.1', undefined],
    [{}, 'fe00::1', undefined],
    [{ exclude_cidr_list: '10.1.0.0/16' }, '10.1.2.3', undefined],
    [{ exclude_cidr_list: '10.1.0.0/16' }, '::ffff:10.1.2.3', undefined],
    [{ exclude_cidr_list: '::ffff:10.1.0.0/112' }, '10.1.2.3', undefined],
    [{ exclude_cidr_list: '10.1.0.0/16' }, '10.2.2.3', '10.2.2.3'],
    [{ exclude_cidr_list: 'fd00::/16,10.0.0.1/32' }, '10.0.0.1', undefined],
    [{ cidr_list: '' }, '10.0.0.1', undefined],
    [{ cidr_list: '0.0.0.0/0' }, '::1', undefined],
  ])('by the addresses of the role (%j) for %s', async (role, ip, served) => {
    const result = await outcome(role, { ip });
    if (served === undefined) expect(result).toBe(foreign);
    else expect(result).toMatchObject({ ip: served });
  });

  const absent = '400 Username is not present is allowed users list';
  const invalid = '400 username is not a valid user name';

  it.each<[Data, Json, string]>([
    [{}, null, 'ubuntu'],
    [{}, '', 'ubuntu'],
    [{}, 'ubuntu', 'ubuntu'],
    [{}, 'anyone', 'anyone'],
    [{ allowed_users: '*' }, 'anyone', 'anyone'],
    [{ allowed_users: ' * ' }, 'CORP\\Some One', 'CORP\\Some One'],
    [{ allowed_users: 'deploy, admin' }, 'admin', 'admin'],
    [{ allowed_users: 'deploy' }, 'ubuntu', 'ubuntu'],
    [{ allowed_users: 'deploy' }, null, 'ubuntu'],
    [{ allowed_users: 'deploy' }, 'root', absent],
    [{ allowed_users: 'deploy' }, 'Deploy', absent],
    [{ allowed_users: 'deploy' }, 'deploy,ubuntu', absent],
    [{ allowed_users: 'deploy,*' }, 'root', absent],
    [{ allowed_users: ', ,' }, 'root', absent],
    [{}, 'root\nadmin', invalid],
    [{}, 'a:b', invalid],
    [{}, '../root', invalid],
    [{}, 'a,b', invalid],
    [{}, '-oProxyCommand=x', invalid],
    [{}, ' root', invalid],
    [{}, 'x'.repeat(257), invalid],
  ])('by the users of the role (%j) for %j', async (role, username, expected) => {
    const result = await outcome(role, { ip: '10.0.0.1', username });
    if (expected.startsWith('400')) expect(result).toBe(expected);
    else expect(result).toMatchObject({ username: expected });
  });
});

describe('credentials of a role with templates', () => {
  const name = '{{identity.entity.name}}';
  const list = '{{identity.entity.metadata.list}}';
  const anna = { id: 'e-1', name: 'anna', metadata: { list: 'root,admin' }, aliases: [] };
  const role = {
    ...otp,
    default_user: name,
    default_user_template: true,
    allowed_users: `deploy,x-${name}`,
    allowed_users_template: true,
  };

  it.each<[Data, string | null, Entity | undefined, string]>([
    [{}, null, anna, 'anna'],
    [{}, 'anna', anna, 'anna'],
    [{}, 'x-anna', anna, 'x-anna'],
    [{}, 'deploy', undefined, 'deploy'],
    [{}, 'berta', anna, '400 Username is not present is allowed users list'],
    [{}, null, undefined, "400 No default username registered. Use 'username' option"],
    [{ allowed_users: name }, 'root', undefined, '400 Username is not present is allowed users list'],
    [
      { default_user: list },
      null,
      anna,
      `400 template '${list}' could not be rendered: its value contains a comma or a control character`,
    ],
  ])('(%j), requested for %j', async (more, username, entity, expected) => {
    await ssh.write('roles/r', { ...role, ...more });
    const response = ssh.write('creds/r', { ip: '10.0.0.1', username }, { entity });
    const error = await errorOf(response);
    expect(error.startsWith('not rejected') ? (await response)?.data?.username : error).toBe(expected);
  });
});

describe('verifying', () => {
  it('returns once what a password is valid for', async () => {
    const password = await makePassword('fd00:0::1');
    expect((await ssh.write('verify', { otp: password }, { displayName: '' }))?.data).toEqual({
      ip: 'fd00::1',
      username: 'ubuntu',
      role_name: 'r',
    });
    expect(await errorOf(ssh.write('verify', { otp: password }))).toBe('400 OTP not found');
    expect(ssh.storage.keys('otp/')).toEqual([]);
  });

  it.each<Data>([{}, { otp: '' }, { otp: 'nonsense' }, { otp: null }])('rejects %j', async (body) => {
    expect(await errorOf(ssh.write('verify', body))).toBe('400 OTP not found');
    await makePassword();
    expect(await errorOf(ssh.write('verify', body))).toBe('400 OTP not found');
  });

  it('rejects the stored form of a password', async () => {
    await makePassword();
    const [key = ''] = ssh.storage.keys('otp/');
    for (const shown of [key, key.slice('otp/'.length)]) {
      expect(await errorOf(ssh.write('verify', { otp: shown }))).toBe('400 OTP not found');
    }
  });

  it('rejects a password of another mount', async () => {
    const password = await makePassword();
    const other = mount(undefined, { random: (length) => Buffer.alloc(length, 7) });
    await other.write('roles/r', otp);
    await other.write('creds/r', { ip: '10.0.0.1' });
    expect(await errorOf(other.write('verify', { otp: password }))).toBe('400 OTP not found');
  });

  it('responds to the echo request with which a host tests itself', async () => {
    expect((await ssh.write('verify', { otp: 'verify-echo-request' }))?.data).toEqual({
      message: 'verify-echo-response',
    });
  });

  it('requires no token, and is a write of either kind', async () => {
    expect(ssh.engine.access('update', 'verify')).toBe('none');
    expect(ssh.engine.access('update', 'lookup')).toBe('token');
    expect((await ssh.call('create', 'verify', { otp: await makePassword() }))?.data?.ip).toBe('10.1.2.3');
  });
});

describe('revoking a lease', () => {
  it('invalidates its password, and does nothing the second time', async () => {
    await ssh.write('roles/r', otp);
    const [one, other] = await Promise.all([1, 2].map(() => ssh.write('creds/r', { ip: '10.1.2.3' })));
    await ssh.engine.revoke?.(one?.lease?.internal ?? null);
    await ssh.engine.revoke?.(one?.lease?.internal ?? null);
    expect(await errorOf(ssh.write('verify', { otp: one?.data?.key ?? '' }))).toBe('400 OTP not found');
    expect(await ssh.write('verify', { otp: other?.data?.key ?? '' })).toHaveProperty('data');
    await ssh.engine.revoke?.(other?.lease?.internal ?? null);
  });

  it.each<Json>([null, '', '../role/r', {}, 7])(
    'of an unknown password (%j) changes nothing',
    async (internal) => {
      await makePassword();
      const before = ssh.storage.keys('');
      await ssh.engine.revoke?.(internal);
      expect(ssh.storage.keys('')).toEqual(before);
    },
  );
});

describe('tidying host keys', () => {
  it('finds none to remove', async () => {
    expect((await ssh.call('delete', 'tidy/dynamic-keys'))?.data).toEqual({
      message: 'Removed 0 of 0 host keys.',
    });
  });
});

it.each([
  ['read', 'creds/r'],
  ['delete', 'creds/r'],
  ['read', 'lookup'],
  ['read', 'verify'],
  ['update', 'tidy/dynamic-keys'],
  ['recover', 'roles/r'],
] as const)('the operation %s is not supported on %s', async (operation, path) => {
  expect(await errorOf(ssh.call(operation, path))).toBe(`405 ${decorated('unsupported operation')}`);
});

it.each([
  ['list', 'config/zeroaddress'],
  ['list', 'roles/r'],
  ['scan', 'public_key'],
] as const)('the operation %s of %s, which has nothing below it, is not found', async (operation, path) => {
  expect(await errorOf(ssh.call(operation, path))).toBe(`404 ${decorated('unsupported path')}`);
});

it.each([
  'creds',
  'creds/',
  'creds/a/b',
  'creds/a.',
  'issue',
  'lookup/x',
  'tidy',
  'tidy/host-keys',
  'config',
])('does not exist at %s', async (path) => {
  expect(await errorOf(ssh.write(path))).toBe(`404 ${decorated('unsupported path')}`);
});
