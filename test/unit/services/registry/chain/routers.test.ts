import { describe, expect, test } from 'vitest';
import type { HttpMatch, RouteDestination } from '../../../../../src/services/registry/config/entry.ts';
import { compiled, http, proxies, rejection, resolver, router, routesAt, splitter } from './harness.ts';

const web = [...http('web')];
const catchAll = {
  Definition: {
    Match: { HTTP: { PathPrefix: '/' } },
    Destination: { Service: 'web', Namespace: 'default' },
  },
  NextNode: 'resolver:web.default.dc1',
};

const routes = (chain: ReturnType<typeof compiled>) => routesAt(chain, 'web.default');

describe('a router', () => {
  test('starts the chain and ends with a catch-all route to the service itself', () => {
    const chain = compiled([...web, router('web')]);
    expect(chain.StartNode).toBe('router:web.default');
    expect(chain.Nodes['router:web.default']).toEqual({
      Type: 'router',
      Name: 'web.default',
      Routes: [catchAll],
    });
  });

  test('leads a route without a destination to the service itself', () => {
    const Match = { HTTP: { PathPrefix: '/a' } };
    expect(routes(compiled([...web, router('web', { Match })]))).toEqual([
      { Definition: { Match }, NextNode: 'resolver:web.default.dc1' },
      catchAll,
    ]);
  });

  test('leads a destination without a service to the service itself', () => {
    const Destination = { NumRetries: 3 };
    expect(routes(compiled([...web, router('web', { Destination })]))[0]?.NextNode).toBe(
      'resolver:web.default.dc1',
    );
  });

  test('leads to another service', () => {
    const chain = compiled([...http('web', 'api'), router('web', { Destination: { Service: 'api' } })]);
    expect(routes(chain).map(({ NextNode }) => NextNode)).toEqual([
      'resolver:api.default.dc1',
      'resolver:web.default.dc1',
    ]);
    expect(Object.keys(chain.Targets)).toEqual(['api.default.dc1', 'web.default.dc1']);
  });

  test('leads to a splitter of another service', () => {
    const chain = compiled([
      ...http('web', 'api'),
      splitter('api', { Weight: 100 }),
      router('web', { Destination: { Service: 'api' } }),
    ]);
    expect(routes(chain)[0]?.NextNode).toBe('splitter:api.default');
  });

  test('ends at the splitter of its own service', () => {
    const chain = compiled([...web, splitter('web', { Weight: 100 }), router('web')]);
    expect(routes(chain)[0]?.NextNode).toBe('splitter:web.default');
  });

  test('passes splitters when a route names a subset', () => {
    const chain = compiled([
      ...http('web', 'api'),
      splitter('api', { Weight: 100 }),
      resolver('api', { Subsets: { v2: {} } }),
      router('web', { Destination: { Service: 'api', ServiceSubset: 'v2' } }),
    ]);
    expect(routes(chain)[0]?.NextNode).toBe('resolver:v2.api.default.dc1');
  });

  test('names a subset of its own service', () => {
    const chain = compiled([
      ...web,
      resolver('web', { Subsets: { v2: {} } }),
      router('web', { Destination: { ServiceSubset: 'v2' } }),
    ]);
    expect(routes(chain)[0]?.NextNode).toBe('resolver:v2.web.default.dc1');
  });

  test('does not look at the router of a service that it leads to', () => {
    const chain = compiled([
      ...http('web', 'api', 'deep'),
      router('api', { Destination: { Service: 'deep' } }),
      router('web', { Destination: { Service: 'api' } }),
    ]);
    expect(Object.keys(chain.Nodes)).toEqual([
      'resolver:api.default.dc1',
      'resolver:web.default.dc1',
      'router:web.default',
    ]);
  });

  test('follows redirects of what it leads to', () => {
    const chain = compiled([
      ...http('web', 'api', 'db'),
      resolver('api', { Redirect: { Service: 'db' } }),
      router('web', { Destination: { Service: 'api' } }),
    ]);
    expect(routes(chain)[0]?.NextNode).toBe('resolver:db.default.dc1');
  });

  test('keeps the order of its routes', () => {
    const chain = compiled([
      ...http('web', 'b', 'a'),
      router('web', { Destination: { Service: 'b' } }, { Destination: { Service: 'a' } }),
    ]);
    expect(routes(chain).map(({ Definition }) => Definition.Destination?.Service)).toEqual(['b', 'a', 'web']);
  });

  test('flattens splitters below it', () => {
    const chain = compiled([
      ...http('web', 'mid', 'a'),
      router('web'),
      splitter('web', { Weight: 100, Service: 'mid' }),
      splitter('mid', { Weight: 100, Service: 'a' }),
    ]);
    expect(Object.keys(chain.Nodes)).toEqual([
      'resolver:a.default.dc1',
      'router:web.default',
      'splitter:web.default',
    ]);
  });

  test.each(['http', 'http2', 'grpc'])('is permitted by %s', (protocol) => {
    expect(compiled([proxies({ Config: { protocol } }), router('web')]).StartNode).toBe('router:web.default');
  });

  test('needs a protocol that permits it', () => {
    expect(rejection([router('web')])).toEqual({
      reason: 'protocol-without-routing',
      message:
        'discovery chain "web" uses a protocol "tcp" that does not permit advanced routing or splitting behavior',
    });
  });

  test('may not lead to a service of another protocol', () => {
    expect(rejection([...web, router('web', { Destination: { Service: 'db' } })]).message).toBe(
      'discovery chain "web" uses inconsistent protocols; service "db" has "tcp" which is not "http"',
    );
  });

  test('may not lead to a subset that is not defined', () => {
    const entries = [...web, router('web', { Destination: { ServiceSubset: 'v1' } })];
    expect(rejection(entries).reason).toBe('no-such-subset');
  });
});

