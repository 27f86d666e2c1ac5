import { describe, expect, test } from 'vitest';
import { folder } from '../support.ts';
import { boxes, owners, startUpToken } from './support.ts';

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
    expect(await rejected('PUT', 'box/ada/base', { box: { name: 'other' } })).toEqual([
      422,
      'There is a box ada/other already',
    ]);
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
    expect(await rejected('GET', 'box/ada/base')).toEqual([404, 'Resource not found!']);
    expect(await rejected('DELETE', 'box/ada/base')).toEqual([404, 'Resource not found!']);
    expect((await json('POST', 'boxes', { box: { username: 'ada', name: 'base' } })).versions).toEqual([]);
  });

  test('needs a name of its own and an existing owner', async () => {
    const { json, rejected } = await boxes();
    const make = (box: object) => rejected('POST', 'boxes', { box });
    expect(await make({ name: 'base' })).toEqual([403, 'box.username is required']);
    expect(await make({ username: 'ada' })).toEqual([403, 'box.name is required']);
    for (const name of ['a/b', '..', '.a', 'a b', 'ä', 'x'.repeat(129)])
      expect((await make({ username: 'ada', name }))[0]).toBe(403);
    expect(await make({ username: 'nobody', name: 'a' })).toEqual([
      422,
      'User or organization nobody does not exist',
    ]);
    expect(await make({ username: 'ada', name: 'a', is_private: 'no' })).toEqual([
      403,
      'box.is_private must be true or false',
    ]);
    await json('POST', 'boxes', { box: { username: 'ada', name: 'x'.repeat(128) } });
    await json('POST', 'boxes', { box: { username: 'ada', name: 'base' } });
    expect(await make({ username: 'ada', name: 'base' })).toEqual([422, 'There is a box ada/base already']);
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

describe('permissions', () => {
  test('see a private box: its owner and members; for others it does not exist', async () => {
    const { released, rejected, ask, bobs, json } = await boxes();
    await released('ada', 'secret', { private: true });
    await released('team', 'shared', { private: true });
    const bob = await bobs();
    const absent = [404, 'Resource not found!'];
    const paths = [
      'box/ada/secret',
      'box/ada/secret/version/1.0.0',
      'box/ada/secret/version/1.0.0/provider/virtualbox',
    ];
    for (const path of paths) {
      expect(await rejected('GET', path, undefined, null)).toEqual(absent);
      expect(await rejected('GET', path, undefined, bob)).toEqual(absent);
      expect((await ask('GET', path)).status).toBe(200);
    }
    expect(await rejected('PUT', 'box/ada/secret', { box: {} }, bob)).toEqual(absent);
    expect((await ask('GET', 'box/team/shared', undefined, bob)).status).toBe(200);
    expect(await rejected('GET', 'box/team/shared', undefined, null)).toEqual(absent);
    expect((await json('GET', 'user/team', undefined, bob)).boxes).toHaveLength(1);
    expect((await json('GET', 'user/team', undefined, null)).boxes).toEqual([]);
  });

  test('change one: its owner, and members who may write', async () => {
    const { released, rejected, ask, bobs } = await boxes();
    await released('ada', 'open');
    await released('team', 'shared');
    const bob = await bobs();
    const writes: [string, string, object?][] = [
      ['PUT', '', { box: {} }],
      ['POST', '/versions', { version: { version: '2.0.0' } }],
      ['PUT', '/version/1.0.0', { version: {} }],
      ['POST', '/version/1.0.0/providers', { provider: { name: 'kvm' } }],
      ['PUT', '/version/1.0.0/provider/virtualbox', { provider: {} }],
      ['PUT', '/version/1.0.0/revoke'],
      ['PUT', '/version/1.0.0/release'],
      ['DELETE', '/version/1.0.0/provider/virtualbox'],
      ['DELETE', '/version/1.0.0'],
      ['DELETE', ''],
    ];
    for (const tag of ['ada/open', 'team/shared']) {
      for (const [method, path, body] of writes) {
        const rejection = [401, `You are not authorized to change ${tag}`];
        expect(await rejected(method, `box/${tag}${path}`, body, bob)).toEqual(rejection);
        expect(await rejected(method, `box/${tag}${path}`, body, null)).toEqual([401, 'A token is required']);
      }
    }
    const box = { username: 'team', name: 'more' };
    expect(await rejected('POST', 'boxes', { box }, bob)).toEqual([
      401,
      'You are not authorized to create boxes of team',
    ]);
    expect((await ask('POST', 'boxes', { box })).status).toBe(200);
  });

  test('see an unreleased version: those who may change the box', async () => {
    const { json, rejected, released, bobs } = await boxes();
    await released('team', 'shared');
    await json('POST', 'box/team/shared/versions', { version: { version: '2.0.0' } });
    const bob = await bobs();
    for (const token of [bob, null]) {
      const { versions } = await json('GET', 'box/team/shared', undefined, token);
      expect(versions.map(({ version }) => version)).toEqual(['1.0.0']);
      expect((await rejected('GET', 'box/team/shared/version/2.0.0', undefined, token))[0]).toBe(404);
    }
    const { versions } = await json('GET', 'box/team/shared');
    expect(versions.map(({ version }) => version)).toEqual(['2.0.0', '1.0.0']);
  });
});

test('the private boxes of an owner with unpaid bills are 402 for callers that may see them', async () => {
  const users = [{ name: 'ada', delinquent: true }] as const;
  const data = await folder();
  const before = await boxes({ dataDirectory: data });
  await before.released('ada', 'secret', { private: true });
  await before.released('ada', 'open');
  await before.close();
  const { rejected, ask, json, fetched } = await boxes({
    dataDirectory: data,
    box: { owners: { ...owners, users }, token: startUpToken },
  });
  const unpaid = [402, 'The account of ada is delinquent on billing; contact its owner'];
  expect(await rejected('GET', 'box/ada/secret')).toEqual(unpaid);
  expect(await rejected('DELETE', 'box/ada/secret')).toEqual(unpaid);
  expect(await rejected('POST', 'boxes', { box: { username: 'ada', name: 'more' } })).toEqual(unpaid);
  expect(await rejected('PUT', 'box/ada/open', { box: { is_private: true } })).toEqual(unpaid);
  expect((await fetched('GET', '/ada/secret')).status).toBe(402);
  expect((await rejected('GET', 'box/ada/secret', undefined, null))[0]).toBe(404);
  expect((await ask('GET', 'box/ada/open')).status).toBe(200);
  expect((await json('GET', 'search')).boxes.map(({ name }) => name)).toEqual(['open']);
});
