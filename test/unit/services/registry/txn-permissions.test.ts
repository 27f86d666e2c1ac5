import { expect, test } from 'vitest';
import { guarded, type Transacted } from './support.ts';

const id = '11111111-2222-3333-4444-555555555555';
const node = (Verb: string, Node: object) => ({ Node: { Verb, Node } });
const service = (Verb: string, Service: object) => ({ Service: { Verb, Node: 'n', Service } });
const check = (Verb: string, fields: object = {}) => ({
  Check: { Verb, Check: { Node: 'n', CheckID: 'c', ...fields } },
});

/** A node with services web and db, and what a transaction by a token with rules fails with. */
async function prepared() {
  const all = await guarded();
  const register = (more: object) =>
    all.manage('PUT', 'catalog/register', { Node: 'n', Address: '10.0.0.1', ID: id, ...more });
  await register({ Service: { Service: 'web' } });
  await register({ Service: { Service: 'db' } });
  /** The missing permission or cause of a failed operation; `omitted`: the token may not read the result. */
  const failures = async (rules: string, ...operations: object[]) => {
    const { send } = await all.holder(rules);
    const { Errors, Results, ResultsFilteredByACLs } = JSON.parse(
      await send.text('PUT', 'txn', operations),
    ) as Transacted;
    if (ResultsFilteredByACLs === true && Results?.length === 0) return 'omitted';
    return Errors?.map(({ What }) => /lacks permission (.*)$/.exec(What)?.[1] ?? What).join() ?? '';
  };
  const checks = async () => {
    const found = (await all.manage('GET', 'health/node/n')) as unknown as Record<string, unknown>[];
    return found.map(({ CheckID, ServiceID, Output }) => ({ CheckID, ServiceID, Output }));
  };
  const nodes = async () =>
    ((await all.manage('GET', 'catalog/nodes')) as unknown as { Node: string }[]).map(({ Node }) => Node);
  return { ...all, register, failures, checks, nodes };
}

const writeWeb = 'service "web" { policy = "write" }';
const writeNode = 'node "n" { policy = "write" }';

test('a node that is named by its ID needs permission for the name of that node', async () => {
  const { failures, nodes } = await prepared();
  const mine = 'node "mine" { policy = "write" }';
  expect(await failures(mine, node('get', { ID: id }))).toBe('omitted');
  expect(await failures(mine, node('delete', { ID: id }))).toBe(`'node:write' on "n"`);
  // Another name in the same operation does not help.
  expect(await failures(mine, node('get', { ID: id, Node: 'mine' }))).toBe('omitted');
  for (const verb of ['set', 'cas', 'delete', 'delete-cas'])
    expect(await failures(mine, node(verb, { ID: id, Node: 'mine', ModifyIndex: 3 })), verb).toBe(
      `'node:write' on "n"`,
    );
  expect(await failures(writeNode, node('get', { ID: id, Node: 'mine' }))).toBe('');
  expect(await nodes()).toContain('n');
  expect(await failures(writeNode, node('get', { ID: id }))).toBe('');
  expect(await failures(writeNode, node('delete', { ID: id }))).toBe('');
  expect(await nodes()).not.toContain('n');
});

test('a node with an unknown ID does not exist, whatever the token may read', async () => {
  const { failures } = await prepared();
  const unknown = { ID: id.replaceAll('1', '2') };
  for (const rules of [writeNode, 'node_prefix "" { policy = "read" }'])
    expect(await failures(rules, node('get', unknown))).toBe(`node "${unknown.ID}" doesn't exist`);
  expect(await failures(writeNode, node('delete', unknown))).toBe(`'node:write'`);
});

test('a service that is replaced needs permission for its current name and for the new one', async () => {
  const { failures } = await prepared();
  const renamed = service('set', { ID: 'db', Service: 'web' });
  expect(await failures(writeWeb, renamed)).toBe(`'service:write' on "db"`);
  expect(await failures('service "db" { policy = "write" }', renamed)).toBe(`'service:write' on "web"`);
  const both = `${writeWeb} service "db" { policy = "write" }`;
  expect(await failures(both, renamed)).toBe('');
});

