import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  isAccessibleToOthers,
  readPrivate,
  readTrusted,
  replacePrivate,
} from '../../../src/config/private-file.ts';
import { folderForAll } from '../../support/folders.ts';
import { patch } from '../../support/patched-fs.ts';
import { isRoot } from '../../support/require.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { become, other, setUmask, someone } from '../../support/users.ts';

const root = folderForAll();

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'));
  path = join(folder, 'file');
});

const readers = { readTrusted, readPrivate };

function given(text: string, mode = 0o600, at = path): void {
  writeFileSync(at, text);
  chmodSync(at, mode);
}

/** The rest of the test runs as another user, who may enter the folder and owns it. */
function becomeOwner(user: number): void {
  chmodSync(root, 0o755);
  chownSync(folder, user, user);
  become(user);
}

/** The module as it is on Windows, where files have no owner and no mode that counts. */
async function onWindows() {
  vi.resetModules();
  vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
  vi.stubGlobal('process', Object.create(process, { geteuid: { value: undefined } }));
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    vi.resetModules();
  });
  return import('../../../src/config/private-file.ts');
}

const open = (): number => readdirSync('/proc/self/fd').length;

/** Expects that what is done again and again, and may fail, leaves no file open. */
async function expectNoneLeftOpen(act: () => unknown): Promise<void> {
  const before = open();
  for (let round = 0; round < 20; round++) {
    try {
      await act();
    } catch {
      // What it says is expected elsewhere.
    }
  }
  expect(open()).toBeLessThan(before + 10);
}

describe('a mode', () => {
  test.each(['600', '400', '700', '100600'])('%s permits only the owner', (mode) => {
    expect(isAccessibleToOthers(Number.parseInt(mode, 8))).toBe(false);
  });

  test.each(['640', '620', '610', '604', '602', '601'])('%s permits others', (mode) => {
    expect(isAccessibleToOthers(Number.parseInt(mode, 8))).toBe(true);
  });

  test('is not checked on Windows, which has none', async () => {
    expect((await onWindows()).isAccessibleToOthers(0o666)).toBe(false);
  });
});

describe.each(['readTrusted', 'readPrivate'] as const)('%s', (name) => {
  const read = readers[name];

  test('returns the text of a file', async () => {
    given('grüße\n');
    expect(await read(path)).toBe('grüße\n');
  });

  test('returns undefined for a missing file, and for one in a missing folder', async () => {
    expect(await read(path)).toBeUndefined();
    expect(await read(join(path, 'file'))).toBeUndefined();
  });

  test('rejects a path below a file', async () => {
    given('x');
    await expect(read(join(path, 'file'))).rejects.toMatchObject({
      kind: 'failure',
      message: `cannot read ${join(path, 'file')}: not a directory`,
      cause: expect.objectContaining({ code: 'ENOTDIR' }),
    });
  });

  test('rejects a file of more than 16 MiB', async () => {
    const limit = 16 * 1024 * 1024;
    given('');
    truncateSync(path, limit);
    expect(await read(path)).toHaveLength(limit);
    truncateSync(path, limit + 1);
    await expect(read(path)).rejects.toMatchObject({
      kind: 'failure',
      message: `${path} is larger than 16 MiB`,
    });
  });

  test('rejects a pipe without waiting for a writer', async () => {
    execFileSync('mkfifo', ['-m', '600', path]);
    await expect(read(path)).rejects.toMatchObject({
      kind: 'failure',
      message: `${path} is not a regular file`,
    });
  });

  test('reads any file on Windows', async () => {
    given('x', 0o666);
    chmodSync(folder, 0o777);
    if (isRoot()) chownSync(path, someone, someone);
    expect(await (await onWindows())[name](path)).toBe('x');
  });

  test.runIf(process.platform === 'linux')('leaves no file open', async () => {
    given('x');
    await expectNoneLeftOpen(() => read(path));
    chmodSync(path, 0o666);
    await expectNoneLeftOpen(() => read(path));
  });

  describe.runIf(isRoot())('as root', () => {
    test('rejects a file of another user, with the fix', async () => {
      given('x');
      chownSync(path, someone, someone);
      await expect(read(path)).rejects.toMatchObject({
        kind: 'failure',
        message: `${path} belongs to another user (uid ${someone}); it was not used`,
        hint: `Check its content, then run \`chown 0 ${path}\`.`,
      });
    });
  });

  describe.runIf(isRoot())('as a user', () => {
    test('reads a file of their own', async () => {
      given('x');
      chownSync(path, someone, someone);
      becomeOwner(someone);
      expect(await read(path)).toBe('x');
    });

    test('rejects a file of another user, with the fix', async () => {
      // Both readers may open it: that a user cannot read it is not what rejects it.
      given('x', 0o644);
      chownSync(path, other, other);
      becomeOwner(someone);
      await expect(read(path)).rejects.toMatchObject({
        message: `${path} belongs to another user (uid ${other}); it was not used`,
        hint: `Check its content, then run \`chown ${someone} ${path}\`.`,
      });
    });

    test('names a file that may not be read', async () => {
      given('x', 0o600);
      becomeOwner(someone);
      await expect(read(path)).rejects.toMatchObject({
        kind: 'failure',
        message: `cannot read ${path}: permission denied`,
      });
    });
  });
});

