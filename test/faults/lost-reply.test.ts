import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedTargets, embeddedTargets } from '../conformance/embedded.ts';
import { runScenario } from '../conformance/run.ts';
import { scenario } from '../conformance/scenario.ts';
import type { Step } from '../conformance/step.ts';
import type { Ran } from '../support/run.ts';
import { sized } from '../support/soak.ts';
import { type Fault, faults } from './faults.ts';
import { type FaultProxy, faultProxy, isWrite, type Passed } from './proxy.ts';
import { table } from './table.ts';

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

const ways = faults.filter(
  ({ class: type, stalls, plausible }) =>
    ['lost', 'broken', 'foreign', 'gateway'].includes(type) && !stalls && !plausible,
);
/** Each pass of the scenario loses the response of every write in another way. */
const passes = Array.from({ length: sized(ways.length, 2) }, (_none, pass) => pass);

test.each(passes)(
  'a write whose response is lost after it was applied ends with 0 or 9 (pass %d)',
  async (pass) => {
    const wrong: string[] = [];
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
    const { outcomes } = await runScenario(scenario, {
      ...{ targets: proxy.targets, values: running.values, write: true, noPauses: true },
      // A login is tried before its step: later steps need the token that the step stores.
      async beforeStep(step, once) {
        finish();
        current = undefined;
        if (!isTried(step) || !isLogin(step)) return;
        const fault = begin();
        const ran = await once({});
        wrong.push(...judge(step, { fault, passed: [...proxy.passed] }, ran));
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
      if (trial && code !== undefined) wrong.push(...judge(step, trial, { code, stdout, stderr }));
    }
    expect(logins).toBeGreaterThan(5);
    expect(trials.size).toBeGreaterThan(60);
    expect(wrong).toEqual([]);
  },
);

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
  const isOnce = table.get(step.command)?.kind === 'write';
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
