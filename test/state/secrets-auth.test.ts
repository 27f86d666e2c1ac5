import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/state/kind.ts';
import { type Bench, newSetId, type Stated, stateBench, writeSet } from './bench.ts';
import { publicKey } from './secrets-auth-objects.ts';

// What makes auth methods usable: their roles, users and configurations, and token roles.

let source: Bench;
let target: Bench;
beforeAll(async () => {
  [source, target] = await Promise.all([stateBench(), stateBench()]);
});
afterAll(async () => {
  await source.close();
  await target.close();
});

const ran = async (bench: Bench, argv: readonly string[], code = 0, env: Record<string, string> = {}) => {
  const result = await bench.run(argv, { env });
  expect(result.code, `${argv.join(' ')}\n${result.stdout}${result.stderr}`).toBe(code);
  return result;
};
const method = (path: string, type: string): Stated => ({
  kind: 'secrets.auth-method',
  identity: { scope: {}, key: `${path}/` },
  spec: { type },
});
const role = (authMethod: string, key: string, spec: JsonObject): Stated => ({
  kind: 'secrets.auth-role',
  identity: { scope: { authMethod }, key },
  spec,
});
const password = 'correct-horse-battery';
const set: readonly Stated[] = [
  method('apps', 'approle'),
  method('people', 'userpass'),
  method('ci', 'jwt'),
  {
    kind: 'secrets.policy',
    identity: { scope: {}, key: 'deploy' },
    spec: { policy: 'path "secret/*" { capabilities = ["read"] }\n' },
  },
  role('apps', 'web', { type: 'approle', token_policies: ['deploy'], role_id: 'web-role' }),
  role('people', 'Alice', { type: 'userpass', token_policies: ['deploy'], password }),
  {
    kind: 'secrets.auth-config',
    identity: { scope: { authMethod: 'ci' }, key: '' },
    spec: { type: 'jwt', jwt_validation_pubkeys: [publicKey] },
  },
  role('ci', 'deploy', {
    type: 'jwt',
    user_claim: 'sub',
    bound_audiences: ['ci'],
    token_policies: ['deploy'],
  }),
  {
    kind: 'secrets.token-role',
    identity: { scope: {}, key: 'jobs' },
    spec: { allowed_policies: ['Deploy'], orphan: true },
  },
];

test('an export applied to an empty service permits the same logins', async () => {
  writeSet(source, set, { id: newSetId() });
  await ran(source, ['apply', 'state', '--yes']);
  expect((await ran(source, ['plan', 'state'])).stdout).toMatch(/^No changes\./);

  await ran(source, ['export', 'all', '--service', 'secrets', '--no-targets', '--secrets', 'env']);
  const file = (path: string) => source.at.read(`all/secrets/${path}.yaml`);
  expect(file('auth-role/people/alice')).toContain('valueFrom: env://SECRETS_AUTH-ROLE'.replace('-', '_'));
  expect(file('auth-role/apps/web')).not.toContain('web-role');
  expect(file('auth-role/apps/web')).toContain('# Fields that each cluster generates');
  for (const path of source.at.list('all')) target.at.write(path, source.at.read(path));
  const [, name = ''] = /env:\/\/(\S+)/.exec(file('auth-role/people/alice')) ?? [];
  const env = { [name]: password };
  const only = ['--kind', 'secrets.auth-method', '--kind', 'secrets.policy'];
  const kinds = [
    ...only,
    ...['auth-config', 'auth-role', 'token-role'].flatMap((each) => ['--kind', `secrets.${each}`]),
  ];
  await ran(target, ['apply', 'all', '--yes', ...kinds], 0, env);
  expect((await ran(target, ['plan', 'all', ...kinds], 0, env)).stdout).toMatch(/^No changes\./);

  const secrets = await target.others.secrets();
  const alice = await secrets.loginUserpass({ mount: 'people', username: 'alice', password });
  expect(alice.body.auth.policies).toEqual(['default', 'deploy']);
  const { role_id } = (await secrets.readRoleId({ mount: 'apps', name: 'web' })).body.data;
  const created = await secrets.createSecretId({ mount: 'apps', name: 'web' });
  const secret_id = created.body.data?.secret_id ?? '';
  const app = await secrets.loginApprole({ mount: 'apps', role_id, secret_id });
  expect(app.body.auth.policies).toEqual(['default', 'deploy']);
});

