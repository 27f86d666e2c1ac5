import { beforeAll, describe, expect, test } from 'vitest';
import { expectFailure, outputOf } from '../../support/command-tests.ts';
import { imagesForAll, sumOf } from './images.ts';

const all = imagesForAll();
beforeAll(async () => {
  await all.json('box create dev/web');
});

let count = 0;
/** A version with a provider, for one test. */
async function provider(flags = ''): Promise<string> {
  const version = `1.0.${count++}`;
  await all.json(`box version create dev/web ${version}`);
  await all.json(`box provider create dev/web ${version} libvirt${flags}`);
  return `dev/web ${version} libvirt`;
}

describe('box upload', () => {
  test('sends the file, and stores the checksum of the sent bytes', async () => {
    const at = await provider();
    const { name, sha256 } = all.image('web.box', 3_000_001);
    const { code, stdout, stderr } = await all.run(`box upload ${at} ${name}`);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toContain(`sha256\t${sha256}`);
    expect(await all.json(`box provider get ${at}`)).toMatchObject({
      checksum: sha256,
      checksum_type: 'sha256',
      hosted: true,
    });
  });

  test.each(['md5', 'sha1', 'sha384', 'sha512'])('stores a checksum of type %s', async (type) => {
    const at = await provider();
    const { name, bytes } = all.image(`${type}.box`, 70_000);
    const stored = await all.json(`box upload ${at} ${name} --checksum-type ${type}`);
    expect(stored).toMatchObject({ checksum: sumOf(bytes, type), checksum_type: type });
  });

  test('does not send an image with the same checksum again', async () => {
    const at = await provider();
    const { name } = all.image('same.box', 100_000);
    await all.json(`box upload ${at} ${name}`);
    const ran = await all.run(`box upload ${at} ${name} --verbose`);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('is already up to date.');
    expect(ran.stderr).not.toContain('> PUT');
  });

  test('replaces the stored checksum with one of another type', async () => {
    const at = await provider();
    const { name, bytes } = all.image('typed.box', 1000);
    await all.json(`box upload ${at} ${name}`);
    expect(await all.json(`box upload ${at} ${name} --checksum-type sha512`)).toMatchObject({
      checksum: sumOf(bytes, 'sha512'),
      checksum_type: 'sha512',
    });
  });

  test('replaces the image and its checksum with another file', async () => {
    const at = await provider();
    await all.json(`box upload ${at} ${all.image('first.box', 100_000).name}`);
    const { name, sha256 } = all.image('second.box', 100_000);
    expect(await all.json(`box upload ${at} ${name}`)).toMatchObject({ checksum: sha256 });
  });

  test('replaces the image of a released version only after confirmation', async () => {
    const at = await provider();
    await all.json(`box upload ${at} ${all.image('out.box', 1000).name}`);
    await all.run(`api box PUT /api/v1/box/dev/web/version/${at.split(' ')[1]}/release`);
    const { name, sha256 } = all.image('in.box', 1000);
    expectFailure(await all.run(`box upload ${at} ${name}`), 2, 'The version is already released.');
    expect(await all.json(`box upload ${at} ${name} --yes`)).toMatchObject({ checksum: sha256 });
  });

  test('rejects a file with another checksum than the provider before it is sent', async () => {
    const announced = sumOf(Buffer.from('another'));
    const at = await provider(` --checksum ${announced}`);
    const { name, sha256 } = all.image('wrong.box', 1000);
    const ran = await all.run(`box upload ${at} ${name} --verbose`);
    expectFailure(ran, 6, `sha256 of the file: ${sha256}`, `sha256 of the provider: ${announced}`);
    expect(ran.stderr).not.toContain('> PUT');
  });

  test('rejects a provider with an image at a URL', async () => {
    const at = await provider(' --url https://example.com/web.box');
    const ran = await all.run(`box upload ${at} ${all.image('url.box', 10).name}`);
    expectFailure(ran, 6, 'its image is at https://example.com/web.box');
  });

  test.each([
    ['empty.box', 'is empty'],
    ['nowhere.box', 'no such file'],
    ['.', 'not a regular file'],
    ['/dev/zero', 'not a regular file'],
  ])('rejects %s, and sends nothing', async (file, text) => {
    all.image('empty.box', 0);
    expectFailure(await all.run(`box upload dev/web 1.0.0 libvirt ${file}`), 2, text);
  });

  test('exits with 3 for a missing provider', async () => {
    expect((await all.run(`box upload dev/web 1.0.0 missing ${all.image('no.box', 10).name}`)).code).toBe(3);
  });

  test('uploads to one of several architectures', async () => {
    const at = await provider(' --architecture arm64');
    const { name, sha256 } = all.image('arm.box', 2000);
    expect(await all.json(`box upload ${at} ${name} --architecture arm64`)).toMatchObject({
      checksum: sha256,
      architecture: 'arm64',
    });
  });

  test('--dry-run shows the first changing request, and sends nothing', async () => {
    const at = await provider();
    const stdout = outputOf(await all.run(`box upload ${at} ${all.image('dry.box', 10).name} --dry-run`));
    expect(stdout).toMatch(/Dry run: nothing was sent\. Request:[\s\S]*GET .*\/upload\/direct/);
  });

  test('--dry-run and --curl show the upload over an existing image, and the following steps', async () => {
    const at = await provider();
    await all.json(`box upload ${at} ${all.image('one.box', 10).name}`);
    const before = await all.json(`box provider get ${at}`);
    const line = `box upload ${at} ${all.image('two.box', 20).name}`;
    const dry = await all.run(`${line} --dry-run`);
    expect(dry.stdout).toMatch(/GET .*\/upload\/direct/);
    expect(dry.stderr).toContain('would be replaced');
    const stdout = outputOf(await all.run(`${line} --curl`));
    expect(stdout).toMatch(/^curl --request GET .*\/upload\/direct\n(# then .*\n){3}$/);
    expect(stdout).toContain('# then send two.box with PUT to the upload_path');
    expect(await all.json(`box provider get ${at}`)).toEqual(before);
  });

  test('does not print the token or the upload URL', async () => {
    const at = await provider();
    const { stdout, stderr } = await all.run(`box upload ${at} ${all.image('v.box', 10).name} -v -o json`);
    expect(stderr).toMatch(/> PUT http:\/\/127\.0\.0\.1:\d+\/…, 10 bytes/);
    expect(stdout + stderr).not.toContain(all.token);
  });
});
