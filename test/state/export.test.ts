import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pathOf } from '../../src/state/file-names.ts';
import { registryPolicy } from '../../src/state/kinds/registry-policy.ts';
import { schedulerVariable } from '../../src/state/kinds/scheduler-variable.ts';
import { findKind } from '../../src/state/kinds.ts';
import {
  expectExit,
  homeForAll,
  homeForTest,
  servicesForAll,
  servicesForTest,
} from '../support/command-tests.ts';
import { setSchedulerToken, setTokens } from '../support/services.ts';
import { clientsOf } from './clients.ts';
import { objectCases } from './objects.ts';
import { imageContent, imageFile } from './other-objects.ts';

const at = homeForAll();
const running = servicesForAll(at);
const done = async (argv: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const ran = await at.run(argv, { env });
  expect([ran.code, ran.stderr], argv.join(' ')).toEqual([0, '']);
  return ran.stdout;
};

beforeAll(async () => {
  await setTokens(at, running);
  await setSchedulerToken(at);
});

const filesOf = (directory: string): Readonly<Record<string, string>> =>
  Object.fromEntries(at.list(directory).map((path) => [path.slice(directory.length + 1), at.read(path)]));

const kindFlags = ['--kind', 'registry.policy', '--kind', 'scheduler.variable'];

