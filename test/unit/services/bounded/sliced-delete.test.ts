import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { embeddedProcess } from '../../../support/embedded.ts';
import { sized } from '../../../support/soak.ts';
import { folder } from '../support.ts';
import { fill, kinds } from './kinds.ts';
import { type Ask, Running } from './support.ts';

// A delete of many keys works in slices, and is one change all the same.

/** Created 64 at a time. */
const many = sized(782 * 64, 30 * 64);
const deletion: Ask = ['DELETE', '/v1/kv/k?recurse'];

const countIn = (text: string): number => (text === '' ? 0 : (JSON.parse(text) as string[]).length);

/** The services with many keys, and how many there are now. */
async function withKeys() {
  const running = await Running.start();
  const [keys] = kinds.registry;
  if (keys) await fill(running, keys, 0, many);
  const count = async (): Promise<number> => {
    const listed = await running.load('registry', ['GET', '/v1/kv/k?keys']).catch(() => '');
    return countIn(String(listed));
  };
  expect(await count()).toBe(many);
  return { running, count };
}

describe('a delete of many keys', () => {
  test('is seen complete or not at all, by readers and by another delete', async () => {
    const { running, count } = await withKeys();
    let over = false;
    const seen = new Set<number>();
    const reading = (async () => {
      for (; !over; await setImmediate()) seen.add(await count());
    })();
    const statuses = await Promise.all([
      running.ask('registry', deletion),
      running.ask('registry', deletion),
    ]);
    over = true;
    await reading;
    expect(statuses).toEqual([200, 200]);
    expect([...seen].filter((each) => each !== 0 && each !== many)).toEqual([]);
    expect(await count()).toBe(0);
  });

  test('comes before a write that arrives while it runs', async () => {
    const { running, count } = await withKeys();
    const deleting = running.load('registry', deletion);
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    expect(await count()).toBe(many);
    await Promise.all([deleting, running.load('registry', ['PUT', '/v1/kv/k/000001', 'new'])]);
    expect(await count()).toBe(1);
  });

  test('is complete or has no effect if its client disconnects', async () => {
    const { running, count } = await withKeys();
    const client = new AbortController();
    const asked = running.ask('registry', deletion, client.signal).catch(() => 'disconnected');
    await pause(5);
    client.abort();
    await asked;
    // The next write waits for it.
    await running.load('registry', ['PUT', '/v1/kv/other', 'new']);
    expect([0, many]).toContain(await count());
  });

  test('is complete or has no effect after a power cut', async () => {
    const data = await folder();
    const [keys] = kinds.registry;
    for (let round = 0; round < sized(10, 2); round++) {
      const running = await embeddedProcess(data);
      const send = async ([method, path, body]: Ask): Promise<string> => {
        const sent = body === undefined ? {} : { body: JSON.stringify(body) };
        const response = await fetch(`${running.registry}${path}`, { method, ...sent });
        return response.ok ? response.text() : '';
      };
      expect([0, many]).toContain(countIn(await send(['GET', '/v1/kv/k?keys'])));
      for (let at = 0; keys && at < many; at += keys.width ?? 1) await send(keys.create(at));
      const answered = send(deletion).catch(() => '');
      await pause(round * 10);
      await running.kill();
      await answered;
    }
  });
});
