import { describe, expect, test } from 'vitest';
import { openStore } from '../../../../src/services/core/store/store.ts';
import type { Json } from '../../../../src/wire/json.ts';
import { responseContaining } from '../callers.ts';
import { folder } from '../support.ts';
import { guarded, scheduler } from './support.ts';

const Items = { k: 'v' };

/** A variable that is locked, and the ID of the lock. */
async function locked(options: Parameters<typeof scheduler>[0] = {}) {
  const all = await scheduler(options);
  const response = await all.json('PUT', 'var/a?lock-acquire', { Items });
  return { ...all, response, ID: (response.Lock as { ID: string }).ID };
}

describe('the lock of a variable', () => {
  test('is acquired with its default times, and makes the variable', async () => {
    const { response, json, ID } = await locked();
    expect(ID).toMatch(/^[0-9a-f]{8}-/);
    expect(response).toMatchObject({ Path: 'a', Items, Lock: { ID, TTL: '15s', LockDelay: '15s' } });
    const read = await json('GET', 'var/a');
    // Without access control, every caller is management.
    expect(read).toMatchObject({ Items, Lock: { ID, TTL: '15s', LockDelay: '15s' } });
  });

  test('is shown to management and to its holder, and to no other reader', async () => {
    const { manage, holder } = await guarded();
    const path = 'path "*" { capabilities = ["read", "list", "write"] }';
    const { send } = await holder(`namespace "default" { variables { ${path} } }`);
    const acquired = await manage('PUT', 'var/a?lock-acquire', { Items });
    const ID = (acquired.Lock as { ID: string }).ID;
    expect((await manage('GET', 'var/a')).Lock).toEqual(acquired.Lock);
    expect(await manage('GET', 'vars')).toMatchObject([{ Lock: acquired.Lock }]);
    for (const [method, target, body] of [
      ['GET', 'var/a', undefined],
      ['GET', 'vars', undefined],
      ['PUT', 'var/a?cas=0', { Items }],
    ] as const) {
      expect(await send.text(method, target, body), target).not.toContain('Lock');
    }
    expect(await send.text('PUT', 'var/a', { Items, Lock: { ID } })).toContain(ID);
  });

  test('replaces the items, without new ones by none', async () => {
    const { json, put } = await scheduler();
    await put('a');
    const { Lock } = await json('PUT', 'var/a?lock-acquire', { Lock: { TTL: '1m', LockDelay: '5s' } });
    expect(Lock).toMatchObject({ TTL: '1m0s', LockDelay: '5s' });
    expect(await json('GET', 'var/a')).not.toHaveProperty('Items');
    await json('PUT', 'var/a?lock-acquire', { Lock, Items: { k: 'w' } });
    expect((await json('GET', 'var/a')).Items).toEqual({ k: 'w' });
    expect(await json('PUT', 'var/new?lock-acquire', {})).not.toHaveProperty('Items');
  });

  test('is acquired again with new times, and by an ID of the caller', async () => {
    const { json, ID } = await locked();
    const again = { ID, TTL: '30s', LockDelay: '1s' };
    expect((await json('PUT', 'var/a?lock-acquire', { Items, Lock: again })).Lock).toEqual(again);
    expect((await json('PUT', 'var/a?lock-acquire', { Items, Lock: { ID } })).Lock).toEqual({
      ID,
      TTL: '15s',
      LockDelay: '15s',
    });
    const mine = { ID: 'mine', TTL: '10s', LockDelay: '15s' };
    expect((await json('PUT', 'var/b?lock-acquire', { Lock: { ID: 'mine', TTL: '10s' } })).Lock).toEqual(
      mine,
    );
  });

  test('comes with a plain write that has one without times', async () => {
    const { json, send, put, pass } = await scheduler();
    await put('a');
    const mine = { ID: 'mine', TTL: '15s', LockDelay: '15s' };
    expect((await json('PUT', 'var/a', { Items, Lock: { ID: 'mine' } })).Lock).toEqual(mine);
    expect(await send.status('PUT', 'var/a', { Items })).toBe(409);
    expect((await json('PUT', 'var/b', { Items, Lock: {} })).Lock).toMatchObject({ TTL: '15s' });
    for (const Lock of [{ TTL: '30s' }, { ID: 'mine', LockDelay: '1s' }]) {
      expect(await send('PUT', 'var/a', { Items, Lock })).toBe(
        '400 RPC Error:: 400,RPC Error:: 400,variable should not contain lock definition',
      );
    }
    pass(30);
    expect(await send.status('PUT', 'var/a', { Items })).toBe(200);
  });

  test('is not renewed by a write of its holder', async () => {
    const { json, send, pass, ID } = await locked();
    pass(14);
    await json('PUT', 'var/a', { Items, Lock: { ID } });
    pass(1);
    expect(await send.status('PUT', 'var/a?lock-renew', { Lock: { ID } })).toBe(409);
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
    ] as const;
    for (const [method, path, body] of attempts) {
      const { status, text } = await ask(method, path, { body });
      expect([status, text.includes(ID)], `${method} ${path}`).toEqual([409, false]);
      expect(text, `${method} ${path}`).toContain('"ModifyIndex":0');
      expect(text, `${method} ${path}`).not.toContain('"Items"');
    }
    // An index that differs is compared first, and what is there is shown.
    const stale = await ask('PUT', 'var/a?cas=99', { body: { Items: { k: 'w' } } });
    expect([stale.status, stale.json?.Items, stale.json?.Lock]).toMatchObject([409, Items, { ID }]);
    expect((await json('GET', 'var/a')).Items).toEqual(Items);
    expect((await json('PUT', 'var/a', { Items: { k: 'w' }, Lock: { ID } })).Items).toEqual({ k: 'w' });
    expect(await json('GET', 'var/a')).toMatchObject({ Lock: { TTL: '15s' } });
  });

  test('is released, for others at once and with all items', async () => {
    const { json, send, pass, ID } = await locked();
    expect(await send.status('PUT', 'var/a?lock-release', { Items, Lock: { ID } })).toBe(400);
    expect(await send.status('PUT', 'var/a?lock-release', {})).toBe(400);
    const { ModifyTime } = await json('GET', 'var/a');
    pass(1);
    const released = await json('PUT', 'var/a?lock-release', { Lock: { ID } });
    expect([released.Lock, released.ModifyTime]).toEqual([undefined, ModifyTime]);
    expect(await send('PUT', 'var/a?lock-release', { Lock: { ID } })).toBe(
      "409 variable doesn't hold a lock",
    );
    expect((await json('GET', 'var/a')).Items).toEqual(Items);
    expect((await json('PUT', 'var/a?lock-acquire', {})).Lock).toMatchObject({ TTL: '15s' });
  });

  test('is renewed, which changes nothing else', async () => {
    const { json, send, pass, response, ID } = await locked();
    for (let round = 0; round < 3; round++) {
      pass(14);
      const renewed = await json('PUT', 'var/a?lock-renew', { Lock: { ID } });
      expect([renewed.ModifyIndex, renewed.Lock]).toEqual([response.ModifyIndex, response.Lock]);
    }
    await json('PUT', 'var/b', { Items });
    expect(await send('PUT', 'var/b?lock-renew', { Lock: { ID } })).toBe("409 variable doesn't hold a lock");
  });

  test('cannot be renewed after its time to live, and ends after its delay', async () => {
    const { ask, json, pass, response, ID } = await locked();
    const statuses = async () => [
      (await ask('PUT', 'var/a?lock-renew', { body: { Lock: { ID } } })).status,
      (await ask('PUT', 'var/a?lock-acquire', { body: {} })).status,
      (await ask('PUT', 'var/a', { body: { Items } })).status,
    ];
    pass(15);
    expect(await statuses()).toEqual([409, 409, 409]);
    expect((await json('GET', 'var/a')).Lock).toEqual(response.Lock);
    pass(14);
    expect(await statuses()).toEqual([409, 409, 409]);
    pass(1);
    const after = await json('GET', 'var/a');
    expect([after.Lock, Number(after.ModifyIndex)]).toEqual([undefined, Number(response.ModifyIndex) + 1]);
    expect(await statuses()).toEqual([409, 200, 409]);
  });

  test('wakes blocking queries when it expires', async () => {
    const data = await folder();
    const { close, response } = await locked({ dataDirectory: data });
    await close();
    // The service gives no lock that is so short; it counts the time of one that it finds.
    const store = await openStore(data);
    const storage = store.withPrefix('scheduler/');
    const lock = storage.get('locks/default a') as { readonly [name: string]: Json };
    await storage.write([{ key: 'locks/default a', value: { ...lock, TTL: 1, LockDelay: 0 } }]);
    await store.close();
    const { ask } = await scheduler({ dataDirectory: data, clock: () => new Date() });
    const { json: woken } = await ask('GET', `var/a?index=${response.ModifyIndex}&wait=10s`);
    expect(woken?.Lock).toBeUndefined();
    expect(Number(woken?.ModifyIndex)).toBeGreaterThan(Number(response.ModifyIndex));
  });

  test('exists after a restart, with its full lifetime', async () => {
    const data = await folder();
    const { close, ID } = await locked({ dataDirectory: data });
    await close();
    const again = await scheduler({ dataDirectory: data });
    again.pass(14);
    expect(await again.send.status('PUT', 'var/a', { Items })).toBe(409);
    expect(await again.send.status('PUT', 'var/a?lock-renew', { Lock: { ID } })).toBe(200);
    again.pass(30);
    expect(await again.send.status('PUT', 'var/a', { Items })).toBe(200);
  });

  test.each([
    ['lock-acquire', { Lock: { TTL: '9s' } }, 'TTL must be between 10 seconds and 24 hours'],
    ['lock-acquire', { Lock: { TTL: '25h' } }, 'TTL must be between 10 seconds and 24 hours'],
    ['lock-acquire', { Lock: { TTL: 'soon' } }, 'TTL of Lock must be a duration'],
    ['lock-acquire', { Items: { k: 'x'.repeat(16_384) } }, 'limited to 16KiB'],
    ['lock-renew', {}, 'missing lock ID'],
  ])('is rejected: %s %j', async (query, body, message) => {
    const { send } = await scheduler();
    expect(await send('PUT', `var/a?${query}`, body)).toEqual(responseContaining(400, message));
  });

  test('needs write permission', async () => {
    const { holder } = await guarded();
    const reader = await holder('namespace "*" { variables { path "*" { capabilities = ["read"] } } }');
    for (const operation of ['acquire', 'release', 'renew']) {
      expect(await reader.send('PUT', `var/a?lock-${operation}`, { Lock: { ID: 'x' } })).toBe(
        '403 Permission denied',
      );
    }
  });
});
