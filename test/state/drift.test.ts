import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/state/kind.ts';
import { isWrite } from '../faults/proxy.ts';
import { outputOf } from '../support/command-tests.ts';
import { benchForAll, newSetId, policy, type Stated, secret, variable, writeSet } from './bench.ts';

const bench = await benchForAll();
let id = '';
beforeEach(() => {
  id = newSetId();
  bench.proxy.begin();
});

const state = (objects: readonly Stated[], spec: JsonObject = {}): void =>
  writeSet(bench, objects, { id, spec });
const run = async (...argv: readonly string[]) => {
  return outputOf(await bench.run(argv));
};
const db = (data: JsonObject, metadata?: JsonObject): Stated => secret(`${id}/db`, data, metadata);
const writes = () => bench.proxy.passed.filter(isWrite);

describe('references', () => {
  test('one of five is missing: an error with its position, and no request that writes', async () => {
    const Items = {
      one: { valueFrom: 'env://ONE' },
      two: { valueFrom: 'file://.value#/a' },
      three: { valueFrom: 'file://.value#/b' },
      four: { valueFrom: `secrets://secret/${id}/source#x` },
      five: { valueFrom: `secrets://secret/${id}/source#missing` },
    };
    await run('kv', 'put', `secret/${id}/source`, 'x=4');
    state([policy(`${id}-first`), variable(`${id}/a`, Items)]);
    bench.at.write('state/.value', '{"a": "1", "b": "2"}');
    bench.proxy.begin();
    for (const command of [
      ['apply', 'state', '--yes'],
      ['plan', 'state'],
      ['apply', 'state', '--dry-run'],
    ]) {
      const { code, stdout, stderr } = await bench.run(command, { env: { ONE: '1' } });
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(
        /^error: invalid files: 1 problem\n {2}state\/object-1\.json:\d+:\d+: the secret secret\/\S+ has no value for "missing"\n/,
      );
    }
    expect(writes()).toEqual([]);
  });

  test('all missing ones are reported at once, also the keys of secrets that do not exist', async () => {
    const Items = {
      one: { valueFrom: 'env://MISSING' },
      two: { valueFrom: 'file://none' },
      three: { valueFrom: 'file://.empty' },
      four: { valueFrom: `secrets://secret/${id}/none#x` },
      five: { valueFrom: 'secrets://nowhere/none#x' },
    };
    state([variable(`${id}/a`, Items)]);
    bench.at.write('state/.empty', '');
    const { code, stderr } = await bench.run(['apply', 'state', '--yes']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('invalid files: 5 problems')]);
    expect(writes()).toEqual([]);
  });
});

describe('drift of a secret is seen', () => {
  const applied = async (): Promise<void> => {
    state([db({ user: 'app', password: 'x' })]);
    await run('apply', 'state', '--yes');
    expect((await bench.run(['plan', 'state'])).code).toBe(0);
  };
  const differs = async (...expected: readonly string[]): Promise<void> => {
    const { code, stdout } = await bench.run(['plan', 'state']);
    expect(code, stdout).toBe(10);
    for (const each of expected) expect(stdout).toContain(each);
    await run('apply', 'state', '--yes');
    expect((await bench.run(['plan', 'state'])).code).toBe(0);
    expect(await run('kv', 'get', `secret/${id}/db`, '--field', 'password')).toBe('x\n');
  };

  test.each([
    ['a changed value', ['kv', 'patch', 'password=y'], '~ data.password  (secret changed)'],
    ['a value of another type', ['kv', 'put', 'user=app', 'password=5'], '~ data.password  (secret changed)'],
    ['an added key', ['kv', 'patch', 'more=1'], '- data.more  (secret removed)'],
    ['a removed key', ['kv', 'put', 'user=app'], '+ data.password  (secret added)'],
    ['a deleted version', ['kv', 'delete', '--yes'], '+ secrets.kv secret/'],
    ['a destroyed version', ['kv', 'destroy', '--versions', '1', '--yes'], '+ secrets.kv secret/'],
    ['deleted metadata', ['kv', 'metadata', 'delete', '--yes'], '+ secrets.kv secret/'],
  ])('%s', async (_what, argv, expected) => {
    await applied();
    const at = argv[1] === 'metadata' ? 3 : 2;
    await run(...argv.slice(0, at), `secret/${id}/db`, ...argv.slice(at));
    await differs(expected);
  });

  test('an added key stays with mergeKeys, and a secret with values: unmanaged is not compared', async () => {
    await applied();
    await run('kv', 'patch', `secret/${id}/db`, 'more=1');
    state([db({ user: 'app', password: 'x' }, { mergeKeys: true })]);
    expect((await bench.run(['plan', 'state'])).code).toBe(0);
    state([db({ user: 'app', password: 'z' }, { mergeKeys: true })]);
    await run('apply', 'state', '--yes');
    expect(await run('kv', 'get', `secret/${id}/db`, '--field', 'more')).toBe('1\n');
    state([db({}, { values: 'unmanaged' })]);
    expect((await bench.run(['plan', 'state'])).code).toBe(0);
    await run('kv', 'delete', `secret/${id}/db`, '--yes');
    expect((await bench.run(['plan', 'state'])).code).toBe(10);
  });

  test.each([
    [5, 6],
    [5, '5'],
    [true, false],
    [{ a: 1 }, { a: 2 }],
    [
      [1, 2],
      [2, 1],
    ],
    [1.5, 1.25],
  ])('values of JSON: %j is not %j', async (one, other) => {
    state([db({ value: one })]);
    await run('apply', 'state', '--yes');
    expect((await bench.run(['plan', 'state'])).code).toBe(0);
    state([db({ value: other })]);
    expect((await bench.run(['plan', 'state'])).code).toBe(10);
  });

  test('integers beyond 2^53 are compared exactly', async () => {
    state([db({ value: 2n ** 60n })]);
    await run('apply', 'state', '--yes');
    expect((await bench.run(['plan', 'state'])).code).toBe(0);
    state([db({ value: 2n ** 60n + 1n })]);
    expect((await bench.run(['plan', 'state'])).code).toBe(10);
  });
});

