import { existsSync, lstatSync, mkdirSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/command-tests.ts';
import { serve } from '../../unit/api/support.ts';
import { signing } from '../signing.ts';

const { at, run, done } = signing();
const certificate = '.ssh/id_ed25519-cert.pub';
const mode = (name: string): string => (statSync(at.file(name)).mode & 0o777).toString(8);

/** Runs a signing whose target must be rejected before anything is sent; gives what is said. */
async function rejection(argv: string): Promise<string> {
  const service = await serve((_seen, response) => response.end());
  const before = at.list();
  const ran = await run(`${argv} --address ${service.url}`);
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(service.seen).toEqual([]);
  expect(at.list()).toEqual(before);
  return ran.stderr;
}

describe('the file of the certificate', () => {
  test('is written next to the key, readable by its owner only, with a file about its source', async () => {
    await done('ssh sign deploy');
    expect(mode(certificate)).toBe('600');
    const files = [certificate, `${certificate}.source`, '.ssh/id_ed25519', '.ssh/id_ed25519.pub'];
    expect(at.list('.ssh')).toEqual(files.sort());
    expect(mode(`${certificate}.source`)).toBe('600');
  });

  test('is replaced by a new file, not written over', async () => {
    at.write(certificate, 'ssh-ed25519-cert-v01@openssh.com old\n', 0o644);
    const { ino } = statSync(at.file(certificate));
    await done('ssh sign deploy');
    expect(statSync(at.file(certificate)).ino).not.toBe(ino);
    expect(at.read(certificate)).toMatch(/^ssh-ed25519-cert-v01@/);
    expect(mode(certificate)).toBe('600');
    expect(at.list('.ssh')).toHaveLength(4);
  });

  test('may be an empty file before', async () => {
    at.write('empty', '');
    await done('ssh sign deploy --out empty');
    expect(at.read('empty')).toMatch(/^ssh-ed25519-cert-v01@/);
  });

  test('is written to the file of --out', async () => {
    mkdirSync(at.file('certs'));
    expect(await done('ssh sign deploy --out certs/mine.pub')).toMatch(/^Wrote certs\/mine\.pub\.\n/);
    expect(mode('certs/mine.pub')).toBe('600');
    expect(existsSync(at.file(certificate))).toBe(false);
    at.clear('certs');
  });

  test('is named after a key file that does not end in .pub', async () => {
    at.write('mykey', at.read('.ssh/id_ed25519.pub'));
    expect(await done('ssh sign deploy --key mykey')).toContain('Wrote mykey-cert.pub.');
  });
});

describe('a target that cannot be written is rejected before anything is sent', () => {
  test('a symbolic link, wherever it leads', async () => {
    at.write('victim', 'precious\n');
    for (const target of [at.file('victim'), at.file('nowhere')]) {
      at.clear(certificate);
      symlinkSync(target, at.file(certificate));
      expect(await rejection('ssh sign deploy')).toBe(
        `error: cannot write ${at.file(certificate)}: it is a symbolic link\n`,
      );
      expect(lstatSync(at.file(certificate)).isSymbolicLink()).toBe(true);
      expect(readlinkSync(at.file(certificate))).toBe(target);
    }
    expect(at.read('victim')).toBe('precious\n');
    expect(existsSync(at.file('nowhere'))).toBe(false);
  });

  test('a link at --out', async () => {
    symlinkSync(at.file('victim'), at.file('link.pub'));
    expect(await rejection('ssh sign deploy --out link.pub')).toContain('symbolic link');
  });

  test('a folder', async () => {
    mkdirSync(at.file(certificate));
    expect(await rejection('ssh sign deploy')).toContain('it is not a regular file');
  });

  test.each([
    ['--out .ssh/id_ed25519', '.ssh/id_ed25519'],
    ['--out .ssh/id_ed25519.pub', '.ssh/id_ed25519.pub'],
    ['--out .ssh/config', '.ssh/config'],
    ['', certificate],
    ['--if-needed', certificate],
  ])('a file that is not a certificate: %s', async (flags, name) => {
    if (!existsSync(at.file(name))) at.write(name, 'Host ssh-ed25519-cert-v01@openssh.com\n');
    const before = at.read(name);
    expect(await rejection(`ssh sign deploy ${flags}`)).toBe(
      `error: cannot write ${at.file(name)}: already exists and is not a certificate\nhint: Remove it or choose another file.\n`,
    );
    expect(at.read(name)).toBe(before);
  });

  test('a file that is not a certificate, named in a line of a batch', async () => {
    const line = JSON.stringify({ key: '.ssh/id_ed25519.pub', out: '.ssh/id_ed25519' });
    const service = await serve((_seen, response) => response.end());
    const before = at.read('.ssh/id_ed25519');
    const ran = await run(`ssh sign deploy --batch - --address ${service.url}`, { stdin: line });
    expect(ran).toMatchObject({ code: 9 });
    expect(ran.stdout).toContain('already exists and is not a certificate');
    expect(service.seen).toEqual([]);
    expect(at.read('.ssh/id_ed25519')).toBe(before);
  });

  test('a missing folder', async () => {
    expect(await rejection('ssh sign deploy --out nowhere/c.pub')).toBe(
      `error: cannot write ${at.file('nowhere/c.pub')}: no such directory ${at.file('nowhere')}\n`,
    );
  });
});

test.skipIf(process.getuid?.() === 0)(
  'a folder that may not be written is a failure, and nothing is left',
  async () => {
    mkdirSync(at.file('closed'), { mode: 0o500 });
    const ran = await run('ssh sign deploy --out closed/c.pub');
    expectFailure(ran, 1, `cannot write ${at.file('closed/c.pub')}: permission denied`);
    expect(at.list('closed')).toEqual([]);
  },
);
