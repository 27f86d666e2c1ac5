import { expect, onTestFinished, test } from 'vitest';
import { identityText } from '../../src/state/kind.ts';
import { kindNames } from '../../src/state/kinds.ts';
import { isWrite } from '../faults/proxy.ts';
import { expectExit } from '../support/command-tests.ts';
import { start } from '../support/process.ts';
import { counted, isSoak } from '../support/soak.ts';
import {
  type Bench,
  everyObject,
  isSame,
  kindOf,
  nextVersion,
  recordText,
  type Stated,
  stateBench,
  writeSet,
} from './bench.ts';

const allow = { deletion: 'allow' } as const;
const created: readonly Stated[] = everyObject().map((object) => ({ ...object, metadata: allow }));
const changed = nextVersion(created);
const spec = { prune: { max: 1000, kinds: [...kindNames] } };

interface Scenario {
  readonly name: string;
  readonly before: readonly Stated[];
  readonly stated: readonly Stated[];
}
const scenarios: readonly Scenario[] = [
  { name: 'an apply that creates', before: [], stated: created },
  { name: 'an apply that changes and prunes', before: created, stated: changed },
];
const id = 'killed0000';
const flags = ['--yes', '--prune', '--prune-max', '1000'];

async function prepare({ before, stated }: Scenario): Promise<Bench> {
  const bench = await stateBench();
  if (before.length > 0) {
    writeSet(bench, before, { id, spec });
    const { code, stderr } = await bench.run(['apply', 'state', '--yes']);
    expect(code, stderr).toBe(0);
  }
  writeSet(bench, stated, { id, spec });
  bench.proxy.begin();
  return bench;
}

async function objectsOf({ others }: Bench): Promise<readonly string[]> {
  const kinds = [...new Set(created.map(({ kind }) => kind))];
  const lists = await Promise.all(
    kinds.map(async (name) =>
      (await kindOf(name).list(others)).map((identity) => `${name} ${identityText(identity)}`),
    ),
  );
  // The token of the administrator has a random ID.
  return lists
    .flat()
    .map((text) => text.replace(/(?<=^registry.token \[\[\],")(?!5e000000)[0-9a-f-]{36}/, '*'))
    .sort();
}

async function recordOf(bench: Bench) {
  const record = JSON.parse(await recordText(bench, id));
  const members = record.members.map(({ kind, scope, key }: Stated['identity'] & { kind: string }) => ({
    kind,
    identity: { scope, key },
  }));
  return { record, members };
}

/** Kills an apply with its nth write, before or after the service executed it. @returns whether it came so far. */
async function kill(bench: Bench, nth: number, isExecuted: boolean): Promise<boolean> {
  const running = start(bench.at, ['apply', 'state', ...flags]);
  let writes = 0;
  bench.proxy.begin({
    picks: (request) => isWrite(request) && ++writes >= nth,
    forwards: isExecuted,
    play: (socket) => {
      running.child.kill('SIGKILL');
      socket.destroy();
    },
  });
  const { signal, code, stderr } = await running.ended;
  bench.proxy.begin();
  if (signal === null) expect(code, stderr).toBe(0);
  return signal !== null;
}

test.each(scenarios)('$name converges after it was killed with any write', async (scenario) => {
  const reference = await prepare(scenario);
  const applied = await reference.run(['apply', 'state', ...flags]);
  expect(applied.code, applied.stdout + applied.stderr).toBe(0);
  const expected = await objectsOf(reference);
  const writes = reference.proxy.passed.filter(isWrite).length;
  await reference.close();
  expect(writes).toBeGreaterThanOrEqual(30);

  const all = Array.from({ length: writes }, (_none, index) => index + 1);
  const tried = isSoak ? all : [1, 2, 3, Math.floor(writes / 2), writes];
  await counted(`killed: ${scenario.name}`, async (count) => {
    for (const nth of tried)
      for (const isExecuted of isSoak ? [true, false] : [nth % 2 === 0]) {
        count();
        const bench = await prepare(scenario);
        try {
          const context = `write ${nth}, ${isExecuted ? 'executed' : 'not executed'}`;
          expect(await kill(bench, nth, isExecuted), context).toBe(true);
          const again = await bench.run(['apply', 'state', ...flags, '--steal-lock']);
          expect(again.code, `${context}\n${again.stdout}${again.stderr}`).toBe(0);
          const plan = await bench.run(['plan', 'state', '--prune']);
          expect([plan.code, plan.stderr], `${context}\n${plan.stdout}`).toEqual([0, '']);
          expect(await objectsOf(bench), context).toEqual(expected);
          const { record, members } = await recordOf(bench);
          expect(record, context).not.toHaveProperty('started');
          expect(members.length, context).toBe(scenario.stated.length);
          for (const member of members)
            expect(
              scenario.stated.some((object) => isSame(object, member)),
              context,
            ).toBe(true);
        } finally {
          await bench.close();
        }
      }
  });
});

test('the lock of a killed apply of this machine is taken over', async () => {
  const bench = await prepare({ name: '', before: [], stated: created });
  onTestFinished(() => bench.close());
  expect(await kill(bench, 10, true)).toBe(true);
  expectExit(await bench.run(['apply', 'state', '--yes']), 0);
  expect((await recordOf(bench)).record).not.toHaveProperty('started');
});

test('a killed apply of another machine keeps its lock until it expires', async () => {
  const bench = await prepare({ name: '', before: [], stated: created });
  onTestFinished(() => bench.close());
  expect(await kill(bench, 10, true)).toBe(true);
  const { record } = await recordOf(bench);
  const started = { ...record.started, machine: 'another' };
  await (await bench.others.registry()).writeKey({
    key: `lanyard/sets/${id}`,
    content: Buffer.from(JSON.stringify({ ...record, started })),
  });
  const soon = await bench.run(['apply', 'state', '--yes']);
  expect([soon.code, soon.stderr]).toEqual([6, expect.stringContaining('is running')]);
  const later = new Date(Date.now() + 180_000);
  expectExit(await bench.run(['apply', 'state', '--yes'], { now: later }), 0);
  expect((await bench.run(['plan', 'state'])).code).toBe(0);
});
