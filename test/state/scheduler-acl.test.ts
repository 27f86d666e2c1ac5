import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/state/kind.ts';
import { schedulerPolicy } from '../../src/state/kinds/scheduler-policy.ts';
import { schedulerRole } from '../../src/state/kinds/scheduler-role.ts';
import { schedulerToken } from '../../src/state/kinds/scheduler-token.ts';
import { expectExit } from '../support/command-tests.ts';
import { benchForAll, newSetId, recordText, type Stated, writeSet } from './bench.ts';
import { clientsOf } from './clients.ts';

// Policies, roles and tokens of the scheduler: what differs from other kinds.

const bench = await benchForAll();
let id = '';
beforeEach(() => {
  id = newSetId();
});

const named = (kind: string, key: string, spec: JsonObject, metadata: JsonObject = {}): Stated => ({
  kind: `scheduler.${kind}`,
  identity: { scope: {}, key },
  spec,
  metadata,
});
const Rules = 'namespace "default" { policy = "read" }';
const policy = (key: string, spec: JsonObject = {}) => named('policy', key, { Rules, ...spec });
const token = (key: string, spec: JsonObject = {}, metadata: JsonObject = {}) =>
  named('token', key, { Policies: ['st-read'], ...spec }, metadata);

const run = (...argv: readonly string[]) => bench.run(argv, { columns: 300 });
async function done(...argv: readonly string[]) {
  const ran = await run(...argv);
  expect(ran.code, `${argv.join(' ')}\n${ran.stdout}${ran.stderr}`).toBe(0);
  return ran;
}
const apply = async (...objects: readonly Stated[]) => {
  writeSet(bench, [policy(`st-${id}`), ...objects], { id });
  return done('apply', 'state', '--yes');
};
const plan = (...objects: readonly Stated[]) => {
  writeSet(bench, [policy(`st-${id}`), ...objects], { id });
  return run('plan', 'state');
};

interface Token {
  readonly AccessorID: string;
  readonly SecretID: string;
}
const create = async (...argv: readonly string[]): Promise<Token> =>
  JSON.parse((await done('scheduler', 'acl', 'token', 'create', '-o', 'json', ...argv)).stdout);
const remove = (accessor: string) => done('scheduler', 'acl', 'token', 'delete', accessor, '--yes');

describe('a token', () => {
  test('is created with policies and roles, and its secret is not shown', async () => {
    const role = named('role', 'st-ops', { Policies: [{ Name: `st-${id}` }] });
    const objects = [role, token('st ci', { Roles: [{ Name: 'st-ops' }] })];
    const applied = await apply(...objects);
    expect(applied.stderr).toContain(
      "scheduler.token st ci: read its secret with `lanyard scheduler acl token get --show-secret 'st ci'`",
    );
    expect((await plan(...objects)).stdout).toMatch(/^No changes\./);
    const shown = await done('scheduler', 'acl', 'token', 'get', '--show-secret', 'st ci', '-o', 'json');
    const { SecretID, AccessorID } = JSON.parse(shown.stdout);
    const record = await recordText(bench, id);
    const json = await run('plan', 'state', '-o', 'json');
    for (const text of [applied.stdout, applied.stderr, record, json.stdout])
      expect(text).not.toContain(SecretID);
    expect(record).toContain(AccessorID);
  });

  test('that was created again by somebody else does not belong to the set', async () => {
    await apply(token('st-again'));
    await remove('st-again');
    await create('--name', 'st-again', '--policy', 'other');
    expect((await plan(token('st-again'))).stdout).toContain(
      'exists and does not belong to this set; use --adopt',
    );
  });

  test('whose name several tokens have is an error that names them', async () => {
    const both = [await create('--name', 'st-twice', '--policy', 'a')];
    both.push(await create('--name', 'st-twice', '--policy', 'b'));
    const ran = await plan(token('st-twice'));
    expect(ran.code).not.toBe(0);
    for (const { AccessorID } of both) expect(ran.stdout + ran.stderr).toContain(AccessorID);
    const applied = await run('apply', 'state', '--yes');
    expect(applied.code).not.toBe(0);
    for (const { AccessorID } of both) await remove(AccessorID);
    expectExit(await plan(token('st-twice')), 10);
  });

  test('keeps its lifetime in an update, and another lifetime or type is a problem', async () => {
    const expiring = { ExpirationTTL: '90m' };
    await apply(token('st-short', expiring));
    await apply(token('st-short', { ...expiring, Policies: ['st-read', 'st-write'] }));
    expect((await plan(token('st-short', { ExpirationTTL: 5400 }))).stdout).toContain('st-write');
    expect((await plan(token('st-short', { ExpirationTTL: '2h' }))).stdout).toContain(
      'ExpirationTTL cannot be changed: delete the object first',
    );
    expect((await plan(named('token', 'st-short', { Type: 'management' }))).stdout).toContain(
      'Type cannot be changed: delete the object first',
    );
    const shown = await done('scheduler', 'acl', 'token', 'get', 'st-short', '-o', 'json');
    expect(JSON.parse(shown.stdout)).toMatchObject({
      ExpirationTTL: '1h30m0s',
      Policies: ['st-read', 'st-write'],
    });
  });

  test('is created again after it was deleted, also by the files', async () => {
    await apply(token('st-gone'));
    await apply(token('st-gone', {}, { ensure: 'absent' }));
    await apply(token('st-gone'));
    expect((await plan(token('st-gone'))).stdout).toMatch(/^No changes\./);
  });

  test('is pruned, also if it expires', async () => {
    await apply(token('st-pruned'), token('st-pruned-short', { ExpirationTTL: '1h' }));
    writeSet(bench, [policy(`st-${id}`)], { id });
    await done('apply', 'state', '--prune', '--yes', '--prune-max', '2');
    for (const name of ['st-pruned', 'st-pruned-short'])
      expectExit(await run('scheduler', 'acl', 'token', 'get', name), 3);
  });
});

