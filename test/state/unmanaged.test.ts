import { beforeEach, describe, expect, test } from 'vitest';
import { labelOf, type JsonObject } from '../../src/state/kind.ts';
import { kindNames } from '../../src/state/kinds.ts';
import { isWrite } from '../faults/proxy.ts';
import { outputOf } from '../support/command-tests.ts';
import { benchForAll, createNeeds, kindOf, newSetId, policy, type Stated, secret, variable, writeSet } from './bench.ts';
import { objectCases } from './objects.ts';

const bench = await benchForAll();
let id = '';
beforeEach(() => {
  id = newSetId();
});

const state = (objects: readonly Stated[], spec: JsonObject = {}): void => writeSet(bench, objects, { id, spec });
const run = async (...argv: readonly string[]) => outputOf(await bench.run(argv));

test('smoke', async () => {
  state([policy(`${id}-a`)]);
  await run('apply', 'state', '--yes');
  const ran = await bench.run(['plan', 'state', '--unmanaged', ...['secrets','registry','scheduler','accounts','box'].flatMap((s) => ['--service', s])]);
  console.log(ran.code, ran.stdout, ran.stderr);
});
