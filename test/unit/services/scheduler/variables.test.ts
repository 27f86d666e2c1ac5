import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { responseContaining } from '../callers.ts';
import { folder } from '../support.ts';
import { scheduler } from './support.ts';

const noon = BigInt(Date.parse('2026-01-02T12:00:00Z')) * 1_000_000n;

test('a field of a variable with another type is an error', async () => {
  const { send } = await scheduler();
  for (const fields of [{ ModifyIndex: '5' }, { CreateIndex: -1 }, { ModifyTime: 'x' }, { Path: 5 }])
    expect(await send('PUT', 'var/typed', { Items: { k: 'v' }, ...fields })).toEqual(
      responseContaining(400, `${Object.keys(fields)[0]} of the body must be`),
    );
});

describe('a variable', () => {
  test.each(['PUT', 'POST'])('is made with %s and read with its items', async (method) => {
    const { ask, json, pass } = await scheduler();
    const body = { Namespace: 'default', Path: 'elsewhere', Items: { user: 'me', password: 'x' } };
    const made = await ask(method, 'var/app/web', { body });
    const index = Number(made.headers['x-scheduler-index']);
    const variable = {
      Namespace: 'default',
      Path: 'app/web',
      CreateIndex: index,
      CreateTime: noon,
      ModifyIndex: index,
      ModifyTime: noon,
      Items: { user: 'me', password: 'x' },
    };
    expect([made.status, made.json]).toEqual([200, variable]);
    expect(made.text).toContain(`"CreateTime":${noon}`);
    expect(await json('GET', 'var/app/web')).toEqual(variable);
    expect(await json('GET', 'var/app%2Fweb')).toEqual(variable);
    pass(1);
    await ask(method, 'var/app/web', { body: { Items: { user: 'you' } } });
    expect(await json('GET', 'var/app/web')).toEqual({
      ...variable,
      ModifyIndex: index + 1,
      ModifyTime: noon + 1_000_000_000n,
      Items: { user: 'you' },
    });
  });

  test('increases with every write, even of equal content', async () => {
    const { put } = await scheduler();
    const first = await put('a');
    const second = await put('a');
    expect([second.CreateIndex, second.ModifyIndex]).toEqual([
      first.CreateIndex,
      Number(first.ModifyIndex) + 1,
    ]);
  });

  test.each([
    ['new lines', 'a\nb\r\n'],
    ['an equals sign', 'a=b='],
    ['quotes', `"'\``],
    ['NUL', 'a\u0000b'],
    ['emoji', '👩‍💻💥'],
    ['nothing', ''],
  ])('holds %s in names and values', async (_what, text) => {
    const { json } = await scheduler();
    const Items = { [text]: text };
    expect((await json('PUT', 'var/a', { Items })).Items).toEqual(Items);
    expect((await json('GET', 'var/a')).Items).toEqual(Items);
  });

  test('holds U+FFFD for half of a pair, and nothing for null', async () => {
    const { json } = await scheduler();
    const written = { '\ud83d': 'a\ud83db', '': null };
    const Items = { '\ufffd': 'a\ufffdb', '': '' };
    expect((await json('PUT', 'var/a', { Items: written })).Items).toEqual(Items);
    expect((await json('GET', 'var/a')).Items).toEqual(Items);
  });

  test('holds __proto__ and its like, by name', async () => {
    const { ask } = await scheduler();
    const body = '{"Items":{"__proto__":"a","constructor":"b","toString":"c"}}';
    expect((await ask('PUT', 'var/a', { body })).text).toContain('"Items":{"__proto__":"a"');
    expect((await ask('GET', 'var/a')).text).toContain('{"__proto__":"a","constructor":"b","toString":"c"}');
  });

  test('holds 16,384 bytes of names and values, and not one more', async () => {
    const { send, json } = await scheduler();
    const full = { ab: 'x'.repeat(16_000), ä: '€'.repeat(126), c: 'd' };
    expect(2 + 16_000 + 2 + 126 * 3 + 2).toBe(16_384);
    expect((await json('PUT', 'var/a', { Items: full })).Items).toEqual(full);
    expect(await send('PUT', 'var/a', { Items: { ...full, c: 'dd' } })).toBe(
      '400 RPC Error:: 400,variables are limited to 16KiB in total size',
    );
    expect((await json('GET', 'var/a')).Items).toEqual(full);
  });

  test('has a path of 1 to 128 characters of its pattern', async () => {
    const { send, put } = await scheduler();
    for (const path of ['a', 'A/b-c_d~e/0', 'x'.repeat(128), 'a/', '~', 'nomads/x', 'nomad/sentinel/x']) {
      expect((await put(path)).Path).toBe(path);
    }
    // Only encoded slashes are kept next to others.
    for (const path of ['/', 'a//b', '/a']) {
      expect((await put(path.replaceAll('/', '%2F'))).Path).toBe(path);
    }
    for (const path of ['x'.repeat(129), 'a.b', 'a%20b', 'a%00b', '%C3%A4', 'a*', '%2e%2e', 'a%0A']) {
      expect(await send('PUT', `var/${path}`, { Items: { k: 'v' } }), path).toMatch(/^400 .*invalid path "/s);
      expect(await send.status('GET', `var/${path}`)).toBe(404);
    }
  });

  test.each([
    ['nomad/job', 400],
    ['nomad/jobs', 200],
    ['nomad/jobs/a/b/c', 200],
    ['nomad/job-templates/a', 200],
    ['nomad/job-templates/a/b', 400],
    ['nomad/sentinel', 200],
  ])('at %s gets %d, since these paths are reserved', async (path, status) => {
    const { send } = await scheduler();
    expect(await send.status('PUT', `var/${path}`, { Items: { k: 'v' } })).toBe(status);
  });

  test('is rejected without items, or with items that are not strings', async () => {
    const { send } = await scheduler();
    for (const body of [{ Items: null }]) {
      expect(await send('PUT', 'var/a', body)).toBe('400 variable missing required Items object');
    }
    for (const body of [{ Items: ['a'] }, []]) {
      expect(await send.status('PUT', 'var/a', body), JSON.stringify(body)).toBe(400);
    }
    expect(await send('GET', 'var/a')).toBe('404 variable not found');
  });

  test('is in the namespace of the query before that of the body', async () => {
    const { json, send } = await scheduler();
    for (const Name of ['web', 'db']) await send('PUT', 'namespace', { Name });
    const Items = { k: 'v' };
    const put = async (query: string, body: object) =>
      (await json('PUT', `var/a${query}`, { Items, ...body })).Namespace;
    expect(await put('?namespace=web', { Namespace: 'db' })).toBe('web');
    expect(await put('', { Namespace: 'db' })).toBe('db');
    expect(await put('', {})).toBe('default');
    expect(await send('PUT', 'var/a?namespace=*&lock-acquire', { Items })).toBe(
      '400 RPC Error:: 400,1 error occurred:\n\t* can not target wildcard ("*")namespace\n\n',
    );
    expect(await send.status('DELETE', 'var/a?namespace=*')).toBe(400);
    expect(await send.status('GET', 'var/a?namespace=none')).toBe(404);
  });

  test('is deleted, with the index in the response, and again without an error', async () => {
    const { ask, send, put } = await scheduler();
    const { ModifyIndex } = await put('a');
    const deleted = await ask('DELETE', 'var/a');
    const index = Number(ModifyIndex) + 1;
    expect([deleted.status, deleted.json, deleted.headers['x-nomad-index']]).toEqual([
      200,
      { Index: index },
      String(index),
    ]);
    expect(await send('DELETE', 'var/a')).toBe(`200 {"Index":${index}}`);
    expect((await put('a')).CreateIndex).toBe(index + 1);
  });

  test('is waited for', async () => {
    const { ask, put } = await scheduler();
    const index = String((await put('a')).ModifyIndex);
    const waiting = ask('GET', `var/a?index=${index}&wait=10s`);
    await put('b');
    await put('a', 'new');
    expect((await waiting).json?.Items).toEqual({ k: 'new' });
    const gone = ask('GET', `var/a?index=${Number(index) + 2}&wait=10s`);
    await ask('DELETE', 'var/a');
    expect([(await gone).status, (await gone).headers['x-nomad-index']]).toEqual([
      404,
      String(Number(index) + 3),
    ]);
  });
});

describe('check-and-set', () => {
  test('of 0 creates a missing variable', async () => {
    const { ask, json } = await scheduler();
    const body = { Items: { k: 'v' } };
    const made = await json('PUT', 'var/a?cas=0', body);
    const again = await ask('PUT', 'var/a?cas=0', { body: { Items: { k: 'w' } } });
    expect([again.status, again.json]).toEqual([409, made]);
    expect(again.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(again.headers['x-nomad-index']).toBe(String(made.ModifyIndex));
  });

  test('changes the variable with this index, and returns the variable on a conflict', async () => {
    const { ask, json, put } = await scheduler();
    const { ModifyIndex } = await put('a');
    const changed = await json('PUT', `var/a?cas=${ModifyIndex}`, { Items: { k: 'w' } });
    const late = await ask('PUT', `var/a?cas=${ModifyIndex}`, { body: { Items: { k: 'x' } } });
    expect([late.status, late.json]).toEqual([409, changed]);
    expect((await json('GET', 'var/a')).Items).toEqual({ k: 'w' });
  });

  test('of an index for a missing variable returns a zeroed variable', async () => {
    const { ask } = await scheduler();
    const zeroed = {
      Namespace: 'default',
      Path: 'a',
      CreateIndex: 0,
      CreateTime: 0,
      ModifyIndex: 0,
      ModifyTime: 0,
    };
    const put = await ask('PUT', 'var/a?cas=7', { body: { Items: { k: 'v' } } });
    expect([put.status, put.json, put.headers['x-nomad-index']]).toEqual([409, zeroed, '0']);
    const deleted = await ask('DELETE', 'var/a?cas=7');
    expect([deleted.status, deleted.json]).toEqual([409, zeroed]);
    expect((await ask('DELETE', 'var/a?cas=0')).status).toBe(200);
  });

  test('guards a delete', async () => {
    const { ask, put } = await scheduler();
    const variable = await put('a');
    for (const cas of [0, 1, 99]) {
      const conflict = await ask('DELETE', `var/a?cas=${cas}`);
      expect([conflict.status, conflict.json]).toEqual([409, variable]);
    }
    expect((await ask('DELETE', `var/a?cas=${variable.ModifyIndex}`)).status).toBe(200);
    expect((await ask('GET', 'var/a')).status).toBe(404);
  });

  test('is exact beyond 2^53, and rejected if it is not an index', async () => {
    const { send, put } = await scheduler();
    await put('a');
    const body = { Items: { k: 'v' } };
    expect(await send.status('PUT', 'var/a?cas=18446744073709551615', body)).toBe(409);
    for (const cas of ['x', '-1', '1.5', '18446744073709551616', '0x2', '%20']) {
      expect(await send('PUT', `var/a?cas=${cas}`, body)).toMatch(/^400 .*can not parse cas: /s);
    }
    expect(await send.status('PUT', 'var/a?cas=', body)).toBe(200);
  });
});

describe('at rest', () => {
  test('no item is stored in clear, and the key is in its own file with owner-only permissions', async () => {
    const data = await folder();
    const { put, close } = await scheduler({ dataDirectory: data });
    for (let at = 0; at < 20; at++) await put(`app/${at}`, `plain-value-${at}`);
    await close();
    const names = await readdir(data);
    expect(names).toContain('scheduler.key');
    expect((await stat(join(data, 'scheduler.key'))).mode & 0o777).toBe(0o600);
    for (const name of names) {
      const bytes = await readFile(join(data, name));
      expect(bytes.includes('plain-value'), name).toBe(false);
      expect(bytes.includes(Buffer.from('plain-value').toString('base64').slice(0, 12)), name).toBe(false);
    }
    const again = await scheduler({ dataDirectory: data });
    expect((await again.json('GET', 'var/app/7')).Items).toEqual({ k: 'plain-value-7' });
  });

  test('without its key the data is rejected, and also with another key', async () => {
    const data = await folder();
    const other = await folder();
    await (await scheduler({ dataDirectory: data })).close();
    await (await scheduler({ dataDirectory: other })).close();
    const key = join(data, 'scheduler.key');
    await rename(key, `${key}.away`);
    await expect(scheduler({ dataDirectory: data })).rejects.toThrow(
      `the key file ${key} of the scheduler data is missing`,
    );
    await rename(join(other, 'scheduler.key'), key);
    await expect(scheduler({ dataDirectory: data })).rejects.toThrow(
      `the key file ${key} of the scheduler data does not decrypt it`,
    );
    await rm(key);
    await rename(`${key}.away`, key);
    await scheduler({ dataDirectory: data });
  });
});
