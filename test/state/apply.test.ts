import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { homeForAll, servicesForAll } from '../support/command-tests.ts';
import { setTokens } from '../support/services.ts';

const at = homeForAll();
const running = servicesForAll(at);
beforeAll(() => setTokens(at, running));

let serial = 0;
let id = '';
/** Writes a set with the given documents, each a text without its apiVersion. */
function writeSet(
  documents: Readonly<Record<string, string>>,
  set: { readonly id?: string; readonly record?: string } = {},
) {
  at.clear('state');
  at.write(
    'state/set.yaml',
    `apiVersion: lanyard/v1
kind: Set
metadata: {name: test, id: ${set.id ?? id}}
spec:
  record: ${set.record ?? `registry:lanyard/sets/${set.id ?? id}`}
`,
  );
  for (const [name, text] of Object.entries(documents))
    at.write(`state/${name}.yaml`, `apiVersion: lanyard/v1\n${text}`);
}

beforeEach(() => {
  serial += 1;
  id = `set${String(serial).padStart(7, '0')}`;
});

const policy = (name: string, description = 'made by a test') => `kind: registry.policy
metadata: {name: ${name}}
spec:
  Description: ${description}
  Rules: |
    service "web" {
      policy = "read"
    }
`;
const variable = (path: string, metadata = '') => `kind: scheduler.variable
metadata: {name: ${path}${metadata}}
spec:
  Items:
    user: {valueFrom: env://APP_USER}
    password: {valueFrom: file://.password#/db}
`;
const env = { APP_USER: 'app' };

describe('plan and apply', () => {
  test('create, converge, update, and prune what no file states any more', async () => {
    writeSet({ policy: policy('one'), other: `${policy('two')}`, variable: variable('st/db') });
    at.write('state/.password', '{"db": "s3cret-pass"}');
    const plan = await at.run(['plan', 'state'], { env });
    expect(plan.code, plan.stderr).toBe(10);
    expect(plan.stdout).toContain('+ registry.policy one');
    expect(plan.stdout).toContain('Plan: 3 to create, 0 to update, 0 to delete, 0 unchanged.');
    const applied = await at.run(['apply', 'state', '--yes'], { env });
    expect(applied.stderr).toBe('');
    expect(applied.code).toBe(0);
    expect(applied.stdout).toContain('Applied: 3 created');
    expect((await at.run(['var', 'get', 'st/db', '--field', 'password'])).stdout).toBe('s3cret-pass\n');
    expect((await at.run(['acl', 'policy', 'get', 'one', '--field', 'Description'])).stdout).toBe(
      `made by a test [lanyard:${id}]\n`,
    );
    const again = await at.run(['plan', 'state'], { env });
    expect([again.code, again.stdout]).toEqual([0, 'No changes. 3 objects are up to date.\n']);

    writeSet({ policy: policy('one', 'changed'), variable: variable('st/db') });
    at.write('state/.password', '{"db": "s3cret-pass"}');
    const update = await at.run(['plan', 'state', '--prune'], { env });
    expect(update.code).toBe(10);
    expect(update.stdout).toContain('Description: "made by a test" → "changed"');
    expect(update.stdout).toContain('- registry.policy two (pruned)');
    const pruned = await at.run(['apply', 'state', '--prune', '--prune-max', '1', '--yes'], { env });
    expect(pruned.stderr).toBe('');
    expect(pruned.stdout).toContain('Applied: 0 created, 1 updated, 1 deleted, 1 unchanged.');
    expect((await at.run(['acl', 'policy', 'get', 'two'])).code).toBe(3);
    expect((await at.run(['plan', 'state', '--prune'], { env })).code).toBe(0);
  });

  test('a saved plan applies exactly, and is rejected after any change', async () => {
    writeSet({ policy: policy('saved') });
    const saved = await at.run(['plan', 'state', '--out', 'state.plan', '-o', 'json']);
    expect([saved.code, saved.stderr]).toEqual([10, expect.stringContaining('Saved the plan in state.plan')]);
    expect(JSON.parse(saved.stdout)).toMatchObject({ schema: 'lanyard/plan/v1', complete: true });
    expect((await at.run(['apply', 'state.plan', '--yes'])).code).toBe(0);
    const stale = await at.run(['apply', 'state.plan', '--yes']);
    expect([stale.code, stale.stderr]).toEqual([6, expect.stringContaining('the saved plan is stale')]);
  });

  test('an unmanaged object is adopted only with a flag, an object of another set never', async () => {
    expect((await at.run(['acl', 'policy', 'put', 'found', '--rules', '', '--description', 'x'])).code).toBe(
      0,
    );
    writeSet({ policy: policy('found') });
    const plan = await at.run(['plan', 'state']);
    expect([plan.code, plan.stdout]).toEqual([10, expect.stringContaining('! registry.policy found')]);
    const rejected = await at.run(['apply', 'state', '--yes']);
    expect([rejected.code, rejected.stderr]).toEqual([6, expect.stringContaining('use --adopt')]);
    expect((await at.run(['apply', 'state', '--adopt', '--yes'])).code).toBe(0);
    writeSet({ policy: policy('found') }, { id: 'otherset00' });
    const foreign = await at.run(['apply', 'state', '--adopt', '--yes']);
    expect([foreign.code, foreign.stderr]).toEqual([6, expect.stringContaining(`belongs to set ${id}`)]);
  });

  test('an object with unmanaged values must exist', async () => {
    const unmanaged = 'kind: scheduler.variable\nmetadata: {name: unmanaged, values: unmanaged}\n';
    writeSet({ unmanaged });
    const reason = 'does not exist, and its values are unmanaged: create it, or state its values';
    const planned = await at.run(['plan', 'state']);
    expect([planned.code, planned.stdout]).toEqual([
      10,
      `! scheduler.variable unmanaged (${reason})\n\nPlan: 0 to create, 0 to update, 0 to delete, 0 unchanged, 1 blocked.\n`,
    ]);
    const rejected = await at.run(['apply', 'state']);
    expect([rejected.code, rejected.stderr]).toEqual([
      6,
      `error: cannot apply: 1 object is blocked\n  scheduler.variable unmanaged: ${reason}\nhint: Nothing was written.\n`,
    ]);
    expect((await at.run(['var', 'put', 'unmanaged', 'one=two'])).code).toBe(0);
    expect((await at.run(['apply', 'state', '--yes'])).code).toBe(0);
    expect((await at.run(['plan', 'state'])).code).toBe(0);
    expect((await at.run(['var', 'get', 'unmanaged', '--field', 'one'])).stdout).toBe('two\n');
  });

  test('every missing reference is reported at once, and nothing is written', async () => {
    writeSet({ a: variable('st/a'), b: policy('never') });
    at.write('state/.password', '{}');
    const { code, stderr } = await at.run(['apply', 'state', '--yes']);
    expect(code).toBe(2);
    expect(stderr).toContain('state/a.yaml:6:');
    expect(stderr).toContain('the environment variable APP_USER is not set');
    expect(stderr).toContain('has no value at /db');
    expect((await at.run(['acl', 'policy', 'get', 'never'])).code).toBe(3);
  });
});
