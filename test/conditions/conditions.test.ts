import { expect, test } from 'vitest';
import { counted, isSoak } from '../support/soak.ts';
import { exceptions } from './exceptions.ts';
import { scenarios } from './scenarios.ts';
import { conditions, type ScenarioName } from './table.ts';

// Each scenario in each condition: exit codes and outputs are those without the condition.

/** In a soak every pair, else one scenario for each condition, in turn. */
const pairs = conditions.flatMap((condition, index) => {
  const names = condition.scenarios ?? (Object.keys(scenarios) as ScenarioName[]);
  const chosen = isSoak ? names : names.slice(index % names.length).slice(0, 1);
  return chosen.map((scenario) => ({ condition, scenario }));
});

test.each(pairs)('$condition.name: $scenario', async ({ condition: { name, services, start }, scenario }) => {
  await counted(`${name}: ${scenario}`, async (tried) => {
    tried();
    const place = await start(scenario);
    const differences = await scenarios[scenario](place, services).finally(() => place.close());
    const own = exceptions[scenario][name] ?? [];
    const unlisted = differences.filter(
      ({ step, what }) => !own.some((each) => each.steps.test(step) && each.what.test(what)),
    );
    expect(unlisted.map(({ step, what }) => `${step}: ${what}`)).toEqual([]);
    const unused = own.filter(
      (each) =>
        !each.isSometimes &&
        !differences.some(({ step, what }) => each.steps.test(step) && each.what.test(what)),
    );
    expect(unused, 'exceptions that nothing needs').toEqual([]);
  });
});
