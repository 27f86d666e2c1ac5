import { describe, expect, test } from 'vitest';
import { folder } from '../../support.ts';
import { registry } from '../support.ts';

const http = (Name: string) => ({ Kind: 'service-defaults', Name, Protocol: 'http' });
const splitTo = (Name: string, Service: string) => ({
  Kind: 'service-splitter',
  Name,
  Splits: [{ Weight: 100, Service }],
});

describe('config entries', () => {
  test('are put, read with their indexes, listed by name and deleted', async () => {
    const { send, json } = await registry();
    expect(await send('PUT', 'config', http('web'))).toBe('200 true');
    expect(await send('PUT', 'config', http('api'))).toBe('200 true');
    expect(await json('GET', 'config/service-defaults/web')).toEqual({
      Kind: 'service-defaults',
      Name: 'web',
      Protocol: 'http',
      TransparentProxy: {},
      MeshGateway: {},
      Expose: {},
      Hash: expect.any(Number),
      CreateIndex: 2,
      ModifyIndex: 2,
    });
    const list = await json('GET', 'config/service-defaults');
    expect(list.map(({ Name }) => Name)).toEqual(['api', 'web']);
    expect(await send('DELETE', 'config/service-defaults/web')).toBe('200 {}');
    expect(await send('GET', 'config/service-defaults/web')).toBe(
      '404 Config entry not found for "service-defaults" / "web"',
    );
    expect(await send('DELETE', 'config/service-defaults/web')).toBe('200 {}');
    expect(await send('GET', 'config/service-router')).toBe('200 []');
  });

  test('keep their create index, and both indexes when nothing changes', async () => {
    const { send, json } = await registry();
    await send('PUT', 'config', http('web'));
    await send('PUT', 'config', http('api'));
    await send('PUT', 'config', { kind: 'service-defaults', name: 'web', protocol: 'HTTP' });
    expect(await json('GET', 'config/service-defaults/web')).toMatchObject({ ModifyIndex: 2 });
    await send('PUT', 'config', { ...http('web'), Protocol: 'grpc' });
    expect(await json('GET', 'config/service-defaults/web')).toMatchObject({
      CreateIndex: 2,
      ModifyIndex: 4,
    });
  });

  test('are put with check-and-set', async () => {
    const { send } = await registry();
    expect(await send('PUT', 'config?cas=7', http('web'))).toBe('200 false');
    expect(await send('PUT', 'config?cas=0', http('web'))).toBe('200 true');
    expect(await send('PUT', 'config?cas=0', { ...http('web'), Protocol: 'grpc' })).toBe('200 false');
    expect(await send('PUT', 'config?cas=2', { ...http('web'), Protocol: 'grpc' })).toBe('200 true');
  });

  test('are unchanged by an identical write, whatever its check-and-set', async () => {
    const { send, json } = await registry();
    await send('PUT', 'config', http('web'));
    const before = await json('GET', 'config/service-defaults/web');
    for (const index of [0, 1, 7])
      expect(await send('PUT', `config?cas=${index}`, http('web'))).toBe('200 true');
    expect(await json('GET', 'config/service-defaults/web')).toEqual(before);
    expect(await send('DELETE', 'config/service-defaults/none?cas=7')).toBe('200 true');
  });

  test('are deleted with check-and-set', async () => {
    const { send } = await registry();
    await send('PUT', 'config', http('web'));
    expect(await send('DELETE', 'config/service-defaults/web?cas=1')).toBe('200 false');
    expect(await send('DELETE', 'config/service-defaults/web?cas=2')).toBe('200 true');
    expect(await send('DELETE', 'config/service-defaults/web?cas=2')).toBe('200 true');
  });

  test('that cannot be decoded or violate a rule are rejected', async () => {
    const { send } = await registry();
    expect(await send('PUT', 'config', { Kind: 'mesh', Name: 'web' })).toBe(
      '400 Request decoding failed: unsupported config entry kind: mesh',
    );
  });

  test('of another namespace are rejected', async () => {
    const { send } = await registry();
    expect(await send('PUT', 'config', { ...http('web'), Namespace: 'other' })).toMatch(
      /^400 .*Namespaces are a/,
    );
    expect(await send('PUT', 'config', { ...http('web'), Namespace: 'default' })).toBe('200 true');
  });

  test('of an unknown kind are rejected, and so is an incomplete path', async () => {
    const { send } = await registry();
    expect(await send('GET', 'config/mesh')).toBe('500 unsupported config entry kind: mesh');
    expect(await send('DELETE', 'config/other/web')).toBe('400 invalid config entry kind: other');
    expect(await send('DELETE', 'config/proxy-defaults/web')).toBe(
      '500 invalid name ("web"), only "global" is supported',
    );
    expect(await send('GET', 'config')).toBe('404 Must provide either a kind or both kind and name');
    expect(await send('DELETE', 'config/service-router')).toBe(
      '404 Must provide both a kind and name to delete',
    );
  });

  test('have a hash that changes with their contents only', async () => {
    const { send, json } = await registry();
    const hash = async () => {
      const [entry] = await json('GET', 'config/service-defaults');
      return entry?.Hash;
    };
    await send('PUT', 'config', http('web'));
    const first = await hash();
    await send('PUT', 'config', { ...http('web'), Protocol: 'grpc' });
    const second = await hash();
    await send('PUT', 'config', { ...http('web'), Hash: 7 });
    expect(second).not.toBe(first);
    expect(await hash()).toBe(first);
  });

  test('survive a restart', async () => {
    const data = await folder();
    const first = await registry({ dataDirectory: data });
    await first.send('PUT', 'config', http('web'));
    const [before] = Object.values((await first.json('GET', 'discovery-chain/web')) as object);
    await first.close();
    const second = await registry({ dataDirectory: data });
    expect(await second.json('GET', 'config/service-defaults/web')).toMatchObject({ ModifyIndex: 2 });
    // The cluster keeps its trust domain too.
    expect(Object.values((await second.json('GET', 'discovery-chain/web')) as object)).toEqual([before]);
  });

  test('wake blocking queries when one changes', async () => {
    const { ask, send } = await registry();
    await send('PUT', 'config', http('web'));
    const waiting = ask('GET', 'config/service-defaults/web?index=2&wait=20s');
    await send('PUT', 'config', { ...http('web'), Protocol: 'grpc' });
    const { json, headers } = await waiting;
    expect(json).toMatchObject({ Protocol: 'grpc' });
    expect(headers['x-registry-index']).toBe('3');
    expect(headers['x-consul-index']).toBe('3');
  });
});

