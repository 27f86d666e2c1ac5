import { describe, expect, test } from 'vitest';
import {
  compiled,
  defaults,
  http,
  proxies,
  resolver,
  resolverAt,
  router,
  splitsAt,
  splitter,
} from './harness.ts';

const second = 1e9;
const hash = /^[0-9a-f]{8}$/;

describe('an override of the connect timeout', () => {
  test('holds for every resolver and target of the chain', () => {
    const chain = compiled(
      [resolver('web', { ConnectTimeout: '33s', Failover: { '*': { Service: 'spare' } } })],
      { connectTimeout: 8 * second },
    );
    expect(resolverAt(chain, 'web.default.dc1').Resolver.ConnectTimeout).toBe('8s');
    expect(Object.values(chain.Targets).map(({ ConnectTimeout }) => ConnectTimeout)).toEqual(['8s', '8s']);
    expect(chain.CustomizationHash).toMatch(hash);
  });

  test('of zero has no effect', () => {
    expect(compiled([], { connectTimeout: 0 })).toEqual(compiled([]));
  });

  test('to what it is already changes nothing', () => {
    expect(compiled([], { connectTimeout: 5 * second })).toEqual(compiled([]));
  });
});

describe('an override of the protocol', () => {
  const routed = [
    ...http('web', 'api'),
    router('web', { Destination: { Service: 'api' } }),
    splitter('web', { Weight: 100 }),
  ];

  test('to tcp removes routers and splitters', () => {
    const chain = compiled(routed, { protocol: 'tcp' });
    expect(chain.Protocol).toBe('tcp');
    expect(chain.StartNode).toBe('resolver:web.default.dc1');
    expect(Object.keys(chain.Nodes)).toEqual(['resolver:web.default.dc1']);
    expect(chain.CustomizationHash).toMatch(hash);
  });

  test('from one protocol with routes to another keeps the routes', () => {
    const chain = compiled(routed, { protocol: 'grpc' });
    expect(chain.Protocol).toBe('grpc');
    expect(chain.StartNode).toBe('router:web.default');
    expect(chain.CustomizationHash).toMatch(hash);
  });

  test('of a tcp chain adds neither router nor splitter', () => {
    const chain = compiled([], { protocol: 'http' });
    expect(chain.Protocol).toBe('http');
    expect(Object.keys(chain.Nodes)).toEqual(['resolver:web.default.dc1']);
    expect(chain.CustomizationHash).toMatch(hash);
  });

  test('to what it is already changes nothing', () => {
    expect(compiled(routed, { protocol: 'http' })).toEqual(compiled(routed));
  });

  test('to tcp is a change even if it only removes a router', () => {
    expect(compiled([router('web')], { protocol: 'tcp' }).CustomizationHash).toMatch(hash);
  });

  test('to tcp keeps redirects', () => {
    const entries = [...http('web', 'db'), resolver('web', { Redirect: { Service: 'db' } })];
    expect(compiled(entries, { protocol: 'tcp' }).StartNode).toBe('resolver:db.default.dc1');
  });
});

describe('an override of the mesh gateway', () => {
  test('holds for every target of the chain', () => {
    const chain = compiled(
      [
        defaults('web', { MeshGateway: { Mode: 'local' } }),
        resolver('web', { Failover: { '*': { Datacenters: ['dc2'] } } }),
      ],
      { meshGateway: 'remote' },
    );
    expect(Object.values(chain.Targets).map(({ MeshGateway }) => MeshGateway)).toEqual([
      { Mode: 'remote' },
      { Mode: 'remote' },
    ]);
    expect(chain.CustomizationHash).toMatch(hash);
  });

  test('to none is a change where there was no mode', () => {
    const chain = compiled([], { meshGateway: 'none' });
    expect(chain.Targets['web.default.dc1']?.MeshGateway).toEqual({ Mode: 'none' });
    expect(chain.CustomizationHash).toMatch(hash);
  });

  test('to what it is already changes nothing', () => {
    const entries = [proxies({ MeshGateway: { Mode: 'local' } })];
    expect(compiled(entries, { meshGateway: 'local' })).toEqual(compiled(entries));
  });
});

describe('the customization hash', () => {
  const hashOf = (...[entries, overrides]: Parameters<typeof compiled>) =>
    compiled(entries, overrides).CustomizationHash;

  test('is the same for the same overrides, whatever the service', () => {
    const overrides = { connectTimeout: second, protocol: 'http', meshGateway: 'local' } as const;
    const other = compiled([], overrides, { service: 'db' });
    expect(hashOf([], overrides)).toBe(other.CustomizationHash);
  });

  test('differs between overrides', () => {
    const hashes = [
      hashOf([], { connectTimeout: second }),
      hashOf([], { connectTimeout: 2 * second }),
      hashOf([], { protocol: 'http' }),
      hashOf([], { protocol: 'grpc' }),
      hashOf([], { meshGateway: 'local' }),
      hashOf([], { meshGateway: 'remote' }),
      hashOf([], { meshGateway: 'remote', protocol: 'http' }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test('does not count overrides that changed nothing', () => {
    expect(hashOf([], { protocol: 'http', connectTimeout: 5 * second })).toBe(
      hashOf([], { protocol: 'http' }),
    );
  });
});

test('a chain is a function of its arguments: compiling again gives the same, and changes no entry', () => {
  const entries = [
    ...http('web', 'mid', 'a'),
    router('web', { Destination: { Service: 'mid' } }),
    splitter('mid', { Weight: 50, Service: 'a' }, { Weight: 50 }),
    splitter('a', { Weight: 100 }),
  ];
  const before = structuredClone(entries);
  expect(compiled(entries)).toEqual(compiled(entries));
  expect(entries).toEqual(before);
  expect(splitsAt(compiled(entries), 'mid.default').Splits).toHaveLength(2);
});
