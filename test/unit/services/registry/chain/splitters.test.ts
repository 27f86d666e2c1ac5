import { describe, expect, test } from 'vitest';
import { compileChain } from '../../../../../src/services/registry/chain/compile.ts';
import type {
  EntriesByKind,
  EntryKind,
  EntrySource,
  Split,
} from '../../../../../src/services/registry/config/entry.ts';
import {
  compiled,
  defaults,
  http,
  proxies,
  rejection,
  resolver,
  splitsAt,
  splitter,
  trustDomain,
} from './harness.ts';

const web = [...http('web')];
const subsets = resolver('web', { Subsets: { v1: {}, v2: {} } });
const to = (Weight: number, Service: string, rest: Partial<Split> = {}): Split => ({
  Weight,
  Service,
  ...rest,
});

/** Weight and next node of each split of web. */
const shares = (chain: ReturnType<typeof compiled>) =>
  splitsAt(chain, 'web.default').Splits.map(({ Weight, NextNode }) => [Weight, NextNode]);

describe('a splitter', () => {
  test('starts the chain and leads to resolvers', () => {
    const chain = compiled([
      ...web,
      subsets,
      splitter('web', { Weight: 60, ServiceSubset: 'v2' }, { Weight: 40, ServiceSubset: 'v1' }),
    ]);
    expect(chain.StartNode).toBe('splitter:web.default');
    expect(chain.Nodes['splitter:web.default']).toEqual({
      Type: 'splitter',
      Name: 'web.default',
      Splits: [
        {
          Definition: { Weight: 60, ServiceSubset: 'v2' },
          Weight: 60,
          NextNode: 'resolver:v2.web.default.dc1',
        },
        {
          Definition: { Weight: 40, ServiceSubset: 'v1' },
          Weight: 40,
          NextNode: 'resolver:v1.web.default.dc1',
        },
      ],
    });
    expect(Object.keys(chain.Targets)).toEqual(['v1.web.default.dc1', 'v2.web.default.dc1']);
  });

  test('whose split names no service means its own', () => {
    expect(shares(compiled([...web, splitter('web', { Weight: 100 })]))).toEqual([
      [100, 'resolver:web.default.dc1'],
    ]);
  });

  test('whose split names its own service does not lead to itself', () => {
    expect(shares(compiled([...web, splitter('web', to(100, 'web'))]))).toEqual([
      [100, 'resolver:web.default.dc1'],
    ]);
  });

  test('may split to other services', () => {
    const chain = compiled([...http('web', 'db'), splitter('web', to(99.5, 'web'), to(0.5, 'db'))]);
    expect(shares(chain)).toEqual([
      [99.5, 'resolver:web.default.dc1'],
      [0.5, 'resolver:db.default.dc1'],
    ]);
  });

  test('keeps a split that has no weight', () => {
    const chain = compiled([...http('web', 'db'), splitter('web', to(100, 'web'), to(0, 'db'))]);
    expect(splitsAt(chain, 'web.default').Splits[1]).toEqual({
      Definition: { Weight: 0, Service: 'db' },
      NextNode: 'resolver:db.default.dc1',
    });
  });

  test('follows the redirects of the services it splits to', () => {
    const chain = compiled([
      ...http('web', 'old', 'db'),
      splitter('web', to(100, 'old')),
      resolver('old', { Redirect: { Service: 'db', Datacenter: 'dc2' } }),
    ]);
    expect(shares(chain)).toEqual([[100, 'resolver:db.default.dc2']]);
  });

  test('uses the default subset of its own service', () => {
    const entry = resolver('web', { Subsets: { v1: {} }, DefaultSubset: 'v1' });
    expect(shares(compiled([...web, entry, splitter('web', { Weight: 100 })]))).toEqual([
      [100, 'resolver:v1.web.default.dc1'],
    ]);
  });

  test('shares one resolver among splits with one target', () => {
    const chain = compiled([
      ...http('web', 'a', 'b'),
      resolver('a', { Redirect: { Service: 'web' } }),
      resolver('b', { Redirect: { Service: 'web' } }),
      splitter('web', to(30, 'a'), to(70, 'b')),
    ]);
    expect(Object.keys(chain.Nodes)).toEqual(['resolver:web.default.dc1', 'splitter:web.default']);
  });

  test('is permitted by a protocol of the proxy defaults', () => {
    const chain = compiled([proxies({ Config: { protocol: 'grpc' } }), splitter('web', { Weight: 100 })]);
    expect(chain.Protocol).toBe('grpc');
  });

  test('needs a protocol that permits it', () => {
    expect(rejection([splitter('web', { Weight: 100 })])).toEqual({
      reason: 'protocol-without-routing',
      message:
        'discovery chain "web" uses a protocol "tcp" that does not permit advanced routing or splitting behavior',
    });
  });

  test('may have another protocol than the resolvers that it leads to', () => {
    const entries = [
      proxies({ Config: { protocol: 'http' } }),
      defaults('web'),
      splitter('web', to(100, 'db')),
    ];
    expect(compiled(entries).Protocol).toBe('http');
  });

  test('may not split to a service of another protocol', () => {
    expect(rejection([...web, splitter('web', to(50, 'web'), to(50, 'db'))]).reason).toBe('protocols-differ');
  });

  test('may not split to a subset that is not defined', () => {
    expect(rejection([...web, splitter('web', { Weight: 100, ServiceSubset: 'v3' })]).message).toBe(
      'service "web" does not have a subset named "v3"',
    );
  });
});

