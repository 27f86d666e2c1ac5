import { beforeAll, expect, test } from 'vitest';
import { expectFailure, homeForAll } from '../../support/command-tests.ts';
import { services } from '../../support/services.ts';

// Keys that are no paths: servers and URL parsers remove empty, `.` and `..` segments. Also with a real Consul, which
// needs the address and a management token in UNUSUAL_KEYS_ADDR and UNUSUAL_KEYS_TOKEN; its keys are deleted.

const { UNUSUAL_KEYS_ADDR: address, UNUSUAL_KEYS_TOKEN: token } = process.env;
const at = homeForAll();

beforeAll(async () => {
  if (address === undefined || token === undefined) return services(at);
  at.env.LANYARD_REGISTRY_ADDR = address;
  at.env.LANYARD_REGISTRY_TOKEN = token;
  await at.run(['api', 'registry', 'DELETE', 'v1/kv/?recurse=']);
  return undefined;
});

const keys = ['/lead', 'a//b', 'a/../b', 'a/./b', 'end//', 'a/b', 'b', 'lead', 'end/'];

async function done(...argv: readonly string[]): Promise<string> {
  const ran = await at.run([...argv]);
  expect(ran, `${argv.join(' ')}: ${ran.stderr}`).toMatchObject({ code: 0 });
  return ran.stdout;
}

const read = (key: string): Promise<string> => done('registry', 'kv', 'get', key, '--field', 'Value');
const list = async (...argv: readonly string[]): Promise<readonly string[]> =>
  JSON.parse(await done('registry', 'kv', 'list', '--recursive', ...argv, '-o', 'json')) as string[];

test('kv put, get, list, export, import and delete name the key that is given, and no other', async () => {
  for (const key of keys) await done('registry', 'kv', 'put', key, `value of ${key}`);
  for (const key of keys) expect(await read(key)).toBe(`value of ${key}\n`);
  expect(await list()).toEqual([...keys].sort());
  expect(await list('/')).toEqual(['/lead']);
  expect(await list('a//')).toEqual(['a//b']);
  expect(await list('a/..')).toEqual(['a/../b']);
  await done('registry', 'kv', 'export', '--out', at.file('all.json'));
  const changed = at.read('all.json');
  for (const [index, key] of keys.slice(0, 5).entries()) {
    await done('registry', 'kv', 'delete', key, '--yes');
    expect(await list()).toEqual(keys.slice(index + 1).sort());
  }
  await done('registry', 'kv', 'import', at.file('all.json'));
  expect(await list()).toEqual([...keys].sort());
  await done('registry', 'kv', 'export', '--out', at.file('again.json'), '--force');
  expect(at.read('again.json')).toBe(changed);
  await done('registry', 'kv', 'delete', 'a//', '--recursive', '--yes');
  await done('registry', 'kv', 'delete', '/lead', '--recursive', '--yes');
  expect(await list()).toEqual(keys.filter((key) => key !== 'a//b' && key !== '/lead').sort());
  for (const key of keys) await done('registry', 'kv', 'put', key, 'x');
});

test('check-and-set, transactions and locks too', async () => {
  expect((await at.run(['registry', 'kv', 'put', 'a//b', 'y', '--cas', '0'])).code).toBe(6);
  at.write('txn.json', '[{"KV":{"Verb":"set","Key":"a//b","Value":"eQ=="}}]');
  await done('txn', 'apply', at.file('txn.json'));
  expect([await read('a//b'), await read('a/b')]).toEqual(['y\n', 'x\n']);
});

test('state files', async () => {
  const documents = ['/lead', 'a//b', 'a/../b'].map(
    (name) =>
      `apiVersion: lanyard/v1\nkind: registry.key\nmetadata: {name: ${name}, sensitive: false}\nspec: {value: new}\n`,
  );
  at.write('set/all.yaml', documents.join('---\n'));
  at.write(
    'set/set.yaml',
    'apiVersion: lanyard/v1\nkind: Set\nmetadata: {name: unusual, id: unusual001}\nspec: {record: registry:lanyard/sets/unusual001}\n',
  );
  await done('apply', at.file('set'), '--adopt', '--yes');
  for (const key of ['/lead', 'a//b', 'a/../b']) expect(await read(key)).toBe('new\n');
  for (const key of ['lead', 'a/b', 'b']) expect(await read(key)).toBe('x\n');
  await done('plan', at.file('set'));
});

test.each([
  ['kv put', '..', 'v'],
  ['kv put', '../acl/token', 'v'],
  ['kv get', 'a/../../acl'],
  ['kv delete', 'a/..', '--recursive', '--yes'],
  ['kv delete', '/', '--recursive', '--yes'],
])('%s %s is rejected, and changes nothing', async (command, ...rest) => {
  const before = await list();
  const ran = await at.run(['registry', ...command.split(' '), ...rest]);
  expectFailure(ran, 2, '`lanyard txn apply` accepts any key');
  expect(await list()).toEqual(before);
});
