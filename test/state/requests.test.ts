import { describe, expect, test } from 'vitest';
import type { Identity, JsonObject } from '../../src/state/kind.ts';
import { kinds } from '../../src/state/kinds.ts';
import {
  benchForAll,
  changedSpec,
  createNeeds,
  kindOf,
  newSetId,
  removeObject,
  type Stated,
  writeSet,
} from './bench.ts';
import { type ObjectCase, objectCases } from './objects.ts';

/** A few objects, and twice as many: what is sent for each object is the difference. */
const counts = [3, 7] as const;

/** Requests for each object that a command may send: the guard, the write with what it needs, and the confirming read. */
const maxRequestsOfEach = { plan: 3, export: 5, create: 8, update: 8, delete: 10 };

/** Where the number of an object is: in its key, in a field of its scope, or in what a key is made of. */
const numbered: Readonly<Record<string, (object: ObjectCase, n: number) => Partial<ObjectCase>>> = {
  'registry.token': ({ identity, spec: { SecretID: _secret, ...spec } }, n) => ({
    identity: { ...identity, key: identity.key.replace(/..$/, String(10 + n)) },
    spec,
  }),
  'registry.binding-rule': ({ spec, changed }, n) => ({
    identity: {
      scope: {},
      key: kindOf('registry.binding-rule').keyOf?.({ ...spec, BindName: `st${n}` }) ?? '',
    },
    spec: { ...spec, BindName: `st${n}` },
    ...(changed && { changed: { ...changed, BindName: `st${n}` } }),
  }),
  // Any other name is that of another kind.
  'registry.config-entry': ({ identity }, n) => ({
    identity: { ...identity, scope: { entryKind: 'service-defaults' }, key: `st-many-${n}` },
    spec: { Protocol: 'http' },
    changed: { Protocol: 'grpc' },
  }),
  'accounts.account': ({ identity }, n) => ({
    identity: { ...identity, key: `st-many-${n}` },
    spec: { description: 'one of many' },
    changed: { description: 'changed' },
  }),
  'box.version': ({ identity }, n) => ({ identity: { ...identity, key: `1.${n}.0` } }),
  'box.release': (object, n) => inMany(object, 'box', n),
  'secrets.mount': ({ identity }, n) => ({ identity: { ...identity, key: `st-many/${n}/` } }),
  'secrets.auth-method': ({ identity }, n) => ({ identity: { ...identity, key: `st-many-${n}/` } }),
  'secrets.auth-config': (object, n) => inMany(object, 'authMethod', n),
  // Each has an ID of its own.
  'secrets.auth-role': ({ identity, spec: { role_id: _id, ...spec }, changed }, n) => ({
    identity: { ...identity, key: `st-many-${n}` },
    spec,
    changed: { ...changed, role_id: null },
  }),
  ...Object.fromEntries(
    ['secrets.ssh-ca', 'secrets.ssh-zero-address', 'secrets.kv-config'].map((kind) => [
      kind,
      (object: ObjectCase, n: number) => inMany(object, 'mount', n),
    ]),
  ),
};

/** An object in a scope of its own, with what it needs. */
function inMany({ identity, needs = [] }: ObjectCase, field: string, n: number): Partial<ObjectCase> {
  const name = identity.scope[field] ?? '';
  const renamed = (given: Identity): Identity => ({
    scope: Object.fromEntries(
      Object.entries(given.scope).map(([key, value]) => [key, value === name ? `${name}-${n}` : value]),
    ),
    key: given.key.replace(new RegExp(`^${name}(/?)$`), `${name}-${n}$1`),
  });
  return {
    identity: renamed(identity),
    needs: needs.map((need) => ({ ...need, identity: renamed(need.identity) })),
  };
}

function objectsOf(object: ObjectCase, count: number): readonly ObjectCase[] {
  // Other numbers for another count: a version that was revoked cannot be released again.
  return Array.from({ length: count }, (_, index) => count + index).map((n) => ({
    ...object,
    ...(numbered[object.kind]?.(object, n) ?? {
      identity: { ...object.identity, key: `${object.identity.key}-${n}` },
    }),
  }));
}

