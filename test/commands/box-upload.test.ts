import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Images, images, sumOf } from './box-images.ts';

let all: Images;
beforeAll(async () => {
  all = await images();
  await all.json('box create dev/web');
});
afterAll(() => all.close());

let count = 0;
/** A version of its own for a test, with a provider. */
async function provider(flags = ''): Promise<string> {
  const version = `1.0.${count++}`;
  await all.json(`box version create dev/web ${version}`);
  await all.json(`box provider create dev/web ${version} libvirt${flags}`);
  return `dev/web ${version} libvirt`;
}

describe('box upload', () => {
  test('sends the file, and the checksum of what was sent is stored', async () => {
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

  test('what is there with the same checksum is not sent again', async () => {
    const at = await provider();
    const { name } = all.image('same.box', 100_000);
    await all.json(`box upload ${at} ${name}`);
    const { code, stdout, stderr } = await all.run(`box upload ${at} ${name} --verbose`);
    expect(code).toBe(0);
    expect(stdout).toContain('has this image already; nothing was sent');
    expect(stderr).not.toContain('> PUT');
  });

  test('a checksum of another type takes the place of the stored one', async () => {
    const at = await provider();
    const { name, bytes } = all.image('typed.box', 1000);
    await all.json(`box upload ${at} ${name}`);
    expect(await all.json(`box upload ${at} ${name} --checksum-type sha512`)).toMatchObject({
      checksum: sumOf(bytes, 'sha512'),
      checksum_type: 'sha512',
    });
  });

  test('another file takes the place of the image, and its checksum that of the stored one', async () => {
    const at = await provider();
    await all.json(`box upload ${at} ${all.image('first.box', 100_000).name}`);
    const { name, sha256 } = all.image('second.box', 100_000);
    expect(await all.json(`box upload ${at} ${name}`)).toMatchObject({ checksum: sha256 });
  });

  test('the image of a released version is replaced only when that is confirmed', async () => {
    const at = await provider();
    await all.json(`box upload ${at} ${all.image('out.box', 1000).name}`);
    await all.run(`api box PUT /api/v1/box/dev/web/version/${at.split(' ')[1]}/release`);
    const { name, sha256 } = all.image('in.box', 1000);
    const asked = await all.run(`box upload ${at} ${name}`);
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain('is released: replace the image that people get?');
    expect(await all.json(`box upload ${at} ${name} --yes`)).toMatchObject({ checksum: sha256 });
  });

  test('a file that is not the one that the provider was created for is refused before it is sent', async () => {
    const announced = sumOf(Buffer.from('another'));
    const at = await provider(` --checksum ${announced}`);
    const { name, sha256 } = all.image('wrong.box', 1000);
    const { code, stderr } = await all.run(`box upload ${at} ${name} --verbose`);
    expect(code).toBe(6);
    expect(stderr).toContain(`sha256 of the file: ${sha256}`);
    expect(stderr).toContain(`sha256 of the provider: ${announced}`);
    expect(stderr).not.toContain('> PUT');
  });

  test('a provider whose image is at a URL takes no upload', async () => {
    const at = await provider(' --url https://example.com/web.box');
    const { code, stderr } = await all.run(`box upload ${at} ${all.image('url.box', 10).name}`);
    expect(code).toBe(6);
    expect(stderr).toContain('is at https://example.com/web.box');
  });

  test.each([
    ['empty.box', 'is empty'],
    ['nowhere.box', 'no such file'],
    ['.', 'not a regular file'],
    ['/dev/zero', 'not a regular file'],
  ])('%s is no image, and nothing is sent', async (file, said) => {
    all.image('empty.box', 0);
    const { code, stderr } = await all.run(`box upload dev/web 1.0.0 libvirt ${file}`);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });

  test('a provider that is not there is exit code 3', async () => {
    const { code } = await all.run(`box upload dev/web 1.0.0 nobody ${all.image('no.box', 10).name}`);
    expect(code).toBe(3);
  });

  test('one of several architectures is named', async () => {
    const at = await provider(' --architecture arm64');
    const { name, sha256 } = all.image('arm.box', 2000);
    expect(await all.json(`box upload ${at} ${name} --architecture arm64`)).toMatchObject({
      checksum: sha256,
      architecture: 'arm64',
    });
  });

  test('--dry-run shows the first request that would change something, and sends nothing', async () => {
    const at = await provider();
    const { code, stdout } = await all.run(`box upload ${at} ${all.image('dry.box', 10).name} --dry-run`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Dry run: nothing was sent\. Request:[\s\S]*GET .*\/upload\/direct/);
  });

  test('--dry-run and --curl show the upload where another image is there, and what follows', async () => {
    const at = await provider();
    await all.json(`box upload ${at} ${all.image('one.box', 10).name}`);
    const before = await all.json(`box provider get ${at}`);
    const line = `box upload ${at} ${all.image('two.box', 20).name}`;
    const dry = await all.run(`${line} --dry-run`);
    expect(dry.stdout).toMatch(/GET .*\/upload\/direct/);
    expect(dry.stderr).toContain('would be replaced');
    const { code, stdout } = await all.run(`${line} --curl`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^curl --request GET .*\/upload\/direct\n(# then .*\n){3}$/);
    expect(stdout).toContain('# then send two.box with PUT to the upload_path');
    expect(await all.json(`box provider get ${at}`)).toEqual(before);
  });

  test('no answer and no note holds the token or the upload address', async () => {
    const at = await provider();
    const { stdout, stderr } = await all.run(`box upload ${at} ${all.image('v.box', 10).name} -v -o json`);
    expect(stderr).toMatch(/> PUT http:\/\/127\.0\.0\.1:\d+\/…, 10 bytes/);
    expect(stdout + stderr).not.toContain(all.token);
  });
});
