import { describe, expect, test } from 'vitest';
import { engines } from '../../../../src/services/secrets/engines.ts';
import { parseCertificate } from '../../../../src/ssh/certificate.ts';
import type { Json } from '../../../../src/wire/json.ts';
import { authOf, data, outcome, secrets, t0 } from './support.ts';

const day = 86_400;

/** A service with the real engines and a clock. */
async function timed() {
  const service = await secrets({ engines });
  const { post } = service;
  return {
    ...service,
    /** Creates a token; resolves with its `auth` and the warnings. */
    async token(body: Record<string, Json>) {
      const reply = await post('auth/token/create', { policies: ['default'], ...body });
      const auth = authOf(reply);
      return { auth, token: auth.client_token, warnings: reply.json?.warnings };
    },
    async renew(token: string, increment = 0) {
      const reply = await post('auth/token/renew', { token, increment });
      return reply.status === 200 ? authOf(reply).lease_duration : outcome(reply);
    },
  };
}

describe('the lifetimes of a mount', () => {
  test('are those of its one-time passwords, leases and key-value reads', async () => {
    const { post, get } = await timed();
    await post('sys/mounts/host', { type: 'ssh', config: { default_lease_ttl: '10m' } });
    await post('host/roles/o', { key_type: 'otp', default_user: 'u', cidr_list: '0.0.0.0/0' });
    const first = await post('host/creds/o', { ip: '192.0.2.1' });
    expect(first.json).toMatchObject({ lease_duration: 600, warnings: null });
    const lease = await post('sys/leases/lookup', { lease_id: first.json?.lease_id });
    expect(data(lease)).toMatchObject({ ttl: 600 });
    await post('sys/mounts/host/tune', { default_lease_ttl: 'system', max_lease_ttl: '1h' });
    expect((await post('host/creds/o', { ip: '192.0.2.1' })).json).toMatchObject({
      lease_duration: 3600,
      warnings: ['TTL of "768h" exceeded the effective max_ttl of "1h"; TTL value is capped accordingly'],
    });
    await post('sys/mounts/kv1', { type: 'kv-v1', config: { default_lease_ttl: '5m' } });
    await post('kv1/a', { x: 1 });
    expect((await get('kv1/a')).json?.lease_duration).toBe(300);
  });

  test('limit certificates of roles without their own', async () => {
    const { post } = await timed();
    await post('sys/mounts/host', { type: 'ssh', config: { default_lease_ttl: '10m', max_lease_ttl: '1h' } });
    await post('host/config/ca', { generate_signing_key: true, key_type: 'ed25519' });
    const role = { key_type: 'ca', allow_user_certificates: true, allowed_users: '*', default_user: 'u' };
    await post('host/roles/plain', role);
    await post('host/roles/long', { ...role, max_ttl: '5h' });
    const issue = (name: string, ttl: string) => post(`host/issue/${name}`, { key_type: 'ed25519', ttl });
    expect(outcome(await issue('plain', '5h'))).toBe('400 ttl is larger than maximum allowed 3600');
    expect((await issue('plain', '30m')).status).toBe(200);
    expect((await issue('long', '5h')).status).toBe(200);
    const { signed_key: line } = data(await issue('plain', '')) ?? {};
    expect(parseCertificate(String(line), 'certificate').validBefore).toBe(t0 / 1000 + 600);
  });

  test('are those of its logins, and of their renewals', async () => {
    const { post, renew, pass } = await timed();
    const config = { default_lease_ttl: '20m', max_lease_ttl: '30m' };
    await post('sys/auth/up', { type: 'userpass', config });
    await post('auth/up/users/plain', { password: 'p' });
    await post('auth/up/users/long', { password: 'p', token_ttl: '1h' });
    const plain = await post('auth/up/login/plain', { password: 'p' }, null);
    expect(plain.json).toMatchObject({ auth: { lease_duration: 1200 }, warnings: null });
    expect((await post('auth/up/login/long', { password: 'p' }, null)).json).toMatchObject({
      auth: { lease_duration: 1800 },
      warnings: ['TTL of "1h" exceeded the effective max_ttl of "30m"; TTL value is capped accordingly'],
    });
    const { client_token: token } = authOf(plain);
    pass(900);
    expect(await renew(token)).toBe(900);
    await post('sys/auth/up/tune', { max_lease_ttl: '2h' });
    expect(await renew(token)).toBe(1200);
  });
});

