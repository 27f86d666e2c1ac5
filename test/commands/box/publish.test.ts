import { describe, expect, test } from 'vitest';
import { expectExit, expectFailure, outputOf } from '../../support/command-tests.ts';
import { imagesForAll, type Json } from './images.ts';

const all = imagesForAll();

const actions = ({ steps }: { steps: Json }): string[] => steps.map(({ action }: Json) => action);
const all5 = Array.from({ length: 5 }, () => 'unchanged');

describe('box publish', () => {
  test('creates missing objects, uploads and releases; the second run changes nothing', async () => {
    const { name, sha256 } = all.image('one.box', 2_000_000);
    const line = `box publish dev/one 1.0.0 libvirt ${name} --public --short-description Small`;
    const ran = await all.run(line);
    expect(ran.code).toBe(0);
    expect(ran.stderr.trim().split('\n')).toEqual([
      'Created box dev/one (public).',
      'Created version 1.0.0.',
      'Created provider libvirt.',
      'Uploaded image (one.box, 1.9 MiB).',
      'Released version 1.0.0.',
    ]);
    expect(ran.stdout).toBe('dev/one 1.0.0 is released.\n');
    expect(await all.json('box get dev/one')).toMatchObject({ private: false, short_description: 'Small' });
    expect(await all.json('box version get dev/one 1.0.0')).toMatchObject({ status: 'active' });
    expect(await all.json('box provider get dev/one 1.0.0 libvirt')).toMatchObject({ checksum: sha256 });

    const again = await all.run(`${line} --verbose`);
    expect(again.stdout).toContain('dev/one 1.0.0 is already up to date.');
    expect(again.stderr).not.toMatch(/> (PUT|POST)/);
    expect(actions(await all.json(line))).toEqual(all5);
  });

  test('keeps the visibility of a box unless --private or --public is given', async () => {
    const { name } = all.image('seen.box', 1000);
    await all.json(`box publish dev/seen 1.0.0 libvirt ${name} --public`);
    await all.json(`box publish dev/seen 1.1.0 libvirt ${name} --short-description New`);
    expect(await all.json('box get dev/seen')).toMatchObject({ private: false, short_description: 'New' });
    await all.json(`box publish dev/seen 1.1.0 libvirt ${name} --private`);
    expect(await all.json('box get dev/seen')).toMatchObject({ private: true, short_description: 'New' });
  });

  test('creates a private box by default', async () => {
    await all.json(`box publish dev/mine 1.0.0 libvirt ${all.image('mine.box', 10).name}`);
    expect(await all.json('box get dev/mine')).toMatchObject({ private: true });
  });

  test('reads descriptions from files, and updates them if they differ', async () => {
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
    expect(actions(await all.json(line))).toEqual([
      'unchanged',
      'update',
      'unchanged',
      'unchanged',
      'unchanged',
    ]);
  });

  test('--no-release does not release the version; a later run releases it without another upload', async () => {
    const line = `box publish dev/later 1.0.0 libvirt ${all.image('later.box', 5000).name}`;
    const { stdout } = await all.run(`${line} --no-release`);
    expect(stdout).toContain('is ready. Run lanyard box release dev/later 1.0.0 to release it.');
    expect(await all.json('box version get dev/later 1.0.0')).toMatchObject({ status: 'unreleased' });
    expect(actions(await all.json(line))).toEqual([
      'unchanged',
      'unchanged',
      'unchanged',
      'unchanged',
      'release',
    ]);
  });

  test('--dry-run prints the plan, and nothing is changed', async () => {
    const { name } = all.image('dry.box', 10);
    const ran = await all.run(`box publish dev/dry 1.0.0 libvirt ${name} --dry-run -v`);
    expect(ran.code).toBe(0);
    expect(ran.stdout.split('\n').slice(0, 6)).toEqual([
      'Dry run: nothing was changed.',
      'create\tbox dev/dry (private)',
      'create\tversion 1.0.0',
      'create\tprovider libvirt',
      'upload\timage (dry.box, 10 B)',
      'release\tversion 1.0.0',
    ]);
    expect(ran.stderr).not.toMatch(/> (PUT|POST)/);
    expect((await all.run('box get dev/dry')).code).toBe(3);
  });

  test('--curl prints the first request, and the following steps as comments', async () => {
    const { name } = all.image('curl.box', 10);
    const stdout = outputOf(await all.run(`box publish dev/curl 1.0.0 libvirt ${name} --curl`));
    expect(stdout).toMatch(/^curl --request POST .*\/boxes\n(# then .*\n){4}$/);
    expect(stdout).toContain('# then upload image (curl.box, 10 B)\n# then release version 1.0.0\n');
    expect((await all.run('box get dev/curl')).code).toBe(3);
  });

  test('does not upload an image at a URL', async () => {
    const line = 'box publish dev/url 1.0.0 libvirt --url https://example.com/web.box';
    expect(actions(await all.json(line))).toEqual(['create', 'create', 'create', 'release']);
    expect(actions(await all.json(line))).toEqual(['unchanged', 'unchanged', 'unchanged', 'unchanged']);
  });

  test('replaces images of a released version only after confirmation', async () => {
    const line = `box publish dev/fixed 1.0.0 libvirt ${all.image('fixed.box', 100).name}`;
    await all.json(line);
    all.image('fixed.box', 100);
    expectFailure(await all.run(line), 2, 'The version is already released.');
    expect(actions(await all.json(`${line} --yes`))).toEqual([
      'unchanged',
      'unchanged',
      'unchanged',
      'upload',
      'unchanged',
    ]);
  });

  test('releases a version with a provider without an image, and warns', async () => {
    await all.json('box create dev/two');
    await all.json('box version create dev/two 1.0.0');
    await all.json('box provider create dev/two 1.0.0 virtualbox');
    const ran = await all.run(`box publish dev/two 1.0.0 libvirt ${all.image('two.box', 10).name}`);
    expectExit(ran, 0, 'providers without an image: virtualbox');
    expect(await all.json('box version get dev/two 1.0.0')).toMatchObject({ status: 'active' });
    // Adding the other provider replaces no image.
    expectExit(await all.run(`box publish dev/two 1.0.0 virtualbox ${all.image('vb.box', 10).name}`), 0);
  });

  test('does not release a revoked version', async () => {
    const line = `box publish dev/gone 1.0.0 libvirt ${all.image('gone.box', 10).name}`;
    await all.json(line);
    await all.run('box revoke dev/gone 1.0.0 --yes');
    for (const flag of ['', ' --no-release', ' --dry-run']) {
      expectFailure(await all.run(line + flag), 6, 'Publish the image as a new version.');
    }
  });

  test.each([
    ['', 'expected either FILE or --url'],
    [' x.box --url https://example.com/x.box', 'expected either FILE or --url'],
    [' x.box --checksum abcd', '--checksum requires --url'],
    [' --url ftp://example.com/x.box', 'expected an http or https URL'],
    [' x.box', 'no such file'],
  ])('rejects "box publish …%s" before a request is sent', async (rest, text) => {
    const ran = await all.run(`box publish dev/no 1.0.0 libvirt${rest} --verbose`);
    expectFailure(ran, 2, text);
    expect(ran.stderr).not.toContain('> ');
  });
});
