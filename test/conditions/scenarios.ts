import { expect } from 'vitest';
import { kindNames } from '../../src/state/kinds.ts';
import type { ServiceName } from '../../src/wire/services.ts';
import { serviceNames } from '../../src/wire/services.ts';
import { type Running, running } from '../commands/watch/watching.ts';
import { differencesFrom, isTested, readBaseline } from '../conformance/baseline.ts';
import { repeated, runScenario } from '../conformance/run.ts';
import { scenario } from '../conformance/scenario.ts';
import { changedSpec, everyObject, isSame, kindOf, type Stated, writeSet } from '../state/bench.ts';
import { objectCases } from '../state/objects.ts';
import { imageContent, imageFile } from '../state/other-objects.ts';
import { eventually } from '../support/eventually.ts';
import { type Home, home, type Ran, type RunOptions } from '../support/run.ts';
import { type Place, plain } from './table.ts';

/** What a step did in a condition, where that is not what it does without one. */
export interface Difference {
  readonly step: string;
  readonly what: string;
}

/** A scenario for every condition: returns what differs from services without a condition. */
export type Scenario = (place: Place, services: readonly ServiceName[]) => Promise<readonly Difference[]>;

/** What a step of the state and watch scenarios did. */
type Results = ReadonlyMap<string, string>;

/** Zeros make the pauses between attempts nothing. */
const noPauses = (length: number): Uint8Array => new Uint8Array(length);

/** A home whose environment has the targets of a place. */
function homeAt({ targets, env }: Pick<Place, 'targets' | 'env'>): Home {
  const at = home();
  for (const service of serviceNames) {
    const target = targets[service];
    if (!target) continue;
    const name = `LANYARD_${service.toUpperCase()}`;
    at.env[`${name}_ADDR`] = target.addresses?.join(',') ?? target.address;
    if (target.token !== undefined) at.env[`${name}_TOKEN`] = target.token;
  }
  Object.assign(at.env, env);
  return at;
}

/** Runs a command that has to succeed in the end: writes of somebody else. */
async function must(at: Home, line: string, options: RunOptions = {}): Promise<Ran> {
  for (let tries = 0; ; tries++) {
    const ran = await at.run(line.split(' '), options);
    if (ran.code === 0) return ran;
    if (tries === 20) throw new Error(`${line}: ${ran.stdout}${ran.stderr}`);
  }
}

/** What differs between two runs. */
const compared = (expected: Results, own: Results): readonly Difference[] =>
  [...new Set([...expected.keys(), ...own.keys()])].flatMap((step) =>
    expected.get(step) === own.get(step)
      ? []
      : [{ step, what: `${own.get(step)}\ninstead of: ${expected.get(step)}` }],
  );

/** The results without a condition, for each list of services. */
function once(results: (place: Place, services: readonly ServiceName[]) => Promise<Results>): Scenario {
  const known = new Map<string, Promise<Results>>();
  const without = async (
    services: readonly ServiceName[],
    { leavesOut }: Pick<Place, 'leavesOut'>,
  ): Promise<Results> => {
    const place = await plain();
    try {
      return await results({ ...place, ...(leavesOut && { leavesOut }) }, services);
    } finally {
      await place.close();
    }
  };
  return async (place, services) => {
    const key = `${services} ${place.leavesOut}`;
    const expected = known.get(key) ?? without(services, place);
    known.set(key, expected);
    return compared(await expected, await results(place, services));
  };
}

