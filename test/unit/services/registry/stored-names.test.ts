import { expect, test } from 'vitest';
import { openStore } from '../../../../src/services/core/store/store.ts';
import type { Json } from '../../../../src/wire/json.ts';
import { folder } from '../support.ts';
import { guarded, registry } from './support.ts';

// Earlier versions compared names with case: their data directories have rows under names with capitals.

const nodeId = '11111111-2222-3333-4444-555555555555';
const ids = ['33333333-3333-3333-3333-333333333333', '44444444-4444-4444-4444-444444444444'] as const;

type Row = Readonly<Record<string, Json>>;
const indexes = (n: number) => ({ CreateIndex: n, ModifyIndex: n });
const childKey = (name: string, id: string) => `${name.length}:${name}/${id}`;

const node = (Node: string, ID: string, n: number): Row => ({
  ...{ ID, Node, Address: '10.0.0.1', Datacenter: 'dc1', TaggedAddresses: null, Meta: null },
  ...indexes(n),
});
const service = (ID: string, Service: string, Port: number, n: number): Row => ({
  ...{ ID, Service, Tags: [], Address: '', Meta: null, Port, Weights: { Passing: 1, Warning: 1 } },
  ...{ EnableTagOverride: false, Proxy: {}, Connect: {}, ...indexes(n) },
});
const check = (Node: string, CheckID: string, ServiceID: string, n: number): Row => ({
  ...{ Node, CheckID, Name: CheckID, Status: 'passing', Notes: '', Output: '', ServiceID, ServiceName: '' },
  ...{ ServiceTags: [], Type: '', Interval: '', Timeout: '', ExposedPort: 0, Definition: {}, ...indexes(n) },
});
const method = (Name: string, DisplayName: string, n: number): Row => ({
  ...{ Name, Type: 'jwt', DisplayName, Description: '', Config: { BoundIssuer: 'https://i' }, ...indexes(n) },
});
const rule = (ID: string, AuthMethod: string): Row => ({
  ...{ ID, AuthMethod, Description: '', Selector: '', BindType: 'service', BindName: 'x', ...indexes(1) },
});
const login = (AccessorID: string, AuthMethod: string): Row => ({
  ...{ AccessorID, SecretID: AccessorID, AuthMethod, Description: '', Policies: [], Local: true, Hash: 'h' },
  ...{ CreateTime: '2025-01-02T12:00:00Z', ...indexes(1) },
});
const entry = (Name: string, Protocol: string, n: number): Row => ({
  ...{ Kind: 'service-defaults', Name, Protocol, ...indexes(n) },
});
const query = (ID: string, Name: string, Service: string, n: number): Row => ({
  ...{ ID, Name, Session: '', Token: '', DNS: { TTL: '' }, ...indexes(n) },
  Service: {
    ...{ Service, Namespace: '', Near: '', OnlyPassing: false, Connect: false, IgnoreCheckIDs: null },
    ...{ Tags: null, NodeMeta: null, ServiceMeta: null },
    Failover: { NearestN: 0, Datacenters: null, Targets: null },
  },
});

/** A bootstrapped data directory with rows as an earlier version stored them. */
async function directoryWith(rows: Readonly<Record<string, Row>>) {
  const dataDirectory = await folder();
  const { close, rootHeaders } = await guarded({ dataDirectory });
  await close();
  const store = await openStore(dataDirectory);
  await store.write(Object.entries(rows).map(([key, value]) => ({ key: `registry/${key}`, value })));
  await store.close();
  const headers = rootHeaders;
  /** A registry with this directory, and requests with its management token. */
  const open = async () => {
    const { ask, logged, close } = await registry({ dataDirectory });
    const send = (method: string, path: string, body?: unknown) => ask(method, path, { headers, body });
    const json = async (method: string, path: string, body?: unknown) => {
      const { json, status, text } = await send(method, path, body);
      expect(status, `${method} ${path}: ${text}`).toBe(200);
      return json;
    };
    return { ask: send, json, logged, close };
  };
  return { open };
}

const serviceRows = (node: string, row: Row): Readonly<Record<string, Row>> => ({
  [`services/${childKey(node, String(row.ID))}`]: row,
  [`instances/${childKey(String(row.Service), childKey(node, String(row.ID)))}`]: { node, id: row.ID ?? '' },
});

