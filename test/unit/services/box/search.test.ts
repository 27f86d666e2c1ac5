import { expect, test } from 'vitest';
import { boxes } from './support.ts';

test('a search finds boxes by owner, name and short description, whatever the case', async () => {
  const { json, released } = await boxes();
  for (const [owner, name] of [
    ['ada', 'Alpine'],
    ['team', 'base'],
  ] as const)
    await released(owner, name);
  await json('PUT', 'box/team/base', { box: { short_description: 'Small and plain', is_private: false } });
  const found = async (q: string) => (await json('GET', `search?q=${q}`)).boxes.map(({ name }) => name);
  expect(await found('alp')).toEqual(['Alpine']);
  expect(await found('TEAM')).toEqual(['base']);
  expect(await found('plain')).toEqual(['base']);
  expect(await found('team/base')).toEqual(['base']);
  expect(await found('a')).toEqual(['Alpine', 'base']);
  expect(await found('nothing')).toEqual([]);
});

test('each box in the result has its current version', async () => {
  const { json, released } = await boxes();
  await released('ada', 'base');
  await json('POST', 'boxes', { box: { username: 'ada', name: 'empty', is_private: false } });
  const { boxes: found } = await json('GET', 'search');
  expect(found).toMatchObject([
    {
      tag: 'ada/base',
      downloads: 0,
      current_version: { version: '1.0.0', providers: [{ name: 'virtualbox' }] },
    },
  ]);
  expect(found[0]).not.toHaveProperty('versions');
});

test('a private box is found by those who may see it', async () => {
  const { json, released, bobs } = await boxes();
  await released('ada', 'secret', { private: true });
  await released('team', 'shared', { private: true });
  const found = async (token?: string | null) =>
    (await json('GET', 'search', undefined, token)).boxes.map(({ name }) => name);
  expect(await found()).toEqual(['secret', 'shared']);
  expect(await found(await bobs())).toEqual(['shared']);
  expect(await found(null)).toEqual([]);
});

test('a provider restricts a search', async () => {
  const { json, released } = await boxes();
  await released('ada', 'base');
  const found = async (provider: string) => (await json('GET', `search?provider=${provider}`)).boxes.length;
  expect([await found('virtualbox'), await found('kvm')]).toEqual([1, 0]);
});

test('results are sorted by downloads, creation or change, either way, and by name where that is equal', async () => {
  const { fetched, json, pass, released } = await boxes();
  for (const name of ['b', 'a', 'c']) {
    await released('ada', name);
    pass(1);
  }
  await json('PUT', 'box/ada/a', { box: { is_private: false } });
  await fetched('GET', '/ada/boxes/b/versions/1.0.0/providers/virtualbox.box');
  const sorted = async (query: string) =>
    (await json('GET', `search?${query}`)).boxes.map(({ name }) => name).join('');
  expect(await sorted('')).toBe('bac');
  expect(await sorted('order=asc')).toBe('acb');
  expect(await sorted('sort=downloads&order=desc')).toBe('bac');
  expect(await sorted('sort=created')).toBe('cab');
  expect(await sorted('sort=created&order=asc')).toBe('bac');
  expect(await sorted('sort=updated')).toBe('acb');
});

test('results have pages of ten, or of the requested size up to a hundred', async () => {
  const { json, rejected, released } = await boxes();
  const names = Array.from({ length: 12 }, (_, index) => `box-${String(index).padStart(2, '0')}`);
  for (const name of names) await released('ada', name);
  const page = async (query: string) => (await json('GET', `search?${query}`)).boxes.map(({ name }) => name);
  expect(await page('')).toEqual(names.slice(0, 10));
  expect(await page('page=2')).toEqual(names.slice(10));
  expect(await page('limit=5&page=2')).toEqual(names.slice(5, 10));
  expect(await page('limit=100')).toEqual(names);
  expect(await page('page=99')).toEqual([]);
  const wrong = '403 limit must be an integer from 1 to 100';
  for (const limit of ['0', '101', '-1', 'x', '1.5'])
    expect(await rejected('GET', `search?limit=${limit}`)).toEqual(wrong);
  expect(await rejected('GET', 'search?page=0')).toMatch(/^403 /);
  expect(await rejected('GET', 'search?sort=name')).toBe(
    '403 sort must be one of downloads, created, updated',
  );
  expect(await rejected('GET', 'search?order=up')).toBe('403 order must be one of desc, asc');
});
