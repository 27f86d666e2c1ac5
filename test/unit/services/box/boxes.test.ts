import { describe, expect, test } from 'vitest';
import { folder } from '../support.ts';
import { boxes } from './support.ts';

const missing = '404 Resource not found!';

describe('a box', () => {
  test('is created private, read, and returned with its owner', async () => {
    const { json } = await boxes();
    const made = await json('POST', 'boxes', { box: { username: 'ada', name: 'base' } });
    const box = {
      created_at: '2026-01-02T12:00:00.000Z',
      updated_at: '2026-01-02T12:00:00.000Z',
      tag: 'ada/base',
      name: 'base',
      short_description: '',
      description_html: null,
      description_markdown: null,
      username: 'ada',
      private: true,
      downloads: 0,
      current_version: null,
    };
    expect(made).toEqual({ ...box, versions: [] });
    expect(await json('GET', 'box/ada/base')).toEqual({ ...box, versions: [] });
    expect(await json('GET', 'user/ada')).toEqual({
      username: 'ada',
      avatar_url: '',
      profile_html: '',
      profile_markdown: '',
      boxes: [box],
    });
  });

  test('is changed in the given fields, and private again unless given', async () => {
    const { json, pass } = await boxes();
    await json('POST', 'boxes', {
      box: {
        username: 'ada',
        name: 'base',
        short_description: 's',
        description: 'a <b>\n\nc',
        is_private: false,
      },
    });
    expect(await json('GET', 'box/ada/base')).toMatchObject({
      short_description: 's',
      description_markdown: 'a <b>\n\nc',
      description_html: '<p>a &lt;b&gt;</p>\n<p>c</p>',
      private: false,
    });
    pass(60);
    const changed = await json('PUT', 'box/ada/base', { box: { short_description: 't' } });
    expect(changed).toMatchObject({
      created_at: '2026-01-02T12:00:00.000Z',
      updated_at: '2026-01-02T12:01:00.000Z',
      short_description: 't',
      description_markdown: 'a <b>\n\nc',
      private: true,
    });
    expect(await json('PUT', 'box/ada/base', { box: { description: '' } })).toMatchObject({
      description_markdown: null,
    });
  });

  test('is renamed with all that is in it', async () => {
    const { json, ask, released, rejected, fetched } = await boxes();
    await released('ada', 'base');
    await released('ada', 'other');
    await fetched('GET', '/ada/boxes/base/versions/1.0.0/providers/virtualbox.box');
    expect(await rejected('PUT', 'box/ada/base', { box: { name: 'other' } })).toBe(
      '422 There is a box ada/other already',
    );
    await json('PUT', 'box/ada/base', { box: { name: 'newer', is_private: false } });
    expect((await ask('GET', 'box/ada/base')).status).toBe(404);
    const { current_version, downloads } = (await json('GET', 'box/ada/newer')) as never as Record<
      string,
      unknown
    >;
    expect([current_version, downloads]).toEqual([expect.objectContaining({ version: '1.0.0' }), 1]);
  });

  test('is deleted, and returned once more', async () => {
    const { json, rejected, released } = await boxes();
    await released('ada', 'base');
    expect(await json('DELETE', 'box/ada/base')).toMatchObject({ tag: 'ada/base' });
    expect(await rejected('GET', 'box/ada/base')).toEqual(missing);
    expect(await rejected('DELETE', 'box/ada/base')).toEqual(missing);
    expect((await json('POST', 'boxes', { box: { username: 'ada', name: 'base' } })).versions).toEqual([]);
  });

  test('needs a name of its own and an existing owner', async () => {
    const { json, rejected } = await boxes();
    const make = (box: object) => rejected('POST', 'boxes', { box });
    expect(await make({ name: 'base' })).toBe('403 box.username is required');
    expect(await make({ username: 'ada' })).toBe('403 box.name is required');
    for (const name of ['a/b', '..', '.a', 'a b', 'ä', 'x'.repeat(129)])
      expect(await make({ username: 'ada', name })).toMatch(/^403 /);
    expect(await make({ username: 'missing', name: 'a' })).toBe(
      '422 User or organization missing does not exist',
    );
    expect(await make({ username: 'ada', name: 'a', is_private: 'no' })).toBe(
      '403 box.is_private must be true or false',
    );
    await json('POST', 'boxes', { box: { username: 'ada', name: 'x'.repeat(128) } });
    await json('POST', 'boxes', { box: { username: 'ada', name: 'base' } });
    expect(await make({ username: 'ada', name: 'base' })).toBe('422 There is a box ada/base already');
  });

  test('is created once by concurrent requests', async () => {
    const { ask } = await boxes();
    const made = Array.from({ length: 8 }, () =>
      ask('POST', 'boxes', { box: { username: 'ada', name: 'base' } }),
    );
    const statuses = (await Promise.all(made)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 422)).toHaveLength(7);
  });

  test('exists after a restart', async () => {
    const data = await folder();
    const first = await boxes({ dataDirectory: data });
    await first.released('ada', 'base');
    const before = await first.json('GET', 'box/ada/base');
    await first.close();
    const second = await boxes({ dataDirectory: data });
    const links = /http:\/\/127\.0\.0\.1:\d+/g;
    const plain = (box: unknown) => JSON.stringify(box).replace(links, '');
    expect(plain(await second.json('GET', 'box/ada/base'))).toBe(plain(before));
  });
});

test('a private box of a user is visible to this user only, and only the user changes a box', async () => {
  const { released, rejected, ask, bobs } = await boxes();
  await released('ada', 'secret', { private: true });
  await released('ada', 'open');
  const bob = await bobs();
  for (const path of ['', '/version/1.0.0', '/version/1.0.0/provider/virtualbox']) {
    expect((await ask('GET', `box/ada/secret${path}`)).status).toBe(200);
    for (const token of [null, bob])
      expect(await rejected('GET', `box/ada/secret${path}`, undefined, token)).toEqual(missing);
  }
  expect(await rejected('PUT', 'box/ada/secret', { box: {} }, bob)).toEqual(missing);
  expect(await rejected('PUT', 'box/ada/open', { box: {} }, bob)).toBe(
    '401 You are not authorized to change ada/open',
  );
});
