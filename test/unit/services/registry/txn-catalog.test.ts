import { expect, test } from 'vitest';
import { registry } from './support.ts';

const n1 = '11111111-2222-3333-4444-555555555555';
const n2 = '66666666-7777-8888-9999-000000000000';
const node = (Verb: string, Node: object) => ({ Node: { Verb, Node } });
const service = (Verb: string, Service: object, Node = 'n') => ({ Service: { Verb, Node, Service } });
const check = (Verb: string, fields: object) => ({
  Check: { Verb, Check: { Node: 'n', CheckID: 'c', ...fields } },
});

/** The results of a transaction, or what failed. */
async function runner() {
  const all = await registry();
  const run = async (...operations: object[]) => {
    const { json } = await all.ask('PUT', 'txn', { body: operations });
    const { Results, Errors } = json as unknown as {
      Results: readonly object[] | null;
      Errors: readonly { What: string }[] | null;
    };
    return Errors?.map(({ What }) => What).join() ?? Results;
  };
  return { ...all, run };
}

/** The same for a node, a service and a check. */
const subjects = [
  ['node "n"', (verb: string, more: object) => node(verb, { Node: 'n', ...more }), 'Address', 'Node'],
  [
    'service "s" on node "n"',
    (verb: string, more: object) => service(verb, { ID: 's', Service: 'web', ...more }),
    'Address',
    'Service',
  ],
  ['check "c" on node "n"', check, 'Output', 'Check'],
] as const;

test.each(subjects)('%s is written and deleted only if its index matches', async (label, of, field, kind) => {
  const { run } = await runner();
  if (kind !== 'Node') await run(node('set', { Node: 'n' }));
  const indexOf = async () => {
    const [found] = (await run(of('get', {}))) as Record<string, { ModifyIndex: number }>[];
    return found?.[kind]?.ModifyIndex ?? 0;
  };
  expect(await run(of('cas', { ModifyIndex: 99 }))).toBe(`failed to set ${label}, index is stale`);
  expect(await run(of('delete-cas', { ModifyIndex: 0 }))).toBe(`failed to delete ${label}, index is stale`);
  expect(await run(of('cas', { ModifyIndex: 0, [field]: '1' }))).toMatchObject([
    { [kind]: { [field]: '1' } },
  ]);
  const ModifyIndex = await indexOf();
  expect(await run(of('cas', { ModifyIndex, [field]: '2' }))).toMatchObject([{ [kind]: { [field]: '2' } }]);
  expect(await run(of('cas', { ModifyIndex, [field]: '3' }))).toBe(`failed to set ${label}, index is stale`);
  expect(await run(of('delete-cas', { ModifyIndex }))).toBe(`failed to delete ${label}, index is stale`);
  expect(await run(of('get', {}))).toMatchObject([{ [kind]: { [field]: '2' } }]);
  expect(await run(of('delete-cas', { ModifyIndex: await indexOf() }))).toEqual([]);
  expect(await run(of('get', {}))).toBe(`${label} doesn't exist`);
  expect(await run(of('set', {}))).toHaveLength(1);
  expect(await run(of('delete', {}))).toEqual([]);
  expect(await run(of('get', {}))).toBe(`${label} doesn't exist`);
  expect(await run(of('delete', {}))).toEqual([]);
  expect(await run(of('rename', {}))).toBe(`unknown ${kind.toLowerCase()} operation: rename`);
});

test('a node is found by its ID, and keeps its ID when it is set by name', async () => {
  const { run } = await runner();
  await run(node('set', { Node: 'n', ID: n1, Address: '10.0.0.1', Meta: { rack: '1' } }));
  const found = { Node: { Node: 'n', ID: n1, Address: '10.0.0.1', Meta: { rack: '1' } } };
  expect(await run(node('get', { ID: n1 }))).toMatchObject([found]);
  expect(await run(node('get', { ID: n2 }))).toBe(`node "${n2}" doesn't exist`);
  // An unknown ID with a known name is another node to a read, and the same node to a write.
  expect(await run(node('get', { ID: n2, Node: 'n' }))).toBe('node "n" doesn\'t exist');
  expect(await run(node('delete', { ID: n2, Node: 'n' }))).toEqual([]);
  expect(await run(node('set', { Node: 'n', Address: '10.0.0.2' }))).toMatchObject([
    { Node: { ID: n1, Address: '10.0.0.2' } },
  ]);
  expect(await run(node('set', { ID: n1, Address: '10.0.0.3' }))).toMatchObject([
    { Node: { Node: 'n', Address: '10.0.0.3', ModifyIndex: 4 } },
  ]);
  expect(await run(node('cas', { ID: n2, Node: 'n', ModifyIndex: 4 }))).toMatchObject([
    { Node: { ID: n2, Node: 'n' } },
  ]);
  expect(await run(node('delete', { ID: n2 }))).toEqual([]);
  expect(await run(node('get', { Node: 'n' }))).toBe('node "n" doesn\'t exist');
  expect(await run(node('set', { Node: 'n' }))).toMatchObject([{ Node: { Node: 'n', ID: '' } }]);
});

