import fs, {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeFiles } from '../../../src/io/files.ts';
import { folderForAll } from '../../support/folders.ts';
import { patch } from '../../support/patched-fs.ts';
import { isRoot } from '../../support/require.ts';
import { become, someone } from '../../support/users.ts';

const root = folderForAll();

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'));
});
const at = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(at(name), 'utf8');

/** A file system without hard links; something may happen first. */
function withoutLinks(first = () => {}): void {
  patch('linkSync', () => () => {
    first();
    throw Object.assign(new Error('EPERM'), { code: 'EPERM', errno: -1 });
  });
}

describe('files that are written', () => {
  test('are complete although the system writes only a part at a time', () => {
    patch(
      'writeSync',
      (real) => (file: number, bytes: Buffer, from: number) =>
        real(file, bytes, from, Math.min(3, bytes.length - from)),
    );
    writeFiles([{ path: at('a'), content: '0123456789' }]);
    expect(read('a')).toBe('0123456789');
  });

  test('may be empty', () => {
    writeFiles([{ path: at('a'), content: '' }]);
    expect(read('a')).toBe('');
  });

  test('are synced before they are moved into place, and their folders after that', () => {
    const steps: string[] = [];
    const nameOf = (file: number) => {
      const path = fs.readlinkSync(`/proc/self/fd/${file}`);
      return path === folder || path === dirname(folder) ? 'folder' : 'file';
    };
    patch('fsyncSync', (real) => (file: number) => {
      steps.push(`sync ${nameOf(file)}`);
      real(file);
    });
    patch('linkSync', (real) => (from: string, to: string) => {
      steps.push('link');
      real(from, to);
    });
    patch('renameSync', (real) => (from: string, to: string) => {
      steps.push('rename');
      real(from, to);
    });
    writeFiles([
      { path: at('a'), content: '1' },
      { path: at('b'), content: '2' },
      { path: join(dirname(folder), 'c'), content: '3', replace: true },
    ]);
    expect(steps).toEqual([
      ...['sync file', 'sync file', 'sync file'],
      ...['link', 'link', 'rename'],
      ...['sync folder', 'sync folder'],
    ]);
  });

  test('are written where the folder cannot be synced', () => {
    patch('fsyncSync', (real) => (file: number) => {
      if (fs.fstatSync(file).isDirectory()) throw new Error('EINVAL');
      real(file);
    });
    writeFiles([{ path: at('a'), content: '1' }]);
    expect(read('a')).toBe('1');
  });

  test.runIf(isRoot())('are written in a folder that may not be read', () => {
    chmodSync(root, 0o755);
    chmodSync(folder, 0o300);
    chownSync(folder, someone, someone);
    become(someone);
    writeFiles([{ path: at('a'), content: '1' }]);
    expect(read('a')).toBe('1');
  });

  test.runIf(process.platform === 'linux')('are closed', () => {
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    for (let round = 0; round < 20; round++) writeFiles([{ path: at('a'), content: '1', replace: true }]);
    expect(open()).toBeLessThan(before + 10);
  });
});

