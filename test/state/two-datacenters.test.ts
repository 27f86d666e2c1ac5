import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { merge } from '../../src/state/compare.ts';
import type { JsonObject, Live, Services } from '../../src/state/kind.ts';
import { kinds } from '../../src/state/kinds.ts';
import type { TwoDatacenters } from '../support/two-datacenters.ts';
import { twoDatacenters } from '../support/two-datacenters.ts';
import { kindOf, resolvePath, writeSet } from './bench.ts';
import { clientsOf } from './clients.ts';
import type { ObjectCase } from './objects.ts';
import { registryObjects } from './registry-objects.ts';

// Every kind of the registry in a federation of two datacenters whose objects have the same names: what is read, compared
// and written is in the datacenter of the settings.

/** Kinds of which each datacenter has its own; the objects of the other kinds are in the primary one, for all. */
const ownKinds = ['registry.auth-method', 'registry.binding-rule', 'registry.key', 'registry.query'];
const sharedKinds = ['registry.config-entry', 'registry.policy', 'registry.role', 'registry.token'];

test('every kind of the registry has its place', () => {
  const all = kinds.filter(({ service }) => service === 'registry').map(({ name }) => name);
  expect([...ownKinds, ...sharedKinds].sort()).toEqual(all.sort());
});

let two: TwoDatacenters;
let services: Readonly<Record<'dc1' | 'dc2', Services>>;
beforeAll(async () => {
  two = await twoDatacenters();
  const inDatacenter = (dc: string) =>
    clientsOf({ ...two.at, env: { ...two.at.env, LANYARD_REGISTRY_DATACENTER: dc } });
  services = { dc1: inDatacenter('dc1'), dc2: inDatacenter('dc2') };
});
afterAll(() => two.close());

const create = (dc: 'dc1' | 'dc2', { kind, identity, spec }: Omit<ObjectCase, 'needs'>) =>
  kindOf(kind).create(services[dc], { identity, spec, live: undefined, resolvePath });
const read = (dc: 'dc1' | 'dc2', { kind, identity }: Pick<ObjectCase, 'kind' | 'identity'>) =>
  kindOf(kind).read(services[dc], identity);

async function withNeeds(dc: 'dc1' | 'dc2', { needs = [] }: ObjectCase): Promise<void> {
  for (const each of needs) if (!(await read(dc, each))) await create(dc, each);
}

/** The object to store: what a file states after the change, over what the service has. */
const changedSpec = ({ kind, changed = {} }: ObjectCase, live: Live): JsonObject => {
  const { schema, canonicalSpec } = kindOf(kind);
  return merge(schema, live.spec, canonicalSpec?.(changed) ?? changed);
};

const label = (each: ObjectCase) => ({ title: `${each.kind} ${each.identity.key}`, each });
const isLocal = ({ spec }: ObjectCase): boolean => (spec.local ?? spec.Local) === true;

describe('a kind of which each datacenter has its own objects', () => {
  test.each(registryObjects.filter(({ kind }) => ownKinds.includes(kind)).map(label))(
    '$title',
    async ({ each }) => {
      const kind = kindOf(each.kind);
      const { identity } = each;
      const key = JSON.stringify(identity);
      const isListed = async (dc: 'dc1' | 'dc2') =>
        (await kind.list(services[dc])).some((one) => JSON.stringify(one) === key);
      for (const dc of ['dc1', 'dc2'] as const) await withNeeds(dc, each);
      await create('dc2', each);
      expect([await isListed('dc1'), await isListed('dc2')]).toEqual([false, true]);
      expect(await read('dc1', each)).toBeUndefined();
      await create('dc1', each);
      const other = { own: await two.own('dc1'), live: await read('dc1', each) };
      const live = (await read('dc2', each)) ?? expect.fail('it does not exist');
      if (each.changed)
        await kind.update(services.dc2, { identity, spec: changedSpec(each, live), live, resolvePath });
      const written = (await read('dc2', each)) ?? expect.fail('it does not exist');
      expect(written.version === live.version).toBe(each.changed === undefined);
      await kind.remove(services.dc2, identity, written);
      expect(await read('dc2', each)).toBeUndefined();
      expect([await isListed('dc1'), await isListed('dc2')]).toEqual([true, false]);
      expect({ own: await two.own('dc1'), live: await read('dc1', each) }).toEqual(other);
      await kind.remove(services.dc1, identity, other.live ?? expect.fail('it does not exist'));
    },
  );
});

describe('a kind whose objects all datacenters share', () => {
  test.each(registryObjects.filter((each) => sharedKinds.includes(each.kind) && !isLocal(each)).map(label))(
    '$title',
    async ({ each }) => {
      const kind = kindOf(each.kind);
      const { identity } = each;
      await withNeeds('dc2', each);
      const own = [await two.own('dc1'), await two.own('dc2')];
      await create('dc2', each);
      // Also directly after a write, when the copy of the datacenter may be older.
      const live = (await read('dc2', each)) ?? expect.fail('it does not exist');
      expect(await read('dc1', each)).toEqual(live);
      expect(await kind.list(services.dc2)).toContainEqual(identity);
      await kind.update(services.dc2, { identity, spec: changedSpec(each, live), live, resolvePath });
      const written = (await read('dc2', each)) ?? expect.fail('it does not exist');
      expect(written.version).not.toBe(live.version);
      expect(await read('dc1', each)).toEqual(written);
      await kind.remove(services.dc2, identity, written);
      expect([await read('dc1', each), await read('dc2', each)]).toEqual([undefined, undefined]);
      expect([await two.own('dc1'), await two.own('dc2')]).toEqual(own);
    },
  );
});

test('a local token is read in its datacenter, and written only by an agent there', async () => {
  const local = registryObjects.find(isLocal) ?? expect.fail('no local token');
  const kind = kindOf(local.kind);
  const rejected = { kind: 'usage', message: expect.stringContaining('local tokens in datacenter "dc2"') };
  await expect(create('dc2', local)).rejects.toMatchObject(rejected);
  const there = { kind: local.kind, identity: { scope: {}, key: String(two.ids.local) } };
  expect(await read('dc1', there)).toBeUndefined();
  const live = (await read('dc2', there)) ?? expect.fail('it does not exist');
  const spec = { ...live.spec, Description: 'changed' };
  await expect(
    kind.update(services.dc2, { identity: there.identity, spec, live, resolvePath }),
  ).rejects.toMatchObject(rejected);
  await expect(kind.remove(services.dc2, there.identity, live)).rejects.toMatchObject(rejected);
  expect(await read('dc2', there)).toEqual(live);
  expect(await kind.list(services.dc2)).toContainEqual(there.identity);
  expect(await kind.list(services.dc1)).not.toContainEqual(there.identity);
});

test('apply deletes the auth method of the datacenter of the settings, and no other', async () => {
  const { at, ask } = two;
  const metadata = { ensure: 'absent' };
  const method = { kind: 'registry.auth-method', identity: { scope: {}, key: 'login' }, spec: {}, metadata };
  writeSet({ at }, [method], { id: 'set0000001', directory: 'pm' });
  const env = { LANYARD_REGISTRY_DATACENTER: 'dc2' };
  const ran = await at.run(['apply', at.file('pm'), '--yes'], { env, cwd: at.path });
  expect(ran.stderr + ran.stdout).toContain('1 deleted');
  expect(ran.code).toBe(0);
  expect((await ask('GET', 'acl/auth-method/login?dc=dc2')).status).toBe(404);
  expect((await ask('GET', 'acl/auth-method/login?dc=dc1')).status).toBe(200);
});
