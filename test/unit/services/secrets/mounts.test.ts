import { describe, expect, test } from 'vitest';
import type { EngineTable } from '../../../../src/services/secrets/model/mounts.ts';
import { folder, shelf } from '../support.ts';
import { data, outcome, secrets } from './support.ts';

type Secrets = Awaited<ReturnType<typeof secrets>>;

describe('mounts', () => {
  test('are listed, added, shown and removed', async () => {
    const { post, put, get, remove } = await secrets();
    const list = await get('sys/mounts');
    expect(Object.keys(data(list) ?? {})).toEqual(['cubbyhole/', 'identity/', 'shelf/', 'sys/']);
    expect(list.json?.['shelf/']).toMatchObject({
      type: 'shelf',
      accessor: expect.stringMatching(/^shelf_/),
    });
    const body = { type: 'shelf', description: 'deep', options: { version: '2' } };
    expect((await post('sys/mounts/a/deep/one', body)).status).toBe(204);
    expect((await put('a/deep/one/things/x', { v: 1 })).status).toBe(204);
    expect((await get('a/deep/one/things/x')).status).toBe(200);
    expect((await get('shelf/things/x')).status).toBe(404);
    expect(data(await get('sys/mounts/a/deep/one/'))).toMatchObject({ description: 'deep' });
    expect(data(await get('sys/internal/ui/mounts/a/deep/one/things/x'))).toMatchObject({
      path: 'a/deep/one/',
      type: 'shelf',
      options: { version: '2' },
    });
    expect((await remove('sys/mounts/a/deep/one')).status).toBe(204);
    expect((await get('a/deep/one/things/x')).status).toBe(404);
    await post('sys/mounts/a/deep/one', body);
    expect(outcome(await get('a/deep/one/things/x'))).toBe('404');
  });

  test('reject a path in use and an unknown type', async () => {
    const { post, get, remove } = await secrets();
    const attempt = async (path: string, type = 'shelf') =>
      outcome(await post(`sys/mounts/${path}`, { type }));
    for (const [path, mount] of [
      ['shelf', 'shelf'],
      ['shelf/below', 'shelf'],
      ['sys/x', 'sys'],
      ['auth', 'auth'],
    ] as const)
      expect(await attempt(path)).toBe(`400 path is already in use at ${mount}/`);
    expect(await attempt('x', 'constructor')).toBe('400 plugin not found in the catalog: constructor');
    expect(outcome(await get('sys/mounts/none'))).toBe('400 No secret engine mount at none/');
    expect(outcome(await remove('sys/mounts/sys'))).toBe('400 cannot unmount "sys/"');
    const twice = await Promise.all([attempt('twin'), attempt('twin')]);
    expect(twice.toSorted()).toEqual(['204', '400 path is already in use at twin/']);
  });

  test('are shown only to a token with permissions on them', async () => {
    const { createToken, get, tokenWith } = await secrets();
    const some = await tokenWith('path "shelf/things/+/x" { capabilities = ["read"] }');
    const none = (await createToken({ policies: ['default'] })).client_token;
    expect((await get('sys/internal/ui/mounts/shelf/x', some)).status).toBe(200);
    expect(outcome(await get('sys/internal/ui/mounts/shelf/x', none))).toMatch(
      /^403 .*preflight capability check returned 403/,
    );
  });

  test('pass their options to the engine, and can be tuned', async () => {
    const { post, get } = await secrets();
    const body = { type: 'shelf', options: { version: '2', colour: 'red' } };
    await post('sys/mounts/deep/one', body);
    expect(data(await get('deep/one/options'))).toEqual({ version: '2', colour: 'red' });
    expect(data(await get('shelf/options'))).toEqual({});
    const tune = async (more: object) => outcome(await post('sys/mounts/deep/one/tune', more));
    const tuned = await tune({ description: 'new', max_lease_ttl: '2h', options: { colour: 'blue' } });
    expect(tuned).toBe('204');
    expect(data(await get('sys/mounts/deep/one/tune'))).toEqual({
      default_lease_ttl: 2_764_800,
      max_lease_ttl: 7200,
      force_no_cache: false,
      description: 'new',
      options: { version: '2', colour: 'blue' },
    });
    expect(data(await get('sys/mounts/deep/one'))).toMatchObject({ type: 'shelf', description: 'new' });
    expect(await tune({ options: { version: '1' } })).toBe(
      '400 the version of a mount cannot be changed; mount the other version at another path',
    );
    expect(outcome(await post('sys/mounts/none/tune'))).toBe('400 No secret engine mount at none/');
    expect(outcome(await post('sys/mounts/sys/tune', { description: 'x' }))).toBe(
      '400 cannot tune parameter description of sys/',
    );
  });

  test('of a new service are added to older data once', async () => {
    const directory = await folder();
    const mounts = async (engines: EngineTable, act: (service: Secrets) => unknown = () => {}) => {
      const service = await secrets({ dataDirectory: directory, engines });
      await act(service);
      const paths = Object.keys(data(await service.get('sys/mounts')) ?? {});
      await service.close();
      return paths.filter((path) => !['sys/', 'identity/', 'cubbyhole/'].includes(path));
    };
    const both = { shelf, drawer: shelf };
    expect(await mounts({ shelf }, ({ put }) => put('shelf/things/a'))).toEqual(['shelf/']);
    expect(await mounts(both)).toEqual(['drawer/', 'shelf/']);
    expect(await mounts(both, ({ remove }) => remove('sys/mounts/drawer'))).toEqual(['shelf/']);
    expect(await mounts(both)).toEqual(['shelf/']);
  });
});

describe('snapshots', () => {
  test('show an engine the former data of its mount, and are listed, shown and deleted', async () => {
    const { ask, post, put, get, remove } = await secrets();
    await put('shelf/things/a', { a: 1 });
    const id = String(data(await post('sys/storage/raft/snapshot'))?.snapshot_id);
    await put('shelf/things/b');
    await remove('shelf/things/a');
    expect(data(await get(`shelf/then/${id}`))).toEqual({ keys: ['things/a'] });
    expect((await get('shelf/then/none')).status).toBe(404);
    expect(data(await ask('LIST', 'sys/storage/raft/snapshot'))).toEqual({ keys: [id] });
    expect(data(await get(`sys/storage/raft/snapshot/${id}`))).toMatchObject({
      snapshot_id: id,
      status: 'ready',
    });
    expect((await remove(`sys/storage/raft/snapshot/${id}`)).status).toBe(204);
    expect((await get(`shelf/then/${id}`)).status).toBe(404);
    expect((await get(`sys/storage/raft/snapshot/${id}`)).status).toBe(404);
  });
});
