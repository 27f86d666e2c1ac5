import { describe, expect, test } from 'vitest';
import { boxes } from './support.ts';

const version = 'box/ada/base/version/1.0.0';

describe('a version', () => {
  test('is made unreleased, changed, read and deleted', async () => {
    const { address, json, rejected, pass } = await boxes();
    await json('POST', 'boxes', { box: { username: 'ada', name: 'base' } });
    const made = await json('POST', 'box/ada/base/versions', {
      version: { version: '1.0.0', description: 'first' },
    });
    expect(made).toEqual({
      version: '1.0.0',
      number: '1.0.0',
      status: 'unreleased',
      description_html: '<p>first</p>',
      description_markdown: 'first',
      created_at: '2026-01-02T12:00:00.000Z',
      updated_at: '2026-01-02T12:00:00.000Z',
      release_url: `${address}/api/v1/${version}/release`,
      revoke_url: `${address}/api/v1/${version}/revoke`,
      providers: [],
    });
    expect(await json('GET', version)).toEqual(made);
    pass(1);
    await json('PUT', version, { version: { version: '1.0.1' } });
    expect(await json('GET', 'box/ada/base/version/1.0.1')).toMatchObject({
      description_markdown: 'first',
      updated_at: '2026-01-02T12:00:01.000Z',
    });
    expect(await json('GET', 'box/ada/base')).toMatchObject({ updated_at: '2026-01-02T12:00:01.000Z' });
    expect(await rejected('GET', version)).toMatch(/^404 /);
    expect(await json('DELETE', 'box/ada/base/version/1.0.1')).toMatchObject({ version: '1.0.1' });
    expect((await json('GET', 'box/ada/base')).versions).toEqual([]);
  });

  test('has a number that is a version', async () => {
    const { json, rejected } = await boxes();
    await json('POST', 'boxes', { box: { username: 'ada', name: 'base' } });
    const make = (number: unknown) =>
      rejected('POST', 'box/ada/base/versions', { version: { version: number } });
    for (const number of ['x', 'v1', '1.', '1..0', '1.0/2', '1 0', `1.${'0'.repeat(127)}`])
      expect(await make(number)).toMatch(/^403 /);
    expect(await make(1)).toBe('403 version.version must be a string');
    expect(await make(undefined)).toBe('403 version.version is required');
    await json('POST', 'box/ada/base/versions', { version: { version: '1.0' } });
    await json('POST', 'box/ada/base/versions', { version: { version: '1.0.0-rc.1' } });
    const taken = '422 ada/base has a version 1.0 already';
    expect(await make('1.0')).toEqual(taken);
    expect(await rejected('PUT', 'box/ada/base/version/1.0.0-rc.1', { version: { version: '1.0' } })).toEqual(
      taken,
    );
  });

  test('is released once, with a provider with an image, and revoked permanently', async () => {
    const { json, rejected, created } = await boxes();
    await created();
    const needs = '422 Version 1.0.0 cannot be released: it needs a provider with a URL or an uploaded image';
    expect(await rejected('PUT', `${version}/release`)).toEqual(needs);
    await json('POST', `${version}/providers`, { provider: { name: 'virtualbox' } });
    expect(await rejected('PUT', `${version}/release`)).toEqual(needs);
    expect(await rejected('PUT', `${version}/revoke`)).toBe(
      '422 Version 1.0.0 is unreleased; only a released version can be revoked',
    );
    await json('PUT', `${version}/provider/virtualbox`, { provider: { url: 'http://images.example/a' } });
    expect(await json('PUT', `${version}/release`)).toMatchObject({ version: '1.0.0', status: 'active' });
    expect(await rejected('PUT', `${version}/release`)).toBe('422 Version 1.0.0 has already been released');
    expect(await json('PUT', `${version}/revoke`)).toMatchObject({ status: 'revoked' });
    expect(await rejected('PUT', `${version}/release`)).toBe(
      '422 Version 1.0.0 was revoked and cannot be released again',
    );
    expect(await json('GET', 'box/ada/base')).toMatchObject({ current_version: null });
  });

  test('is current when it is the highest that is released', async () => {
    const { json } = await boxes();
    await json('POST', 'boxes', { box: { username: 'ada', name: 'base' } });
    for (const number of ['1.10.0', '1.9.0', '1.10.0-rc.1', '1.10.0-beta', '2.0.0']) {
      await json('POST', 'box/ada/base/versions', { version: { version: number } });
      await json('POST', `box/ada/base/version/${number}/providers`, {
        provider: { name: 'kvm', url: 'http://images.example/a' },
      });
      if (number !== '2.0.0') await json('PUT', `box/ada/base/version/${number}/release`);
    }
    const box = await json('GET', 'box/ada/base');
    expect(box.versions.map((each) => each.version)).toEqual([
      '2.0.0',
      '1.10.0',
      '1.10.0-rc.1',
      '1.10.0-beta',
      '1.9.0',
    ]);
    expect(box).toMatchObject({ current_version: { version: '1.10.0' } });
    await json('PUT', 'box/ada/base/version/1.10.0/revoke');
    expect(await json('GET', 'box/ada/base')).toMatchObject({ current_version: { version: '1.10.0-rc.1' } });
  });
});
