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
    ['of an unsupported kind', { Kind: 'mesh', Name: 'web' }, 'unsupported config entry kind: mesh'],
    ['of an unknown kind', { Kind: 'mash', Name: 'web' }, 'invalid config entry kind: mash'],
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

describe('the rules of config entries', () => {
  const wrong: [string, Body, string][] = [
    ['no name', { Kind: 'service-defaults' }, 'Name is required'],
    [
      'a name that no path can hold',
      { Kind: 'service-defaults', Name: 'a/b' },
      'invalid name ("a/b"): it cannot be a segment of a path',
    ],
    [
      'an unknown mesh gateway mode',
      { Kind: 'service-defaults', Name: 'web', MeshGateway: { Mode: 'far' } },
      'Invalid Mesh Gateway Mode: "far"',
    ],
    [
      'a weight below 0',
      splits({ Weight: -1 }, { Weight: 101, Service: 'a' }),
      'split weight must be from 0 to 100, not -1',
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
    ['weights finer than 0.01', splits({ Weight: 99.999 }, { Weight: 0.001, Service: 'a' })],
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
