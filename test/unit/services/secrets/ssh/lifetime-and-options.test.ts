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

  const outcome = (role: Data, body: Data) => signOutcome(ssh, role, { public_key: publicKey, ...body });

  describe('chooses the validity of the certificate', () => {
    const system = 768 * 3600;

    it.each<[Data, Json, number | string]>([
      [{}, null, system],
      [{}, '', system],
      [{}, '90', 90],
      [{}, '1h30m', 5400],
      [{}, '768h', system],
      [{}, system + 1, `400 ttl is larger than maximum allowed ${system}`],
      [{ ttl: '2h' }, null, 7200],
      [{ ttl: '2h' }, 0, system],
      [{ ttl: '30m', max_ttl: '1h' }, 0, '400 ttl is larger than maximum allowed 3600'],
      [{}, '24h', 86_400],
      [{ ttl: '24h' }, null, 86_400],
      [{ ttl: '2h' }, '3h', 10_800],
      [{ max_ttl: '1h' }, null, 3600],
      [{ ttl: '30m', max_ttl: '1h' }, null, 1800],
      [{ ttl: '30m', max_ttl: '1h' }, '1h', 3600],
      [{ ttl: '30m', max_ttl: '1h' }, '1h1s', '400 ttl is larger than maximum allowed 3600'],
      [{ ttl: '1000h' }, null, system],
      [{ max_ttl: '1000h' }, '900h', 900 * 3600],
      [
        {},
        'soon',
        '400 Field validation failed: error converting input for field "ttl": expected a duration such as 90, "30s" or "1h30m", got an invalid string',
      ],
      [
        {},
        '-1h',
        '400 Field validation failed: error converting input for field "ttl": a duration cannot be negative',
      ],
    ])('by the role (%j) from %j', async (role, ttl, expected) => {
      const result = await outcome({ ...user, ...role }, { ttl, valid_principals: 'ubuntu' });
      if (typeof result === 'string') return expect(result).toBe(expected);
      const [, from = '', to = ''] = /from (\S+) to (\S+)/.exec(result.valid) ?? [];
      expect(from).toBe('2026-03-04T11:59:30');
      return expect((Date.parse(`${to}Z`) - Date.parse('2026-03-04T12:00:00Z')) / 1000).toBe(expected);
    });

    it('and backdates it as the role specifies', async () => {
      const role = { ...user, not_before_duration: '10m' };
      expect(await outcome(role, { valid_principals: 'ubuntu', ttl: 60 })).toMatchObject({
        valid: 'from 2026-03-04T11:50:00 to 2026-03-04T12:01:00',
      });
    });
  });

  describe('chooses the options', () => {
    const body = { valid_principals: 'ubuntu' };
    const force = { 'force-command': '/bin/date' };
    const source = { 'source-address': '10.0.0.1' };

    it.each<[Data, Json, string[] | string]>([
      [{}, null, []],
      [{}, force, ['force-command /bin/date']],
      [{ default_critical_options: source }, null, ['source-address 10.0.0.1']],
      [{ default_critical_options: source }, {}, ['source-address 10.0.0.1']],
      [{ default_critical_options: source }, force, ['force-command /bin/date']],
      [{ allowed_critical_options: 'source-address, force-command' }, force, ['force-command /bin/date']],
      [
        { allowed_critical_options: 'source-address' },
        { ...force, ...source, x: '' },
        '400 critical options not on allowed list: [force-command x]',
      ],
      [
        { allowed_critical_options: 'force-command', default_critical_options: source },
        null,
        ['source-address 10.0.0.1'],
      ],
    ])('that are critical by the role (%j) from %j', async (role, critical_options, expected) => {
      const result = await outcome({ ...user, ...role }, { ...body, critical_options });
      expect(typeof result === 'string' ? result : result.criticalOptions).toEqual(expected);
    });

    const pty = { 'permit-pty': '' };
    const rc = { 'permit-user-rc': '' };

    it.each<[Data, Json, string[] | string]>([
      [{}, null, []],
      [{}, pty, '400 extensions [permit-pty] are not on allowed list'],
      [{ default_extensions: rc }, null, ['permit-user-rc']],
      [{ default_extensions: rc }, pty, '400 extensions [permit-pty] are not on allowed list'],
      [{ default_extensions: rc }, rc, '400 extensions [permit-user-rc] are not on allowed list'],
      [{ default_extensions: rc, allowed_extensions: 'permit-pty' }, pty, ['permit-pty']],
      [{ default_extensions: rc, allowed_extensions: 'permit-pty' }, {}, ['permit-user-rc']],
      [
        { allowed_extensions: 'permit-pty' },
        { ...rc, x: '', ...pty },
        '400 extensions [permit-user-rc x] are not on allowed list',
      ],
      [{ allowed_extensions: 'pty' }, pty, '400 extensions [permit-pty] are not on allowed list'],
      [{ allowed_extensions: '*' }, { ...rc, ...pty }, ['permit-pty', 'permit-user-rc']],
      [{ allowed_extensions: 'permit-pty,*' }, rc, '400 extensions [permit-user-rc] are not on allowed list'],
    ])('that extend by the role (%j) from %j', async (role, extensions, expected) => {
      const result = await outcome({ ...user, ...role }, { ...body, extensions });
      expect(typeof result === 'string' ? result : result.extensions).toEqual(expected);
    });

    it('without the defaults whose templates do not expand, and warns about them', async () => {
      const role = {
        ...user,
        default_extensions: { ...pty, 'login@example.com': '{{identity.entity.name}}' },
        default_extensions_template: true,
      };
      expect(await outcome(role, body)).toMatchObject({ extensions: ['permit-pty'] });
      const response = await ssh.write('sign/r', { ...body, public_key: publicKey });
      expect(response?.warnings).toEqual([
        'default extensions omitted because the token has no identity for their templates: [login@example.com]',
      ]);
    });

    it('with literal template text if the role has no templates', async () => {
      const role = { ...user, default_extensions: { 'login@example.com': '{{identity.entity.name}}' } };
      const result = await outcome(role, body);
      expect(typeof result === 'string' ? [] : result.extensions).toHaveLength(1);
    });
  });
});