describe('a change that would leave a chain that does not compile', () => {
  test('is rejected: another protocol for a service that a chain leads to', async () => {
    const { send, json } = await registry();
    for (const name of ['web', 'api', 'db']) await send('PUT', 'config', http(name));
    await send('PUT', 'config', splitTo('web', 'api'));
    await send('PUT', 'config', { Kind: 'service-resolver', Name: 'api', Redirect: { Service: 'db' } });
    expect(await send('PUT', 'config', { ...http('db'), Protocol: 'grpc' })).toBe(
      '500 discovery chain "api" uses inconsistent protocols; service "db" has "grpc" which is not "http"',
    );
    expect(await json('GET', 'config/service-defaults/db')).toMatchObject({ Protocol: 'http' });
  });

  test('is rejected: deleting the defaults that a router needs', async () => {
    const { send } = await registry();
    await send('PUT', 'config', http('web'));
    await send('PUT', 'config', { Kind: 'service-router', Name: 'web' });
    expect(await send.status('DELETE', 'config/service-defaults/web')).toBe(500);
    await send('DELETE', 'config/service-router/web');
    expect(await send('DELETE', 'config/service-defaults/web')).toBe('200 {}');
  });

  test('is rejected: proxy defaults that change the protocol of all', async () => {
    const { send } = await registry();
    const proxies = { Kind: 'proxy-defaults', Name: 'global', Config: { protocol: 'http' } };
    await send('PUT', 'config', proxies);
    expect(await send('PUT', 'config', splitTo('web', 'api'))).toBe('200 true');
    expect(await send.status('PUT', 'config', { ...proxies, Config: {} })).toBe(500);
    expect(await send.status('DELETE', 'config/proxy-defaults/global')).toBe(500);
  });

  test('is rejected: a cycle', async () => {
    const { send } = await registry();
    await send('PUT', 'config', { Kind: 'service-resolver', Name: 'a', Redirect: { Service: 'b' } });
    expect(
      await send('PUT', 'config', { Kind: 'service-resolver', Name: 'b', Redirect: { Service: 'a' } }),
    ).toMatch(/^500 detected circular resolver redirect: \[/);
  });

  test('is rejected: removing a subset that another service redirects to', async () => {
    const { send } = await registry();
    const api = { Kind: 'service-resolver', Name: 'api', Subsets: { v1: {} } };
    await send('PUT', 'config', api);
    await send('PUT', 'config', {
      Kind: 'service-resolver',
      Name: 'web',
      Redirect: { Service: 'api', ServiceSubset: 'v1' },
    });
    expect(await send('PUT', 'config', { ...api, Subsets: { v2: {} } })).toBe(
      '500 service "api" does not have a subset named "v1"',
    );
  });
});
