import { beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../../../../src/wire/json.ts';
import { type Data, errorOf } from '../engine-calls.ts';
import { type Mount, mount } from './harness.ts';

const otp = { key_type: 'otp', default_user: 'ubuntu', cidr_list: '10.0.0.0/8, fd00::/8' };
const foreign = '400 Error validating IP: IP does not belong to role';

let ssh: Mount;
beforeEach(() => {
  ssh = mount();
});

describe('looking up roles by address', () => {
  beforeEach(async () => {
    await ssh.write('roles/ten', { ...otp, cidr_list: '10.0.0.0/8', exclude_cidr_list: '10.1.0.0/16' });
    await ssh.write('roles/six', { ...otp, cidr_list: 'fd00::/8' });
    await ssh.write('roles/any', { ...otp, cidr_list: '10.9.0.0/16' });
    await ssh.write('roles/ca', { key_type: 'ca', allow_user_certificates: true });
  });

  it.each<[string, string[] | null]>([
    ['10.2.3.4', ['ten']],
    ['10.1.2.3', ['ten']],
    ['10.9.2.3', ['any', 'ten']],
    ['::ffff:10.2.3.4', ['ten']],
    ['fd00::1', ['six']],
    ['192.168.0.1', null],
  ])('finds those of %s by their CIDR blocks', async (ip, roles) => {
    expect((await ssh.write('lookup', { ip }))?.data).toEqual({ roles });
  });

  it('finds zero-address roles for every address, each role once', async () => {
    await ssh.write('config/zeroaddress', { roles: 'any,six' });
    expect((await ssh.write('lookup', { ip: '10.9.2.3' }))?.data).toEqual({ roles: ['any', 'six', 'ten'] });
    expect((await ssh.write('lookup', { ip: '::1' }))?.data).toEqual({ roles: ['any', 'six'] });
  });

  it.each<[Data, string]>([
    [{}, '400 Missing ip'],
    [{ ip: 'localhost' }, '400 Invalid IP "localhost"'],
  ])('rejects %j', async (body, rejection) => {
    expect(await errorOf(ssh.write('lookup', body))).toBe(rejection);
  });
});

describe('the zero-address roles', () => {
  beforeEach(async () => {
    await ssh.write('roles/a', { ...otp, cidr_list: '10.0.0.0/8', exclude_cidr_list: '192.168.0.0/16' });
    await ssh.write('roles/b', { ...otp, cidr_list: '' });
  });

  it('do not exist until they are configured, and after they are deleted', async () => {
    expect(await errorOf(ssh.read('config/zeroaddress'))).toBe('404');
    await ssh.write('config/zeroaddress', { roles: 'a' });
    expect(await ssh.call('delete', 'config/zeroaddress')).toBeUndefined();
    expect(await ssh.call('delete', 'config/zeroaddress')).toBeUndefined();
    expect(await errorOf(ssh.read('config/zeroaddress'))).toBe('404');
  });

  it.each<[Json, string[]]>([
    ['a,b', ['a', 'b']],
    [' b , a,,b', ['b', 'a']],
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
  ])('are set by %j, replacing the previous ones', async (roles, kept) => {
    await ssh.write('config/zeroaddress', { roles: 'a' });
    expect(await ssh.write('config/zeroaddress', { roles })).toBeUndefined();
    expect(await ssh.read('config/zeroaddress')).toEqual({ roles: kept });
  });

  it.each<[Data, string]>([
    [{}, '400 Missing roles'],
    [{ roles: '' }, '400 Missing roles'],
    [{ roles: [] }, '400 Missing roles'],
    [{ roles: ' , ' }, '400 Missing roles'],
    [{ roles: 'a,c' }, '400 Role "c" does not exist'],
  ])('are not set by %j', async (body, rejection) => {
    await ssh.write('config/zeroaddress', { roles: 'b' });
    expect(await errorOf(ssh.write('config/zeroaddress', body))).toBe(rejection);
    expect(await ssh.read('config/zeroaddress')).toEqual({ roles: ['b'] });
  });

  it('issue credentials for any address, whatever their CIDR blocks are', async () => {
    expect(await errorOf(ssh.write('creds/a', { ip: '192.168.0.1' }))).toBe(foreign);
    await ssh.write('config/zeroaddress', { roles: 'a,b' });
    for (const path of ['creds/a', 'creds/b']) {
      expect((await ssh.write(path, { ip: '192.168.0.1' }))?.data?.ip).toBe('192.168.0.1');
    }
    expect(await errorOf(ssh.write('creds/a', { ip: 'anywhere' }))).toBe('400 Invalid IP "anywhere"');
  });

  it('permanently lose a role that is deleted', async () => {
    await ssh.write('config/zeroaddress', { roles: 'a,b' });
    await ssh.call('delete', 'roles/a');
    expect(await ssh.read('config/zeroaddress')).toEqual({ roles: ['b'] });
    await ssh.write('roles/a', otp);
    expect(await errorOf(ssh.write('creds/a', { ip: '192.168.0.1' }))).toBe(foreign);
    await ssh.call('delete', 'roles/b');
    expect(await errorOf(ssh.read('config/zeroaddress'))).toBe('404');
  });
});
