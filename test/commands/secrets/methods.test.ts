import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectFailure, homeForAll, servicesForAll } from '../../support/command-tests.ts';
import type { Ran, RunOptions } from '../../support/run.ts';

// Logins and help of the embedded service.

const at = homeForAll();
const running = servicesForAll(at);
const run = (line: string, options?: RunOptions): Promise<Ran> => at.run(line.split(' '), options);
/** Runs what must succeed; gives stdout. */
async function done(line: string, options?: RunOptions): Promise<string> {
  const ran = await run(line, options);
  expect(ran.code, `${line}: ${ran.stderr}`).toBe(0);
  return ran.stdout;
}
/** Writes JSON to a path as root. */
async function write(path: string, members: object): Promise<void> {
  writeFileSync(join(at.path, 'members.json'), JSON.stringify(members));
  await done(`secrets write ${path} --in members.json`, asRoot());
}
const asRoot = (): RunOptions => ({ env: { LANYARD_SECRETS_TOKEN: running.rootToken } });

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** The identity token of a pipeline. */
function jwt(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const text = `${part({ alg: 'ES256', typ: 'JWT' })}.${part({ iat: now, exp: now + 300, ...claims })}`;
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

beforeAll(async () => {
  delete at.env.LANYARD_SECRETS_ADDR;
  delete at.env.LANYARD_SECRETS_TOKEN;
  await done(`profile put dev secrets.address=${running.addresses.secrets}`);
  await write('sys/policies/acl/ops', { policy: 'path "ssh/roles/*" { capabilities = ["read", "list"] }' });
  for (const type of ['userpass', 'approle', 'jwt']) await write(`sys/auth/${type}`, { type });
  await write('auth/userpass/users/bob', { password: 'hunter22', token_policies: ['ops'] });
  await write('auth/approle/role/ci', { token_policies: ['ops'] });
  await write('auth/jwt/config', {
    jwt_validation_pubkeys: [publicKey.export({ type: 'spki', format: 'pem' })],
    bound_issuer: 'https://ci.example.com',
  });
  await write('auth/jwt/role/deploy', {
    role_type: 'jwt',
    user_claim: 'sub',
    bound_audiences: ['lanyard'],
    token_policies: ['ops'],
  });
});

/** The stored token works, has the policy, and is dead after logout. */
async function usable(): Promise<void> {
  const lookedUp = JSON.parse(await done('secrets read auth/token/lookup-self -o json'));
  expect(lookedUp.data.policies).toContain('ops');
  expect((await run('secrets list ssh/roles')).code).toBe(0);
  expect((await run('secrets read sys/mounts')).code).toBe(5);
  expect(await done('secrets logout')).toBe('The token of profile dev was revoked and removed.\n');
  expect((await run('secrets list ssh/roles')).code).toBe(4);
}

test('secrets help shows what a path is for, and an OpenAPI document', async () => {
  expect(await done('secrets help ssh/roles', asRoot())).toMatch(/role/i);
  const document = JSON.parse(await done('secrets help ssh --openapi', asRoot()));
  expect(document.openapi).toMatch(/^3\.0\./);
  expect(Object.keys(document.paths)).not.toHaveLength(0);
});

describe('secrets login', () => {
  test('with userpass', async () => {
    const stdout = await done('secrets login --method userpass --username bob --password -', {
      stdin: 'hunter22\n',
    });
    expect(stdout).toMatch(/^Logged in as bob, until /);
    await usable();
  });

  test('with userpass and a wrong password is rejected', async () => {
    const ran = await run('secrets login --method userpass --username bob --password -', {
      stdin: 'wrong-one',
    });
    expectFailure(ran, 4, 'invalid username or password');
    expect(ran.stderr).not.toContain('wrong-one');
  });

  test('with approle', async () => {
    const roleId = (await done('secrets read auth/approle/role/ci/role-id --field role_id', asRoot())).trim();
    const secretId = (
      await done('secrets write auth/approle/role/ci/secret-id --field secret_id', asRoot())
    ).trim();
    await done(`secrets login --method approle --role-id ${roleId} --secret-id env://SECRET_ID`, {
      env: { SECRET_ID: secretId },
    });
    await usable();
    const rejected = await run(`secrets login --method approle --role-id ${roleId} --secret-id -`, {
      stdin: 'no-such-secret-id',
    });
    expectFailure(rejected, 4, 'invalid role or secret ID');
  });

  test('with the identity token of a pipeline', async () => {
    const token = jwt({ iss: 'https://ci.example.com', sub: 'job-7', aud: 'lanyard' });
    await done('secrets login --method jwt --role deploy --jwt env://CI_TOKEN', { env: { CI_TOKEN: token } });
    await usable();
    const other = jwt({ iss: 'https://elsewhere.example.com', sub: 'job-7', aud: 'lanyard' });
    expect((await run('secrets login --method jwt --role deploy --jwt -', { stdin: other })).code).toBe(4);
  });
});
