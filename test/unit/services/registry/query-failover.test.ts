import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { HttpError } from '../../../../src/services/core/http/http-service.ts';
import { goRules } from '../../../../src/services/core/schema/go-rules.ts';
import { read } from '../../../../src/services/core/schema/read.ts';
import { type Permissions, unrestricted } from '../../../../src/services/registry/acl/permissions.ts';
import type { Federation, Registry } from '../../../../src/services/registry/call.ts';
import { closeDatacenter, openDatacenter } from '../../../../src/services/registry/datacenter.ts';
import { putNode, putService } from '../../../../src/services/registry/model/catalog.ts';
import { query as queryType } from '../../../../src/services/registry/model/queries.ts';
import { definitionOf } from '../../../../src/services/registry/query/definition.ts';
import { execute } from '../../../../src/services/registry/query/execute.ts';
import type { Json } from '../../../../src/wire/json.ts';
import { memoryStorage } from '../../../support/memory-storage.ts';

const definitionFrom = (body: Json) => definitionOf(read(queryType, body, goRules));

const distances: Readonly<Record<string, number>> = { here: 0, far: 90, near: 10, middle: 50 };

/** Datacenters that know each other; `web` runs in those that are named, one instance in each. */
async function datacenters(serving: readonly string[]) {
  const registries = new Map<string, Registry>();
  const federation: Federation = {
    primary: 'here',
    datacenters: Object.keys(distances),
    registryOf: (name) => registries.get(name),
    roundTrip: (_from, to) => distances[to] ?? 0,
  };
  for (const datacenter of Object.keys(distances)) {
    const registry = await openDatacenter(datacenter, federation, {
      storage: memoryStorage(),
      encryption: { encrypt: (_name, text) => text, decrypt: (_name, sealed) => sealed },
      clock: () => new Date(),
      random: randomBytes,
      log: () => undefined,
      version: '1',
      onError: (error) => expect.unreachable(String(error)),
    });
    onTestFinished(() => closeDatacenter(registry));
    registries.set(datacenter, registry);
    if (!serving.includes(datacenter)) continue;
    await registry.state.update((draft) => {
      const node = {
        ID: '',
        Node: `${datacenter}-1`,
        Address: '10.0.0.1',
        TaggedAddresses: null,
        Meta: null,
      };
      putNode(draft, { ...node, Datacenter: datacenter });
      putService(draft, node.Node, web);
    });
  }
  const found = async (
    Failover: object,
    permissionsIn: (registry: Registry) => Permissions = () => unrestricted,
  ) => {
    const here = registries.get('here');
    if (!here) throw new Error('the own datacenter is missing');
    const definition = definitionFrom({ Name: 'q', Service: { Service: 'web', Failover: { ...Failover } } });
    const query = { ID: 'q', CreateIndex: 1, ModifyIndex: 1, ...definition };
    const asked = { near: '', address: '127.0.0.1', limit: 0, connect: false, permissionsIn };
    const { nodes, ...rest } = await execute(here, query, asked);
    return { ...rest, nodes: nodes.map(({ Node }) => Node.Node) };
  };
  return found;
}

const web = {
  ID: 'web',
  Service: 'web',
  Tags: [],
  Address: '',
  Meta: null,
  Port: 80,
  Weights: { Passing: 1, Warning: 1 },
  EnableTagOverride: false,
  Proxy: {},
  Connect: {},
};

test('a query that finds something in its own datacenter does not fail over', async () => {
  const found = await datacenters(['here', 'near']);
  expect(await found({ NearestN: 3 })).toEqual({
    nodes: ['here-1'],
    datacenter: 'here',
    peer: '',
    failovers: 0,
    filtered: false,
  });
});

test('a query without failover that finds nothing returns an empty result', async () => {
  const found = await datacenters(['near']);
  expect(await found({})).toMatchObject({ nodes: [], datacenter: 'here', failovers: 0 });
});

test('a query fails over to the configured number of nearest datacenters', async () => {
  const found = await datacenters(['middle', 'far']);
  expect(await found({ NearestN: 1 })).toMatchObject({ nodes: [], datacenter: 'near', failovers: 1 });
  expect(await found({ NearestN: 2 })).toMatchObject({
    nodes: ['middle-1'],
    datacenter: 'middle',
    failovers: 2,
  });
});

test('a query fails over to the datacenters that it names, in their order, after the nearest, each once', async () => {
  const found = await datacenters(['middle', 'far']);
  expect(await found({ Datacenters: ['far', 'middle'] })).toMatchObject({ datacenter: 'far', failovers: 1 });
  expect(await found({ Datacenters: ['nowhere', 'here', 'middle'] })).toMatchObject({
    datacenter: 'middle',
    failovers: 1,
  });
  expect(await found({ NearestN: 1, Datacenters: ['near', 'near', 'far'] })).toMatchObject({
    datacenter: 'far',
    failovers: 2,
  });
});

test('a query fails over to targets that are datacenters; peers never have instances', async () => {
  const found = await datacenters(['middle', 'far']);
  const Targets = [{ Peer: 'cluster' }, { Datacenter: 'near' }, { Datacenter: 'far' }];
  expect(await found({ Targets })).toMatchObject({ nodes: ['far-1'], datacenter: 'far', failovers: 3 });
});

test('a datacenter where the token is unknown, or may see nothing, is skipped', async () => {
  const found = await datacenters(['near', 'middle', 'far']);
  const blind: Permissions = { ...unrestricted, allows: () => false };
  const permissionsIn = ({ datacenter }: Registry) => {
    if (datacenter === 'near') throw new HttpError(403, 'ACL not found');
    return datacenter === 'middle' ? blind : unrestricted;
  };
  expect(await found({ NearestN: 3 }, permissionsIn)).toEqual({
    nodes: ['far-1'],
    datacenter: 'far',
    peer: '',
    failovers: 3,
    filtered: true,
  });
});
