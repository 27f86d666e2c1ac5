import { describe, expect, test } from 'vitest';
import { accounts, admin, type Item, seeded } from './support.ts';

const ids = (items: readonly Item[]): string[] => items.map(({ id }) => id);

/** Seconds after which a change is not repeated. */
const lookBack = 30;

/**
 * Accounts `user-0`, `user-1` and so on, made longer ago than a list looks back; gives their ids, the newest first, the
 * administrator's last.
 */
async function many(
  { made, pass }: Pick<Awaited<ReturnType<typeof accounts>>, 'made' | 'pass'>,
  count: number,
) {
  const found = [admin];
  for (let at = 0; at < count; at++) found.unshift((await made(`user-${at}`)).id);
  pass(lookBack);
  return found;
}

describe('a list', () => {
  test('has the newest first, page by page, until it is complete', async () => {
    const service = await accounts();
    const all = await many(service, 6);
    const first = await service.list({ page_size: 3 });
    expect(first).toMatchObject({
      response_type: 'delta',
      sort_by: 'created_time',
      sort_dir: 'desc',
      removed_ids: [],
      est_item_count: 7,
    });
    const second = await service.list({ page_size: 3, list_token: first.list_token });
    const third = await service.list({ page_size: 3, list_token: second.list_token });
    expect([second.response_type, third.response_type]).toEqual(['delta', 'complete']);
    expect([first, second, third].flatMap(({ items }) => ids(items))).toEqual(all);
    expect(ids((await service.list()).items)).toEqual(all);
    const exact = await service.list({ page_size: 7 });
    expect([exact.response_type, exact.items.length]).toEqual(['complete', 7]);
  });

  test('that is complete continues with changes and removals', async () => {
    const service = await accounts();
    const [newest = '', second = '', third = '', ...others] = await many(service, 6);
    const complete = await service.list();
    const nothing = await service.list({ list_token: complete.list_token });
    expect(nothing).toMatchObject({
      items: [],
      removed_ids: [],
      response_type: 'complete',
      sort_by: 'updated_time',
    });

    await service.json('PATCH', `accounts/${third}`, { version: 1, name: 'changed' });
    await service.ask('DELETE', `accounts/${second}`);
    const { id: added } = await service.made('added');
    service.pass(lookBack);
    for (const { list_token } of [complete, nothing]) {
      const changes = await service.list({ list_token });
      expect([ids(changes.items), changes.removed_ids]).toEqual([[added, third], [second]]);
      expect(changes).toMatchObject({ response_type: 'complete', est_item_count: 7 });
      const after = await service.list({ list_token: changes.list_token });
      expect([after.items, after.removed_ids]).toEqual([[], []]);
    }
    const pages = [await service.list({ list_token: complete.list_token, page_size: 2 })];
    pages.push(await service.list({ list_token: pages[0]?.list_token ?? '', page_size: 2 }));
    expect(pages.map(({ response_type }) => response_type)).toEqual(['delta', 'complete']);
    expect(pages.flatMap(({ items }) => ids(items))).toEqual([added, third]);
    expect(pages.flatMap(({ removed_ids }) => removed_ids)).toEqual([second]);
    expect(ids((await service.list()).items)).toEqual([added, newest, third, ...others]);
  });

  test('loses nothing that happens between its pages', async () => {
    const service = await accounts();
    const [newest = '', second = '', third = '', fourth = ''] = await many(service, 4);
    const first = await service.list({ page_size: 2 });
    expect(ids(first.items)).toEqual([newest, second]);
    const { id: added } = await service.made('added');
    await service.json('PATCH', `accounts/${second}`, { version: 1, name: 'changed' });
    await service.ask('DELETE', `accounts/${newest}`);
    await service.ask('DELETE', `accounts/${third}`);
    const rest = await service.list({ list_token: first.list_token });
    expect([ids(rest.items), rest.removed_ids]).toEqual([[fourth, admin], []]);
    const changes = await service.list({ list_token: rest.list_token });
    expect([ids(changes.items), changes.removed_ids]).toEqual([
      [second, added],
      [third, newest],
    ]);
  });

  test('repeats the changes of the half minute before the last one, and no more', async () => {
    const service = await accounts();
    const [newest = '', second = '', third = ''] = await many(service, 3);
    await service.json('PATCH', `accounts/${third}`, { version: 1, name: 'changed' });
    await service.ask('DELETE', `accounts/${second}`);
    service.pass(lookBack - 1);
    const { id: added } = await service.made('added');
    const complete = await service.list();
    expect(ids(complete.items)).toEqual([added, newest, third, admin]);
    const again = await service.list({ list_token: complete.list_token });
    expect([ids(again.items), again.removed_ids]).toEqual([[added, third], [second]]);
    service.pass(1);
    const later = await service.list({ list_token: again.list_token });
    expect([ids(later.items), later.removed_ids]).toEqual([[added, third], [second]]);
    const last = await service.list({ list_token: later.list_token });
    expect([ids(last.items), last.removed_ids]).toEqual([[added], []]);
  });

  test('has the latest removals on every page of a refresh', async () => {
    const service = await accounts();
    const [newest = '', second = '', third = '', fourth = ''] = await many(service, 4);
    const { list_token } = await service.list();
    await service.ask('DELETE', `accounts/${second}`);
    for (const id of [fourth, third, newest])
      await service.json('PATCH', `accounts/${id}`, { version: 1, description: 'changed' });
    const first = await service.list({ list_token, page_size: 1 });
    const next = await service.list({ list_token: first.list_token, page_size: 1 });
    service.pass(lookBack);
    const late = await service.list({ list_token: next.list_token, page_size: 1 });
    expect([first, next, late].map(({ items, removed_ids }) => [ids(items), removed_ids])).toEqual([
      [[newest], [second]],
      [[third], [second]],
      [[fourth], []],
    ]);
  });

  test('omits empty fields', async () => {
    const { json, list, pass } = await accounts();
    const other = await json('POST', 'auth-methods', { scope_id: 'global', type: 'password' });
    const empty = { response_type: 'complete', sort_by: 'created_time', sort_dir: 'desc' };
    expect(await json('GET', `accounts?auth_method_id=${other.id}`)).toEqual(empty);
    const filter = encodeURIComponent('"/item/name" == "missing"');
    expect(await json('GET', `accounts?auth_method_id=${seeded}&filter=${filter}`)).toEqual(empty);
    pass(lookBack);
    const { list_token } = await list();
    const { list_token: next, ...unchanged } = await json(
      'GET',
      `accounts?auth_method_id=${seeded}&list_token=${list_token}`,
    );
    expect(next).toEqual(expect.any(String));
    expect(unchanged).toEqual({
      response_type: 'complete',
      sort_by: 'updated_time',
      sort_dir: 'desc',
      est_item_count: 1,
    });
  });

  test('is of one auth method', async () => {
    const { json, list, made } = await accounts();
    const other = await json('POST', 'auth-methods', { scope_id: 'global', type: 'password' });
    const there = await made('ada', { auth_method_id: other.id });
    expect(ids((await list()).items)).toEqual([admin]);
    expect(ids((await list({ auth_method_id: other.id })).items)).toEqual([there.id]);
  });

  test('is filtered by an expression over its items', async () => {
    const { list, made } = await accounts();
    await made('ada', { description: 'of engines' });
    await made('bob');
    const found = async (filter: string) =>
      (await list({ filter })).items.map(({ attributes }) => attributes.login_name);
    expect(await found('"/item/attributes/login_name" == "bob"')).toEqual(['bob']);
    expect(await found('"/item/attributes/login_name" matches "^a" and "/item/version" == 1')).toEqual([
      'ada',
      'admin',
    ]);
    expect(await found('"/item/description" contains "engines" or "/item/name" == "admin"')).toEqual([
      'ada',
      'admin',
    ]);
    expect(await found('"delete" in "/item/authorized_actions"')).toHaveLength(3);
    expect(await found('"/item/nothing/there" == "x"')).toEqual([]);
    expect(await found('"/place" is not empty')).toEqual([]);
    const [one, two] = [
      await list({ filter: '"/item/name" == "admin"', page_size: 1 }),
      await list({ page_size: 1 }),
    ];
    expect([one.response_type, one.items.length, two.response_type]).toEqual(['complete', 1, 'delta']);
  });

  test('accepts a pattern over long texts, and rejects one that is too much work', async () => {
    const { list, made, rejected } = await accounts();
    for (let at = 0; at < 20; at++) await made(`user-${at}`, { description: 'engine '.repeat(500) });
    expect((await list({ filter: '"/item/description" matches "engines"' })).items).toEqual([]);
    const filter = `"/item/description" matches "(${'a?'.repeat(200)}){2}x"`;
    const parameters = new URLSearchParams({ auth_method_id: seeded, filter });
    expect((await rejected('GET', `accounts?${parameters}`))[3]).toMatch(/^filter: .*too expensive/);
  });

  test('that is invalid is rejected', async () => {
    const { list, rejected, pass, json } = await accounts();
    pass(lookBack);
    const wrong = async (query: { readonly [name: string]: string }) => {
      const parameters = new URLSearchParams({ auth_method_id: seeded, ...query });
      return (await rejected('GET', `accounts?${parameters}`)).slice(3);
    };
    expect(await wrong({ auth_method_id: '' })).toEqual(['auth_method_id: Invalid formatted identifier.']);
    expect((await rejected('GET', 'accounts?auth_method_id=ampw_none'))[0]).toBe(404);
    expect(await wrong({ page_size: '-1' })).toEqual(['page_size: This field must be a number, 0 or more.']);
    for (const filter of ['"/item/name" ==', '"/item/name" is nil'])
      expect((await wrong({ filter }))[0]).toMatch(/^filter: This field could not be parsed\. /);
    const { list_token } = await list();
    const foreign = ['list_token: This is not a list token of this list; begin without one.'];
    for (const forged of ['x', 'AAAA', `${list_token}AAAA`, list_token.slice(4), flipped(list_token)])
      expect(await wrong({ list_token: forged }), forged).toEqual(foreign);
    expect(await wrong({ list_token, filter: '"/item/name" == "x"' })).toEqual(foreign);
    const other = await json('POST', 'auth-methods', { scope_id: 'global', type: 'password' });
    expect(await wrong({ list_token, auth_method_id: other.id })).toEqual(foreign);
    pass(30 * 24 * 3600);
    expect((await list({ list_token })).items).toEqual([]);
    pass(1);
    expect(await wrong({ list_token })).toEqual([
      'list_token: This list token has expired; begin without one.',
    ]);
  });
});

function flipped(token: string): string {
  const bytes = Buffer.from(token, 'base64url');
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  return bytes.toString('base64url');
}

test('removals are remembered for a month', async () => {
  const { ask, list, made, pass } = await accounts();
  const { list_token } = await list();
  const { id } = await made('ada');
  await ask('DELETE', `accounts/${id}`);
  pass(30 * 24 * 3600);
  const fresh = await list();
  expect((await list({ list_token })).removed_ids).toEqual([id]);
  pass(1);
  const { id: other } = await made('bob');
  await ask('DELETE', `accounts/${other}`);
  expect((await list({ list_token: fresh.list_token })).removed_ids).toEqual([other]);
});
