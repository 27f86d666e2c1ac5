import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure, quietRunnerOf, runnerOf } from '../../support/command-tests.ts';
import { json, serve } from '../../unit/api/support.ts';

const { at, run, done: any } = embeddedForAll();
const secretId = runnerOf(at, 'secrets auth role secret-id');
const done = quietRunnerOf(at, 'secrets auth role secret-id');

beforeAll(async () => {
  await any('secrets auth enable approle');
  await any('secrets auth role put approle ci --token-policies default --role-id ci');
});

describe('secrets auth role secret-id create', () => {
  test('prints a wrapping token, with which the secret ID is read once', async () => {
    const wrapped = JSON.parse(await done('create approle ci -o json'));
    expect(wrapped).toMatchObject({ ttl: 300, creation_path: 'auth/approle/role/ci/secret-id' });
    const unwrapped = await run('secrets unwrap - -o json', { stdin: wrapped.token });
    const { secret_id: id } = JSON.parse(unwrapped.stdout).data;
    expect(JSON.stringify(wrapped)).not.toContain(id);
    const login = 'secrets login --method approle --role-id ci --secret-id - --no-store';
    expect((await run(login, { stdin: id })).code).toBe(0);
    expect((await run('secrets unwrap -', { stdin: wrapped.token })).code).toBe(3);
  });

  test('prints the secret ID itself with --no-wrap', async () => {
    expect(await done('create approle ci --no-wrap --ttl 1h --use-limit 3 --metadata job=42')).toMatch(
      /^secret ID\t\S{36}\naccessor\t\S{36}\nexpires\tin 1 hour\nuses\t3\n$/,
    );
    expectFailure(await secretId('create approle ci --no-wrap --wrap-ttl 1m'), 2, '--no-wrap cannot be');
    expectFailure(await secretId('create approle ci --wrap-ttl 0s'), 2, 'invalid --wrap-ttl 0');
  });

  test('names a missing role', async () => {
    expectFailure(
      await secretId('create approle none'),
      3,
      'role "none" of auth method "approle/" not found',
    );
  });

  test('destroys a secret ID whose response is not wrapped, or names it', async () => {
    let isAllowed = true;
    const server = await serve((seen, response) => {
      if (seen.url.endsWith('/destroy'))
        return isAllowed
          ? json(response, undefined, 204)
          : json(response, { errors: ['permission denied'] }, 403);
      return json(response, { data: { secret_id: 'hidden-id', secret_id_accessor: 'acc1' } });
    });
    const env = { LANYARD_SECRETS_ADDR: server.url };
    const destroyed = await secretId('create approle ci', { env });
    expectFailure(destroyed, 1, 'the response is not wrapped', 'The secret ID was destroyed.');
    isAllowed = false;
    const named = await secretId('create approle ci', { env });
    expectFailure(named, 9, '`lanyard secrets auth role secret-id destroy approle ci acc1`');
    expect(destroyed.stderr + named.stderr).not.toContain('hidden-id');
  });

  test('reports a lost response as unknown', async () => {
    const server = await serve((_seen, response) => void response.destroy());
    const ran = await secretId('create approle ci', { env: { LANYARD_SECRETS_ADDR: server.url } });
    expectFailure(ran, 9, '`lanyard secrets auth role secret-id list approle ci`');
  });

  test('shows the request in a dry run', async () => {
    const { stdout } = await secretId('create approle ci --metadata job=42 --dry-run');
    expect(stdout).toMatch(/POST .*\/role\/ci\/secret-id\n(.*\n)*X-Vault-Wrap-TTL\t5m\n/);
  });
});

describe('secrets auth role secret-id list and destroy', () => {
  test('lists secret IDs by their accessors, and destroys one', async () => {
    await any('secrets auth role put approle listed --secret-id-num-uses 5');
    expect(await done('list approle listed -o json')).toBe('[]\n');
    const create = 'create approle listed --no-wrap --metadata a=b --field secret_id_accessor';
    const accessor = (await done(create)).trim();
    expect(await done('list approle listed')).toMatch(
      new RegExp(`^${accessor}\\t2\\d{3}-.* UTC\\tnever\\t5\\ta=b\\n$`),
    );
    expectFailure(await secretId(`destroy approle listed ${accessor}`), 2, `Destroy secret ID ${accessor}`);
    expect(await done(`destroy approle listed ${accessor} --yes`)).toBe(`Destroyed secret ID ${accessor}.\n`);
    const twice = await secretId(`destroy approle listed ${accessor} --yes`);
    expectFailure(twice, 3, `secret ID "${accessor}" not found`);
  });

  test('names a missing role', async () => {
    expectFailure(await secretId('list approle none'), 3, 'role "none" of auth method "approle/" not found');
    expectFailure(await secretId('destroy approle none x --yes'), 3, 'role "none" of auth method');
  });

  test('shows only accessors to a token that may not look them up', async () => {
    await done('create approle ci');
    await run('secrets policy put accessors -', {
      stdin: 'path "auth/approle/role/ci/secret-id" { capabilities = ["list"] }',
    });
    const token = (await any('secrets token create --policy accessors --field client_token')).trim();
    const ran = await secretId('list approle ci', { env: { LANYARD_SECRETS_TOKEN: token } });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('only accessors are shown') });
    expect(ran.stdout).toMatch(/^\S{36}\t-\t-\t-\t-\n/);
  });
});