describe('an export of some objects', () => {
  beforeAll(async () => {
    const rules = 'service "web" {  \n  policy = "read"\n}\n';
    at.write('rules.hcl', rules);
    await done(['acl', 'policy', 'put', 'web-read', '--rules', '@rules.hcl', '--description', 'Reads web']);
    await done(['acl', 'policy', 'put', 'other-read', '--rules', '']);
    await done(['var', 'put', 'app/db', 'password=hunter2-hunter2', 'user=app']);
    await done(['var', 'put', 'app_db', 'password=hunter2-hunter2']);
    await done(['var', 'put', 'empty', 'one=']);
  });
  beforeEach(() => at.clear('state'));

  test('has one file per object, without values of secrets, and is the same again', async () => {
    const stdout = await done(['export', 'state', ...kindFlags, '-o', 'json']);
    const { set, ...data } = JSON.parse(stdout);
    expect(data).toEqual({
      files: { written: 6, unchanged: 0 },
      objects: { 'registry.policy': 2, 'scheduler.variable': 3 },
      references: [],
      skipped: [],
      leftOut: [],
      gone: [],
    });
    const files = filesOf('state');
    expect(Object.keys(files)).toEqual([
      'registry/policy/other-read.yaml',
      'registry/policy/web-read.yaml',
      'scheduler/variable/default/app%2fdb.yaml',
      'scheduler/variable/default/app_db.yaml',
      'scheduler/variable/default/empty.yaml',
      'set.yaml',
    ]);
    expect(files['registry/policy/web-read.yaml']).toBe(`apiVersion: lanyard/v1
kind: registry.policy
metadata:
  name: web-read
spec:
  Description: Reads web
  Rules: |
    service "web" {
      policy = "read"
    }
`);
    expect(
      files['scheduler/variable/default/app%2fdb.yaml'],
    ).toBe(`# Secrets that are not exported: Items.password, Items.user
apiVersion: lanyard/v1
kind: scheduler.variable
metadata:
  name: app/db
  values: unmanaged
`);
    expect(JSON.stringify(files)).not.toContain('hunter2');
    expect(files['set.yaml']).toContain(`id: ${set.id}\n`);
    await done(['validate', 'state']);
    const again = JSON.parse(await done(['export', 'state', ...kindFlags, '-o', 'json']));
    expect(again).toMatchObject({ set, files: { written: 0, unchanged: 5 } });
    expect(filesOf('state')).toEqual(files);
    at.clear('other');
    await done(['export', 'other', ...kindFlags]);
    expect({ ...filesOf('other'), 'set.yaml': '' }).toEqual({ ...files, 'set.yaml': '' });
  });

  test.each([
    ['env', 'env://'],
    ['file', 'file://../../../.secrets.json#/'],
  ])('has references with --secrets %s', async (policy, prefix) => {
    const { references } = JSON.parse(
      await done(['export', 'state', ...kindFlags, '--secrets', policy, '-o', 'json']),
    );
    expect(references).toEqual([
      expect.stringMatching(/^SCHEDULER_VARIABLE_APP_DB_ITEMS_PASSWORD_[0-9A-F]{8}$/),
      expect.stringMatching(/^SCHEDULER_VARIABLE_APP_DB_ITEMS_PASSWORD_[0-9A-F]{8}$/),
      'SCHEDULER_VARIABLE_APP_DB_ITEMS_USER',
      'SCHEDULER_VARIABLE_EMPTY_ITEMS_ONE',
    ]);
    expect(at.read('state/scheduler/variable/default/app%2fdb.yaml')).toContain(
      `valueFrom: ${prefix}SCHEDULER_VARIABLE_APP_DB_ITEMS_USER\n`,
    );
    await done(['validate', 'state']);
    at.clear('state/scheduler/variable/default/empty.yaml');
    const values = Object.fromEntries(
      references.map((name: string) => [name, name.endsWith('USER') ? 'app' : 'hunter2-hunter2']),
    );
    at.write('state/.secrets.json', JSON.stringify(values));
    const plan = JSON.parse((await at.run(['plan', 'state', '-o', 'json'], { env: values })).stdout);
    expect(plan.summary).toMatchObject({ create: 0, update: 0, delete: 0 });
    expect(JSON.stringify(plan.operations.map(({ changes }: { changes: unknown }) => changes))).not.toContain(
      'path',
    );
  });

  test('keeps metadata, references, comments and documents in other files', async () => {
    await done(['export', 'state', ...kindFlags]);
    at.clear('state/scheduler');
    at.clear('state/registry/policy/other-read.yaml');
    const policy = at.read('state/registry/policy/web-read.yaml');
    at.write(
      'state/registry/policy/web-read.yaml',
      policy.replace('name: web-read', 'name: web-read\n  deletion: protect').replace('Reads web', 'Old'),
    );
    const variables = `# Mine.
apiVersion: lanyard/v1
kind: scheduler.variable
metadata: {name: app/db, rotate: 2}
spec: {Items: {user: {valueFrom: env://USER_NAME}, password: {valueFrom: env://PASSWORD}}}
---
apiVersion: lanyard/v1
kind: registry.policy
metadata: {name: other-read}
spec: {Description: other}
`;
    at.write('state/mine.yaml', variables);
    at.write('state/gone.yaml', policy.replaceAll('web-read', 'gone'));
    const { code, stdout, stderr } = await at.run(['export', 'state', ...kindFlags, '-o', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      files: { written: 3, unchanged: 1 },
      skipped: [
        {
          kind: 'registry.policy',
          name: 'other-read',
          reason: 'state/mine.yaml has another document for it',
        },
      ],
      gone: ['state/gone.yaml'],
    });
    expect(stderr).toContain('warning: state/gone.yaml: the registry.policy does not exist');
    expect(at.read('state/mine.yaml')).toBe(variables);
    expect(at.read('state/registry/policy/web-read.yaml')).toBe(
      policy.replace('name: web-read', 'name: web-read\n  deletion: protect'),
    );
    await done(['validate', 'state']);
  });

  test('keeps references of its own files, and reports values without one', async () => {
    await done(['export', 'state', '--kind', 'scheduler.variable']);
    const file = 'state/scheduler/variable/default/app%2fdb.yaml';
    const document = `apiVersion: lanyard/v1
kind: scheduler.variable
metadata:
  name: app/db
spec:
  Items:
    password:
      valueFrom: env://PASSWORD
    removed:
      valueFrom: env://REMOVED
`;
    at.write(file, document);
    const { code, stderr } = await at.run(['export', 'state', '--kind', 'scheduler.variable']);
    expect([code, stderr]).toEqual([
      0,
      'warning: scheduler.variable app/db has values that its file does not state: Items.user\n',
    ]);
    expect(at.read(file)).toBe(
      `# Secrets that are not exported: Items.user\n${document.replace('    removed:\n      valueFrom: env://REMOVED\n', '')}`,
    );
    at.write(file, document.replace('app/db', 'app/db\n  sensitive: false'));
    await done(['export', 'state', '--kind', 'scheduler.variable']);
    expect(at.read(file)).toContain('user: app\n');
  });

  test('is one stream of documents with -', async () => {
    const stream = await done(['export', '-', ...kindFlags]);
    expect(stream.match(/^apiVersion/gm)).toHaveLength(5);
    expect(stream).not.toContain('kind: Set');
    expect(await at.run(['validate', '-'], { stdin: stream })).toMatchObject({
      code: 0,
      stdout: 'Valid: 5 documents in 1 file.\n',
    });
    expect(await done(['export', '-', ...kindFlags])).toBe(stream);
    expect(
      JSON.parse(await done(['export', '-', '--kind', 'registry.policy', '-o', 'json']))[0],
    ).toMatchObject({ kind: 'registry.policy' });
  });

  test('has no targets with --no-targets, which does not change the targets of an existing set', async () => {
    await done(['export', 'state', ...kindFlags, '--no-targets']);
    expect(at.read('state/set.yaml')).not.toContain('targets:');
    await done(['export', 'state', ...kindFlags, '--no-targets']);
    at.clear('state');
    await done(['export', 'state', ...kindFlags]);
    const set = at.read('state/set.yaml');
    expect(set).toContain('targets:');
    expect(await at.run(['export', 'state', ...kindFlags, '--no-targets'])).toMatchObject({
      code: 0,
      stderr: 'warning: --no-targets does not change the targets in state/set.yaml\n',
    });
    expect(at.read('state/set.yaml')).toBe(set);
  });

  test('has no differences from the services after it is adopted', async () => {
    await done(['export', 'state', ...kindFlags]);
    const plan = JSON.parse((await at.run(['plan', 'state', '-o', 'json'])).stdout);
    expect(plan.summary).toMatchObject({ create: 0, update: 0, delete: 0 });
    await done(['apply', 'state', '--yes']);
    const files = filesOf('state');
    await done(['plan', 'state']);
    await done(['export', 'state', ...kindFlags]);
    expect(filesOf('state')).toEqual(files);
  });

  test('has no marks of sets, built-in objects and records', async () => {
    expect((await at.run(['export', 'state', '--kind', 'registry.policy'])).stderr).toMatch(
      /^warning: 2 objects belong to set [a-z0-9]{10}: "apply" needs --take-over\n$/,
    );
    await done(['apply', 'state', '--take-over', '--yes']);
    await done(['export', 'state', '--kind', 'registry.policy']);
    const { code, stdout: stream } = await at.run(['export', '-']);
    expect(code).toBe(0);
    expect(stream).not.toMatch(/\[lanyard:|lanyard\/sets|global-management/);
  });
});

describe('errors', () => {
  beforeEach(() => at.clear('state'));

  test('a list that is forbidden', async () => {
    const env = { LANYARD_REGISTRY_TOKEN: '' };
    const failed = await at.run(['export', 'state', '--kind', 'registry.policy'], { env });
    expect(failed).toMatchObject({ stdout: '' });
    expect([4, 5]).toContain(failed.code);
    expect(at.list('.').some((path) => path.startsWith('state/'))).toBe(false);
    const token = JSON.parse((await at.run(['acl', 'token', 'create', '-o', 'json'])).stdout).SecretID;
    const forbidden = { LANYARD_REGISTRY_TOKEN: token };
    expect((await at.run(['export', 'state', ...kindFlags], { env: forbidden })).code).toBe(5);
    const skipped = await at.run(['export', 'state', ...kindFlags, '--skip-forbidden'], { env: forbidden });
    expect([skipped.code, skipped.stderr]).toEqual([
      0,
      expect.stringMatching(/warning: not exported: registry\.policy: .*permission denied/),
    ]);
  });

  test('unknown services and kinds, no services, and invalid files', async () => {
    for (const [args, message] of [
      [['--service', 'web'], 'invalid --service "web"'],
      [['--kind', 'registry.web'], 'unknown kind "registry.web"'],
      [['--service', 'registry', '--kind', 'scheduler.variable'], 'no kind of these services is selected'],
    ] as const)
      expect(await at.run(['export', 'state', ...args])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(message),
      });
    expectExit(await homeForTest().run(['export', 'state']), 2, 'no service is configured');
    at.write('state/a.yaml', 'kind: [');
    expectExit(await at.run(['export', 'state']), 2, 'state/a.yaml:1:8: not valid YAML');
  });
});

