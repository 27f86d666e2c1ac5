import { beforeAll, describe, expect, test } from 'vitest';
import {
  embeddedForAll,
  errorOf,
  expectExit,
  expectFailure,
  homeForAll,
  servicesForAll,
} from '../../support/command-tests.ts';

const { at, run, done } = embeddedForAll();
const elsewhere = homeForAll();
const other = servicesForAll(elsewhere);
const json = async (line: string) => JSON.parse(await done(`${line} -o json`));
const metadata = async (path: string) => (await json(`kv metadata get ${path}`)).data;
const dataOf = async (path: string) => (await json(`kv get ${path}`)).data.data;

/** A token with these rules on paths, and an environment that uses it. */
async function tokenFor(name: string, rules: Readonly<Record<string, readonly string[]>>) {
  const policy = Object.entries(rules).map(
    ([path, can]) => `path "${path}" { capabilities = ${JSON.stringify(can)} }`,
  );
  await at.run(['secrets', 'policy', 'put', name, policy.join('\n')]);
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

beforeAll(async () => {
  for (const [path, version] of [
    ['other', '2'],
    ['plain', '1'],
    ['strict', '2'],
    ['small', '2'],
  ])
    await done(`secrets mount enable kv --path ${path} --version ${version}`);
  await done('kv config put strict --cas-required true');
  await done('kv config put small --max-versions 2');
  elsewhere.env.LANYARD_SECRETS_TOKEN = other.rootToken;
  at.env.OTHER_TOKEN = other.rootToken;
  await done(`profile put other secrets.address=${other.addresses.secrets} secrets.token=env://OTHER_TOKEN`);
});

describe('kv copy', () => {
  test('copies the newest version with its metadata', async () => {
    await done('kv put secret/one/a user=app password=first');
    await done('kv put secret/one/a user=app password=second');
    await done(
      'kv metadata put secret/one/a --custom-metadata owner=ops --max-versions 4 --delete-version-after 72h',
    );
    const ran = await run('kv copy secret/one/a other/a');
    expectExit(ran, 0, 'Older versions of 1 secret were not copied');
    expect(ran.stdout).toBe('Copied 1 secret.\nother/a\tcreate\t\n');
    expect(await dataOf('other/a')).toEqual({ user: 'app', password: 'second' });
    expect(await metadata('other/a')).toMatchObject({
      current_version: 1,
      max_versions: 4,
      delete_version_after: '72h0m0s',
      custom_metadata: { owner: 'ops' },
    });
    expect(await dataOf('secret/one/a')).toEqual({ user: 'app', password: 'second' });
  });

  test('keeps the name in a directory or a mount', async () => {
    await done('kv put secret/named/n k=v');
    await done('kv copy secret/named/n other');
    await done('kv copy secret/named/n other/below/');
    expect(await done('kv list --recursive other')).toContain('other/below/n\n');
  });

  test('copies a directory, also a secret and a directory of one name and special characters', async () => {
    for (const path of ['q?x=1&y#z%20', 'ünï/a b', 'app', 'app/db', "it's", 'a+b%2Fc'])
      expectExit(await at.run(['kv', 'put', `secret/dir/${path}`, `k=${path}`]), 0);
    expectExit(await at.run(['kv', 'copy', '--recursive', 'secret/dir', 'other/dir/']), 0, /^$/);
    const list = async (path: string) => (await json(`kv list --recursive ${path}`)).keys;
    const names = (keys: readonly string[]) => keys.map((key) => key.replace(/^\w+\//, ''));
    expect(names(await list('other/dir'))).toEqual(names(await list('secret/dir')));
    const { stdout } = await at.run(['kv', 'get', 'other/dir/q?x=1&y#z%20', '--field', 'k']);
    expect(stdout).toBe('q?x=1&y#z%20\n');
  });

  test.each([
    ['version 2 to version 1', 'secret/to1', 'plain/from2'],
    ['version 1 to version 2', 'plain/from2', 'other/from1'],
    ['version 2 to a mount that requires check-and-set', 'secret/to2', 'strict/x'],
  ])('copies from %s', async (_what, from, to) => {
    if (from.startsWith('secret')) await done(`kv put ${from} n=1 list=x`);
    await done(`kv copy ${from} ${to}`);
    expect(await done(`kv get ${to}`)).toBe('n\t1\nlist\tx\n');
  });

  test('warns of metadata that a mount of version 1 cannot have', async () => {
    await done('kv put secret/meta k=v');
    await done('kv metadata put secret/meta --custom-metadata a=b');
    expectExit(await run('kv copy secret/meta plain/meta'), 0, 'the metadata of 1 secret is not copied');
  });

  test('writes nothing if a secret exists and differs, and replaces it with --overwrite', async () => {
    for (const name of ['a', 'b']) await done(`kv put secret/over/${name} k=new`);
    await done('kv put other/over/b k=old extra=1');
    const ran = await run('kv copy --recursive secret/over other/over');
    expectFailure(
      ran,
      6,
      'cannot overwrite other/over/b: it already exists and differs; nothing was written',
    );
    expectFailure(await run('kv get other/over/a'), 3);
    expectFailure(await run('kv copy --recursive secret/over other/over --dry-run'), 6);
    const rows = await json('kv copy --recursive secret/over other/over --overwrite');
    expect(rows).toEqual([
      { action: 'create', path: 'other/over/a', changes: [], metadata: false },
      {
        action: 'update',
        path: 'other/over/b',
        changes: [
          { key: 'extra', change: 'removed' },
          { key: 'k', change: 'changed' },
        ],
        metadata: false,
      },
    ]);
    expect(await done('kv copy --recursive secret/over other/over')).toContain(
      'Copied 0 secrets; 2 already up to date.',
    );
    expect((await metadata('other/over/b')).current_version).toBe(2);
  });

  test('sends no write in a dry run, and shows no value', async () => {
    await done('kv put secret/dry k=hunter2');
    const stdout = await done('kv copy secret/dry other/dry --dry-run');
    expect(stdout).toBe('1 secret would be copied; nothing was written.\nother/dry\tcreate\t\n');
    const curl = await done('kv copy secret/dry other/dry --curl');
    expect(curl).toContain('/v1/other/data/dry');
    expect(curl).not.toContain('hunter2');
    expectFailure(await run('kv get other/dry'), 3);
  });

  test('leaves out secrets whose newest version is deleted or destroyed', async () => {
    for (const name of ['a', 'gone', 'lost']) await done(`kv put secret/gone/${name} k=v`);
    await done('kv delete secret/gone/gone');
    await done('kv destroy secret/gone/lost --versions 1 --yes');
    const ran = await run('kv copy --recursive secret/gone other/gone');
    expectExit(ran, 0, 'Left out 2 secrets', 'secret/gone/gone (deleted), secret/gone/lost (destroyed)');
    expect(await done('kv list other/gone')).toBe('a\n');
    expectFailure(await run('kv copy secret/gone/gone other/x'), 3, 'was deleted at');
  });

  test('writes over a deleted secret', async () => {
    await done('kv put secret/again k=new');
    await done('kv put other/again k=old');
    await done('kv delete other/again');
    await done('kv copy secret/again other/again');
    expect(await dataOf('other/again')).toEqual({ k: 'new' });
  });

  test('copies all versions with data, oldest first, and continues', async () => {
    for (const n of [1, 2, 3, 4]) await done(`kv put secret/all k=${n}`);
    await done('kv delete secret/all --versions 2');
    await done('kv put other/all k=1');
    expectExit(await run('kv copy secret/all other/all --all-versions'), 0, /^$/);
    for (const [version, k] of [
      [1, '1'],
      [2, '3'],
      [3, '4'],
    ])
      expect(await done(`kv get other/all --version ${version} --field k`)).toBe(`${k}\n`);
    expect(await done('kv copy secret/all other/all --all-versions')).toContain('1 already up to date');
    await done('kv put other/all k=5');
    expectFailure(
      await run('kv copy secret/all other/all --all-versions --overwrite'),
      6,
      'it already has versions',
    );
    const lost = await run('kv copy secret/all small/all --all-versions');
    expectFailure(lost, 9, 'the destination keeps only 2 of the 3 versions of small/all');
    expectFailure(await run('kv copy secret/all plain/all --all-versions'), 2, 'version 1');
  });

  test('copies to another profile, whatever the variables of the shell say', async () => {
    await done('kv put secret/far k=v');
    await done('kv copy secret/far secret/far --to-profile other');
    expect((await elsewhere.run(['kv', 'get', 'secret/far', '--field', 'k'])).stdout).toBe('v\n');
    expectFailure(await run('kv copy secret/far secret/x --to-profile none'), 3, 'profile "none" not found');
  });

  test('copies to another namespace', async () => {
    await done('secrets namespace create team');
    await done('secrets mount enable kv --path secret --version 2 -n team');
    await done('kv put secret/ns k=v');
    await done('kv copy secret/ns secret/ns --to-namespace team');
    expect(await done('kv get secret/ns -n team --field k')).toBe('v\n');
    await done('kv copy -n team secret/ns secret/ns2 --to-profile other');
    expect((await elsewhere.run(['kv', 'get', 'secret/ns2', '--field', 'k'])).stdout).toBe('v\n');
  });

  test.each([
    ['kv copy secret/one/a secret/one/a', 'source and destination are the same'],
    ['kv copy --recursive secret/one secret/one/copy', 'one is inside the other'],
    ['kv copy --recursive secret secret/all', 'one is inside the other'],
    ['kv copy secret other/x', 'expected a secret, not a mount'],
    ['kv move secret/one/a secret/one/a', 'source and destination are the same'],
  ])('rejects %s', async (line, message) => {
    expectFailure(await run(line), 2, message);
  });

  test('names what to do with a directory, and with a secret', async () => {
    await done('kv put secret/folder/a k=v');
    expectFailure(await run('kv copy secret/folder other/f'), 3, 'add --recursive');
    expectFailure(await run('kv copy --recursive secret/folder/a other/f'), 3, 'leave out --recursive');
    expectFailure(await run('kv copy secret/none other/f'), 3, 'secret "secret/none" not found');
  });

  test('fails if the token may not read some secrets, unless --allow-partial is given', async () => {
    for (const name of ['open', 'closed', 'hidden/x']) await done(`kv put secret/weak/${name} k=v`);
    const weak = await tokenFor('weak', {
      'secret/metadata/weak/': ['list'],
      'secret/data/weak/open': ['read'],
      'other/data/weak/*': ['create', 'read', 'update'],
      'other/metadata/weak/*': ['read'],
    });
    const ran = await run('kv copy --recursive secret/weak other/weak', weak);
    expectFailure(ran, 5, 'no permission to read some of them', 'secret/weak/closed', 'secret/weak/hidden/');
    const partial = await run('kv copy --recursive secret/weak other/weak --allow-partial', weak);
    expectExit(
      partial,
      0,
      'no permission to read 2 paths, left out',
      'the metadata of 1 secret is not copied',
    );
    expect(await done('kv list other/weak')).toBe('open\n');
  });

  test('is partial if some cannot be written, and continues when run again', async () => {
    for (const name of ['a', 'b', 'c']) await done(`kv put secret/part/${name} k=v`);
    const weak = await tokenFor('part', {
      'secret/*': ['list', 'read'],
      'other/*': ['read'],
      'other/data/part/a': ['create', 'read', 'update'],
    });
    const error = errorOf(await run('kv copy --recursive secret/part other/part -o json', weak), 9);
    expect(error.message).toContain('partially applied: copied 1 of 3 secrets');
    expect(Object.values(error).flat().join()).toContain(
      'secret/part/b: cannot write secret: permission denied',
    );
    expect(await done('kv copy --recursive secret/part other/part')).toContain(
      'Copied 2 secrets; 1 already up to date.',
    );
  });
});

describe('kv move', () => {
  test('deletes the source after the copy, and counts the older versions in the prompt', async () => {
    for (const n of [1, 2, 3]) await done(`kv put secret/mv k=${n}`);
    await done('kv metadata put secret/mv --custom-metadata a=b');
    expectFailure(
      await run('kv move secret/mv other/mv'),
      2,
      '2 older versions will be deleted and not moved',
    );
    await done('kv get secret/mv');
    expect(await done('kv move secret/mv other/mv --yes')).toBe('Moved 1 secret.\nother/mv\tcreate\t\n');
    expectFailure(await run('kv metadata get secret/mv'), 3);
    expect((await metadata('other/mv')).custom_metadata).toEqual({ a: 'b' });
  });

  test('moves all versions', async () => {
    for (const n of [1, 2]) await done(`kv put secret/mvall k=${n}`);
    await done('kv move secret/mvall other/mvall --all-versions --yes');
    expect(await done('kv get other/mvall --version 1 --field k')).toBe('1\n');
  });

  test('keeps the source if the destination keeps fewer versions', async () => {
    for (const n of [1, 2, 3]) await done(`kv put secret/mvsmall k=${n}`);
    expectFailure(
      await run('kv move secret/mvsmall small/mv --all-versions --yes'),
      9,
      'keeps only 2 of the 3',
    );
    expect((await metadata('secret/mvsmall')).current_version).toBe(3);
  });

  test('continues after a copy whose source was not deleted', async () => {
    for (const name of ['a', 'b']) await done(`kv put secret/cont/${name} k=v`);
    const weak = await tokenFor('cont', {
      'secret/*': ['list', 'read'],
      'other/*': ['create', 'read', 'update'],
    });
    expectFailure(
      await run('kv move --recursive secret/cont other/cont --yes', weak),
      9,
      'secret/cont/a was copied to other/cont/a, but not deleted',
    );
    expect(await done('kv list secret/cont')).toBe('a\nb\n');
    expect(await done('kv move --recursive secret/cont other/cont --yes')).toContain('Moved 2 secrets.');
    expect(await json('kv list --recursive secret/cont')).toEqual({ keys: [] });
  });

  test('moves secrets of version 1', async () => {
    await done('kv put plain/mv k=v');
    await done('kv move plain/mv plain/moved --yes');
    expectFailure(await run('kv get plain/mv'), 3);
    expect(await done('kv get plain/moved --field k')).toBe('v\n');
  });

  test('does not move secrets whose metadata cannot be read', async () => {
    await done('kv put secret/nometa k=v');
    const weak = await tokenFor('nometa', {
      'secret/data/*': ['read'],
      'other/*': ['create', 'read', 'update'],
    });
    expectFailure(
      await run('kv move secret/nometa other/nometa --yes', weak),
      5,
      'permission denied to read its metadata',
    );
  });

  test('sends nothing in a dry run', async () => {
    await done('kv put secret/mvdry k=v');
    expect(await done('kv move secret/mvdry other/mvdry --dry-run')).toContain('1 secret would be moved');
    await done('kv get secret/mvdry');
    expectFailure(await run('kv get other/mvdry'), 3);
  });
});