const matches: [string, HttpMatch][] = [
  ['an exact path', { PathExact: '/login' }],
  ['a path prefix', { PathPrefix: '/api' }],
  ['a path expression', { PathRegex: '/v[0-9]+/.*' }],
  ['a path in any case', { PathPrefix: '/Api', CaseInsensitive: true }],
  ['a header that is present', { Header: [{ Name: 'x-debug', Present: true }] }],
  ['a header that is exact', { Header: [{ Name: 'x-debug', Exact: '1' }] }],
  ['a header prefix', { Header: [{ Name: 'x-debug', Prefix: 'a' }] }],
  ['a header suffix', { Header: [{ Name: 'x-debug', Suffix: 'z' }] }],
  ['a header expression', { Header: [{ Name: 'x-debug', Regex: '[ab]+' }] }],
  ['a header that is not so', { Header: [{ Name: 'x-debug', Exact: '1', Invert: true }] }],
  ['a query parameter that is present', { QueryParam: [{ Name: 'env', Present: true }] }],
  ['a query parameter that is exact', { QueryParam: [{ Name: 'env', Exact: 'test' }] }],
  ['a query parameter expression', { QueryParam: [{ Name: 'env', Regex: 't.*' }] }],
  ['methods', { Methods: ['GET', 'PUT'] }],
];

const destinations: [string, RouteDestination][] = [
  ['a path rewrite', { PrefixRewrite: '/' }],
  ['a request timeout', { RequestTimeout: '1m30s' }],
  ['an idle timeout', { IdleTimeout: '5m0s' }],
  ['a number of retries', { NumRetries: 5 }],
  ['retries on a failure to connect', { RetryOnConnectFailure: true }],
  ['retries on conditions', { RetryOn: ['reset', 'gateway-error'] }],
  ['retries on status codes', { RetryOnStatusCodes: [502, 503] }],
  ['edits of request headers', { RequestHeaders: { Add: { a: '1' }, Set: { b: '2' }, Remove: ['c'] } }],
  ['edits of response headers', { ResponseHeaders: { Set: { b: '2' } } }],
  ['a namespace', { Namespace: 'default' }],
];

describe('the definition of a route', () => {
  test.each(matches)('shows a match by %s', (_what, HTTP) => {
    const chain = compiled([...web, router('web', { Match: { HTTP } })]);
    expect(routes(chain)[0]?.Definition).toEqual({ Match: { HTTP } });
  });

  test.each(destinations)('shows a destination with %s', (_what, Destination) => {
    const chain = compiled([...web, router('web', { Destination })]);
    expect(routes(chain)[0]?.Definition).toEqual({ Destination });
  });
});
