import { describe, expect, test } from 'vitest';
import { compileChain } from '../../../../../src/services/registry/chain/compile.ts';
import type {
  ConfigEntry,
  EntriesByKind,
  EntryKind,
  EntrySource,
  Failover,
  ServiceResolver,
  Split,
} from '../../../../../src/services/registry/config/entry.ts';
import {
  compiled,
  defaults,
  http,
  proxies,
  rejection,
  resolver,
  resolverAt,
  router,
  splitsAt,
  splitter,
  trustDomain,
} from './harness.ts';

// What the recorded chains (test/conformance/chains.test.ts) do not contain: limits, circles, reasons, details.

const to = (Weight: number, Service: string, rest: Partial<Split> = {}): Split => ({
  Weight,
  Service,
  ...rest,
});

/** Weight and next node of each split of web. */
const shares = (entries: readonly ConfigEntry[]) =>
  splitsAt(compiled(entries), 'web.default').Splits.map(({ Weight, NextNode }) => [Weight, NextNode]);

test('a service without entries has a chain of one implicit resolver', () => {
  expect(compiled([])).toStrictEqual({
    ServiceName: 'web',
    Namespace: 'default',
    Datacenter: 'dc1',
    Default: true,
    Protocol: 'tcp',
    StartNode: 'resolver:web.default.dc1',
    Nodes: {
      'resolver:web.default.dc1': {
        Type: 'resolver',
        Name: 'web.default.dc1',
        Resolver: { Default: true, ConnectTimeout: '5s', Target: 'web.default.dc1' },
      },
    },
    Targets: {
      'web.default.dc1': {
        ID: 'web.default.dc1',
        Service: 'web',
        Namespace: 'default',
        Datacenter: 'dc1',
        MeshGateway: {},
        Subset: {},
        TransparentProxy: {},
        ConnectTimeout: '5s',
        SNI: `web.default.dc1.internal.${trustDomain}`,
        Name: `web.default.dc1.internal.${trustDomain}`,
      },
    },
    AutoVirtualIPs: null,
    ManualVirtualIPs: null,
  });
});

test('virtual IPs of the service are shown', () => {
  const request = { service: 'web', namespace: 'default', datacenter: 'dc1', trustDomain };
  const virtualIps = { auto: ['240.0.0.3'], manual: [] };
  const chain = compileChain({ ...request, virtualIps }, { entry: () => undefined });
  expect([chain.AutoVirtualIPs, chain.ManualVirtualIPs]).toEqual([['240.0.0.3'], []]);
});

test('proxy defaults without a protocol mean tcp', () => {
  expect(compiled([proxies({ Config: { timeout: 3 } })]).Protocol).toBe('tcp');
});

