import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isNotFound } from '../../src/errors.ts';
import { merge } from '../../src/state/compare.ts';
import { identityText } from '../../src/state/kind.ts';
import { kindNames } from '../../src/state/kinds.ts';
import { normalize } from '../../src/state/normalize.ts';
import {
  type Bench,
  everyObject,
  kindOf,
  newSetId,
  nextVersion,
  readExisting,
  type Stated,
  stateBench,
  writeSet,
} from './bench.ts';
import { objectCases } from './objects.ts';

// Objects of all kinds in one set: what an apply did to them is taken back.

let bench: Bench;
let recipient = '';
let id = '';
beforeAll(async () => {
  const identity = await generateX25519Identity();
  recipient = await identityToRecipient(identity);
  id = identity;
});
beforeEach(async () => {
  bench = await stateBench();
  bench.at.write('key.txt', `${id}\n`, 0o600);
});
afterAll(() => bench.close());

const set = newSetId();
const allow = { deletion: 'allow' } as const;
const created: readonly Stated[] = everyObject().map((object) => ({ ...object, metadata: allow }));
const spec = { prune: { max: 1000, kinds: [...kindNames] } };
const state = (objects: readonly Stated[]): void => writeSet(bench, objects, { id: set, spec });

async function run(codes: number | readonly number[], argv: readonly string[]) {
  const ran = await bench.run(argv);
  expect([codes].flat(), `${argv.join(' ')}\n${ran.stdout}${ran.stderr}`).toContain(ran.code);
  return ran;
}
const identity = ['--identity', '@key.txt'];

const nameOf = ({ kind, identity: { scope, key } }: Pick<Stated, 'kind' | 'identity'>): string =>
  `${kind} ${identityText({ scope, key })}`;

/** The normal forms of all objects; marks are a part of them. */
async function snapshot(): Promise<Readonly<Record<string, unknown>>> {
  const found: Record<string, unknown> = {};
  const { others } = bench;
  for (const object of created) {
    const kind = kindOf(object.kind);
    const live = await kind.read(others, object.identity).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    found[nameOf(object)] = live && (normalize(kind.schema, live.spec) ?? {});
  }
  return found;
}

interface Undo {
  readonly objects: number;
  readonly notRestored: readonly {
    readonly id: { readonly kind: string; readonly scope: Record<string, string>; readonly key: string };
    readonly all: boolean;
  }[];
}
const lostIn = ({ notRestored }: Undo): readonly string[] =>
  notRestored.flatMap(({ id: { kind, scope, key }, all }) =>
    all ? [nameOf({ kind, identity: { scope, key } })] : [],
  );

async function apply(file: string, more: readonly string[] = []): Promise<Undo> {
  const flags = ['--yes', '--undo', file, '--undo-recipient', recipient, '-o', 'json', ...more];
  return JSON.parse((await run(0, ['apply', 'state', ...flags])).stdout).undo;
}

interface PlanData {
  readonly operations: readonly {
    readonly action: string;
    readonly id: { readonly kind: string; readonly scope: Record<string, string>; readonly key: string };
    readonly changes: readonly object[];
  }[];
}

/** The changes of a plan, without those of some objects. */
const changesIn = ({ operations }: PlanData, without: readonly string[]): readonly string[] =>
  operations
    .filter(
      ({ action, id: { kind, ...which } }) =>
        action !== 'none' && !without.includes(nameOf({ kind, identity: which })),
    )
    .map(({ action, id: which, changes }) =>
      JSON.stringify([action, which, changes.map((change) => JSON.stringify(change)).sort()]),
    )
    .sort();

describe('objects of all kinds', () => {
  test('that were created do not exist after the undo', async () => {
    const before = await snapshot();
    state(created);
    const { objects, notRestored } = await apply('undo.age');
    expect([objects, notRestored]).toEqual([created.length, []]);
    await run(10, ['plan', 'undo.age', ...identity]);
    await run(0, ['apply', 'undo.age', '--yes', ...identity]);
    expect(await snapshot()).toEqual(before);
    expect((await run(0, ['plan', 'undo.age', ...identity])).stdout).toMatch(/^No changes/);
    expect((await run(10, ['plan', 'state'])).stdout).toContain(`Plan: ${created.length} to create`);
  });

  test('that were changed and pruned have their fields again', async () => {
    state(created);
    await apply('first.age');
    const before = await snapshot();
    state(nextVersion(created));
    const prune = ['--prune', '--prune-max', '1000'];
    const plan = JSON.parse(
      (await run(10, ['plan', 'state', '--prune', '--prune-max', '1000', '-o', 'json'])).stdout,
    );
    const lost = lostIn(await apply('undo.age', prune));
    await run(0, ['apply', 'undo.age', '--yes', ...identity]);
    const left = await snapshot();
    for (const [name, fields] of Object.entries(before))
      if (!lost.includes(name)) expect(left[name], name).toEqual(fields);
    expect(lost).toMatchInlineSnapshot(`
      [
        "secrets.mount [[],"st-old/"]",
        "box.provider [[["architecture","arm64"],["box","st-images"],["owner","dev"],["version","1.0.0"]],"libvirt"]",
        "box.provider [[["architecture","unknown"],["box","st-images"],["owner","dev"],["version","1.0.0"]],"qemu"]",
        "box.release [[["box","st-releases"],["owner","dev"]],"1.0.0"]",
      ]
    `);
    const again = JSON.parse(
      (await run(10, ['plan', 'state', '--prune', '--prune-max', '1000', '-o', 'json'])).stdout,
    );
    expect(changesIn(again, lost)).toEqual(changesIn(plan, lost));
  });

  test('that another client changed since are kept', async () => {
    state(created);
    await apply('undo.age');
    const { others } = bench;
    for (const { kind: name, identity: which, changed } of objectCases) {
      if (!changed) continue;
      const kind = kindOf(name);
      const live = await readExisting(others, kind, which);
      const merged = merge(kind.schema, live.spec, kind.canonicalSpec?.(changed) ?? changed);
      await kind.update(others, {
        identity: which,
        spec: merged,
        live,
        resolvePath: (path) => bench.at.file(path),
      });
    }
    const before = await snapshot();
    bench.proxy.begin();
    const { operations } = JSON.parse(
      (await run(10, ['plan', 'undo.age', '-o', 'json', ...identity])).stdout,
    );
    const blocked = operations.flatMap(
      (operation: { action: string; id: { kind: string; scope: Record<string, string>; key: string } }) =>
        operation.action === 'blocked' ? [nameOf({ kind: operation.id.kind, identity: operation.id })] : [],
    );
    expect(blocked.sort()).toEqual(
      objectCases.flatMap((each) => (each.changed ? [nameOf(each)] : [])).sort(),
    );
    const ran = await run(6, ['apply', 'undo.age', '--yes', ...identity]);
    expect(ran.stderr).toContain('was changed since the apply');
    expect(bench.writes()).toEqual([]);
    expect(await snapshot()).toEqual(before);
  });
});
