import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Entity } from '../../../../../src/services/secrets/model/identity.ts';
import type { CertificateInfo } from '../../../../../src/ssh/types.ts';
import type { Json } from '../../../../../src/wire/json.ts';
import { type Data, decorated } from '../engine-calls.ts';
import { certificateOf, mount, mountWithCa, noon, publicKey, signed } from './harness.ts';

// What a role permits in a certificate, read back from the certificates: without ssh-keygen, so that it runs
// anywhere.

const keyHash = createHash('sha256')
  .update(Buffer.from(publicKey.split(' ')[1] ?? '', 'base64'))
  .digest('hex');

const accessor = 'auth_userpass_1a2b3c4d';
const anna: Entity = {
  id: 'e-1',
  name: 'anna',
  metadata: {
    team: 'web',
    t: 'one',
    'a.b': 'dotted',
    '': 'no key',
    empty: '',
    list: 'a,b',
    line: 'a\nb',
    star: '*',
  },
  aliases: [
    { mountAccessor: 'auth_jwt_99', name: 'pipeline', metadata: { login: 'other' } },
    { mountAccessor: accessor, name: 'anna@corp', metadata: { login: 'annac', l: 'x', '': 'no key' } },
  ],
};

const both = { key_type: 'ca', allow_user_certificates: true, allow_host_certificates: true };
const user = { ...both, allowed_users: 'ubuntu,deploy' };
const host = { ...both, allowed_domains: 'example.com,test' };

/** One field of the certificate, or the error. */
async function outcome<Name extends keyof CertificateInfo>(
  name: Name,
  ...asked: Parameters<typeof signed>
): Promise<CertificateInfo[Name] | string> {
  const result = await signed(...asked);
  return typeof result === 'string' ? result : result[name];
}

const invalid = (name: string) => `400 ${name} is not a valid value for valid_principals`;
const wrongType = (field: string, reason: string) =>
  `400 Field validation failed: error converting input for field "${field}": ${reason}`;
const unrenderable = (text: string) =>
  `400 template '${text}' could not be rendered: its value contains a comma or a control character`;
const list = '{{identity.entity.metadata.list}}';

describe('the kind of a certificate', () => {
  test.for<[Data, string | undefined, string]>([
    [user, undefined, 'user'],
    [user, 'user', 'user'],
    [{ ...user, allowed_domains: '*' }, 'host', 'host'],
    [{ ...user, allow_user_certificates: false }, 'user', "400 cert_type 'user' is not allowed by role"],
    [{ ...user, allow_user_certificates: false }, undefined, "400 cert_type 'user' is not allowed by role"],
    [{ ...user, allow_host_certificates: false }, 'host', "400 cert_type 'host' is not allowed by role"],
    [user, 'robot', "400 cert_type must be either 'user' or 'host'"],
    [user, '', "400 cert_type must be either 'user' or 'host'"],
  ])('is one that the role permits: %j, %s', async ([role, cert_type, expected]) => {
    const body = { valid_principals: 'ubuntu', ...(cert_type !== undefined && { cert_type }) };
    expect(await outcome('kind', role, body)).toBe(expected);
  });
});

