import { expect, test } from 'vitest';
import { responseWith } from '../callers.ts';
import { registry } from './support.ts';

const id = '11111111-2222-3333-4444-555555555555';
const node = { Node: 'n', Address: '10.0.0.1' };

test.each([
  [{ Address: '10.0.0.1' }, 'Must provide node'],
  [{ Node: 'n' }, 'Must provide address if SkipNodeUpdate is not set'],
  [{ ...node, ID: 'x' }, 'Bad node ID: uuid string is wrong length'],
  [
    { ...node, Service: { ID: 's' } },
    'Must provide service name (Service.Service) when service ID is provided',
  ],
  [{ ...node, Service: {} }, 'Must provide service name (Service.Service)'],
  [{ ...node, Service: { Service: 's', Address: '::' } }, 'Invalid service address'],
  [
    { ...node, Service: { Service: 's', Kind: 'connect-proxy', Port: 1 } },
    '1 error occurred:\n\t* Proxy.DestinationServiceName must be non-empty for Connect proxy services\n\n',
  ],
  [
    { ...node, Check: { Status: 'passing' } },
    'failed inserting check on node "n": failed health check lookup: index error: object is missing a value for this index',
  ],
  [
    { ...node, Checks: [{ CheckID: 'a' }, { CheckID: 'c', Node: 'other' }] },
    "Node 'other' for check 'c' doesn't match register request node 'n'",
  ],
  [{ ...node, Datacenter: 'dc9' }, 'No path to datacenter'],
  [
    { ...node, Check: { CheckID: 'c', ServiceID: 'missing' } },
    "Unknown service ID 'missing' for check ID 'c'",
  ],
])('a registration is rejected, and registers nothing: %j', async (body, message) => {
  const { json, send } = await registry();
  expect(await send('PUT', 'catalog/register', body)).toBe(`500 ${message}`);
  expect(await json('GET', 'catalog/nodes')).toHaveLength(1);
});

test.each([
  ['[', /^Request decode failed: /],
  [{ ...node, Checks: ['x'] }, 'Request decode failed: Checks must be an object'],
  [{ ...node, Service: 'x' }, /^Request decode failed: Service/],
  [{ ...node, Check: 'x' }, /^Request decode failed: Check /],
  [undefined, 'Request decode failed: EOF'],
  [{ ...node, Nope: 1 }, 'Request decode failed: json: unknown field "Nope"'],
  [{ ...node, Service: { Service: 's', Nope: 1 } }, 'Request decode failed: json: unknown field "Nope"'],
  [{ ...node, Check: { Name: 'c', Nope: 1 } }, 'Request decode failed: json: unknown field "Nope"'],
  [{ ...node, PeerName: 'p' }, 'Request decode failed: PeerName is not supported'],
  [{ ...node, SkipNodeUpdate: 'x' }, /^Request decode failed: SkipNodeUpdate/],
])('a registration of another form is rejected: %j', async (body, message) => {
  const { send } = await registry();
  expect(await send('PUT', 'catalog/register', body)).toEqual(responseWith(400, message));
});

test('a registration without an ID removes the ID of the node, SkipNodeUpdate keeps the entire node', async () => {
  const { json } = await registry();
  const found = async () => ((await json('GET', 'catalog/node/n')) as unknown as { Node: object }).Node;
  await json('PUT', 'catalog/register', { ...node, ID: id, Datacenter: 'DC1', SkipNodeUpdate: true });
  expect(await found()).toMatchObject({ ID: id, Address: '10.0.0.1', Datacenter: 'dc1' });
  await json('PUT', 'catalog/register', { Node: 'n', SkipNodeUpdate: true, Service: { Service: 'web' } });
  expect(await found()).toMatchObject({ ID: id, Address: '10.0.0.1' });
  await json('PUT', 'catalog/register', { ...node, Address: '10.0.0.2' });
  expect(await found()).toMatchObject({ ID: '', Address: '10.0.0.2' });
  await json('PUT', 'catalog/register', { Node: 'new', Address: '10.0.0.3' });
  const added = (await json('GET', 'catalog/node/new')) as unknown as { Node: object };
  expect(added.Node).toMatchObject({ ID: '' });
});

test('one check and a list of checks are registered together', async () => {
  const { json, send } = await registry();
  const checks = { Check: { CheckID: 'a' }, Checks: [{ CheckID: 'b', Node: 'n' }] };
  expect(await send('PUT', 'catalog/register', { ...node, ...checks })).toBe('200 true');
  expect(await json('GET', 'health/node/n')).toMatchObject([{ CheckID: 'a' }, { CheckID: 'b' }]);
});

test('a service, a check or a node is deregistered', async () => {
  const { json, send } = await registry();
  const Checks = [{ CheckID: 'a' }, { CheckID: 'b' }];
  await json('PUT', 'catalog/register', { ...node, Service: { Service: 'web' }, Checks });
  const deregister = (more: object) => send('PUT', 'catalog/deregister', { Node: 'n', ...more });
  const left = async () => {
    const found = (await json('GET', 'catalog/node/n')) as unknown as { Services: object } | null;
    const checks = (await json('GET', 'health/node/n')) as unknown as { CheckID: string }[];
    return [found && Object.keys(found.Services), checks.map(({ CheckID }) => CheckID)];
  };
  expect(await deregister({ Node: '' })).toBe('500 Must provide node');
  expect(await deregister({ Datacenter: 'dc9' })).toBe('500 No path to datacenter');
  expect(await deregister({ Namespace: 'team-a' })).toMatch(/^400 /);
  expect(await deregister({ Partition: 'team-a' })).toMatch(/^400 /);
  expect(await send('PUT', 'catalog/deregister', '[')).toMatch(/^400 Request decode failed: /);
  expect(await deregister({ ServiceID: 'missing' })).toBe('200 true');
  expect(await deregister({ CheckID: 'missing' })).toBe('200 true');
  expect(await left()).toEqual([['web'], ['a', 'b']]);
  expect(await deregister({ CheckID: 'a' })).toBe('200 true');
  expect(await left()).toEqual([['web'], ['b']]);
  expect(await deregister({ ServiceID: 'web', Datacenter: 'dc1' })).toBe('200 true');
  expect(await left()).toEqual([[], ['b']]);
  expect(await deregister({})).toBe('200 true');
  expect(await left()).toEqual([null, []]);
  expect(await send('PUT', 'catalog/deregister')).toBe('400 Request decode failed: EOF');
  expect(await send('PUT', 'catalog/deregister', {})).toBe('500 Must provide node');
  expect(await send('PUT', 'catalog/deregister', { Node: 'n', Nope: 1 })).toBe(
    '400 Request decode failed: json: unknown field "Nope"',
  );
});
