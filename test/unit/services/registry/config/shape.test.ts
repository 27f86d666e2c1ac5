import { describe, expect, test } from 'vitest';
import { decodeEntry } from '../../../../../src/services/registry/config/decode.ts';
import { formatNanoseconds, readNanoseconds } from '../../../../../src/services/registry/config/duration.ts';
import { validateEntry } from '../../../../../src/services/registry/config/validate.ts';
import type { Json } from '../../../../../src/wire/json.ts';
import { parseJson } from '../../../../../src/wire/json.ts';

type Body = { [name: string]: Json };

describe('a config entry', () => {
  test('is read in snake_case and in any case', () => {
    const body = {
      kind: 'service-resolver',
      name: 'web',
      default_subset: 'v1',
      subsets: { v1: { filter: 'Service.Meta.v == 1', only_passing: true } },
      ConnectTimeout: '90s',
      failover: { '*': { service_subset: 'v1', DATACENTERS: ['dc2'] } },
    };
    expect(decodeEntry(body)).toEqual({
      Kind: 'service-resolver',
      Name: 'web',
      DefaultSubset: 'v1',
      Subsets: { v1: { Filter: 'Service.Meta.v == 1', OnlyPassing: true } },
      Failover: { '*': { ServiceSubset: 'v1', Datacenters: ['dc2'] } },
      ConnectTimeout: '1m30s',
    });
  });

  test('keeps user-defined names unchanged', () => {
    const body = parseJson('{"Kind":"service-resolver","Name":"web","Subsets":{"my_V1":{},"__proto__":{}}}');
    const entry = decodeEntry(body);
    expect(entry.Kind === 'service-resolver' && Object.keys(entry.Subsets ?? {})).toEqual([
      'my_V1',
      '__proto__',
    ]);
  });

  test('keeps settings for proxies unchanged', () => {
    const Config = { protocol: 'http', some_thing: { Deep: [0, '', null] } };
    expect(decodeEntry({ Kind: 'proxy-defaults', Name: 'global', Config })).toEqual({
      Kind: 'proxy-defaults',
      Name: 'global',
      Config,
    });
  });

  test('leaves members without a value out', () => {
    const body = {
      Kind: 'service-resolver',
      Name: 'web',
      DefaultSubset: '',
      Subsets: {},
      Redirect: null,
      ConnectTimeout: 0,
    };
    expect(decodeEntry(body)).toEqual({ Kind: 'service-resolver', Name: 'web' });
  });

  test('keeps a weight of 0, and a missing one as 0', () => {
    const Splits = [{ Weight: 100 }, { Service: 'a', Weight: 0 }, { Service: 'b' }];
    const entry = decodeEntry({ Kind: 'service-splitter', Name: 'web', Splits });
    expect(entry.Kind === 'service-splitter' && entry.Splits?.map(({ Weight }) => Weight)).toEqual([
      100, 0, 0,
    ]);
  });

  test('may bring the indexes that it was shown with', () => {
    const body = { Kind: 'service-defaults', Name: 'web', CreateIndex: 4, ModifyIndex: 9 };
    expect(decodeEntry(body)).toEqual({ Kind: 'service-defaults', Name: 'web' });
  });

  test('has its protocol in lower case and its methods in upper case', () => {
    expect(decodeEntry({ Kind: 'service-defaults', Name: 'web', Protocol: 'HTTP' })).toHaveProperty(
      'Protocol',
      'http',
    );
    const Routes = [{ Match: { HTTP: { Methods: ['get'] } } }];
    expect(decodeEntry({ Kind: 'service-router', Name: 'web', Routes })).toHaveProperty('Routes', [
      { Match: { HTTP: { Methods: ['GET'] } } },
    ]);
  });

  const undecodable: [string, Json, string][] = [
    ['that is no object', [], 'a config entry must be an object'],
    ['without a kind', { Name: 'web' }, 'Payload does not contain a kind/Kind key at the top level'],
    ['of an unsupported kind', { Kind: 'mesh', Name: 'web' }, 'unsupported config entry kind: mesh'],
    ['of an unknown kind', { Kind: 'mash', Name: 'web' }, 'invalid config entry kind: mash'],
    ['of a kind that is no text', { Kind: 7, Name: 'web' }, 'Kind value in payload is not a string'],
    [
      'with several unknown members',
      { Kind: 'service-resolver', Name: 'web', b: 1, a: 1, Redirect: { Namespaces: 1, PeerNamespace: '' } },
      '4 errors occurred:\n\t* invalid config key "Redirect.Namespaces"\n\t* invalid config key "Redirect.PeerNamespace", namespaces are a consul enterprise feature\n\t* invalid config key "a"\n\t* invalid config key "b"\n\n',
    ],
    [
      'with a number below 0',
      { Kind: 'service-router', Name: 'web', Routes: [{ Destination: { NumRetries: -1 } }] },
      'Routes[0].Destination.NumRetries must be an integer from 0 to 4294967295',
    ],
    [
      'with an empty timeout',
      { Kind: 'service-resolver', Name: 'web', ConnectTimeout: '' },
      'ConnectTimeout must be a duration such as "5s"',
    ],
    [
      'with a member that there is not',
      { Kind: 'service-resolver', Name: 'web', Failover: { '*': { Dc: 'dc2' } } },
      'invalid config key "Failover[*].Dc"',
    ],
    [
      'with a text in place of a number',
      { Kind: 'service-splitter', Name: 'web', Splits: [{ Weight: '100' }] },
      'Splits[0].Weight must be a number',
    ],
    [
      'with a timeout that is none',
      { Kind: 'service-resolver', Name: 'web', ConnectTimeout: 'soon' },
      'ConnectTimeout must be a duration such as "5s"',
    ],
  ];
  test.each(undecodable)('%s cannot be decoded', (_what, body, message) => {
    expect(() => decodeEntry(body)).toThrow(message);
  });
});

