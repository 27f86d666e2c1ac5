import { expect, test } from 'vitest';
import { folder } from '../support.ts';
import { boxes } from './support.ts';

const password = 'correct horse';
const owners = {
  users: [
    { name: 'ada', password },
    { name: 'bob', password },
    { name: 'eve', password },
    { name: 'debtor', password, delinquent: true },
  ],
  organizations: [{ name: 'team', members: { ada: 'write', bob: 'read' } }],
} as const;

/** A private box of an organisation with one member who writes, one who reads, and a user who is no member. */
async function prepared() {
  const all = await boxes({ box: { owners } });
  const tokenOf = async (login: string) =>
    (await all.json('POST', 'authenticate', { user: { login, password } }, null)).token;
  const tokens = {
    ada: await tokenOf('ada'),
    bob: await tokenOf('bob'),
    eve: await tokenOf('eve'),
    debtor: await tokenOf('debtor'),
    none: null,
  };
  await all.released('team', 'base', { private: true });
  await all.json('POST', 'box/team/base/versions', { version: { version: '2.0.0' } });
  /** The status of a request by each caller. */
  const statuses = async (method: string, path: string, body?: unknown) => {
    const found: number[] = [];
    for (const name of ['none', 'eve', 'bob'] as const)
      found.push((await all.ask(method, path, body, tokens[name])).status);
    return found;
  };
  return { ...all, tokens, statuses };
}

const missing = '404 Resource not found!';
const noToken = '401 A token is required';

test('a private box of an organisation is visible to its members only', async () => {
  const { json, rejected, statuses, tokens } = await prepared();
  for (const path of [
    'box/team/base',
    'box/team/base/version/1.0.0',
    'box/team/base/version/1.0.0/provider/virtualbox',
  ])
    expect(await statuses('GET', path), path).toEqual([404, 404, 200]);
  expect(await rejected('GET', 'box/team/base', undefined, tokens.eve)).toEqual(missing);
  expect(await rejected('GET', 'box/missing/base', undefined, tokens.eve)).toEqual(missing);
  const found = async (token: string | null) =>
    (await json('GET', 'search?q=base', undefined, token)).boxes.map(({ name }) => name);
  expect(await found(null)).toEqual([]);
  expect(await found(tokens.eve)).toEqual([]);
  expect(await found(tokens.bob)).toEqual(['base']);
  expect((await json('GET', 'user/team', undefined, tokens.bob)).boxes).toHaveLength(1);
  expect((await json('GET', 'user/team', undefined, null)).boxes).toEqual([]);
});

test('versions that are not released are visible only to members who can write', async () => {
  const { json, statuses, tokens } = await prepared();
  const versions = async (token: string | null) =>
    (await json('GET', 'box/team/base', undefined, token)).versions.map(({ version }) => version).sort();
  expect(await versions(tokens.ada)).toEqual(['1.0.0', '2.0.0']);
  expect(await versions(tokens.bob)).toEqual(['1.0.0']);
  expect(await statuses('GET', 'box/team/base/version/2.0.0')).toEqual([404, 404, 404]);
  await json('PUT', 'box/team/base', { box: { is_private: false } }, tokens.ada);
  expect(await versions(null)).toEqual(['1.0.0']);
  expect(await versions(tokens.eve)).toEqual(['1.0.0']);
  expect(await statuses('GET', 'box/team/base/version/1.0.0')).toEqual([200, 200, 200]);
  expect(await statuses('GET', 'box/team/base/version/2.0.0')).toEqual([404, 404, 404]);
});

test('only a member who can write changes a box', async () => {
  const { json, rejected, statuses, tokens } = await prepared();
  const requests = [
    ['PUT', 'box/team/base', { box: { short_description: 'x' } }],
    ['DELETE', 'box/team/base'],
    ['POST', 'box/team/base/versions', { version: { version: '3.0.0' } }],
    ['PUT', 'box/team/base/version/1.0.0', { version: { description: 'x' } }],
    ['PUT', 'box/team/base/version/1.0.0/revoke'],
    ['PUT', 'box/team/base/version/1.0.0/release'],
    ['PUT', 'box/team/base/version/1.0.0/provider/virtualbox', { provider: {} }],
    ['DELETE', 'box/team/base/version/1.0.0'],
    ['POST', 'box/team/base/version/1.0.0/providers', { provider: { name: 'kvm' } }],
    ['DELETE', 'box/team/base/version/1.0.0/provider/virtualbox'],
  ] as const;
  for (const [method, path, body] of requests) {
    // A private box is not found by those who cannot see it.
    expect(await statuses(method, path, body), `${method} ${path}`).toEqual([401, 404, 401]);
    expect(await rejected(method, path, body, null), `${method} ${path}`).toEqual(noToken);
    expect(await rejected(method, path, body, tokens.eve), `${method} ${path}`).toEqual(missing);
    expect(await rejected(method, path, body, tokens.bob), `${method} ${path}`).toBe(
      '401 You are not authorized to change team/base',
    );
  }
  await json('PUT', 'box/team/base', { box: { is_private: false } }, tokens.ada);
  for (const [method, path, body] of requests)
    expect(await statuses(method, path, body), `${method} ${path}`).toEqual([401, 401, 401]);
  expect(await json('DELETE', 'box/team/base', undefined, tokens.ada)).toMatchObject({ tag: 'team/base' });
  expect(await rejected('DELETE', 'box/team/base', undefined, tokens.ada)).toEqual(missing);
});