describe('an export', () => {
  const exported = async (directory: string) => {
    const ran = await done('export', directory, '--service', 'scheduler', '--no-targets', '-o', 'json');
    const { leftOut, objects } = JSON.parse(ran.stdout);
    return { leftOut, objects, stderr: ran.stderr };
  };

  test('leaves out and counts tokens without a name of their own, and those that expire', async () => {
    await apply(token('st-exported'));
    const before = (await exported('before')).leftOut.find(({ what = '' }) => what === 'other ACL tokens');
    const tokens = [
      await create('--policy', 'a'),
      await create('--name', 'st-double', '--policy', 'a'),
      await create('--name', 'st-double', '--policy', 'b'),
      await create('--name', 'OIDC-login', '--policy', 'a', '--ttl', '1h'),
    ];
    const { leftOut } = await exported('tokens');
    expect(leftOut).toContainEqual({
      service: 'scheduler',
      what: 'other ACL tokens',
      count: (before?.count ?? 0) + tokens.length,
    });
    const files = bench.at.list('tokens').filter((path) => path.includes('/token/'));
    expect(files).toContain('tokens/scheduler/token/st-exported.yaml');
    for (const name of ['%', 'st-double', '%4f%49%44%43-login', '%42ootstrap%20%54oken'])
      expect(files).not.toContain(`tokens/scheduler/token/${name}.yaml`);
    for (const { AccessorID } of tokens) await remove(AccessorID);
  });

  test('keeps the file of a token that expires', async () => {
    const document = `apiVersion: lanyard/v1\nkind: scheduler.token\nmetadata:\n  name: st-kept\nspec:\n  Policies:\n    - st-read\n  ExpirationTTL: 2h0m0s\n`;
    await apply(token('st-kept', { ExpirationTTL: '2h' }));
    bench.at.write('kept/scheduler/token/st-kept.yaml', document);
    await exported('kept');
    expect(bench.at.read('kept/scheduler/token/st-kept.yaml')).toBe(document);
  });

  test('leaves out what a file could not state', async () => {
    const scheduler = await bench.others.scheduler();
    const long = { name: 'st-long', Name: 'st-long', Description: 'ä'.repeat(118), Rules };
    await scheduler.writePolicy(long);
    await done('scheduler', 'acl', 'role', 'put', 'st-lost', '--policy', 'st-long');
    await done('scheduler', 'acl', 'token', 'create', '--name', 'st-lost', '--role', 'st-lost');
    await done('scheduler', 'acl', 'role', 'delete', 'st-lost', '--yes');
    const { stderr } = await exported('lost');
    expect(stderr).toContain(
      'scheduler.policy: 1 object with a description of more than 235 bytes is left out',
    );
    expect(stderr).toContain('scheduler.token: 1 object without policies and roles is left out');
    expectExit(await run('validate', 'lost'), 0);
  });
});

test('a list of tokens that may be incomplete is an error', async () => {
  const { SecretID } = await create('--policy', 'st-read');
  const limited = clientsOf({ ...bench.at, env: { ...bench.othersEnv, LANYARD_SCHEDULER_TOKEN: SecretID } });
  for (const kind of [schedulerPolicy, schedulerRole, schedulerToken])
    await expect(kind.list(limited)).rejects.toMatchObject({ kind: 'forbidden' });
  await expect(schedulerToken.read(limited, { scope: {}, key: 'st-any' })).rejects.toMatchObject({
    kind: 'forbidden',
  });
});

test.each([
  [policy('st_under'), 'invalid name of a policy: expected 1 to 128 letters, digits and hyphens'],
  [
    policy('st-text', { Description: 'é'.repeat(118) }),
    'Description is too long: at most 235 bytes, and 21 for',
  ],
  [policy('st-text', { description: 'é'.repeat(118) }), 'Description is too long'],
  [named('role', 'st ops', { Policies: [{ Name: 'a' }] }), 'invalid name of a role'],
  [named('role', 'st-ops', {}), 'a role must have at least one policy'],
  [named('role', 'st-ops', { policies: [] }), 'a role must have at least one policy'],
  [named('role', 'st-ops', { Policies: [{}] }), 'missing field "Name"'],
  [token('x'.repeat(257)), 'name is too long: at most 256 bytes'],
  [token('a\nb'), 'contains a control character'],
  [named('token', 'st-none', {}), 'a client token must have a policy or a role'],
  [token('st-all', { type: 'management' }), 'a management token cannot have policies or roles'],
  [token('st-any', { Name: 'other' }), 'unknown field "Name"'],
  [token('st-any', { SecretID: 'x' }), 'unknown field "SecretID"'],
  [token('st-any', { Roles: [{ ID: 'x' }] }), 'missing field "Name"'],
])('rejects an invalid $kind $identity.key', async (object, problem) => {
  writeSet(bench, [object], { id });
  const ran = await run('validate', 'state');
  expect([ran.code, ran.stdout]).toEqual([2, expect.stringContaining(problem)]);
});
