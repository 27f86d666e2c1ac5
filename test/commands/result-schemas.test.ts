import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { resultNames, schemaName } from '../../src/commands/schema/lib/result-schemas.ts';
import { tree } from '../../src/commands/tree.ts';
import { type Kind, kinds, LanyardError } from '../../src/errors.ts';
import { renderFailure } from '../../src/output/failure.ts';
import { localCommands } from '../facts/facts.ts';
import {
  embeddedForAll,
  expectFailure,
  homeForAll,
  homeForTest,
  outputOf,
  servicesForTest,
} from '../support/command-tests.ts';
import { keyPair } from '../support/keys.ts';
import {
  checkedResults,
  schemaProblems,
  shippedSchemas,
  strictAjv,
  withoutResult,
} from '../support/result-schemas.ts';
import type { RunOptions } from '../support/run.ts';
import { snapshotFile } from '../support/snapshot-file.ts';

const schemas = shippedSchemas();
const names = resultNames(schemas);

describe('the schemas of results', () => {
  test('are valid, also in strict mode', () => {
    const ajv = strictAjv();
    expect(ajv.validateSchema(schemas), ajv.errorsText()).toBe(true);
    ajv.addSchema(schemas);
    for (const name of Object.keys(schemas.$defs)) ajv.getSchema(`${schemas.$id}#/$defs/${name}`);
  });

  test('exist for all commands with a result, for errors and for dry runs', () => {
    const commands = tree.map(({ path }) => path).filter((path) => !withoutResult.includes(path));
    expect(names).toEqual([...commands.map(schemaName), 'error', 'dry-run']);
    expect(new Set(names).size).toBe(names.length);
  });

  test('have the command line as title', () => {
    for (const { path } of tree.filter((entry) => !withoutResult.includes(entry.path)))
      expect(schemas.$defs[schemaName(path)]).toMatchObject({ title: `lanyard ${path}` });
  });

  test('describe every result except the result of "api"', () => {
    const open = names.filter(
      (name) => Object.keys(schemas.$defs[name] ?? {}).join() === 'title,description',
    );
    expect(open).toEqual(['api']);
  });

  test('name the fields of every object', () => {
    const isOpen = (name: string): boolean => branchesOf(schemas.$defs[name]).some(matchesAnyObject);
    expect(names.filter(isOpen)).toEqual(['api']);
  });

  test('are small', () => {
    expect(JSON.stringify(schemas).length).toBeLessThan(250_000);
  });
});

interface Branch {
  readonly $ref?: string;
  readonly anyOf?: readonly Branch[];
  readonly items?: Branch;
  readonly type?: string | readonly string[];
  readonly properties?: object;
  readonly additionalProperties?: object;
}

/** The alternatives of a result, or of the items of a list. */
function branchesOf(schema: Branch = {}): readonly Branch[] {
  if (schema.$ref !== undefined) return branchesOf(schemas.$defs[schema.$ref.replace('#/$defs/', '')]);
  if (schema.anyOf) return schema.anyOf.flatMap(branchesOf);
  return schema.items ? branchesOf(schema.items) : [schema];
}

const matchesAnyObject = ({ type, properties, additionalProperties }: Branch): boolean =>
  (type === undefined || type.includes('object')) && !properties && !additionalProperties;

const { at } = embeddedForAll();