describe('a periodic token', () => {
  test('lives for its period after each renewal, beyond the maximum', async () => {
    const { token: create, renew, pass, post } = await timed();
    const { auth, token, warnings } = await create({ period: '20h', ttl: '10m' });
    expect([auth.lease_duration, warnings]).toEqual([72_000, null]);
    expect(data(await post('auth/token/lookup', { token }))).toMatchObject({
      period: 72_000,
      explicit_max_ttl: 0,
      ttl: 72_000,
    });
    for (let half = 0; half < 70; half += 1) {
      pass(day / 2);
      expect(await renew(token, 5)).toBe(72_000);
    }
    pass(72_000);
    expect(await renew(token)).toBe('400 token not found');
  });

  test('is limited by its explicit maximum, and by that of the mount', async () => {
    const { token: create, renew, pass } = await timed();
    const { auth, warnings } = await create({ period: '30m', explicit_max_ttl: '10m' });
    expect([auth.lease_duration, ...(warnings as string[])]).toEqual([
      600,
      'period of "30m" exceeded the effective max_ttl of "10m"; period value is capped accordingly',
    ]);
    const { token } = await create({ period: '30m', explicit_max_ttl: '45m' });
    pass(1200);
    expect(await renew(token)).toBe(1500);
    expect((await create({ period: '9999h' })).auth.lease_duration).toBe(32 * day);
  });

  test('can be a root token, and requires sudo', async () => {
    const { token: create, policy, post } = await timed();
    const root = await create({ period: '30m', policies: ['root'] });
    expect(root.auth).toMatchObject({ policies: ['root'], lease_duration: 1800, renewable: true });
    await policy('maker', 'path "auth/token/create" { capabilities = ["update"] }');
    const { token } = await create({ policies: ['maker'] });
    expect(outcome(await post('auth/token/create', { period: '1h' }, token))).toBe(
      '400 root or sudo privileges required to create periodic token',
    );
    expect(outcome(await post('auth/token/create', { policies: ['root'] }, root.token))).toBe(
      '400 expiring root tokens cannot create non-expiring root tokens',
    );
  });

  test('comes from a role with a period, whose own maximum does not limit renewals', async () => {
    const { post, renew, pass, get } = await timed();
    await post('sys/auth/approle', { type: 'approle' });
    await post('auth/approle/role/r', {
      token_period: '5m',
      token_max_ttl: '10m',
      bind_secret_id: false,
      token_bound_cidrs: '127.0.0.1',
    });
    await post('auth/approle/role/old', { period: '6m' });
    expect(data(await get('auth/approle/role/old'))).toMatchObject({ token_period: 360 });
    const roleId = String(data(await get('auth/approle/role/r/role-id'))?.role_id);
    const auth = authOf(await post('auth/approle/login', { role_id: roleId }, null));
    expect(auth.lease_duration).toBe(300);
    for (let times = 0; times < 5; times += 1) {
      pass(200);
      expect(await renew(auth.client_token)).toBe(300);
    }
  });
});

describe('the lifetime of a new token', () => {
  test.each([
    [
      { explicit_max_ttl: '1h' },
      3600,
      ['TTL of "768h" exceeded the effective max_ttl of "1h"; TTL value is capped accordingly'],
    ],
    [
      { ttl: '2h', explicit_max_ttl: '90m' },
      5400,
      ['TTL of "2h" exceeded the effective max_ttl of "1h30m"; TTL value is capped accordingly'],
    ],
    [{ explicit_max_ttl: '1h', policies: ['root'] }, 3600, null],
    [{ lease: '1h' }, 3600, null],
    [{ ttl: '1d' }, day, null],
    [{ period: 1800 }, 1800, null],
    [{ type: 'service' }, 32 * day, null],
    [{ nonsense: 1, zzz: 2 }, 32 * day, ['Endpoint ignored these unrecognized parameters: [nonsense zzz]']],
    [{ policies: ['nope'] }, 32 * day, ['Policy "nope" does not exist']],
  ] satisfies readonly [Record<string, Json>, number, string[] | null][])(
    'with %j is %d seconds',
    async (body, seconds, warnings) => {
      const { token } = await timed();
      const created = await token(body);
      expect([created.auth.lease_duration, created.warnings]).toEqual([seconds, warnings]);
    },
  );

  test.each([
    [{ type: 'x' }, "invalid 'token_type' value"],
    [{ entity_alias: 'x' }, "'entity_alias' is only allowed in combination with token role"],
    [{ period: 'banana' }, 'time: invalid duration "banana"'],
    [{ period: -1 }, 'period must be positive'],
    [{ ttl: '-1h' }, 'ttl must be positive'],
    [{ explicit_max_ttl: '-1h' }, 'explicit_max_ttl must be positive'],
  ] satisfies readonly [Record<string, Json>, string][])('rejects %j', async (body, error) => {
    const { post } = await timed();
    expect(outcome(await post('auth/token/create', body))).toBe(`400 ${error}`);
  });
});
