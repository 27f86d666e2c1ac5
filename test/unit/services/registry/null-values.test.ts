import { describe, expect, test } from 'vitest';
import { responseWith } from '../callers.ts';
import { folder } from '../support.ts';
import { registry } from './support.ts';

// Statuses, texts and values as seen on Consul 1.21.4.
const node = { Node: 'n', Address: '10.0.0.1' };
const zeroAddress = { Address: '', Port: 0 };

test.each([
  ['catalog/register', '500 Must provide node'],
  ['catalog/deregister', '500 Must provide node'],
  ['agent/service/register', '400 Missing service name'],
  ['agent/check/register', '400 Missing check name'],
  ['agent/check/update/c', "400 Invalid check status: ''"],
  ['txn', expect.stringMatching(/^200 \{"Results":\[\],"Errors":null/)],
])('a body of null has no fields: %s', async (path, response) => {
  const { send } = await registry();
  expect(await send('PUT', path, null)).toEqual(response);
});

describe('null in a list or map is the zero value', () => {
  test('in the catalog', async () => {
    const { json } = await registry();
    await json('PUT', 'catalog/register', {
      ...node,
      NodeMeta: { a: null },
      TaggedAddresses: { lan: null },
      Service: { Service: 's', Tags: ['A', null], Meta: { a: null }, TaggedAddresses: { lan: null } },
      Checks: [{ Name: 'c', ServiceTags: [null], Definition: { ScriptArgs: ['a', null] } }],
    });
    expect(await json('GET', 'catalog/node/n')).toMatchObject({
      Node: { Meta: { a: '' }, TaggedAddresses: { lan: '' } },
      Services: { s: { Tags: ['A', ''], Meta: { a: '' }, TaggedAddresses: { lan: zeroAddress } } },
    });
    expect(await json('GET', 'health/node/n')).toMatchObject([
      { ServiceTags: [''], Type: 'script', Definition: { ScriptArgs: ['a', ''] } },
    ]);
  });

  test('in a transaction', async () => {
    const { json } = await registry();
    const Service = { Service: 's', Tags: [null], Meta: { a: null }, TaggedAddresses: { lan: null } };
    const results = await json('PUT', 'txn', [
      { Node: { Verb: 'set', Node: { ...node, Meta: { a: null }, TaggedAddresses: { lan: null } } } },
      { Service: { Verb: 'set', Node: 'n', Service } },
      { Check: { Verb: 'set', Check: { Node: 'n', Name: 'c', ServiceTags: [null] } } },
    ]);
    expect(results).toMatchObject({
      Results: [
        { Node: { Meta: { a: '' }, TaggedAddresses: { lan: '' } } },
        { Service: { Tags: [''], Meta: { a: '' }, TaggedAddresses: { lan: zeroAddress } } },
        { Check: { ServiceTags: [''] } },
      ],
    });
  });

  test('at the agent', async () => {
    const { json } = await registry();
    const body = { Name: 's', Tags: ['A', null], Meta: { a: null }, tagged_addresses: { lan: null } };
    await json('PUT', 'agent/service/register', { ...body, Check: null, Connect: { SidecarService: null } });
    expect(await json('GET', 'agent/service/s')).toMatchObject({
      Tags: ['A', ''],
      Meta: { a: '' },
      TaggedAddresses: { lan: zeroAddress },
    });
  });

  // Consul closes the connection without a response.
  test.each([
    ['catalog/register', { ...node, Checks: [null] }, /^500 failed inserting check on node "n"/],
    ['agent/service/register', { Name: 's', Checks: [null] }, /^400 Invalid check: TTL must be > 0/],
    ['txn', [null], '400 Failed to parse body: unknown operation type'],
  ])('which a check or an operation cannot be: %s', async (path, body, response) => {
    const { json, send } = await registry();
    expect(await send('PUT', path, body)).toEqual(expect.stringMatching(response));
    expect(await json('GET', 'catalog/services')).toEqual({ consul: [] });
  });
});

test('addresses of a service are the same in memory and on disk', async () => {
  const dataDirectory = await folder();
  const first = await registry({ dataDirectory });
  const TaggedAddresses = { lan: null, wan: { address: '1.2.3.4' }, other: { Address: null, Port: 7 } };
  await first.json('PUT', 'catalog/register', { ...node, Service: { Service: 's', TaggedAddresses } });
  await first.json('PUT', 'catalog/register', { ...node, Service: { Service: 't', TaggedAddresses: {} } });
  const stored = await first.json('GET', 'catalog/node/n');
  await first.close();
  const { json } = await registry({ dataDirectory });
  expect(await json('GET', 'catalog/node/n')).toEqual(stored);
  expect(stored).toMatchObject({
    Services: {
      s: {
        TaggedAddresses: {
          lan: zeroAddress,
          wan: { Address: '1.2.3.4', Port: 0 },
          other: { Address: '', Port: 7 },
        },
      },
      t: expect.not.objectContaining({ TaggedAddresses: {} }),
    },
  });
});

test.each<[object, string | RegExp]>([
  [{ TaggedAddresses: { lan: 7 } }, /^Request decode failed: lan must be an object$/],
  [{ TaggedAddresses: { lan: { Port: 1.5 } } }, /^Request decode failed: Port of lan must be an integer$/],
  [{ TaggedAddresses: { lan: { Nope: 1 } } }, 'Request decode failed: json: unknown field "Nope"'],
  [{ Weights: { Nope: 1 } }, 'Request decode failed: json: unknown field "Nope"'],
  [{ tagged_addresses: {} }, 'Request decode failed: json: unknown field "tagged_addresses"'],
  [{ enable_tag_override: true }, 'Request decode failed: json: unknown field "enable_tag_override"'],
  ...['a', -1, 1.5, true, {}].map((ModifyIndex): [object, RegExp] => [
    { ModifyIndex },
    /^Request decode failed: ModifyIndex of Service must be an unsigned integer of 64 bits$/,
  ]),
])('the catalog rejects a service with %j', async (part, message) => {
  const { send } = await registry();
  const Service = { Service: 's', ...part };
  expect(await send('PUT', 'catalog/register', { ...node, Service })).toEqual(responseWith(400, message));
});

test.each([7, null, 0])('the catalog ignores an index of %j', async (ModifyIndex) => {
  const { send } = await registry();
  const body = { ...node, Service: { Service: 's', ModifyIndex }, Check: { Name: 'c', ModifyIndex } };
  expect(await send('PUT', 'catalog/register', body)).toBe('200 true');
});
