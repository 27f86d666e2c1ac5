import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../../../../src/wire/json.ts';
import { decorated, errorOf } from '../engine-calls.ts';
import { type Mount, mount } from './harness.ts';

let ssh: Mount;
beforeEach(() => {
  ssh = mount();
});

const minimal = { key_type: 'ca', allow_user_certificates: true };

const defaults = {
  key_type: 'ca',
  default_user: '',
  default_user_template: false,
  port: 22,
  allowed_users: '',
  allowed_users_template: false,
  allowed_domains: '',
  allowed_domains_template: false,
  ttl: '0s',
  max_ttl: '0s',
  allowed_critical_options: '',
  allowed_extensions: '',
  default_critical_options: {},
  default_extensions: {},
  default_extensions_template: false,
  allow_user_certificates: true,
  allow_host_certificates: false,
  allow_bare_domains: false,
  allow_subdomains: false,
  allow_user_key_ids: false,
  key_id_format: '',
  allowed_user_key_lengths: {},
  allow_empty_principals: false,
  algorithm_signer: 'default',
  not_before_duration: '30s',
};

describe('a ca role', () => {
  it('is written without a response body, and read with every default', async () => {
    expect(await ssh.write('roles/web', minimal)).toBeUndefined();
    expect(await ssh.read('roles/web')).toEqual(defaults);
  });

  it('keeps every field', async () => {
    const every: Record<string, Json> = {
      key_type: 'ca',
      default_user: 'ubuntu',
      default_user_template: true,
      port: 2222,
      allowed_users: 'ubuntu,deploy',
      allowed_users_template: true,
      allowed_domains: 'example.com',
      allowed_domains_template: true,
      ttl: '1h30m0s',
      max_ttl: '2h0m0s',
      allowed_critical_options: 'force-command',
      allowed_extensions: 'permit-pty',
      default_critical_options: { 'force-command': '/bin/true' },
      default_extensions: { 'permit-pty': '' },
      default_extensions_template: true,
      allow_user_certificates: true,
      allow_host_certificates: true,
      allow_bare_domains: true,
      allow_subdomains: true,
      allow_user_key_ids: true,
      key_id_format: '{{role_name}}',
      allowed_user_key_lengths: { rsa: [2048, 4096], ed25519: [0] },
      allow_empty_principals: true,
      algorithm_signer: 'rsa-sha2-512',
      not_before_duration: '1m0s',
    };
    await ssh.call('create', 'roles/web', every);
    expect(await ssh.read('roles/web')).toEqual(every);
    await ssh.write('roles/again', await ssh.read('roles/web'));
    expect(await ssh.read('roles/again')).toEqual(every);
  });

  it('is replaced entirely: omitted fields return to their defaults', async () => {
    await ssh.write('roles/web', { ...minimal, default_user: 'ubuntu', ttl: '1h' });
    await ssh.write('roles/web', minimal);
    expect(await ssh.read('roles/web')).toEqual(defaults);
  });

  it.each<[string, Json, Json]>([
    ['allow_subdomains', 'true', true],
    ['allow_subdomains', '0', false],
    ['allow_subdomains', 1, true],
    ['allow_subdomains', '', false],
    ['allow_subdomains', null, false],
    ['port', '2022', 2022],
    ['port', 0, 22],
    ['port', null, 22],
    ['default_user', 7, '7'],
    ['ttl', 90, '1m30s'],
    ['ttl', '90', '1m30s'],
    ['ttl', '1.5h', '1h30m0s'],
    ['not_before_duration', 0, '0s'],
    [
      'default_extensions',
      { 'permit-pty': true, login: 5, none: null },
      { 'permit-pty': '1', login: '5', none: '' },
    ],
    ['allowed_user_key_lengths', { rsa: 2048 }, { rsa: [2048] }],
    ['allowed_user_key_lengths', { rsa: '2048, 4096' }, { rsa: [2048, 4096] }],
    ['allowed_user_key_lengths', { ec: ['256', 384] }, { ec: [256, 384] }],
    ['algorithm_signer', '', 'default'],
    ['key_type', 'CA', 'ca'],
  ])('reads %s given as %j', async (field, given, kept) => {
    await ssh.write('roles/web', { ...minimal, [field]: given });
    expect((await ssh.read('roles/web'))[field]).toEqual(kept);
  });

  it.each<[string, Json, string]>([
    ['allow_subdomains', 'maybe', 'expected a boolean, got an invalid string'],
    ['allow_subdomains', {}, 'expected a boolean, got an object'],
    ['port', 'ssh', 'expected an integer, got an invalid string'],
    ['port', 2.5, 'expected an integer, got a number'],
    ['port', 2 ** 60, 'expected an integer, got a number'],
    ['default_user', {}, 'expected a string, got an object'],
    ['default_user', 'a\0b', 'it contains a NUL character'],
    ['allowed_users', ['ubuntu', 'deploy'], 'expected a string, got an array'],
    ['cidr_list', ['10.0.0.0/8'], 'expected a string, got an array'],
    ['ttl', 'soon', 'expected a duration such as 90, "30s" or "1h30m", got an invalid string'],
    ['ttl', '1d', 'expected a duration such as 90, "30s" or "1h30m", got an invalid string'],
    ['ttl', '1d12h', 'expected a duration such as 90, "30s" or "1h30m", got an invalid string'],
    ['ttl', '1.5', 'expected a duration such as 90, "30s" or "1h30m", got an invalid string'],
    ['ttl', 1.5, 'expected a duration such as 90, "30s" or "1h30m", got a number'],
    ['ttl', -5, 'a duration cannot be negative'],
    ['max_ttl', '500ms', 'a duration cannot be shorter than a second'],
    ['max_ttl', 1e12, 'a duration cannot exceed 9223372036 seconds'],
    ['default_extensions', 'permit-pty', 'expected an object, got an invalid string'],
    ['default_extensions', ['permit-pty'], 'expected an object, got an array'],
    ['default_critical_options', { a: {} }, 'expected a map of strings, got an object'],
    ['allowed_user_key_lengths', 2048, 'expected an object, got a number'],
  ])('rejects %s given as %j', async (field, given, reason) => {
    expect(await errorOf(ssh.write('roles/web', { ...minimal, [field]: given }))).toBe(
      `400 Field validation failed: error converting input for field "${field}": ${reason}`,
    );
    expect(await errorOf(ssh.read('roles/web'))).toBe('404');
  });

  it.each<[Record<string, Json>, string]>([
    [{}, '400 missing key type'],
    [{ key_type: 'pgp' }, '400 invalid key type'],
    [{ key_type: 'dynamic' }, '400 dynamic key type roles are no longer supported'],
    [{ key_type: 'otp' }, '400 missing default user'],
    [
      { key_type: 'ca' },
      "400 Either 'allow_user_certificates' or 'allow_host_certificates' must be set to 'true'",
    ],
    [
      { ...minimal, ttl: '2h', max_ttl: '1h' },
      '400 "ttl" value must be less than "max_ttl" when both are specified',
    ],
    [{ ...minimal, algorithm_signer: 'md5' }, `500 ${decorated('unknown algorithm signer "md5"')}`],
    [
      { ...minimal, cidr_list: '10.0.0.0/33' },
      '400 failed to validate cidr_list: "10.0.0.0/33" is not a CIDR block',
    ],
    [
      { ...minimal, exclude_cidr_list: '10.0.0.1' },
      '400 failed to validate exclude_cidr_list entry: "10.0.0.1" is not a CIDR block',
    ],
    [{ ...minimal, port: 70_000 }, '400 port must be between 0 and 65535'],
    [
      { ...minimal, allowed_user_key_lengths: { rsa: 'many' } },
      '400 error processing allowed_user_key_lengths: "rsa" must be an integer, an array of integers, or integers separated by commas',
    ],
    [
      { ...minimal, allowed_user_key_lengths: { pgp: 1 } },
      '400 error processing allowed_user_key_lengths: unknown key type "pgp"',
    ],
  ])('rejects %j', async (given, rejection) => {
    expect(await errorOf(ssh.write('roles/web', given))).toBe(rejection);
  });

  it('may have a ttl equal to its max_ttl', async () => {
    await ssh.write('roles/web', { ...minimal, ttl: '1h', max_ttl: 3600 });
    expect(await ssh.read('roles/web')).toMatchObject({ ttl: '1h0m0s', max_ttl: '1h0m0s' });
  });

  it('keeps option names that objects inherit', async () => {
    const options = JSON.parse('{"__proto__": "x", "constructor": "y"}') as Record<string, Json>;
    await ssh.write('roles/web', { ...minimal, default_extensions: options });
    const { default_extensions: kept } = await ssh.read('roles/web');
    expect(Object.entries(kept ?? {})).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  });

  it('returns no response that could contain a warning about unknown fields', async () => {
    expect(await ssh.write('roles/web', { ...minimal, color: 'red' })).toBeUndefined();
  });
});

