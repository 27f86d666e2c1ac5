import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { counted, isSoak } from '../support/soak.ts';
import { exceptions } from './exceptions.ts';
import { scenarios } from './scenarios.ts';
import { conditions, type ScenarioName } from './table.ts';

// Each scenario in each condition: exit codes and outputs are those without the condition.

const { ONLY } = process.env;

/** In a soak every pair, else one scenario for each condition, in turn. */
const pairs = conditions.flatMap((condition, index) => {
  const names = condition.scenarios ?? (Object.keys(scenarios) as ScenarioName[]);
  return names.flatMap((scenario, place) =>
    (ONLY ? `${condition.name}/${scenario}`.includes(ONLY) : isSoak || index % names.length === place)
      ? [{ condition, scenario }]
      : [],
  );
});

test.each(pairs)('$condition.name: $scenario', async ({ condition: { name, services, start }, scenario }) => {
  await counted(`${name}: ${scenario}`, async (tried) => {
    tried();
    const place = await start();
    const differences = await scenarios[scenario](place, services).finally(() => place.close());
    const own = exceptions.filter((each) => each.condition === name && each.scenario === scenario);
    const unlisted = differences.filter(
      ({ step, what }) => !own.some((each) => each.steps.test(step) && each.what.test(what)),
    );
    if (process.env.OUT)
      appendFileSync(
        process.env.OUT,
        unlisted.map(({ step, what }) => `@@ ${name}: ${scenario} | ${step}: ${what}\n`).join('') +
          `## ${name}: ${scenario} ${process.cpuUsage().user / 1e6}\n`,
      );
    expect(unlisted.map(({ step, what }) => `${step}: ${what}`)).toEqual([]);
    const unused = own.filter(
      (each) => !differences.some(({ step, what }) => each.steps.test(step) && each.what.test(what)),
    );
    expect(unused, 'exceptions that nothing needs').toEqual([]);
  });
});
