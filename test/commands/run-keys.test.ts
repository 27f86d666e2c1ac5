import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure, words } from '../support/command-tests.ts';
import { eventually } from '../support/eventually.ts';
import { start } from '../support/process.ts';

const { at } = embeddedForAll();
const put = (key: string, value: string) => at.run(['registry', 'kv', 'put', key, '-'], { stdin: value });
beforeAll(async () => {
  await put('app/settings/db/host', 'db1');
  await put('app/settings/level', 'info\nand more');
  await put('app/settings/empty', '');
  await put('app/settings/folder/', '');
  await put('app/settings2', 'other');
  await put('both', 'the key');
  await put('both/below', 'below');
});

const soon = ['--debounce', '50ms'];
/** The environment of a child process that has names in it. */
async function seen(...flags: readonly string[]) {
  at.clear('seen');
  const ran = await at.run(['run', ...flags, '--', 'sh', '-c', 'env -0 > seen']);
  if (ran.code !== 0) return ran;
  const entries = at.read('seen').split('\0').filter(Boolean);
  return Object.fromEntries(
    entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
}

describe('run --key', () => {
  test('names the keys below a prefix by the path below it', async () => {
    const environment = await seen('--key', 'app/settings/', '--prefix', 'K_');
    expect(environment).toMatchObject({ K_db_host: 'db1', K_level: 'info\nand more', K_empty: '' });
    expect(Object.keys(environment).filter((name) => name.startsWith('K_'))).toHaveLength(3);
  });

  test('names one key by its last segment', async () => {
    expect(await seen('--key', 'app/settings/db/host', '--upper')).toMatchObject({ HOST: 'db1' });
  });

  test('uses a path without a slash as a key if there is one, else as a prefix', async () => {
    expect(await seen('--key', 'both')).toMatchObject({ both: 'the key' });
    expect(await seen('--key', 'both/')).toMatchObject({ below: 'below' });
    const environment = await seen('--key', 'app/settings', '--prefix', 'K_');
    expect(environment).toMatchObject({ K_db_host: 'db1' });
    expect(Object.values(environment)).not.toContain('other');
  });

  test('rejects a key that does not exist, and a value that is not text', async () => {
    expectFailure(
      await at.run(words('run --key app/none -- true')),
      3,
      'no key named "app/none" and no keys below it',
    );
    at.write('binary', Buffer.from([0xff, 0xfe]));
    await at.run(words('registry kv put bin/data @binary'));
    expectFailure(
      await at.run(words('run --key bin/ -- true')),
      2,
      'cannot use the value of key "bin/data": it is not valid UTF-8',
    );
  });

  test('with --watch restart: gives the command the new keys, also added and deleted ones', async () => {
    await put('watched/a', '1');
    const child = start(at, [
      ...['run', '--key', 'watched/', '--watch', 'restart', ...soon, '--', 'sh', '-c'],
      'echo "start $a $b"; while :; do sleep 0.02; done',
    ]);
    await child.until(/start 1 \n/);
    await put('watched/b', '2');
    await child.until(/start 1 2\n/);
    await at.run(words('registry kv delete watched/a --yes'));
    await child.until(/start {2}2\n/);
    child.child.kill('SIGTERM');
    await child.ended;
    expect(child.stderr()).toMatch(/^watched\/ changed: sending SIGTERM/);
    expect(child.stderr()).not.toContain('warning');
  });

  test('with --watch restart: keeps the command while a value is not text, with one warning', async () => {
    await put('odd/a', '1');
    const child = start(at, [
      ...['run', '--key', 'odd/a', '--watch', 'restart', ...soon, '--', 'sh', '-c'],
      'echo "start $a"; while :; do sleep 0.02; done',
    ]);
    await child.until(/start 1\n/);
    at.write('binary', Buffer.from([0xff, 0xfe]));
    await at.run(words('registry kv put odd/a @binary'));
    await eventually(() => expect(child.stderr()).toContain('it is not valid UTF-8; the command keeps'));
    await put('odd/a', '2');
    await child.until(/start 2\n/);
    child.child.kill('SIGTERM');
    await child.ended;
  });
});

describe('ci export --key', () => {
  test('exports keys below a prefix', async () => {
    const ran = await at.run([
      ...words('ci export --ci gitlab --file job.env --force'),
      ...['--key', 'app/settings/ db/host | DB_HOST'],
    ]);
    expect(ran.code).toBe(0);
    expect(at.read('job.env')).toContain("export DB_HOST='db1'\n");
  });
});

describe('run --key with access control', () => {
  test('says that keys are left out which the token may not read', async () => {
    const bootstrapped = await at.run(words('acl bootstrap --field SecretID'));
    at.env.LANYARD_REGISTRY_TOKEN = bootstrapped.stdout.trim();
    at.write('settings.hcl', 'key "app/settings/level" { policy = "read" }');
    await at.run(words('acl policy put settings --rules @settings.hcl'));
    const token = await at.run(words('acl token create --policy settings --field SecretID'));
    const ran = await at.run(words('run --key app/settings/ -- true'), {
      env: { LANYARD_REGISTRY_TOKEN: token.stdout.trim() },
    });
    expect(ran).toMatchObject({
      code: 0,
      stderr: 'warning: read keys: some results were omitted: the token has no permission to read them\n',
    });
  });
});
