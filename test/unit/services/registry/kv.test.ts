import { describe, expect, test } from 'vitest';
import { folder } from '../support.ts';
import { registry } from './support.ts';

describe('key-value entries', () => {
  test('are written, read with their indexes, and deleted', async () => {
    const { ask, send, json } = await registry();
    expect(await send('PUT', 'kv/a/b?flags=18446744073709551615', 'hello')).toBe('200 true');
    const [entry] = await json('GET', 'kv/a/b');
    expect(entry).toEqual({
      LockIndex: 0,
      Key: 'a/b',
      Flags: 18446744073709551615n,
      Value: 'aGVsbG8=',
      CreateIndex: 2,
      ModifyIndex: 2,
    });
    const raw = await ask('GET', 'kv/a/b?raw');
    expect([raw.status, raw.text]).toEqual([200, 'hello']);
    expect(await send('DELETE', 'kv/a/b')).toBe('200 true');
    expect(await send('GET', 'kv/a/b')).toBe('404');
  });

  test('keep their index when they are written again with the same content', async () => {
    const { send, json } = await registry();
    await send('PUT', 'kv/a', '1');
    await send('PUT', 'kv/b', '1');
    await send('PUT', 'kv/a', '1');
    expect(await json('GET', 'kv/a')).toMatchObject([{ CreateIndex: 2, ModifyIndex: 2 }]);
    await send('PUT', 'kv/a', '2');
    expect(await json('GET', 'kv/a')).toMatchObject([{ CreateIndex: 2, ModifyIndex: 4 }]);
  });

  test('may have any key that a path can hold, encoded or not', async () => {
    const { send, json } = await registry();
    for (const path of ['x%2F%2Fy', 'x%2F..%2Fy', '%2Fx%2f', 'x/', '__proto__', 'caf%C3%A9']) {
      expect(await send('PUT', `kv/${path}`, '1')).toBe('200 true');
      expect(await json('GET', `kv/${path}`)).toMatchObject([{ Key: decodeURIComponent(path) }]);
    }
    expect(await json('GET', 'kv/?keys')).toEqual(['/x/', '__proto__', 'café', 'x/', 'x/../y', 'x//y']);
  });

  test('are redirected to a path without empty and relative segments', async () => {
    const { ask } = await registry();
    for (const [path, location] of [
      ['kv/x//y?raw', '/v1/kv/x/y?raw'],
      ['kv/x/../y', '/v1/kv/y'],
      ['kv/./x/', '/v1/kv/x/'],
    ] as const)
      for (const method of ['GET', 'PUT']) {
        const { status, headers } = await ask(method, path);
        expect([status, headers.location]).toEqual([307, location]);
      }
  });

  test('hold arbitrary bytes', async () => {
    const { addresses, json } = await registry();
    const body = Uint8Array.from([0, 255, 128, 10]);
    await fetch(`${addresses.registry}/v1/kv/bytes`, { method: 'PUT', body });
    const raw = await fetch(`${addresses.registry}/v1/kv/bytes?raw`);
    expect(new Uint8Array(await raw.arrayBuffer())).toEqual(body);
    expect(await json('GET', 'kv/bytes')).toMatchObject([{ Value: 'AP+ACg==' }]);
  });

  test('are listed below a prefix, completely or by name up to a separator', async () => {
    const { send, json } = await registry();
    for (const key of ['a/b/c', 'a/b/d', 'a/e', 'b']) await send('PUT', `kv/${key}`, key);
    const all = await json('GET', 'kv/a/?recurse');
    expect(all.map(({ Key }) => Key)).toEqual(['a/b/c', 'a/b/d', 'a/e']);
    expect(await json('GET', 'kv/a/?keys')).toEqual(['a/b/c', 'a/b/d', 'a/e']);
    expect(await json('GET', 'kv/a/?keys&separator=/')).toEqual(['a/b/', 'a/e']);
    expect(await json('GET', 'kv/?keys&separator=/')).toEqual(['a/', 'b']);
    expect(await send('GET', 'kv/nothing?keys')).toBe('404');
    expect(await send('DELETE', 'kv/a/b?recurse')).toBe('200 true');
    expect(await json('GET', 'kv/?keys')).toEqual(['a/e', 'b']);
  });

  test('are set and deleted only at the index that is named, 0 meaning that they are new', async () => {
    const { send } = await registry();
    expect(await send('PUT', 'kv/a?cas=1', '1')).toBe('200 false');
    expect(await send('PUT', 'kv/a?cas=0', '1')).toBe('200 true');
    expect(await send('PUT', 'kv/a?cas=0', '2')).toBe('200 false');
    expect(await send('PUT', 'kv/a?cas=2', '2')).toBe('200 true');
    expect(await send('DELETE', 'kv/a?cas=2')).toBe('200 false');
    expect(await send('DELETE', 'kv/a?cas=3')).toBe('200 true');
  });

  test('reject invalid requests', async () => {
    const { send } = await registry();
    expect(await send('PUT', 'kv/a?cas=1&acquire=x', '')).toBe('400 Conflicting flags: cas&acquire');
    expect(await send('DELETE', 'kv/a?cas=1&recurse', '')).toBe('400 Conflicting flags: recurse&cas');
    expect(await send('PUT', 'kv/a?flags=x', '')).toBe('500 strconv.ParseUint: parsing "x": invalid syntax');
    expect(await send('PUT', `kv/a?cas=${2n ** 64n}`, '')).toBe(
      `500 strconv.ParseUint: parsing "${2n ** 64n}": value out of range`,
    );
    expect(await send('PUT', 'kv/a?release=', '')).toBe('500 raft apply failed: missing session');
    expect(await send.status('PUT', 'kv/a', 'x'.repeat(524_289))).toBe(413);
    expect(await send.status('PUT', 'kv/a', 'x'.repeat(524_288))).toBe(200);
    expect(await send('GET', 'kv/a?index=-1')).toBe('400 Invalid index');
  });

  test('exist after a restart, with their indexes', async () => {
    const data = await folder();
    const first = await registry({ dataDirectory: data });
    await first.send('PUT', 'kv/a', '1');
    await first.close();
    const second = await registry({ dataDirectory: data });
    expect(await second.json('GET', 'kv/a')).toMatchObject([{ Key: 'a', ModifyIndex: 2 }]);
    await second.send('PUT', 'kv/a', '2');
    expect(await second.json('GET', 'kv/a')).toMatchObject([{ CreateIndex: 2, ModifyIndex: 3 }]);
  });
});