describe('the principals of a user certificate', () => {
  const empty = '400 empty valid principals not allowed by role';
  const none = '400 role is not configured to allow any principals';
  const name = '{{identity.entity.name}}';

  test.for<[Data, Json, string | string[]]>([
    [{}, 'ubuntu', ['ubuntu']],
    [{}, ' deploy ,ubuntu,,deploy', ['deploy', 'ubuntu']],
    [{}, ['deploy', 'ubuntu'], wrongType('valid_principals', 'expected a string, got an array')],
    [{}, 'ubuntu,root', invalid('root')],
    [{}, 'Ubuntu', invalid('Ubuntu')],
    [{}, '*', invalid('*')],
    [{ allowed_users: '*' }, 'root,x', ['root', 'x']],
    [{ allowed_users: ' * ' }, 'root', ['root']],
    [{ allowed_users: 'ubuntu,*' }, 'root', invalid('root')],
    [{ allowed_users: '*,ubuntu' }, 'root', invalid('root')],
    [{ allowed_users: '*,ubuntu' }, '*', ['*']],
    [{ allowed_users: '' }, 'ubuntu', none],
    [{ allowed_users: '', allowed_domains: 'ubuntu', allow_bare_domains: true }, 'ubuntu', none],
    [{ allow_subdomains: true, allow_bare_domains: true }, 'a.ubuntu', invalid('a.ubuntu')],
    [{}, null, empty],
    [{}, '', empty],
    [{ allowed_users: '*' }, null, empty],
    [{ allowed_users: '*' }, ' , ', empty],
    [{ allow_empty_principals: true }, null, []],
    [{ allow_empty_principals: true, allowed_users: '' }, null, []],
    [{ allow_empty_principals: true }, 'root', invalid('root')],
    [{ allow_empty_principals: true, default_user: 'deploy' }, null, ['deploy']],
    [{ default_user: 'deploy' }, null, ['deploy']],
    [{ default_user: 'deploy' }, '', ['deploy']],
    [{ default_user: 'deploy,ubuntu' }, null, ['deploy', 'ubuntu']],
    [{ default_user: 'deploy' }, 'ubuntu', ['ubuntu']],
    [{ default_user: 'root' }, null, invalid('root')],
    [{ default_user: 'root' }, 'root', invalid('root')],
    [{ default_user: 'root', allowed_users: '' }, null, none],
    [{ default_user: name, allowed_users: '*' }, null, [name]],
    [{ default_user: name, default_user_template: true, allowed_users: '*' }, null, ['anna']],
    [{ default_user: name, default_user_template: true, allowed_users: 'anna' }, null, ['anna']],
    [{ default_user: name, default_user_template: true, allowed_users: 'berta' }, null, invalid('anna')],
    [{ default_user: `anna,${name}`, default_user_template: true, allowed_users: '*' }, null, ['anna']],
    [
      {
        default_user: 'x-{{identity.entity.metadata.empty}}',
        default_user_template: true,
        allowed_users: '*',
        allow_empty_principals: true,
      },
      null,
      invalid('x-{{identity.entity.metadata.empty}}'),
    ],
    [{ default_user: 'anna', default_user_template: true, allowed_users: 'anna' }, name, invalid(name)],
    [{ default_user_template: true, allowed_users: '*' }, name, [name]],
    [{ allowed_users: name }, 'anna', invalid('anna')],
    [{ allowed_users: name }, name, [name]],
    [{ allowed_users: name, allowed_domains_template: true }, 'anna', invalid('anna')],
    [{ allowed_users: name, allowed_users_template: true }, 'anna', ['anna']],
    [{ allowed_users: name, allowed_users_template: true }, name, invalid(name)],
    [{ allowed_users: `${name},deploy`, allowed_users_template: true }, 'deploy', ['deploy']],
    [
      { allowed_users: '{{identity.entity.metadata.none}},deploy', allowed_users_template: true },
      'deploy',
      ['deploy'],
    ],
    [
      { allowed_users: '{{identity.entity.metadata.none}}', allowed_users_template: true },
      'undefined',
      invalid('undefined'),
    ],
    [
      { allowed_users: '{{identity.entity.metadata.star}}', allowed_users_template: true },
      'root',
      invalid('root'),
    ],
    [{ allowed_users: `deploy,${list}`, allowed_users_template: true }, 'deploy', unrenderable(list)],
    [{ allowed_users: '*', default_user: list, default_user_template: true }, null, unrenderable(list)],
  ])('follow the role %j for the request %j', async ([role, valid_principals, expected]) => {
    expect(await outcome('principals', { ...user, ...role }, { valid_principals }, { entity: anna })).toEqual(
      expected,
    );
  });

  test('are at most 256', async () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `u${at}`);
    const role = { ...user, allowed_users: '*' };
    const ask = (count: number) => outcome('principals', role, { valid_principals: names(count).join() });
    expect(await ask(256)).toEqual(names(256));
    expect(await ask(257)).toBe('400 valid_principals contains more than 256 names');
  });
});