describe('another service than the files are for', () => {
  test.each([
    [{ registry: { datacenter: 'dc9' } }, 'datacenter of the registry service is "dc1", not "dc9"'],
    [{ secrets: { clusterId: 'x' } }, /clusterId of the secrets service is .*, not "x"/],
    [{ scheduler: { region: 'mars' } }, /region of the scheduler service is .*, not "mars"/],
  ])('%j is an error before any write', async (targets, message) => {
    state([policy(`${id}-a`)], { targets });
    for (const argv of [
      ['apply', 'state', '--yes'],
      ['plan', 'state'],
    ]) {
      const { code, stderr } = await bench.run(argv);
      expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
      expect(stderr).toContain('hint: Nothing was written.');
    }
    expect(writes()).toEqual([]);
  });

  test('the right one is not', async () => {
    state([policy(`${id}-a`)], { targets: { registry: { datacenter: 'dc1' } } });
    await run('apply', 'state', '--yes');
  });
});

describe('a token that may not read', () => {
  const limited = async (): Promise<Readonly<Record<string, string>>> => {
    bench.at.write('limited.hcl', 'path "secret/metadata/*" { capabilities = ["read", "list"] }');
    await run('secrets', 'policy', 'put', 'limited', '@limited.hcl');
    const token = await run('secrets', 'token', 'create', '--policy', 'limited', '--field', 'client_token');
    return { LANYARD_SECRETS_TOKEN: token.trim() };
  };

  test('ends with 5, never with 0; with --allow-unknown the secret is shown as unknown', async () => {
    state([db({ password: 'x' }), policy(`${id}-a`)]);
    await run('apply', 'state', '--yes');
    const env = await limited();
    const plan = await bench.run(['plan', 'state'], { env });
    expect([plan.code, plan.stderr]).toEqual([
      5,
      expect.stringContaining('warning: the plan is incomplete: 1 object could not be read'),
    ]);
    expect(plan.stdout).toContain(`? secrets.kv secret/${id}/db (`);
    expect(plan.stdout).toContain('1 unchanged, 1 unknown.');
    expect((await bench.run(['plan', 'state', '-o', 'json'], { env })).code).toBe(5);
    const allowed = await bench.run(['plan', 'state', '--allow-unknown', '-o', 'json'], { env });
    expect(allowed.code).toBe(10);
    expect(JSON.parse(allowed.stdout)).toMatchObject({
      complete: false,
      summary: { unknown: 1, unchanged: 1 },
    });
    expect((await bench.run(['plan', 'state', '--exit-zero'], { env })).code).toBe(5);
    expect((await bench.run(['plan', 'state', '--out', `${id}.plan`], { env })).code).toBe(5);
    bench.proxy.begin();
    const apply = await bench.run(['apply', 'state', '--yes'], { env });
    expect([apply.code, writes()]).toEqual([5, []]);
  });

  test('apply --allow-unknown applies the rest', async () => {
    state([db({ password: 'x' })]);
    await run('apply', 'state', '--yes');
    state([db({ password: 'y' }), policy(`${id}-a`)]);
    const { code, stdout, stderr } = await bench.run(['apply', 'state', '--yes', '--allow-unknown'], {
      env: await limited(),
    });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('Applied: 1 created');
    expect(await run('kv', 'get', `secret/${id}/db`, '--field', 'password')).toBe('x\n');
    expect((await bench.run(['plan', 'state'])).code).toBe(10);
  });

  test('an unreachable service ends with 7', async () => {
    state([policy(`${id}-a`), variable(`${id}/a`, { a: 'x' })]);
    const env = { LANYARD_SCHEDULER_ADDR: 'http://127.0.0.1:1' };
    const { code, stdout } = await bench.run(['plan', 'state'], { env, random: () => new Uint8Array(4) });
    expect(code).toBe(7);
    expect(stdout).toContain(`? scheduler.variable ${id}/a`);
  });
});
