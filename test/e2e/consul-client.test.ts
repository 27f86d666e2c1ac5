import { once } from 'node:events';
import Consul from 'consul';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { homeForAll, homeForTest, servicesForAll, servicesForTest } from '../support/command-tests.ts';
import type { TestServices } from '../support/services.ts';

// A client that was written for another registry, by others: it sends and reads `X-Consul-` headers, and waits
// for changes as its users do.

const running = servicesForAll(homeForAll());
let consul: Consul;

const clientOf = ({ addresses }: TestServices, token?: string): Consul => {
  const { hostname, port } = new URL(addresses.registry);
  return new Consul({ host: hostname, port: Number(port), ...(token && { defaults: { token } }) });
};

beforeAll(() => {
  consul = clientOf(running);
});
afterAll(() => consul.destroy());

/** What the client makes of a response that is `false` or `null`. */
const no = undefined;

/** What the client throws for an error. */
const rejected = (statusCode: number, message: string) =>
  expect.objectContaining({
    message: expect.stringContaining(message),
    response: expect.objectContaining({ statusCode }),
  });

type Operations = Parameters<typeof consul.transaction.create>[0];

/** Its types describe operations without the member that says what each is of; it sends them as they are. */
function transact(operations: readonly object[]) {
  const given = operations as Operations;
  return consul.transaction.create(given, { operations: given });
}