describe('a file that decides where tokens are sent', () => {
  test.each(['600', '640', '644', '400', '755'])('is read with mode %s', async (mode) => {
    given('x', Number.parseInt(mode, 8));
    expect(await readTrusted(path)).toBe('x');
  });

  test.each(['622', '620', '602'])('is rejected with mode %s, with the fix', async (mode) => {
    given('x', Number.parseInt(mode, 8));
    await expect(readTrusted(path)).rejects.toMatchObject({
      kind: 'failure',
      message: `${path} is writable by other users (mode 0${mode}); it was not used`,
      hint: `Check its content, then run \`chmod go-w ${path}\`.`,
    });
  });

  test('is rejected in a folder that others may write', async () => {
    given('x');
    chmodSync(folder, 0o720);
    await expect(readTrusted(path)).rejects.toMatchObject({
      message: `${folder} is writable by other users (mode 0720); it was not used`,
    });
  });

  test.runIf(isRoot())('is rejected in a folder of another user', async () => {
    given('x');
    chownSync(folder, someone, someone);
    await expect(readTrusted(path)).rejects.toMatchObject({
      message: `${folder} belongs to another user (uid ${someone}); it was not used`,
    });
  });

  test.runIf(isRoot())("may be the administrator's", async () => {
    given('x', 0o644);
    becomeOwner(someone);
    expect(await readTrusted(path)).toBe('x');
  });

  test('may be reached by a link', async () => {
    given('x', 0o600, join(folder, 'kept'));
    symlinkSync('kept', path);
    expect(await readTrusted(path)).toBe('x');
  });

  test('is rejected behind a link that leads nowhere, with the fix', async () => {
    symlinkSync('nowhere', path);
    await expect(readTrusted(path)).rejects.toMatchObject({
      kind: 'failure',
      message: `${path} is a symbolic link to a file that does not exist`,
      hint: 'Create that file or remove the link.',
    });
  });

  test('is no folder', async () => {
    await expect(readTrusted(folder)).rejects.toMatchObject({
      kind: 'failure',
      message: `cannot read ${folder}: illegal operation on a directory`,
    });
  });
});

describe('a file that holds tokens', () => {
  test.each(['400', '700'])('is read with mode %s', async (mode) => {
    given('x', Number.parseInt(mode, 8));
    expect(await readPrivate(path)).toBe('x');
  });

  test.each(['640', '620', '610', '604', '602', '601'])('is rejected with mode %s', async (mode) => {
    given('x', Number.parseInt(mode, 8));
    await expect(readPrivate(path)).rejects.toMatchObject({
      kind: 'failure',
      message: `${path} is accessible to other users (mode 0${mode}); it was not used`,
      hint: `Run \`chmod 600 ${path}\`, and renew its tokens if other users may have read them.`,
    });
  });

  test('is not read through a link, with the fix', async () => {
    given('x', 0o600, join(folder, 'kept'));
    symlinkSync('kept', path);
    await expect(readPrivate(path)).rejects.toMatchObject({
      kind: 'failure',
      message: `${path} is a symbolic link; it was not used`,
      hint: 'Find out who created it and remove it.',
    });
  });

  test('is no folder', async () => {
    await expect(readPrivate(folder)).rejects.toMatchObject({
      kind: 'failure',
      message: `${folder} is not a regular file`,
    });
  });
});

