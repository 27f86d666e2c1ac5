import { beforeEach, describe, expect, test } from 'vitest';
import { expectExit } from '../support/command-tests.ts';
import { benchForAll, newSetId, policy, recordText, type Stated, writeSet } from './bench.ts';

const bench = await benchForAll();
let id = '';
beforeEach(() => {
  id = newSetId();
  bench.proxy.begin();
});

const minutes = (count: number): Date => new Date(Date.now() + count * 60_000);
const names = Array.from({ length: 6 }, (_none, index) => `lock-${index}`);
const policies = (description: string): readonly Stated[] =>
  names.map((name) => policy(`${name}-${id}`, description));
const state = (description: string, directory: string): void =>
  writeSet(bench, policies(description), { id, directory });
const descriptions = async (): Promise<readonly string[]> => {
  const registry = await bench.others.registry();
  const found = await Promise.all(
    names.map(async (name) => (await registry.readPolicyByName({ name: `${name}-${id}` })).body),
  );
  return [...new Set(found.map(({ Description = '' }) => Description.replace(/ \[lanyard:.*/, '')))];
};
const record = async () => JSON.parse(await recordText(bench, id));

const isPolicyWrite = ({ method, url }: { readonly method: string; readonly url: string }): boolean =>
  method === 'PUT' && url.includes('/acl/policy');

/** Starts an apply that is stopped by its first policy, before the service has it. */
async function stopped(directory: string, ...flags: readonly string[]) {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let count = 0;
  bench.proxy.hold((request) => {
    if (!isPolicyWrite(request) || ++count > 1) return undefined;
    reached.resolve();
    return gate.promise;
  });
  const ran = bench.run(['apply', directory, '--yes', '--parallelism', '1', ...flags]);
  await Promise.race([reached.promise, ran]);
  return { ran, release: gate.resolve };
}

describe('two applies of one set', () => {
  test('of the same plan: one wins, and nothing is mixed', async () => {
    state('one', 'one');
    state('two', 'two');
    const first = await stopped('one');
    const second = await bench.run(['apply', 'two', '--yes']);
    expect([second.code, second.stdout]).toEqual([6, expect.not.stringContaining('done')]);
    expect(second.stderr).toMatch(/^error: another apply of set "test" is running: .+, since 20/);
    expect(second.stderr).toContain('use --steal-lock');
    first.release();
    expect((await first.ran).code).toBe(0);
    expect(await descriptions()).toEqual(['one']);
  });

  test.each([1, 2, 3])('started at the same time, attempt %i', async () => {
    state('one', 'one');
    state('two', 'two');
    const ran = await Promise.all([
      bench.run(['apply', 'one', '--yes']),
      bench.run(['apply', 'two', '--yes']),
    ]);
    expect(ran.map(({ code }) => code).sort()).toEqual([0, 6]);
    const loser = ran.find(({ code }) => code === 6);
    expect(loser?.stderr).toMatch(/changed by another apply|is running/);
    expect(await descriptions()).toEqual([ran[0]?.code === 0 ? 'one' : 'two']);
    expect(await record()).toMatchObject({ generation: 1, finished: expect.any(String) });
    expect(await record()).not.toHaveProperty('started');
  });

  test('a lock that was taken over stops the apply that had it', async () => {
    state('one', 'one');
    state('two', 'two');
    const first = await stopped('one');
    expectExit(await bench.run(['apply', 'two', '--yes', '--steal-lock']), 0);
    first.release();
    const { code, stderr } = await first.ran;
    expect(code, stderr).toBe(6);
    expect(await descriptions()).toEqual(['two']);
    expect(await record()).toMatchObject({ generation: 2 });
  });

  test('a lock expires', async () => {
    state('one', 'one');
    const first = await stopped('one');
    expectExit(await bench.run(['apply', 'one', '--yes'], { now: minutes(1) }), 6);
    const late = await bench.run(['apply', 'one', '--yes'], { now: minutes(3) });
    expect([late.code, late.stderr]).toEqual([0, '']);
    first.release();
    expect((await first.ran).code).toBe(6);
  });

  test('an apply that takes longer keeps its lock', async () => {
    state('one', 'one');
    let now = new Date();
    const reached = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    let count = 0;
    bench.proxy.hold((request) => {
      if (!isPolicyWrite(request)) return undefined;
      now = new Date(now.getTime() + 50_000);
      if (++count !== 4) return undefined;
      reached.resolve();
      return gate.promise;
    });
    const ran = bench.run(['apply', 'one', '--yes', '--parallelism', '1'], { clock: () => now });
    await Promise.race([reached.promise, ran]);
    const other = await bench.run(['apply', 'one', '--yes'], { clock: () => now });
    expect([other.code, other.stderr]).toEqual([6, expect.stringContaining('is running')]);
    gate.resolve();
    expect((await ran).code).toBe(0);
  });
});
