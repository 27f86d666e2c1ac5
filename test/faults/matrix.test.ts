import { expect, test } from 'vitest';
import { exceptions } from '../conditions/exceptions.ts';
import { type Place, plain, standby } from '../conditions/table.ts';
import { type RunOnce, runScenario } from '../conformance/run.ts';
import { scenario } from '../conformance/scenario.ts';
import type { Step } from '../conformance/step.ts';
import type { Home } from '../support/run.ts';
import { isSoak, report, sized } from '../support/soak.ts';
import { file, skip, useCertificates } from '../unit/api/certificates.ts';
import { rowOf } from './classes.ts';
import { type Fault, faults } from './faults.ts';
import { judge } from './judge.ts';
import { faultProxy, isWrite, type Plan } from './proxy.ts';
import { type Unreached, unreached } from './unreached.ts';

useCertificates();

/** The step of each command and service that the faults are tried with: one that succeeds, where there is one. */
const tried: ReadonlySet<Step> = new Set(
  [...Map.groupBy(scenario, ({ command, service }) => `${command} ${service}`).values()].flatMap((steps) => {
    const own = steps.filter(({ kind }) => kind !== 'prepare');
    const done = own.filter(({ code, kind }) => code === 0 && kind !== 'cleanup');
    const found = done.find(({ kind }) => kind === 'write') ?? done[0] ?? own[0];
    return found === undefined ? [] : [found];
  }),
);

/** Runs of the scenario at the same time. Most of a soak is spent waiting for time limits. */
const shards = sized(12, 1);

/** Milliseconds. The limit for what stalls: it is waited for in each attempt. */
const stallLimit = '200ms';

/** Sets the limit of a request; `--timeout` of `wait` is the limit of all of them. */
const limited = ({ command, service }: Step, limit: string) =>
  command.startsWith('wait ')
    ? { flags: [], env: { [`LANYARD_${service.toUpperCase()}_CLIENT_TIMEOUT`]: limit } }
    : { flags: ['--timeout', limit], env: {} };

/** The faults of one command line: in a soak a share of all, else one of every second class, the others for the next one. */
function faultsOf(index: number, shard: number): readonly Fault[] {
  if (isSoak) return faults.filter((_fault, place) => place % shards === shard);
  const few = [...Map.groupBy(faults, ({ class: type, stalls }) => `${type} ${stalls}`).values()];
  return few.flatMap((all, place) => {
    // A fault that stalls takes long.
    const every = all[0]?.stalls ? 8 : 2;
    const at = index + (all[0]?.stalls ? 0 : place);
    return at % every === 0 ? [all[(at / every) % all.length] as Fault] : [];
  });
}

test('there are at least 120 faults, with unique names', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
  expect(faults.length).toBeGreaterThanOrEqual(120);
});

interface Score {
  tried: number;
  failed: number;
}

interface Found {
  readonly score: Map<string, Score>;
  readonly violations: string[];
}

/** Where the scenario is run: its steps, and how many of them are tried. */
interface Where {
  readonly name: string;
  readonly steps: readonly Step[];
  /** One of so many of the steps. */
  readonly each: number;
  start(): Promise<Place>;
}

const exceptionsOfStandby = exceptions.conformance['a standby'] ?? [];

const places: readonly Where[] = [
  ...[...Map.groupBy(scenario, ({ service }) => service)].map(
    ([service, steps]): Where => ({ name: `the active servers of ${service}`, steps, each: 1, start: plain }),
  ),
  {
    name: 'a standby of the secrets service',
    steps: scenario.filter(
      ({ service, name }) =>
        service === 'secrets' && !exceptionsOfStandby.some((each) => each.steps.test(name)),
    ),
    each: sized(1, 8),
    start: standby,
  },
];

test.each(places)('every command line ends as the table says after every fault of $name', async (where) => {
  const before = skip ? [] : await unreached(file);
  const all = await Promise.all(
    Array.from({ length: shards }, (_none, shard) => tryShard(where, shard, before)),
  );
  const score = new Map<string, Score>();
  for (const [row, { tried, failed }] of all.flatMap((each) => [...each.score])) {
    const sum = score.get(row) ?? { tried: 0, failed: 0 };
    score.set(row, { tried: sum.tried + tried, failed: sum.failed + failed });
  }
  const suffix = where.start === plain ? '' : `, ${where.name}`;
  for (const [row, { tried, failed }] of score) report(`${row}${suffix}`, tried, failed);
  expect(all.flatMap(({ violations }) => violations)).toEqual([]);
  if (where.each > 1) return;
  const rows = where.steps.map(({ command, service }) => `${command} (${service})`);
  expect(rows.filter((row) => !score.has(row) && !row.startsWith('ssh '))).toEqual([]);
});

