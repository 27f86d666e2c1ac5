import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure, homeForAll, servicesForAll } from '../../support/command-tests.ts';

const { at, run, done } = embeddedForAll();
const elsewhere = homeForAll();
const other = servicesForAll(elsewhere);
const differs = async (line: string) => {
  const ran = await run(line);
  expect(ran).toMatchObject({ code: 10, stderr: '' });
  return ran.stdout;
};

beforeAll(async () => {
  await done('kv put secret/a user=app password=hunter1 old=1');
  await done('kv put secret/a user=app password=hunter2');
  await done('kv put secret/b user=app password=hunter3 new=1');
  elsewhere.env.LANYARD_SECRETS_TOKEN = other.rootToken;
  at.env.OTHER_TOKEN = other.rootToken;
  await done(`profile put other secrets.address=${other.addresses.secrets} secrets.token=env://OTHER_TOKEN`);
});

describe('kv diff', () => {
  test('compares two secrets without their values', async () => {
    expect(await differs('kv diff secret/a secret/b')).toBe(
      'secret/a\tpassword\tchanged\nsecret/a\tnew\tadded\n',
    );
    expect(await differs('kv diff secret/a secret/b --reveal')).toBe(
      'secret/a\tpassword\tchanged\thunter2\thunter3\nsecret/a\tnew\tadded\t\t1\n',
    );
    expect(JSON.parse(await differs('kv diff secret/a secret/b -o json'))).toEqual([
      { path: 'secret/a', key: 'password', change: 'changed' },
      { path: 'secret/a', key: 'new', change: 'added' },
    ]);
  });

  test('compares versions of a secret', async () => {
    expect(await differs('kv diff secret/a --version 1 --with-version 2')).toBe(
      'secret/a\told\tremoved\nsecret/a\tpassword\tchanged\n',
    );
    expect(await differs('kv diff secret/a --version 1')).toContain('old\tremoved');
    expect(await done('kv diff secret/a --version 2')).toBe('No differences in 1 secret.\n');
    expectFailure(await run('kv diff secret/a --version 9'), 3, 'version 9 of secret "secret/a" not found');
  });

  test('compares a secret with a file', async () => {
    at.write('same.json', '{"password":"hunter2","user":"app"}');
    expect(await done('kv diff secret/a --with same.json')).toBe('No differences in 1 secret.\n');
    const ran = await run('kv diff secret/a --with -', { stdin: '{"user":"web"}' });
    expect(ran).toMatchObject({ code: 10, stdout: 'secret/a\tpassword\tremoved\nsecret/a\tuser\tchanged\n' });
  });

  test('compares directories, also secrets that only one of them has', async () => {
    for (const path of ['left/same', 'right/same', 'left/only', 'right/deep/new'])
      await done(`kv put secret/${path} k=v`);
    await done('kv put secret/right/empty --in -', { stdin: '{}' });
    expect(await differs('kv diff --recursive secret/left secret/right')).toBe(
      'secret/left/deep/new\tk\tadded\nsecret/left/empty\t\tadded\nsecret/left/only\tk\tremoved\n',
    );
    expect(await done('kv diff --recursive secret/left/ secret/left/')).toBe(
      'No differences in 2 secrets.\n',
    );
  });

  test('compares with another profile and namespace', async () => {
    await elsewhere.run(['kv', 'put', 'secret/a', 'user=app', 'password=other']);
    expect(await differs('kv diff secret/a --with-profile other')).toBe('secret/a\tpassword\tchanged\n');
    await done('secrets namespace create team');
    await done('secrets mount enable kv --path secret --version 2 -n team');
    await done('kv put secret/a user=app password=hunter2 -n team');
    expect(await done('kv diff secret/a --with-namespace team')).toBe('No differences in 1 secret.\n');
    expect(await differs('kv diff -n team secret/a --with-profile other')).toBe(
      'secret/a\tpassword\tchanged\n',
    );
  });

  test.each([
    ['kv diff secret/a', 'expected B'],
    ['kv diff secret/a secret/b --with x.json', '--with cannot be combined'],
    ['kv diff secret/a secret/b --recursive --version 1', 'cannot be combined with --recursive'],
    ['kv diff secret secret/a', 'expected a secret, not a mount'],
  ])('rejects %s', async (line, message) => {
    expectFailure(await run(line), 2, message);
  });

  test('fails if neither secret exists', async () => {
    expectFailure(await run('kv diff secret/x secret/y'), 3, 'no secrets found at secret/x and secret/y');
  });

  test('fails if some secrets of a directory cannot be read', async () => {
    const policy =
      'path "secret/metadata/*" { capabilities = ["list"] }\npath "secret/data/left/*" { capabilities = ["read"] }';
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
    const line = 'kv diff --recursive secret/left secret/right';
    expectFailure(await run(line, weak), 5, 'cannot compare secrets', 'secret/right/same');
    expect((await run(`${line} --allow-partial`, weak)).code).toBe(10);
  });
});
