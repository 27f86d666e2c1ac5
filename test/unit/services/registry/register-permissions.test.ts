import { expect, test } from 'vitest';
import { guarded } from './support.ts';

const id = '11111111-2222-3333-4444-555555555555';
const node = { Node: 'n', Address: '10.0.0.1' };
const known = {
  ...node,
  ID: id,
  TaggedAddresses: { wan: '192.0.2.1' },
  NodeMeta: { rack: 'a' },
  Service: { Service: 'db' },
};
const writeWeb = 'service "web" { policy = "write" }';
const writeNode = 'node "n" { policy = "write" }';
const web = { Service: { Service: 'web' } };

/** A node with the service db, and the permission that a token with rules lacks to change it. */
async function prepared() {
  const all = await guarded();
  await all.manage('PUT', 'catalog/register', known);
  /** undefined: the request succeeds. */
  const lacks = async (rules: string, body: object, path = 'catalog/register') => {
    const headers = { 'X-Consul-Token': (await all.holder(rules)).secret };
    const { status, text } = await all.ask('PUT', path, { body, headers });
    return status === 200 ? undefined : (/lacks permission (.*)$/.exec(text)?.[1] ?? text);
  };
  const checks = async () => {
    const found = (await all.manage('GET', 'health/node/n')) as unknown as Record<string, unknown>[];
    return found.map(({ CheckID, ServiceID }) => [CheckID, ServiceID]);
  };
  return { ...all, lacks, checks };
}

const nodeWrite = `'node:write' on "n"`;

test('a registration that leaves the node unchanged needs no permission for it', async () => {
  const { lacks } = await prepared();
  const { Service: _, ...unchanged } = known;
  expect(await lacks(writeWeb, { ...unchanged, ...web })).toBeUndefined();
  expect(await lacks(writeWeb, { Node: 'n', SkipNodeUpdate: true, ...web })).toBeUndefined();
});

test.each([
  ['another address', { ...known, Address: '10.6.6.6' }],
  ['another ID', { ...known, ID: id.replaceAll('1', '2') }],
  ['no ID', { ...known, ID: undefined }],
  ['other metadata', { ...known, NodeMeta: { rack: 'b' } }],
  ['no metadata', { ...known, NodeMeta: undefined }],
  ['another tagged address', { ...known, TaggedAddresses: { wan: '10.6.6.6' } }],
  ['no tagged addresses', { ...known, TaggedAddresses: undefined }],
])('a registration that gives the node %s needs permission for it', async (_what, body) => {
  const { lacks, manage } = await prepared();
  const before = await manage('GET', 'catalog/node/n');
  expect(await lacks(writeWeb, { ...body, ...web })).toBe(nodeWrite);
  expect(await manage('GET', 'catalog/node/n')).toEqual(before);
  expect(await lacks(`${writeWeb} ${writeNode}`, { ...body, ...web })).toBeUndefined();
});

test('a node without metadata is unchanged by a registration with empty metadata', async () => {
  const { lacks, manage } = await prepared();
  await manage('PUT', 'catalog/register', { Node: 'plain', Address: '10.0.0.1' });
  const empty = { NodeMeta: {}, TaggedAddresses: {} };
  expect(await lacks(writeWeb, { Node: 'plain', Address: '10.0.0.1', ...empty, ...web })).toBeUndefined();
  expect(await lacks(writeWeb, { Node: 'plain', Address: '10.0.0.1', ...web })).toBeUndefined();
});

test('a new node needs permission, with SkipNodeUpdate too', async () => {
  const { lacks } = await prepared();
  const added = { Node: 'new', Address: '10.0.0.1', ...web };
  expect(await lacks(writeWeb, added)).toBe(`'node:write' on "new"`);
  expect(await lacks(writeWeb, { ...added, SkipNodeUpdate: true })).toBe(`'node:write' on "new"`);
});

test('a service that replaces another one needs permission for both names', async () => {
  const { lacks } = await prepared();
  const skip = { Node: 'n', SkipNodeUpdate: true };
  const renamed = { ...skip, Service: { ID: 'db', Service: 'web' } };
  expect(await lacks(writeWeb, renamed)).toBe(`'service:write' on "db"`);
  expect(await lacks('service "db" { policy = "write" }', renamed)).toBe(`'service:write' on "web"`);
  expect(await lacks(`${writeWeb} service "db" { policy = "write" }`, renamed)).toBeUndefined();
});

