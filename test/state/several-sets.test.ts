import { beforeEach, describe, expect, test } from 'vitest';
import { benchForAll, newSetId, policy, recordText, type Stated, variable, writeSet } from './bench.ts';

const bench = await benchForAll();
let [a, b] = ['', ''];
beforeEach(() => {
  [a, b] = [newSetId(), newSetId()];
  bench.proxy.begin();
});

const both = (ofA: readonly Stated[], ofB: readonly Stated[]): void => {
  writeSet(bench, ofA, { id: a, directory: 'sets/a' });
  writeSet(bench, ofB, { id: b, directory: 'sets/b' });
};
const sets = ['sets/a', 'sets/b'];
const ok = async (argv: readonly string[], code = 0) => {
  const ran = await bench.run(argv);
  expect(ran.code, ran.stdout + ran.stderr).toBe(code);
  return ran;
};
const exists = async (name: string): Promise<boolean> =>
  (await bench.run(['acl', 'policy', 'get', name])).code === 0;

describe('plan of several sets', () => {
  test('plans each set, with a heading and a line that counts', async () => {
    both([policy(`${a}-x`)], [policy(`${b}-x`), policy(`${b}-y`)]);
    const { stdout } = await ok(['plan', ...sets], 10);
    expect(stdout.split('\n').filter((line) => /^(Set|Plan)/.test(line))).toEqual([
      'Set "test" (sets/a)',
      'Plan: 1 to create, 0 to update, 0 to delete, 0 unchanged.',
      'Set "test" (sets/b)',
      'Plan: 2 to create, 0 to update, 0 to delete, 0 unchanged.',
    ]);
  });

  test('JSON has a plan for each set; JSON lines say which set', async () => {
    both([policy(`${a}-x`)], [policy(`${b}-x`)]);
    const { plans } = JSON.parse((await ok(['plan', ...sets, '-o', 'json'], 10)).stdout);
    expect(plans).toMatchObject([
      { schema: 'lanyard/plan/v1', set: { id: a }, summary: { create: 1 } },
      { schema: 'lanyard/plan/v1', set: { id: b }, summary: { create: 1 } },
    ]);
    const lines = (await ok(['plan', ...sets, '-o', 'jsonl'], 10)).stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).set.id)).toEqual([a, b]);
  });

  test('one set has the form of before', async () => {
    both([policy(`${a}-x`)], []);
    const { stdout } = await ok(['plan', 'sets/a', '-o', 'json'], 10);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'lanyard/plan/v1', set: { id: a } });
  });

  test('the exit code is 0 only if no set has differences, and an error before 10', async () => {
    both([policy(`${a}-x`)], [policy(`${b}-x`)]);
    await ok(['apply', 'sets/b', '--yes']);
    await ok(['plan', ...sets], 10);
    await ok(['apply', 'sets/a', '--yes']);
    await ok(['plan', ...sets]);
    await ok(['plan', ...sets, '--exit-zero']);
    both([policy(`${a}-z`)], [variable(`${b}/x`, { a: 'x' })]);
    bench.proxy.begin({
      picks: ({ url }) => url.startsWith('/v1/var/'),
      forwards: false,
      play: (socket) => socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n'),
    });
    await ok(['plan', ...sets], 5);
  });

  test('a name may be in one of the sets', async () => {
    both([policy(`${a}-x`)], [policy(`${b}-x`)]);
    const { plans } = JSON.parse((await ok(['plan', ...sets, '--name', `${b}-x`, '-o', 'json'], 10)).stdout);
    expect(plans.map(({ operations }: { operations: [] }) => operations.length)).toEqual([0, 1]);
    await ok(['plan', ...sets, '--name', 'missing'], 2);
  });

  test('rejects an object that two sets state, with both places', async () => {
    both([policy('shared')], [policy('shared')]);
    const { stderr } = await ok(['plan', ...sets], 2);
    expect(stderr).toMatch(
      /sets\/b\/object-0.json:\d+:\d+: registry.policy shared is also in set "test", at sets\/a\/object-0.json:\d+/,
    );
    await ok(['validate', ...sets], 2);
  });

  test('validates environments of one base, which state the same objects', async () => {
    both([], []);
    bench.at.write(
      'sets/base/x.json',
      JSON.stringify({
        apiVersion: 'lanyard/v1',
        kind: 'registry.policy',
        metadata: { name: 'shared' },
        spec: {},
      }),
    );
    for (const [id, directory] of [
      [a, 'sets/a'],
      [b, 'sets/b'],
    ] as const)
      writeSet(bench, [], { id, directory, spec: { bases: ['../base'] } });
    await ok(['validate', ...sets]);
    await ok(['plan', ...sets], 2);
  });

  test('rejects an argument without a set, and --out', async () => {
    both([policy(`${a}-x`)], [policy(`${b}-x`)]);
    bench.at.write('extra/x.json', '');
    const { stderr } = await ok(['plan', ...sets, 'extra'], 2);
    expect(stderr).toContain('extra has no document of kind Set');
    expect((await ok(['plan', ...sets, '--out', 'x.plan'], 2)).stderr).toContain('--out requires one set');
  });

  test('reports the problems of all sets at once', async () => {
    both([{ ...policy('x'), spec: { Rulez: '' } }], [{ ...policy('y'), spec: { Rulez: '' } }]);
    const { stderr } = await ok(['plan', ...sets], 2);
    expect(stderr.match(/unknown field "Rulez"/g)).toHaveLength(2);
  });
});