describe('an otp role', () => {
  it('is stored with its own fields and read with them', async () => {
    const otp = { key_type: 'otp', default_user: 'ubuntu', cidr_list: '10.0.0.0/8, fd00::/8' };
    await ssh.write('roles/old', { ...otp, allow_user_certificates: true });
    expect(await ssh.read('roles/old')).toEqual({
      ...otp,
      default_user_template: false,
      exclude_cidr_list: '',
      port: 22,
      allowed_users: '',
      allowed_users_template: false,
    });
  });

  it('keeps every field of its own', async () => {
    const every = {
      key_type: 'otp',
      default_user: 'dev-{{identity.entity.name}}',
      default_user_template: true,
      cidr_list: '10.0.0.0/8',
      exclude_cidr_list: '10.1.0.0/16',
      port: 2222,
      allowed_users: 'ubuntu,{{identity.entity.name}}',
      allowed_users_template: true,
    };
    await ssh.write('roles/old', every);
    expect(await ssh.read('roles/old')).toEqual(every);
  });
});

describe('the roles', () => {
  it('are listed in pages, after a name that need not exist', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await ssh.call('update', `roles/${name}`, minimal);
    const names = async (data: Record<string, Json>) => (await ssh.call('list', 'roles', data))?.data?.keys;
    expect(await names({ limit: '2' })).toEqual(['a', 'b']);
    expect(await names({ limit: '2', after: 'b' })).toEqual(['c', 'd']);
    expect(await names({ after: 'bb' })).toEqual(['c', 'd']);
    expect(await names({ limit: '0' })).toEqual(['a', 'b', 'c', 'd']);
    expect(await names({ limit: '-1', after: 'a' })).toEqual(['b', 'c', 'd']);
    expect(await errorOf(ssh.call('list', 'roles', { after: 'd' }))).toMatch(/^404/);
    expect(await errorOf(ssh.call('list', 'roles', { limit: 'many' }))).toMatch(/^400 .*"limit"/);
  });

  it('are listed by name with their key type', async () => {
    await ssh.write('roles/web', minimal);
    await ssh.write('roles/db', { key_type: 'otp', default_user: 'pg' });
    await ssh.write('roles/__proto__', minimal);
    const listed = (await ssh.call('list', 'roles'))?.data;
    expect(listed?.keys).toEqual(['__proto__', 'db', 'web']);
    expect(Object.entries(listed?.key_info ?? {})).toEqual([
      ['__proto__', { key_type: 'ca' }],
      ['db', { key_type: 'otp' }],
      ['web', { key_type: 'ca' }],
    ]);
  });

  it('are 404 if none exist', async () => {
    expect(await errorOf(ssh.call('list', 'roles'))).toBe('404');
    expect(await errorOf(ssh.read('roles/web'))).toBe('404');
  });

  it('can be deleted, and deleted again', async () => {
    await ssh.write('roles/web', minimal);
    expect(await ssh.call('delete', 'roles/web')).toBeUndefined();
    expect(await ssh.call('delete', 'roles/web')).toBeUndefined();
    expect(await errorOf(ssh.read('roles/web'))).toBe('404');
  });

  it.each(['web', 'w', 'web.prod', 'ops@example.com', 'a-b_c', '__proto__'])(
    'may be called %s',
    async (name) => {
      await ssh.write(`roles/${name}`, minimal);
      expect((await ssh.read(`roles/${name}`)).key_type).toBe('ca');
    },
  );

  it.each([
    'roles/web.',
    'roles/-web',
    'roles/.',
    'roles/..',
    'roles/a b',
    'roles/a/b',
    'roles/',
    'roles/é',
    'sign/web.',
    'sign',
    'nothing',
  ])('do not exist at the path %s', async (path) => {
    expect(await errorOf(ssh.write(path, minimal))).toBe(`404 ${decorated('unsupported path')}`);
  });

  it('reject unsupported operations', async () => {
    const rejection = `405 ${decorated('unsupported operation')}`;
    expect(await errorOf(ssh.call('read', 'roles'))).toBe(rejection);
    expect(await errorOf(ssh.call('patch', 'roles/web', minimal))).toBe(rejection);
    expect(await errorOf(ssh.call('read', 'sign/web'))).toBe(rejection);
    expect(await errorOf(ssh.call('update', 'public_key'))).toBe(rejection);
  });

  it('accept any body: a role is written, or rejected with one message', async () => {
    const names = Object.keys(defaults);
    const body = fc.dictionary(fc.constantFrom(...names), fc.jsonValue() as fc.Arbitrary<Json>);
    await fc.assert(
      fc.asyncProperty(body, fc.boolean(), async (given, valid) => {
        const outcome = await errorOf(ssh.write('roles/any', valid ? { ...given, ...minimal } : given));
        expect(outcome).toMatch(
          /^(not rejected: undefined|400 [^\n]+|500 1 error occurred:\n\t\* unknown algorithm signer .*\n\n)$/s,
        );
      }),
      { seed: 4, numRuns: 300 },
    );
  });
});
