import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../../../src/services/core/store/store.ts';
import { folder } from '../support.ts';
import { filesOf } from './images-support.ts';
import { boxes } from './support.ts';

const version = 'box/ada/base/version/1.0.0';
const provider = `${version}/provider/kvm`;
const image = 'the bytes of an image';
const sha256 = createHash('sha256').update(image).digest('hex');
const download = '/ada/boxes/base/versions/1.0.0/providers/kvm.box';

interface Way {
  readonly upload_path: string;
  readonly callback: string;
}

/** A registry with a private box whose one provider waits for its image. */
async function prepared(checksum: object = {}, options: { dataDirectory?: string } = {}) {
  const registry = await boxes(options);
  const { json, created } = registry;
  await created();
  await json('POST', `${version}/providers`, { provider: { name: 'kvm', ...checksum } });
  return { ...registry, ...ways(registry) };
}

function ways({ json, fetched }: Awaited<ReturnType<typeof boxes>>) {
  const wayIn = async (path: string) => (await json('GET', path)) as unknown as Way;
  const send = async ({ upload_path }: Way, body = image) =>
    (await fetch(upload_path, { method: 'PUT', body })).status;
  const received = async () => {
    const { status, text } = await fetched('GET', download);
    return `${status} ${text}`;
  };
  return { wayIn, send, received };
}

const absent = '404 {"errors":["Resource not found!"],"success":false}';

