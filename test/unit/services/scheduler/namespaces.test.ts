import { describe, expect, test } from 'vitest';
import { folder } from '../support.ts';
import { guarded, scheduler } from './support.ts';

const first = {
  Name: 'default',
  Description: 'Default shared namespace',
  Meta: null,
  Quota: '',
  Capabilities: null,
  CreateIndex: 1,
  ModifyIndex: 1,
};

describe('namespaces', () => {
  test('begin with the default one', async () => {
    const { ask, json } = await scheduler();
    const { status, headers, json: list } = await ask('GET', 'namespaces');
    expect([status, list]).toEqual([200, [first]]);
    expect(headers).toMatchObject({
      'x-scheduler-index': '1',
      'x-nomad-index': '1',
      'x-nomad-knownleader': 'true',
      'x-nomad-lastcontact': '0',
    });
    expect(await json('GET', 'namespace/default')).toEqual(first);
  });

  test.each([
    ['PUT', 'namespace'],
    ['POST', 'namespace'],
    ['PUT', 'namespace/web'],
    ['POST', 'namespace/web'],
  ])('are created and replaced with %s %s, with an empty response', async (method, path) => {
    const { ask, json } = await scheduler();
    const Capabilities = { EnabledTaskDrivers: ['docker'] };
    const body = { Name: 'web', Description: 'd', Meta: { owner: 'ops', __proto__x: '' }, Capabilities };
    const made = await ask(method, path, { body });
    const index = Number(made.headers['x-nomad-index']);
    expect([made.status, made.text]).toEqual([200, '']);
    expect(await json('GET', 'namespace/web')).toEqual({
      Name: 'web',
      Description: 'd',
      Meta: { owner: 'ops', __proto__x: '' },
      Quota: '',
      Capabilities: {
        EnabledTaskDrivers: ['docker'],
        DisabledTaskDrivers: null,
        EnabledNetworkModes: null,
        DisabledNetworkModes: null,
      },
      CreateIndex: index,
      ModifyIndex: index,
    });
    await ask(method, path, { body: { Name: 'web' } });
    expect(await json('GET', 'namespace/web')).toMatchObject({
      Description: '',
      Meta: null,
      Capabilities: null,
      CreateIndex: index,
      ModifyIndex: index + 1,
    });
  });

  test.each([
    ['NodePoolConfiguration', 'invalid node pool configuration: Node Pools Governance is unlicensed.'],
    ['VaultConfiguration', 'invalid vault configuration: Multi-Cluster Vault is unlicensed.'],
    ['ConsulConfiguration', 'invalid consul configuration: Multi-Cluster Consul is unlicensed.'],
  ])('reject %s, unless it is null', async (field, message) => {
    const { send } = await scheduler();
    expect(await send('PUT', 'namespace', { Name: 'a', [field]: {} })).toBe(
      `500 Invalid namespace "a": 1 error occurred:\n\t* ${message}\n\n`,
    );
    expect(await send.status('PUT', 'namespace', { Name: 'a', [field]: 'x' })).toBe(400);
    expect(await send.status('GET', 'namespace/a')).toBe(404);
    expect(await send.status('PUT', 'namespace', { Name: 'a', [field]: null })).toBe(200);
  });

  test('store claims, and null in metadata as an empty text', async () => {
    const { ask, json } = await scheduler();
    const claims = { RequiredExtraClaims: { a: 'b' }, OptionalExtraClaims: {} };
    await ask('PUT', 'namespace', { body: { Name: 'web', Meta: { owner: null }, ...claims } });
    expect(await json('GET', 'namespace/web')).toMatchObject({ Meta: { owner: '' }, ...claims });
    await ask('PUT', 'namespace', { body: { Name: 'web' } });
    expect(await json('GET', 'namespace/web')).not.toHaveProperty('RequiredExtraClaims');
  });

  test('are listed by prefix, in order', async () => {
    const { ask, json } = await scheduler();
    for (const Name of ['web', 'a', 'web-2', 'Z']) await ask('PUT', 'namespace', { body: { Name } });
    const names = async (query: string) =>
      ((await json('GET', `namespaces${query}`)) as unknown as { Name: string }[]).map(({ Name }) => Name);
    expect(await names('')).toEqual(['Z', 'a', 'default', 'web', 'web-2']);
    expect(await names('?prefix=web')).toEqual(['web', 'web-2']);
    expect(await names('?prefix=none')).toEqual([]);
  });

  test('are rejected if invalid', async () => {
    const { send } = await scheduler();
    const put = (body: unknown) => send('PUT', 'namespace', body);
    for (const Name of ['', 'a b', 'a/b', 'ä', 'a_b', 'x'.repeat(129)]) {
      expect(await put({ Name })).toMatch(/^500 .*Must match regex/s);
    }
    expect(await put({ Name: 'x'.repeat(128), Description: 'd'.repeat(256) })).toMatch(/^200/);
    expect(await put({ Name: 'x'.repeat(128), Description: '🔑'.repeat(64) })).toMatch(/^200/);
    expect(await put({ Name: 'a', Description: `${'é'.repeat(128)}d` })).toMatch(
      /description longer than 256/,
    );
    expect(await put({ Name: 'a b', Description: 'd'.repeat(257) })).toBe(
      '500 Invalid namespace "a b": 2 errors occurred:\n\t* invalid name "a b". Must match regex ^[a-zA-Z0-9-]{1,128}$\n\t* description longer than 256\n\n',
    );
    expect(await put({ Name: 'a', Quota: 'q' })).toBe('500 namespace "a" using non-existent quota "q"');
    expect(await put({ Name: 'a', Meta: { b: 1 } })).toMatch(/^400/);
    expect(await put({ Name: 1 })).toMatch(/^400/);
    expect(await put([])).toMatch(/^400/);
    expect(await put('{')).toMatch(/^400/);
  });

  test('are deleted when they are empty, and never the default one', async () => {
    const { ask, send, put } = await scheduler();
    await ask('PUT', 'namespace', { body: { Name: 'web' } });
    await ask('PUT', 'namespace', { body: { Name: 'web-2' } });
    await put('a?namespace=web');
    expect(await send('DELETE', 'namespace/web-2')).toBe('200');
    await send('DELETE', 'var/a?namespace=web');
    const deleted = await ask('DELETE', 'namespace/web');
    expect([deleted.status, deleted.text, deleted.headers['x-nomad-index']]).toEqual([200, '', '8']);
    expect(await send.status('GET', 'namespace/web')).toBe(404);
    expect(await send('PUT', 'var/a?namespace=web', { Items: { k: 'v' } })).toBe(
      '500 variable "a" is in nonexistent namespace "web"',
    );
  });

  test('wake blocking queries', async () => {
    const { ask } = await scheduler();
    const waiting = ask('GET', 'namespaces?index=1&wait=10s');
    const one = ask('GET', 'namespace/default?index=1&wait=10s');
    await ask('PUT', 'namespace', { body: { Name: 'web' } });
    const response = await waiting;
    expect([response.text.includes('"web"'), Number(response.headers['x-nomad-index'])]).toEqual([true, 3]);
    await ask('PUT', 'namespace', { body: { Name: 'default', Description: 'mine' } });
    const changed = await one;
    expect([changed.json?.Description, changed.headers['x-nomad-index']]).toEqual(['mine', '4']);
    const begin = performance.now();
    const late = await ask('GET', 'namespaces?index=99&wait=100ms');
    expect(performance.now() - begin).toBeGreaterThan(90);
    expect(late.headers['x-nomad-index']).toBe('4');
  });

  test('exist after a restart', async () => {
    const data = await folder();
    const before = await scheduler({ dataDirectory: data });
    await before.ask('PUT', 'namespace', { body: { Name: 'web' } });
    const kept = await before.json('GET', 'namespaces');
    await before.close();
    const after = await scheduler({ dataDirectory: data });
    expect(await after.json('GET', 'namespaces')).toEqual(kept);
  });

  test('are visible with any permission in them, and created by management tokens only', async () => {
    const { holder, manage, anonymous } = await guarded();
    for (const Name of ['web', 'db', 'secret']) await manage('PUT', 'namespace', { Name });
    const { send } = await holder(`
      namespace "web" { policy = "read" }
      namespace "d*" { capabilities = ["list-jobs"] }
      namespace "default" { policy = "deny" }
    `);
    const list = JSON.parse(await send.text('GET', 'namespaces'));
    expect(list.map(({ Name }: { Name: string }) => Name)).toEqual(['db', 'web']);
    expect(await send.status('GET', 'namespace/web')).toBe(200);
    expect(await send('GET', 'namespace/secret')).toBe('403 Permission denied');
    expect(await send('PUT', 'namespace/web', { Name: 'web' })).toBe('403 Permission denied');
    expect(await send('DELETE', 'namespace/web')).toBe('403 Permission denied');
    expect(await anonymous('GET', 'namespaces')).toBe('200 []');
  });
});