describe('replacing a private file', () => {
  const beside = () => readdirSync(folder).filter((name) => name !== 'file');

  test.each([0o777, 0])('creates it with mode 0600, with umask %i', (mask) => {
    setUmask(mask);
    replacePrivate(path, 'grüße\n');
    expect(readFileSync(path, 'utf8')).toBe('grüße\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(beside()).toEqual([]);
  });

  test('syncs the new file before it is moved into place, complete', () => {
    const steps: string[] = [];
    patch('fsyncSync', (real) => (file: number) => {
      real(file);
      steps.push(`sync ${readFileSync(`${path}.new`, 'utf8')}`);
    });
    patch('renameSync', (real) => (from: string, to: string) => {
      steps.push('rename');
      real(from, to);
    });
    // The system may write only a part at a time.
    patch(
      'writeSync',
      (real) => (file: number, bytes: Buffer, at: number) =>
        real(file, bytes, at, Math.min(2, bytes.length - at)),
    );
    replacePrivate(path, 'token');
    expect(steps).toEqual(['sync token', 'rename']);
  });

  test('can make it empty', () => {
    given('old');
    replacePrivate(path, '');
    expect(readFileSync(path, 'utf8')).toBe('');
  });

  test('creates another file, so that readers of the old one see nothing of the new one', () => {
    given('old', 0o644);
    const before = statSync(path).ino;
    replacePrivate(path, 'new');
    expect(statSync(path).ino).not.toBe(before);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('removes what a killed run left', () => {
    given('left', 0o644, `${path}.new`);
    replacePrivate(path, 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(beside()).toEqual([]);
  });

  test('does not follow a link in place of the temporary file', () => {
    const target = join(root, 'target');
    given('old', 0o600, target);
    symlinkSync(target, `${path}.new`);
    replacePrivate(path, 'new');
    expect(readFileSync(target, 'utf8')).toBe('old');
    expect(statSync(path).isFile()).toBe(true);
    expect(beside()).toEqual([]);
  });

  test('names a file that it cannot move into place, and leaves no temporary file', () => {
    mkdirSync(path);
    expect(() => replacePrivate(path, 'new')).toThrow(
      expect.objectContaining({
        kind: 'failure',
        message: `cannot write ${path}: illegal operation on a directory`,
        cause: expect.objectContaining({ code: 'EISDIR' }),
      }),
    );
    expect(beside()).toEqual([]);
  });

  test('names a file in a missing folder', () => {
    const missing = join(folder, 'no', 'file');
    expect(() => replacePrivate(missing, 'new')).toThrow(
      expect.objectContaining({
        kind: 'failure',
        message: `cannot write ${missing}: no such file or directory`,
      }),
    );
  });

  test('names the file when a folder is in place of the temporary file', () => {
    given('old');
    mkdirSync(`${path}.new`);
    expect(() => replacePrivate(path, 'new')).toThrow(
      expect.objectContaining({
        kind: 'failure',
        message: expect.stringContaining(`cannot write ${path}: `),
      }),
    );
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  test('keeps the old file when the disk is full', async (context) => {
    const disk = await smallDisk();
    if (disk === undefined) return context.skip('mounting a disk needs more rights');
    const full = join(disk, 'file');
    given('old', 0o600, full);
    expect(() => replacePrivate(full, 'x'.repeat(6 * 1024 * 1024))).toThrow(
      expect.objectContaining({ message: `cannot write ${full}: no space left on device` }),
    );
    expect(readFileSync(full, 'utf8')).toBe('old');
    expect(existsSync(`${full}.new`)).toBe(false);
  });

  test.runIf(process.platform === 'linux')('leaves no file open', async () => {
    await expectNoneLeftOpen(() => replacePrivate(path, 'new'));
    expect(readFileSync(path, 'utf8')).toBe('new');
  });
});
