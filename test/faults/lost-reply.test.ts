import { expect, test } from 'vitest';
import { embeddedTargets } from '../conformance/embedded.ts';
import { runScenario } from '../conformance/run.ts';
import { scenario } from '../conformance/scenario.ts';
import type { Step } from '../conformance/step.ts';
import type { Ran } from '../support/run.ts';
import { report, sized } from '../support/soak.ts';
import { rowOf } from './classes.ts';
import { type Fault, faults } from './faults.ts';
import { faultProxy, isWrite, type Passed } from './proxy.ts';

const ways = faults.filter(
  ({ class: type, stalls, plausible }) =>
    ['lost', 'broken', 'foreign', 'gateway'].includes(type) && !stalls && !plausible,
);
/** Each pass of the scenario loses the response of every write in another way. */
const passes = sized(ways.length, 2);
/** Passes at the same time, each with services of its own. */
const concurrency = sized(8, 1);

/** Reads change nothing; those are left that later steps have values of. */
const steps = scenario.filter(({ kind, save }) => !['read', 'after'].includes(kind) || save !== undefined);

interface Found {
  tried: number;
  readonly wrong: string[];
}

test('a write whose response is lost after it was applied ends with 0 or 9', async () => {
  const found = new Map<string, Found>();
  let next = 0;
  const work = async (): Promise<void> => {
    for (let pass = next++; pass < passes; pass = next++) await tryPass(pass, found);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  for (const [row, { tried, wrong }] of found) report(row, tried, wrong.length);
  expect([...found.values()].flatMap(({ wrong }) => wrong)).toEqual([]);
});

/** Runs the scenario once, and notes for each command what was tried and what was wrong. */
async function tryPass(pass: number, found: Map<string, Found>): Promise<void> {
  const running = await embeddedTargets();
  const proxy = await faultProxy(running.targets);
  let count = 0;
  let logins = 0;
  const trials = new Map<Step, Trial>();
  let current: Step | undefined;
  const finish = (): void => {
    const trial = current && trials.get(current);
    if (trial) trial.passed = [...proxy.passed];
  };
  const begin = (): Fault => {
    const fault = ways[(count++ * 7 + pass) % ways.length] as Fault;
    proxy.begin({
      play: fault.play,
      picks: (request, picked) => isWrite(request) && picked === 0,
      forwards: true,
    });
    return fault;
  };
  const note = (step: Step, trial: Trial, ran: Pick<Ran, 'code' | 'stdout' | 'stderr'>): void => {
    if (!trial.passed.some(({ faulty }) => faulty)) return;
    const row = `${step.command} (${step.service})`;
    const own = found.get(row) ?? { tried: 0, wrong: [] };
    found.set(row, own);
    own.tried++;
    const wrong = judge(step, trial, ran);
    if (wrong.length > 0) own.wrong.push(wrong.join('\n'));
  };
  try {
    const { outcomes } = await runScenario(steps, {
      targets: proxy.targets,
      values: running.values,
      write: true,
      noPauses: true,
      // A login is tried before its step: later steps need the token that the step stores.
      async beforeStep(step, once) {
        finish();
        current = undefined;
        if (!isTried(step) || !isLogin(step)) return;
        const fault = begin();
        const ran = await once({});
        note(step, { fault, passed: [...proxy.passed] }, ran);
        logins++;
      },
      onStep(step) {
        finish();
        current = step;
        if (!step || !isTried(step) || isLogin(step)) return proxy.begin();
        trials.set(step, { fault: begin(), passed: [] });
      },
      output: () => {
        const { status = 0, body = '' } = proxy.lost() ?? {};
        return status === 200 && /^\{/.test(String(body)) ? JSON.parse(String(body)) : undefined;
      },
    });
    for (const { step, code, stdout, stderr } of outcomes) {
      const trial = trials.get(step);
      if (trial && code !== undefined) note(step, trial, { code, stdout, stderr });
    }
  } finally {
    await proxy.close();
    await running.close();
  }
  expect(logins).toBeGreaterThan(5);
  expect(trials.size).toBeGreaterThan(60);
}

interface Trial {
  readonly fault: Fault;
  passed: readonly Passed[];
}

const isTried = ({ kind, code }: Step): boolean => kind === 'write' && code === 0;
const isLogin = ({ command }: Step): boolean => / login$|token create$/.test(command);

/** What is wrong with a run whose response was lost; empty: nothing. */
function judge(
  step: Step,
  { fault, passed }: Trial,
  { code, stdout, stderr }: Pick<Ran, 'code' | 'stdout' | 'stderr'>,
): string[] {
  const wrong: string[] = [];
  const at = passed.findIndex(({ faulty }) => faulty);
  if (at < 0) return [];
  const say = (what: string): void =>
    void wrong.push(
      `${step.name} | ${fault.name}: ${what} | ${stderr.replaceAll(/\s+/g, ' ').slice(0, 300)}`,
    );
  const isOnce = rowOf(step.command).kind === 'write';
  const lost = passed[at];
  const after = passed.slice(at + 1);
  if (code !== 0 && code !== 9 && isOnce) say(`exit code ${code}, not 0 or 9`);
  if (isOnce && code === 0 && !after.some((request) => !isWrite(request)))
    say('0, and nothing was read back');
  const same = after.filter(
    ({ method, url, body }) => method === lost?.method && url === lost.url && body === lost.body,
  );
  if (isOnce && same.length > 0) say('sent twice');
  if (code === 9 && !step.text && !isNotRetryable(stderr, stdout)) say('retryable');
  return wrong;
}

/** Does the error say that it is not to be repeated? A report on standard output says nothing of it. */
function isNotRetryable(stderr: string, stdout: string): boolean {
  const start = stderr.search(/^\{/m);
  if (start < 0) return stdout !== '';
  return JSON.parse(stderr.slice(start)).error.retryable === false;
}