test('a service is read by its own name; a missing one is written by the given name', async () => {
  const { failures } = await prepared();
  expect(await failures(writeWeb, service('get', { ID: 'web' }))).toBe('');
  expect(await failures(writeWeb, service('get', { ID: 'db', Service: 'web' }))).toBe('omitted');
  expect(await failures(writeWeb, service('delete', { ID: 'x', Service: 'y' }))).toBe(
    `'service:write' on "y"`,
  );
  expect(await failures('service_prefix "" { policy = "read" }', service('get', { ID: 'x' }))).toBe(
    'service "x" on node "n" doesn\'t exist',
  );
  expect(await failures(writeWeb, service('get', { ID: 'x', Service: 'web' }))).toBe(
    'service "x" on node "n" doesn\'t exist',
  );
});

test('a check of a service needs permission for the name that this service has', async () => {
  const { failures, checks } = await prepared();
  // The name in the operation is not the name of the service.
  const ofDb = { ServiceID: 'db', ServiceName: 'web' };
  expect(await failures(writeWeb, check('set', ofDb))).toBe(`'service:write' on "db"`);
  expect(await failures(writeWeb, check('set', { ServiceID: 'web' }))).toBe('');
  expect(await failures('service "web" { policy = "read" }', check('get'))).toBe('');
  expect(await failures('service "web" { policy = "read" }', check('delete'))).toBe(
    `'service:write' on "web"`,
  );
  expect(await checks()).toEqual([{ CheckID: 'c', ServiceID: 'web', Output: '' }]);
  // A service that does not exist has only the name that is given.
  const unknown = { CheckID: 'new', ServiceID: 'missing', ServiceName: 'other' };
  expect(await failures(writeWeb, check('set', unknown))).toBe(`'service:write' on "other"`);
  expect(await failures(writeWeb, check('get', { ...unknown, ServiceName: 'web' }))).toBe(
    'check "new" on node "n" doesn\'t exist',
  );
});

test('an existing check needs permission for its current owner, whatever the operation contains', async () => {
  const { failures, register, checks } = await prepared();
  await register({ Check: { CheckID: 'c', ServiceID: 'db', Status: 'passing' } });
  const claimed = { ServiceID: 'web' };
  expect(await failures(writeWeb, check('get', claimed))).toBe('omitted');
  for (const verb of ['set', 'cas', 'delete', 'delete-cas'])
    expect(await failures(writeWeb, check(verb, claimed)), verb).toBe(`'service:write' on "db"`);
  // To read or delete it, the permission for its owner is enough.
  const writeDb = 'service "db" { policy = "write" }';
  expect(await failures(writeDb, check('get', claimed))).toBe('');
  expect(await failures(writeDb, check('set', claimed))).toBe(`'service:write' on "web"`);
  expect(await failures(writeDb, check('delete', claimed))).toBe('');
  expect(await checks()).toEqual([]);
});

test('a check of a node needs permission for the node, also if a service name is given', async () => {
  const { failures, checks } = await prepared();
  const named = { ServiceName: 'web', Status: 'critical' };
  expect(await failures(writeWeb, check('set', named))).toBe(`'node:write' on "n"`);
  expect(await failures(writeWeb, check('set'))).toBe(`'node:write' on "n"`);
  expect(await failures(writeNode, check('set', named))).toBe('');
  expect(await failures(writeWeb, check('get'))).toBe('omitted');
  expect(await failures(writeWeb, check('delete', { ServiceID: 'web' }))).toBe(`'node:write' on "n"`);
  expect(await checks()).toEqual([{ CheckID: 'c', ServiceID: '', Output: '' }]);
  expect(await failures('node "n" { policy = "read" }', check('get'))).toBe('');
  expect(await failures(writeNode, check('delete'))).toBe('');
});