test('the nodes of a chain are sorted, and include no router of a service that a route leads to', () => {
  const chain = compiled([
    ...http('web', 'api', 'deep'),
    router('api', { Destination: { Service: 'deep' } }),
    router('web', { Destination: { Service: 'api' } }),
  ]);
  const nodes = ['resolver:api.default.dc1', 'resolver:web.default.dc1', 'router:web.default'];
  expect(Object.keys(chain.Nodes)).toEqual(nodes);
  const split = compiled([...http('web', 'a', 'b'), splitter('web', to(50, 'b'), to(50, 'a'))]);
  expect(Object.keys(split.Nodes)).toEqual([
    ...['resolver:a.default.dc1', 'resolver:b.default.dc1', 'splitter:web.default'],
  ]);
  expect(Object.keys(split.Targets)).toEqual(['a.default.dc1', 'b.default.dc1']);
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

const noRouting =
  'discovery chain "web" uses a protocol "tcp" that does not permit advanced routing or splitting behavior';
const otherProtocol =
  'discovery chain "web" uses inconsistent protocols; service "db" has "http" which is not "tcp"';

test.each<[title: string, reason: string, message: string, entries: ConfigEntry[]]>([
  ['a router of tcp', 'protocol-without-routing', noRouting, [router('web')]],
  ['a splitter of tcp', 'protocol-without-routing', noRouting, [splitter('web', { Weight: 100 })]],
  [
    'a redirect to a service of another protocol',
    'protocols-differ',
    otherProtocol,
    [...http('db'), resolver('web', { Redirect: { Service: 'db' } })],
  ],
  [
    'a redirect to an undefined subset',
    'no-such-subset',
    'service "db" does not have a subset named "v9"',
    [resolver('web', { Redirect: { Service: 'db', ServiceSubset: 'v9' } })],
  ],
  [
    'subsets of an external service',
    'external',
    'service "web" has an external SNI set; cannot define subsets for external services',
    [defaults('web', { ExternalSNI: 'www.example.com' }), resolver('web', { Subsets: { v1: {} } })],
  ],
  [
    'a redirect back to its origin',
    'circular-redirect',
    'detected circular resolver redirect: [web.default.dc1 -> api.default.dc1 -> web.default.dc1]',
    [resolver('web', { Redirect: { Service: 'api' } }), resolver('api', { Redirect: { Service: 'web' } })],
  ],
  [
    'two splitters that lead to each other',
    'circular-reference',
    'detected circular reference: [splitter:web.default -> splitter:mid.default -> splitter:web.default]',
    [...http('web', 'mid'), splitter('web', to(100, 'mid')), splitter('mid', to(100, 'web'))],
  ],
  [
    'splitters that lead back in two ways, with the path of the last split',
    'circular-reference',
    'detected circular reference: [splitter:web.default -> splitter:right.default -> splitter:web.default]',
    [
      ...http('web', 'left', 'right'),
      splitter('web', to(50, 'left'), to(50, 'right')),
      splitter('left', to(100, 'web')),
      splitter('right', to(100, 'web')),
    ],
  ],
])('rejects %s', (_title, reason, message, entries) => {
  expect(rejection(entries)).toEqual({ reason, message });
});

test.each([
  ['to the service itself is not circular', 'web', []],
  ['of an external service may lead to another service', 'db', [defaults('web', { ExternalSNI: 'a.b' })]],
])('a redirect %s', (_title, Service, entries) => {
  expect(compiled([...entries, resolver('web', { Redirect: { Service } })]).StartNode).toBe(
    `resolver:${Service}.default.dc1`,
  );
});

test('the mesh gateway mode of a service has precedence over the proxy defaults', () => {
  const of = (Mode: string) => ({ MeshGateway: { Mode } });
  const chain = compiled([defaults('web', of('none')), proxies(of('remote'))]);
  expect(chain.Targets['web.default.dc1']).toMatchObject(of('none'));
});

test('a redirect to a peer uses the entries of the service with that name, and may be redirected back', () => {
  const peered = resolver('web', { Redirect: { Service: 'db', Peer: 'east' } });
  const chain = compiled([peered, resolver('db', { ConnectTimeout: '9s' })]);
  expect(chain.Targets['db.default.external.east']?.ConnectTimeout).toBe('9s');
  expect(compiled([peered, resolver('db', { Redirect: { Service: 'spare' } })]).StartNode).toBe(
    'resolver:spare.default.dc1',
  );
});

test('failover to another service of a peer does not use entries with its name here', () => {
  const chain = compiled([
    resolver('web', { Failover: { '*': { Targets: [{ Service: 'db', Peer: 'east' }] } } }),
    resolver('db', { ConnectTimeout: '9s' }),
  ]);
  expect(chain.Targets['db.default.external.east']?.ConnectTimeout).toBe('5s');
});

test.each<[title: string, failover: Failover, targets: string[] | undefined, ...others: ServiceResolver[]]>([
  ['to a subset', { ServiceSubset: 'v2' }, ['v2.web.default.dc1']],
  ['to the current datacenter, which has no effect', { Datacenters: ['dc1'] }, undefined],
  [
    'to a service in datacenters',
    { Service: 'spare', Datacenters: ['dc1', 'dc2'] },
    ['spare.default.dc1', 'spare.default.dc2'],
  ],
  [
    'to a subset of a service',
    { Service: 'spare', ServiceSubset: 'v1' },
    ['v1.spare.default.dc1'],
    resolver('spare', { Subsets: { v1: {} } }),
  ],
  [
    'to a service with a redirect',
    { Service: 'spare' },
    ['reserve.default.dc2'],
    resolver('spare', { Redirect: { Service: 'reserve', Datacenter: 'dc2' } }),
  ],
  [
    'to a service with failover, which is not followed',
    { Service: 'spare' },
    ['spare.default.dc1'],
    resolver('spare', { Failover: { '*': { Service: 'web' } } }),
  ],
])('failover %s', (_title, failover, targets, ...others) => {
  const web = resolver('web', { Subsets: { v2: {} }, Failover: { '*': failover } });
  const chain = compiled([web, ...others]);
  expect(resolverAt(chain, 'web.default.dc1').Resolver.Failover?.Targets).toEqual(targets);
});

describe('a splitter', () => {
  const nested = [...http('web', 'mid', 'a', 'b'), splitter('mid', to(25, 'a'), to(75, 'b'))];

  test('replaces splitters that it leads to by their splits, with multiplied weights', () => {
    const chain = compiled([...nested, splitter('web', to(40, 'web'), to(60, 'mid'))]);
    expect(splitsAt(chain, 'web.default').Splits.map(({ Weight, NextNode }) => [Weight, NextNode])).toEqual([
      [40, 'resolver:web.default.dc1'],
      [15, 'resolver:a.default.dc1'],
      [45, 'resolver:b.default.dc1'],
    ]);
    expect(Object.keys(chain.Nodes)).not.toContain('splitter:mid.default');
  });

  test('may lead to the same splitter in two ways', () => {
    expect(
      shares([
        ...http('web', 'left', 'right', 'mid', 'a'),
        splitter('web', to(50, 'left'), to(50, 'right')),
        splitter('left', to(100, 'mid')),
        splitter('right', to(100, 'mid')),
        splitter('mid', to(100, 'a')),
      ]),
    ).toEqual([
      [50, 'resolver:a.default.dc1'],
      [50, 'resolver:a.default.dc1'],
    ]);
  });

  test('shows a split without a weight without one', () => {
    const chain = compiled([...http('web', 'db'), splitter('web', to(100, 'web'), to(0, 'db'))]);
    expect(splitsAt(chain, 'web.default').Splits[1]).toStrictEqual({
      Definition: { Weight: 0, Service: 'db' },
      NextNode: 'resolver:db.default.dc1',
    });
  });

  test('merges header edits: of requests the inner ones have precedence, of responses the outer ones', () => {
    const outer = {
      RequestHeaders: { Set: { x: 'outer', y: 'outer' }, Remove: ['p'] },
      ResponseHeaders: { Set: { x: 'outer' }, Remove: ['p', 'q'] },
    };
    const inner = {
      RequestHeaders: { Set: { x: 'inner' }, Remove: ['q'] },
      ResponseHeaders: { Set: { x: 'inner', y: 'inner' }, Remove: ['q', 'r'] },
    };
    const chain = compiled([
      ...http('web', 'mid', 'a'),
      splitter('web', to(100, 'mid', outer)),
      splitter('mid', to(100, 'a', inner)),
    ]);
    expect(splitsAt(chain, 'web.default').Splits[0]?.Definition).toStrictEqual({
      Weight: 100,
      Service: 'a',
      RequestHeaders: { Set: { x: 'inner', y: 'outer' }, Remove: ['p', 'q'] },
      ResponseHeaders: { Set: { x: 'outer', y: 'inner' }, Remove: ['q', 'r', 'p'] },
    });
  });

  test('has the load balancer of its first resolver with a hash, not of a splitter that it leads to', () => {
    const balanced = (name: string, Policy: string) => resolver(name, { LoadBalancer: { Policy } });
    const entries = [...nested, balanced('a', 'maglev'), balanced('b', 'ring_hash')];
    const chain = compiled([...entries, splitter('web', to(10, 'a'), to(90, 'b'))]);
    expect(splitsAt(chain, 'web.default').LoadBalancer).toEqual({ Policy: 'maglev' });
    const below = compiled([...entries, splitter('web', to(100, 'mid'))]);
    expect(splitsAt(below, 'web.default')).not.toHaveProperty('LoadBalancer');
  });
});

test('splitters that multiply without bound are rejected', () => {
  const levels = Array.from({ length: 60 }, (_none, level) => [`a${level}`, `b${level}`] as const);
  const entries = levels.flatMap(([a, b], level) => {
    const [left, right] = levels[level + 1] ?? ['end', 'stop'];
    return [a, b].map((name) => splitter(name, to(50, left), to(50, right)));
  });
  const all = proxies({ Config: { protocol: 'http' } });
  expect(rejection([all, ...entries, splitter('web', to(100, 'a0'))]).reason).toBe('too-many-splits');
});

test('splitters nested without bound are rejected', () => {
  const entries = Array.from({ length: 20_000 }, (_none, at) => splitter(`s${at}`, to(100, `s${at + 1}`)));
  const byName = new Map(entries.map((entry) => [entry.Name, entry]));
  const all = proxies({ Config: { protocol: 'http' } });
  const source: EntrySource = {
    entry: <Kind extends EntryKind>(kind: Kind, name: string) =>
      (kind === 'service-splitter' ? byName.get(name) : kind === 'proxy-defaults' ? all : undefined) as
        | EntriesByKind[Kind]
        | undefined,
  };
  const request = { service: 's0', namespace: 'default', datacenter: 'dc1', trustDomain };
  expect(() => compileChain(request, source)).toThrow('discovery chain "s0" has more than 1000 splitters');
});

describe('the customization hash', () => {
  const second = 1e9;
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
      hashOf([], { meshGateway: 'none' }),
      hashOf([], { meshGateway: 'remote', protocol: 'http' }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashes[0]).toMatch(/^[0-9a-f]{8}$/);
  });

  test('does not count overrides that changed nothing', () => {
    expect(compiled([], { connectTimeout: 5 * second, meshGateway: '' })).toStrictEqual(compiled([]));
    expect(hashOf([], { protocol: 'http', connectTimeout: 0 })).toBe(hashOf([], { protocol: 'http' }));
  });

  test('counts an override by tcp that only removes a router', () => {
    expect(hashOf([router('web')], { protocol: 'tcp' })).toMatch(/^[0-9a-f]{8}$/);
  });
});