test('a check needs permission for its service, or for the node if it has none', async () => {
  const { lacks, checks } = await prepared();
  const skip = { Node: 'n', SkipNodeUpdate: true };
  const check = (CheckID: string, more: object = {}) => ({ ...skip, Check: { CheckID, ...more } });
  expect(await lacks(writeWeb, check('c'))).toBe(nodeWrite);
  // The name that the request gives the service does not matter.
  expect(await lacks(writeWeb, check('c', { ServiceName: 'web' }))).toBe(nodeWrite);
  expect(await lacks(writeWeb, check('c', { ServiceID: 'db', ServiceName: 'web' }))).toBe(
    `'service:write' on "db"`,
  );
  expect(await lacks(writeWeb, check('c', { ServiceID: 'missing', ServiceName: 'x' }))).toBe(
    "Unknown service ID 'missing' for check ID 'c'",
  );
  // That a service is registered in the same request gives no permission for other checks.
  expect(await lacks(writeWeb, { ...check('c'), ...web })).toBe(nodeWrite);
  expect(await lacks(writeWeb, { ...check('c', { ServiceID: 'db' }), ...web })).toBe(
    `'service:write' on "db"`,
  );
  expect(await lacks(writeWeb, { ...check('own', { ServiceID: 'web' }), ...web })).toBeUndefined();
  expect(await lacks(writeWeb, check('own', { ServiceID: 'web' }))).toBeUndefined();
  expect(await lacks(writeNode, check('c', { ServiceName: 'web' }))).toBeUndefined();
  expect(await checks()).toEqual([
    ['c', ''],
    ['own', 'web'],
  ]);
});

test('a check that replaces another one needs permission for its current owner', async () => {
  const { lacks, manage, checks } = await prepared();
  const skip = { Node: 'n', SkipNodeUpdate: true };
  const of = { Check: { CheckID: 'node', ServiceName: 'web' }, Checks: [{ CheckID: 'db', ServiceID: 'db' }] };
  await manage('PUT', 'catalog/register', { ...skip, ...web, ...of });
  const taken = (CheckID: string) => ({ ...skip, Check: { CheckID, ServiceID: 'web' } });
  expect(await lacks(writeWeb, taken('node'))).toBe(nodeWrite);
  expect(await lacks(writeWeb, taken('db'))).toBe(`'service:write' on "db"`);
  expect(await checks()).toEqual([
    ['db', 'db'],
    ['node', ''],
  ]);
  expect(await lacks(`${writeWeb} ${writeNode}`, taken('node'))).toBeUndefined();
});

test('a deregistration needs permission for what it removes', async () => {
  const { lacks, manage, checks } = await prepared();
  const Checks = [
    { CheckID: 'node', ServiceName: 'web' },
    { CheckID: 'web', ServiceID: 'web' },
  ];
  await manage('PUT', 'catalog/register', { Node: 'n', SkipNodeUpdate: true, ...web, Checks });
  const removing = (rules: string, more: object) =>
    lacks(rules, { Node: 'n', ...more }, 'catalog/deregister');
  expect(await removing(writeWeb, {})).toBe(nodeWrite);
  expect(await removing(writeWeb, { ServiceID: 'db' })).toBe(`'service:write' on "db"`);
  expect(await removing(writeWeb, { ServiceID: 'missing' })).toBe(nodeWrite);
  expect(await removing(writeWeb, { CheckID: 'missing' })).toBe(nodeWrite);
  expect(await removing(writeWeb, { CheckID: 'node' })).toBe(nodeWrite);
  expect(await removing(writeNode, { CheckID: 'web' })).toBe(`'service:write' on "web"`);
  expect(await checks()).toHaveLength(2);
  expect(await removing(writeWeb, { CheckID: 'web' })).toBeUndefined();
  expect(await removing(writeNode, { CheckID: 'node' })).toBeUndefined();
  expect(await removing(writeNode, { ServiceID: 'missing' })).toBeUndefined();
  expect(await removing(writeWeb, { ServiceID: 'web' })).toBeUndefined();
  expect(await removing(writeNode, {})).toBeUndefined();
});
