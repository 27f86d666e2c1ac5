import { describe, expect, test } from 'vitest';
import { embeddedForAll, expectExit, expectFailure } from '../../support/command-tests.ts';

const { at, run, done } = embeddedForAll();
const data = async (path: string) => JSON.parse(await done(`kv get ${path} -o json`)).data.data;
const metadata = async (path: string) => JSON.parse(await done(`kv metadata get ${path} -o json`)).data;

/** A token with these capabilities on all secrets, and the environment that uses it. */
async function tokenWith(name: string, can: readonly string[]) {
  await at.run([
    'secrets',
    'policy',
    'put',
    name,
    `path "secret/*" { capabilities = ${JSON.stringify(can)} }`,
  ]);
  const { stdout } = await at.run([
    'secrets',
    'token',
    'create',
    '--policy',
    name,
    '--field',
    'client_token',
  ]);
  return { env: { LANYARD_SECRETS_TOKEN: stdout.trim() } };
}

describe('kv patch', () => {
  test('removes keys, and updates others', async () => {
    await done('kv put secret/a user=app password=x old=1');
    expect(await done('kv patch secret/a --remove old --remove password user=web')).toContain('old\tremoved');
    expect(await data('secret/a')).toEqual({ user: 'web' });
    await done('kv patch secret/a --remove-data user');
    expect(await data('secret/a')).toEqual({});
  });

  test('rejects a key that is both updated and removed, and a patch without changes', async () => {
    expectFailure(await run('kv patch secret/a user=x --remove user'), 2, 'both updated and removed');
    expectFailure(await run('kv patch secret/a'), 2, 'nothing to write');
  });

  test('reads, merges and writes with --method rw, guarded by the version', async () => {
    await done('kv put secret/rw a=1 b=2');
    const token = await tokenWith('rw', ['read', 'update']);
    expectExit(await run('kv patch secret/rw a=3 --remove b --method rw', token), 0, /^$/);
    expect(await data('secret/rw')).toEqual({ a: '3' });
    expectFailure(await run('kv patch secret/rw a=4 --method rw --cas 1'), 6);
    expectFailure(await run('kv patch secret/none a=4 --method rw'), 3, 'secret "secret/none" not found');
  });

  test('does so by itself if the token has no capability "patch"', async () => {
    await done('kv put secret/auto a=1 b=2');
    const token = await tokenWith('auto', ['read', 'update']);
    expectExit(await run('kv patch secret/auto --remove b', token), 0, /^$/);
    expect(await data('secret/auto')).toEqual({ a: '1' });
    expectFailure(await run('kv patch secret/auto --remove a --method patch', token), 5);
    const blind = await tokenWith('blind', ['update']);
    expectFailure(await run('kv patch secret/auto --remove a', blind), 5, 'permission denied');
  });

  test('sends PATCH if the token may not read', async () => {
    await done('kv put secret/write a=1 b=2');
    const token = await tokenWith('patch', ['patch']);
    expectExit(await run('kv patch secret/write --remove b', token), 0);
    expect(await data('secret/write')).toEqual({ a: '1' });
  });
});

describe('kv metadata patch', () => {
  test.each(['patch', 'rw'])(
    'adds, changes and removes custom metadata with %s, and keeps the rest',
    async (method) => {
      const path = `secret/meta-${method}`;
      await done(`kv metadata put ${path} --max-versions 7 --cas-required true`);
      await done(`kv metadata put ${path} --custom-metadata a=1 --custom-metadata b=2 --custom-metadata c=3`);
      const stdout = await done(
        `kv metadata patch ${path} --custom-metadata a=9 --custom-metadata d=4 --remove-custom-metadata b --method ${method}`,
      );
      expect(stdout).toContain(`Updated metadata of ${path}.`);
      expect(await metadata(path)).toMatchObject({
        max_versions: 7,
        cas_required: true,
        custom_metadata: { a: '9', c: '3', d: '4' },
      });
      await done(
        `kv metadata patch ${path} --cas-required false --delete-version-after 1h --method ${method}`,
      );
      expect(await metadata(path)).toMatchObject({
        max_versions: 7,
        cas_required: false,
        delete_version_after: '1h0m0s',
        custom_metadata: { a: '9', c: '3', d: '4' },
      });
      await done(
        `kv metadata patch ${path} --remove-custom-metadata a --remove-custom-metadata c --remove-custom-metadata d --method ${method}`,
      );
      expect((await metadata(path)).custom_metadata).toBeNull();
    },
  );

  test('rejects what it cannot do', async () => {
    expectFailure(
      await run('kv metadata patch secret/none --max-versions 2'),
      3,
      'secret "secret/none" not found',
    );
    expectFailure(await run('kv metadata patch secret/a'), 2, 'nothing to change');
    const both = 'kv metadata patch secret/a --custom-metadata a=1 --remove-custom-metadata a';
    expectFailure(await run(both), 2, 'both changed and removed');
  });

  test('sends nothing in a dry run', async () => {
    await done('kv put secret/dry k=v');
    expect(await done('kv metadata patch secret/dry --max-versions 2 --dry-run')).toContain('PATCH');
    expect((await metadata('secret/dry')).max_versions).toBe(0);
  });
});
