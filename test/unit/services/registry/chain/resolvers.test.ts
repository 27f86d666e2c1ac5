import { describe, expect, test } from 'vitest';
import { compileChain } from '../../../../../src/services/registry/chain/compile.ts';
import {
  compiled,
  defaults,
  http,
  proxies,
  rejection,
  resolver,
  resolverAt,
  trustDomain,
} from './harness.ts';

describe('a service without entries', () => {
  test('has a chain of one implicit resolver', () => {
    expect(compiled([])).toEqual({
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

  test('is looked for in the datacenter that the chain is compiled for', () => {
    const chain = compiled([], {}, { datacenter: 'dc7' });
    expect(chain.Datacenter).toBe('dc7');
    expect(Object.keys(chain.Targets)).toEqual(['web.default.dc7']);
  });

  test('has no customization hash', () => {
    expect(compiled([])).not.toHaveProperty('CustomizationHash');
  });
});

describe('the protocol of a chain', () => {
  test('is that of the service defaults', () => {
    expect(compiled([defaults('web', { Protocol: 'grpc' })]).Protocol).toBe('grpc');
  });

  test('is tcp when the service defaults have none, whatever the proxy defaults are', () => {
    expect(compiled([defaults('web'), proxies({ Config: { protocol: 'http' } })]).Protocol).toBe('tcp');
  });

  test('is that of the proxy defaults when there are no service defaults', () => {
    expect(compiled([proxies({ Config: { protocol: 'http2' } })]).Protocol).toBe('http2');
  });

  test('is tcp when the proxy defaults name none', () => {
    expect(compiled([proxies({ Config: { timeout: 3 } })]).Protocol).toBe('tcp');
  });

  test('is that of the service defaults when both name one', () => {
    const entries = [defaults('web', { Protocol: 'grpc' }), proxies({ Config: { protocol: 'http' } })];
    expect(compiled(entries).Protocol).toBe('grpc');
  });

  test('must be the same for the target of a redirect', () => {
    const entries = [...http('db'), resolver('web', { Redirect: { Service: 'db' } })];
    expect(rejection(entries)).toEqual({
      reason: 'protocols-differ',
      message:
        'discovery chain "web" uses inconsistent protocols; service "db" has "http" which is not "tcp"',
    });
  });

  test('must be the same for a replacement', () => {
    const entries = [...http('web'), resolver('web', { Failover: { '*': { Service: 'spare' } } })];
    expect(rejection(entries).message).toBe(
      'discovery chain "web" uses inconsistent protocols; service "spare" has "tcp" which is not "http"',
    );
  });

  test('is not held against services that the chain does not touch', () => {
    expect(compiled([...http('web'), defaults('other', { Protocol: 'grpc' })]).Protocol).toBe('http');
  });
});

describe('a resolver', () => {
  test('that is blank counts as the default', () => {
    expect(resolverAt(compiled([resolver('web')]), 'web.default.dc1').Resolver.Default).toBe(true);
  });

  test('that sets something is not the default', () => {
    const chain = compiled([resolver('web', { ConnectTimeout: '33s' })]);
    expect(resolverAt(chain, 'web.default.dc1').Resolver).toEqual({
      ConnectTimeout: '33s',
      Target: 'web.default.dc1',
    });
  });

  test('passes its connect timeout to its target', () => {
    const chain = compiled([resolver('web', { ConnectTimeout: '1m30s' })]);
    expect(chain.Targets['web.default.dc1']?.ConnectTimeout).toBe('1m30s');
  });

  test('shows its request timeout in nanoseconds', () => {
    const chain = compiled([resolver('web', { RequestTimeout: '2.5s' })]);
    expect(resolverAt(chain, 'web.default.dc1').Resolver.RequestTimeout).toBe(2_500_000_000);
  });

  test('shows its load balancer on its node', () => {
    const LoadBalancer = { Policy: 'least_request', LeastRequestConfig: { ChoiceCount: 5 } };
    const chain = compiled([resolver('web', { LoadBalancer })]);
    expect(resolverAt(chain, 'web.default.dc1').LoadBalancer).toEqual(LoadBalancer);
  });
});

describe('a default subset', () => {
  const v2 = resolver('web', {
    DefaultSubset: 'v2',
    Subsets: { v1: { Filter: 'Service.Meta.version == 1' }, v2: { Filter: 'Service.Meta.version == 2' } },
  });

  test('is used when none is requested', () => {
    const chain = compiled([v2]);
    expect(chain.StartNode).toBe('resolver:v2.web.default.dc1');
    expect(chain.Targets).toEqual({
      'v2.web.default.dc1': {
        ID: 'v2.web.default.dc1',
        Service: 'web',
        ServiceSubset: 'v2',
        Namespace: 'default',
        Datacenter: 'dc1',
        MeshGateway: {},
        Subset: { Filter: 'Service.Meta.version == 2' },
        TransparentProxy: {},
        ConnectTimeout: '5s',
        SNI: `v2.web.default.dc1.internal.${trustDomain}`,
        Name: `v2.web.default.dc1.internal.${trustDomain}`,
      },
    });
  });

  test('of the service that is redirected to is used', () => {
    const chain = compiled([v2, resolver('old', { Redirect: { Service: 'web' } })], {}, { service: 'old' });
    expect(chain.StartNode).toBe('resolver:v2.web.default.dc1');
  });

  test('gives way to the subset of a redirect', () => {
    const entries = [v2, resolver('old', { Redirect: { Service: 'web', ServiceSubset: 'v1' } })];
    const chain = compiled(entries, {}, { service: 'old' });
    expect(chain.StartNode).toBe('resolver:v1.web.default.dc1');
  });

  test('is used after a redirect to another datacenter', () => {
    const entry = resolver('web', { ...v2, Redirect: { Datacenter: 'dc2' } });
    expect(compiled([entry]).StartNode).toBe('resolver:v2.web.default.dc2');
  });

  test('without conditions has a target of its own', () => {
    const chain = compiled([resolver('web', { DefaultSubset: 'all', Subsets: { all: {} } })]);
    expect(chain.Targets['all.web.default.dc1']?.Subset).toEqual({});
  });

  test('keeps only-passing', () => {
    const Subsets = { up: { OnlyPassing: true } };
    const chain = compiled([resolver('web', { DefaultSubset: 'up', Subsets })]);
    expect(chain.Targets['up.web.default.dc1']?.Subset).toEqual({ OnlyPassing: true });
  });
});

describe('a redirect', () => {
  test('to another service starts the chain there and leaves nothing of the first', () => {
    const chain = compiled([resolver('web', { Redirect: { Service: 'db' } })]);
    expect(chain.ServiceName).toBe('web');
    expect(chain.StartNode).toBe('resolver:db.default.dc1');
    expect(Object.keys(chain.Nodes)).toEqual(['resolver:db.default.dc1']);
    expect(Object.keys(chain.Targets)).toEqual(['db.default.dc1']);
  });

  test('to another datacenter keeps the service', () => {
    const chain = compiled([resolver('web', { Redirect: { Datacenter: 'dc9' } })]);
    expect(Object.keys(chain.Targets)).toEqual(['web.default.dc9']);
    expect(chain.Datacenter).toBe('dc1');
  });

  test('to a service and datacenter changes both', () => {
    const chain = compiled([resolver('web', { Redirect: { Service: 'db', Datacenter: 'dc2' } })]);
    expect(chain.StartNode).toBe('resolver:db.default.dc2');
  });

  test('that follows another is followed too', () => {
    const entries = [
      resolver('web', { Redirect: { Service: 'api' } }),
      resolver('api', { Redirect: { Service: 'db', Datacenter: 'dc2' } }),
    ];
    expect(compiled(entries).StartNode).toBe('resolver:db.default.dc2');
  });

  test('to an undefined subset is rejected', () => {
    expect(rejection([resolver('web', { Redirect: { Service: 'db', ServiceSubset: 'v9' } })])).toEqual({
      reason: 'no-such-subset',
      message: 'service "db" does not have a subset named "v9"',
    });
  });

  test('back to its origin is rejected with its path', () => {
    const entries = [
      resolver('web', { Redirect: { Service: 'api' } }),
      resolver('api', { Redirect: { Service: 'web' } }),
    ];
    expect(rejection(entries)).toEqual({
      reason: 'circular-redirect',
      message: 'detected circular resolver redirect: [web.default.dc1 -> api.default.dc1 -> web.default.dc1]',
    });
  });

  test('to itself leads nowhere else and is no circle', () => {
    expect(compiled([resolver('web', { Redirect: { Service: 'web' } })]).StartNode).toBe(
      'resolver:web.default.dc1',
    );
  });
});

describe('mesh gateways', () => {
  test('are those of the service defaults', () => {
    const chain = compiled([defaults('web', { MeshGateway: { Mode: 'local' } })]);
    expect(chain.Targets['web.default.dc1']?.MeshGateway).toEqual({ Mode: 'local' });
  });

  test('are those of the proxy defaults when the service has no mode', () => {
    const chain = compiled([defaults('web'), proxies({ MeshGateway: { Mode: 'remote' } })]);
    expect(chain.Targets['web.default.dc1']?.MeshGateway).toEqual({ Mode: 'remote' });
  });

  test('are those of the service defaults when both have a mode', () => {
    const entries = [
      defaults('web', { MeshGateway: { Mode: 'none' } }),
      proxies({ MeshGateway: { Mode: 'remote' } }),
    ];
    expect(compiled(entries).Targets['web.default.dc1']?.MeshGateway).toEqual({ Mode: 'none' });
  });
});

describe('an external service', () => {
  const external = defaults('web', { ExternalSNI: 'www.example.com' });

  test('has the configured SNI, and its own name', () => {
    const target = compiled([external]).Targets['web.default.dc1'];
    expect(target).toMatchObject({
      External: true,
      SNI: 'www.example.com',
      Name: `web.default.dc1.internal.${trustDomain}`,
    });
  });

  test.each([
    ['redirects', { Redirect: { Datacenter: 'dc2' } }],
    ['subsets', { Subsets: { v1: {} } }],
    ['failover', { Failover: { '*': { Datacenters: ['dc2'] } } }],
  ])('may not define %s', (what, members) => {
    expect(rejection([external, resolver('web', members)])).toEqual({
      reason: 'external',
      message: `service "web" has an external SNI set; cannot define ${what} for external services`,
    });
  });

  test('bypasses mesh gateways and is not dialed directly', () => {
    const entries = [
      external,
      proxies({ MeshGateway: { Mode: 'remote' }, TransparentProxy: { DialedDirectly: true } }),
    ];
    expect(compiled(entries).Targets['web.default.dc1']).toMatchObject({
      MeshGateway: {},
      TransparentProxy: {},
    });
    expect(compiled(entries, { meshGateway: 'local' })).toEqual(compiled(entries));
  });

  test('may redirect to another service', () => {
    expect(compiled([external, resolver('web', { Redirect: { Service: 'db' } })]).StartNode).toBe(
      'resolver:db.default.dc1',
    );
  });
});

describe('a default chain', () => {
  test('may have defaults and a blank resolver', () => {
    expect(compiled([defaults('web'), resolver('web')])).toHaveProperty('Default', true);
  });

  test('has no setting of the resolver, and no redirect to a default resolver', () => {
    const timeout = resolver('web', { ConnectTimeout: '3s' });
    const redirect = resolver('web', { Redirect: { Service: 'db' } });
    for (const entry of [timeout, redirect]) expect(compiled([entry])).not.toHaveProperty('Default');
  });
});

test('targets are dialed directly if the defaults of the service or of the proxies say so', () => {
  const TransparentProxy = { DialedDirectly: true, OutboundListenerPort: 15_001 };
  for (const entry of [defaults('web', { TransparentProxy }), proxies({ TransparentProxy })])
    expect(compiled([entry]).Targets['web.default.dc1']?.TransparentProxy).toEqual({ DialedDirectly: true });
});

test('extensions of the proxy defaults are shown before those of the service, with all fields', () => {
  const chain = compiled([
    defaults('web', { EnvoyExtensions: [{ Name: 'builtin/wasm', Required: true }] }),
    proxies({ EnvoyExtensions: [{ Name: 'builtin/lua', Arguments: { Script: 'x' } }] }),
  ]);
  expect(chain.EnvoyExtensions).toEqual([
    {
      Name: 'builtin/lua',
      Required: false,
      Arguments: { Script: 'x' },
      ConsulVersion: '',
      EnvoyVersion: '',
    },
    { Name: 'builtin/wasm', Required: true, Arguments: null, ConsulVersion: '', EnvoyVersion: '' },
  ]);
});

test('virtual IPs of the service are shown', () => {
  const request = { service: 'web', namespace: 'default', datacenter: 'dc1', trustDomain };
  const virtualIps = { auto: ['240.0.0.3'], manual: [] };
  const chain = compileChain({ ...request, virtualIps }, { entry: () => undefined });
  expect([chain.AutoVirtualIPs, chain.ManualVirtualIPs]).toEqual([['240.0.0.3'], []]);
});

describe('a redirect to a peer', () => {
  const peered = resolver('web', { Redirect: { Service: 'db', Peer: 'east' } });

  test('has the protocol of the service itself, and a target without SNI', () => {
    const chain = compiled([proxies({ Config: { Protocol: 'http' } }), defaults('db'), peered]);
    expect(chain.Protocol).toBe('http');
    expect(chain.StartNode).toBe('resolver:db.default.external.east');
    expect(chain.Targets['db.default.external.east']).not.toHaveProperty('SNI');
  });

  test('uses the entries of the service with that name here', () => {
    const chain = compiled([peered, resolver('db', { ConnectTimeout: '9s' })]);
    expect(chain.Targets['db.default.external.east']?.ConnectTimeout).toBe('9s');
  });

  test('may be redirected back', () => {
    const chain = compiled([peered, resolver('db', { Redirect: { Service: 'spare' } })]);
    expect(chain.StartNode).toBe('resolver:spare.default.dc1');
  });
});

test('failover to another service of a peer does not use entries with its name here', () => {
  const chain = compiled([
    resolver('web', { Failover: { '*': { Targets: [{ Service: 'db', Peer: 'east' }] } } }),
    resolver('db', { ConnectTimeout: '9s' }),
  ]);
  expect(chain.Targets['db.default.external.east']?.ConnectTimeout).toBe('5s');
});

test('the metadata of the service defaults are shown with the chain', () => {
  expect(compiled([defaults('web', { Meta: { team: 'blue' } })]).ServiceMeta).toEqual({ team: 'blue' });
});