describe('schema', () => {
  test.each(names)('prints the schema of %s with all that it refers to', async (name) => {
    const words = tree.find(({ path }) => schemaName(path) === name)?.path.split(' ') ?? [name];
    const stdout = outputOf(await at.run(['schema', ...words]));
    const schema = JSON.parse(stdout);
    expect(schema.$id).toBe(`urn:lanyard:results:v1:${name}`);
    expect(strictAjv().compile(schema)).toBeTypeOf('function');
  });

  test('lists all commands, or the commands of a group', async () => {
    const all = JSON.parse((await at.run(['schema', '-o', 'json'])).stdout);
    expect(all).toHaveLength(names.length);
    expect(all).toContainEqual({ command: 'ssh role list', description: 'List SSH roles.' });
    const { stdout } = await at.run(['schema', 'ssh', 'role']);
    expect(stdout).toBe(
      'ssh role list\tList SSH roles.\nssh role get\tShow an SSH role.\nssh role put\tCreate or update an SSH role.\nssh role copy\tCreate a copy of a role.\nssh role edit\tEdit a role in an editor.\nssh role delete\tDelete an SSH role.\n',
    );
  });

  test('prints the file with all schemas', async () => {
    const { stdout } = await at.run(['schema', '--all', '-o', 'json']);
    expect(JSON.parse(stdout)).toEqual(schemas);
    expect(await at.run(['schema', '--all', 'kv'])).toMatchObject({ code: 2 });
  });

  test.each([['run'], ['nothing'], ['ssh sign deploy'], ['AclToken']])('%s has none', async (words) => {
    expectFailure(await at.run(['schema', ...words.split(' ')]), 2, /^error: no schema for "/);
  });

  test('completes the words of commands', async () => {
    const complete = async (...words: string[]) =>
      (await at.run(['__complete', 'bash', '=', '--', 'schema', ...words])).stdout.split('\n').slice(0, -1);
    expect((await complete('ssh', 'role')).sort()).toEqual(['copy', 'delete', 'edit', 'get', 'list', 'put']);
    expect(await complete('ssh')).toContain('role');
    expect(await complete()).toEqual(expect.arrayContaining(['ssh', 'kv', 'error', 'dry-run']));
    expect(await complete('ssh', 'sign')).toEqual([]);
    expect(await complete()).not.toContain('run');
  });
});

interface Line extends RunOptions {
  readonly words: string;
  readonly code?: number;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

const policy = 'path "a" { capabilities = ["read"] }';
const transaction = JSON.stringify([{ KV: { Verb: 'set', Key: 'a', Value: 'Yg==' } }]);
const { publicLine, privatePem } = keyPair('ed25519');
const object =
  'apiVersion: lanyard/v1\nkind: scheduler.variable\nmetadata: {name: app, allowLiteral: true}\n';

/** Commands that the conformance scenario does not run: test/conformance/embedded.test.ts checks the others. */
const local: Readonly<Record<string, readonly Line[]>> = {
  // Below.
  dev: [],
  schema: [{ words: 'schema' }, { words: 'schema kv get' }, { words: 'schema --all' }],
  'scheduler acl policy check': [
    { words: 'scheduler acl policy check -', stdin: 'namespace "default" { policy = "read" }' },
  ],
  'txn check': [{ words: 'txn check -', stdin: transaction }],
  validate: [
    { words: 'validate -', stdin: `${object}spec: {Items: {a: b}}\n` },
    { words: 'validate -', stdin: `${object}spec: {Item: {a: b}}\n`, code: 2 },
    { words: 'validate --init state' },
    { words: 'validate --schema' },
    { words: 'validate --schema plan' },
  ],
  'secrets policy check': [{ words: 'secrets policy check -', stdin: policy }],
  'ssh config': [
    {
      words: 'ssh config *.example.com --role deploy --address http://127.0.0.1:8200 --dry-run',
      files: { '.ssh/id_ed25519.pub': publicLine },
    },
    { words: 'ssh config *.example.com --role deploy --address http://127.0.0.1:8200' },
  ],
  'ssh inspect': [
    { words: 'ssh inspect .ssh/id_ed25519.pub' },
    { words: 'ssh inspect key', files: { key: privatePem } },
  ],
  'ssh list': [{ words: 'ssh list' }],
  'ssh host remove': [{ words: 'ssh host remove --sshd-config sshd_config --yes' }],
  'profile put': [
    { words: 'profile put own secrets.address=http://127.0.0.1:9 box.address=http://127.0.0.1:8' },
  ],
  'profile list': [{ words: 'profile list' }],
  'profile get': [{ words: 'profile get own' }],
  'profile use': [{ words: 'profile use own' }],
  'profile import': [
    {
      words: 'profile import prod',
      env: { VAULT_ADDR: 'https://vault.example.com:8200', VAULT_TOKEN: 'x'.repeat(20) },
    },
  ],
  'profile delete': [{ words: 'profile delete own --yes' }],
  'alias set': [{ words: 'alias set own status' }],
  'alias list': [{ words: 'alias list' }],
  'alias get': [{ words: 'alias get own' }],
  'alias delete': [{ words: 'alias delete own' }],
  'plugin list': [{ words: 'plugin list' }],
  'registry snapshot inspect': [
    { words: 'registry snapshot inspect a.snap', files: { 'a.snap': snapshotFile({ sealed: undefined }) } },
  ],
  'secrets snapshot inspect': [
    { words: 'secrets snapshot inspect a.snap', files: { 'a.snap': snapshotFile() } },
  ],
};

describe('results of commands that reach no service', () => {
  const own = homeForAll();

  test.each(Object.entries(local))('%s', async (command, lines) => {
    for (const { words, code = 0, files = {}, ...options } of lines) {
      for (const [name, content] of Object.entries(files)) own.write(name, content);
      checkedResults.clear();
      expect(await own.run([...words.split(' '), '-o', 'json'], options), words).toMatchObject({ code });
      expect(checkedResults, words).toContain(command);
    }
  });

  test('dev', async () => {
    const end = new AbortController();
    let text = '';
    const stdout = new Writable({
      write(chunk: Buffer, _encoding, done) {
        text += chunk.toString();
        if (text.endsWith('}\n')) end.abort();
        done();
      },
    });
    await own.run(['dev', '--port', '0', '-o', 'json'], { signal: end.signal, stdout });
    expect(schemaProblems('dev', JSON.parse(text))).toEqual([]);
  });

  test('the table has all of them', () => {
    expect(Object.keys(local).sort()).toEqual(
      localCommands.filter((path) => !withoutResult.includes(path)).sort(),
    );
  });
});

describe('results that the conformance scenario does not print', () => {
  const legacy = 'key "app/" { policy = "write" }';

  test.each([
    ['secrets mount list'],
    ['secrets auth list'],
    ['secrets policy list'],
    ['secrets policy get', 'default'],
    ['ssh ca create'],
    ['ssh trust'],
    ['ssh trust', '--hosts * --users users.pem'],
    ['acl bootstrap'],
    ['acl translate-rules', '-', legacy],
    ['secrets seal', '--yes'],
  ])('%s %s', async (command, words = '', stdin = '') => {
    const token = command === 'acl translate-rules' ? { LANYARD_REGISTRY_TOKEN: management } : {};
    checkedResults.clear();
    const argv = `${command} ${words}`.trim().split(' ');
    const stdout = outputOf(await other.run([...argv, '-o', 'json'], { stdin, env: token }));
    expect(checkedResults).toContain(command);
    if (command === 'acl bootstrap') management = JSON.parse(stdout).SecretID;
  });

  test('secrets init', async () => {
    const fresh = homeForTest();
    await servicesForTest(fresh, { uninitialized: true });
    checkedResults.clear();
    expect(await fresh.run(['secrets', 'init', '-o', 'json'])).toMatchObject({ code: 0 });
    expect(checkedResults).toContain('secrets init');
  });

  let management = '';
  const { at: other } = embeddedForAll();
});

describe('errors', () => {
  const options = { format: 'json', color: false, terminal: false, width: 80 } as const;

  test.each(Object.keys(kinds) as Kind[])('of the kind %s', async (kind) => {
    const facts = { details: ['one'], hint: 'Try it.', service: 'secrets', status: 500, retryable: true };
    for (const error of [new LanyardError(kind, 'x'), new LanyardError(kind, 'x', facts)]) {
      const text = await renderFailure(error, { ...options, notes: ['a'], warnings: ['b'] });
      expect(schemaProblems('error', JSON.parse(text))).toEqual([]);
    }
  });

  test.each([
    ['profile get nothing', 'not_found', {}],
    ['kv get', 'usage', {}],
    ['kv get secret/app', 'not_found', {}],
    ['kv get secret/app', 'unauthenticated', { LANYARD_SECRETS_TOKEN: 's.doesnotexistdoesnotexist' }],
    ['acl policy list', 'unauthenticated', {}],
    ['kv get secret/app', 'unreachable', { LANYARD_SECRETS_ADDR: 'http://127.0.0.1:9' }],
  ])('%s: %s', async (words, kind, env) => {
    checkedResults.clear();
    const { stderr } = await at.run([...words.split(' '), '-o', 'json'], {
      env,
      random: (length) => new Uint8Array(length),
    });
    expect(JSON.parse(stderr)).toMatchObject({ error: { kind } });
    expect(checkedResults).toContain('error');
  });
});

test.each([['kv put secret/app a=b --dry-run'], ['ssh role put deploy --key-type ca --dry-run']])(
  'the dry run %s',
  async (words) => {
    checkedResults.clear();
    expect(await at.run([...words.split(' '), '-o', 'json'])).toMatchObject({ code: 0 });
    expect(checkedResults).toContain('dry-run');
  },
);

describe('a result does not match without', () => {
  const without = (value: object, field: string) => ({ ...value, [field]: undefined });
  /** A value as JSON has it. */
  const json = (value: unknown) => JSON.parse(JSON.stringify(value));

  test.each([
    ['ssh ca get', 'ssh ca get', ['data']],
    ['kv put secret/app a=b', 'kv metadata get secret/app', ['data']],
    ['namespace list', 'namespace get default', ['Name']],
    ['status', 'secrets status', ['state', 'health', 'seal']],
    ['registry service list', 'registry node get lanyard', ['Node', 'Checks']],
  ])('the fields that it always has: %s; %s', async (before, words, fields) => {
    if (words === 'ssh ca get') await at.run(['ssh', 'ca', 'create']);
    await at.run(before.split(' '));
    const { stdout } = await at.run([...words.split(' '), '-o', 'json']);
    const command = tree.map(({ path }) => path).find((path) => `${words} `.startsWith(`${path} `)) ?? '';
    const value = JSON.parse(stdout);
    expect(schemaProblems(command, value)).toEqual([]);
    for (const field of fields)
      expect(schemaProblems(command, json(without(value, field))), field).not.toEqual([]);
  });

  test('the kind of an error', () => {
    const error = { code: 1, message: 'x', retryable: false };
    expect(schemaProblems('error', { error: { ...error, kind: 'failure' } })).toEqual([]);
    expect(schemaProblems('error', { error })).not.toEqual([]);
  });
});
