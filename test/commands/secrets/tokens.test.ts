import { describe, expect, test } from 'vitest';
import {
  embeddedForAll,
  expectExit,
  expectFailure,
  quietOutputOf,
  quietRunnerOf,
  runnerOf,
} from '../../support/command-tests.ts';
import type { RunOptions } from '../../support/run.ts';
import { json, serve } from '../../unit/api/support.ts';

const { at, run } = embeddedForAll();
const token = runnerOf(at, 'secrets token');
const done = quietRunnerOf(at, 'secrets token');
interface Created {
  readonly client_token: string;
  readonly accessor: string;
}
const create = async (flags = '--policy default', options?: RunOptions): Promise<Created> =>
  JSON.parse(await done(`create ${flags} -o json`, options));
const as = (value: string): RunOptions => ({ env: { LANYARD_SECRETS_TOKEN: value } });
const missing = 'error: token not found: it does not exist, has expired or was revoked\n';

describe('secrets token create', () => {
  test('shows the token once, and sends every parameter', async () => {
    await run('secrets policy put ops -', { stdin: 'path "x" { capabilities = ["read"] }' });
    const shown = await done(
      'create --policy ops --ttl 30m --explicit-max-ttl 2h --use-limit 9 --display-name ci --metadata job=42 --metadata team=a --no-default-policy',
    );
    expect(shown).toMatch(
      /^token\t\S{20,}\naccessor\t\S{20,}\npolicies\tops\ntype\tservice\nexpires\tin 30 minutes\nrenewable\tyes\nuses left\t9\nmetadata\tjob=42, team=a\n$/,
    );
    const { accessor } = await create(
      '--policy default --period 1h --orphan --not-renewable --display-name x --metadata a=b --type service',
    );
    expect(JSON.parse(await done(`lookup --accessor ${accessor} -o json`))).toMatchObject({
      display_name: 'token-x',
      period: 3600,
      orphan: true,
      renewable: false,
      meta: { a: 'b' },
      type: 'service',
    });
  });

  test('creates batch tokens, and tokens of a role', async () => {
    const batch = await create('--policy default --type batch --ttl 5m');
    expect(await done('self', as(batch.client_token))).toMatch(/^accessor\t-\n.*\ntype\tbatch\n/s);
    await run('secrets write auth/token/roles/ci allowed_policies=default orphan=true');
    const { accessor } = await create('--role ci --policy default');
    expect(await done(`lookup --accessor ${accessor} --field path`)).toBe('auth/token/create/ci\n');
    expectFailure(await token('create --role none'), 3, 'error: cannot create token: role not found\n');
  });

  test('takes the token from a source, and hides it in a dry run', async () => {
    at.write('id.txt', 's.chosen-token-1\n');
    expect((await create('--policy default --id @id.txt')).client_token).toBe('s.chosen-token-1');
    const twice = await token('create --policy default --id @id.txt');
    expectFailure(twice, 6, 'error: cannot create token: a token with this ID already exists\n');
    expect(await done('create --id @id.txt --dry-run')).not.toContain('chosen-token');
  });

  test.each([
    ['--role ci --orphan', '--orphan cannot be combined with --role'],
    ['--id env://X --role ci', '--id cannot be combined with --role'],
    ['--id env://X --orphan', '--id cannot be combined with --orphan'],
    ['--entity-alias x', '--entity-alias requires --role'],
    ['--type batch --period 1h', '--period is not supported by batch tokens'],
    ['--type batch --use-limit 2', '--use-limit is not supported by batch tokens'],
    ['--type other', 'invalid --type "other"'],
    ['--id s.x', 'token is not accepted on the command line'],
  ])('rejects %s', async (flags, message) => {
    expectFailure(await token(`create ${flags}`), 2, `error: ${message}`);
  });

  test('is wrapped with --wrap-ttl, and unwrapped once, without another token', async () => {
    const wrapped = await done('create --policy default --wrap-ttl 5m');
    expect(wrapped).toMatch(
      /^wrapping token\t\S+\nexpires\tin 5 minutes\naccessor\t\S+\npath\tauth\/token\/create\n$/,
    );
    const stdin = /^wrapping token\t(\S+)/.exec(wrapped)?.[1] ?? '';
    const anonymous = { stdin, env: { LANYARD_SECRETS_TOKEN: '' } };
    const stdout = quietOutputOf(await run('secrets unwrap - --field client_token', anonymous));
    expect((await token('self', as(stdout.trim()))).code).toBe(0);
    const ran = await run('secrets unwrap -', anonymous);
    expectExit(ran, 3, 'error: wrapping token not found: it does not exist, was used or has expired\n');
    expect((await run('secrets unwrap -', { ...anonymous, stdin: 's.never-existed-at-all' })).code).toBe(3);
  });

  test('reports a lost response as unknown, and a response that is not wrapped', async () => {
    const server = await serve((_seen, response) => void response.destroy());
    const ran = await token('create', { env: { LANYARD_SECRETS_ADDR: server.url } });
    expectFailure(ran, 9, 'its secret is lost');
    const plain = await serve((_seen, response) =>
      json(response, { auth: { client_token: 's.x', accessor: 'acc1', lease_duration: 0 } }),
    );
    const unwrapped = await token('create --wrap-ttl 1m', { env: { LANYARD_SECRETS_ADDR: plain.url } });
    expectFailure(unwrapped, 9, 'the response is not wrapped');
    expect(unwrapped.stderr).toContain('lanyard secrets token revoke --accessor acc1');
    expect(unwrapped.stderr).not.toContain('s.x');
    const zero = await token('create --wrap-ttl 0s', { env: { LANYARD_SECRETS_ADDR: plain.url } });
    expect([zero.code, plain.seen.length]).toEqual([2, 1]);
    expect(zero.stderr).toContain('invalid --wrap-ttl 0');
  });
});

