import { expect, test } from 'vitest';
import { folder } from '../support.ts';
import { boxes, owners, startUpToken } from './support.ts';

const acme = { organization: { username: 'acme' } };
const created = { username: 'acme', avatar_url: '', profile_html: '', profile_markdown: '', boxes: [] };

test.each(['v1', 'v2'])('an organization is created and read at %s', async (version) => {
  const { fetched } = await boxes();
  const made = await fetched('POST', `/api/${version}/organizations`, { body: acme });
  expect([made.status, made.json]).toEqual([200, created]);
  const read = await fetched('GET', `/api/${version}/user/acme`, { token: null });
  expect([read.status, read.json]).toEqual([200, created]);
});

test('its creator, and no other user, creates, sees and changes its boxes', async () => {
  const { json, rejected, bobs } = await boxes();
  const bob = await bobs();
  const box = { username: 'acme', name: 'base' };
  await json('POST', 'organizations', acme, bob);
  expect(await rejected('POST', 'boxes', { box })).toBe('401 You are not authorized to create boxes of acme');
  expect(await rejected('POST', 'boxes', { box }, null)).toBe('401 A token is required');

  expect(await json('POST', 'boxes', { box }, bob)).toMatchObject({ tag: 'acme/base', private: true });
  expect((await json('GET', 'user/acme', undefined, bob)).boxes).toHaveLength(1);
  expect((await json('GET', 'user/acme')).boxes).toEqual([]);
  const missing = '404 Resource not found!';
  expect(await rejected('GET', 'box/acme/base')).toEqual(missing);
  expect(await rejected('DELETE', 'box/acme/base')).toEqual(missing);

  await json('PUT', 'box/acme/base', { box: { is_private: false } }, bob);
  const denied = '401 You are not authorized to change acme/base';
  expect(await rejected('PUT', 'box/acme/base', { box: { short_description: 'x' } })).toEqual(denied);
  expect(await rejected('POST', 'box/acme/base/versions', { version: { version: '1.0.0' } })).toEqual(denied);
  expect(await rejected('DELETE', 'box/acme/base')).toEqual(denied);
  await json('DELETE', 'box/acme/base', undefined, bob);
});

test.each([
  ['a user', 'ada'],
  ['another user', 'eve'],
  ['an organization', 'team'],
  ['an organization that was created', 'acme'],
])('the name of %s is in use', async (_, username) => {
  const { json, rejected, bobs } = await boxes();
  await json('POST', 'organizations', acme);
  const bob = await bobs();
  expect(await rejected('POST', 'organizations', { organization: { username } }, bob)).toBe(
    `422 A user or organization ${username} already exists`,
  );
  // It keeps its members.
  const box = { username: 'acme', name: 'base' };
  expect(await rejected('POST', 'boxes', { box }, bob)).toMatch(/^401 /);
  expect(await json('POST', 'boxes', { box })).toMatchObject({ tag: 'acme/base' });
});

test('of two concurrent requests with one name, one creates it', async () => {
  const { ask } = await boxes();
  const replies = await Promise.all([ask('POST', 'organizations', acme), ask('POST', 'organizations', acme)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 422]);
});

const nameRule =
  'organization.username may have letters, digits, periods, dashes and underscores, begins with a letter or digit, and has at most 128 characters';

test.each([
  [undefined, 422, 'organization parameter is required!'],
  [{}, 422, 'organization parameter is required!'],
  [{ username: 'acme' }, 422, 'organization parameter is required!'],
  [{ organization: null }, 422, 'organization parameter is required!'],
  [{ organization: 'acme' }, 403, 'organization must be an object'],
  [{ organization: {} }, 403, 'organization.username is required'],
  [{ organization: { username: '' } }, 403, 'organization.username is required'],
  [{ organization: { username: 7 } }, 403, 'organization.username must be a string'],
  [{ organization: { username: 'a/b' } }, 403, nameRule],
  [{ organization: { username: '..' } }, 403, nameRule],
  [{ organization: { username: '-acme' } }, 403, nameRule],
  [{ organization: { username: 'a'.repeat(129) } }, 403, nameRule],
  [
    { organization: { username: 'acme', members: { eve: 'write' } } },
    403,
    'organization.members is not supported',
  ],
  [[], 403, 'the body must be an object'],
])('rejects %j', async (body, status, message) => {
  const { rejected, ask } = await boxes();
  expect(await rejected('POST', 'organizations', body)).toBe(`${status} ${message}`);
  expect((await ask('GET', 'user/acme')).status).toBe(404);
});

test('a field that is null counts as missing', async () => {
  const { json } = await boxes();
  const organization = { username: 'acme', members: null };
  expect(await json('POST', 'organizations', { organization })).toEqual(created);
});

test('needs a valid token, which is checked before the body', async () => {
  const { rejected, ask } = await boxes();
  expect(await rejected('POST', 'organizations', acme, null)).toBe('401 A token is required');
  expect(await rejected('POST', 'organizations', '{', null)).toBe('401 A token is required');
  expect(await rejected('POST', 'organizations', acme, 'stale')).toBe('401 The token is not valid');
  expect((await ask('GET', 'user/acme')).status).toBe(404);
  expect((await ask('GET', 'organizations')).status).toBe(405);
});

test('after a restart it exists with its member, and seeded organizations are as configured', async () => {
  const data = await folder();
  const first = await boxes({ dataDirectory: data });
  const bob = await first.bobs();
  await first.json('POST', 'organizations', acme, bob);
  await first.json('POST', 'boxes', { box: { username: 'acme', name: 'base' } }, bob);
  await first.close();

  const second = await boxes({ dataDirectory: data, box: { owners, token: startUpToken } });
  expect((await second.json('GET', 'user/acme', undefined, bob)).boxes).toMatchObject([{ name: 'base' }]);
  await second.json('POST', 'boxes', { box: { username: 'acme', name: 'other' } }, bob);
  expect(await second.rejected('POST', 'boxes', { box: { username: 'acme', name: 'x' } })).toMatch(/^401 /);
  expect(await second.json('POST', 'boxes', { box: { username: 'team', name: 'x' } })).toMatchObject({
    tag: 'team/x',
  });
});
