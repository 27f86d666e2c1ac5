import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Entity } from '../../../../../src/services/secrets/model/identity.ts';
import { expand } from '../../../../../src/services/secrets/ssh/templates.ts';
import type { Json } from '../../../../../src/wire/json.ts';
import { expectLinear } from '../../../../support/measure.ts';
import { has } from '../../../../support/require.ts';
import { errorOf, keyFolder, type Mount, mount, mountWithCa, show } from './harness.ts';

type Data = Record<string, Json>;

const accessor = 'auth_userpass_1a2b3c4d';
const anna: Entity = {
  id: 'e-1',
  name: 'anna',
  metadata: { team: 'web', 'a.b': 'dotted', empty: '', list: 'root,admin', line: 'a\nb', star: '*' },
  aliases: [
    { mountAccessor: 'auth_jwt_99', name: 'pipeline', metadata: {} },
    { mountAccessor: accessor, name: 'anna@corp', metadata: { login: 'annac' } },
  ],
};

const unrenderable = (value: string) =>
  `template '${value}' could not be rendered: its value contains a comma or a control character`;

describe('a template', () => {
  it.each([
    ['{{identity.entity.id}}', 'e-1'],
    ['{{identity.entity.name}}', 'anna'],
    ['{{ identity.entity.name }}', 'anna'],
    ['dev-{{identity.entity.name}}.x', 'dev-anna.x'],
    ['{{identity.entity.name}}-{{identity.entity.metadata.team}}', 'anna-web'],
    ['{{identity.entity.metadata.a.b}}', 'dotted'],
    [`{{identity.entity.aliases.${accessor}.name}}`, 'anna@corp'],
    [`{{identity.entity.aliases.${accessor}.metadata.login}}`, 'annac'],
    ['a{b}c', 'a{b}c'],
    ['plain}}', 'plain}}'],
    ['', ''],
  ])('%s expands', (value, expanded) => {
    expect(expand(value, anna)).toBe(expanded);
  });

  it.each([
    '{{identity.entity.metadata.none}}',
    '{{identity.entity.metadata.empty}}',
    'dev-{{identity.entity.metadata.empty}}',
    '{{identity.entity.metadata}}',
    '{{identity.entity.metadata.constructor}}',
    '{{identity.entity.metadata.__proto__}}',
    '{{identity.entity.id.x}}',
    '{{identity.entity.aliases.auth_none_1.name}}',
    `{{identity.entity.aliases.${accessor}}}`,
    `{{identity.entity.aliases.${accessor}.id}}`,
    `{{identity.entity.aliases.${accessor}.name.x}}`,
    '{{identity.entity.aliases.auth_jwt_99.metadata.login}}',
    '{{identity.groups.names.x.id}}',
    '{{identity.entity.nome}}',
    '{{{identity.entity.name}}}',
    '{{}}',
    '{{',
    '{{identity.entity.name',
  ])('%s expands to nothing', (value) => {
    expect(expand(value, anna)).toBeUndefined();
  });

  it('expands to nothing without an entity, or if it has no name', () => {
    expect(expand('{{identity.entity.name}}', undefined)).toBeUndefined();
    expect(expand('{{identity.entity.name}}', { ...anna, name: '' })).toBeUndefined();
    expect(expand('plain', undefined)).toBe('plain');
  });

  it.each(['list', 'line'])('that would be more than one name (%s) is rejected', (key) => {
    const value = `{{identity.entity.metadata.${key}}}`;
    expect(() => expand(value, anna)).toThrow(unrenderable(value));
  });

  it('is expanded once: the result is literal text', () => {
    const name = '{{identity.entity.id}}$&';
    expect(expand('x-{{identity.entity.name}}', { ...anna, name })).toBe(`x-${name}`);
  });

  it.each(['{{', '{{a', '{{identity.entity.name}}'])('of many %s expands in linear time', async (piece) => {
    await expectLinear((size) => expand(piece.repeat(size), anna), 80_000);
  });
});