describe('an image', () => {
  test('is uploaded without a token, and makes its version releasable', async () => {
    const { json, rejected, wayIn, send, received, pass, fetched } = await prepared();
    expect(await received()).toEqual(absent);
    const way = await wayIn(`${provider}/upload`);
    expect(way).toEqual({ upload_path: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/upload\/\S+$/) });
    expect(await rejected('PUT', `${version}/release`)).toMatch(/^422 /);
    pass(5);
    expect(await send(way)).toBe(200);
    expect(await json('GET', provider)).toMatchObject({
      hosted: true,
      original_url: null,
      checksum: sha256,
      checksum_type: 'sha256',
      updated_at: '2026-01-02T12:00:05.000Z',
    });
    await json('PUT', `${version}/release`);
    expect((await fetched('GET', '/ada/base')).json).toMatchObject({
      versions: [{ providers: [{ name: 'kvm', checksum: sha256, checksum_type: 'sha256' }] }],
    });
    expect(await received()).toBe(`200 ${image}`);
    expect((await fetched('GET', download, { token: null })).status).toBe(404);
    const part = await fetched('GET', download, { headers: { range: 'bytes=4-8' } });
    expect([part.status, part.text]).toEqual([206, 'bytes']);
    const probed = await fetched('GET', download, { headers: { range: 'bytes=0-0' } });
    expect([probed.status, probed.text]).toEqual([206, 't']);
    expect(await json('GET', 'box/ada/base')).toMatchObject({ downloads: 1 });
  });

  test('that is uploaded directly exists after its callback was called', async () => {
    const { address, fetched, rejected, wayIn, send, received } = await prepared();
    const way = await wayIn(`${provider}/upload/direct`);
    const callback = way.callback.slice(address.length);
    expect(callback).toMatch(new RegExp(`^/api/v1/${provider}/upload/direct/[\\w-]+$`));
    const path = callback.slice('/api/v1/'.length);
    const early = '422 Nothing was received by this upload, or it is over; begin another one';
    expect(await rejected('PUT', path)).toEqual(early);
    expect(await send(way)).toBe(200);
    expect(await received()).toEqual(absent);
    expect(await rejected('PUT', path, undefined, null)).toBe('401 A token is required');
    const confirmed = await fetched('PUT', callback);
    expect([confirmed.status, confirmed.json]).toEqual([200, expect.objectContaining({ checksum: sha256 })]);
    expect(await received()).toBe(`200 ${image}`);
    expect(await rejected('PUT', `${provider}/upload/direct/other`)).toEqual(early);
  });

  test('has a way in below the architecture too, in the newer interface', async () => {
    const { fetched, json, send, wayIn } = await prepared();
    await json('POST', `${version}/providers`, { provider: { name: 'kvm', architecture: 'arm64' } });
    const path = `/api/v2/${provider}/arm64/upload`;
    await send((await fetched('GET', path)).json as unknown as Way, 'for arm64');
    const direct = (await fetched('GET', `${path}/direct`)).json as unknown as Way;
    expect(new URL(direct.callback).pathname.startsWith(`${path}/direct/`)).toBe(true);
    await send(await wayIn(`${provider}/upload`), 'for any');
    const file = '/ada/boxes/base/versions/1.0.0/providers/kvm/arm64/vagrant.box';
    expect((await fetched('GET', file)).text).toBe('for arm64');
    expect((await fetched('GET', download)).text).toBe('for any');
  });

  test('that does not match its checksum cannot be downloaded', async () => {
    const checksum = createHash('sha1').update(image).digest('hex');
    const { json, rejected, wayIn, send } = await prepared({ checksum, checksum_type: 'sha1' });
    expect(await send(await wayIn(`${provider}/upload`), 'other bytes')).toBe(200);
    expect(await rejected('PUT', `${version}/release`)).toMatch(/^422 /);
    expect(await send(await wayIn(`${provider}/upload`))).toBe(200);
    expect(await json('PUT', `${version}/release`)).toMatchObject({ status: 'active' });
  });

  test('cannot be sent if the provider has a URL, by others, or after a while', async () => {
    const { json, rejected, wayIn, send, pass, bobs } = await prepared();
    const late = await wayIn(`${provider}/upload`);
    pass(3600);
    expect(await send(late)).toBe(403);
    const bob = await bobs();
    expect(await rejected('GET', `${provider}/upload`, undefined, bob)).toMatch(/^404 /);
    expect(await rejected('GET', `${provider}/upload`, undefined, null)).toMatch(/^401 /);
    await json('PUT', provider, { provider: { url: 'http://images.example/a' } });
    expect(await rejected('GET', `${provider}/upload`)).toBe(
      '422 The image of kvm is at its URL; to upload one, take the URL away first',
    );
  });

  test('stays with its provider through changes of name, and goes with it', async () => {
    const { fetched, json, wayIn, send, received, created } = await prepared();
    await send(await wayIn(`${provider}/upload`));
    await json('PUT', provider, { provider: { name: 'libvirt' } });
    await json('PUT', version, { version: { version: '2.0.0' } });
    await json('PUT', 'box/ada/base', { box: { name: 'newer' } });
    const moved = '/ada/boxes/newer/versions/2.0.0/providers/libvirt.box';
    expect((await fetched('GET', moved)).text).toBe(image);
    await json('PUT', 'box/ada/newer', { box: { name: 'base' } });
    await json('PUT', 'box/ada/base/version/2.0.0', { version: { version: '1.0.0' } });
    await json('PUT', `${version}/provider/libvirt`, { provider: { name: 'kvm' } });
    expect(await received()).toBe(`200 ${image}`);
    const late = await wayIn(`${provider}/upload`);
    await json('DELETE', 'box/ada/base');
    expect(await send(late)).toBe(410);
    await created();
    await json('POST', `${version}/providers`, { provider: { name: 'kvm' } });
    expect(await received()).toEqual(absent);
  });

  test('is removed when the provider gets a URL', async () => {
    const { json, wayIn, send, received } = await prepared();
    await send(await wayIn(`${provider}/upload`));
    await json('PUT', provider, { provider: { url: 'http://images.example/a' } });
    await json('PUT', provider, { provider: { url: '' } });
    expect(await received()).toEqual(absent);
  });

  test('exists after a restart', async () => {
    const data = await folder();
    const first = await prepared({}, { dataDirectory: data });
    await first.send(await first.wayIn(`${provider}/upload`));
    await first.close();
    const { received } = ways(await boxes({ dataDirectory: data }));
    expect(await received()).toBe(`200 ${image}`);
  });

  test('whose provider went when the process ended goes with the next start', async () => {
    const data = await folder();
    const first = await prepared({}, { dataDirectory: data });
    await first.send(await first.wayIn(`${provider}/upload`));
    await first.close();
    expect(await filesOf(data)).toHaveLength(1);
    const store = await openStore(data);
    await store.withPrefix('box/').write([{ key: 'boxes/ada/base' }]);
    await store.close();
    await (await boxes({ dataDirectory: data })).close();
    expect(await filesOf(data)).toEqual([]);
    const after = await openStore(data);
    expect(after.keys('box-images/')).toEqual([]);
    await after.close();
  });
});