describe('plan', () => {
  const state = (...objects: readonly Stated[]) =>
    writeSet(source, objects, { id: newSetId(), directory: 'own' });

  test('does not create a user without a password', async () => {
    state(role('people', 'bob', { type: 'userpass', token_policies: ['deploy'] }));
    const { stdout } = await ran(source, ['plan', 'own'], 10);
    expect(stdout).toContain(
      '! secrets.auth-role people/bob (does not exist, and a new user needs a password',
    );
    await ran(source, ['apply', 'own', '--yes'], 6);
  });

  test('shows a changed role ID that the file states, and none that it does not', async () => {
    const id = newSetId();
    const state = (spec: JsonObject) =>
      writeSet(source, [role('apps', 'own', { type: 'approle', ...spec })], { id, directory: 'own' });
    state({ role_id: 'own-role' });
    await ran(source, ['apply', 'own', '--yes']);
    await ran(source, ['secrets', 'auth', 'role', 'put', 'apps', 'own', '--role-id', 'other-role']);
    const { stdout } = await ran(source, ['plan', 'own'], 10);
    expect(stdout).toContain('~ role_id: "other-role" → "own-role"');
    state({});
    expect((await ran(source, ['plan', 'own'])).stdout).toMatch(/^No changes\./);
  });

  test('does not delete a configuration that the service cannot delete', async () => {
    state({ ...(set[6] as Stated), metadata: { ensure: 'absent' } });
    const { stdout } = await ran(source, ['plan', 'own', '--adopt'], 10);
    expect(stdout).toContain('the service cannot delete it: delete the auth method');
  });

  test('sends a new password when metadata.rotate grows', async () => {
    const carol = (password: string, metadata: JsonObject = {}) => ({
      ...role('people', 'carol', { type: 'userpass', password }),
      metadata,
    });
    const id = newSetId();
    writeSet(source, [carol('first-password')], { id, directory: 'carol' });
    await ran(source, ['apply', 'carol', '--yes']);
    writeSet(source, [carol('second-password', { rotate: 1 })], { id, directory: 'carol' });
    const { stdout, stderr } = await ran(source, ['apply', 'carol', '--yes']);
    expect(stdout + stderr).not.toContain('second-password');
    const secrets = await source.others.secrets();
    const login = { mount: 'people', username: 'carol' };
    await expect(secrets.loginUserpass({ ...login, password: 'first-password' })).rejects.toThrow();
    await secrets.loginUserpass({ ...login, password: 'second-password' });
  });

  test('a role of another type than its auth method is not created', async () => {
    state(role('people', 'dave', { type: 'approle' }));
    const { stderr } = await ran(source, ['apply', 'own', '--yes'], 2);
    expect(stderr).toContain('auth method people/ has type userpass, not approle');
  });
});

describe('validate', () => {
  const problem = async (spec: JsonObject, kind = 'secrets.auth-role') => {
    const scope = { authMethod: 'apps' };
    const object = { kind, identity: { scope, key: kind === 'secrets.auth-role' ? 'a' : '' }, spec };
    writeSet(source, [object], { id: newSetId(), directory: 'own' });
    const { stdout, stderr } = await ran(source, ['validate', 'own'], 2);
    return stdout + stderr;
  };

  test.each([
    [{ type: 'approle', password: 'x' }, 'roles of type approle have no field "password"'],
    [{ type: 'approle', token_tll: 5 }, 'unknown field "token_tll", did you mean "token_ttl"?'],
    [{ token_ttl: 5 }, 'missing field "type"'],
    [{ type: 'radius' }, 'expected one of approle, jwt, oidc, kubernetes, cert, userpass'],
    [{ type: 'jwt' }, 'missing field "user_claim"'],
    [{ type: 'approle', token_type: 'default-service' }, 'expected one of default, service, batch'],
    [{ type: 'approle', token_ttl: ' 90 ' }, 'expected a duration such as 30s or 1h30m, or a number'],
    [
      { type: 'approle', token_strictly_bind_ip: true, token_bound_cidrs: ['10.0.0.0/8'] },
      'token_strictly_bind_ip conflicts with token_bound_cidrs',
    ],
  ])('%j is rejected', async (spec, message) => {
    expect(await problem(spec as JsonObject)).toContain(message);
  });

  test('a configuration has only the fields of its type', async () => {
    const spec = { type: 'kubernetes', bindpass: 'x' };
    const said = await problem(spec, 'secrets.auth-config');
    expect(said).toContain('configurations of type kubernetes have no field "bindpass"');
    expect(said).toContain('missing field "kubernetes_host"');
  });
});
