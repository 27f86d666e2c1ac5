import { beforeEach, describe, expect, test } from 'vitest';
import { isWrite } from '../faults/proxy.ts';
import { start } from '../support/process.ts';
import {
  benchForAll,
  newSetId,
  policy,
  recordText,
  type Stated,
  stateBench,
  variable,
  writeSet,
} from './bench.ts';

const bench = await benchForAll();
let [a, b] = ['', ''];
beforeEach(() => {
  [a, b] = [newSetId(), newSetId()];
  bench.proxy.begin();
});

const sets = ['sets/a', 'sets/b'];
const prune = ['--prune', '--prune-max', '9', '--yes'];
const both = (ofA: readonly Stated[], ofB: readonly Stated[], on = bench): void => {
  writeSet(on, ofA, { id: a, directory: 'sets/a' });
  writeSet(on, ofB, { id: b, directory: 'sets/b' });
};
const ok = async (argv: readonly string[], code = 0, on = bench) => {
  const ran = await on.run(argv);
  expect(ran.code, ran.stdout + ran.stderr).toBe(code);
  return ran;
};
const marked = (): Stated => policy(`${a}-moving`);
const unmarked = (): Stated => variable(`${a}/moving`, { a: 'x' });
const kept = (id: string): Stated => policy(`${id}-kept`);

/** Set A has two objects more than the files state, and set B states them. */
async function moving(on = bench): Promise<void> {
  both([kept(a), marked(), unmarked()], [kept(b)], on);
  await ok(['apply', ...sets, '--yes'], 0, on);
  both([kept(a)], [kept(b), marked(), unmarked()], on);
  on.proxy.begin();
}
const keysOf = async (id: string, on = bench): Promise<readonly string[]> =>
  JSON.parse(await recordText(on, id)).members.map(({ key }: { key: string }) => key);
async function expectMoved(on = bench): Promise<void> {
  const policyOf = await ok(['acl', 'policy', 'get', `${a}-moving`, '-o', 'json'], 0, on);
  expect(JSON.parse(policyOf.stdout).Description).toContain(`[lanyard:${b}]`);
  await ok(['var', 'get', `${a}/moving`], 0, on);
  expect(await keysOf(a, on)).toEqual([`${a}-kept`]);
  expect([...(await keysOf(b, on))].sort()).toEqual([`${a}-moving`, `${a}/moving`, `${b}-kept`].sort());
  await ok(['plan', ...sets, '--prune'], 0, on);
}

describe('both sets together', () => {
  test('the plan shows where objects move, and deletes nothing', async () => {
    await moving();
    const { stdout } = await ok(['plan', ...sets, '--prune'], 10);
    expect(stdout).toContain(`> registry.policy ${a}-moving (moved to set "test")`);
    expect(stdout).toContain(`= registry.policy ${a}-moving (moved from set "test")`);
    expect(stdout).toContain('(moved from set "test")');
    const { plans } = JSON.parse((await ok(['plan', ...sets, '--prune', '-o', 'json'], 10)).stdout);
    expect(plans).toMatchObject([
      { moved: [{ to: { id: b } }, { to: { id: b } }], summary: { delete: 0, blocked: 0 } },
      { summary: { adopt: 2, blocked: 0 } },
    ]);
  });

  test.each([
    ['in this order', sets],
    ['in the other order', [...sets].reverse()],
  ])('the other set takes the objects over, %s', async (_name, paths) => {
    await moving();
    await ok(['apply', ...paths, ...prune]);
    expect(bench.writes().filter(({ method }) => method === 'DELETE')).toEqual([]);
    await expectMoved();
  });

  test('an object can change while it moves', async () => {
    both([kept(a), marked()], [kept(b)]);
    await ok(['apply', ...sets, '--yes']);
    both([kept(a)], [kept(b), policy(`${a}-moving`, 'changed')]);
    expect((await ok(['plan', ...sets], 10)).stdout).toContain('"made by a test" → "changed"');
    await ok(['apply', ...sets, '--yes']);
    await ok(['plan', ...sets]);
  });

  test('an object of a third set is not taken over', async () => {
    await moving();
    const c = newSetId();
    writeSet(bench, [marked()], { id: c, directory: 'sets/c' });
    await ok(['apply', 'sets/c', '--take-over', '--yes']);
    const { stdout } = await ok(['plan', ...sets], 10);
    expect(stdout).toContain(`! registry.policy ${a}-moving (belongs to set ${c}; use --take-over)`);
  });
});

describe('one set alone', () => {
  test('the new set needs --take-over or --adopt', async () => {
    await moving();
    expect((await ok(['plan', 'sets/b'], 10)).stdout).toContain(`belongs to set ${a}; use --take-over`);
  });

  test('after --take-over or --adopt, pruning the old set keeps what the new one owns', async () => {
    await moving();
    await ok(['apply', 'sets/b', '--take-over', '--adopt', '--yes']);
    const { stderr } = await ok(['apply', 'sets/a', ...prune]);
    expect(stderr).toContain(`registry.policy ${a}-moving is kept: it belongs to set ${b}`);
    expect(stderr).toContain(`scheduler.variable ${a}/moving is kept: it belongs to set ${b}, too`);
    await ok(['acl', 'policy', 'get', `${a}-moving`]);
    await ok(['var', 'get', `${a}/moving`]);
  });

  test('an interrupted move is not pruned, and the set can take its objects back', async () => {
    await moving();
    // Everything after the note in the record of the old set is lost.
    let writes = 0;
    bench.proxy.begin({
      picks: (request) => isWrite(request) && ++writes > 1,
      forwards: false,
      play: (socket) => socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n'),
    });
    await ok(['apply', ...sets, '--yes'], 5);
    bench.proxy.begin();
    const { stderr } = await ok(['apply', 'sets/a', ...prune]);
    expect(stderr).toContain(`is kept: it moves to set ${b}; plan both sets together`);
    both([kept(a), marked(), unmarked()], [kept(b)]);
    await ok(['apply', 'sets/a', '--yes']);
    await ok(['plan', 'sets/a']);
    both([kept(a)], [kept(b)]);
    await ok(['apply', 'sets/a', ...prune]);
    await ok(['acl', 'policy', 'get', `${a}-moving`], 3);
  });
});

test('a move that was killed with any write is completed by the same command', async () => {
  const own = await stateBench();
  try {
    for (let nth = 1, isDone = false; !isDone; nth += 1)
      for (const isExecuted of [false, true]) {
        [a, b] = [newSetId(), newSetId()];
        await moving(own);
        const running = start(own.at, ['apply', ...sets, ...prune]);
        let writes = 0;
        own.proxy.begin({
          picks: (request) => isWrite(request) && ++writes >= nth,
          forwards: isExecuted,
          play: (socket) => {
            running.child.kill('SIGKILL');
            socket.destroy();
          },
        });
        const { signal } = await running.ended;
        own.proxy.begin();
        isDone = signal === null;
        const owners = [...(await keysOf(a, own)), ...(await keysOf(b, own))];
        expect(owners).toEqual(expect.arrayContaining([`${a}-moving`, `${a}/moving`]));
        // The lock of the killed process ends with it.
        await ok(['apply', ...sets, ...prune], 0, own);
        await expectMoved(own);
      }
  } finally {
    await own.close();
  }
}, 600_000);