const resolver = (members: Body): Body => ({ Kind: 'service-resolver', Name: 'web', ...members });
const splits = (...Splits: Body[]): Body => ({ Kind: 'service-splitter', Name: 'web', Splits });
const http = (HTTP: Body, rest: Body = {}): Body => ({
  Kind: 'service-router',
  Name: 'web',
  Routes: [{ Match: { HTTP }, ...rest }],
});

describe('the rules of config entries', () => {
  const wrong: [string, Body, string][] = [
    ['no name', { Kind: 'service-defaults' }, 'Name is required'],
    [
      'a name that no path can hold',
      { Kind: 'service-defaults', Name: 'a/b' },
      'invalid name ("a/b"): it cannot be a segment of a path',
    ],
    [
      'proxy defaults of another name',
      { Kind: 'proxy-defaults', Name: 'mine' },
      'invalid name ("mine"), only "global" is supported',
    ],
    [
      'a mesh gateway mode that there is not',
      { Kind: 'service-defaults', Name: 'web', MeshGateway: { Mode: 'far' } },
      'Invalid Mesh Gateway Mode: "far"',
    ],
    ['a splitter without splits', splits(), 'no splits configured'],
    [
      'weights of less than 100',
      splits({ Weight: 50 }, { Weight: 49.99, Service: 'a' }),
      'the sum of all split weights must be 100, not 99.989998',
    ],
    [
      'weights of more than 100',
      splits({ Weight: 100 }, { Weight: 1, Service: 'a' }),
      'the sum of all split weights must be 100, not 101',
    ],
    [
      'a weight below 0',
      splits({ Weight: -1 }, { Weight: 101, Service: 'a' }),
      'split weight must be from 0 to 100, not -1',
    ],
    [
      'two splits to one place',
      splits({ Weight: 50 }, { Weight: 50, Service: 'web' }),
      'split destination occurs more than once: service="web", subset="", namespace="", partition=""',
    ],
    [
      'a redirect together with failover',
      resolver({ Redirect: { Service: 'db' }, Failover: { '*': { Service: 'b' } } }),
      'Redirect and Failover cannot both be set',
    ],
    ['a redirect to nowhere', resolver({ Redirect: {} }), 'Redirect is empty'],
    [
      'a redirect to a subset of no service',
      resolver({ Redirect: { ServiceSubset: 'v1' } }),
      'Redirect.ServiceSubset defined without Redirect.Service',
    ],
    [
      'a default subset that is not defined',
      resolver({ DefaultSubset: 'v1' }),
      'DefaultSubset "v1" is not a valid subset',
    ],
    [
      'failover of a subset that is not defined',
      resolver({ Failover: { v1: { Service: 'b' } } }),
      'Bad Failover["v1"]: not a valid subset',
    ],
    [
      'failover to nowhere',
      resolver({ Failover: { '*': {} } }),
      'Bad Failover["*"]: one of Service, ServiceSubset, Namespace, Targets, SamenessGroup, or Datacenters is required',
    ],
    [
      'failover to targets and datacenters',
      resolver({ Failover: { '*': { Targets: [{ Service: 'b' }], Datacenters: ['dc2'] } } }),
      'Bad Failover["*"]: Targets cannot be set with Datacenters',
    ],
    [
      'failover to a datacenter without a name',
      resolver({ Failover: { '*': { Datacenters: [''] } } }),
      'Bad Failover["*"].Datacenters: found empty datacenter',
    ],
    [
      'a connect timeout below 0',
      resolver({ ConnectTimeout: '-1s' }),
      "Bad ConnectTimeout '-1s', must be >= 0",
    ],
    [
      'a load balancer that there is not',
      resolver({ LoadBalancer: { Policy: 'fair' } }),
      'Bad LoadBalancer policy: "fair" is not supported',
    ],
    [
      'an exact path that does not begin with a slash',
      http({ PathExact: 'a' }),
      "Route[0] PathExact doesn't start with '/': \"a\"",
    ],
    [
      'a path prefix that does not begin with a slash',
      http({ PathPrefix: 'a' }),
      "Route[0] PathPrefix doesn't start with '/': \"a\"",
    ],
    [
      'two ways to match a path',
      http({ PathExact: '/a', PathPrefix: '/b' }),
      'Route[0] should only contain at most one of PathExact, PathPrefix, or PathRegex',
    ],
    [
      'a header without a name',
      http({ Header: [{ Exact: 'a' }] }),
      'Route[0] Header[0] missing required Name field',
    ],
    [
      'a header without a condition',
      http({ Header: [{ Name: 'x' }] }),
      'Route[0] Header[0] should only contain one of Present, Exact, Prefix, Suffix, or Regex',
    ],
    [
      'a query parameter without a condition',
      http({ QueryParam: [{ Name: 'x' }] }),
      'Route[0] QueryParam[0] should only contain one of Present, Exact, or Regex',
    ],
    [
      'a query parameter with two conditions',
      http({ QueryParam: [{ Name: 'x', Present: true, Exact: 'y' }] }),
      'Route[0] QueryParam[0] should only contain one of Present, Exact, or Regex',
    ],
    [
      'a method that is named twice',
      http({ Methods: ['get', 'GET'] }),
      'Route[0] Methods contains "GET" more than once',
    ],
    [
      'a rewrite of a path that is not matched',
      http({}, { Destination: { PrefixRewrite: '/' } }),
      'Route[0] cannot make use of PrefixRewrite without configuring either PathExact or PathPrefix',
    ],
  ];
  test.each(wrong)('reject %s', (_what, body, message) => {
    expect(() => validateEntry(decodeEntry(body))).toThrow(message);
  });

  const right: [string, Body][] = [
    ['splits in hundredths', splits({ Weight: 33.33 }, { Weight: 66.67, Service: 'a' })],
    ['a split of 0', splits({ Weight: 100 }, { Weight: 0, Service: 'a' })],
    ['a redirect to another datacenter', resolver({ Redirect: { Datacenter: 'dc2' } })],
    [
      'a redirect to a subset of another service',
      resolver({ Redirect: { Service: 'a', ServiceSubset: 'v1' } }),
    ],
    ['weights that are finer than 0.01', splits({ Weight: 99.999 }, { Weight: 0.001, Service: 'a' })],
    ['a router without routes', { Kind: 'service-router', Name: 'web' }],
  ];
  test.each(right)('accept %s', (_what, body) => {
    expect(() => validateEntry(decodeEntry(body))).not.toThrow();
  });
});

describe('durations', () => {
  test.each([
    ['5s', 5e9],
    ['1h30m', 5.4e12],
    ['250ms', 2.5e8],
    ['0', 0],
    ['', 0],
    [1_500_000_000, 1.5e9],
  ])('%s is read', (value, nanoseconds) => {
    expect(readNanoseconds(value)).toBe(nanoseconds);
  });

  test.each(['5', 'soon', '5x', true, null, 1.5])('%s is not', (value) => {
    expect(readNanoseconds(value)).toBeUndefined();
  });

  test.each([
    [0, '0s'],
    [5e9, '5s'],
    [9e10, '1m30s'],
    [3.6e12, '1h0m0s'],
    [1.5e9, '1.5s'],
    [2.5e8, '250ms'],
    [-1e9, '-1s'],
  ])('%d nanoseconds are written %s', (nanoseconds, text) => {
    expect(formatNanoseconds(nanoseconds)).toBe(text);
  });
});
