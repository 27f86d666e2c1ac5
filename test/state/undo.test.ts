import { beforeEach, describe, expect, test } from 'vitest';
import { normalize } from '../../src/state/normalize.ts';
import { expectExit } from '../support/command-tests.ts';
import { benchForAll, changedSpec, createNeeds, kindOf, newSetId, readExisting, writeSet } from './bench.ts';
import { objectCases } from './objects.ts';

const bench = await benchForAll();
let id = '';
beforeEach(() => {
  id = newSetId();
});

const run = async (code: number, ...argv: readonly string[]) => {
  const ran = await bench.run(argv);
  expect(ran.code, `${argv.join(' ')}\n${ran.stdout}${ran.stderr}`).toBe(code);
  return ran;
};

describe.each(objectCases)('$kind $identity.key', (object) => {
  const { kind: name, identity, spec } = object;
  const kind = kindOf(name);
  const changed = changedSpec(object);
  const state = (stated: typeof spec, metadata = {}): void =>
    writeSet(bench, [{ ...object, spec: stated, metadata: { deletion: 'allow', ...metadata } }], { id });
  const read = async () => {
    const live = await kind.read(bench.others, identity);
    return live && normalize(kind.schema, live.spec);
  };
  const undo = (n: number) => `${id}-${n}.yaml`;
  const apply = (n: number) => run(0, 'apply', 'state', '--yes', '--undo', undo(n));

  test('is the same after an apply is undone', async () => {
    await createNeeds(object, bench);
    const none = await read();
    state(spec);
    await apply(1);
    const created = await read();
    console.log(bench.at.read(undo(1)));
    if (changed) {
      state(changed);
      const ran = await apply(2);
      console.log(ran.stderr, bench.at.read(undo(2)));
      const r = await bench.run(['apply', undo(2), '--yes']);
      expect(r.code, r.stderr).toBe(0);
      expect(await read()).toEqual(created);
      expectExit(await bench.run(['plan', 'state']), 10);
      state(spec);
      expectExit(await bench.run(['plan', 'state']), 0);
    }
  });
});
