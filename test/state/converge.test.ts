import { expect, test } from 'vitest';
import { benchForAll, everyObject, newSetId, writeSet } from './bench.ts';

const bench = await benchForAll();

test('objects of all kinds are created in their order, and the second plan is empty', async () => {
  const objects = everyObject();
  writeSet(bench, objects, { id: newSetId() });
  const applied = await bench.run(['apply', 'state', '--yes']);
  expect(applied.code, applied.stdout + applied.stderr).toBe(0);
  const plan = await bench.run(['plan', 'state']);
  expect(plan.code, plan.stdout + plan.stderr).toBe(0);
  expect(plan.stdout).toBe(`No changes. ${objects.length} objects are up to date.\n`);
});
