import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { HttpRequest } from '../../../../src/services/core/http/http-service.ts';
import { memoryStore } from '../../../../src/services/core/store/store.ts';
import { schedulerService } from '../../../../src/services/scheduler/service.ts';
import { expectShortTurns } from '../../../support/measure.ts';
import { responseContaining } from '../callers.ts';
import { guarded, scheduler } from './support.ts';

/** Variables in three namespaces. */
async function shelf() {
  const all = await scheduler();
  for (const Name of ['web', 'web-2']) await all.ask('PUT', 'namespace', { body: { Name } });
  for (const path of ['app/a', 'app/b', 'app/c', 'db', 'Z']) await all.put(path);
  await all.put('app/a?namespace=web');
  await all.put('x?namespace=web');
  await all.put('app/x?namespace=web-2');
  return all;
}

/** Every page of a list. */
async function pages(all: Awaited<ReturnType<typeof scheduler>>, query: string): Promise<string[][]> {
  const found: string[][] = [];
  for (let token = ''; ; ) {
    const { json, headers, text } = await all.ask('GET', `vars?${query}&next_token=${token}`);
    if (!json) throw new Error(text);
    found.push((json as unknown as { Namespace: string; Path: string }[]).map((each) => each.Path));
    token = headers['x-scheduler-nexttoken'] ?? '';
    expect(headers['x-nomad-nexttoken'] ?? '').toBe(token);
    if (token === '') return found;
  }
}

