import { beforeEach, describe, expect, test } from 'vitest';
import { errorOf, expectFailure, outputOf } from '../../support/command-tests.ts';
import { boxesForEach } from './registry.ts';

const service = boxesForEach();
beforeEach(async () => {
  await service.run('box create dev/web --public');
});

const withUrl = (name = 'libvirt') =>
  service.run(`box provider create dev/web 1.0.0 ${name} --url https://example.com/web.box`);
const status = async (version = '1.0.0') => (await service.json(`box version get dev/web ${version}`)).status;

describe('box version', () => {
  test('create makes an unreleased version', async () => {
    service.at.write('CHANGES.md', 'First.\n');
    const stdout = outputOf(await service.run('box version create dev/web 1.0.0 --description @CHANGES.md'));
    expect(stdout).toBe('Created version dev/web 1.0.0.\n');
    expect(await service.json('box version get dev/web 1.0.0')).toMatchObject({
      version: '1.0.0',
      status: 'unreleased',
      description_markdown: 'First.\n',
    });
  });

  test('create reports an existing version with the message of the service', async () => {
    await service.run('box version create dev/web 1.0.0');
    const ran = await service.run('box version create dev/web 1.0.0 -o json');
    expect(errorOf(ran, 6)).toMatchObject({ status: 422, messages: ['dev/web has a version 1.0.0 already'] });
  });

  test('get shows the providers and the locations of their images', async () => {
    await service.run('box version create dev/web 1.0.0 --description Notes.');
    await withUrl();
    await service.run('box provider create dev/web 1.0.0 virtualbox');
    const { stdout } = await service.run('box version get dev/web 1.0.0');
    expect(stdout).toMatch(/^version\tdev\/web 1\.0\.0\nstatus\tunreleased\n/);
    expect(stdout).toContain('libvirt\tunknown\thttps://example.com/web.box\n');
    expect(stdout).toContain('virtualbox\tunknown\thosted by the registry\n');
    expect(stdout).toMatch(/Notes\.\n$/);
  });

  test('update changes only the given fields', async () => {
    await service.run('box version create dev/web 1.0.0 --description old');
    const { stdout } = await service.run('box version update dev/web 1.0.0 --number 1.0.1');
    expect(stdout).toBe('Updated version dev/web 1.0.1.\nversion\t"1.0.0"\t"1.0.1"\n');
    expect((await service.json('box version get dev/web 1.0.1')).description_markdown).toBe('old');
    await service.run('box version update dev/web 1.0.1 --description new');
    expect((await service.json('box version get dev/web 1.0.1')).description_markdown).toBe('new');
  });

  test('delete prompts, and deletes the version', async () => {
    await service.run('box version create dev/web 1.0.0');
    expect((await service.run('box version delete dev/web 1.0.0')).code).toBe(2);
    const stdout = outputOf(await service.run('box version delete dev/web 1.0.0 --yes'));
    expect(stdout).toBe('Deleted version dev/web 1.0.0.\n');
    expect((await service.run('box version get dev/web 1.0.0')).code).toBe(3);
  });

  test.each([
    ['create dev/web ..', 'invalid version ".."'],
    ['create dev/web v1', 'invalid version "v1"'],
    ['create dev/web 1..0', 'invalid version "1..0"'],
    ['get dev/web 1/0', 'invalid version "1/0"'],
    ['update dev/web 1.0.0', 'nothing to change'],
    ['update dev/web 1.0.0 --number latest', 'invalid version "latest"'],
    ['delete dev 1.0.0', 'invalid box "dev": expected OWNER/NAME'],
  ])('rejects "%s" before a request is sent', async (words, why) => {
    expectFailure(await service.run(`box version ${words}`), 2, why);
  });

  test.each([
    ['version create dev/web 2.0.0', 'POST', 'box/dev/web/versions'],
    ['version update dev/web 1.0.0 --description x', 'PUT', 'box/dev/web/version/1.0.0'],
    ['version delete dev/web 1.0.0', 'DELETE', 'box/dev/web/version/1.0.0'],
    ['release dev/web 1.0.0', 'PUT', 'box/dev/web/version/1.0.0/release'],
    ['revoke dev/web 1.0.0', 'PUT', 'box/dev/web/version/1.0.0/revoke'],
  ])('%s with --dry-run and --curl shows the request, and changes nothing', async (words, method, path) => {
    await service.run('box version create dev/web 1.0.0');
    await withUrl();
    const before = await service.json('box get dev/web');
    const stdout = outputOf(await service.run(`box ${words} --dry-run`));
    expect(stdout).toContain(`request\t${method} ${service.running.addresses.box}/api/v1/${path}\n`);
    const curl = await service.run(`box ${words} --curl`);
    expect(curl.stdout).toMatch(new RegExp(`^curl --request ${method} .*/api/v1/${path}\n$`));
    expect(await service.json('box get dev/web')).toEqual(before);
  });
});

