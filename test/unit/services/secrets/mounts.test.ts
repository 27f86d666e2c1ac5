import { describe, expect, test } from 'vitest';
import type { EngineTable } from '../../../../src/services/secrets/model/mounts.ts';
import { folder, shelf } from '../support.ts';
import { data, errors, secrets } from './support.ts';

type Ask = Awaited<ReturnType<typeof secrets>>['ask'];

describe('mounts', () => {
  test('are listed, added, shown and removed', async () => {
    const { ask } = await secrets();
    const list = await ask('GET', 'sys/mounts');
    expect(Object.keys(data(list) ?? {})).toEqual(['cubbyhole/', 'identity/', 'shelf/', 'sys/']);
    expect(list.json?.['shelf/']).toMatchObject({
      type: 'shelf',
      accessor: expect.stringMatching(/^shelf_/),
    });
    const body = { type: 'shelf', description: 'deep', options: { version: '2' } };
    expect((await ask('POST', 'sys/mounts/a/deep/one', { body })).status).toBe(204);
    expect((await ask('PUT', 'a/deep/one/things/x', { body: { v: 1 } })).status).toBe(204);
    expect((await ask('GET', 'a/deep/one/things/x')).status).toBe(200);
    expect((await ask('GET', 'shelf/things/x')).status).toBe(404);
    expect(data(await ask('GET', 'sys/mounts/a/deep/one/'))).toMatchObject({ description: 'deep' });
    expect(data(await ask('GET', 'sys/internal/ui/mounts/a/deep/one/things/x'))).toMatchObject({
      path: 'a/deep/one/',
      type: 'shelf',
      options: { version: '2' },
    });
    expect((await ask('DELETE', 'sys/mounts/a/deep/one')).status).toBe(204);
    expect((await ask('GET', 'a/deep/one/things/x')).status).toBe(404);
    await ask('POST', 'sys/mounts/a/deep/one', { body });
    expect(errors(await ask('GET', 'a/deep/one/things/x'))).toEqual([404, []]);
  });

  test('reject a path in use and an unknown type', async () => {
    const { ask } = await secrets();
    const attempt = async (path: string, type = 'shelf') =>
      errors(await ask('POST', `sys/mounts/${path}`, { body: { type } }));
    expect(await attempt('shelf')).toEqual([400, ['path is already in use at shelf/']]);
    expect(await attempt('shelf/below')).toEqual([400, ['path is already in use at shelf/']]);
    expect(await attempt('sys/x')).toEqual([400, ['path is already in use at sys/']]);
    expect(await attempt('auth')).toEqual([400, ['path is already in use at auth/']]);
    expect(await attempt('x', 'constructor')).toEqual([
      400,
      ['plugin not found in the catalog: constructor'],
    ]);
    expect(errors(await ask('GET', 'sys/mounts/none'))).toEqual([400, ['No secret engine mount at none/']]);
    expect(errors(await ask('DELETE', 'sys/mounts/sys'))).toEqual([400, ['cannot unmount "sys/"']]);
    const twice = await Promise.all([attempt('twin'), attempt('twin')]);
    expect(twice.map(([status]) => status).sort()).toEqual([204, 400]);
  });

  test('are shown only to a token with permissions on them', async () => {
    const { ask, createToken, policy } = await secrets();
    await policy('p', 'path "shelf/things/+/x" { capabilities = ["read"] }');
    const some = (await createToken({ policies: ['p'] })).client_token;
    const none = (await createToken({ policies: ['default'] })).client_token;
    expect((await ask('GET', 'sys/internal/ui/mounts/shelf/x', { token: some })).status).toBe(200);
    expect(errors(await ask('GET', 'sys/internal/ui/mounts/shelf/x', { token: none }))).toEqual([
      403,
      [expect.stringContaining('preflight capability check returned 403')],
    ]);
  });

  test('pass their options to the engine, and can be tuned', async () => {
    const { ask } = await secrets();
    const body = { type: 'shelf', options: { version: '2', colour: 'red' } };
    await ask('POST', 'sys/mounts/deep/one', { body });
    expect(data(await ask('GET', 'deep/one/options'))).toEqual({ version: '2', colour: 'red' });
    expect(data(await ask('GET', 'shelf/options'))).toEqual({});
    const tune = (more: object) => ask('POST', 'sys/mounts/deep/one/tune', { body: more });
    expect(
      (await tune({ description: 'new', max_lease_ttl: '2h', options: { colour: 'blue' } })).status,
    ).toBe(204);
    expect(data(await ask('GET', 'sys/mounts/deep/one/tune'))).toEqual({
      default_lease_ttl: 2_764_800,
      max_lease_ttl: 7200,
      force_no_cache: false,
      description: 'new',
      options: { version: '2', colour: 'blue' },
    });
    expect(data(await ask('GET', 'sys/mounts/deep/one'))).toMatchObject({
      type: 'shelf',
      description: 'new',
    });
    expect(errors(await tune({ options: { version: '1' } }))).toEqual([
      400,
      ['the version of a mount cannot be changed; mount the other version at another path'],
    ]);
    expect(errors(await ask('POST', 'sys/mounts/none/tune', { body: {} }))).toEqual([
      400,
      ['No secret engine mount at none/'],
    ]);
    expect(errors(await ask('POST', 'sys/mounts/sys/tune', { body: { description: 'x' } }))).toEqual([
      400,
      ['cannot tune parameter description of sys/'],
    ]);
  });

  test('of a new service are added to older data once', async () => {
    const directory = await folder();
    const mounts = async (engines: EngineTable, act: (ask: Ask) => Promise<unknown> = async () => {}) => {
      const { ask, close } = await secrets({ dataDirectory: directory, engines });
      await act(ask);
      const paths = Object.keys(data(await ask('GET', 'sys/mounts')) ?? {});
      await close();
      return paths.filter((path) => !['sys/', 'identity/', 'cubbyhole/'].includes(path));
    };
    const both = { shelf, drawer: shelf };
    expect(await mounts({ shelf }, (ask) => ask('PUT', 'shelf/things/a', { body: {} }))).toEqual(['shelf/']);
    expect(await mounts(both)).toEqual(['drawer/', 'shelf/']);
    expect(await mounts(both, (ask) => ask('DELETE', 'sys/mounts/drawer'))).toEqual(['shelf/']);
    expect(await mounts(both)).toEqual(['shelf/']);
  });
});

describe('snapshots', () => {
  test('show an engine the former data of its mount, and are listed, shown and deleted', async () => {
    const { ask } = await secrets();
    await ask('PUT', 'shelf/things/a', { body: { a: 1 } });
    const id = String(data(await ask('POST', 'sys/storage/raft/snapshot', { body: {} }))?.snapshot_id);
    await ask('PUT', 'shelf/things/b', { body: {} });
    await ask('DELETE', 'shelf/things/a');
    expect(data(await ask('GET', `shelf/then/${id}`))).toEqual({ keys: ['things/a'] });
    expect((await ask('GET', 'shelf/then/none')).status).toBe(404);
    expect(data(await ask('LIST', 'sys/storage/raft/snapshot'))).toEqual({ keys: [id] });
    expect(data(await ask('GET', `sys/storage/raft/snapshot/${id}`))).toMatchObject({
      snapshot_id: id,
      status: 'ready',
    });
    expect((await ask('DELETE', `sys/storage/raft/snapshot/${id}`)).status).toBe(204);
    expect((await ask('GET', `shelf/then/${id}`)).status).toBe(404);
    expect((await ask('GET', `sys/storage/raft/snapshot/${id}`)).status).toBe(404);
  });
});