describe('the principals of a host certificate', () => {
  const name = '{{identity.entity.name}}';

  test.for<[Data, string | null, string | string[]]>([
    [{ allow_bare_domains: true }, 'example.com,test', ['example.com', 'test']],
    [{ allow_bare_domains: true }, 'a.example.com', invalid('a.example.com')],
    [{ allow_subdomains: true }, 'a.b.example.com,x.test', ['a.b.example.com', 'x.test']],
    [{ allow_subdomains: true }, 'example.com', invalid('example.com')],
    [{ allow_subdomains: true, allow_bare_domains: true }, '.example.com', invalid('.example.com')],
    [{ allow_subdomains: true, allow_bare_domains: true }, 'badexample.com', invalid('badexample.com')],
    [{ allow_subdomains: true, allow_bare_domains: true }, 'example.com.evil', invalid('example.com.evil')],
    [{ allow_subdomains: true }, 'example.com.a', invalid('example.com.a')],
    [{}, 'example.com', invalid('example.com')],
    [{}, 'a.example.com', invalid('a.example.com')],
    [{ allowed_domains: '*' }, 'anything.at.all', ['anything.at.all']],
    [{ allowed_domains: '' }, 'example.com', '400 role is not configured to allow any principals'],
    [
      { allowed_domains: '', allowed_users: 'example.com', allow_bare_domains: true },
      'example.com',
      '400 role is not configured to allow any principals',
    ],
    [
      { default_user: 'example.com', allow_bare_domains: true },
      null,
      '400 empty valid principals not allowed by role',
    ],
    [{ allow_empty_principals: true, default_user: 'x' }, null, []],
    [{ allowed_domains: `${name}.org`, allow_subdomains: true }, 'a.anna.org', invalid('a.anna.org')],
    [
      { allowed_domains: `${name}.org`, allow_subdomains: true, allowed_users_template: true },
      'a.anna.org',
      invalid('a.anna.org'),
    ],
    [
      { allowed_domains: `${name}.org`, allow_subdomains: true, allowed_domains_template: true },
      'a.anna.org',
      ['a.anna.org'],
    ],
    [
      {
        allowed_domains: '{{identity.entity.metadata.none}}',
        allow_subdomains: true,
        allow_bare_domains: true,
        allowed_domains_template: true,
      },
      'a.undefined',
      invalid('a.undefined'),
    ],
    [
      { allowed_domains: list, allow_bare_domains: true, allowed_domains_template: true },
      'root',
      unrenderable(list),
    ],
    [{ allowed_domains: '*', default_user_template: true, allowed_domains_template: true }, name, [name]],
  ])('follow the role %j for the request %j', async ([role, valid_principals, expected]) => {
    const body = { cert_type: 'host', valid_principals };
    expect(await outcome('principals', { ...host, ...role }, body, { entity: anna })).toEqual(expected);
  });
});

describe('the key ID of a certificate', () => {
  const body = { valid_principals: 'ubuntu' };

  test('is the display name of the token, or the hash of the key', async () => {
    expect(await outcome('keyId', user, body, { displayName: 'token-anna' })).toBe('token-anna');
    expect(await outcome('keyId', user, body, { displayName: '' })).toBe(keyHash);
    expect(await outcome('keyId', user, { ...body, key_id: '' })).toBe('root');
  });

  test('is chosen by the caller where the role permits it', async () => {
    const chosen = { ...body, key_id: 'build 7' };
    expect(await outcome('keyId', { ...user, allow_user_key_ids: true }, chosen)).toBe('build 7');
    expect(await outcome('keyId', user, chosen)).toBe('400 setting key_id is not allowed by role');
  });

  test('follows the format of the role, whose variables are replaced once', async () => {
    const key_id_format = '{{role_name}}/{{token_display_name}}/{{public_key_hash}}/{{other}}/{{role_name}}';
    const more = { displayName: '{{role_name}}$&' };
    expect(await outcome('keyId', { ...user, key_id_format }, body, more)).toBe(
      `r/{{role_name}}$&/${keyHash}/{{other}}/r`,
    );
    const chosen = { ...user, key_id_format: 'fixed', allow_user_key_ids: true };
    expect(await outcome('keyId', chosen, { ...body, key_id: 'mine' })).toBe('mine');
    expect(await outcome('keyId', chosen, body)).toBe('fixed');
  });
});

