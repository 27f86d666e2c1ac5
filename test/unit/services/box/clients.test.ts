import { expect, test } from 'vitest';
import { boxes } from './support.ts';

// What existing clients send, call by call (docs/protocol/box.md#architectures).

interface Seen {
  readonly upload_path: string;
  readonly callback: string;
}

test('a box is published as vagrant does it, and again with another version', async () => {
  const { address, fetched, json } = await boxes();
  const publish = async (version: string, image: string) => {
    expect(await json('GET', 'authenticate')).toEqual({ user: { username: 'ada' } });
    const { boxes: known } = await json('GET', 'user/ada');
    // The members of a box come unwrapped, and null for what is not known.
    const box = { short_description: 'small', description: null, is_private: false };
    if (known.length === 0) await json('POST', 'boxes', { username: 'ada', name: 'base', ...box });
    else await json('PUT', 'box/ada/base', box);
    await json('POST', 'box/ada/base/versions', { version: { version, description: null } });
    const path = `box/ada/base/version/${version}`;
    const provider = { name: 'virtualbox', checksum: null, checksum_type: null };
    await json('POST', `${path}/providers`, { provider });
    const upload = await json('GET', `${path}/provider/virtualbox/upload/direct`);
    const { upload_path, callback } = upload as unknown as Seen;
    expect((await fetch(upload_path, { method: 'PUT', body: image })).status).toBe(200);
    expect((await fetched('PUT', new URL(callback).pathname)).status).toBe(200);
    expect(await json('PUT', `${path}/release`)).toMatchObject({ status: 'active' });
  };
  await publish('1.0.0', 'one');
  await publish('1.1.0', 'two');
  const accept = { Accept: 'application/json' };
  const { json: document } = await fetched('GET', '/ada/base', { token: null, headers: accept });
  const { name, versions } = document as unknown as {
    name: string;
    versions: { version: string; providers: { url: string }[] }[];
  };
  expect([name, versions.map(({ version }) => version)]).toEqual(['ada/base', ['1.1.0', '1.0.0']]);
  const url = versions[0]?.providers[0]?.url ?? '';
  expect((await fetched('GET', url.slice(address.length), { token: null })).text).toBe('two');
});

test('unknown fields that a client sends as null do not change anything', async () => {
  const { json, released } = await boxes();
  await released('ada', 'base');
  await json('PUT', 'box/ada/base', { description: 'long', short_description: 'short', is_private: false });
  await json('PUT', 'box/ada/base', { description: null, short_description: null, is_private: false });
  expect(await json('GET', 'box/ada/base')).toMatchObject({
    description_markdown: 'long',
    short_description: 'short',
  });
  const provider = { name: 'virtualbox', url: null, checksum: null, checksum_type: null };
  expect(await json('PUT', 'box/ada/base/version/1.0.0/provider/virtualbox', { provider })).toMatchObject({
    hosted: false,
    original_url: 'https://images.example/a.box',
  });
  const version = { version: '1.0.0', description: null };
  expect(await json('PUT', 'box/ada/base/version/1.0.0', { version })).toMatchObject({ version: '1.0.0' });
});

test('a box is published as packer does it: each response is 200, and the callback is an absolute URL', async () => {
  const { json, ask } = await boxes();
  await json('POST', 'boxes', { box: { username: 'ada', name: 'base' } });
  expect((await ask('GET', 'authenticate')).status).toBe(200);
  expect(await json('GET', 'box/ada/base')).toMatchObject({ tag: 'ada/base' });
  await json('POST', 'box/ada/base/versions', { version: { version: '1.0.0', description: '' } });
  const path = 'box/ada/base/version/1.0.0';
  await json('POST', `${path}/providers`, { provider: { name: 'libvirt' } });
  const upload = await json('GET', `${path}/provider/libvirt/upload/direct`);
  const { upload_path, callback } = upload as unknown as Seen;
  expect((await fetch(upload_path, { method: 'PUT', body: 'image' })).status).toBe(200);
  const headers = { Authorization: 'Bearer the-token-from-the-start' };
  expect((await fetch(callback, { method: 'PUT', headers })).status).toBe(200);
  expect((await ask('PUT', `${path}/release`)).status).toBe(200);
});
