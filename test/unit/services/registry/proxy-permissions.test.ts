import { describe, expect, test } from 'vitest';
import type { Caller } from '../callers.ts';
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

const txn = (Verb: string) => (send: Caller, Service: object) =>
  send('PUT', 'txn', [{ Service: { Verb, Node: 'n', Service } }]);

const ways: readonly (readonly [string, (send: Caller, service: object) => Promise<string>, number])[] = [
  ['catalog/register', (send, Service) => send('PUT', 'catalog/register', { ...node, Service }), 403],
  ['a transaction, set', txn('set'), 409],
  ['a transaction, cas', txn('cas'), 409],
];

describe.each(ways)('a proxy that is registered by %s', (_, register, denied) => {
  const isDenied = new RegExp(`^${denied} .*lacks permission 'service:write' on \\\\?"db\\\\?"`);

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
    for (const ofDestination of ['', ' service "db" { policy = "read" }']) {
      const { send } = await holder(own + ofDestination);
      expect(await register(send, proxy)).toMatch(isDenied);
      expect(await proxies()).toEqual([]);
    }
  });

  test('is registered with write permission for both', async () => {
    const { holder, proxies } = await prepared();
    const { send } = await holder(`${own} service "db" { policy = "write" }`);
    expect(await register(send, proxy)).toMatch(/^200 /);
    expect(await proxies()).toEqual(['10.6.6.6']);
  });

  test('cannot be created from an existing service, nor get another destination', async () => {
    const { holder, manage, proxies } = await prepared();
    const { send } = await holder(`${own} service "mine" { policy = "write" }`);
    /** The index that a check-and-set of the service needs. */
    const index = async () => {
      const found = (await manage('GET', 'catalog/service/web')) as unknown as { ModifyIndex: number }[];
      return { ModifyIndex: found[0]?.ModifyIndex ?? 0 };
    };
    const { Kind: _, ...plain } = proxy;
    expect(await register(send, { ...plain, Proxy: {} })).toMatch(/^200 /);
    expect(await register(send, { ...proxy, ...(await index()) })).toMatch(isDenied);
    const mine = { ...proxy, Proxy: { DestinationServiceName: 'mine' } };
    expect(await register(send, { ...mine, ...(await index()) })).toMatch(/^200 /);
    expect(await register(send, { ...proxy, ...(await index()) })).toMatch(isDenied);
    expect(await proxies()).toEqual([]);
  });

  test('can be removed, and read, without write permission for its destination', async () => {
    const { holder, manage, proxies } = await prepared();
    await manage('PUT', 'catalog/register', { ...node, Service: proxy });
    const { send } = await holder(own);
    for (const verb of ['get', 'delete']) expect(await txn(verb)(send, proxy)).toMatch(/^200 /);
    expect(await proxies()).toEqual([]);
  });
});