describe('the lifetime of a certificate', () => {
  const system = 768 * 3600;
  const now = noon.getTime() / 1000;

  test.for<[Data, Json, number | string]>([
    [{}, null, system],
    [{}, '', system],
    [{}, 90, 90],
    [{}, '90', 90],
    [{}, '1h30m', 5400],
    [{}, '24h', 86_400],
    [{}, system, system],
    [{}, system + 1, `400 ttl is larger than maximum allowed ${system}`],
    [{}, 'soon', wrongType('ttl', 'expected a duration such as 90, "30s" or "1h30m", got an invalid string')],
    [{}, '-1h', wrongType('ttl', 'a duration cannot be negative')],
    [{ ttl: 7200 }, null, 7200],
    [{ ttl: 7200 }, 0, system],
    [{ ttl: 1800, max_ttl: 3600 }, 0, '400 ttl is larger than maximum allowed 3600'],
    [{ ttl: 7200 }, 10_800, 10_800],
    [{ max_ttl: 3600 }, null, 3600],
    [{ max_ttl: 3600 }, 3600, 3600],
    [{ max_ttl: 3600 }, 3601, '400 ttl is larger than maximum allowed 3600'],
    [{ ttl: 1800, max_ttl: 3600 }, null, 1800],
    [{ ttl: 1800, max_ttl: 3600 }, 60, 60],
    [{ ttl: system + 5 }, null, system],
    [{ max_ttl: system + 5 }, system + 5, system + 5],
    [{ max_ttl: system + 5 }, null, system],
  ])('is the requested one within the limits of the role: %j, ttl %j', async ([role, ttl, expected]) => {
    const result = await signed({ ...user, ...role }, { valid_principals: 'ubuntu', ttl });
    expect(typeof result === 'string' ? result : Number(result.validBefore) - now).toBe(expected);
  });

  test.for<[Data, number | undefined]>([
    [{}, now - 30],
    [{ not_before_duration: 600 }, now - 600],
    [{ not_before_duration: 250 * 365 * 86_400 }, undefined],
    [{ not_before_duration: now }, undefined],
    [{ not_before_duration: now - 1 }, 1],
  ])('begins as long before as the role says, but not before 1970: %j', async ([role, expected]) => {
    const body = { valid_principals: 'ubuntu', ttl: 60 };
    expect(await signed({ ...user, ...role }, body)).toMatchObject({
      validAfter: expected,
      validBefore: now + 60,
    });
  });

  test('is counted from the second of the request', async () => {
    const body = { valid_principals: 'ubuntu', ttl: 60 };
    expect(await signed(user, body, { now: new Date(noon.getTime() + 999) })).toMatchObject({
      validAfter: now - 30,
      validBefore: now + 60,
    });
  });
});

describe('the critical options of a certificate', () => {
  const force = { 'force-command': '/bin/date' };
  const source = { 'source-address': '10.0.0.1' };

  test.for<[Data, Data | null, [string, string][] | string]>([
    [{}, null, []],
    [{}, force, Object.entries(force)],
    [{ default_critical_options: source }, null, Object.entries(source)],
    [{ default_critical_options: source }, {}, Object.entries(source)],
    [{ default_critical_options: source }, force, Object.entries(force)],
    [{ allowed_critical_options: 'source-address, force-command' }, force, Object.entries(force)],
    [
      { allowed_critical_options: 'source-address' },
      { ...force, ...source, x: '' },
      '400 critical options not on allowed list: [force-command x]',
    ],
    [{ allowed_critical_options: 'x', default_critical_options: source }, null, Object.entries(source)],
    [{ allowed_critical_options: '*' }, force, '400 critical options not on allowed list: [force-command]'],
  ])('follow the role %j for the request %j', async ([role, critical_options, expected]) => {
    const body = { valid_principals: 'ubuntu', critical_options };
    expect(await outcome('criticalOptions', { ...user, ...role }, body)).toEqual(expected);
  });
});