describe('the npm client "consul"', () => {
  test('reads the status of the registry', async () => {
    expect(await consul.status.leader()).toBe('127.0.0.1:8300');
    expect(await consul.status.peers()).toEqual(['127.0.0.1:8300']);
    expect(await consul.agent.self()).toMatchObject({
      Config: { Datacenter: 'dc1', Server: true },
      Member: { Addr: '127.0.0.1' },
    });
    expect(await consul.catalog.datacenters()).toEqual(['dc1']);
    expect(await consul.acl.replication()).toMatchObject({ Enabled: false, Running: false });
  });

  test('sets, reads, lists and deletes keys', async () => {
    expect(await consul.kv.set('app/db', 'ü"\\\n')).toBe(true);
    expect(await consul.kv.set({ key: 'app/flagged', value: 'x', flags: 42 })).toBe(true);
    expect(await consul.kv.set('app/a b/%2F?#', 'odd')).toBe(true);
    expect(await consul.kv.get('app/db')).toMatchObject({ Key: 'app/db', Value: 'ü"\\\n', Flags: 0 });
    expect(await consul.kv.get('app/flagged')).toMatchObject({ Value: 'x', Flags: 42 });
    expect(await consul.kv.keys('app/')).toEqual(['app/a b/%2F?#', 'app/db', 'app/flagged']);
    const folders = await consul.kv.keys({ key: 'app/', separator: '/' });
    expect(folders).toEqual(['app/a b/', 'app/db', 'app/flagged']);
    const found = await consul.kv.get({ key: 'app/', recurse: true });
    expect(found).toMatchObject([{ Value: 'odd' }, { Key: 'app/db' }, { Flags: 42 }]);
    expect(await consul.kv.del('app/db')).toBe(true);
    expect(await consul.kv.get('app/db')).toBeUndefined();
    expect(await consul.kv.del({ key: 'app/', recurse: true })).toBe(true);
    expect(await consul.kv.get({ key: 'app/', recurse: true })).toBeUndefined();
    await expect(consul.kv.keys('app/')).rejects.toEqual(rejected(404, 'not found'));
  });

  test('stores bytes unchanged', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    await consul.kv.set('bytes', bytes);
    expect(await consul.kv.get({ key: 'bytes', raw: true })).toEqual(bytes);
    expect(await consul.kv.get({ key: 'bytes', buffer: true } as never)).toMatchObject({ Value: bytes });
  });

  test('sets and deletes with check-and-set', async () => {
    expect(await consul.kv.set({ key: 'once', value: 'first', cas: 0 })).toBe(true);
    expect(await consul.kv.set({ key: 'once', value: 'second', cas: 0 })).toBe(no);
    const before = await consul.kv.get('once');
    const cas = before?.ModifyIndex ?? 0;
    expect(await consul.kv.set({ key: 'once', value: 'second', cas })).toBe(true);
    expect(await consul.kv.del({ key: 'once', cas })).toBe(no);
    const after = await consul.kv.get('once');
    expect(after).toMatchObject({ Value: 'second', CreateIndex: before?.CreateIndex });
    expect(await consul.kv.del({ key: 'once', cas: after?.ModifyIndex ?? 0 })).toBe(true);
    expect(await consul.kv.get('once')).toBeUndefined();
  });

  test('makes sessions, which hold locks until they are released or destroyed', async () => {
    const make = (name: string) => consul.session.create({ name, ttl: '30s', lockdelay: '1ms' });
    const { ID: first } = await make('first');
    const { ID: second } = await make('second');
    expect(await consul.session.info(first)).toMatchObject({
      ID: first,
      Name: 'first',
      TTL: '30s',
      LockDelay: 1e6,
      Behavior: 'release',
      NodeChecks: ['serfHealth'],
    });
    expect(await consul.session.renew(first)).toMatchObject([{ ID: first }]);
    const { Config } = await consul.agent.self();
    const known = (sessions: readonly { readonly ID: string }[]) => sessions.map(({ ID }) => ID).toSorted();
    expect(known(await consul.session.list())).toEqual([first, second].toSorted());
    expect(known(await consul.session.node(Config.NodeName))).toEqual([first, second].toSorted());

    const lock = (session: string) => consul.kv.set({ key: 'lock', value: session, acquire: session });
    expect(await lock(first)).toBe(true);
    expect(await consul.kv.get('lock')).toMatchObject({ Session: first, LockIndex: 1 });
    expect(await consul.kv.set({ key: 'lock', value: '', release: first })).toBe(true);
    expect(await lock(second)).toBe(true);
    expect(await consul.session.destroy(second)).toBeUndefined();
    expect(await consul.session.info(second)).toBeUndefined();
    expect(await consul.kv.get('lock')).not.toHaveProperty('Session');
    await expect(consul.session.renew(second)).rejects.toEqual(rejected(404, 'not found'));
    await expect(lock(second)).rejects.toEqual(rejected(500, 'invalid session'));
    await consul.session.destroy(first);
  });

  test('registers nodes, services and checks, and reads their health', async () => {
    await consul.catalog.register({
      node: 'web-1',
      address: '10.0.0.1',
      nodemeta: { rack: 'a' },
      service: { id: 'web1', service: 'web', port: 80, tags: ['v1', 'blue'], meta: { team: 'x' } },
      checks: [
        { name: 'host', status: 'passing' },
        { checkid: 'web', name: 'web', serviceid: 'web1', status: 'warning', notes: 'slow' },
      ],
    });
    await consul.catalog.register('bare');
    const nodes = await consul.catalog.nodes('dc1');
    expect(nodes.map(({ Node }) => Node)).toEqual(expect.arrayContaining(['bare', 'web-1']));
    expect(await consul.catalog.services()).toMatchObject({ web: expect.arrayContaining(['v1', 'blue']) });
    expect(await consul.catalog.service.nodes({ service: 'web', tag: 'v1' })).toMatchObject([
      { Node: 'web-1', Address: '10.0.0.1', NodeMeta: { rack: 'a' }, ServicePort: 80, ServiceID: 'web1' },
    ]);
    expect(await consul.catalog.node.services('web-1')).toMatchObject({
      Node: { Node: 'web-1' },
      Services: { web1: { Service: 'web', Tags: ['v1', 'blue'], Meta: { team: 'x' } } },
    });
    expect(await consul.health.service('web')).toMatchObject([
      { Node: { Node: 'web-1' }, Checks: [{ CheckID: 'host' }, { CheckID: 'web', Status: 'warning' }] },
    ]);
    expect(await consul.health.service({ service: 'web', passing: true })).toEqual([]);
    expect(await consul.health.node('web-1')).toHaveLength(2);
    expect(await consul.health.checks('web')).toMatchObject([{ Notes: 'slow' }]);
    expect(await consul.health.state('warning')).toMatchObject([{ Node: 'web-1', CheckID: 'web' }]);

    await consul.catalog.deregister({ node: 'web-1', checkid: 'host' });
    expect(await consul.health.node('web-1')).toHaveLength(1);
    for (const node of ['web-1', 'bare']) await consul.catalog.deregister(node);
    expect(await consul.catalog.service.nodes('web')).toEqual([]);
    expect(await consul.catalog.node.services('web-1')).toBe(no);
  });

  test('applies transactions completely or not at all', async () => {
    const value = (text: string) => Buffer.from(text).toString('base64');
    const { Results } = await transact([
      { KV: { Verb: 'set', Key: 'txn/a', Value: value('1'), Flags: 7 } },
      { Node: { Verb: 'set', Node: { Node: 'txn-node', Address: '10.0.0.3' } } },
      { Service: { Verb: 'set', Node: 'txn-node', Service: { ID: 's', Service: 'sss', Port: 1 } } },
      { Check: { Verb: 'set', Check: { Node: 'txn-node', Name: 'c', Status: 'passing' } } },
      { KV: { Verb: 'get', Key: 'txn/a' } },
    ]);
    expect(Results).toMatchObject([
      { KV: { Key: 'txn/a', Value: null, Flags: 7 } },
      { Node: { Node: 'txn-node' } },
      { Service: { ID: 's', Service: 'sss' } },
      { Check: { CheckID: 'c' } },
      { KV: { Key: 'txn/a', Value: value('1') } },
    ]);
    const failing = transact([
      { KV: { Verb: 'set', Key: 'txn/a', Value: value('2') } },
      { KV: { Verb: 'get', Key: 'txn/none' } },
    ]);
    await expect(failing).rejects.toMatchObject({
      response: {
        statusCode: 409,
        body: {
          Results: null,
          Errors: [{ OpIndex: 1, What: 'key "txn/none" doesn\'t exist' }],
        },
      },
    });
    expect(await consul.kv.get('txn/a')).toMatchObject({ Value: '1' });
  });

  test('stores prepared queries and executes them by ID, by name and by the prefix of a template', async () => {
    // Its types know neither templates nor how to remove a query.
    const queries = consul.query as typeof consul.query & { destroy(id: string): Promise<unknown> };
    await consul.catalog.register({
      node: 'db-1',
      address: '10.0.0.9',
      service: { id: 'db', service: 'db', port: 5432, tags: ['primary'] },
      check: { name: 'db', serviceid: 'db', status: 'passing' },
    });
    const definition = {
      name: 'find-db',
      service: { service: 'db', onlypassing: true },
      dns: { ttl: '10s' },
    };
    const { ID } = await queries.create(definition);
    expect(await queries.list()).toMatchObject([{ ID, Name: 'find-db', Service: { OnlyPassing: true } }]);
    expect(await queries.get(ID)).toMatchObject({ ID, DNS: { TTL: '10s' } });
    for (const query of [ID, 'find-db']) {
      expect(await queries.execute(query)).toMatchObject({
        Service: 'db',
        Nodes: [{ Node: { Node: 'db-1' }, Service: { Port: 5432 }, Checks: [{ Status: 'passing' }] }],
        DNS: { TTL: '10s' },
        Datacenter: 'dc1',
        Failovers: 0,
      });
    }
    expect(await queries.update({ query: ID, ...definition, name: 'renamed' })).toBeUndefined();
    expect(await queries.execute('renamed')).toMatchObject({ Service: 'db' });
    await expect(queries.execute('find-db')).rejects.toEqual(rejected(404, 'Query not found'));
    const template = {
      name: 'near-',
      template: { type: 'name_prefix_match', regexp: '^near-(.*)$' },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the registry fills it in
      service: { service: '${match(1)}', tags: ['primary'] },
    };
    const { ID: general } = await queries.create(template);
    expect(await queries.execute('near-db')).toMatchObject({ Service: 'db', Nodes: [{}] });
    for (const { ID: each } of await queries.list()) await queries.destroy(each);
    expect(await queries.list()).toEqual([]);
    await expect(queries.get(general)).rejects.toEqual(rejected(404, 'Query not found'));
    await consul.catalog.deregister('db-1');
  });

  test('watches a key, and gets every change of it and of no other key', async () => {
    await consul.kv.set('watched', 'one');
    const watch = consul.watch({ method: consul.kv.get, options: { key: 'watched', wait: '5s' } });
    try {
      const [first] = await once(watch, 'change');
      expect(first).toMatchObject({ Value: 'one' });
      const changed = once(watch, 'change');
      await consul.kv.set('elsewhere', 'x');
      await consul.kv.set('watched', 'two');
      expect((await changed)[0]).toMatchObject({ Value: 'two' });
      const gone = once(watch, 'change');
      await consul.kv.del('watched');
      expect((await gone)[0]).toBeUndefined();
    } finally {
      watch.end();
    }
    expect(watch.isRunning()).toBe(false);
  });

  test('watches the instances of a service', async () => {
    const watch = consul.watch({ method: consul.health.service, options: { service: 'seen', wait: '5s' } });
    try {
      expect((await once(watch, 'change'))[0]).toEqual([]);
      const changed = once(watch, 'change');
      await consul.catalog.register({ node: 'n', address: '10.0.0.4', service: { service: 'seen' } });
      expect((await changed)[0]).toMatchObject([{ Node: { Node: 'n' }, Service: { ID: 'seen' } }]);
    } finally {
      watch.end();
      await consul.catalog.deregister('n');
    }
  });

  test('bootstraps access control once, and then has the permissions of its token', async () => {
    const guarded = await servicesForTest(homeForTest());
    const stranger = clientOf(guarded);
    onTestFinished(() => stranger.destroy());
    const { SecretID, Policies } = await stranger.acl.bootstrap();
    expect(Policies).toMatchObject([{ Name: 'global-management' }]);
    await expect(stranger.acl.bootstrap()).rejects.toEqual(rejected(403, 'ACL bootstrap no longer allowed'));
    await expect(stranger.kv.set('a', 'b')).rejects.toEqual(rejected(403, 'forbidden'));
    await expect(stranger.kv.get('a')).rejects.toMatchObject({
      response: { body: expect.stringContaining('lacks permission \'key:read\' on "a"') },
    });
    const master = clientOf(guarded, SecretID);
    expect(await master.kv.set('a', 'b')).toBe(true);
    expect(await master.kv.get('a')).toMatchObject({ Value: 'b' });
    expect(await stranger.kv.get({ key: 'a', token: SecretID } as never)).toMatchObject({ Value: 'b' });
    await expect(clientOf(guarded, 'wrong').kv.get('a')).rejects.toMatchObject({
      response: { statusCode: 403, body: 'ACL not found' },
    });
    master.destroy();
  });
});
