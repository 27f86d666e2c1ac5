import { beforeEach, describe, expect, test } from 'vitest';
import { merge } from '../../src/state/compare.ts';
import type { JsonObject, Live } from '../../src/state/kind.ts';
import { expectExit } from '../support/command-tests.ts';
import { isSoak } from '../support/soak.ts';
import { benchForAll, createNeeds, kindOf, newSetId, readExisting, removeObject, writeSet } from './bench.ts';
import { objectCases } from './objects.ts';

const bench = await benchForAll();
let id = '';
beforeEach(() => {
  id = newSetId();
});

/** How a plan is confirmed: at the prompt of `apply`, or as a saved plan that is applied later. */
const ways = ['prompt', 'saved plan'] as const;

describe.each(objectCases.map((object, index) => ({ ...object, index })))('$kind $identity.key', (object) => {
  const { kind: name, identity, spec, changed, index } = object;
  const kind = kindOf(name);
  const read = () => kind.read(bench.others, identity);
  const resolvePath = (path: string): string => bench.at.file(path);
  const create = () => kind.create(bench.others, { identity, spec, live: undefined, resolvePath });
  const change = async (to: JsonObject): Promise<void> => {
    const live = await readExisting(bench.others, kind, identity);
    const merged = merge(kind.schema, live.spec, kind.canonicalSpec?.(to) ?? to);
    await kind.update(bench.others, { identity, spec: merged, live, resolvePath });
  };
  const remove = async (): Promise<void> => {
    const live = await read();
    if (live) await removeObject(bench.others, object, live);
  };
  const state = (stated: JsonObject, metadata: JsonObject = {}): void =>
    writeSet(bench, [{ ...object, spec: stated, metadata: { deletion: 'allow', ...metadata } }], { id });
  const apply = async (): Promise<void> => {
    const { code, stdout, stderr } = await bench.run(['apply', 'state', '--yes']);
    expect(code, stdout + stderr).toBe(0);
  };

  /** Plans, lets another client change something, confirms, and checks that the change of the other is intact. */
  async function rejects(way: (typeof ways)[number], meddle: () => Promise<void>): Promise<void> {
    let left: Live | undefined;
    const meddleOnce = async (): Promise<string> => {
      await meddle();
      left = await read();
      bench.proxy.begin();
      return 'y\n';
    };
    if (way === 'saved plan') {
      expectExit(await bench.run(['plan', 'state', '--out', `${id}.plan`]), 10);
      await meddleOnce();
    }
    const { code, stdout, stderr } =
      way === 'prompt'
        ? await bench.run(['apply', 'state'], {
            columns: 200,
            answers: (said) => (said.includes('[y/N]') ? meddleOnce() : undefined),
          })
        : await bench.run(['apply', `${id}.plan`, '--yes']);
    expect(code, stdout + stderr).toBe(6);
    if (kind.guard === 're-read' || way === 'saved plan') expect(bench.writes()).toEqual([]);
    expect(await read()).toEqual(left);
  }

  // Version 1 of the key-value engine has no versions, so that its changes are not saved.
  const isSavable = name !== 'secrets.kv' || identity.scope.mount !== 'st-kv1';
  const some = isSoak ? ways : ways.filter((_way, place) => place === index % ways.length);
  const tried = isSavable ? some : (['prompt'] as const);
  test.each(tried)('another client creates it, %s', async (way) => {
    await createNeeds(object, bench);
    state(spec);
    await rejects(way, create);
    await remove();
  });

  test.runIf(changed).each(tried)('another client changes it before an update, %s', async (way) => {
    await createNeeds(object, bench);
    state(spec);
    await apply();
    state(changed ?? {});
    await rejects(way, () => change(changed ?? {}));
    await remove();
  });

  test.runIf(changed).each(tried)('another client deletes it before an update, %s', async (way) => {
    await createNeeds(object, bench);
    state(spec);
    await apply();
    state(changed ?? {});
    await rejects(way, remove);
    await remove();
  });

  const isDeletable = kind.obstacle?.('delete', spec, undefined) === undefined;
  test.runIf(changed && isDeletable).each(tried)(
    'another client changes it before a deletion, %s',
    async (way) => {
      await createNeeds(object, bench);
      state(spec);
      await apply();
      state(spec, { ensure: 'absent' });
      await rejects(way, () => change(changed ?? {}));
      await remove();
    },
  );
});
