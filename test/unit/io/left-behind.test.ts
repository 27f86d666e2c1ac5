import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { profiles } from '../../../src/config/profiles.ts';
import { openPartialDownload } from '../../../src/io/partial-download.ts';
import { createTemporaryDirectory } from '../../../src/io/private-directory.ts';
import { homeForAll } from '../../support/command-tests.ts';

// What a process that was killed left is removed by the next one.

const at = homeForAll();
const own = { tmpdir: process.env.TMPDIR };
beforeEach(() => {
  at.clear('tmp');
  mkdirSync(at.file('tmp'));
  process.env.TMPDIR = at.file('tmp');
});
afterEach(() => {
  if (own.tmpdir === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = own.tmpdir;
});

const old = new Date(Date.now() - 11 * 60_000);
/** The ID of a process that ended. */
const ended = (): number => spawnSync(process.execPath, ['--version']).pid;

describe('a temporary folder', () => {
  test('replaces only the files of ended processes', async () => {
    const folder = await createTemporaryDirectory('lanyard-edit-');
    const name = basename(folder.path);
    const [, before = '', after = ''] = /^(lanyard-edit-[0-9a-f]{8}-)\d+(-.{6})$/.exec(name) ?? [];
    const stale = `${before}${ended()}${after}`;
    const kept = [
      name,
      stale.replace(before, 'lanyard-edit-00000000-'),
      'lanyard-edit-abcdef',
      'lanyard-kept-0123456789abcdef-abcdef',
      stale.replace('lanyard-', 'other-'),
      `${before}${process.ppid}${after}`,
    ];
    for (const each of [stale, stale.replace('edit', 'connect'), ...kept.slice(1)])
      at.write(`tmp/${each}/edit.yaml`, 'secret');
    at.write(`tmp/${stale.replace(/.$/, '_')}`, 'a file');
    const next = await createTemporaryDirectory('lanyard-connect-');
    expect(readdirSync(at.file('tmp')).sort()).toEqual(
      [...kept, stale.replace(/.$/, '_'), basename(next.path)].sort(),
    );
    await next.remove();
    expect(existsSync(next.path)).toBe(false);
  });
});

test('a temporary folder is removed when the process exits, as after a second signal', () => {
  const module = pathToFileURL(join(import.meta.dirname, '../../../src/io/private-directory.ts'));
  const script = `const { createTemporaryDirectory } = await import('${module}');
    const { path } = await createTemporaryDirectory('lanyard-edit-');
    await (await import('node:fs/promises')).writeFile(path + '/file', 'secret');
    console.log(path);
    process.exit(130);`;
  const ran = spawnSync(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '-e',
    script,
  ]);
  expect(ran.stdout.toString()).toContain(at.file('tmp/lanyard-edit-'));
  expect(readdirSync(at.file('tmp'))).toEqual([]);
});

test.each([true, false])(
  'a change of the configuration (there: %s) removes stale temporary files',
  async (there) => {
    at.clear('config');
    if (there) at.write('config/config.json', '{}');
    const kept = ['config.json.tmp-', 'config.json.tmp-mine', 'other.json.tmp-1234567890abcdef'];
    for (const name of ['config.json.tmp-1234567890abcdef', ...kept]) at.write(`config/${name}`, '{');
    await profiles(at.file('config')).change((current) => current);
    expect(readdirSync(at.file('config')).sort()).toEqual(
      ['config.json', 'config.json.lock', ...kept].sort(),
    );
  },
);

describe('a download', () => {
  const options = { replace: true, hash: 'sha256' };

  beforeEach(() => {
    at.clear('work');
    at.write('work/w.box', 'complete');
  });

  test('removes the second name of its target, and leaves the target', async () => {
    const part = `w.box.${Buffer.from('"tag"').toString('base64url')}.part`;
    linkSync(at.file('work/w.box'), at.file(`work/${part}`));
    const opened = await openPartialDownload(at.file('work/w.box'), options);
    expect(await opened.resumePoint()).toBeUndefined();
    await opened.close();
    expect(at.list('work')).toEqual([join('work', 'w.box')]);
    expect(at.read('work/w.box')).toBe('complete');
  });

  test('removes parts that cannot be resumed ten minutes after their last write', async () => {
    const [stale, fresh] = [crypto.randomUUID(), crypto.randomUUID()].map((id) => `w.box.${id}.part`);
    const kept = [fresh, `v.box.${crypto.randomUUID()}.part`, 'w.box.mine.part', 'w.box'];
    for (const name of [stale, ...kept]) writeFileSync(at.file(`work/${name}`), 'half');
    for (const name of [stale, ...kept.slice(1)]) utimesSync(at.file(`work/${name}`), old, old);
    const opened = await openPartialDownload(at.file('work/w.box'), options);
    await opened.start({ from: 0, etag: undefined });
    await opened.close();
    expect(readdirSync(at.file('work')).sort()).toEqual(kept.sort());
  });
});
