import { statSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { expectFailure, jsonLines, quietOutputOf } from '../../support/command-tests.ts';
import { eventually } from '../../support/eventually.ts';
import { makeKey, signing } from '../signing.ts';

const { at, run, done } = signing();
const list = 'registry:ssh/revoked';
const revoke = (serials: string, where = list) =>
  done(`ssh revoke --serial ${serials} --ca any --list ${where} --yes`);
const install = (file: string, flags = '', where = list) =>
  run(`ssh trust --revoked ${file} --list ${where} ${flags}`);

describe('ssh trust --revoked', () => {
  test('installs the list with mode 0644, and leaves an equal file alone', async () => {
    await revoke('1-5');
    const text = quietOutputOf(await install('installed'));
    expect(text).toContain('Installed version 1 of the revocation list (1 entry)');
    expect(text).toContain(`\nRevokedKeys ${at.file('installed')}\n`);
    expect(text).toContain(`\nRevokedHostKeys ${at.file('installed')}\n`);
    expect((statSync(at.file('installed')).mode & 0o777).toString(8)).toBe('644');
    utimesSync(at.file('installed'), 1000, 1000);
    expect(quietOutputOf(await install('installed'))).toBe(
      `${at.file('installed')} is up to date: version 1.\n`,
    );
    expect(statSync(at.file('installed')).mtimeMs).toBe(1_000_000);
    await revoke('7');
    expect(JSON.parse(quietOutputOf(await install('installed', '-o json')))).toMatchObject({
      version: '2',
      entries: 2,
      changed: true,
    });
  });

  test('does not replace a newer list, or one with other entries, unless --allow-older is given', async () => {
    await revoke('1', 'older');
    await revoke('2', 'newer');
    await revoke('3', 'newer');
    await install('host', '', 'newer');
    const before = at.bytes('host');
    expectFailure(await install('host', '', 'older'), 6, 'has the newer version 2');
    await revoke('9', 'older');
    expectFailure(await install('host', '', 'older'), 6, 'has other entries with the same version');
    expect(at.bytes('host')).toEqual(before);
    expect(await install('host', '--allow-older', 'older')).toMatchObject({ code: 0 });
    expect(at.bytes('host')).toEqual(at.bytes('older'));
  });

  test('replaces an empty and a damaged file, and rejects a file of another kind', async () => {
    await revoke('1', 'given');
    for (const content of [Buffer.alloc(0), at.bytes('given').subarray(0, 30)]) {
      at.write('host', content);
      expect(await install('host', '', 'given')).toMatchObject({ code: 0 });
      expect(at.bytes('host')).toEqual(at.bytes('given'));
    }
    const { publicLine } = makeKey(at, 'k', 'ed25519');
    at.write('host', publicLine);
    expectFailure(await install('host', '', 'given'), 2, 'is not an OpenSSH key revocation list');
    expect(at.read('host')).toBe(publicLine);
  });

  test('a missing or damaged list leaves the file as it is', async () => {
    await revoke('1', 'damaged');
    await done('ssh trust --revoked kept --list damaged');
    const before = at.bytes('kept');
    expectFailure(await install('kept', '', 'registry:none'), 3, 'no revocation list exists');
    at.write('damaged', before.subarray(0, -5));
    expectFailure(await install('kept', '', 'damaged'), 2, 'is damaged');
    expect(at.bytes('kept')).toEqual(before);
  });

  test('a dry run writes nothing', async () => {
    await revoke('1', 'given');
    expect(quietOutputOf(await install('new', '--dry-run', 'given'))).toContain(
      'Dry run: nothing was written',
    );
    expect(at.list()).not.toContain('new');
  });

  test.each([
    ['--list registry:a', '--list requires --revoked FILE'],
    ['--watch', '--watch requires --revoked FILE'],
    ['--revoked f --users u', '--revoked and --users exclude each other'],
    ['--revoked f --known-hosts k', '--revoked and --known-hosts exclude each other'],
    ['--revoked f --remove SHA256:x', '--revoked and --remove exclude each other'],
  ])('ssh trust %s is a usage error', async (line, message) => {
    expectFailure(await run(`ssh trust ${line}`), 2, message);
  });

  test.each(['registry', 'secrets', 'file'] as const)(
    '--watch installs each new list of a place of kind %s',
    async (store) => {
      const where = { registry: 'registry:ssh/w', secrets: 'secrets:secret/ssh/w', file: 'w.krl' }[store];
      const file = `watched-${store}`;
      await revoke('1', where);
      const end = new AbortController();
      const interval = store === 'registry' ? '' : '--interval 100ms';
      const watching = run(`ssh trust --revoked ${file} --list ${where} --watch ${interval} -o jsonl`, {
        signal: end.signal,
      });
      await eventually(() => expect(at.bytes(file)).toEqual(at.bytes(file)));
      await revoke('2', where);
      await eventually(async () =>
        expect(JSON.parse(await done(`ssh revoked list --list ${file} -o json`)).version).toBe('2'),
      );
      end.abort('SIGINT');
      const { code, stdout } = await watching;
      expect(code).toBe(130);
      expect(jsonLines(stdout).length).toBeGreaterThanOrEqual(2);
    },
  );
});
