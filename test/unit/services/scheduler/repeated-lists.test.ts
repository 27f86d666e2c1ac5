import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { HttpRequest } from '../../../../src/services/core/http/http-service.ts';
import { schedulerService } from '../../../../src/services/scheduler/service.ts';
import type { Json } from '../../../../src/wire/json.ts';
import { countingStorage } from '../core/store/counting-storage.ts';
import { folder } from '../support.ts';
import { guarded, scheduler } from './support.ts';

// A list is encoded from what earlier lists encoded: it must show what every variable is now.

type Scheduler = Awaited<ReturnType<typeof scheduler>>;
type Row = { readonly [name: string]: Json };

const rowsOf = async ({ ask }: Scheduler, query = '', headers = {}): Promise<readonly Row[]> => {
  const { json, status, text } = await ask('GET', `vars?${query}`, { headers });
  expect(status, text).toBe(200);
  return json as unknown as Row[];
};

/** The listed variables, read one by one, without their items. */
async function readOneByOne({ json }: Scheduler, rows: readonly Row[]): Promise<Row[]> {
  const read: Row[] = [];
  for (const { Namespace, Path } of rows) {
    const { Items: _items, ...metadata } = await json('GET', `var/${Path}?namespace=${Namespace}`);
    read.push(metadata);
  }
  return read;
}

