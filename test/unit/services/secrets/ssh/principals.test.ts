import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../../../../src/wire/json.ts';
import { has } from '../../../../support/require.ts';
import { keyFolder, type Mount, mountWithCa, signOutcome } from './harness.ts';

type Data = Record<string, Json>;

describe.skipIf(!has('ssh-keygen'))('a role', () => {
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

  const user = { key_type: 'ca', allow_user_certificates: true, allowed_users: 'ubuntu,deploy' };
  const host = { key_type: 'ca', allow_host_certificates: true, allowed_domains: 'example.com,test' };

  const outcome = (role: Data, body: Data) => signOutcome(ssh, role, { public_key: publicKey, ...body });

  describe('chooses the principals of a user certificate', () => {
    const empty = '400 empty valid principals not allowed by role';
    const none = '400 role is not configured to allow any principals';
    const invalid = (name: string) => `400 ${name} is not a valid value for valid_principals`;

    it.each<[string, Data, Json, string | string[]]>([
      ['a listed name', {}, 'ubuntu', ['ubuntu']],
      ['listed names, once each, in their order', {}, ' deploy ,ubuntu,,deploy', ['deploy', 'ubuntu']],
      [
        'an array',
        {},
        ['deploy', 'ubuntu'],
        '400 Field validation failed: error converting input for field "valid_principals": expected a string, got an array',
      ],
      ['an unlisted name', {}, 'ubuntu,root', invalid('root')],
      ['a name in another case', {}, 'Ubuntu', invalid('Ubuntu')],
      ['a star where the list has none', {}, '*', invalid('*')],
      ['any name where the list is a star', { allowed_users: '*' }, 'root,x', ['root', 'x']],
      [
        'a name where a star is only part of the list',
        { allowed_users: 'ubuntu,*' },
        'root',
        invalid('root'),
      ],
      ['a name where the list is empty', { allowed_users: '' }, 'ubuntu', none],
      ['nothing', {}, null, empty],
      ['empty text', {}, '', empty],
      ['only commas', {}, ' , ,', empty],
      ['nothing, any name allowed', { allowed_users: '*' }, null, empty],
      ['nothing, with a default user', { default_user: 'deploy' }, null, ['deploy']],
      ['empty text, with a default user', { default_user: 'deploy' }, '', ['deploy']],
      ['another name than the default user', { default_user: 'deploy' }, 'ubuntu', ['ubuntu']],
      ['nothing, with a default user off the list', { default_user: 'root' }, null, invalid('root')],
      ['the default user off the list', { default_user: 'root' }, 'root', invalid('root')],
      ['nothing, with a default user and no list', { default_user: 'root', allowed_users: '' }, null, none],
      ['nothing, empty principals allowed', { allow_empty_principals: true }, null, []],
      ['a name, empty principals allowed', { allow_empty_principals: true }, 'root', invalid('root')],
      [
        'nothing, empty principals allowed, with a default user',
        { allow_empty_principals: true, default_user: 'deploy' },
        null,
        ['deploy'],
      ],
    ])('from %s', async (_, role, valid_principals, expected) => {
      const result = await outcome({ ...user, ...role }, { valid_principals });
      const principals = typeof result === 'string' ? result : result.principals;
      // ssh-keygen writes "(none)" after the title if there are none.
      expect(principals).toEqual(expected);
    });

    const identity = '{{identity.entity.name}}';

    it.each<[string, Data, Json, string | string[]]>([
      ['a literal name and a template', { allowed_users: `${identity},ubuntu` }, 'ubuntu', ['ubuntu']],
      ['the text of the template', { allowed_users: identity }, identity, invalid(identity)],
      ['a name, with only a template', { allowed_users: `a-${identity}` }, 'a-', invalid('a-')],
      ['a template as default user', { default_user: identity }, null, invalid(identity)],
      [
        'a template as default user where any name is allowed',
        { default_user: `dev-${identity}`, allowed_users: '*', allow_empty_principals: true },
        null,
        invalid(`dev-${identity}`),
      ],
    ])('if templates do not expand, from %s', async (_, role, valid_principals, expected) => {
      const templated = { ...user, allowed_users_template: true, default_user_template: true, ...role };
      const result = await outcome(templated, { valid_principals });
      expect(typeof result === 'string' ? result : result.principals).toEqual(expected);
    });

    it('literally if the role has no templates', async () => {
      const role = { ...user, allowed_users: identity, default_user: identity };
      expect(await outcome(role, {})).toMatchObject({ principals: [identity] });
    });
  });

  describe('chooses the principals of a host certificate', () => {
    const invalid = (name: string) => `400 ${name} is not a valid value for valid_principals`;

    it.each<[Data, Json, string | string[]]>([
      [{ allow_bare_domains: true }, 'example.com', ['example.com']],
      [{ allow_bare_domains: true }, 'a.example.com', invalid('a.example.com')],
      [{ allow_subdomains: true }, 'a.b.example.com,x.test', ['a.b.example.com', 'x.test']],
      [{ allow_subdomains: true }, 'example.com', invalid('example.com')],
      [{ allow_subdomains: true }, '.example.com', invalid('.example.com')],
      [{ allow_subdomains: true, allow_bare_domains: true }, 'badexample.com', invalid('badexample.com')],
      [
        { allow_subdomains: true, allow_bare_domains: true },
        'a.example.com.evil',
        invalid('a.example.com.evil'),
      ],
      [{}, 'example.com', invalid('example.com')],
      [{ allowed_domains: '*' }, 'anything.at.all', ['anything.at.all']],
      [{ allowed_domains: '' }, 'example.com', '400 role is not configured to allow any principals'],
      [
        { default_user: 'example.com', allow_bare_domains: true },
        null,
        '400 empty valid principals not allowed by role',
      ],
      [{ allow_empty_principals: true }, null, []],
      [
        {
          allowed_domains: '{{identity.entity.name}}.org',
          allowed_domains_template: true,
          allow_subdomains: true,
        },
        'a.{{identity.entity.name}}.org',
        invalid('a.{{identity.entity.name}}.org'),
      ],
    ])('by the role (%j) from %j', async (role, valid_principals, expected) => {
      const result = await outcome({ ...host, ...role }, { cert_type: 'host', valid_principals });
      expect(typeof result === 'string' ? result : result.principals).toEqual(expected);
    });
  });
});