describe('a splitter that leads to another', () => {
  const nested = [...http('web', 'mid', 'a', 'b'), splitter('mid', to(25, 'a'), to(75, 'b'))];

  test('takes its splits in, weights multiplied', () => {
    const chain = compiled([...nested, splitter('web', to(40, 'web'), to(60, 'mid'))]);
    expect(shares(chain)).toEqual([
      [40, 'resolver:web.default.dc1'],
      [15, 'resolver:a.default.dc1'],
      [45, 'resolver:b.default.dc1'],
    ]);
  });

  test('leaves the other out of the chain', () => {
    const chain = compiled([...nested, splitter('web', to(40, 'web'), to(60, 'mid'))]);
    expect(Object.keys(chain.Nodes)).not.toContain('splitter:mid.default');
    expect(Object.keys(chain.Targets)).not.toContain('mid.default.dc1');
  });

  test('takes in three levels', () => {
    const chain = compiled([
      ...nested,
      ...http('deep'),
      splitter('a', to(50, 'a'), to(50, 'deep')),
      splitter('web', to(50, 'web'), to(50, 'mid')),
    ]);
    expect(shares(chain)).toEqual([
      [50, 'resolver:web.default.dc1'],
      [6.25, 'resolver:a.default.dc1'],
      [6.25, 'resolver:deep.default.dc1'],
      [37.5, 'resolver:b.default.dc1'],
    ]);
  });

  test('rounds weights to hundredths', () => {
    const chain = compiled([
      ...http('web', 'mid', 'a', 'b'),
      splitter('mid', to(33.33, 'a'), to(66.67, 'b')),
      splitter('web', to(66.67, 'web'), to(33.33, 'mid')),
    ]);
    expect(shares(chain).map(([weight]) => weight)).toEqual([66.67, 11.11, 22.22]);
  });

  test('is not reached through a split to a subset', () => {
    const chain = compiled([
      ...nested,
      resolver('mid', { Subsets: { v1: {} } }),
      splitter('web', to(100, 'mid', { ServiceSubset: 'v1' })),
    ]);
    expect(shares(chain)).toEqual([[100, 'resolver:v1.mid.default.dc1']]);
  });

  test('merges the header edits of both, the inner ones holding', () => {
    const chain = compiled([
      ...http('web', 'mid', 'a'),
      splitter('web', to(100, 'mid', { RequestHeaders: { Set: { x: 'outer', y: 'outer' }, Remove: ['p'] } })),
      splitter('mid', to(100, 'a', { RequestHeaders: { Set: { x: 'inner' }, Remove: ['q'] } })),
    ]);
    expect(splitsAt(chain, 'web.default').Splits[0]?.Definition).toEqual({
      Weight: 100,
      Service: 'a',
      RequestHeaders: { Set: { x: 'inner', y: 'outer' }, Remove: ['p', 'q'] },
    });
  });

  test('merges the header edits of responses, the outer ones holding', () => {
    const chain = compiled([
      ...http('web', 'mid', 'a'),
      splitter('web', to(100, 'mid', { ResponseHeaders: { Set: { x: 'outer' }, Remove: ['p', 'q'] } })),
      splitter(
        'mid',
        to(100, 'a', { ResponseHeaders: { Set: { x: 'inner', y: 'inner' }, Remove: ['q', 'r'] } }),
      ),
    ]);
    expect(splitsAt(chain, 'web.default').Splits[0]?.Definition.ResponseHeaders).toEqual({
      Set: { x: 'outer', y: 'inner' },
      Remove: ['q', 'r', 'p'],
    });
  });

  test('keeps header edits that only the outer one has', () => {
    const ResponseHeaders = { Add: { via: 'web' } };
    const chain = compiled([
      ...http('web', 'mid', 'a'),
      splitter('web', to(100, 'mid', { ResponseHeaders })),
      splitter('mid', to(100, 'a')),
    ]);
    expect(splitsAt(chain, 'web.default').Splits[0]?.Definition.ResponseHeaders).toEqual(ResponseHeaders);
  });

  test('and back is rejected with its path', () => {
    const entries = [...http('web', 'mid'), splitter('web', to(100, 'mid')), splitter('mid', to(100, 'web'))];
    expect(rejection(entries)).toEqual({
      reason: 'circular-reference',
      message:
        'detected circular reference: [splitter:web.default -> splitter:mid.default -> splitter:web.default]',
    });
  });

  test('and back in two ways is rejected with the path of the last split', () => {
    const entries = [
      ...http('web', 'left', 'right'),
      splitter('web', to(50, 'left'), to(50, 'right')),
      splitter('left', to(100, 'web')),
      splitter('right', to(100, 'web')),
    ];
    expect(rejection(entries).message).toContain('[splitter:web.default -> splitter:right.default -> ');
  });

  test('by two ways is no circle', () => {
    const chain = compiled([
      ...http('web', 'left', 'right', 'mid', 'a'),
      splitter('web', to(50, 'left'), to(50, 'right')),
      splitter('left', to(100, 'mid')),
      splitter('right', to(100, 'mid')),
      splitter('mid', to(100, 'a')),
    ]);
    expect(shares(chain)).toEqual([
      [50, 'resolver:a.default.dc1'],
      [50, 'resolver:a.default.dc1'],
    ]);
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

describe('a load balancer below a splitter', () => {
  test.each(['maglev', 'ring_hash'])('is copied up when it is %s', (Policy) => {
    const chain = compiled([
      ...web,
      resolver('web', { LoadBalancer: { Policy } }),
      splitter('web', { Weight: 100 }),
    ]);
    expect(splitsAt(chain, 'web.default').LoadBalancer).toEqual({ Policy });
  });

  test('is the first of several', () => {
    const chain = compiled([
      ...http('web', 'a', 'b'),
      resolver('a', { LoadBalancer: { Policy: 'maglev' } }),
      resolver('b', { LoadBalancer: { Policy: 'ring_hash' } }),
      splitter('web', to(10, 'a'), to(90, 'b')),
    ]);
    expect(splitsAt(chain, 'web.default').LoadBalancer).toEqual({ Policy: 'maglev' });
  });

  test('is not that of a splitter below', () => {
    const chain = compiled([
      ...http('web', 'mid', 'a'),
      resolver('a', { LoadBalancer: { Policy: 'maglev' } }),
      splitter('web', to(100, 'mid')),
      splitter('mid', to(100, 'a')),
    ]);
    expect(splitsAt(chain, 'web.default')).not.toHaveProperty('LoadBalancer');
  });

  test('stays below when it is not based on a hash', () => {
    const chain = compiled([
      ...web,
      resolver('web', { LoadBalancer: { Policy: 'round_robin' } }),
      splitter('web', { Weight: 100 }),
    ]);
    expect(splitsAt(chain, 'web.default')).not.toHaveProperty('LoadBalancer');
  });
});