describe('a read', () => {
  test('returns its index, consistency and leader under both prefixes', async () => {
    const { ask, send } = await registry();
    await send('PUT', 'kv/a', '1');
    const { headers } = await ask('GET', 'kv/a?stale');
    for (const prefix of ['x-registry', 'x-consul']) {
      expect(headers).toMatchObject({
        [`${prefix}-index`]: '2',
        [`${prefix}-knownleader`]: 'true',
        [`${prefix}-lastcontact`]: '0',
        [`${prefix}-effective-consistency`]: 'stale',
        [`${prefix}-default-acl-policy`]: 'allow',
      });
    }
    expect((await ask('GET', 'kv/a?pretty')).text).toContain('\n    {\n');
  });

  test('with an index waits for a change of its result', async () => {
    const { ask, send } = await registry();
    await send('PUT', 'kv/a', '1');
    const waiting = ask('GET', 'kv/a?index=2&wait=10s&raw');
    await send('PUT', 'kv/b', 'other');
    await send('PUT', 'kv/a', '2');
    const { text, headers } = await waiting;
    expect([text, headers['x-registry-index']]).toEqual(['2', '4']);
  });

  test('with an index ends with what there is when the time is over', async () => {
    const { ask, send } = await registry();
    await send('PUT', 'kv/a', '1');
    const before = performance.now();
    const { text, headers } = await ask('GET', 'kv/a?index=2&wait=50ms&raw');
    expect([text, headers['x-registry-index']]).toEqual(['1', '2']);
    expect(performance.now() - before).toBeGreaterThan(45);
  });

  test('that waits learns of a deletion, and ends when the service does', async () => {
    const { ask, send, close } = await registry();
    await send('PUT', 'kv/a', '1');
    const gone = ask('GET', 'kv/a?index=2&wait=10s');
    await send('DELETE', 'kv/a');
    expect((await gone).status).toBe(404);
    const last = ask('GET', 'kv/a?index=9&wait=60s');
    await send('GET', 'kv/a');
    await close();
    expect((await last).status).toBe(404);
  });

  test('wakes a thousand blocking queries with one write', async () => {
    const { ask, send } = await registry();
    await send('PUT', 'kv/a', '1');
    const waiting = Array.from({ length: 1000 }, () => ask('GET', 'kv/a?index=2&wait=30s&raw'));
    await new Promise((resolve) => setTimeout(resolve, 500));
    await send('PUT', 'kv/a', '2');
    const texts = new Set((await Promise.all(waiting)).map(({ text }) => text));
    expect([...texts]).toEqual(['2']);
  });
});

test('a path with characters that are not printable is 400 without a message; transactions accept such keys', async () => {
  const { ask, json } = await registry();
  for (const key of ['tab%09', 'line%0A', 'no-break%C2%A0space', 'right%E2%80%8Fto-left'])
    for (const method of ['PUT', 'GET', 'DELETE'])
      expect(await ask(method, `kv/${key}`), key).toMatchObject({ status: 400, text: '' });
  expect((await ask('PUT', 'kv/gr%C3%BC%C3%9Fe%20%F0%9F%98%80', { body: 'x' })).status).toBe(200);
  await json('PUT', 'txn', [{ KV: { Verb: 'set', Key: 'tab\t', Value: 'eA==' } }]);
  expect(await json('GET', 'kv/?keys')).toEqual(['grüße 😀', 'tab\t']);
});
