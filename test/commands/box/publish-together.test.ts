import { describe, expect, test } from 'vitest';
import { expectExit, expectFailure } from '../../support/command-tests.ts';
import { registryWith } from './faults.ts';
import { imagesForAll } from './images.ts';

const all = imagesForAll();

/** A registry with concurrent commands: each is run before the first request that matches its pattern. */
const raced = (lines: readonly (readonly [RegExp, string])[]): Promise<string> => {
  const open = new Map(lines);
  return registryWith(
    all,
    ({ port }) => Number(port),
    async ({ method, url }) => {
      for (const [pattern, line] of open) {
        if (!pattern.test(`${method} ${url}`)) continue;
        open.delete(pattern);
        await all.json(line);
      }
      return false;
    },
  );
};

const statusOf = async (box: string) => (await all.json(`box version get ${box} 1.0.0`)).status;

describe('two publishes of one provider', () => {
  const mine = () => all.image('mine.box', 4000);
  const theirs = (box: string) =>
    `box upload ${box} 1.0.0 libvirt ${all.image('theirs.box', 4000).name} --yes`;

  test('nothing is released if the image was replaced before the release', async () => {
    const address = await raced([[/^GET .*\/version\/1\.0\.0$/, theirs('dev/before')]]);
    const ran = await all.run(`box publish dev/before 1.0.0 libvirt ${mine().name} --address ${address}`);
    expectFailure(ran, 6, 'the image of dev/before 1.0.0 libvirt was replaced by another request');
    expect(ran.stderr).toContain('status of the version: unreleased');
    expect(ran.stderr).not.toContain('Run the same command again');
    expect(await statusOf('dev/before')).toBe('unreleased');
  });

  test('a replaced image during the release is reported', async () => {
    const address = await raced([[/^PUT .*\/release$/, theirs('dev/after')]]);
    const ran = await all.run(`box publish dev/after 1.0.0 libvirt ${mine().name} --address ${address}`);
    expectFailure(ran, 6, 'the image of dev/after 1.0.0 libvirt was replaced by another request');
    expect(ran.stderr).toContain('status of the version: released');
  });

  test('the same image twice is not a conflict', async () => {
    const { name } = mine();
    const address = await raced([[/^PUT .*\/release$/, `box publish dev/same 1.0.0 libvirt ${name} --yes`]]);
    expectExit(await all.run(`box publish dev/same 1.0.0 libvirt ${name} --address ${address}`), 0);
  });

  test('a replaced URL is reported', async () => {
    const address = await raced([
      [/^PUT .*\/release$/, 'box provider update dev/url 1.0.0 libvirt --url https://example.com/theirs.box'],
    ]);
    const line = `box publish dev/url 1.0.0 libvirt --url https://example.com/mine.box --address ${address}`;
    expect((await all.run(line)).code).toBe(6);
  });
});

describe('two publishes of two providers of a new version', () => {
  test('continue with objects created by the other one', async () => {
    const { name } = all.image('libvirt.box', 4000);
    const other = all.image('virtualbox.box', 4000).name;
    const address = await raced([
      [/^POST .*\/boxes$/, 'box create dev/matrix --public'],
      [/^POST .*\/versions$/, 'box version create dev/matrix 1.0.0 --description theirs'],
      [/^POST .*\/providers$/, 'box provider create dev/matrix 1.0.0 libvirt'],
      [/^PUT .*\/release$/, `box publish dev/matrix 1.0.0 virtualbox ${other}`],
    ]);
    const ran = await all.run(`box publish dev/matrix 1.0.0 libvirt ${name} --address ${address}`);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toContain('dev/matrix 1.0.0 is released.');
    expect(await all.json('box get dev/matrix')).toMatchObject({ private: false });
    expect(await all.json('box version get dev/matrix 1.0.0')).toMatchObject({
      status: 'active',
      description_markdown: 'theirs',
    });
  });

  test('change only the given fields of objects created by the other one', async () => {
    const address = await raced([
      [/^POST .*\/boxes$/, 'box create dev/named --public --short-description theirs'],
      [/^POST .*\/versions$/, 'box version create dev/named 1.0.0 --description theirs'],
    ]);
    const { name } = all.image('named.box', 10);
    const line = `box publish dev/named 1.0.0 libvirt ${name} --address ${address}`;
    expectExit(await all.run(`${line} --short-description mine --version-description mine`), 0);
    expect(await all.json('box get dev/named')).toMatchObject({ private: false, short_description: 'mine' });
    expect(await all.json('box version get dev/named 1.0.0')).toMatchObject({ description_markdown: 'mine' });
  });

  test('succeed in any order', async () => {
    const lines = ['libvirt', 'virtualbox', 'vmware', 'hyperv'].map(
      (provider) => `box publish dev/all 1.0.0 ${provider} ${all.image(`${provider}.box`, 50_000).name}`,
    );
    for (const { code, stderr } of await Promise.all(lines.map((line) => all.run(line))))
      expect(code, stderr).toBe(0);
    expect(await statusOf('dev/all')).toBe('active');
  });

  test('report an unrelated error as such', async () => {
    const { name } = all.image('rejected.box', 10);
    const ran = await all.run(`box publish missing/rejected 1.0.0 libvirt ${name}`);
    expect(ran.code).not.toBe(0);
    expect(ran.stderr).toContain('missing');
  });
});
