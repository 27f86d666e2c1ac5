import { describe, expect, test } from 'vitest';
import { registry } from './support.ts';

/** A registry with many keys, more than are looked at in one stretch. */
async function many(count: number) {
  const open = await registry();
  for (let at = 0; at < count; at += 64) {
    const keys = Array.from({ length: Math.min(64, count - at) }, (_, n) => nameOf(at + n));
    const body = keys.map((Key) => ({ KV: { Verb: 'set', Key, Value: 'MQ==' } }));
    expect((await open.ask('PUT', 'txn', { body })).status).toBe(200);
  }
  return open;
}

const keyIn = (entry: string) => (JSON.parse(entry) as { readonly Key: string }).Key;

const nameOf = (at: number) => `f${Math.trunc(at / 100)}/${String(at).padStart(6, '0')}`;

describe('a long list of keys', () => {
  test('has every key once, in order, as complete JSON in either form', async () => {
    const { ask } = await many(2500);
    const all = Array.from({ length: 2500 }, (_, at) => nameOf(at)).sort();
    expect(JSON.parse((await ask('GET', 'kv/?keys')).text)).toEqual(all);
    const short = (await ask('GET', 'kv/f1?recurse')).text;
    const pretty = (await ask('GET', 'kv/f1?recurse&pretty')).text;
    expect(pretty).toBe(`${JSON.stringify(JSON.parse(short), undefined, 4)}\n`);
    expect(JSON.parse((await ask('GET', 'kv/?recurse')).text).map(({ Key }: { Key: string }) => Key)).toEqual(
      all,
    );
    const folders = JSON.parse((await ask('GET', 'kv/?keys&separator=/')).text);
    expect(folders).toEqual([...new Set(all.map((key) => key.slice(0, key.indexOf('/') + 1)))]);
    expect((await ask('GET', 'kv/none?keys')).status).toBe(404);
    expect((await ask('GET', `kv/${nameOf(7)}?recurse`)).text).toContain(nameOf(7));
  });

  test('has entries as they are read one by one, whatever they contain', async () => {
    const { ask } = await registry();
    const session = JSON.parse((await ask('PUT', 'session/create', { body: {} })).text).ID;
    const keys = ['plain', 'with "quotes" and \\', 'umlaut \u00fc \u{1f511}', '__proto__'];
    for (const [at, key] of keys.entries()) {
      const query = ['', `?flags=${2n ** 64n - 1n}`, `?acquire=${session}`][at % 3];
      const body = at === 0 ? '' : `value ${at} \u00fc`;
      expect((await ask('PUT', `kv/x/${encodeURIComponent(key)}${query}`, { body })).text).toBe('true');
    }
    const single: string[] = [];
    for (const key of keys)
      single.push((await ask('GET', `kv/x/${encodeURIComponent(key)}`)).text.slice(1, -1));
    const list = (await ask('GET', 'kv/x/?recurse')).text;
    expect(list).toBe(`[${single.sort((a, b) => (keyIn(a) < keyIn(b) ? -1 : 1)).join()}]`);
    const pretty = (await ask('GET', 'kv/x/?recurse&pretty')).text;
    expect(pretty.replaceAll(/^ +/gm, '').replaceAll('\n', '').replaceAll('": ', '":')).toBe(list);
  });

  test('is of one moment while others write: what one transaction wrote is all there, or not at all', async () => {
    const { ask } = await many(6000);
    const first = nameOf(0);
    const last = 'z';
    const value = (at: number) => Buffer.from(String(at)).toString('base64');
    let writing = true;
    const writer = (async () => {
      for (let at = 0; writing; at++) {
        const body = [first, last].map((Key) => ({ KV: { Verb: 'set', Key, Value: value(at) } }));
        await ask('PUT', 'txn', { body });
      }
    })();
    for (let round = 0; round < 10; round++) {
      const list = JSON.parse((await ask('GET', 'kv/?recurse')).text) as { Key: string; Value: string }[];
      const found = new Map(list.map(({ Key, Value }) => [Key, Value]));
      if (found.has(last)) expect(found.get(first)).toBe(found.get(last));
    }
    writing = false;
    await writer;
  });

  test('with an index waits for a change below any key', async () => {
    const { ask } = await registry();
    await ask('PUT', 'kv/a', { body: '1' });
    const index = Number((await ask('GET', 'kv/?keys')).headers['x-registry-index']);
    const waiting = ask('GET', `kv/?keys&index=${index}&wait=10s`);
    await ask('PUT', 'kv/b', { body: '1' });
    const response = await waiting;
    expect([response.text, Number(response.headers['x-registry-index'])]).toEqual(['["a","b"]', index + 1]);
  });
});