/** The first case of each kind. The embedded service has no issuers. */
const cases = kinds
  .filter(({ name }) => name !== 'secrets.ssh-issuer')
  .map(({ name }) => objectCases.find(({ kind }) => kind === name) as ObjectCase);

const bench = await benchForAll();

/** The requests of a command, and how often the most frequent of the reads is repeated. */
async function requestsOf(argv: readonly string[], codes: readonly number[]) {
  bench.proxy.begin();
  const { code, stdout, stderr } = await bench.run(argv);
  expect(codes, stdout + stderr).toContain(code);
  const reads = new Map<string, number>();
  // The names of a list may be in its query.
  for (const { method, url } of bench.proxy.passed)
    if (method === 'GET' || method === 'LIST') {
      const request = `${method} ${url.split('?')[0]}`;
      reads.set(request, (reads.get(request) ?? 0) + 1);
    }
  const [most, repeats] = [...reads].sort(([, one], [, other]) => other - one)[0] ?? ['', 0];
  return { total: bench.proxy.passed.length, most, repeats };
}

type Requests = Readonly<Record<keyof typeof maxRequestsOfEach, Awaited<ReturnType<typeof requestsOf>>>>;

/** What the commands send for a number of objects, from creation to deletion. */
async function requestsFor(object: ObjectCase, count: number): Promise<Requests> {
  const objects = objectsOf(object, count);
  for (const each of objects) await createNeeds(each, bench);
  const set = { id: newSetId(), spec: { prune: { max: 100 } } };
  const stated = (given: readonly ObjectCase[]): Stated[] =>
    given.map(({ kind, identity, spec }) => ({ kind, identity, spec, metadata: { deletion: 'allow' } }));
  const write = (given: readonly ObjectCase[]) =>
    writeSet(bench, [...stated(given), anotherObject(object.kind)], set);
  const apply = ['apply', 'state', '--yes', '--parallelism', '1'];
  write(objects);
  const create = await requestsOf(apply, [0]);
  const plan = await requestsOf(['plan', 'state'], [0]);
  bench.at.clear('exported');
  const exported = await requestsOf(['export', 'exported', '--kind', object.kind, '--no-targets'], [0, 9]);
  write(objects.map((each) => ({ ...each, spec: (changedSpec(each) ?? each.spec) as JsonObject })));
  const update = await requestsOf(apply, [0]);
  write([]);
  const deletion = await requestsOf([...apply, '--prune', '--prune-max', '100'], [0]);
  // What the service cannot delete goes with the object that it is in.
  for (const each of objects) {
    const live = await kindOf(each.kind).read(bench.others, each.identity);
    if (live) await removeObject(bench.others, each, live);
  }
  return { create, plan, export: exported, update, delete: deletion };
}

/** A set must have an object of another kind left when all of a kind are deleted. */
const anotherObject = (kind: string): Stated => ({
  kind: kind === 'scheduler.variable' ? 'registry.key' : 'scheduler.variable',
  identity:
    kind === 'scheduler.variable'
      ? { scope: {}, key: 'st-left' }
      : { scope: { namespace: 'default' }, key: 'st-left' },
  spec: kind === 'scheduler.variable' ? { value: 'x' } : { Items: { a: 'x' } },
});

/** Lists that are sent for each object, with the reason. */
const listedForEach: Readonly<Record<string, readonly (keyof Requests)[]>> = {
  // Boundary deletes the accounts of an auth method with it.
  'accounts.auth-method': ['delete'],
};

describe.each(cases)('$kind', (object) => {
  test('requests grow linearly with the number of objects, and lists do not', async () => {
    const [few, many] = [await requestsFor(object, counts[0]), await requestsFor(object, counts[1])];
    const added = counts[1] - counts[0];
    for (const command of Object.keys(maxRequestsOfEach) as (keyof Requests)[]) {
      const perObject = (many[command].total - few[command].total) / added;
      expect(perObject, `${command}: requests for each object`).toBeLessThanOrEqual(
        maxRequestsOfEach[command],
      );
      if (listedForEach[object.kind]?.includes(command)) continue;
      expect(
        many[command].repeats - few[command].repeats,
        `${command}: ${many[command].most} was sent ${many[command].repeats} times`,
      ).toBeLessThan(3);
    }
  });
});
