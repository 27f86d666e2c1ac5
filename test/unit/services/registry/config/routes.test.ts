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
    const { said, json } = await registry();
    expect(await said('PUT', 'config', http('web'))).toEqual([200, 'true']);
    expect(await said('PUT', 'config', http('api'))).toEqual([200, 'true']);
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
    expect(await said('DELETE', 'config/service-defaults/web')).toEqual([200, '{}']);
    expect(await said('GET', 'config/service-defaults/web')).toEqual([
      404,
      'Config entry not found for "service-defaults" / "web"',
    ]);
    expect(await said('DELETE', 'config/service-defaults/web')).toEqual([200, '{}']);
    expect(await said('GET', 'config/service-router')).toEqual([200, '[]']);
  });

  test('keep their create index, and both indexes when nothing changes', async () => {
    const { said, json } = await registry();
    await said('PUT', 'config', http('web'));
    await said('PUT', 'config', http('api'));
    await said('PUT', 'config', { kind: 'service-defaults', name: 'web', protocol: 'HTTP' });
    expect(await json('GET', 'config/service-defaults/web')).toMatchObject({ ModifyIndex: 2 });
    await said('PUT', 'config', { ...http('web'), Protocol: 'grpc' });
    expect(await json('GET', 'config/service-defaults/web')).toMatchObject({
      CreateIndex: 2,
      ModifyIndex: 4,
    });
  });

  test('are put with check-and-set', async () => {
    const { said } = await registry();
    expect(await said('PUT', 'config?cas=7', http('web'))).toEqual([200, 'false']);
    expect(await said('PUT', 'config?cas=0', http('web'))).toEqual([200, 'true']);
    expect(await said('PUT', 'config?cas=0', { ...http('web'), Protocol: 'grpc' })).toEqual([200, 'false']);
    expect(await said('PUT', 'config?cas=2', { ...http('web'), Protocol: 'grpc' })).toEqual([200, 'true']);
  });

  test('are unchanged by an identical write, whatever its check-and-set', async () => {
    const { said, json } = await registry();
    await said('PUT', 'config', http('web'));
    const before = await json('GET', 'config/service-defaults/web');
    for (const index of [0, 1, 7])
      expect(await said('PUT', `config?cas=${index}`, http('web'))).toEqual([200, 'true']);
    expect(await json('GET', 'config/service-defaults/web')).toEqual(before);
    expect(await said('DELETE', 'config/service-defaults/none?cas=7')).toEqual([200, 'true']);
  });

  test('are deleted with check-and-set', async () => {
    const { said } = await registry();
    await said('PUT', 'config', http('web'));
    expect(await said('DELETE', 'config/service-defaults/web?cas=1')).toEqual([200, 'false']);
    expect(await said('DELETE', 'config/service-defaults/web?cas=2')).toEqual([200, 'true']);
    expect(await said('DELETE', 'config/service-defaults/web?cas=2')).toEqual([200, 'true']);
  });

  test('that cannot be decoded or violate a rule are rejected', async () => {
    const { said } = await registry();
    expect(await said('PUT', 'config', '{')).toEqual([
      400,
      expect.stringMatching(/^Request decoding failed: /),
    ]);
    expect(await said('PUT', 'config', { Kind: 'mesh', Name: 'web' })).toEqual([
      400,
      'Request decoding failed: unsupported config entry kind: mesh',
    ]);
    expect(await said('PUT', 'config', { ...splitTo('web', 'a'), Splits: [{ Weight: 99 }] })).toEqual([
      500,
      'the sum of all split weights must be 100, not 99.000000',
    ]);
    expect(await said('PUT', 'config', '')).toEqual([400, 'Request decoding failed: EOF']);
  });

  test('of another namespace are rejected', async () => {
    const { said } = await registry();
    const [status, text] = await said('PUT', 'config', { ...http('web'), Namespace: 'other' });
    expect([status, text]).toEqual([400, expect.stringContaining('Namespaces are a')]);
    expect(await said('PUT', 'config', { ...http('web'), Namespace: 'default' })).toEqual([200, 'true']);
  });

  test('of an unknown kind are rejected, and so is an incomplete path', async () => {
    const { said } = await registry();
    expect(await said('GET', 'config/mesh')).toEqual([500, 'unsupported config entry kind: mesh']);
    expect(await said('GET', 'config/other/web')).toEqual([500, 'invalid config entry kind: other']);
    expect(await said('DELETE', 'config/other/web')).toEqual([400, 'invalid config entry kind: other']);
    expect(await said('DELETE', 'config/proxy-defaults/web')).toEqual([
      500,
      'invalid name ("web"), only "global" is supported',
    ]);
    expect(await said('GET', 'config')).toEqual([404, 'Must provide either a kind or both kind and name']);
    expect(await said('DELETE', 'config/service-router')).toEqual([
      404,
      'Must provide both a kind and name to delete',
    ]);
  });

  test('have a hash that changes with their contents only', async () => {
    const { said, json } = await registry();
    const hash = async () => {
      const [entry] = await json('GET', 'config/service-defaults');
      return entry?.Hash;
    };
    await said('PUT', 'config', http('web'));
    const first = await hash();
    await said('PUT', 'config', { ...http('web'), Protocol: 'grpc' });
    const second = await hash();
    await said('PUT', 'config', { ...http('web'), Hash: 7 });
    expect(second).not.toBe(first);
    expect(await hash()).toBe(first);
  });

  test('survive a restart', async () => {
    const data = await folder();
    const first = await registry({ dataDirectory: data });
    await first.said('PUT', 'config', http('web'));
    const [before] = Object.values((await first.json('GET', 'discovery-chain/web')) as object);
    await first.close();
    const second = await registry({ dataDirectory: data });
    expect(await second.json('GET', 'config/service-defaults/web')).toMatchObject({ ModifyIndex: 2 });
    // The cluster keeps its trust domain too.
    expect(Object.values((await second.json('GET', 'discovery-chain/web')) as object)).toEqual([before]);
  });

  test('wake blocking queries when one changes', async () => {
    const { ask, said } = await registry();
    await said('PUT', 'config', http('web'));
    const waiting = ask('GET', 'config/service-defaults/web?index=2&wait=20s');
    await said('PUT', 'config', { ...http('web'), Protocol: 'grpc' });
    const { json, headers } = await waiting;
    expect(json).toMatchObject({ Protocol: 'grpc' });
    expect(headers['x-registry-index']).toBe('3');
    expect(headers['x-consul-index']).toBe('3');
  });
});