test('a node that is set to the ID of another node renames it, unless a healthy node has the name', async () => {
  const { run } = await runner();
  await run(node('set', { Node: 'n', ID: n1 }));
  await run(service('set', { Service: 's' }));
  await run(node('set', { Node: 'taken', Address: '10.0.0.2', ID: n2 }));
  const health = (Status: string) => check('set', { Node: 'taken', CheckID: 'serfHealth', Status });
  await run(health('passing'));
  expect(await run(node('set', { Node: 'Taken', Address: '10.0.0.1', ID: n1 }))).toBe(
    `Error while renaming Node ID: "${n1}" (10.0.0.1): Node name Taken is reserved by node ${n2} with name taken (10.0.0.2)`,
  );
  expect(await run(node('set', { Node: 'other', ID: n1 }))).toMatchObject([
    { Node: { Node: 'other', ID: n1 } },
  ]);
  expect(await run(node('get', { Node: 'n' }))).toBe('node "n" doesn\'t exist');
  expect(await run(service('get', { ID: 's' }))).toBe('service "s" on node "n" doesn\'t exist');
  const n3 = n1.replaceAll('1', '3');
  expect(await run(node('set', { Node: 'taken', ID: n3 }))).toBe(
    `Error while renaming Node ID: "${n3}": Node name taken is reserved by node ${n2} with name taken (10.0.0.2)`,
  );
  await run(health('critical'));
  expect(await run(node('set', { Node: 'taken', ID: n3 }))).toMatchObject([{ Node: { ID: n3 } }]);
});

test('an operation without the names that it needs fails', async () => {
  const { run } = await runner();
  const noNode = 'Must provide node';
  const noNames = 'failed check lookup: index error: object is missing a value for this index';
  const noRegistration = 'Missing node registration';
  const noName = 'Must provide service name (Service.Service) when service ID is provided';
  expect(await run({ Node: { Verb: 'set' } })).toBe(noNode);
  expect(await run(node('get', {}))).toBe('node "" doesn\'t exist');
  expect(await run(node('set', { ID: n1 }))).toBe(noNode);
  expect(await run(node('set', { Node: 'n', ID: 'x'.repeat(36) }))).toBe(
    'Bad node ID: uuid is improperly formatted',
  );
  expect(await run(service('get', { ID: 's' }, ''))).toBe('service "s" on node "" doesn\'t exist');
  // A read does not default to the name.
  expect(await run(service('get', { Service: 's' }))).toBe('service "" on node "n" doesn\'t exist');
  expect(await run(service('set', {}))).toBe('Must provide service name (Service.Service)');
  await run(node('set', { Node: 'n' }));
  for (const verb of ['set', 'cas', 'delete', 'delete-cas'])
    expect(await run(service(verb, { ID: 's' }))).toBe(noName);
  expect(await run(service('set', { Service: 's', Address: '0.0.0.0' }))).toBe('Invalid service address');
  expect(await run(service('set', { Service: 's', Kind: 'connect-proxy', Port: 1 }))).toBe(
    '1 error occurred:\n\t* Proxy.DestinationServiceName must be non-empty for Connect proxy services\n\n',
  );
  expect(await run(check('get', { Node: '' }))).toBe(noNames);
  expect(await run(check('get', { CheckID: '' }))).toBe(noNames);
  expect(await run(check('set', { Node: '' }))).toBe(
    'failed health check lookup: index error: object is missing a value for this index',
  );
  expect(await run(check('set', { CheckID: '' }))).toBe('Must provide check ID');
  expect(await run(service('set', { Service: 's' }, ''))).toBe(noRegistration);
  expect(await run(service('set', { Service: 's' }, 'missing'))).toBe(noRegistration);
});

test('a check without tags has null for them in a result', async () => {
  const { run } = await runner();
  await run(node('set', { Node: 'n' }));
  await run(service('set', { Service: 's', Tags: ['a'] }));
  expect(await run(check('set', { Node: 'n' }))).toMatchObject([{ Check: { ServiceTags: null } }]);
  expect(await run(check('get', { Node: 'n' }))).toMatchObject([{ Check: { ServiceTags: null } }]);
  expect(await run(check('set', { Node: 'n', ServiceID: 's' }))).toMatchObject([
    { Check: { ServiceTags: ['a'] } },
  ]);
});