describe('the extensions of a certificate', () => {
  const pty = { 'permit-pty': '' };
  const rc = { 'permit-user-rc': '' };
  const login = { 'login@example.com': '{{identity.entity.name}}' };

  test.for<[Data, Data | null, [string, string][] | string]>([
    [{}, null, []],
    [{}, pty, '400 extensions [permit-pty] are not on allowed list'],
    [{ default_extensions: rc }, null, [['permit-user-rc', '']]],
    [{ default_extensions: rc }, {}, [['permit-user-rc', '']]],
    [{ default_extensions: rc }, rc, '400 extensions [permit-user-rc] are not on allowed list'],
    [{ default_extensions: rc, allowed_extensions: 'permit-pty' }, pty, [['permit-pty', '']]],
    [
      { allowed_extensions: 'permit-pty' },
      { ...rc, x: '', ...pty },
      '400 extensions [permit-user-rc x] are not on allowed list',
    ],
    [{ allowed_extensions: '*' }, { ...pty, ...rc }, [...Object.entries(pty), ...Object.entries(rc)]],
    [{ allowed_extensions: 'permit-pty,*' }, rc, '400 extensions [permit-user-rc] are not on allowed list'],
    [{ allowed_extensions: '*,permit-pty' }, rc, '400 extensions [permit-user-rc] are not on allowed list'],
    [{ allowed_extensions: 'pty' }, pty, '400 extensions [permit-pty] are not on allowed list'],
    [{ default_extensions: login }, null, Object.entries(login)],
    [{ default_extensions: { a: list }, default_extensions_template: true }, null, unrenderable(list)],
    [{ default_extensions: { a: '{{bad' }, default_extensions_template: true }, null, [['a', '{{bad']]],
    [{ default_extensions: login, default_extensions_template: true }, null, [['login@example.com', 'anna']]],
    [{ allowed_extensions: '*', default_extensions_template: true }, login, Object.entries(login)],
  ])('follow the role %j for the request %j', async ([role, extensions, expected]) => {
    const body = { valid_principals: 'ubuntu', extensions };
    expect(await outcome('extensions', { ...user, ...role }, body, { entity: anna })).toEqual(expected);
  });

  // OpenBao rejects a template without a value for an entity, and omits it only without an entity.
  test('leave out defaults with templates for a token without an entity, with a warning', async () => {
    const ssh = await mountWithCa();
    const role = {
      ...user,
      default_extensions: { ...login, 'x@example.com': '{{identity.entity.metadata.none}}' },
    };
    const body = { valid_principals: 'ubuntu', public_key: publicKey };
    const warningsOf = async (more: Data) => {
      await ssh.write('roles/r', { ...role, ...more });
      return (await ssh.write('sign/r', body))?.warnings;
    };
    expect(await warningsOf({ default_extensions_template: true })).toEqual([
      'default extensions omitted because the token has no identity for their templates: [login@example.com x@example.com]',
    ]);
    await expect(ssh.write('sign/r', body, { entity: anna })).rejects.toThrow(
      "template '{{identity.entity.metadata.none}}' could not be rendered",
    );
    expect(await warningsOf({})).toEqual([]);
    const requested = { ...body, extensions: { 'permit-pty': '' } };
    await ssh.write('roles/r', { ...role, allowed_extensions: '*', default_extensions_template: true });
    expect((await ssh.write('sign/r', requested, { entity: anna }))?.warnings).toEqual([]);
    const certain = { ...role, default_extensions: login, default_extensions_template: true };
    expect(await outcome('extensions', certain, body, { entity: anna }, ssh)).toEqual([
      ['login@example.com', 'anna'],
    ]);
    const all = { default_extensions: { a: login['login@example.com'], b: '{{x}}', c: '{{y}}' } };
    await ssh.write('roles/r', { ...certain, ...all });
    expect((await ssh.write('sign/r', body))?.warnings).toEqual([
      'default extensions omitted because the token has no identity for their templates: [a b c]',
    ]);
  });
});

