import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Images, images, type Json } from './box-images.ts';

let all: Images;
beforeAll(async () => {
  all = await images();
});
afterAll(() => all.close());

const acts = ({ steps }: { steps: Json }): string[] => steps.map(({ act }: Json) => act);
const all5 = ['leave', 'leave', 'leave', 'leave', 'leave'];

describe('box publish', () => {
  test('creates what is missing, uploads and releases; a second time it finds all as it should be', async () => {
    const { name, sha256 } = all.image('one.box', 2_000_000);
    const line = `box publish dev/one 1.0.0 libvirt ${name} --public --short-description Small`;
    const { code, stdout, stderr } = await all.run(line);
    expect(code).toBe(0);
    expect(stderr.trim().split('\n')).toEqual([
      'Created the box dev/one, public.',
      'Created the version 1.0.0.',
      'Created the provider libvirt.',
      'Uploaded the image (one.box, 1.9 MiB).',
      'Released the version 1.0.0.',
    ]);
    expect(stdout).toContain('dev/one 1.0.0 is published.');
    expect(await all.json('box get dev/one')).toMatchObject({ private: false, short_description: 'Small' });
    expect(await all.json('box version get dev/one 1.0.0')).toMatchObject({ status: 'active' });
    expect(await all.json('box provider get dev/one 1.0.0 libvirt')).toMatchObject({ checksum: sha256 });

    const again = await all.run(`${line} --verbose`);
    expect(again.stdout).toContain('is as it should be; nothing was changed');
    expect(again.stderr).not.toMatch(/> (PUT|POST)/);
    expect(acts(await all.json(line))).toEqual(all5);
  });

  test('who may see a box stays as it is unless that is said', async () => {
    const { name } = all.image('seen.box', 1000);
    await all.json(`box publish dev/seen 1.0.0 libvirt ${name} --public`);
    await all.json(`box publish dev/seen 1.1.0 libvirt ${name} --short-description New`);
    expect(await all.json('box get dev/seen')).toMatchObject({ private: false, short_description: 'New' });
    await all.json(`box publish dev/seen 1.1.0 libvirt ${name} --private`);
    expect(await all.json('box get dev/seen')).toMatchObject({ private: true, short_description: 'New' });
  });

  test('a new box is private unless that is said', async () => {
    await all.json(`box publish dev/mine 1.0.0 libvirt ${all.image('mine.box', 10).name}`);
    expect(await all.json('box get dev/mine')).toMatchObject({ private: true });
  });

  test('descriptions come from files, and are updated where they differ', async () => {
    const { name } = all.image('text.box', 10);
    all.at.write('README.md', '# Web\n');
    all.at.write('CHANGES.md', '* new\n');
    const line = `box publish dev/text 1.0.0 libvirt ${name} --description @README.md --version-description @CHANGES.md`;
    await all.json(line);
    expect(await all.json('box get dev/text')).toMatchObject({ description_markdown: '# Web\n' });
    expect(await all.json('box version get dev/text 1.0.0')).toMatchObject({
      description_markdown: '* new\n',
    });
    all.at.write('CHANGES.md', '* newer\n');
    expect(acts(await all.json(line))).toEqual(['leave', 'update', 'leave', 'leave', 'leave']);
  });

  test('--no-release leaves the version unreleased, and a later run releases it without another upload', async () => {
    const line = `box publish dev/later 1.0.0 libvirt ${all.image('later.box', 5000).name}`;
    const { stdout } = await all.run(`${line} --no-release`);
    expect(stdout).toContain('is ready; "lanyard box release" releases it.');
    expect(await all.json('box version get dev/later 1.0.0')).toMatchObject({ status: 'unreleased' });
    expect(acts(await all.json(line))).toEqual(['leave', 'leave', 'leave', 'leave', 'release']);
  });

  test('--dry-run prints the plan, and nothing is changed', async () => {
    const { name } = all.image('dry.box', 10);
    const { code, stdout, stderr } = await all.run(`box publish dev/dry 1.0.0 libvirt ${name} --dry-run -v`);
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(0, 6)).toEqual([
      'This would be done; nothing was.',
      'create\tthe box dev/dry, private',
      'create\tthe version 1.0.0',
      'create\tthe provider libvirt',
      'upload\tthe image (dry.box, 10 B)',
      'release\tthe version 1.0.0',
    ]);
    expect(stderr).not.toMatch(/> (PUT|POST)/);
    expect((await all.run('box get dev/dry')).code).toBe(3);
  });

  test('--curl prints the first request, and what follows it as comments', async () => {
    const { name } = all.image('curl.box', 10);
    const { code, stdout } = await all.run(`box publish dev/curl 1.0.0 libvirt ${name} --curl`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^curl --request POST .*\/boxes\n(# then .*\n){4}$/);
    expect(stdout).toContain('# then upload the image (curl.box, 10 B)\n# then release the version 1.0.0\n');
    expect((await all.run('box get dev/curl')).code).toBe(3);
  });

  test('an image at a URL is told of, not uploaded', async () => {
    const line = 'box publish dev/url 1.0.0 libvirt --url https://example.com/web.box';
    expect(acts(await all.json(line))).toEqual(['create', 'create', 'create', 'release']);
    expect(acts(await all.json(line))).toEqual(['leave', 'leave', 'leave', 'leave']);
  });

  test('images of a released version are changed only when that is confirmed', async () => {
    const line = `box publish dev/fixed 1.0.0 libvirt ${all.image('fixed.box', 100).name}`;
    await all.json(line);
    all.image('fixed.box', 100);
    const asked = await all.run(line);
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain('is released: change the images that people get?');
    expect(acts(await all.json(`${line} --yes`))).toEqual(['leave', 'leave', 'leave', 'upload', 'leave']);
  });

  test('a version is released while another provider of it has no image yet, which is told', async () => {
    await all.json('box create dev/two');
    await all.json('box version create dev/two 1.0.0');
    await all.json('box provider create dev/two 1.0.0 virtualbox');
    const { code, stderr } = await all.run(
      `box publish dev/two 1.0.0 libvirt ${all.image('two.box', 10).name}`,
    );
    expect(code).toBe(0);
    expect(stderr).toContain('no image is uploaded yet for virtualbox');
    expect(await all.json('box version get dev/two 1.0.0')).toMatchObject({ status: 'active' });
    // The provider that is still to come changes no image that people get.
    const later = await all.run(`box publish dev/two 1.0.0 virtualbox ${all.image('vb.box', 10).name}`);
    expect(later.code).toBe(0);
  });

  test('a version that was revoked is not released again', async () => {
    const line = `box publish dev/gone 1.0.0 libvirt ${all.image('gone.box', 10).name}`;
    await all.json(line);
    await all.run('box revoke dev/gone 1.0.0 --yes');
    for (const flag of ['', ' --no-release', ' --dry-run']) {
      const { code, stderr } = await all.run(line + flag);
      expect(code).toBe(6);
      expect(stderr).toContain('Publish it as another version.');
    }
  });

  test.each([
    ['', 'FILE or as --url URL'],
    [' x.box --url https://example.com/x.box', 'FILE or as --url URL'],
    [' x.box --checksum abcd', '--checksum is for an image at --url'],
    [' --url ftp://example.com/x.box', '--url takes an http or https URL'],
    [' x.box', 'no such file'],
  ])('"box publish …%s" is refused before anything is sent', async (rest, said) => {
    const { code, stderr } = await all.run(`box publish dev/no 1.0.0 libvirt${rest} --verbose`);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
    expect(stderr).not.toContain('> ');
  });
});
