import { expect, test } from 'vitest';
import { folder } from '../support.ts';
import { scheduler } from './support.ts';

test('a change during other changes wakes its blocking query', async () => {
  const { ask, put } = await scheduler({ dataDirectory: await folder() });
  let index = Number((await put('a')).ModifyIndex);
  let writing = true;
  const others = (async () => {
    while (writing) await Promise.all([put('b'), put('c'), put('d')]);
  })();
  for (let round = 0; round < 40; round++) {
    const waiting = ask('GET', `var/a?index=${index}&wait=30s`);
    await put('a', String(round));
    const response = await waiting;
    expect(response.json?.Items).toEqual({ k: String(round) });
    index = Number(response.headers['x-nomad-index']);
  }
  writing = false;
  await others;
});

test('check-and-set by 50 writers loses no update', async () => {
  const { ask, json } = await scheduler({ dataDirectory: await folder() });
  await json('PUT', 'var/count', { Items: { n: '0' } });
  let conflicts = 0;
  const writer = async (name: number) => {
    for (let current = await json('GET', 'var/count'); ; ) {
      const n = Number((current.Items as { n: string }).n) + 1;
      const body = { Items: { ...(current.Items as object), n: String(n), [`w${name}`]: String(n) } };
      const reply = await ask('PUT', `var/count?cas=${current.ModifyIndex}`, { body });
      if (reply.status === 200) return;
      expect(reply.status).toBe(409);
      conflicts++;
      current = reply.json ?? {};
    }
  };
  await Promise.all(Array.from({ length: 50 }, (_none, name) => writer(name)));
  const { Items } = await json('GET', 'var/count');
  const { n, ...seen } = Items as Record<string, string>;
  expect(n).toBe('50');
  expect(new Set(Object.values(seen)).size).toBe(50);
  expect(conflicts).toBeGreaterThan(0);
});
