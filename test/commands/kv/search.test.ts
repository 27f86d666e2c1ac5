import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, expectExit, expectFailure } from '../../support/command-tests.ts';

const { at, run, done } = embeddedForAll();
const json = async (line: string) => JSON.parse(await done(`${line} -o json`));

beforeAll(async () => {
  await done('kv put secret/app/db password=hunter2 host=db.internal');
  await done('kv put secret/app/web url=https://db.internal/x Password=s3');
  await done('kv put secret/password/reset note=none');
  await done('secrets mount enable kv --path plain --version 1');
  await done('kv put plain/a/b token=hunter2');
});

describe('kv search', () => {
  test('finds paths and keys, and shows no value', async () => {
    expect(await done('kv search password')).toBe(
      'secret/app/db\tkey\tpassword\nsecret/password/reset\tpath\t\n',
    );
    expect(await json('kv search password')).toEqual([
      { path: 'secret/app/db', match: 'key', key: 'password' },
      { path: 'secret/password/reset', match: 'path', key: null },
    ]);
  });

  test('finds values with --values, and shows them only with --reveal', async () => {
    const line = 'kv search db.internal secret/app --values';
    const hidden = await done(line);
    expect(hidden).toBe('secret/app/db\tvalue\thost\nsecret/app/web\tvalue\turl\n');
    expect(await done(`${line} --reveal`)).toContain('https://db.internal/x');
    expect(await done(`${line} --show-values`)).toContain('https://db.internal/x');
    expect(await json(`${line} --reveal`)).toContainEqual({
      path: 'secret/app/db',
      match: 'value',
      key: 'host',
      value: 'db.internal',
    });
  });

  test('finds nested values of every type', async () => {
    await done('kv put secret/deep --in -', { stdin: '{"n":9007199254740993,"list":[{"deep":"needle"}]}' });
    expect(await done('kv search 9007199254740993 --values')).toBe('secret/deep\tvalue\tn\n');
    expect(await done('kv search needle --values')).toBe('secret/deep\tvalue\tlist\n');
  });

  test('takes text literally, or as a regular expression', async () => {
    expect(await done('kv search db.internal --values -i secret/app')).toContain('host');
    expect(await done('kv search a.*b')).toBe('No matches in 4 secrets.\n');
    expect(await done('kv search ^app/(db|web)$ --regex')).toBe(
      'secret/app/db\tpath\t\nsecret/app/web\tpath\t\n',
    );
    expect(await done('kv search ^PASS --regex -i secret/app')).toBe(
      'secret/app/db\tkey\tpassword\nsecret/app/web\tkey\tPassword\n',
    );
    expectFailure(await run('kv search ( --regex'), 2, 'invalid regular expression "("');
    expectFailure(await at.run(['kv', 'search', '']), 2, 'TEXT must not be empty');
  });

  test('searches engines of version 1', async () => {
    expect(await done('kv search hunter2 plain --values')).toBe('plain/a/b\tvalue\ttoken\n');
    expect(await done('kv search hunter2 --mount plain a --values')).toBe('plain/a/b\tvalue\ttoken\n');
  });

  test('finds only the path of a secret whose newest version is deleted', async () => {
    await done('kv put secret/gone/needle2 needle2=1');
    await done('kv delete secret/gone/needle2');
    expect(await done('kv search needle2')).toBe('secret/gone/needle2\tpath\t\n');
  });

  test('fails for a path without secrets', async () => {
    expectFailure(await run('kv search x secret/none'), 3, 'no secrets below secret/none/');
  });

  test('names what the token may not read, and fails if nothing else matches', async () => {
    const policy =
      'path "secret/metadata/" { capabilities = ["list"] }\npath "secret/metadata/app/" { capabilities = ["list"] }\npath "secret/data/app/db" { capabilities = ["read"] }';
    await at.run(['secrets', 'policy', 'put', 'weak', policy]);
    const { stdout } = await at.run([
      'secrets',
      'token',
      'create',
      '--policy',
      'weak',
      '--field',
      'client_token',
    ]);
    const weak = { env: { LANYARD_SECRETS_TOKEN: stdout.trim() } };
    const ran = await run('kv search assword', weak);
    expectExit(ran, 0, 'no permission to read', 'secret/app/web', 'secret/password/');
    expect(ran.stdout).toBe('secret/app/db\tkey\tpassword\n');
    const none = await run('kv search nowhere', weak);
    expectExit(none, 5, 'no permission to read');
    expect(none.stdout).toContain('No matches in');
    expectFailure(await run('kv search x plain', weak), 5, 'permission denied');
  });
});