test('an export of every kind has no differences', async () => {
  const own = homeForTest();
  own.write(imageFile, imageContent);
  await setTokens(own, await servicesForTest(own));
  await setSchedulerToken(own);
  const run = async (...argv: readonly string[]) => {
    const ran = await own.run(argv);
    const leftOut =
      argv[0] === 'export' ? expect.stringMatching(/^warning: not exported, (?!.*warning:)/s) : '';
    expect([ran.code, ran.stderr], argv.join(' ')).toEqual([0, leftOut]);
    return ran.stdout;
  };
  const clients = clientsOf(own);
  const resolvePath = (path: string): string => own.file(path);
  for (const { kind: name, identity, spec, needs = [] } of objectCases)
    for (const each of [...needs, { kind: name, identity, spec }]) {
      const kind = findKind(each.kind);
      if (!kind) throw new Error(`no kind ${each.kind}`);
      if (await kind.read(clients, each.identity)) continue;
      const stated = kind.canonicalSpec?.(each.spec) ?? each.spec;
      await kind.create(clients, { identity: each.identity, spec: stated, live: undefined, resolvePath });
    }
  await run('export', 'all');
  await run('validate', 'all');
  const plan = JSON.parse((await own.run(['plan', 'all', '-o', 'json'])).stdout);
  for (const { id, action, changes } of plan.operations)
    expect(action, JSON.stringify([id, changes])).toMatch(/^(none|adopt)$/);
  const exported = new Set(plan.operations.map(({ id }: { id: { kind: string } }) => id.kind));
  expect(objectCases.map(({ kind }) => kind).filter((kind) => !exported.has(kind))).toEqual([]);
  await run('apply', 'all', '--yes');
  await run('plan', 'all');
  const files = Object.fromEntries(own.list('all').map((path) => [path, own.read(path)]));
  await run('export', 'all');
  expect(Object.fromEntries(own.list('all').map((path) => [path, own.read(path)]))).toEqual(files);
});