/** Every step of the conformance scenario; in a cluster or namespace beside it, the same with the same names. */
const conformance: Scenario = async (place, services) => {
  const baseline = readBaseline();
  const name = `lanyard-conformance-${process.hrtime.bigint().toString(16).slice(-8)}`;
  const differences = async ({
    targets,
    env,
    direct,
    before,
    settle,
    repeatedCodes,
    isOfAdministrator,
  }: Place): Promise<readonly Difference[]> => {
    const chosen = Object.fromEntries(
      Object.entries(targets).filter(([key]) => services.includes(key as ServiceName)),
    );
    const values = Object.entries(direct.targets).map(([key, { token = '' }]) => [
      `${key}Administrator`,
      token,
    ]);
    const steps = scenario.map((step) =>
      step.as === 'admin' && isOfAdministrator?.(step)
        ? { ...step, token: `{${step.service}Administrator}` }
        : step,
    );
    const { outcomes } = await runScenario(steps, {
      targets: chosen,
      values: { ...Object.fromEntries(values), ...direct.values },
      run: name,
      write: true,
      noPauses: true,
      ...(env && { env }),
      ...(repeatedCodes && { repeatedCodes }),
      beforeStep: async ({ service }) => {
        settle?.();
        before?.(service);
      },
    });
    return outcomes.filter(isTested).flatMap((outcome) =>
      differencesFrom(baseline, outcome).map((what) => ({
        step: outcome.step.name,
        what: `${what}: ${outcome.skipped ?? outcome.stderr}`,
      })),
    );
  };
  const found = await Promise.all([place, ...(place.beside ? [place.beside] : [])].map(differences));
  return found.flat();
};

const prune = '--prune --prune-max 1000 --prune-all';

/** A set with objects of every kind of the services. */
function writeState(
  at: Home,
  services: readonly ServiceName[],
  version: 'first' | 'changed' | 'empty',
  leavesOut: Place['leavesOut'],
): void {
  const objects = everyObject()
    .filter(({ kind }) => version !== 'empty' && services.includes(kindOf(kind).service))
    .filter((object) => !leavesOut?.(object))
    .map((object): Stated => {
      const found = objectCases.find((each) => isSame(object, each));
      const spec = (version === 'changed' && found && changedSpec(found)) || object.spec;
      return { ...object, spec, metadata: { deletion: 'allow' } };
    });
  const spec = { record: 'file:../record.json', prune: { max: 1000, kinds: [...kindNames] } };
  writeSet({ at }, objects, { id: 'conditions', spec });
}

/** Objects of every kind: created, changed, exported and pruned; plans between them are empty. */
const state = once(async (place, services) => {
  const at = homeAt(place);
  at.write(imageFile, imageContent);
  const other = place.beside && homeAt(place.beside);
  const results = new Map<string, string>();
  const run = async (step: string, line: string): Promise<void> => {
    for (const service of services) place.before?.(service);
    const once = () => at.run(line.split(' '), { random: noPauses });
    const { code, stdout, stderr } = await repeated(once, place.repeatedCodes);
    const lines = stdout
      .replaceAll(/127\.0\.0\.1:\d+/g, 'ADDRESS')
      .split('\n')
      .sort();
    results.set(step, [code, ...lines, ...([0, 10].includes(code) ? [] : [stderr])].join('\n'));
  };
  /** What is in the cluster or namespace beside. */
  const besides = async (): Promise<string> => {
    if (!other) return '';
    other.clear('beside');
    await must(other, `export beside --no-targets ${services.map((each) => `--service ${each}`).join(' ')}`);
    return other
      .list('beside')
      .map((name) => (name.endsWith('set.yaml') ? '' : other.read(name)))
      .join('\n');
  };
  try {
    if (other) {
      other.write(imageFile, imageContent);
      writeState(other, services, 'first', place.leavesOut);
      await must(other, 'apply state --allow-outside --yes');
    }
    const before = await besides();
    writeState(at, services, 'first', place.leavesOut);
    await run('validate', 'validate state');
    await run('plan', 'plan state --allow-outside');
    await run('apply', 'apply state --allow-outside --yes');
    await run('plan after apply', 'plan state --allow-outside');
    writeState(at, services, 'changed', place.leavesOut);
    await run('plan a change', 'plan state --allow-outside');
    await run('apply a change', 'apply state --allow-outside --yes');
    await run('plan after a change', 'plan state --allow-outside');
    await run(
      'export',
      `export exported --no-targets ${services.map((each) => `--service ${each}`).join(' ')}`,
    );
    at.clear('exported');
    writeState(at, services, 'empty', place.leavesOut);
    await run('plan a prune', `plan state --allow-outside ${prune}`);
    await run('prune', `apply state --allow-outside --yes ${prune}`);
    await run('plan after a prune', `plan state --allow-outside ${prune}`);
    results.set('beside', (await besides()) === before ? 'unchanged' : 'changed');
    return results;
  } finally {
    at.remove();
    other?.remove();
  }
});