describe('apply of several sets', () => {
  test('applies each set with its own record, after one confirmation', async () => {
    both([policy(`${a}-x`)], [policy(`${b}-x`)]);
    const { stdout } = await ok(['apply', ...sets, '--yes']);
    expect(stdout).toContain('Set "test"');
    expect(await recordText(bench, a)).toContain(`${a}-x`);
    expect(await recordText(bench, b)).toContain(`${b}-x`);
    await ok(['plan', ...sets]);
  });

  test('JSON has the result of each set', async () => {
    both([policy(`${a}-x`)], [policy(`${b}-x`)]);
    const { applied } = JSON.parse((await ok(['apply', ...sets, '--yes', '-o', 'json'])).stdout);
    expect(applied).toMatchObject([
      { schema: 'lanyard/apply/v1', set: { id: a }, summary: { create: 1 } },
      { schema: 'lanyard/apply/v1', set: { id: b }, summary: { create: 1 } },
    ]);
  });

  test('prunes each set for itself', async () => {
    both([policy(`${a}-x`), policy(`${a}-y`)], [policy(`${b}-x`), policy(`${b}-y`)]);
    await ok(['apply', ...sets, '--yes']);
    both([policy(`${a}-x`)], [policy(`${b}-x`)]);
    await ok(['apply', ...sets, '--prune', '--prune-max', '1', '--yes']);
    expect(await Promise.all([`${a}-x`, `${a}-y`, `${b}-x`, `${b}-y`].map(exists))).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  test('a blocked object of one set: nothing is written', async () => {
    both([policy(`${a}-x`)], [policy(`${b}-x`)]);
    await ok(['acl', 'policy', 'put', `${b}-x`, '--description', 'of others']);
    bench.proxy.begin();
    await ok(['apply', ...sets, '--yes'], 6);
    expect(bench.writes()).toEqual([]);
  });

  test('stops at the first set that fails, and names the ones that were not started', async () => {
    both([policy(`${a}-x`)], [policy(`${b}-x`)]);
    const c = newSetId();
    writeSet(bench, [policy(`${c}-x`)], { id: c, directory: 'sets/c' });
    bench.proxy.begin({
      picks: ({ method, url, body }) =>
        method === 'PUT' && url.startsWith('/v1/acl/policy') && body.includes(`${b}-x`),
      forwards: false,
      play: (socket) => socket.end('HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n'),
    });
    const { stderr } = await ok(['apply', ...sets, 'sets/c', '--yes'], 9);
    expect(stderr).toContain('set "test": not started');
    expect(await Promise.all([`${a}-x`, `${b}-x`, `${c}-x`].map(exists))).toEqual([true, false, false]);
    bench.proxy.begin();
    await ok(['apply', ...sets, 'sets/c', '--yes']);
  });

  test('--dry-run shows the plans', async () => {
    both([policy(`${a}-x`)], [policy(`${b}-x`)]);
    const { plans } = JSON.parse((await ok(['apply', ...sets, '--dry-run', '-o', 'json'], 10)).stdout);
    expect(plans).toHaveLength(2);
    expect(bench.writes()).toEqual([]);
  });
});
