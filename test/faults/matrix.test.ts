import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tree } from '../../src/commands/tree.ts';
import { type EmbeddedTargets, embeddedTargets } from '../conformance/embedded.ts';
import { type RunOnce, runScenario } from '../conformance/run.ts';
import { scenario, withoutSteps } from '../conformance/scenario.ts';
import type { Step } from '../conformance/step.ts';
import type { Home } from '../support/run.ts';
import { sized } from '../support/soak.ts';
import { file, skip, useCertificates } from '../unit/api/certificates.ts';
import { type Fault, faults } from './faults.ts';
import { judge } from './judge.ts';
import { type FaultProxy, faultProxy, isWrite, type Plan } from './proxy.ts';
import { table } from './table.ts';
import { unreached } from './unreached.ts';

useCertificates();

const isSoak = sized(1, 0) === 1;

let running: EmbeddedTargets;
let proxy: FaultProxy;

beforeAll(async () => {
  running = await embeddedTargets();
  proxy = await faultProxy(running.targets);
});
afterAll(async () => {
  await proxy.close();
  await running.close();
});

/** The step of each command and service that the faults are tried with: one that succeeds, where there is one. */
const tried: ReadonlySet<Step> = new Set(
  [...Map.groupBy(scenario, ({ command, service }) => `${command} ${service}`).values()].flatMap((steps) => {
    const own = steps.filter(({ kind }) => kind !== 'prepare');
    const done = own.filter(({ code, kind }) => code === 0 && kind !== 'cleanup');
    const found = done.find(({ kind }) => kind === 'write') ?? done[0] ?? own[0];
    return found === undefined ? [] : [found];
  }),
);

/** The faults of one command line: in a soak all of them, else some of each class, others for the next one. */
function faultsOf(index: number): readonly Fault[] {
  if (isSoak) return faults;
  const few = [...Map.groupBy(faults, ({ class: type, stalls }) => `${type} ${stalls}`).values()];
  return few.flatMap((all) => {
    if (all[0]?.stalls && index % 8 !== 0) return [];
    const at = all[0]?.stalls ? index / 8 : index;
    return [all[at % all.length] as Fault];
  });
}

test('the table has a row for every command, and no other', () => {
  expect([...table.keys()].sort()).toEqual(tree.map(({ path }) => path).sort());
  const local = [...table].filter(([, { kind }]) => kind === 'local').map(([command]) => command);
  expect(local.sort()).toEqual([...withoutSteps].sort());
});

test('there are at least 120 faults, with unique names', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
  expect(faults.length).toBeGreaterThanOrEqual(120);
});

describe('every command line', () => {
  test('ends as the table says after every fault', async () => {
    const before = skip ? [] : await unreached(file);
    const score = new Map<string, { tried: number; failed: number }>();
    const violations: string[] = [];
    let index = 0;

    const tryStep = async (step: Step, once: RunOnce, at: Home): Promise<void> => {
      const row = table.get(step.command);
      if (!tried.has(step) || !row) return;
      const own = { tried: 0, failed: 0 };
      score.set(`${step.command} (${step.service})`, own);
      const kept = at.list('config').map((name) => [name, at.bytes(name)] as const);
      const restore = (): void => {
        at.clear('downloaded.box');
        at.clear('config');
        for (const [name, bytes] of kept) at.write(name, bytes);
      };
      const secrets = secretsOf(step);
      const note = (name: string, wrong: readonly string[], said: string): void => {
        own.tried++;
        if (wrong.length > 0) own.failed++;
        violations.push(
          ...wrong.map(
            (line) => `${step.name} | ${name}: ${line} | ${said.replaceAll(/\s+/g, ' ').slice(0, 400)}`,
          ),
        );
      };

      for (const fault of faultsOf(index)) {
        const isHarmless = fault.class === 'harmless';
        if (isHarmless && (row.kind !== 'read' || step.code !== 0)) continue;
        const all: Plan = { play: fault.play, picks: () => true, forwards: isHarmless };
        const plans = row.kind === 'read' ? [all] : [{ ...all, picks: isWrite }, ...(isSoak ? [all] : [])];
        for (const plan of plans) {
          proxy.begin(plan);
          const ran = await once({ flags: fault.stalls ? ['--timeout', '300ms'] : [] });
          const passed = [...proxy.passed];
          restore();
          if (plan !== all && !passed.some(({ faulty }) => faulty)) continue;
          note(fault.name, judge({ step, row, fault, ran, passed, secrets }), ran.stderr);
        }
      }

      // A login stores its token in the profile, which cannot have two addresses.
      const few = before.filter(
        (fault, place) => step.as !== 'login' && (isSoak || (!fault.stalls && (place + index) % 6 === 0)),
      );
      for (const fault of few) {
        proxy.begin();
        const name = `LANYARD_${step.service.toUpperCase()}`;
        const ran = await once({
          flags: ['--timeout', fault.stalls ? '300ms' : '3s'],
          env: { [`${name}_ADDR`]: fault.address, [`${name}_TOKEN`]: 'the-token-of-this-test' },
        });
        restore();
        const wrong = judge({
          ...{ step, row, ran, passed: proxy.passed, secrets: [...secrets, 'the-token-of-this-test'] },
          fault: { class: fault.mayBeSent && row.kind === 'write' ? 'sent' : 'unreached' },
        });
        note(fault.name, wrong, ran.stderr);
      }
      index++;
      proxy.begin();
    };

    const { outcomes } = await runScenario(scenario, {
      ...{ targets: proxy.targets, values: running.values, write: true, noPauses: true },
      beforeStep: tryStep,
    });
    if (isSoak)
      for (const [row, { tried, failed }] of score)
        process.stdout.write(`${row}: ${tried} tried, ${failed} failed\n`);
    expect(violations).toEqual([]);
    // What was broken before it reached the service has changed nothing.
    const changed = outcomes.filter(
      ({ step, code }) => step.kind !== 'cleanup' && code !== undefined && code !== step.code,
    );
    expect(changed.map(({ step, code, stderr }) => `${step.name}: ${code}, ${stderr}`)).toEqual([]);
    const all = scenario.map(({ command, service }) => `${command} (${service})`);
    expect(all.filter((row) => !score.has(row) && !row.startsWith('ssh '))).toEqual([]);
  });
});

/** The tokens of the services: no command prints those. */
function secretsOf(_step: Step): string[] {
  return Object.values(running.targets).flatMap(({ token }) => token ?? []);
}
