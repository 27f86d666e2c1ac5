import { beforeEach, describe, expect, test } from 'vitest';
import { expectFailure, outputOf } from '../../support/command-tests.ts';
import { boxesForEach } from './registry.ts';

const service = boxesForEach();
beforeEach(async () => {
  await service.run('box create dev/web --public');
  await service.run('box version create dev/web 1.0.0');
});

const url = 'https://example.com/web.box';

describe('box provider', () => {
  test('create makes a provider without an image', async () => {
    expect(outputOf(await service.run('box provider create dev/web 1.0.0 virtualbox'))).toBe(
      'Created provider dev/web 1.0.0 virtualbox. Run lanyard box upload to upload its image.\n',
    );
    expect(await service.json('box provider get dev/web 1.0.0 virtualbox')).toMatchObject({
      name: 'virtualbox',
      original_url: null,
    });
    const get = 'box provider get dev/web 1.0.0 virtualbox';
    expect((await service.run(get)).stdout).toContain('image\tnot uploaded\n');
    service.at.write('web.box', 'an image');
    await service.run('box upload dev/web 1.0.0 virtualbox web.box');
    expect((await service.run(get)).stdout).toContain('image\thosted by the registry\n');
  });

  test.each([
    ['md5', 32],
    ['sha1', 40],
    ['sha256', 64],
    ['sha384', 96],
    ['sha512', 128],
  ])('create accepts a URL and a checksum of type %s with %i digits', async (type, digits) => {
    const checksum = 'aB'.repeat(digits / 2);
    const made = await service.json(
      `box provider create dev/web 1.0.0 libvirt --url ${url} --checksum ${checksum}`,
    );
    expect(made).toMatchObject({ original_url: url });
    const { stdout } = await service.run('box provider get dev/web 1.0.0 libvirt');
    expect(stdout).toMatch(/^provider\tdev\/web 1\.0\.0 libvirt\n/);
    expect(stdout).toContain(`image\t${url}\n`);
    expect(stdout).toContain(`checksum\t${type} ${checksum.toLowerCase()}\n`);
  });

  test('update changes only the given fields', async () => {
    const checksum = 'a'.repeat(64);
    await service.run(`box provider create dev/web 1.0.0 libvirt --url ${url} --checksum ${checksum}`);
    const { stdout } = await service.run(`box provider update dev/web 1.0.0 libvirt --url ${url}2`);
    expect(stdout).toContain('Updated provider dev/web 1.0.0 libvirt.\noriginal_url\t');
    expect(await service.json('box provider get dev/web 1.0.0 libvirt')).toMatchObject({
      original_url: `${url}2`,
      checksum,
      checksum_type: 'sha256',
    });
    await service.run('box provider update dev/web 1.0.0 libvirt --name kvm');
    expect((await service.run('box provider get dev/web 1.0.0 libvirt')).code).toBe(3);
    expect(await service.json('box provider get dev/web 1.0.0 kvm')).toMatchObject({ checksum });
  });

  test('delete prompts, and deletes the provider', async () => {
    await service.run(`box provider create dev/web 1.0.0 libvirt --url ${url}`);
    expect((await service.run('box provider delete dev/web 1.0.0 libvirt')).code).toBe(2);
    const stdout = outputOf(await service.run('box provider delete dev/web 1.0.0 libvirt --yes'));
    expect(stdout).toBe('Deleted provider dev/web 1.0.0 libvirt.\n');
    expect((await service.run('box provider get dev/web 1.0.0 libvirt')).code).toBe(3);
  });

  test('a provider can have several architectures, with one default', async () => {
    const at = 'dev/web 1.0.0 libvirt --architecture';
    await service.run(`box provider create ${at} amd64 --url ${url}`);
    const { stdout } = await service.run(
      `box provider create ${at} arm64 --url ${url}-arm --default-architecture`,
    );
    expect(stdout).toBe('Created provider dev/web 1.0.0 libvirt (arm64).\n');

    expect(await service.json(`box provider get ${at} amd64`)).toMatchObject({ original_url: url });
    expect((await service.run(`box provider get ${at} arm64`)).stdout).toContain(
      'architecture\tarm64 (default)\n',
    );
    await service.run(`box provider update ${at} amd64 --url ${url}-amd --default-architecture`);
    expect(await service.json('box provider get dev/web 1.0.0 libvirt')).toMatchObject({
      original_url: `${url}-amd`,
      architecture: 'amd64',
    });
    await service.run(`box provider delete ${at} amd64 --yes`);
    expect((await service.run(`box provider get ${at} amd64`)).code).toBe(3);
    expect((await service.run(`box provider get ${at} arm64`)).code).toBe(0);
  });

  test.each([
    ['create dev/web 1.0.0 ..', 'invalid provider name ".."'],
    ['create dev/web 1.0.0 a/b', 'invalid provider name "a/b"'],
    ['create dev/web 1.0.0 p --url ftp://example.com/x', 'expected an http or https URL'],
    ['create dev/web 1.0.0 p --url web.box', 'invalid --url "web.box": expected an http'],
    ['create dev/web 1.0.0 p --checksum xyz', 'invalid --checksum: expected hexadecimal digits'],
    ['create dev/web 1.0.0 p --checksum abc', 'invalid --checksum: expected 32 (md5), 40 (sha1)'],
    [
      `create dev/web 1.0.0 p --checksum ${'a'.repeat(40)} --checksum-type sha256`,
      'expected 64 digits for sha256, got 40',
    ],
    [
      `create dev/web 1.0.0 p --checksum ${'a'.repeat(40)} --checksum-type crc32`,
      'expected one of md5, sha1',
    ],
    ['create dev/web 1.0.0 p --checksum-type md5', '--checksum-type requires --checksum'],
    ['create dev/web 1.0.0 p --architecture vax', 'invalid --architecture "vax": expected one of amd64'],
    ['create dev/web 1.0.0 p --default-architecture', '--default-architecture requires --architecture'],
    ['update dev/web 1.0.0 p', 'nothing to change'],
    ['update dev/web 1.0.0 p --name ../x', 'invalid provider name "../x"'],
    ['get dev/web .. p', 'invalid version ".."'],
  ])('rejects "%s" before a request is sent', async (words, why) => {
    const ran = await service.run(`box provider ${words}`, {
      env: { LANYARD_BOX_ADDR: 'http://127.0.0.1:9' },
    });
    expectFailure(ran, 2, why);
  });
});

test.each([
  ['box update dev/web --name', 'taken', 'box dev/taken'],
  ['box version update dev/web 1.0.0 --number', '2.0.0', 'version dev/web 2.0.0'],
  ['box provider update dev/web 1.0.0 libvirt --name', 'kvm', 'provider dev/web 1.0.0 kvm'],
  [
    'box provider update dev/web 1.0.0 libvirt --architecture arm64 --name',
    'kvm',
    'provider dev/web 1.0.0 kvm (arm64)',
  ],
])('"%s" with an existing name is a conflict', async (line, name, text) => {
  await service.run('box create dev/taken');
  await service.run('box version create dev/web 2.0.0');
  for (const provider of ['libvirt', 'kvm'])
    for (const flag of ['', ' --architecture arm64'])
      await service.json(`box provider create dev/web 1.0.0 ${provider}${flag}`);
  const ran = await service.run(`${line} ${name}`);
  expectFailure(ran, 6, `error: ${text} already exists`, 'Choose another name.');
});