describe('when a later file cannot be written', () => {
  const failing = [
    { path: '', content: '1' },
    { path: '', content: '2' },
  ];
  /** Two new files of one name: the second cannot be moved into place. */
  const twice = () => failing.map((file) => ({ ...file, path: at('twice') }));

  test('a file that was replaced twice is restored to its first content', () => {
    writeFileSync(at('cert'), 'old');
    expect(() =>
      writeFiles([
        { path: at('cert'), content: 'new', replace: true },
        { path: at('cert'), content: 'newer', replace: true },
        ...twice(),
      ]),
    ).toThrow(
      expect.objectContaining({
        kind: 'failure',
        message: `cannot write ${at('twice')}: file already exists`,
      }),
    );
    expect(read('cert')).toBe('old');
    expect(readdirSync(folder)).toEqual(['cert']);
  });

  test('a new file that could have been replaced is removed', () => {
    expect(() => writeFiles([{ path: at('cert'), content: 'new', replace: true }, ...twice()])).toThrow(
      'file already exists',
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a file that was replaced is restored, also without hard links', () => {
    writeFileSync(at('cert'), 'old');
    writeFileSync(at('last'), 'last');
    withoutLinks();
    patch('renameSync', (real) => (from: string, to: string) => {
      if (to === at('last')) throw Object.assign(new Error('EIO'), { code: 'EIO', errno: -5 });
      real(from, to);
    });
    expect(() =>
      writeFiles(['cert', 'last'].map((name) => ({ path: at(name), content: 'new', replace: true }))),
    ).toThrow(`cannot write ${at('last')}: i/o error`);
    expect([read('cert'), read('last')]).toEqual(['old', 'last']);
    expect(readdirSync(folder)).toEqual(['cert', 'last']);
  });
});

describe('without hard links', () => {
  test('a new file is moved into place', () => {
    withoutLinks();
    writeFiles([{ path: at('a'), content: '1' }]);
    expect(read('a')).toBe('1');
    expect(readdirSync(folder)).toEqual(['a']);
  });

  test.each([
    [undefined, 'Remove it or choose another file.'],
    [false, 'Use --force to replace it.'],
  ])('a file that was created meanwhile is not replaced (replace: %s)', (replace, hint) => {
    withoutLinks(() => writeFileSync(at('a'), 'meanwhile'));
    expect(() =>
      writeFiles([{ path: at('a'), content: '1', ...(replace !== undefined && { replace }) }]),
    ).toThrow(
      expect.objectContaining({ kind: 'usage', message: `cannot write ${at('a')}: already exists`, hint }),
    );
    expect(read('a')).toBe('meanwhile');
    expect(readdirSync(folder)).toEqual(['a']);
  });

  test('a link that was created meanwhile is not replaced either', () => {
    writeFileSync(at('a'), 'old');
    withoutLinks(() => {
      rmSync(at('a'));
      symlinkSync('elsewhere', at('a'));
      writeFileSync(at('elsewhere'), 'other');
    });
    expect(() => writeFiles([{ path: at('a'), content: '1', replace: true }])).toThrow(
      'it is a symbolic link',
    );
    expect(read('elsewhere')).toBe('other');
  });
});

describe('a temporary file that a killed run left', () => {
  const left = (name: string, minutes: number): void => {
    writeFileSync(at(name), 'left');
    const when = new Date(Date.now() - minutes * 60_000);
    utimesSync(at(name), when, when);
  };
  const one = '.key.0a1b2c3d-4e5f.tmp';
  const two = '.key.11111111-1111.tmp';

  test('is removed when it is more than ten minutes old', () => {
    left(one, 9);
    left(two, 11);
    left('other', 60);
    writeFiles([{ path: at('key'), content: '1' }]);
    expect(readdirSync(folder)).toEqual([one, 'key', 'other']);
  });

  test('is removed by the name that temporary files have', () => {
    let name = '';
    patch('linkSync', (real) => (from: string, to: string) => {
      name = basename(from);
      real(from, to);
    });
    writeFiles([{ path: join(root, 'key'), content: '1' }]);
    left(name, 60);
    writeFiles([{ path: at('key'), content: '1' }]);
    expect(readdirSync(folder)).toEqual(['key']);
  });

  test('is looked for once in each folder, however many files are written', () => {
    let listed = 0;
    patch('readdirSync', (real) => (path: string) => {
      listed++;
      return real(path);
    });
    for (const name of ['a', 'b', 'c']) writeFiles([{ path: at(name), content: '1' }]);
    expect(listed).toBe(1);
  });

  test('is removed by a later write, though others were removed by then', () => {
    left(one, 60);
    left(two, 0);
    writeFiles([{ path: at('key'), content: '1' }]);
    expect(existsSync(at(two))).toBe(true);
    left(two, 60);
    writeFiles([{ path: at('key'), content: '2', replace: true }]);
    expect(readdirSync(folder)).toEqual(['key']);
  });

  test('is unchanged when it has another name', () => {
    const names = [
      'a.key.0a1b2c3d-4e5f.tmp',
      '.key.0a1b2c3d-4e5f.tmp.tmp',
      '.key.0a1b2c3d-4e5f',
      '.key.0a1b2c3d-4e5f0.tmp',
      '.key.0a1b2c3-4e5f.tmp',
      '.keys.0a1b2c3d-4e5f.tmp',
      '.0a1b2c3d-4e5f.tmp',
      '.key.tmp',
      '.key.0a1b2c3d.tmp',
      '.key.0a1b2c3d-4e5g.tmp',
      '.key.0a1b2c3d-4e5f.tmp~',
    ];
    for (const name of names) left(name, 60);
    writeFiles([{ path: at('key'), content: '1' }]);
    expect(readdirSync(folder)).toEqual([...names, 'key'].sort());
  });

  test.runIf(isRoot())('is unchanged when it belongs to another user', () => {
    left(one, 60);
    chownSync(at(one), 65534, 65534);
    writeFiles([{ path: at('key'), content: '1' }]);
    expect(readdirSync(folder)).toEqual([one, 'key']);
  });

  test('is unchanged when it is not a file', () => {
    fs.mkdirSync(at(one));
    symlinkSync('key', at(two));
    for (const name of [one, two]) fs.lutimesSync(at(name), 0, 0);
    writeFiles([{ path: at('key'), content: '1' }]);
    expect(readdirSync(folder)).toEqual([one, two, 'key']);
  });
});