describe('a change that would leave a chain that does not compile', () => {
  test('is rejected: a splitter where the protocol permits none', async () => {
    const { said } = await registry();
    expect(await said('PUT', 'config', splitTo('web', 'api'))).toEqual([
      500,
      'discovery chain "web" uses a protocol "tcp" that does not permit advanced routing or splitting behavior',
    ]);
    expect(await said('GET', 'config/service-splitter')).toEqual([200, '[]']);
  });

  test('is rejected: another protocol for a service that a chain leads to', async () => {
    const { said, json } = await registry();
    for (const name of ['web', 'api', 'db']) await said('PUT', 'config', http(name));
    await said('PUT', 'config', splitTo('web', 'api'));
    await said('PUT', 'config', { Kind: 'service-resolver', Name: 'api', Redirect: { Service: 'db' } });
    expect(await said('PUT', 'config', { ...http('db'), Protocol: 'grpc' })).toEqual([
      500,
      'discovery chain "api" uses inconsistent protocols; service "db" has "grpc" which is not "http"',
    ]);
    expect(await json('GET', 'config/service-defaults/db')).toMatchObject({ Protocol: 'http' });
  });

  test('is rejected: deleting the defaults that a router needs', async () => {
    const { said } = await registry();
    await said('PUT', 'config', http('web'));
    await said('PUT', 'config', { Kind: 'service-router', Name: 'web' });
    const [status] = await said('DELETE', 'config/service-defaults/web');
    expect(status).toBe(500);
    await said('DELETE', 'config/service-router/web');
    expect(await said('DELETE', 'config/service-defaults/web')).toEqual([200, '{}']);
  });

  test('is rejected: proxy defaults that change the protocol of all', async () => {
    const { said } = await registry();
    const proxies = { Kind: 'proxy-defaults', Name: 'global', Config: { protocol: 'http' } };
    await said('PUT', 'config', proxies);
    expect(await said('PUT', 'config', splitTo('web', 'api'))).toEqual([200, 'true']);
    const [status] = await said('PUT', 'config', { ...proxies, Config: {} });
    expect(status).toBe(500);
    expect((await said('DELETE', 'config/proxy-defaults/global'))[0]).toBe(500);
  });

  test('is rejected: a cycle', async () => {
    const { said } = await registry();
    await said('PUT', 'config', { Kind: 'service-resolver', Name: 'a', Redirect: { Service: 'b' } });
    expect(
      await said('PUT', 'config', { Kind: 'service-resolver', Name: 'b', Redirect: { Service: 'a' } }),
    ).toEqual([500, expect.stringMatching(/^detected circular resolver redirect: \[/)]);
  });

  test('is rejected: removing a subset that another service redirects to', async () => {
    const { said } = await registry();
    const api = { Kind: 'service-resolver', Name: 'api', Subsets: { v1: {} } };
    await said('PUT', 'config', api);
    await said('PUT', 'config', {
      Kind: 'service-resolver',
      Name: 'web',
      Redirect: { Service: 'api', ServiceSubset: 'v1' },
    });
    expect(await said('PUT', 'config', { ...api, Subsets: { v2: {} } })).toEqual([
      500,
      'service "api" does not have a subset named "v1"',
    ]);
  });
});