describe.skipIf(!has('ssh-keygen'))('a templated role', () => {
  const keys = keyFolder();
  afterAll(keys.remove);
  let publicKey = '';
  beforeAll(() => {
    publicKey = keys.keygen('-t ed25519').public;
  });

  let ssh: Mount;
  beforeEach(async () => {
    ssh = await mountWithCa();
  });

  const base = {
    key_type: 'ca',
    allow_user_certificates: true,
    allow_host_certificates: true,
    default_user_template: true,
    allowed_users_template: true,
    allowed_domains_template: true,
    default_extensions_template: true,
  };

  async function outcome(role: Data, body: Data, entity: Entity = anna) {
    await ssh.write('roles/r', { ...base, ...role });
    const signing = ssh.sign('r', { public_key: publicKey, ...body }, { entity });
    const rejection = await errorOf(signing);
    return rejection.startsWith('not rejected') ? show(await signing) : rejection;
  }

  const name = '{{identity.entity.name}}';
  const team = '{{identity.entity.metadata.team}}';
  const invalid = (principal: string) => `400 ${principal} is not a valid value for valid_principals`;

  it.each<[Data, string | null, string | string[]]>([
    [{ allowed_users: name }, 'anna', ['anna']],
    [{ allowed_users: name }, 'berta', invalid('berta')],
    [{ allowed_users: `deploy,${team}-${name}` }, 'web-anna,deploy', ['web-anna', 'deploy']],
    [{ allowed_users: name }, name, invalid(name)],
    [{ allowed_users: 'x-{{identity.entity.metadata.empty}}' }, 'x-', invalid('x-')],
    [{ allowed_users: '{{identity.entity.metadata.star}}' }, 'root', invalid('root')],
    [{ allowed_users: name, allowed_users_template: false }, 'anna', invalid('anna')],
    [{ default_user: name, allowed_users: name }, null, ['anna']],
    [{ default_user: `${name},${name},deploy`, allowed_users: '*' }, null, ['anna', 'deploy']],
    [{ default_user: name, allowed_users: '*' }, null, ['anna']],
    [{ default_user: name, allowed_users: 'deploy' }, null, invalid('anna')],
    [{ default_user: name, allowed_users: '*', default_user_template: false }, null, [name]],
    [
      {
        default_user: 'x{{identity.entity.metadata.empty}}',
        allowed_users: '*',
        allow_empty_principals: true,
      },
      null,
      invalid('x{{identity.entity.metadata.empty}}'),
    ],
    [
      { allowed_users: 'deploy,{{identity.entity.metadata.list}}' },
      'deploy',
      `400 ${unrenderable('{{identity.entity.metadata.list}}')}`,
    ],
    [
      { default_user: '{{identity.entity.metadata.list}}', allowed_users: '*' },
      null,
      `400 ${unrenderable('{{identity.entity.metadata.list}}')}`,
    ],
  ])('%j permits the user %j', async (role, valid_principals, expected) => {
    const result = await outcome(role, { valid_principals });
    expect(typeof result === 'string' ? result : result.principals).toEqual(expected);
  });

  it.each<[Data, string, string | string[]]>([
    [
      { allowed_domains: `${team}.example.com`, allow_bare_domains: true },
      'web.example.com',
      ['web.example.com'],
    ],
    [
      { allowed_domains: `${team}.example.com`, allow_subdomains: true },
      'a.web.example.com',
      ['a.web.example.com'],
    ],
    [
      { allowed_domains: `${team}.example.com`, allow_subdomains: true },
      'a.db.example.com',
      invalid('a.db.example.com'),
    ],
    [
      { allowed_domains: '{{identity.entity.metadata.none}}', allow_subdomains: true },
      'a.example.com',
      invalid('a.example.com'),
    ],
    [
      { allowed_domains: '{{identity.entity.metadata.list}}', allow_bare_domains: true },
      'root',
      `400 ${unrenderable('{{identity.entity.metadata.list}}')}`,
    ],
  ])('%j permits the host %j', async (role, valid_principals, expected) => {
    const result = await outcome(role, { cert_type: 'host', valid_principals });
    expect(typeof result === 'string' ? result : result.principals).toEqual(expected);
  });

  const login = { 'login@example.com': name, 'permit-pty': '' };

  it('inserts the identity into default extensions', async () => {
    const result = await outcome(
      { allowed_users: '*', default_extensions: login },
      { valid_principals: 'x' },
    );
    expect(result).toHaveProperty('extensions', [
      expect.stringMatching(/^login@example\.com UNKNOWN OPTION: 00000004616e6e61/),
      'permit-pty',
    ]);
  });

  it('rejects default extensions that expand to nothing, or would be several', async () => {
    const missing = { 'login@example.com': '{{identity.entity.metadata.none}}', 'permit-pty': '' };
    const body = { valid_principals: 'x' };
    expect(await outcome({ allowed_users: '*', default_extensions: missing }, body)).toBe(
      "400 template '{{identity.entity.metadata.none}}' could not be rendered",
    );
    const literal = { 'login@example.com': '{{bad' };
    expect(await outcome({ allowed_users: '*', default_extensions: literal }, body)).toHaveProperty(
      'extensions',
      [expect.stringMatching(/^login@example\.com/)],
    );
    const several = { 'login@example.com': '{{identity.entity.metadata.list}}' };
    expect(await outcome({ allowed_users: '*', default_extensions: several }, body)).toBe(
      `400 ${unrenderable('{{identity.entity.metadata.list}}')}`,
    );
  });

  it('expands for issued keys as for signed ones', async () => {
    await ssh.write('roles/r', { ...base, default_user: name, allowed_users: name });
    const response = await ssh.write('issue/r', { key_type: 'ed25519' }, { entity: anna });
    expect(show(String(response?.data?.signed_key)).principals).toEqual(['anna']);
  });
});

describe('a templated otp role', () => {
  const name = '{{identity.entity.name}}';
  const otp = {
    key_type: 'otp',
    cidr_list: '10.0.0.0/8',
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
      { default_user: '{{identity.entity.metadata.list}}' },
      null,
      anna,
      `400 ${unrenderable('{{identity.entity.metadata.list}}')}`,
    ],
  ])('%j, requested %j', async (role, username, entity, expected) => {
    const ssh = mount();
    await ssh.write('roles/r', { ...otp, ...role });
    const asking = ssh.write('creds/r', { ip: '10.0.0.1', username }, { entity });
    const rejection = await errorOf(asking);
    expect(rejection.startsWith('not rejected') ? (await asking)?.data?.username : rejection).toBe(expected);
  });
});