describe('secrets token self, lookup and capabilities', () => {
  test('self shows the token itself only with --show-token', async () => {
    const { client_token } = await create();
    expect(await done('self', as(client_token))).toMatch(
      /^accessor\t\S+\ndisplay name\ttoken\npolicies\tdefault\ntype\tservice\nexpires\t2\d{3}-/,
    );
    expect(await done('self -o json', as(client_token))).not.toContain(client_token);
    expect(await done('self --show-token --field id', as(client_token))).toBe(`${client_token}\n`);
    expect(await done('self --field expire_time')).toBe('null\n');
    expect(await done('self')).toContain('expires\tnever\n');
  });

  test('lookup finds a token by its source and by its accessor', async () => {
    const { client_token, accessor } = await create();
    for (const [line, stdin] of [
      ['lookup -', client_token],
      [`lookup --accessor ${accessor}`, ''],
    ] as const) {
      const shown = await done(`${line} -o json`, { stdin });
      expect(JSON.parse(shown)).toMatchObject({ accessor, policies: ['default'] });
      expect(shown).not.toContain(client_token);
    }
  });

  test.each([
    ['lookup --accessor none', ''],
    ['lookup -', 's.never-existed-at-all'],
    ['renew --accessor none', ''],
    ['renew -', 's.never-existed-at-all'],
    ['revoke --accessor none --yes', ''],
    ['revoke - --yes', 's.never-existed-at-all'],
    ['revoke - --yes --mode orphan', 's.never-existed-at-all'],
    ['capabilities x --accessor none', ''],
  ])('reports a missing token: %s', async (line, stdin) => {
    const ran = await token(line, { stdin });
    expect(ran.code).toBe(3);
    expect(ran.stderr.startsWith(missing)).toBe(true);
  });

  test('capabilities has a row for each path', async () => {
    const { client_token, accessor } = await create();
    const paths = 'auth/token/lookup-self sys/mounts';
    const expected = 'auth/token/lookup-self\tread\nsys/mounts\tdeny\n';
    expect(await done(`capabilities ${paths}`)).toBe('auth/token/lookup-self\troot\nsys/mounts\troot\n');
    expect(await done(`capabilities ${paths}`, as(client_token))).toBe(expected);
    expect(await done(`capabilities ${paths} --accessor ${accessor}`)).toBe(expected);
    expect(await done(`capabilities ${paths} --token -`, { stdin: client_token })).toBe(expected);
    expect(JSON.parse(await done('capabilities sys/mounts -o json'))).toEqual([
      { path: 'sys/mounts', capabilities: ['root'] },
    ]);
  });

  test.each([
    ['lookup', 'missing token: a source or --accessor is required'],
    ['lookup - --accessor x', '--accessor cannot be combined with a token'],
    ['revoke', 'missing token: a source, --accessor or --self is required'],
    ['revoke --self --accessor x', '--self cannot be combined with --accessor'],
    ['revoke - --self', '--self cannot be combined with a token'],
    ['revoke --accessor x --mode orphan', '--mode orphan requires the token'],
    ['capabilities', 'missing argument PATH'],
  ])('rejects: %s', async (line, message) => {
    expectFailure(await token(line, { stdin: 's.x' }), 2, message);
  });
});