describe('names of files', () => {
  const named = (key: string): string => pathOf(registryPolicy, { scope: {}, key });
  test.each([
    ['web', 'registry/policy/web.yaml'],
    ['Web', 'registry/policy/%57eb.yaml'],
    ['a/b', 'registry/policy/a%2fb.yaml'],
    ['..', 'registry/policy/%2e%2e.yaml'],
    ['.a', 'registry/policy/%2ea.yaml'],
    ['a%2fb', 'registry/policy/a%252fb.yaml'],
    ['nul.x', 'registry/policy/%6eul.x.yaml'],
    ['é', 'registry/policy/%c3%a9.yaml'],
    ['a b', 'registry/policy/a%20b.yaml'],
  ])('%s', (key, path) => {
    expect(named(key)).toBe(path);
  });

  test('long names differ and are short enough', () => {
    const [one, other] = [named(`${'A'.repeat(500)}1`), named(`${'A'.repeat(500)}2`)];
    expect(one).not.toBe(other);
    expect(Math.max(...one.split('/').map((part) => part.length))).toBeLessThan(200);
  });

  test('scopes are directories', () => {
    expect(pathOf(schedulerVariable, { scope: { namespace: 'Team' }, key: 'a' })).toBe(
      'scheduler/variable/%54eam/a.yaml',
    );
  });
});
