import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JsonObject, labelOf, type Services } from '../../src/state/kind.ts';
import { kindNames } from '../../src/state/kinds.ts';
import { canonicalText } from '../../src/state/normalize.ts';
import {
  type Bench,
  changedSpec,
  everyObject,
  isDeletable,
  isSame,
  kindOf,
  newSetId,
  type Stated,
  stateBench,
  writeSet,
} from './bench.ts';
import { clientsOf } from './clients.ts';
import { objectCases } from './objects.ts';

let one: Bench;
let two: Bench;
beforeAll(async () => {
  [one, two] = await Promise.all([stateBench(), stateBench()]);
});
afterAll(async () => {
  await Promise.all([one.close(), two.close()]);
});

/** Services as a user reaches them, and as somebody else does. */
interface Place {
  readonly env: Readonly<Record<string, string>>;
  readonly services: Services;
}

const placeOf = (bench: Bench, env: Readonly<Record<string, string>> = {}): Place => {
  const all = { ...bench.othersEnv, ...env };
  return { env: all, services: clientsOf({ ...bench.at, env: all }) };
};

const label = ({ kind, identity }: Pick<Stated, 'kind' | 'identity'>): string =>
  `${kind} ${labelOf(kindOf(kind), identity)}`.trim();

/** Creates objects as somebody who does not use sets. */
async function createAll({ services }: Place, objects: readonly Stated[]): Promise<void> {
  for (const { kind: name, identity, spec } of objects)
    await kindOf(name).create(services, {
      identity,
      spec,
      live: undefined,
      resolvePath: (path) => one.at.file(path),
    });
}

/** The objects as they are, without what the service generates. */
const contentOf = async ({ services }: Place, objects: readonly Stated[]): Promise<readonly string[]> =>
  Promise.all(
    objects.map(async (object) => {
      const live = await kindOf(object.kind).read(services, object.identity);
      return `${label(object)} ${live ? `${live.version} ${canonicalText(live.spec)}` : 'does not exist'}`;
    }),
  );

interface PlannedOperation {
  readonly action: string;
  readonly id: { readonly kind: string; readonly scope: Record<string, string>; readonly key: string };
  readonly reason?: string;
}

async function planOf({ env }: Place, ...flags: readonly string[]): Promise<readonly PlannedOperation[]> {
  const { code, stdout, stderr } = await one.at.run(
    ['plan', 'state', '-o', 'json', '--allow-outside', ...flags],
    { env },
  );
  expect([0, 10], stderr).toContain(code);
  return JSON.parse(stdout).operations;
}

const labelsOf = (operations: readonly PlannedOperation[], action: string): readonly string[] =>
  operations
    .filter((operation) => operation.action === action)
    .map(({ id }) => label({ kind: id.kind, identity: id }))
    .sort();

const applies = async ({ env }: Place, code: number, ...flags: readonly string[]): Promise<void> => {
  const ran = await one.at.run(['apply', 'state', '--yes', '--allow-outside', ...flags], { env });
  expect(ran.code, ran.stdout + ran.stderr).toBe(code);
};

const allow: JsonObject = { deletion: 'allow' };
const prune = ['--prune', '--prune-max', '1000'];

/** Secrets of version 1 have nothing that shows when they were created, so that nothing prunes them. */
const isProvable = ({ kind, identity }: Stated): boolean =>
  kind !== 'secrets.kv' || !/v1|kv1/.test(identity.scope.mount ?? '');

