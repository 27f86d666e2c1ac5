import { expect, test } from 'vitest';
import { boxes } from './support.ts';

test('the document of a box has released versions and available images', async () => {
  const { address, fetched, json, released } = await boxes();
  await released('ada', 'base');
  await json('PUT', 'box/ada/base', {
    box: { description: 'long', short_description: 'short', is_private: false },
  });
  const checksum = 'c'.repeat(40);
  await json('PUT', 'box/ada/base/version/1.0.0/provider/virtualbox', {
    provider: { checksum, checksum_type: 'sha1' },
  });
  await json('POST', 'box/ada/base/version/1.0.0/providers', { provider: { name: 'not-uploaded' } });
  await json('POST', 'box/ada/base/versions', { version: { version: '2.0.0' } });
  const accept = { Accept: 'application/json' };
  const { headers, json: document } = await fetched('GET', '/ada/base', { token: null, headers: accept });
  expect(headers['content-type']).toBe('application/json');
  const provider = { name: 'virtualbox', checksum, checksum_type: 'sha1' };
  const version = {
    version: '1.0.0',
    status: 'active',
    description_html: null,
    description_markdown: null,
  };
  const images = `${address}/ada/boxes/base/versions/1.0.0/providers`;
  const architecture = { architecture: 'unknown', default_architecture: true };
  expect(document).toEqual({
    name: 'ada/base',
    description: 'long',
    short_description: 'short',
    versions: [
      { ...version, providers: [{ ...provider, ...architecture, url: `${images}/virtualbox.box` }] },
    ],
  });
  const newer = await fetched('GET', '/api/v2/vagrant/ada/base', { token: null });
  expect(newer.json).toMatchObject({
    versions: [{ providers: [{ url: `${images}/virtualbox/unknown/vagrant.box`, ...architecture }] }],
  });
});

test('the document responds to HEAD, and only to callers that may see the box', async () => {
  const { fetched, released } = await boxes();
  await released('ada', 'base', { private: true });
  const head = await fetched('HEAD', '/ada/base');
  expect([head.status, head.headers['content-type'], head.text]).toEqual([200, 'application/json', '']);
  for (const path of ['/ada/base', '/ada/nothing', '/api/v2/vagrant/ada/base'])
    expect((await fetched('GET', path, { token: null })).status).toBe(404);
});

test('the document shows released versions only, also to those who may change the box', async () => {
  const { fetched, json, released } = await boxes();
  await released('ada', 'base');
  await json('PUT', 'box/ada/base/version/1.0.0/revoke');
  expect((await fetched('GET', '/ada/base')).json).toMatchObject({ name: 'ada/base', versions: [] });
});

test('the name of a box does not determine the version of the interface', async () => {
  const { fetched, released } = await boxes();
  await released('ada', 'v2');
  expect((await fetched('GET', '/ada/v2')).text).toContain('/providers/virtualbox.box"');
});
