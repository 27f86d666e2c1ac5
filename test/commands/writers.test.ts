import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure } from '../support/command-tests.ts';
import type { Ran } from '../support/run.ts';

// 50 who write one thing at the same time, each by command lines. Every change is there at the end, and who came too
// late is told so with exit code 6.

const writers = 50;
const method = 'ampw_1234567890';
const { at, running } = embeddedForAll();

const run = (...argv: readonly string[]): Promise<Ran> =>
  at.run(argv, { env: { LANYARD_ACCOUNTS_TOKEN: running.embedded.accountsToken } });

/** What a line that has to succeed writes. */
async function done(...argv: readonly string[]): Promise<string> {
  const ran = await run(...argv);
  expect(ran, argv.join(' ')).toMatchObject({ code: 0 });
  return ran.stdout;
}

const json = async (...argv: readonly string[]) => JSON.parse(await done(...argv, '-o', 'json'));

/** Has all writers write at once. */
const atOnce = <Value>(write: (writer: number) => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: writers }, (_none, writer) => write(writer)));

/**
 * Reads and writes until no other write came in between. Each writer waits a different time before the next attempt:
 * attempts at the same time would conflict again. @returns the number of conflicts
 */
async function untilWritten(writer: number, rejection: RegExp, attempt: () => Promise<Ran>): Promise<number> {
  for (let conflicts = 0; ; conflicts++) {
    const ran = await attempt();
    if (ran.code === 0) return conflicts;
    expectFailure(ran, 6, rejection);
    await pause(writer * 20);
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

describe('50 writers at one variable', () => {
  test('that use --cas lose no update', async () => {
    await done('var', 'put', 'count', 'n=0');
    const rejection =
      /^error: cannot write variable "count": its ModifyIndex is \d+, not \d+\n(.+\n)* {2}writer\d+: only in your version\n/;
    const conflicts = await atOnce((writer) =>
      untilWritten(writer, rejection, async () => {
        const { Items, ModifyIndex } = await json('var', 'get', 'count');
        const n = Number(Items.n) + 1;
        const items = Object.entries({ ...Items, n, [`writer${writer}`]: n });
        const pairs = items.map(([name, value]) => `${name}=${value}`);
        return run('var', 'put', 'count', ...pairs, '--cas', String(ModifyIndex));
      }),
    );
    const { n, ...seen } = (await json('var', 'get', 'count')).Items;
    expect(n).toBe(String(writers));
    expect(
      Object.values(seen)
        .map(Number)
        .sort((one, other) => one - other),
    ).toEqual(Array.from({ length: writers }, (_none, turn) => turn + 1));
    expect(sum(conflicts)).toBeGreaterThan(0);
  });

  test('that start from the same index have one winner with --cas, also when they delete', async () => {
    const index = (await done('var', 'put', 'raced', 'a=0', '--field', 'ModifyIndex')).trim();
    const ran = await atOnce((writer) =>
      writer % 2 === 0
        ? run('var', 'put', 'raced', `a=${writer + 1}`, '--cas', index)
        : run('var', 'delete', 'raced', '--cas', index, '--yes'),
    );
    expect(ran.filter(({ code }) => code === 0)).toHaveLength(1);
    const losers = ran.filter(({ code }) => code === 6);
    expect(losers).toHaveLength(writers - 1);
    for (const { stderr } of losers)
      expect(stderr).toMatch(/^error: cannot (write|delete) variable "raced": /);
  });

  test('that merge write all of their items or none, and are told if they wrote none', async () => {
    await done('var', 'put', 'merged', 'from=the-start');
    const ran = await atOnce((writer) => run('var', 'put', 'merged', `k${writer}=${writer}`, '--merge'));
    const winners = ran.flatMap(({ code }, writer) => (code === 0 ? [`k${writer}`] : []));
    for (const loser of ran.filter(({ code }) => code !== 0)) {
      expectFailure(loser, 6, 'cannot write variable "merged": changed concurrently; nothing was written');
    }
    expect(winners.length).toBeGreaterThan(0);
    expect(Object.keys((await json('var', 'get', 'merged')).Items).sort()).toEqual(
      ['from', ...winners].sort(),
    );
  });

  test('that all merge the same item get a conflict, and the value of one of them remains', async () => {
    await done('var', 'put', 'same', 'a=0');
    const ran = await atOnce((writer) => run('var', 'put', 'same', `a=${writer + 1}`, '--retry-merge'));
    const { a } = (await json('var', 'get', 'same')).Items;
    const winners = ran.flatMap(({ code }, writer) => (code === 0 ? [`${writer + 1}`] : []));
    expect(winners).toContain(a);
    for (const loser of ran.filter(({ code }) => code !== 0)) {
      expectFailure(loser, 6, 'a: both changed it');
    }
  });
});

test('50 writers at one account that use --at lose no update', async () => {
  const made = ['--auth-method', method, '--login-name', 'counter', '--description', '0', '--no-password'];
  const id = (await done('account', 'create', ...made, '--field', 'id')).trim();
  const rejection = /^error: cannot change account "\w+": it has version \d+, not \d+/;
  const conflicts = await atOnce((writer) =>
    untilWritten(writer, rejection, async () => {
      const { version, description } = await json('account', 'get', id);
      const next = String(Number(description) + 1);
      return run('account', 'update', id, '--description', next, '--at', String(version));
    }),
  );
  expect(await json('account', 'get', id)).toMatchObject({
    version: writers + 1,
    description: String(writers),
  });
  expect(sum(conflicts)).toBeGreaterThan(0);
});