test('objects with capitals in their names are found, updated and deleted', async () => {
  const { open } = await directoryWith({
    'nodes/Foo': node('Foo', nodeId, 2),
    [`node-ids/${nodeId}`]: { node: 'Foo' },
    ...serviceRows('Foo', service('Web-1', 'Web', 80, 3)),
    [`checks/${childKey('Foo', 'Alive')}`]: check('Foo', 'Alive', 'Web-1', 4),
    'config/service-defaults/Api': entry('Api', 'http', 5),
    'auth-methods/Login': method('Login', 'shown', 6),
    [`binding-rules/${ids[0]}`]: rule(ids[0], 'Login'),
    [`queries/${ids[0]}`]: query(ids[0], 'Qq', 'Web', 7),
    'query-names/Qq': { id: ids[0] },
  });
  for (const _start of ['first', 'second']) {
    const { json, logged, close } = await open();
    expect(logged).toEqual([]);
    expect(await json('GET', 'catalog/nodes')).toMatchObject([{ Node: 'Foo' }, { Node: 'lanyard' }]);
    expect(await json('GET', 'catalog/node/FOO')).toMatchObject({ Services: { 'Web-1': { Port: 80 } } });
    expect(await json('GET', 'health/service/web')).toMatchObject([
      { Node: { Node: 'Foo', ModifyIndex: 2 }, Service: { ID: 'Web-1' }, Checks: [{ CheckID: 'Alive' }] },
    ]);
    expect(await json('GET', 'config/service-defaults/api')).toMatchObject({ Name: 'Api', Protocol: 'http' });
    expect(await json('GET', 'acl/auth-method/login')).toMatchObject({ Name: 'Login', DisplayName: 'shown' });
    expect(await json('GET', 'query/qq/execute')).toMatchObject({ Nodes: [{ Service: { Port: 80 } }] });
    await close();
  }
  const { ask, json } = await open();
  const changed = { Datacenter: 'dc1', Node: 'foo', Address: '10.0.0.2', ID: nodeId };
  await json('PUT', 'catalog/register', { ...changed, Service: { ID: 'web-1', Service: 'web', Port: 81 } });
  expect(await json('GET', 'catalog/service/WEB')).toMatchObject([{ Address: '10.0.0.2', ServicePort: 81 }]);
  expect(await ask('POST', 'query', { Name: 'QQ', Service: { Service: 'x' } })).toMatchObject({
    status: 500,
    text: expect.stringContaining('existing query name'),
  });
  await json('PUT', 'catalog/deregister', { Node: 'FOO' });
  expect(await json('GET', 'catalog/nodes')).toMatchObject([{ Node: 'lanyard' }]);
  expect(await json('GET', 'catalog/service/web')).toEqual([]);
  expect(await json('GET', 'health/state/any')).not.toMatchObject([{ Node: 'Foo' }]);
  await json('DELETE', 'config/service-defaults/api');
  expect((await ask('GET', 'config/service-defaults/Api')).status).toBe(404);
  await json('DELETE', 'acl/auth-method/login');
  expect(await json('GET', 'acl/binding-rules')).toEqual([]);
  await json('DELETE', `query/${ids[0]}`);
  expect((await ask('GET', 'query/Qq/execute')).status).toBe(404);
});

test('of objects whose names differ in case only, the last written one is kept, and the log names the others', async () => {
  const { open } = await directoryWith({
    'nodes/Foo': node('Foo', nodeId, 2),
    [`node-ids/${nodeId}`]: { node: 'Foo' },
    'nodes/foo': node('foo', '', 3),
    ...serviceRows('Foo', service('web', 'Web', 80, 5)),
    ...serviceRows('foo', service('web', 'api', 81, 4)),
    ...serviceRows('foo', service('db', 'db', 82, 4)),
    'config/service-defaults/Api': entry('Api', 'http', 5),
    'config/service-defaults/api': entry('api', 'grpc', 6),
    'config/service-defaults/API': entry('API', 'tcp', 4),
    [`queries/${ids[0]}`]: query(ids[0], 'Qq', 'Web', 7),
    'query-names/Qq': { id: ids[0] },
    [`queries/${ids[1]}`]: query(ids[1], 'qq', 'api', 6),
    'query-names/qq': { id: ids[1] },
  });
  const first = await open();
  const removed = (kind: string, name: string, kept: string) =>
    `registry: removed ${kind} "${name}", which an earlier version stored: "${kept}" was written later, and names are compared without case`;
  expect(first.logged).toEqual([
    removed('node', 'Foo', 'foo'),
    removed('service', 'web', 'web'),
    removed('config entry', 'service-defaults/Api', 'service-defaults/api'),
    removed('config entry', 'service-defaults/API', 'service-defaults/api'),
    removed('prepared query', 'qq', 'Qq'),
  ]);
  await first.close();
  const { ask, json, logged } = await open();
  expect(logged).toEqual([]);
  expect(await json('GET', 'catalog/nodes')).toMatchObject([{ Node: 'foo' }, { Node: 'lanyard' }]);
  expect(Object.keys((await json('GET', 'catalog/services')) ?? {})).toEqual(['Web', 'consul', 'db']);
  expect(await json('GET', 'catalog/service/web')).toMatchObject([{ Node: 'foo', ServicePort: 80 }]);
  expect(await json('GET', 'catalog/service/api')).toEqual([]);
  expect(await json('GET', 'config/service-defaults')).toMatchObject([{ Name: 'api', Protocol: 'grpc' }]);
  expect(await json('GET', 'query')).toMatchObject([{ Name: 'Qq' }]);
  expect(await json('GET', 'query/QQ/execute')).toMatchObject({ Service: 'Web' });
  expect((await ask('GET', `query/${ids[1]}`)).status).toBe(404);
});

test('binding rules and logins of an auth method that is removed do not apply to the other one', async () => {
  const { open } = await directoryWith({
    'auth-methods/Login': method('Login', 'older', 2),
    'auth-methods/login': method('login', 'newer', 3),
    [`binding-rules/${ids[0]}`]: rule(ids[0], 'Login'),
    [`binding-rules/${ids[1]}`]: rule(ids[1], 'login'),
    'tokens/a': login('a', 'Login'),
    'tokens/b': login('b', 'login'),
  });
  const { json } = await open();
  expect(await json('GET', 'acl/auth-methods')).toMatchObject([{ DisplayName: 'newer' }]);
  expect(await json('GET', 'acl/binding-rules')).toMatchObject([{ ID: ids[1] }]);
  expect(await json('GET', 'acl/tokens?authmethod=login')).toMatchObject([{ AccessorID: 'b' }]);
});