/** Applies a set to one place, and then looks what the same files do in another with objects of the same names. */
async function checkBothSides(
  [first, second]: readonly [Place, Place],
  objects: readonly Stated[],
  record: string,
): Promise<void> {
  const spec = { record, prune: { max: 1000, kinds: [...kindNames] } };
  const id = newSetId();
  const changed = objects.map((object): Stated => {
    const found = objectCases.find((each) => isSame(object, each));
    return { ...object, spec: (found && changedSpec(found)) ?? object.spec };
  });
  const differing = objects
    .filter(({ spec: before }, index) => changed[index]?.spec !== before)
    .map(label)
    .sort();
  expect(differing.length).toBeGreaterThan(0);
  await createAll(second, objects);
  const before = await contentOf(second, objects);

  writeSet(
    one,
    objects.map((object) => ({ ...object, metadata: allow })),
    { id, spec },
  );
  await applies(first, 0);
  expect(labelsOf(await planOf(first), 'none')).toHaveLength(objects.length);

  // An update needs --adopt where the set was never applied.
  writeSet(
    one,
    changed.map((object) => ({ ...object, metadata: allow })),
    { id, spec },
  );
  const here = await planOf(first);
  expect(labelsOf(here, 'blocked')).toEqual([]);
  expect(labelsOf(here, 'update')).toEqual(differing);
  const there = await planOf(second);
  expect(labelsOf(there, 'update')).toEqual([]);
  expect(labelsOf(there, 'blocked')).toEqual(differing);
  await applies(second, 6);
  expect(await contentOf(second, objects)).toEqual(before);

  // Nothing is pruned there.
  const last = objects.findIndex(({ kind }) => kind !== 'secrets.kv');
  const [kept] = [objects[last]].filter((object) => object !== undefined);
  writeSet(one, kept ? [{ ...kept, metadata: allow }] : [], { id, spec });
  expect(labelsOf(await planOf(second, ...prune), 'delete')).toEqual([]);
  await applies(second, 0, ...prune, '--prune-all');
  expect((await contentOf(second, objects)).slice(last + 1)).toEqual(before.slice(last + 1));

  // Adopted there, the set has members in both places.
  writeSet(
    one,
    changed.map((object) => ({ ...object, metadata: allow })),
    { id, spec },
  );
  await applies(second, 0, '--adopt');
  expect(labelsOf(await planOf(second), 'none')).toHaveLength(objects.length);
  expect(labelsOf(await planOf(first), 'update')).toEqual(differing);
  await applies(first, 0);
  const adopted = await contentOf(second, objects);
  writeSet(one, kept ? [{ ...kept, metadata: allow }] : [], { id, spec });
  const pruned = objects
    .filter((object) => object !== kept && isProvable(object) && isDeletable(object))
    .map(label)
    .sort();
  expect(labelsOf(await planOf(first, ...prune), 'delete')).toEqual(pruned);
  await applies(first, 0, ...prune);
  expect((await contentOf(second, objects)).slice(last + 1)).toEqual(adopted.slice(last + 1));
  expect(labelsOf(await planOf(second, ...prune), 'delete')).toEqual(pruned);
  await applies(second, 0, ...prune);
  expect(labelsOf(await planOf(second, ...prune), 'delete')).toEqual([]);
}

describe('the same files and record in another place own nothing there', () => {
  test('in another cluster, for every kind', async () => {
    await checkBothSides([placeOf(one), placeOf(two)], everyObject(), 'file:../record.json');
  });

  test.each(['file:../namespaces.json', 'registry:lanyard/namespaces'])(
    'in another namespace, with the record %s',
    async (record) => {
      const names = [newSetId(), newSetId()] as const;
      for (const name of names)
        expect((await one.run(['api', 'secrets', 'POST', `sys/namespaces/${name}`])).code).toBe(0);
      const places = names.map((name) => placeOf(one, { LANYARD_SECRETS_NAMESPACE: name }));
      const objects = everyObject().filter(({ kind }) => kindOf(kind).service === 'secrets');
      const engines: readonly Stated[] = ['secret', 'ssh'].map((path) => ({
        kind: 'secrets.mount',
        identity: { scope: {}, key: `${path}/` },
        spec: path === 'ssh' ? { type: 'ssh' } : { type: 'kv', options: { version: '2' } },
      }));
      const own = [...engines.filter((each) => !objects.some((object) => isSame(object, each))), ...objects];
      await checkBothSides(places as unknown as readonly [Place, Place], own, `${record}-${names[0]}`);
    },
  );
});