describe('box release', () => {
  beforeEach(() => service.run('box version create dev/web 1.0.0'));

  test('releases a version with an image', async () => {
    await withUrl();
    const { code, stdout, stderr } = await service.run('box release dev/web 1.0.0');
    expect([code, stdout, stderr]).toEqual([0, 'Released version dev/web 1.0.0.\n', '']);
    expect(await status()).toBe('active');
  });

  test('releases a version with an uploaded image', async () => {
    await service.run('box provider create dev/web 1.0.0 virtualbox');
    const { stdout } = await service.run(
      'api box GET box/dev/web/version/1.0.0/provider/virtualbox/upload --field upload_path',
    );
    expect((await fetch(stdout.trim(), { method: 'PUT', body: 'an image' })).status).toBe(200);

    expect((await service.run('box release dev/web 1.0.0')).code).toBe(0);
    expect(await status()).toBe('active');
  });

  test('rejects a version without a provider', async () => {
    const ran = await service.run('box release dev/web 1.0.0');
    expectFailure(ran, 6, 'cannot release version dev/web 1.0.0: no image to download');
    expect(ran.stderr).toContain('The version has no provider.');
    expect(ran.stderr).toContain(
      'Run `lanyard box provider create dev/web 1.0.0 PROVIDER` to create a provider.',
    );
  });

  test('rejects a version without an image, names the providers, and sends nothing', async () => {
    await service.run('box provider create dev/web 1.0.0 virtualbox');
    await service.run('box provider create dev/web 1.0.0 hyperv');
    const ran = await service.run('box release dev/web 1.0.0 --verbose');
    expectFailure(ran, 6, 'Provider hyperv has no image.', 'Provider virtualbox has no image.');
    expect(ran.stderr).not.toContain('> PUT');
    expect(await status()).toBe('unreleased');
  });

  test('releases a version with a provider without an image, and warns', async () => {
    await withUrl();
    await service.run('box provider create dev/web 1.0.0 hyperv');
    const ran = await service.run('box release dev/web 1.0.0');
    expect([ran.code, ran.stderr]).toEqual([0, 'warning: providers without an image: hyperv\n']);
  });

  test('does not change a released version', async () => {
    await withUrl();
    await service.run('box release dev/web 1.0.0');
    const before = await service.json('box get dev/web');
    const stdout = outputOf(await service.run('box release dev/web 1.0.0'));
    expect(stdout).toBe('Version dev/web 1.0.0 is already released.\n');
    expect(await service.json('box release dev/web 1.0.0')).toMatchObject({ status: 'active' });
    expect(await service.json('box get dev/web')).toEqual(before);
  });

  test('reports a revoked version as a conflict, and sends nothing', async () => {
    await withUrl();
    await service.run('box release dev/web 1.0.0');
    await service.run('box revoke dev/web 1.0.0 --yes');
    const ran = await service.run('box release dev/web 1.0.0 --verbose');
    expectFailure(ran, 6, 'cannot release dev/web 1.0.0: the version is revoked');
    expect(ran.stderr).not.toContain('> PUT');
  });
});

describe('box revoke', () => {
  beforeEach(async () => {
    await service.run('box version create dev/web 1.0.0');
    await withUrl();
  });

  test('prompts, and revokes a released version', async () => {
    await service.run('box release dev/web 1.0.0');
    expectFailure(await service.run('box revoke dev/web 1.0.0'), 2, '--yes');
    expect(await status()).toBe('active');

    const stdout = outputOf(await service.run('box revoke dev/web 1.0.0 --yes'));
    expect(stdout).toBe('Revoked version dev/web 1.0.0.\n');
    expect(await status()).toBe('revoked');
    const again = await service.run('box revoke dev/web 1.0.0');
    expect(again.code, again.stderr).toBe(0);
    expect(again.stdout).toBe('Version dev/web 1.0.0 is already revoked.\n');
  });

  test('reports an unreleased version with the message of the service', async () => {
    const ran = await service.run('box revoke dev/web 1.0.0 --yes');
    expectFailure(ran, 1, 'only a released version can be revoked');
  });
});
