import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { boxes } from './support.ts';

const version = 'box/ada/base/version/1.0.0';
const url = 'https://images.example/a.box';

/** A registry with a box that has an unreleased version. */
async function prepared() {
  const registry = await boxes();
  await registry.json('POST', 'boxes', { box: { username: 'ada', name: 'base', is_private: false } });
  await registry.json('POST', 'box/ada/base/versions', { version: { version: '1.0.0' } });
  const add = (provider: object) => registry.json('POST', `${version}/providers`, { provider });
  const addRejected = (provider: object) => registry.rejected('POST', `${version}/providers`, { provider });
  return { ...registry, add, addRejected };
}

describe('a provider', () => {
  test('whose image is elsewhere is made, read with its checksum, and deleted', async () => {
    const { address, add, json, rejected } = await prepared();
    const provider = {
      name: 'virtualbox',
      hosted: false,
      hosted_token: null,
      original_url: url,
      created_at: '2026-01-02T12:00:00.000Z',
      updated_at: '2026-01-02T12:00:00.000Z',
      download_url: `${address}/ada/boxes/base/versions/1.0.0/providers/virtualbox.box`,
      architecture: 'unknown',
      default_architecture: true,
    };
    await add({ name: 'virtualbox', url, checksum: 'A'.repeat(64), checksum_type: 'sha256' });
    const path = `${version}/provider/virtualbox`;
    const read = { ...provider, checksum: 'a'.repeat(64), checksum_type: 'sha256' };
    expect(await json('GET', path)).toEqual(read);
    expect((await json('GET', version)).providers).toEqual([provider]);
    expect(await json('DELETE', path)).toEqual(provider);
    expect(await rejected('GET', path)).toMatch(/^404 /);
  });

  test('is changed in the given fields', async () => {
    const { add, json, rejected, pass } = await prepared();
    await add({ name: 'kvm', url, checksum: 'a'.repeat(32), checksum_type: 'md5' });
    pass(1);
    const change = (name: string, provider: object) =>
      json('PUT', `${version}/provider/${name}`, { provider });
    expect(await change('kvm', { name: 'libvirt' })).toMatchObject({
      name: 'libvirt',
      original_url: url,
      checksum: 'a'.repeat(32),
      updated_at: '2026-01-02T12:00:01.000Z',
    });
    expect(await change('libvirt', { checksum: 'b'.repeat(32) })).toMatchObject({
      checksum: 'b'.repeat(32),
      checksum_type: 'md5',
    });
    expect(await change('libvirt', { checksum: '', checksum_type: '', url: '' })).toMatchObject({
      checksum: null,
      checksum_type: null,
      hosted: true,
      original_url: null,
    });
    expect(await rejected('GET', `${version}/provider/kvm`)).toMatch(/^404 /);
  });

  test('is the only one of its name and architecture', async () => {
    const { add, addRejected, json, rejected } = await prepared();
    await add({ name: 'kvm', url });
    await add({ name: 'virtualbox', url });
    const taken = '422 Metadata provider must be unique for version';
    expect(await addRejected({ name: 'kvm' })).toEqual(taken);
    expect(await rejected('PUT', `${version}/provider/kvm`, { provider: { name: 'virtualbox' } })).toEqual(
      taken,
    );
    await json('PUT', `${version}/provider/kvm`, { provider: { name: 'kvm' } });
  });

  test('that is invalid is rejected', async () => {
    const { addRejected, rejected } = await prepared();
    const types = 'md5, sha1, sha256, sha384, sha512';
    expect(await addRejected({ url })).toBe('403 provider.name is required');
    expect(await addRejected({ name: 'a/b' })).toMatch(/^403 /);
    for (const wrong of ['images.example/a', 'file:///etc/passwd', 'ftp://images.example/a', 'http://'])
      expect(await addRejected({ name: 'kvm', url: wrong })).toBe(
        '403 provider.url must be an absolute http or https URL',
      );
    const typeMissing = `403 provider.checksum_type must be one of ${types}`;
    expect(await addRejected({ name: 'kvm', checksum: 'a'.repeat(32) })).toEqual(typeMissing);
    expect(await addRejected({ name: 'kvm', checksum: 'a', checksum_type: 'crc' })).toEqual(typeMissing);
    const wrongDigits = '403 provider.checksum must be the 40 hexadecimal digits of a sha1 checksum';
    for (const checksum of ['a'.repeat(39), 'g'.repeat(40), '', undefined])
      expect(await addRejected({ name: 'kvm', checksum, checksum_type: 'sha1' })).toEqual(wrongDigits);
    expect(await addRejected({ name: 'kvm', architecture: 'z80' })).toMatch(/^403 /);
    expect(await rejected('POST', 'box/ada/base/version/2/providers', { provider: {} })).toMatch(/^404 /);
  });

  test.each([
    ['md5', 32],
    ['sha1', 40],
    ['sha256', 64],
    ['sha384', 96],
    ['sha512', 128],
  ])('may have a checksum of type %s', async (checksum_type, length) => {
    const { add } = await prepared();
    expect(await add({ name: 'kvm', checksum_type, checksum: 'f'.repeat(length) })).toMatchObject({
      checksum_type,
      checksum: 'f'.repeat(length),
    });
  });

  test('points to the location of its image, which the registry never requests', async () => {
    const asked: string[] = [];
    const elsewhere = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void elsewhere.close());
    await new Promise((done) => elsewhere.once('listening', done));
    const image = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/a.box`;
    const { add, json, fetched } = await prepared();
    const { download_url } = await add({ name: 'kvm', url: image });
    await json('PUT', `${version}/release`);
    await json('PUT', 'box/ada/base', { box: { is_private: false } });
    const { pathname } = new URL(download_url);
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await fetched(method, pathname, { token: null });
      expect([status, headers.location]).toEqual([302, image]);
    }
    expect(asked).toEqual([]);
  });
});

describe('downloads', () => {
  test('are counted when an image is requested from its start', async () => {
    const { fetched, json, released } = await boxes();
    await released('ada', 'base');
    const path = '/ada/boxes/base/versions/1.0.0/providers/virtualbox.box';
    await fetched('GET', path);
    await fetched('HEAD', path);
    await fetched('GET', path, { headers: { range: 'bytes=0-' } });
    await fetched('GET', path, { headers: { range: 'bytes=500-' } });
    expect(await json('GET', 'box/ada/base')).toMatchObject({ downloads: 2 });
  });

  test("of what is not there, not released or not the caller's are 404", async () => {
    const { fetched, json, released } = await boxes();
    await released('ada', 'base', { private: true });
    const at = '/ada/boxes/base/versions/1.0.0/providers';
    const status = async (path: string, token?: null) =>
      (await fetched('GET', path, token === null ? { token } : {})).status;
    expect(await status(`${at}/virtualbox.box`)).toBe(302);
    expect(await status(`${at}/virtualbox.box`, null)).toBe(404);
    expect(await status(`${at}/virtualbox`)).toBe(404);
    expect(await status(`${at}/kvm.box`)).toBe(404);
    await json('PUT', 'box/ada/base', { box: { is_private: false } });
    expect(await status(`${at}/virtualbox.box`, null)).toBe(302);
    await json('PUT', 'box/ada/base/version/1.0.0/revoke');
    expect(await status(`${at}/virtualbox.box`, null)).toBe(404);
  });
});

describe('architectures', () => {
  test('of one provider are addressed below it, and one of them is the default', async () => {
    const { address, add, fetched, json } = await prepared();
    await add({ name: 'kvm', url, architecture: 'arm64' });
    await add({ name: 'kvm', url: `${url}?amd64`, architecture: 'amd64' });
    const both = async () => {
      const { json } = await fetched('GET', `/api/v2/${version}`);
      return (json as never as { providers: Record<string, unknown>[] }).providers.map((each) => [
        each.architecture,
        each.default_architecture,
      ]);
    };
    expect(await both()).toEqual([
      ['amd64', false],
      ['arm64', true],
    ]);
    expect((await json('GET', version)).providers).toMatchObject([{ architecture: 'arm64' }]);
    const change = (architecture: string, provider: object) =>
      fetched('PUT', `/api/v2/${version}/provider/kvm/${architecture}`, { body: { provider } });
    expect((await change('amd64', { default_architecture: true })).json).toMatchObject({
      architecture: 'amd64',
      default_architecture: true,
      download_url: `${address}/ada/boxes/base/versions/1.0.0/providers/kvm/amd64/vagrant.box`,
    });
    expect(await both()).toEqual([
      ['amd64', true],
      ['arm64', false],
    ]);
    const { headers } = await fetched(
      'GET',
      '/ada/boxes/base/versions/1.0.0/providers/kvm/amd64/vagrant.box',
    );
    expect(headers.location).toBe(`${url}?amd64`);
    expect(await json('GET', `${version}/provider/kvm`)).toMatchObject({ architecture: 'amd64' });
    await fetched('DELETE', `/api/v2/${version}/provider/kvm/amd64`);
    expect(await both()).toEqual([['arm64', true]]);
  });
});