/** Runs the scenario once, with a share of the faults before each of the steps that are tried. */
async function tryShard(
  { steps, each, start }: Where,
  shard: number,
  before: readonly Unreached[],
): Promise<Found> {
  const running = await start();
  const proxy = await faultProxy({ ...running.direct.targets, ...running.targets });
  // No command prints the tokens of the services.
  const secrets = Object.values(running.targets).flatMap(({ token }) => token ?? []);
  const score = new Map<string, Score>();
  const violations: string[] = [];
  let index = 0;
  let seen = 0;

  const tryStep = async (step: Step, once: RunOnce, at: Home): Promise<void> => {
    const row = rowOf(step.command);
    if (!tried.has(step) || seen++ % each !== 0) return;
    const own = { tried: 0, failed: 0 };
    score.set(`${step.command} (${step.service})`, own);
    const kept = at.list('config').map((name) => [name, at.bytes(name)] as const);
    const restore = (): void => {
      at.clear('downloaded.box');
      at.clear('config');
      for (const [name, bytes] of kept) at.write(name, bytes);
    };
    const note = (name: string, wrong: readonly string[], said: string): void => {
      own.tried++;
      if (wrong.length > 0) own.failed++;
      violations.push(
        ...wrong.map(
          (line) => `${step.name} | ${name}: ${line} | ${said.replaceAll(/\s+/g, ' ').slice(0, 400)}`,
        ),
      );
    };

    for (const fault of faultsOf(index, shard)) {
      const isHarmless = fault.class === 'harmless';
      if (isHarmless && (row.kind !== 'read' || step.code !== 0)) continue;
      const all: Plan = { play: fault.play, picks: () => true, forwards: isHarmless };
      const plans = row.kind === 'read' ? [all] : [{ ...all, picks: isWrite }, ...(isSoak ? [all] : [])];
      for (const plan of plans) {
        running.settle?.();
        proxy.begin(plan);
        const ran = await once({
          ...(fault.stalls ? limited(step, stallLimit) : {}),
          main: { inventedResponses: true },
        });
        const passed = [...proxy.passed];
        restore();
        if (plan !== all && !passed.some(({ faulty }) => faulty)) continue;
        note(fault.name, judge({ step, row, fault, ran, passed, secrets }), ran.stderr);
      }
    }

    // A login stores its token in the profile, which cannot have two addresses.
    const few = before.filter((fault, place) => {
      if (step.as === 'login') return false;
      return isSoak ? place % shards === shard : !fault.stalls && (place + index) % 6 === 0;
    });
    for (const fault of few) {
      proxy.begin();
      const name = `LANYARD_${step.service.toUpperCase()}`;
      const { flags, env } = limited(step, fault.stalls ? stallLimit : '3s');
      const ran = await once({
        flags,
        env: { ...env, [`${name}_ADDR`]: fault.address, [`${name}_TOKEN`]: 'the-token-of-this-test' },
      });
      restore();
      const wrong = judge({
        step,
        row,
        ran,
        passed: proxy.passed,
        secrets: [...secrets, 'the-token-of-this-test'],
        fault: { class: fault.mayBeSent && row.kind === 'write' ? 'sent' : 'unreached' },
      });
      note(fault.name, wrong, ran.stderr);
    }
    index++;
    running.settle?.();
    proxy.begin();
  };

  try {
    const { outcomes } = await runScenario(steps, {
      targets: proxy.targets,
      values: running.direct.values,
      write: true,
      noPauses: true,
      beforeStep: async (step, once, at) => {
        running.settle?.();
        await tryStep(step, once, at);
      },
    });
    // What was broken before it reached the service has changed nothing.
    const changed = outcomes.filter(
      ({ step, code }) => step.kind !== 'cleanup' && code !== undefined && code !== step.code,
    );
    violations.push(
      ...changed.map(({ step, code, stderr }) => `${step.name}: then ended with ${code}, ${stderr}`),
    );
  } finally {
    await proxy.close();
    await running.close();
  }
  return { score, violations };
}