describe('secrets token renew', () => {
  test('extends the own token, a token and the token of an accessor', async () => {
    const { client_token, accessor } = await create('--policy default --ttl 10m');
    const own = JSON.parse(await done('renew --increment 20m -o json', as(client_token)));
    expect(own).toMatchObject({ accessor, lease_duration: 1200, renewable: true });
    expect(own).not.toHaveProperty('client_token');
    expect(await done('renew - --increment 40m', { stdin: client_token })).toContain(
      'expires\tin 40 minutes\n',
    );
    expect(await done(`renew --accessor ${accessor} --increment 5m`)).toContain('expires\tin 5 minutes\n');
  });

  test('reports a token that cannot be renewed', async () => {
    expectFailure(await token('renew'), 1, 'error: cannot renew token: not renewable (400)\n');
  });
});

describe('secrets token revoke', () => {
  test('prompts, and revokes child tokens unless --mode orphan', async () => {
    await run('secrets policy put parent -', {
      stdin: 'path "auth/token/create" { capabilities = ["update"] }',
    });
    const parent = await create('--policy parent');
    const child = await create('--policy parent', as(parent.client_token));
    const grandchild = await create('--policy parent', as(child.client_token));
    const prompted = await token('revoke -', { stdin: child.client_token });
    expect(prompted.code).toBe(2);
    expect(prompted.stderr).toContain(
      `Revoke token ${child.accessor} (token)? Its child tokens are revoked too. This cannot be undone.`,
    );
    await done('revoke - --mode orphan --yes', { stdin: child.client_token });
    await done(`lookup --accessor ${grandchild.accessor}`);
    expect(await done(`revoke --accessor ${grandchild.accessor} --yes`)).toBe(
      `Revoked token ${grandchild.accessor}.\n`,
    );
    const last = await create('--policy parent', as(parent.client_token));
    await done('revoke --self --yes', as(parent.client_token));
    for (const { accessor } of [parent, child, grandchild, last])
      expect((await token(`lookup --accessor ${accessor}`)).code).toBe(3);
  });

  test('reads back after a lost response', async () => {
    let revoked = false;
    const server = await serve((seen, response) => {
      if (seen.url?.includes('lookup')) {
        if (revoked) json(response, { errors: ['1 error occurred:\n\t* invalid accessor\n\n'] }, 400);
        else json(response, { data: { accessor: 'a1', ttl: 0 } });
        return;
      }
      // Which server is the active one is asked again after a lost response.
      if (seen.url?.includes('revoke')) revoked = seen.url.includes('accessor');
      response.destroy();
    });
    const env = { LANYARD_SECRETS_ADDR: server.url };
    expect((await token('revoke --accessor a1 --yes', { env })).code).toBe(0);
    revoked = false;
    expectFailure(await token('revoke - --yes', { env, stdin: 's.kept' }), 9, 'the token still exists');
  });
});
