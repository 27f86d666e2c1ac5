import { describe, expect, test } from 'vitest';
import { openStore } from '../../../../src/services/core/store/store.ts';
import type { Json } from '../../../../src/wire/json.ts';
import { folder } from '../support.ts';
import { guarded, scheduler } from './support.ts';

const Items = { k: 'v' };

/** A variable that is locked, and the ID of the lock. */
async function locked(options: Parameters<typeof scheduler>[0] = {}) {
  const all = await scheduler(options);
  const answer = await all.json('PUT', 'var/a?lock-acquire', { Items });
  return { ...all, answer, ID: (answer.Lock as { ID: string }).ID };
}

describe('the lock of a variable', () => {
  test('is acquired with its default times, and makes the variable', async () => {
    const { answer, json, ID } = await locked();
    expect(ID).toMatch(/^[0-9a-f]{8}-/);
    expect(answer).toMatchObject({ Path: 'a', Items, Lock: { ID, TTL: '15s', LockDelay: '15s' } });
    const read = await json('GET', 'var/a');
    // Who does not hold it does not learn how to.
    expect(read).toMatchObject({ Items, Lock: { TTL: '15s', LockDelay: '15s' } });
    expect(
      JSON.stringify(read, (_key, value) => String(value) && (typeof value === 'bigint' ? 0 : value)),
    ).not.toContain(ID);
  });

  test('keeps existing items, and may add new ones', async () => {
    const { json, put } = await scheduler();
    await put('a');
    const { Lock } = await json('PUT', 'var/a?lock-acquire', { Lock: { TTL: '1m', LockDelay: '5s' } });
    expect(Lock).toMatchObject({ TTL: '1m0s', LockDelay: '5s' });
    expect((await json('GET', 'var/a')).Items).toEqual(Items);
    await json('PUT', 'var/a?lock-acquire', { Lock, Items: { k: 'w' } });
    expect((await json('GET', 'var/a')).Items).toEqual({ k: 'w' });
    expect((await json('PUT', 'var/new?lock-acquire', {})).Items).toEqual({});
  });

  test('permits only its holder to write, delete and lock', async () => {
    const { ask, json, ID } = await locked();
    const attempts = [
      ['PUT', 'var/a', { Items: { k: 'w' } }],
      ['PUT', 'var/a', { Items: { k: 'w' }, Lock: { ID: 'other' } }],
      ['PUT', 'var/a?cas=3', { Items: { k: 'w' } }],
      ['PUT', 'var/a?lock-acquire', { Items: { k: 'w' } }],
      ['PUT', 'var/a?lock-release', { Lock: { ID: 'other' } }],
      ['DELETE', 'var/a', undefined],
      ['PUT', 'var/free', { Items, Lock: { ID } }],
    ] as const;
    for (const [method, path, body] of attempts) {
      const { status, text } = await ask(method, path, { body });
      expect([status, text.includes(ID)], `${method} ${path}`).toEqual([409, false]);
      expect(text, `${method} ${path}`).toContain('"ModifyIndex":0');
      expect(text, `${method} ${path}`).not.toContain('"Items"');
    }
    // An index that differs is compared first, and what is there is shown.
    const stale = await ask('PUT', 'var/a?cas=99', { body: { Items: { k: 'w' } } });
    expect([stale.status, stale.json?.Items, stale.text.includes(ID)]).toEqual([409, Items, false]);
    expect((await json('GET', 'var/a')).Items).toEqual(Items);
    expect((await json('PUT', 'var/a', { Items: { k: 'w' }, Lock: { ID } })).Items).toEqual({ k: 'w' });
    expect(await json('GET', 'var/a')).toMatchObject({ Lock: { TTL: '15s' } });
  });

  test('is released, for others at once and with all items', async () => {
    const { json, said, ID } = await locked();
    expect((await said('PUT', 'var/a?lock-release', { Items, Lock: { ID } }))[0]).toBe(400);
    expect((await said('PUT', 'var/a?lock-release', {}))[0]).toBe(400);
    const released = await json('PUT', 'var/a?lock-release', { Lock: { ID } });
    expect(released.Lock).toBeUndefined();
    expect(await said('PUT', 'var/a?lock-release', { Lock: { ID } })).toEqual([
      409,
      "variable doesn't hold a lock",
    ]);
    expect((await json('GET', 'var/a')).Items).toEqual(Items);
    expect((await json('PUT', 'var/a?lock-acquire', {})).Lock).toMatchObject({ TTL: '15s' });
  });

  test('is renewed, which changes nothing else', async () => {
    const { json, said, pass, answer, ID } = await locked();
    for (let round = 0; round < 3; round++) {
      pass(14);
      const renewed = await json('PUT', 'var/a?lock-renew', { Lock: { ID } });
      expect([renewed.ModifyIndex, renewed.Lock]).toEqual([answer.ModifyIndex, answer.Lock]);
    }
    expect(await said('PUT', 'var/none?lock-renew', { Lock: { ID } })).toEqual([
      404,
      "variable doesn't exist",
    ]);
    expect(await said('PUT', 'var/a?lock-renew', { Lock: { ID: 'other' } })).toEqual([
      409,
      'attempting to modify locked variable',
    ]);
    await json('PUT', 'var/b', { Items });
    expect(await said('PUT', 'var/b?lock-renew', { Lock: { ID } })).toEqual([
      409,
      "variable doesn't hold a lock",
    ]);
  });

  test('expires, and then cannot be acquired for a while', async () => {
    const { ask, json, pass, answer } = await locked();
    pass(15);
    const after = await json('GET', 'var/a');
    expect([after.Lock, Number(after.ModifyIndex)]).toEqual([undefined, Number(answer.ModifyIndex) + 1]);
    expect((await ask('PUT', 'var/a?lock-acquire', { body: {} })).status).toBe(409);
    expect((await ask('PUT', 'var/a', { body: { Items } })).status).toBe(200);
    pass(15);
    expect((await ask('PUT', 'var/a?lock-acquire', { body: {} })).status).toBe(200);
  });

  test('wakes blocking queries when it expires', async () => {
    const data = await folder();
    const { close, answer } = await locked({ dataDirectory: data });
    await close();
    // The service gives no lock that is so short; it counts the time of one that it finds.
    const store = await openStore(data);
    const storage = store.withPrefix('scheduler/');
    const lock = storage.get('locks/default a') as { readonly [name: string]: Json };
    await storage.write([{ key: 'locks/default a', value: { ...lock, TTL: 1 } }]);
    await store.close();
    const { ask } = await scheduler({ dataDirectory: data, clock: () => new Date() });
    const { json: woken } = await ask('GET', `var/a?index=${answer.ModifyIndex}&wait=10s`);
    expect(woken?.Lock).toBeUndefined();
    expect(Number(woken?.ModifyIndex)).toBeGreaterThan(Number(answer.ModifyIndex));
  });

  test('exists after a restart, with its full lifetime', async () => {
    const data = await folder();
    const { close, ID } = await locked({ dataDirectory: data });
    await close();
    const again = await scheduler({ dataDirectory: data });
    again.pass(14);
    expect((await again.said('PUT', 'var/a', { Items }))[0]).toBe(409);
    expect((await again.said('PUT', 'var/a?lock-renew', { Lock: { ID } }))[0]).toBe(200);
    again.pass(15);
    expect((await again.said('PUT', 'var/a', { Items }))[0]).toBe(200);
  });

  test.each([
    ['lock-acquire&cas=0', { Items }, "CAS can't be used with lock operations"],
    ['lock-acquire&lock-release', { Items }, 'multiple lock operations'],
    ['lock-acquire', { Lock: { TTL: '9s' } }, 'invalid lock TTL'],
    ['lock-acquire', { Lock: { TTL: '25h' } }, 'invalid lock TTL'],
    ['lock-acquire', { Lock: { LockDelay: '25h' } }, 'invalid lock delay'],
    ['lock-acquire', { Lock: { TTL: 'soon' } }, 'TTL of Lock must be a duration'],
    ['lock-acquire', { Items: { k: 'x'.repeat(16_384) } }, 'limited to 16KiB'],
    ['lock-renew', {}, 'the lock must have an ID'],
  ])('is rejected: %s %j', async (query, body, message) => {
    const { said } = await scheduler();
    expect(await said('PUT', `var/a?${query}`, body)).toEqual([400, expect.stringContaining(message)]);
  });

  test('needs write permission', async () => {
    const { holder } = await guarded();
    const reader = await holder('namespace "*" { variables { path "*" { capabilities = ["read"] } } }');
    for (const operation of ['acquire', 'release', 'renew']) {
      expect(await reader.say('PUT', `var/a?lock-${operation}`, { Lock: { ID: 'x' } })).toEqual([
        403,
        'Permission denied',
      ]);
    }
  });
});
