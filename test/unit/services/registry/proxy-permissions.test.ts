import { describe, expect, test } from 'vitest';
import { guarded } from './support.ts';

// CVE-2021-38698: who may write one service could register a proxy for another one, and so take what is sent to it.

const node = { Node: 'n', Address: '10.0.0.1' };
const proxy = {
  Kind: 'connect-proxy',
  ID: 'web-proxy',
  Service: 'web',
  Address: '10.6.6.6',
  Port: 666,
  Proxy: { DestinationServiceName: 'db' },
};
const own = 'service "web" { policy = "write" } node "n" { policy = "write" }';
const both = `${own} service "db" { policy = "write" }`;

/** Status and text. */
type Answer = readonly (number | string)[];
type Say = (method: string, path: string, body?: unknown) => Promise<Answer>;

const txn = (verb: string) => (say: Say, service: object) =>
  say('PUT', 'txn', [{ Service: { Verb: verb, Node: 'n', Service: service } }]);

const ways: readonly (readonly [string, (say: Say, service: object) => Promise<Answer>, number])[] = [
  ['catalog/register', (say, Service) => say('PUT', 'catalog/register', { ...node, Service }), 403],
  ['a transaction, set', txn('set'), 409],
  ['a transaction, cas', txn('cas'), 409],
];

describe.each(ways)('a proxy that is registered by %s', (_, send, denied) => {
  async function prepared() {
    const all = await guarded();
    await all.manage('PUT', 'catalog/register', { ...node, Service: { Service: 'other', Port: 1 } });
    await all.manage('POST', 'query', { Name: 'dbq', Service: { Service: 'db', Connect: true } });
    const proxies = async () => {
      const { Nodes } = (await all.manage('GET', 'query/dbq/execute')) as unknown as {
        Nodes: { Service: { Address: string } }[];
      };
      return Nodes.map(({ Service }) => Service.Address);
    };
    return { ...all, proxies };
  }

  test('needs write permission on its destination', async () => {
    const { holder, proxies } = await prepared();
    const { say } = await holder(own);
    const [status, text] = await send(say, proxy);
    expect(status).toBe(denied);
    expect(text).toContain(`lacks permission 'service:write' on `);
    expect(text).toMatch(/on \\?"db\\?"/);
    expect(await proxies()).toEqual([]);
    // Read permission is not enough.
    const reader = await holder(`${own} service "db" { policy = "read" }`);
    expect((await send(reader.say, proxy))[0]).toBe(denied);
    expect(await proxies()).toEqual([]);
  });

  test('is registered with write permission for both', async () => {
    const { holder, proxies } = await prepared();
    const { say } = await holder(both);
    expect((await send(say, proxy))[0]).toBe(200);
    expect(await proxies()).toEqual(['10.6.6.6']);
  });

  test('cannot be created from an existing service, nor get another destination', async () => {
    const { holder, manage, proxies } = await prepared();
    const { say } = await holder(`${own} service "mine" { policy = "write" }`);
    const { Kind: _, ...plain } = proxy;
    expect((await send(say, { ...plain, Proxy: {} }))[0]).toBe(200);
    const index = { ModifyIndex: await indexOf(manage) };
    expect((await send(say, { ...proxy, ...index }))[0]).toBe(denied);
    const mine = { ...proxy, Proxy: { DestinationServiceName: 'mine' } };
    expect((await send(say, { ...mine, ...index }))[0]).toBe(200);
    expect((await send(say, { ...proxy, ModifyIndex: await indexOf(manage) }))[0]).toBe(denied);
    expect(await proxies()).toEqual([]);
  });

  test('can be removed, and read, without write permission for its destination', async () => {
    const { holder, manage, proxies } = await prepared();
    await manage('PUT', 'catalog/register', { ...node, Service: proxy });
    const { say } = await holder(own);
    const operation = (Verb: string) => [{ Service: { Verb, Node: 'n', Service: proxy } }];
    expect((await say('PUT', 'txn', operation('get')))[0]).toBe(200);
    expect((await say('PUT', 'txn', operation('delete')))[0]).toBe(200);
    expect(await proxies()).toEqual([]);
  });
});

/** The index that a check-and-set of the service has to name. */
async function indexOf(manage: (method: string, path: string) => Promise<object>): Promise<number> {
  const found = (await manage('GET', 'catalog/service/web')) as readonly { readonly ModifyIndex: number }[];
  return found[0]?.ModifyIndex ?? 0;
}