describe('a list of variables', () => {
  test('has what lists show, and no items', async () => {
    const { ask, put } = await scheduler();
    const { Items: _items, ...metadata } = await put('a');
    const { json, headers } = await ask('GET', 'vars');
    expect(json).toEqual([metadata]);
    expect(headers['x-nomad-index']).toBe(String(metadata.ModifyIndex));
    const [short, pretty] = [await ask('GET', 'vars'), await ask('GET', 'vars?pretty')];
    expect(pretty.json).toEqual(short.json);
    expect(pretty.text).toMatch(/^\[\n {4}\{\n {8}"Namespace": "default",\n[\s\S]*\n\]\n$/);
    expect((await ask('GET', 'vars?pretty&prefix=none')).text).toBe('[]\n');
  });

  test('is in order, below a prefix, of one namespace', async () => {
    const { paths } = await shelf();
    expect(await paths()).toEqual(['Z', 'app/a', 'app/b', 'app/c', 'db']);
    expect(await paths('prefix=app/')).toEqual(['app/a', 'app/b', 'app/c']);
    expect(await paths('prefix=app/b')).toEqual(['app/b']);
    expect(await paths('prefix=none')).toEqual([]);
    expect(await paths('namespace=web')).toEqual(['app/a', 'x']);
    expect(await paths('namespace=none')).toEqual([]);
    expect(await paths('reverse=true')).toEqual(['db', 'app/c', 'app/b', 'app/a', 'Z']);
  });

  test('is of all namespaces with the wildcard', async () => {
    const { json } = await shelf();
    const places = async (query: string) =>
      (
        (await json('GET', `vars?namespace=*${query}`)) as unknown as { Namespace: string; Path: string }[]
      ).map(({ Namespace, Path }) => `${Namespace}:${Path}`);
    expect(await places('&prefix=app')).toEqual([
      'default:app/a',
      'default:app/b',
      'default:app/c',
      'web:app/a',
      'web-2:app/x',
    ]);
    expect(await places('&prefix=app&reverse=true&per_page=2')).toEqual(['web-2:app/x', 'web:app/a']);
  });

  test.each([
    ['per_page=2', [['Z', 'app/a'], ['app/b', 'app/c'], ['db']]],
    ['per_page=5', [['Z', 'app/a', 'app/b', 'app/c', 'db']]],
    ['per_page=2&prefix=app', [['app/a', 'app/b'], ['app/c']]],
    ['per_page=2&reverse=true', [['db', 'app/c'], ['app/b', 'app/a'], ['Z']]],
    [
      'per_page=3&namespace=*&prefix=app',
      [
        ['app/a', 'app/b', 'app/c'],
        ['app/a', 'app/x'],
      ],
    ],
    ['per_page=1&filter=VariableMetadata.Path+matches+"[ac]$"', [['app/a'], ['app/c']]],
    ['per_page=0', [['Z', 'app/a', 'app/b', 'app/c', 'db']]],
  ])('comes in pages: %s', async (query, expected) => {
    expect(await pages(await shelf(), query.replaceAll('"', '%22'))).toEqual(expected);
  });

  test('continues with the first of the next page, also when that was deleted or never existed', async () => {
    const { ask, paths } = await shelf();
    expect((await ask('GET', 'vars?per_page=2')).headers['x-nomad-nexttoken']).toBe('default.app/b');
    await ask('DELETE', 'var/app/b');
    expect(await paths('per_page=2&next_token=default.app/b')).toEqual(['app/c', 'db']);
    expect(await paths('next_token=default.app/b~')).toEqual(['app/c', 'db']);
    expect(await paths('next_token=default.zz')).toEqual([]);
    expect(await paths('next_token=a.x&prefix=app')).toEqual(['app/a', 'app/c']);
    // A token without a path names a namespace.
    expect(await paths('next_token=default')).toEqual(['Z', 'app/a', 'app/c', 'db']);
    expect(await paths('next_token=x')).toEqual([]);
    expect((await ask('GET', 'vars?per_page=-1')).status).toBe(400);
    expect((await ask('GET', 'vars?per_page=x')).status).toBe(400);
  });

  test('waits for a change of any of them', async () => {
    const { ask, put } = await scheduler();
    const index = Number((await put('a')).ModifyIndex);
    const waiting = ask('GET', `vars?index=${index}&wait=10s`);
    await put('b');
    const answer = await waiting;
    expect([answer.text.includes('"b"'), answer.headers['x-nomad-index']]).toEqual([true, String(index + 1)]);
  });

  test.each([
    ['VariableMetadata.Path == "app/a"', ['app/a']],
    ['"/VariableMetadata/Path" == "app/a"', ['app/a']],
    ['VariableMetadata.Path matches "^app/" and not VariableMetadata.Path == "app/b"', ['app/a', 'app/c']],
    ['app in VariableMetadata.Path', ['app/a', 'app/b', 'app/c']],
    ['VariableMetadata.CreateIndex == 5', ['app/a']],
    ['VariableMetadata.CreateIndex == "0x5"', ['app/a']],
    ['VariableMetadata.CreateTime == 1767355200000000000', ['Z', 'app/a', 'app/b', 'app/c', 'db']],
    ['VariableMetadata.CreateTime == 1767355200000000001', []],
    ['VariableMetadata.CreateTime == "-1"', []],
    [
      'VariableMetadata.Namespace == default and VariableMetadata.Lock is nil',
      ['Z', 'app/a', 'app/b', 'app/c', 'db'],
    ],
    ['VariableMetadata.Lock is not nil', []],
    ['VariableMetadata is nil', []],
    ['VariableMetadata.Path is empty', []],
  ])('is filtered: %s', async (filter, expected) => {
    const { paths } = await shelf();
    expect(await paths(`filter=${encodeURIComponent(filter)}`)).toEqual(expected);
  });

  test.each([
    ['Path ==', 'failed to create result paginator: failed to read filter expression: '],
    ['Path matches "("', 'failed to create result paginator: failed to read filter expression: '],
    // As of Nomad 2.0.6.
    ...[
      [
        'Path == "app/a"',
        `error finding value in datum: /Path at part 0: couldn't find key: struct field with name "Path"`,
      ],
      ['"/Path" == "app/a"', 'error finding value in datum: /Path at part 0: '],
      ['Lock is nil', 'error finding value in datum: /Lock at part 0: '],
      ['Items.k == v', 'error finding value in datum: /Items/k at part 0: '],
      ['VariableMetadata.x == v', 'error finding value in datum: /VariableMetadata/x at part 1: '],
      [
        'VariableMetadata.Path.x == v',
        'error finding value in datum: /VariableMetadata/Path/x: at part 2, invalid value kind: string',
      ],
      ['any VariableMetadata as k, v { k == Path }', 'VariableMetadata is not a list or a map'],
      ['all VariableMetadata.Path as p { p == a }', 'VariableMetadata.Path is not a list or a map'],
      ['VariableMetadata == x', 'unable to find suitable primitive comparison function for matching'],
      ['VariableMetadata.Lock == x', 'unable to find suitable primitive comparison function for matching'],
      ['VariableMetadata is empty', 'cannot perform is-empty operations on type struct for selector: '],
      ['VariableMetadata.Lock is empty', 'cannot perform is-empty operations on type invalid for selector: '],
      ['VariableMetadata.Path is nil', 'cannot perform is-nil operations on type string for selector: '],
      [
        'VariableMetadata.CreateIndex is nil',
        'cannot perform is-nil operations on type uint64 for selector: ',
      ],
      [
        'VariableMetadata.ModifyIndex contains 9',
        'cannot perform in/contains operations on type uint64 for selector: ',
      ],
      ['VariableMetadata.CreateIndex matches "5"', 'value of type uint64 is not convertible to []byte'],
      [
        'VariableMetadata.CreateIndex == x',
        'error getting match value in expression: strconv.ParseUint: parsing "x": invalid syntax',
      ],
      [
        'VariableMetadata.CreateIndex == "-1"',
        'error getting match value in expression: strconv.ParseUint: ',
      ],
      ['VariableMetadata.CreateTime == x', 'error getting match value in expression: strconv.ParseInt: '],
    ].map(
      ([filter = '', problem = '']) => [filter, `failed to read result page: ${problem}`] as [string, string],
    ),
  ])('is rejected with the filter %s', async (filter, message) => {
    const { send } = await shelf();
    expect(await send('GET', `vars?filter=${encodeURIComponent(filter)}`)).toEqual(
      responseContaining(400, message),
    );
  });

  test('has what the caller may list, in every namespace that there is', async () => {
    const { holder, manage, anonymous } = await guarded();
    await manage('PUT', 'namespace', { Name: 'web' });
    for (const path of ['app/a', 'app/b', 'secret/a', 'app/a?namespace=web', 'x?namespace=web']) {
      await manage('PUT', `var/${path}`, { Items: { k: 'v' } });
    }
    const { send } = await holder(`
      namespace "default" { variables { path "app/*" { capabilities = ["list"] } path "app/b" { capabilities = ["deny"] } } }
      namespace "web" { variables { path "*" { capabilities = ["read"] } } }
    `);
    const listed = async (query: string) =>
      JSON.parse(String(await send.text('GET', `vars?${query}`))).map(
        ({ Namespace, Path }: { Namespace: string; Path: string }) => `${Namespace}:${Path}`,
      );
    expect(await listed('')).toEqual(['default:app/a']);
    expect(await listed('namespace=*')).toEqual(['default:app/a', 'web:app/a', 'web:x']);
    expect(await listed('namespace=*&per_page=2&next_token=web.app/a')).toEqual(['web:app/a', 'web:x']);
    expect(await listed('filter=VariableMetadata.Path==%22secret/a%22')).toEqual([]);
    expect(await anonymous('GET', 'vars?namespace=*')).toBe('200 []');
  });
});

describe('100,000 variables', () => {
  /** A request as the service sees it. */
  const asked = (query: string): HttpRequest =>
    ({
      method: 'GET',
      path: { segments: ['v1', 'vars'], hasTrailingSlash: false },
      query: new URLSearchParams(query),
      headers: {},
      serviceHeader: () => undefined,
      signal: new AbortController().signal,
    }) as unknown as HttpRequest;

  test('are listed, filtered and reversed without delaying others', async () => {
    const storage = memoryStore();
    const parts = { clock: () => new Date(), random: randomBytes, version: '0', log: () => {} };
    const first = await schedulerService({ storage, ...parts, keyFile: undefined });
    first.stop();
    const row = {
      CreateIndex: 3,
      CreateTime: '1767355200000000000',
      ModifyIndex: 3,
      ModifyTime: '1767355200000000000',
      Sealed: '',
    };
    const key = (at: number) => `variables/default app/${String(at).padStart(6, '0')}`;
    await storage.write(
      Array.from({ length: 100_000 }, (_none, at) => ({ key: key(at), value: { ...row } })),
    );
    // What is sealed with the first service's key is not looked at.
    await storage.write([{ key: 'key/proof' }]);
    const service = await schedulerService({ storage, ...parts, keyFile: undefined });
    const ask = async (query: string) =>
      (await service.handle(asked(query))) as { body: Uint8Array | string };
    await ask('per_page=2000&filter=VariableMetadata.Path+matches+"7$"');
    for (const [query, count] of [
      ['', 100_000],
      ['filter=VariableMetadata.Path+matches+"7$"', 10_000],
      ['reverse=true&per_page=10', 10],
      ['filter=VariableMetadata.Path+==+none', 0],
    ] as const) {
      let body: Uint8Array | string = '';
      await expectShortTurns(async () => {
        body = (await ask(query)).body;
      }, 2);
      const listed = JSON.parse(Buffer.from(body).toString()) as { readonly Path: string }[];
      expect(new Set(listed.map(({ Path }) => Path)).size, query).toBe(count);
      expect(listed, query).toHaveLength(count);
    }
    service.stop();
  });
});