describe('a template in the default user of a role', () => {
  const role = { ...user, allowed_users: '*', default_user_template: true };
  const expanded = (default_user: string, entity: Entity | null = anna) =>
    outcome('principals', { ...role, default_user }, {}, entity === null ? {} : { entity });

  test.for([
    ['{{identity.entity.id}}', 'e-1'],
    ['{{identity.entity.name}}', 'anna'],
    ['{{ identity.entity.name }}', 'anna'],
    ['dev-{{identity.entity.name}}.x', 'dev-anna.x'],
    ['{{identity.entity.name}}-{{identity.entity.metadata.team}}', 'anna-web'],
    ['{{identity.entity.metadata.t}}', 'one'],
    ['{{identity.entity.metadata.a.b}}', 'dotted'],
    [`{{identity.entity.aliases.${accessor}.name}}`, 'anna@corp'],
    ['{{identity.entity.aliases.auth_jwt_99.name}}', 'pipeline'],
    [`{{identity.entity.aliases.${accessor}.metadata.login}}`, 'annac'],
    [`{{identity.entity.aliases.${accessor}.metadata.l}}`, 'x'],
    ['a{b}c', 'a{b}c'],
    ['plain}}', 'plain}}'],
    ['plain', 'plain'],
  ] as const)('%s expands to %s', async ([text, expected]) => {
    expect(await expanded(text)).toEqual([expected]);
  });

  test.for([
    '{{identity.entity.metadata.none}}',
    '{{identity.entity.metadata.empty}}',
    '{{identity.entity.metadata}}',
    '{{identity.entity.metadata.}}',
    '{{identity.entity.metadata.constructor}}',
    '{{identity.entity.metadata.__proto__}}',
    '{{identity.entity.metadatax.team}}',
    '{{identity.entity.id.x}}',
    '{{identity.entity.name.}}',
    '{{identity.entity.namex}}',
    '{{xidentity.entity.name}}',
    '{{identity-entity-name}}',
    '{{identity.entity.aliases}}',
    '{{identity.entity.aliases.auth_none_1.name}}',
    `{{identity.entity.aliases.${accessor}}}`,
    `{{identity.entity.aliases.${accessor}.id}}`,
    `{{identity.entity.aliases.${accessor}.name.x}}`,
    `{{identity.entity.aliases.${accessor}.namex}}`,
    `{{identity.entity.aliases.x.${accessor}.name}}`,
    `{{identity.entity.aliases.${accessor}-name}}`,
    `{{identity.entity.aliases.${accessor}.metadata}}`,
    `{{identity.entity.aliases.${accessor}.metadata.none}}`,
    `{{identity.entity.aliases.${accessor}.metadata.constructor}}`,
    '{{identity.groups.names.x.id}}',
    '{{{identity.entity.name}}}',
    '{{}}',
    '{{',
    '{{identity.entity.name',
    '{{identity.entity.name}',
    '{{identity.entity.namex',
  ])('%s expands to nothing, and the certificate is rejected', async (text) => {
    expect(await expanded(text)).toBe(invalid(text));
  });

  test('expands to nothing without an entity, or where the entity has no name', async () => {
    expect(await expanded('{{identity.entity.name}}', null)).toBe(invalid('{{identity.entity.name}}'));
    expect(await expanded('{{identity.entity.name}}', { ...anna, name: '' })).toBe(
      invalid('{{identity.entity.name}}'),
    );
    expect(await expanded('plain', null)).toEqual(['plain']);
  });

  test('is rejected if its value contains a comma or a control character', async () => {
    for (const key of ['list', 'line']) {
      const text = `{{identity.entity.metadata.${key}}}`;
      expect(await expanded(text)).toBe(unrenderable(text));
    }
  });

  test('is expanded once', async () => {
    expect(
      await expanded('x-{{identity.entity.name}}', { ...anna, name: '{{identity.entity.id}}$&' }),
    ).toEqual(['x-{{identity.entity.id}}$&']);
  });
});

describe('signing', () => {
  test('gives the serial number in hexadecimal, as in the certificate', async () => {
    const ssh = await mountWithCa();
    await ssh.write('roles/r', user);
    const body = { public_key: publicKey, valid_principals: 'ubuntu' };
    const [first, second] = [await ssh.write('sign/r', body), await ssh.write('sign/r', body)];
    for (const response of [first, second]) {
      const info = certificateOf(response?.data?.signed_key);
      expect(info.signatureValid).toBe(true);
      expect(BigInt(info.serial).toString(16)).toBe(response?.data?.serial_number);
    }
    expect(first?.data?.serial_number).not.toBe(second?.data?.serial_number);
  });

  test('fails without a CA', async () => {
    expect(await signed(user, { valid_principals: 'ubuntu' }, {}, mount())).toBe(
      `500 ${decorated('error creating signer: no keys configured')}`,
    );
  });

  test('expands templates for an issued key, too', async () => {
    const ssh = await mountWithCa();
    const name = '{{identity.entity.name}}';
    const templates = { default_user_template: true, allowed_users_template: true };
    await ssh.write('roles/r', { ...both, ...templates, default_user: name, allowed_users: name });
    const response = await ssh.write('issue/r', { key_type: 'ed25519' }, { entity: anna });
    expect(certificateOf(response?.data?.signed_key).principals).toEqual(['anna']);
  });
});
