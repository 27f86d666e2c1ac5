import { describe, expect, test } from 'vitest';
import { RecentItems } from '../../../../src/services/scheduler/model/recent-items.ts';
import type { Variable } from '../../../../src/services/scheduler/model/variables.ts';
import { folder } from '../support.ts';
import { guarded, scheduler } from './support.ts';

const itemsOf = async ({ json }: Awaited<ReturnType<typeof scheduler>>, path: string) =>
  (await json('GET', `var/${path}`)).Items;

describe('the items of a variable that was read before', () => {
  test('are the items of the last write in the same namespace', async () => {
    const all = await scheduler();
    await all.ask('PUT', 'namespace', { body: { Name: 'web' } });
    await all.put('a', 'first');
    await all.put('a?namespace=web', 'of web');
    expect(await itemsOf(all, 'a')).toEqual({ k: 'first' });
    expect(await itemsOf(all, 'a?namespace=web')).toEqual({ k: 'of web' });
    await all.put('a', 'second');
    expect(await itemsOf(all, 'a')).toEqual({ k: 'second' });
    expect(await itemsOf(all, 'a?pretty')).toEqual({ k: 'second' });
    expect(await itemsOf(all, 'a?namespace=web')).toEqual({ k: 'of web' });
  });

  test('are gone with the variable, and others in a new one of the same path', async () => {
    const all = await scheduler();
    await all.put('a', 'first');
    await itemsOf(all, 'a');
    await all.ask('DELETE', 'var/a');
    expect((await all.ask('GET', 'var/a')).status).toBe(404);
    await all.put('a', 'second');
    expect(await itemsOf(all, 'a')).toEqual({ k: 'second' });
  });

  test('are readable after a lock is released, and only with permission', async () => {
    const all = await guarded();
    const reader = await all.holder('namespace "*" { variables { path "*" { capabilities = ["read"] } } }');
    const { Lock } = await all.manage('PUT', 'var/a?lock-acquire', { Items: { k: 'locked' }, Lock: {} });
    const read = async () => {
      const { status, json } = await all.ask('GET', 'var/a', { headers: reader.headers });
      return json?.Items ?? status;
    };
    expect(await read()).toEqual({ k: 'locked' });
    await all.manage('PUT', 'var/a?lock-release', { Lock: { ID: (Lock as { ID: string }).ID } });
    expect(await read()).toEqual({ k: 'locked' });
    await all.manage('DELETE', 'acl/policy/policy-1');
    expect(await read()).toBe(403);
  });

  test('are the same after a restart', async () => {
    const dataDirectory = await folder();
    const first = await scheduler({ dataDirectory });
    await first.put('a', 'first');
    await itemsOf(first, 'a');
    await first.put('a', 'second');
    await first.close();
    expect(await itemsOf(await scheduler({ dataDirectory }), 'a')).toEqual({ k: 'second' });
  });
});

describe('recent items', () => {
  const variable = (Sealed: string): Variable => ({
    CreateIndex: 1,
    CreateTime: '1',
    ModifyIndex: 1,
    ModifyTime: '1',
    Sealed,
  });
  const path = { Namespace: 'default', Path: 'a' };

  /** Reads through it, and the texts that were decrypted for them. */
  function counted() {
    const decrypted: string[] = [];
    const recent = new RecentItems({
      encrypt: (_name, text) => text,
      decrypt(_name, text) {
        decrypted.push(text);
        return `items ${text}`;
      },
    });
    return { recent, decrypted };
  }

  test('are decrypted once for each variable', () => {
    const { recent, decrypted } = counted();
    const [a, b] = [variable('a'), variable('b')];
    for (const each of [a, b, a, b]) expect(recent.read(path, each)).toBe(`items ${each.Sealed}`);
    expect(decrypted).toEqual(['a', 'b']);
  });

  test('are decrypted again after they were forgotten', () => {
    const { recent, decrypted } = counted();
    const a = variable('a');
    recent.forget(a);
    recent.read(path, a);
    recent.forget(a);
    recent.forget(a);
    expect(recent.read(path, a)).toBe('items a');
    expect(decrypted).toEqual(['a', 'a']);
  });

  test('are dropped from 1 MiB on, the oldest first', () => {
    const { recent, decrypted } = counted();
    const large = Array.from({ length: 70 }, (_, at) => variable(String(at).padStart(16 * 1024, '0')));
    for (const each of large) recent.read(path, each);
    decrypted.length = 0;
    // The last 63 fit, with "items " before each.
    for (const each of large.slice(7)) recent.read(path, each);
    expect(decrypted).toEqual([]);
    for (const each of large.slice(0, 7)) recent.read(path, each);
    expect(decrypted).toHaveLength(7);
  });

  test('that are larger than the limit are not stored', () => {
    const { recent, decrypted } = counted();
    const [large, small] = [variable('x'.repeat(2 * 1024 * 1024)), variable('a')];
    for (const each of [large, small, large, small, small]) recent.read(path, each);
    expect(decrypted.map(({ length }) => length)).toEqual([large.Sealed.length, 1, large.Sealed.length, 1]);
  });
});