/** How an object of a service is watched, waited for and written. */
const watched: Partial<
  Readonly<Record<ServiceName, { get: string; wait: string; put: (value: string) => string; remove: string }>>
> = {
  secrets: {
    get: 'kv get secret/watched --interval 100ms',
    wait: "wait kv secret/watched --for data.v=='three' --interval 100ms",
    put: (value) => `kv put secret/watched v=${value}`,
    remove: 'kv delete secret/watched --yes',
  },
  registry: {
    get: 'registry kv get watched',
    wait: "wait key watched --for Value=='three'",
    put: (value) => `registry kv put watched ${value}`,
    remove: 'registry kv delete watched --yes',
  },
  scheduler: {
    get: 'var get watched',
    wait: "wait var watched --for Items.v=='three'",
    put: (value) => `var put watched v=${value} --force`,
    remove: 'var delete watched --yes',
  },
};

/** The states that a watch has shown, without the errors of an outage and the same state again after them. */
const statesOf = (watch: Running): readonly string[] =>
  watch
    .text()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { readonly status: string; readonly data?: object })
    .filter(({ status }) => status !== 'error')
    .map(({ status, data }) =>
      `${status} ${/one|two|three|other/.exec(JSON.stringify(data ?? {}))?.[0] ?? ''}`.trim(),
    )
    .filter((state, index, states) => state !== states[index - 1]);

const shows = (watch: Running, state: string): void =>
  expect(statesOf(watch).at(-1), watch.stderr()).toBe(state);

/** What `--watch` shows of changes by somebody else, and when `wait` ends. */
const watch = once(async (place, services) => {
  const at = homeAt(place);
  // Somebody else has all the settings, and addresses without the condition.
  const writer = homeAt({ targets: place.direct.targets, ...(place.env && { env: place.env }) });
  const other = place.beside && homeAt(place.beside);
  const results = new Map<string, string>();
  const started: Running[] = [];
  const start = (line: string): Running => {
    const run = running(at, line.split(' '), { random: noPauses });
    started.push(run);
    return run;
  };
  try {
    for (const service of services) {
      place.before?.(service);
      const { code } = await at.run(['wait', 'status', service, '--timeout', '1h'], { random: noPauses });
      results.set(`wait status ${service}`, String(code));
      const object = watched[service];
      if (!object) continue;
      const write = async (line: string, elsewhere?: string): Promise<void> => {
        if (other && elsewhere !== undefined) await must(other, elsewhere);
        await must(writer, line);
      };
      await write(object.put('one'), object.put('other'));
      place.settle?.();
      place.before?.(service);
      const show = start(`${object.get} --watch -o jsonl`);
      await eventually(() => shows(show, 'present one'));
      const wait = start(`${object.wait} --timeout 1h`);
      await eventually(() => expect(wait.stderr()).toContain('waiting'));
      place.during?.(service);
      await write(object.put('two'), object.remove);
      await eventually(() => shows(show, 'present two'));
      await write(object.remove, object.put('other'));
      await eventually(() => shows(show, 'absent'));
      place.during?.(service);
      await write(object.put('three'));
      await eventually(() => shows(show, 'present three'));
      results.set(`--watch ${service}`, statesOf(show).join());
      const ended = await wait.ended;
      results.set(`wait ${service}`, `${ended.code} ${wait.text().replace(/ \(after [^)]+\)/, '')}`);
      results.set(`--watch ${service}: interrupted`, String((await show.stop()).code));
    }
    return results;
  } finally {
    for (const each of started) await each.stop();
    for (const each of [at, writer, other]) each?.remove();
  }
});

export const scenarios = { conformance, state, watch } as const;