test('only a member who can write creates a box of an organisation', async () => {
  const { json, rejected, tokens } = await prepared();
  const box = { username: 'team', name: 'second' };
  expect(await rejected('POST', 'boxes', { box }, null)).toEqual(noToken);
  for (const token of [tokens.eve, tokens.bob])
    expect(await rejected('POST', 'boxes', { box }, token)).toBe(
      '401 You are not authorized to create boxes of team',
    );
  expect(await rejected('POST', 'boxes', { box: { ...box, username: 'missing' } }, tokens.eve)).toBe(
    '422 User or organization missing does not exist',
  );
  expect(await json('POST', 'boxes', { box }, tokens.ada)).toMatchObject({ tag: 'team/second' });
  // The body is not read before a token is there.
  expect(await rejected('POST', 'boxes', { box: 'x' }, null)).toEqual(noToken);
  expect(await rejected('POST', 'boxes', {}, tokens.ada)).toMatch(/^422 ./);
});

test('a private box of an owner with unpaid bills is neither read nor changed nor created', async () => {
  const { json, rejected, tokens } = await prepared();
  const unpaid = '402 The account of debtor is delinquent on billing; contact its owner';
  const asDebtor = (method: string, path: string, body?: unknown) =>
    rejected(method, path, body, tokens.debtor);
  const box = { username: 'debtor', name: 'base' };
  expect(await asDebtor('POST', 'boxes', { box })).toEqual(unpaid);
  await json('POST', 'boxes', { box: { ...box, is_private: false } }, tokens.debtor);
  expect(await json('GET', 'box/debtor/base', undefined, null)).toMatchObject({ tag: 'debtor/base' });
  expect(await asDebtor('PUT', 'box/debtor/base', { box: { is_private: true } })).toEqual(unpaid);
  expect(await json('GET', 'box/debtor/base', undefined, null)).toMatchObject({ private: false });
});

test('a private box of an owner whose bills are unpaid since cannot be read or deleted', async () => {
  const data = await folder();
  const before = await boxes({
    dataDirectory: data,
    box: { owners: { users: [{ name: 'ada', password }] } },
  });
  await before.released('ada', 'base', { private: true });
  await before.released('ada', 'open');
  await before.close();
  const users = [
    { name: 'ada', password, delinquent: true },
    { name: 'eve', password },
  ] as const;
  const after = await boxes({ dataDirectory: data, box: { owners: { users } } });
  const unpaid = '402 The account of ada is delinquent on billing; contact its owner';
  expect(await after.rejected('GET', 'box/ada/base')).toEqual(unpaid);
  expect(await after.rejected('DELETE', 'box/ada/base')).toEqual(unpaid);
  expect((await after.fetched('GET', '/ada/base')).status).toBe(402);
  expect((await after.ask('GET', 'box/ada/open')).status).toBe(200);
  expect((await after.json('GET', 'search')).boxes.map(({ name }) => name)).toEqual(['open']);
  // Callers that cannot see it do not learn about it.
  expect(await after.rejected('GET', 'box/ada/base', undefined, null)).toEqual(missing);
});

test('a version and a provider are found by their own names', async () => {
  const { json, rejected, tokens } = await prepared();
  const provider = 'box/team/base/version/1.0.0/provider';
  const add = (architecture: string) =>
    json(
      'POST',
      'box/team/base/version/1.0.0/providers',
      { provider: { name: 'kvm', url: `https://images.example/${architecture}.box`, architecture } },
      tokens.ada,
    );
  await add('arm64');
  await add('amd64');
  const found = async (path: string) =>
    (await json('GET', `${provider}/${path}`, undefined, tokens.bob)).architecture;
  expect(await found('kvm')).toBe('arm64');
  expect(await found('kvm/arm64')).toBe('arm64');
  expect(await found('kvm/amd64')).toBe('amd64');
  expect(await found('virtualbox')).toBe('unknown');
  expect(await rejected('GET', `${provider}/kvm/i386`, undefined, tokens.bob)).toEqual(missing);
  expect(await rejected('GET', `${provider}/virtualbox/amd64`, undefined, tokens.bob)).toEqual(missing);
  expect(await rejected('GET', `${provider}/other`, undefined, tokens.bob)).toEqual(missing);
  expect(await rejected('GET', 'box/team/base/version/9.0.0', undefined, tokens.ada)).toEqual(missing);
});
