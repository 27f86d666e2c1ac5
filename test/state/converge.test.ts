import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Bench, everyObject, newSetId, stateBench, writeSet } from './bench.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await stateBench();
});
afterEach(() => bench.close());

test('objects of all kinds are created in their order, and the second plan is empty', async () => {
  const objects = everyObject();
  writeSet(bench, objects, { id: newSetId() });
  const applied = await bench.run(['apply', 'state', '--yes']);
  expect(applied.code, applied.stdout + applied.stderr).toBe(0);
  const plan = await bench.run(['plan', 'state']);
  expect(plan.code, plan.stdout + plan.stderr).toBe(0);
  expect(plan.stdout).toBe(`No changes. ${objects.length} objects are up to date.\n`);
});
