import { beforeAll, describe, expect, test } from 'vitest';
import { envelope, errors, noDefaultIssuer, playback } from '../commands/openbao.ts';
import { homeForAll, outputOf, servicesForAll } from '../support/command-tests.ts';
import { setTokens } from '../support/services.ts';

// What an export leaves out is named at its end, with counts.

const at = homeForAll();
const running = servicesForAll(at);
const run = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) => at.run(argv, { env });
const done = async (argv: readonly string[], env?: Readonly<Record<string, string>>) => {
  const ran = await run(argv, env);
  expect(ran.code, `${argv.join(' ')}\n${ran.stdout}${ran.stderr}`).toBe(0);
  return ran;
};
beforeAll(() => setTokens(at, running));

interface LeftOut {
  readonly service: string;
  readonly what: string;
  readonly count: number | null;
}
const leftOutOf = (stdout: string): readonly LeftOut[] => JSON.parse(stdout).leftOut;

describe('an export of the secrets service', () => {
  const exportSecrets = ['export', 'state', '--service', 'secrets', '-o', 'json'];

  test('counts secrets without values, and not the roles and users of auth methods, which have kinds', async () => {
    for (const path of ['approle', 'userpass', 'jwt'])
      await done(['secrets', 'write', `sys/auth/${path}`, `type=${path}`]);
    for (const name of ['one', 'two'])
      await done(['secrets', 'write', `auth/approle/role/${name}`, 'token_policies=default']);
    await done(['secrets', 'write', 'auth/userpass/users/alice', 'password=long-enough-password']);
    await done(['kv', 'put', 'secret/app', 'a=b']);
    const ran = await done(exportSecrets);
    expect(JSON.parse(ran.stdout).objects).toMatchObject({ 'secrets.auth-role': 3 });
    const counted = leftOutOf(ran.stdout);
    expect(counted).toContainEqual({ service: 'secrets', what: 'values of secrets.kv', count: 1 });
    expect(counted.filter(({ what }) => /roles|users|configurations/.test(what))).toEqual([]);
    const [, block = ''] = ran.stderr.split('warning: not exported, ');
    expect(block).toMatch(/^.*:\n {2}secrets: .*values of secrets\.kv: 1.*\n$/);
    expect(ran.stderr.split('warning: ')).toHaveLength(2);
  });

  test('says nothing where kinds were chosen', async () => {
    const ran = await done([...exportSecrets, '--kind', 'secrets.policy']);
    expect([leftOutOf(ran.stdout), ran.stderr]).toEqual([[], '']);
  });

  test('names what the token may not list as unknown', async () => {
    at.write('limited.hcl', 'path "sys/policies/acl*" { capabilities = ["read", "list"] }');
    await done(['secrets', 'policy', 'put', 'limited', '@limited.hcl']);
    const created = await done(['secrets', 'token', 'create', '--policy', 'limited', '-o', 'json']);
    const token: string = JSON.parse(created.stdout).client_token;
    const ran = await done(['export', 'limited', '--service', 'secrets', '--skip-forbidden', '-o', 'json'], {
      LANYARD_SECRETS_TOKEN: token,
    });
    expect(leftOutOf(ran.stdout)).toEqual([
      { service: 'secrets', what: 'contents of engines and auth methods', count: null },
    ]);
    expect(ran.stderr).toContain('contents of engines and auth methods: unknown');
  });

  test('reads mounts from their list if the token has only that', async () => {
    at.write('list.hcl', 'path "sys/mounts" { capabilities = ["read"] }');
    await done(['secrets', 'policy', 'put', 'list', '@list.hcl']);
    const created = await done(['secrets', 'token', 'create', '--policy', 'list', '-o', 'json']);
    const token: string = JSON.parse(created.stdout).client_token;
    const argv = ['export', '-', '--kind', 'secrets.mount'];
    const ran = await done(argv, { LANYARD_SECRETS_TOKEN: token });
    expect([ran.stdout, ran.stderr]).toEqual([(await done(argv)).stdout, '']);
  });

  test('sends a fixed number of lists for each mount', async () => {
    const requests = async (roles: number): Promise<readonly string[]> => {
      const engines = { 'pki/': { type: 'pki' }, 'ssh/': { type: 'ssh' }, 'x/': { type: 'aws' } };
      const server = await playback({
        'GET sys/mounts': envelope(engines),
        'GET sys/auth': envelope({ 'radius/': { type: 'radius' }, 'token/': { type: 'token' } }),
        'GET sys/auth/radius': envelope({ type: 'radius' }),
        'LIST auth/token/roles': errors(404),
        'GET sys/mounts/pki': envelope(engines['pki/']),
        'GET sys/mounts/ssh': envelope(engines['ssh/']),
        'GET sys/mounts/x': envelope(engines['x/']),
        'GET ssh/config/ca': noDefaultIssuer,
        'LIST auth/radius/users': envelope({
          keys: Array.from({ length: roles }, (_, index) => `r${index}`),
        }),
        'LIST pki/roles': errors(403, 'permission denied'),
        'LIST ssh/issuers': envelope({
          keys: ['a', 'b', 'c'],
          key_info: {
            a: { issuer_name: '', is_default: true, public_key: 'k' },
            b: { issuer_name: 'b', is_default: false, public_key: 'k' },
            c: { issuer_name: '', is_default: false, public_key: 'k' },
          },
        }),
      });
      const env = { LANYARD_SECRETS_ADDR: server.url, LANYARD_SECRETS_TOKEN: 'hvs.token-of-the-test' };
      const argv = ['export', `counted-${roles}`, '--service', 'secrets', '--skip-forbidden', '-o', 'json'];
      expect(leftOutOf(outputOf(await run(argv, env)))).toEqual([
        { service: 'secrets', what: 'radius users', count: roles },
        { service: 'secrets', what: 'configurations of auth methods', count: 1 },
        { service: 'secrets', what: 'pki roles', count: null },
        { service: 'secrets', what: 'ssh issuers without a name', count: 1 },
        { service: 'secrets', what: 'engines of other types (aws)', count: 1 },
      ]);
      return server.seen.map(({ route }) => route);
    };
    expect((await requests(1000)).length).toBe((await requests(1)).length);
  });
});

test('an export of all services names what is missing of each', async () => {
  await done(['var', 'put', 'app/db', 'a=b']);
  await done(['registry', 'kv', 'put', 'app/x', '1']);
  const ran = await done(['export', 'all', '-o', 'json']);
  expect(leftOutOf(ran.stdout)).toEqual(
    expect.arrayContaining([
      { service: 'registry', what: 'values of registry.key', count: 1 },
      { service: 'scheduler', what: 'values of scheduler.variable', count: 1 },
    ]),
  );
  expect(ran.stderr).toMatch(/\n {2}registry: .*values of registry\.key: 1/);
});