describe('a list that was read before', () => {
  test('shows updates, deletions and new variables of the same path', async () => {
    const all = await scheduler();
    const first = await all.put('a');
    await all.put('b');
    expect(await rowsOf(all)).toMatchObject([{ Path: 'a', ModifyIndex: first.ModifyIndex }, { Path: 'b' }]);
    all.pass(1);
    const updated = await all.put('a', 'w');
    expect((await rowsOf(all))[0]).toMatchObject({
      CreateIndex: first.CreateIndex,
      CreateTime: first.CreateTime,
      ModifyIndex: updated.ModifyIndex,
      ModifyTime: updated.ModifyTime,
    });
    await all.ask('DELETE', 'var/a');
    expect(await all.paths()).toEqual(['b']);
    const again = await all.put('a');
    expect((await rowsOf(all))[0]).toMatchObject({ Path: 'a', CreateIndex: again.CreateIndex });
    expect(await readOneByOne(all, await rowsOf(all))).toEqual(await rowsOf(all));
  });

  test('is the same in pages, reversed, filtered, indented and in all namespaces', async () => {
    const all = await scheduler();
    await all.ask('PUT', 'namespace', { body: { Name: 'web' } });
    for (const path of ['a', 'b', 'c', 'a?namespace=web']) await all.put(path);
    const queries = [
      'namespace=*',
      'reverse=true',
      'per_page=2',
      'filter=VariableMetadata.Path!="b"',
      'pretty',
      'prefix=a',
    ];
    for (const changed of ['', 'b', 'a?namespace=web']) {
      if (changed !== '') await all.put(changed, 'changed');
      for (const query of queries) {
        const rows = await rowsOf(all, query);
        expect(rows.length).toBeGreaterThan(0);
        expect(await readOneByOne(all, rows), query).toEqual(rows);
      }
    }
    expect(await rowsOf(all, 'namespace=web')).toMatchObject([{ Namespace: 'web', Path: 'a' }]);
  });

  test('shows the current lock, and only to management tokens', async () => {
    const all = await guarded();
    const reader = await all.holder('namespace "*" { variables { path "*" { capabilities = ["list"] } } }');
    await all.manage('PUT', 'var/a', { Items: { k: 'v' } });
    const locks = async () => {
      const [mine = {}] = await rowsOf(all, '', all.rootHeaders);
      const [theirs = {}] = await rowsOf(all, '', reader.headers);
      expect(theirs).not.toHaveProperty('Lock');
      expect({ ...mine, Lock: undefined }).toEqual({ ...theirs, Lock: undefined });
      return mine.Lock;
    };
    expect(await locks()).toBeUndefined();
    const { Lock } = await all.manage('PUT', 'var/a?lock-acquire', { Lock: {} });
    const { ID } = Lock as { ID: string };
    expect(await locks()).toEqual({ ID, TTL: '15s', LockDelay: '15s' });
    await all.manage('PUT', 'var/a?lock-release', { Lock: { ID } });
    expect(await locks()).toBeUndefined();
  });

  test('shows a caller no more than its policies allow now', async () => {
    const all = await guarded();
    for (const path of ['app/a', 'db/a']) await all.manage('PUT', `var/${path}`, { Items: { k: 'v' } });
    const rules = (path: string) =>
      `namespace "default" { variables { path "${path}" { capabilities = ["list"] } } }`;
    const { headers } = await all.holder(rules('app/*'));
    const paths = async (of: Readonly<Record<string, string>>) =>
      (await rowsOf(all, '', of)).map(({ Path }) => Path);
    expect(await paths(all.rootHeaders)).toEqual(['app/a', 'db/a']);
    expect(await paths(headers)).toEqual(['app/a']);
    await all.manage('PUT', 'acl/policy/policy-1', { Name: 'policy-1', Rules: rules('db/*') });
    expect(await paths(headers)).toEqual(['db/a']);
    await all.manage('DELETE', 'acl/policy/policy-1');
    expect(await paths(headers)).toEqual([]);
    expect(await paths(all.rootHeaders)).toEqual(['app/a', 'db/a']);
  });

  test('wakes with the changed variable when it waits for the next index', async () => {
    const all = await scheduler();
    await all.put('a');
    const { headers } = await all.ask('GET', 'vars');
    const waiting = rowsOf(all, `index=${headers['x-nomad-index']}&wait=30s`);
    const changed = await all.put('a', 'w');
    expect(await waiting).toMatchObject([{ Path: 'a', ModifyIndex: changed.ModifyIndex }]);
  });

  test('is the same after a restart', async () => {
    const dataDirectory = await folder();
    const first = await scheduler({ dataDirectory });
    for (const path of ['a', 'b']) await first.put(path);
    await rowsOf(first);
    await first.put('b', 'w');
    const rows = await rowsOf(first);
    await first.close();
    expect(await rowsOf(await scheduler({ dataDirectory }))).toEqual(rows);
  });

  test('shows what is stored after a write failed', async () => {
    const { storage, told } = countingStorage();
    const parts = { clock: () => new Date(), random: randomBytes, version: '0', log: () => {} };
    const service = await schedulerService({ storage, ...parts, keyFile: undefined });
    const ask = (method: string, segments: string[], body?: object) =>
      service.handle({
        method,
        path: { segments, hasTrailingSlash: false },
        query: new URLSearchParams(),
        headers: {},
        serviceHeader: () => undefined,
        json: async () => body,
        signal: new AbortController().signal,
      } as unknown as HttpRequest);
    const list = async () => String((await ask('GET', ['v1', 'vars'])).body);
    await ask('PUT', ['v1', 'var', 'a'], { Items: { k: 'v' } });
    const before = await list();
    told.full = true;
    const failing = ask('PUT', ['v1', 'var', 'a'], { Items: { k: 'w' } });
    const during = list();
    expect((await failing).status).toBe(500);
    await during;
    told.full = false;
    expect(await list()).toBe(before);
    await ask('PUT', ['v1', 'var', 'a'], { Items: { k: 'w' } });
    expect(await list()).not.toBe(before);
    service.stop();
  });
});

describe('a long list', () => {
  test('has every variable once, in order, at any size of a page', async () => {
    const all = await scheduler();
    const paths = Array.from({ length: 1205 }, (_, at) => `many/${String(at).padStart(4, '0')}`);
    for (let at = 0; at < paths.length; at += 100)
      await Promise.all(paths.slice(at, at + 100).map((path) => all.put(path)));
    expect(await all.paths('prefix=many/')).toEqual(paths);
    expect(await all.paths('prefix=many/&reverse=true')).toEqual(paths.toReversed());
    for (const perPage of [1, 499, 500, 501, 1204, 1205, 1206]) {
      const { json, headers } = await all.ask('GET', `vars?prefix=many/&per_page=${perPage}`);
      expect((json as unknown as Row[]).map(({ Path }) => Path)).toEqual(paths.slice(0, perPage));
      const next = paths[perPage];
      expect(headers['x-nomad-nexttoken']).toBe(next === undefined ? undefined : `default.${next}`);
    }
  });
});
