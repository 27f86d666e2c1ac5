import { describe, expect, test } from 'vitest';
import type { Failover, ServiceResolver } from '../../../../../src/services/registry/config/entry.ts';
import { compiled, rejection, resolver, resolverAt } from './harness.ts';

const subsets: Pick<ServiceResolver, 'Subsets'> = { Subsets: { v1: {}, v2: {} } };

/** IDs of the targets that stand in for web. */
function standIns(failover: Failover, ...others: ServiceResolver[]): readonly string[] | undefined {
  const chain = compiled([resolver('web', { Failover: { '*': failover } }), ...others]);
  return resolverAt(chain, 'web.default.dc1').Resolver.Failover?.Targets;
}

describe('failover', () => {
  test('to datacenters tries them in their order', () => {
    expect(standIns({ Datacenters: ['dc4', 'dc2'] })).toEqual(['web.default.dc4', 'web.default.dc2']);
  });

  test('leaves out the datacenter that the target is in already', () => {
    expect(standIns({ Datacenters: ['dc1', 'dc2'] })).toEqual(['web.default.dc2']);
  });

  test('that names only the target itself has no effect', () => {
    expect(standIns({ Datacenters: ['dc1'] })).toBeUndefined();
  });

  test('to a service goes to it in the same datacenter', () => {
    expect(standIns({ Service: 'spare' })).toEqual(['spare.default.dc1']);
  });

  test('to a service in datacenters goes to it in each', () => {
    expect(standIns({ Service: 'spare', Datacenters: ['dc1', 'dc2'] })).toEqual([
      'spare.default.dc1',
      'spare.default.dc2',
    ]);
  });

  test('to a subset keeps the service', () => {
    const entry = resolver('web', { ...subsets, Failover: { '*': { ServiceSubset: 'v2' } } });
    const node = resolverAt(compiled([entry]), 'web.default.dc1');
    expect(node.Resolver.Failover?.Targets).toEqual(['v2.web.default.dc1']);
  });

  test('to targets tries each in the given order', () => {
    const Targets = [{ Datacenter: 'dc2' }, { Service: 'spare' }, { Service: 'spare', Datacenter: 'dc3' }];
    expect(standIns({ Targets })).toEqual(['web.default.dc2', 'spare.default.dc1', 'spare.default.dc3']);
  });

  test('to a target of a subset uses it', () => {
    const spare = resolver('spare', subsets);
    expect(standIns({ Targets: [{ Service: 'spare', ServiceSubset: 'v1' }] }, spare)).toEqual([
      'v1.spare.default.dc1',
    ]);
  });

  test('to a peer has the peer instead of a datacenter', () => {
    const entry = resolver('web', { Failover: { '*': { Targets: [{ Peer: 'east' }] } } });
    const chain = compiled([entry]);
    expect(resolverAt(chain, 'web.default.dc1').Resolver.Failover?.Targets).toEqual([
      'web.default.external.east',
    ]);
    expect(chain.Targets['web.default.external.east']).toEqual({
      ID: 'web.default.external.east',
      Service: 'web',
      Namespace: 'default',
      Peer: 'east',
      MeshGateway: {},
      Subset: {},
      TransparentProxy: {},
      ConnectTimeout: '5s',
    });
  });

  test('follows the redirect of the replacement', () => {
    const spare = resolver('spare', { Redirect: { Service: 'reserve', Datacenter: 'dc2' } });
    expect(standIns({ Service: 'spare' }, spare)).toEqual(['reserve.default.dc2']);
  });

  test('uses the default subset of the replacement', () => {
    const spare = resolver('spare', { ...subsets, DefaultSubset: 'v2' });
    expect(standIns({ Service: 'spare' }, spare)).toEqual(['v2.spare.default.dc1']);
  });

  test('does not follow the failover of the replacement', () => {
    const spare = resolver('spare', { Failover: { '*': { Service: 'last' } } });
    const chain = compiled([resolver('web', { Failover: { '*': { Service: 'spare' } } }), spare]);
    expect(Object.keys(chain.Targets)).toEqual(['spare.default.dc1', 'web.default.dc1']);
    expect(Object.keys(chain.Nodes)).toEqual(['resolver:web.default.dc1']);
  });

  test('between two services is no circle', () => {
    const spare = resolver('spare', { Failover: { '*': { Service: 'web' } } });
    expect(standIns({ Service: 'spare' }, spare)).toEqual(['spare.default.dc1']);
  });

  test('of a subset goes before that of all', () => {
    const entry = resolver('web', {
      ...subsets,
      DefaultSubset: 'v1',
      Failover: { '*': { Datacenters: ['dc2'] }, v1: { Datacenters: ['dc3'] } },
    });
    const node = resolverAt(compiled([entry]), 'v1.web.default.dc1');
    expect(node.Resolver.Failover?.Targets).toEqual(['v1.web.default.dc3']);
  });

  test('of all is used by a subset that has none', () => {
    const entry = resolver('web', {
      ...subsets,
      DefaultSubset: 'v2',
      Failover: { '*': { Datacenters: ['dc2'] }, v1: { Datacenters: ['dc3'] } },
    });
    const node = resolverAt(compiled([entry]), 'v2.web.default.dc1');
    expect(node.Resolver.Failover?.Targets).toEqual(['v2.web.default.dc2']);
  });

  test('of another subset is not used', () => {
    const entry = resolver('web', {
      ...subsets,
      DefaultSubset: 'v2',
      Failover: { v1: { Datacenters: ['dc3'] } },
    });
    expect(resolverAt(compiled([entry]), 'v2.web.default.dc1').Resolver).not.toHaveProperty('Failover');
  });

  test('from a subset to another service leaves the subset behind', () => {
    const entry = resolver('web', {
      ...subsets,
      DefaultSubset: 'v1',
      Failover: { v1: { Service: 'spare' } },
    });
    const node = resolverAt(compiled([entry]), 'v1.web.default.dc1');
    expect(node.Resolver.Failover?.Targets).toEqual(['spare.default.dc1']);
  });

  test('to an undefined subset is rejected', () => {
    const entry = resolver('web', { Failover: { '*': { Service: 'spare', ServiceSubset: 'v9' } } });
    expect(rejection([entry]).message).toBe('service "spare" does not have a subset named "v9"');
  });

  test('adds its targets, completely, to those of the chain', () => {
    const entry = resolver('web', { ConnectTimeout: '10s', Failover: { '*': { Datacenters: ['dc2'] } } });
    expect(compiled([entry]).Targets['web.default.dc2']).toMatchObject({
      ID: 'web.default.dc2',
      Service: 'web',
      Datacenter: 'dc2',
      ConnectTimeout: '10s',
    });
  });

  test('of the target of a redirect applies', () => {
    const entries = [
      resolver('web', { Redirect: { Service: 'db' } }),
      resolver('db', { Failover: { '*': { Datacenters: ['dc2'] } } }),
    ];
    const node = resolverAt(compiled(entries), 'db.default.dc1');
    expect(node.Resolver.Failover?.Targets).toEqual(['db.default.dc2']);
  });
});
