import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Boxes, boxes } from './box-registry.ts';

let service: Boxes;
beforeEach(async () => {
  service = await boxes();
  await service.run('box create dev/web --public');
});
afterEach(() => service.close());

const withUrl = (name = 'libvirt') =>
  service.run(`box provider create dev/web 1.0.0 ${name} --url https://example.com/web.box`);
const status = async (version = '1.0.0') => (await service.json(`box version get dev/web ${version}`)).status;

describe('box version', () => {
  test('create makes a version that is not released', async () => {
    service.at.write('CHANGES.md', 'First.\n');
    const { code, stdout } = await service.run('box version create dev/web 1.0.0 --description @CHANGES.md');
    expect([code, stdout]).toEqual([0, 'The version dev/web 1.0.0 is created.\n']);
    expect(await service.json('box version get dev/web 1.0.0')).toMatchObject({
      version: '1.0.0',
      status: 'unreleased',
      description_markdown: 'First.\n',
    });
  });

  test('create refuses one that is there, in the words of the service', async () => {
    await service.run('box version create dev/web 1.0.0');
    const { code, stderr } = await service.run('box version create dev/web 1.0.0 -o json');
    expect(code).toBe(6);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { status: 422, messages: ['dev/web has a version 1.0.0 already'] },
    });
  });

  test('get shows its providers and where their images are', async () => {
    await service.run('box version create dev/web 1.0.0 --description Notes.');
    await withUrl();
    await service.run('box provider create dev/web 1.0.0 virtualbox');
    const { stdout } = await service.run('box version get dev/web 1.0.0');
    expect(stdout).toMatch(/^version\tdev\/web 1\.0\.0\nstatus\tunreleased\n/);
    expect(stdout).toContain('libvirt\tunknown\thttps://example.com/web.box\n');
    expect(stdout).toContain('virtualbox\tunknown\thosted by the registry\n');
    expect(stdout).toMatch(/Notes\.\n$/);
  });

  test('update changes what is named', async () => {
    await service.run('box version create dev/web 1.0.0 --description old');
    const { stdout } = await service.run('box version update dev/web 1.0.0 --number 1.0.1');
    expect(stdout).toBe('The version dev/web 1.0.1 is changed.\n');
    expect((await service.json('box version get dev/web 1.0.1')).description_markdown).toBe('old');
    await service.run('box version update dev/web 1.0.1 --description new');
    expect((await service.json('box version get dev/web 1.0.1')).description_markdown).toBe('new');
  });

  test('delete asks, and deletes it', async () => {
    await service.run('box version create dev/web 1.0.0');
    expect((await service.run('box version delete dev/web 1.0.0')).code).toBe(2);
    const { code, stdout } = await service.run('box version delete dev/web 1.0.0 --yes');
    expect([code, stdout]).toEqual([0, 'The version dev/web 1.0.0 is deleted.\n']);
    expect((await service.run('box version get dev/web 1.0.0')).code).toBe(3);
  });

  test.each([
    ['create dev/web ..', '".." is not a version'],
    ['create dev/web v1', '"v1" is not a version'],
    ['create dev/web 1..0', '"1..0" is not a version'],
    ['get dev/web 1/0', '"1/0" is not a version'],
    ['update dev/web 1.0.0', 'nothing to change'],
    ['update dev/web 1.0.0 --number latest', '"latest" is not a version'],
    ['delete dev 1.0.0', 'a box is named OWNER/NAME'],
  ])('%s is refused before anything is sent', async (words, why) => {
    const { code, stderr } = await service.run(`box version ${words}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  });

  test.each([
    ['version create dev/web 2.0.0', 'POST', 'box/dev/web/versions'],
    ['version update dev/web 1.0.0 --description x', 'PUT', 'box/dev/web/version/1.0.0'],
    ['version delete dev/web 1.0.0', 'DELETE', 'box/dev/web/version/1.0.0'],
    ['release dev/web 1.0.0', 'PUT', 'box/dev/web/version/1.0.0/release'],
    ['revoke dev/web 1.0.0', 'PUT', 'box/dev/web/version/1.0.0/revoke'],
  ])('%s --dry-run and --curl show the request, and change nothing', async (words, method, path) => {
    await service.run('box version create dev/web 1.0.0');
    await withUrl();
    const before = await service.json('box get dev/web');
    const { code, stdout } = await service.run(`box ${words} --dry-run`);
    expect(code).toBe(0);
    expect(stdout).toContain(`request\t${method} ${service.running.addresses.box}/api/v1/${path}\n`);
    const curl = await service.run(`box ${words} --curl`);
    expect(curl.stdout).toMatch(new RegExp(`^curl --request ${method} .*/api/v1/${path}\n$`));
    expect(await service.json('box get dev/web')).toEqual(before);
  });
});

describe('box release', () => {
  beforeEach(() => service.run('box version create dev/web 1.0.0'));

  test('releases a version that has an image', async () => {
    await withUrl();
    const { code, stdout, stderr } = await service.run('box release dev/web 1.0.0');
    expect([code, stdout, stderr]).toEqual([0, 'The version dev/web 1.0.0 is released.\n', '']);
    expect(await status()).toBe('active');
  });

  test('releases a version whose image was uploaded', async () => {
    await service.run('box provider create dev/web 1.0.0 virtualbox');
    const { stdout } = await service.run(
      'api box GET box/dev/web/version/1.0.0/provider/virtualbox/upload --field upload_path',
    );
    expect((await fetch(stdout.trim(), { method: 'PUT', body: 'an image' })).status).toBe(200);

    expect((await service.run('box release dev/web 1.0.0')).code).toBe(0);
    expect(await status()).toBe('active');
  });

  test('refuses a version without a provider, and says so', async () => {
    const { code, stderr } = await service.run('box release dev/web 1.0.0');
    expect(code).toBe(6);
    expect(stderr).toContain('the version dev/web 1.0.0 cannot be released: nobody could download it');
    expect(stderr).toContain('It has no provider.');
    expect(stderr).toContain('"lanyard box provider create dev/web 1.0.0 PROVIDER" makes one');
  });

  test('refuses a version without an image, names the providers that lack theirs, and sends nothing', async () => {
    await service.run('box provider create dev/web 1.0.0 virtualbox');
    await service.run('box provider create dev/web 1.0.0 hyperv');
    const { code, stderr } = await service.run('box release dev/web 1.0.0 --verbose');
    expect(code).toBe(6);
    expect(stderr).toContain('The provider hyperv has no image.');
    expect(stderr).toContain('The provider virtualbox has no image.');
    expect(stderr).not.toContain('> PUT');
    expect(await status()).toBe('unreleased');
  });

  test('releases a version of which one image lacks, and says which', async () => {
    await withUrl();
    await service.run('box provider create dev/web 1.0.0 hyperv');
    const { code, stderr } = await service.run('box release dev/web 1.0.0');
    expect([code, stderr]).toEqual([0, 'warning: no image is uploaded yet for hyperv\n']);
  });

  test('of what is released changes nothing, and says so', async () => {
    await withUrl();
    await service.run('box release dev/web 1.0.0');
    const before = await service.json('box get dev/web');
    const { code, stdout } = await service.run('box release dev/web 1.0.0');
    expect([code, stdout]).toEqual([
      0,
      'The version dev/web 1.0.0 is released already; nothing was changed.\n',
    ]);
    expect(await service.json('box release dev/web 1.0.0')).toMatchObject({ status: 'active' });
    expect(await service.json('box get dev/web')).toEqual(before);
  });

  test('of one that was revoked is a conflict, and nothing is sent', async () => {
    await withUrl();
    await service.run('box release dev/web 1.0.0');
    await service.run('box revoke dev/web 1.0.0 --yes');
    const { code, stderr } = await service.run('box release dev/web 1.0.0 --verbose');
    expect([code, stderr]).toEqual([6, expect.stringContaining('was revoked, and cannot be released again')]);
    expect(stderr).not.toContain('> PUT');
  });
});

describe('box revoke', () => {
  beforeEach(async () => {
    await service.run('box version create dev/web 1.0.0');
    await withUrl();
  });

  test('asks, and takes a released version back', async () => {
    await service.run('box release dev/web 1.0.0');
    const unasked = await service.run('box revoke dev/web 1.0.0');
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    expect(await status()).toBe('active');

    const { code, stdout } = await service.run('box revoke dev/web 1.0.0 --yes');

    expect([code, stdout]).toEqual([0, 'The version dev/web 1.0.0 is revoked.\n']);
    expect(await status()).toBe('revoked');
    const again = await service.run('box revoke dev/web 1.0.0');
    expect([again.code, again.stdout]).toEqual([
      0,
      'The version dev/web 1.0.0 is revoked already; nothing was changed.\n',
    ]);
  });

  test('of one that is not released fails in the words of the service', async () => {
    const { code, stderr } = await service.run('box revoke dev/web 1.0.0 --yes');
    expect([code, stderr]).toEqual([1, expect.stringContaining('only a released version can be revoked')]);
  });
});
