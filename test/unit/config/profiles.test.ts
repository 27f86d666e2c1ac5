import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkProfileName, profiles } from '../../../src/config/profiles.ts';
import { folderForAll } from '../../support/folders.ts';
import { sized } from '../../support/soak.ts';

const processes = sized(50, 12);

const root = folderForAll();

let directory: string;
let path: string;
beforeEach(() => {
  directory = join(mkdtempSync(join(root, 'case-')), 'lanyard');
  path = join(directory, 'config.json');
});

function given(text: string): void {
  mkdirSync(directory, { mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
}

const program = (name: string) => join(import.meta.dirname, name);

async function ends(child: ReturnType<typeof spawn>): Promise<number | null> {
  const [code] = await once(child, 'exit');
  return code;
}

describe('reading', () => {
  test('without a file there are no profiles, and no file or folder is made', async () => {
    expect(await profiles(directory).read()).toEqual({ profiles: {} });
    expect(() => statSync(directory)).toThrow('ENOENT');
  });

  test('gives what the file holds, a byte order mark aside', async () => {
    given('\uFEFF{"active":"a","profiles":{"a":{"box":{"address":"http://x"}}}}');
    expect(await profiles(directory).read()).toEqual({
      active: 'a',
      profiles: { a: { box: { address: 'http://x' } } },
    });
  });

  test('finds no profile under the name of a field of every object', async () => {
    given('{"profiles":{}}');
    const { profiles: held } = await profiles(directory).read();
    expect(held.constructor).toBeUndefined();
  });

  test.each([
    ['cut', '{"active":"a","prof', 'it is not valid JSON'],
    ['empty', '', 'it is empty'],
    ['a list', '[]', 'the document must be an object'],
    ['profiles as a list', '{"profiles":[]}', 'profiles must be an object'],
    ['a profile that is text', '{"profiles":{"a":"x"}}', 'profiles.a must be an object'],
    ['a service that is null', '{"profiles":{"a":{"box":null}}}', 'profiles.a.box must be an object'],
    [
      'an address that is a number',
      '{"profiles":{"a":{"box":{"address":1}}}}',
      'profiles.a.box.address must be a string',
    ],
    [
      'a switch that is text',
      '{"profiles":{"a":{"box":{"skipVerify":"no"}}}}',
      'profiles.a.box.skipVerify must be true or false',
    ],
    ['an active that is a number', '{"active":1}', 'active must be a string'],
  ])('a damaged file (%s) is reported with its path, and not changed', async (_, text, message) => {
    given(text);
    const error = { kind: 'failure', message: `invalid file ${path}: ${message}` };
    await expect(profiles(directory).read()).rejects.toMatchObject(error);
    await expect(profiles(directory).change((current) => current)).rejects.toMatchObject(error);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  // The other conditions are those of readTrusted.
  test('a file that others may write is rejected, and not changed', async () => {
    given('{"active":"a"}');
    chmodSync(path, 0o620);
    const error = {
      kind: 'failure',
      message: `${path} is writable by other users (mode 0620); it was not used`,
      hint: `Check its content, then run \`chmod go-w ${path}\`.`,
    };
    await expect(profiles(directory).read()).rejects.toMatchObject(error);
    await expect(profiles(directory).change((current) => current)).rejects.toMatchObject(error);
    expect(readFileSync(path, 'utf8')).toBe('{"active":"a"}');
  });

  test('a file that others may read is read', async () => {
    given('{"active":"a"}');
    chmodSync(path, 0o644);
    expect(await profiles(directory).read()).toMatchObject({ active: 'a' });
  });

  test('a link that leads nowhere is rejected, and creates nothing', async () => {
    mkdirSync(directory, { mode: 0o700 });
    const kept = join(directory, '..', 'kept.json');
    symlinkSync(kept, path);
    const error = { kind: 'failure', message: `${path} is a symbolic link to a file that does not exist` };
    await expect(profiles(directory).read()).rejects.toMatchObject(error);
    await expect(profiles(directory).change((current) => current)).rejects.toMatchObject(error);
    expect(existsSync(kept)).toBe(false);
  });
});

describe('changing', () => {
  test('makes a folder and a file for the owner alone', async () => {
    const changed = await profiles(directory).change((current) => ({ ...current, active: 'a.b' }));
    expect(changed).toEqual({ active: 'a.b', profiles: {} });
    expect(await profiles(directory).read()).toEqual(changed);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory).sort()).toEqual(['config.json', 'config.json.lock']);
  });

  test('makes them so whatever the mask of the process is', async () => {
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const above = dirname(directory);
    chmodSync(root, 0o755);
    if (user.uid !== undefined) chownSync(above, user.uid, user.uid);
    const line = `umask 0777; exec "${process.execPath}" "${program('add-profile.ts')}" "${directory}" "$0"`;
    for (const name of ['a', 'b']) {
      const child = spawn('sh', ['-c', line, name], { stdio: 'inherit', ...user, cwd: '/' });
      expect(await ends(child)).toBe(0);
    }
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(`${path}.lock`).mode & 0o777).toBe(0o600);
    expect(Object.keys(JSON.parse(readFileSync(path, 'utf8')).profiles)).toEqual(['a', 'b']);
  });

  test('makes a file that others could read private again', async () => {
    given('{}');
    chmodSync(path, 0o644);
    await profiles(directory).change((current) => current);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('keeps dots in names, unknown fields, long integers and every key', async () => {
    const text =
      '{"later":{"n":12345678901234567890},"__proto__":{"a":1},' +
      '"profiles":{"a.b":{"box":{"new":[1]}},"constructor":{"box":{}},"__proto__":{"box":{}}}}';
    given(text);
    await profiles(directory).change((current) => ({ ...current, active: 'a.b' }));
    const written = readFileSync(path, 'utf8').replaceAll(/\s/g, '');
    for (const member of text.slice(1, -1).split(/,(?="__proto__":{"a)|,(?="profiles)/)) {
      expect(written).toContain(member);
    }
  });

  test('follows a link, so that the file may be elsewhere', async () => {
    const kept = join(directory, '..', 'kept.json');
    writeFileSync(kept, '{"profiles":{}}');
    mkdirSync(directory);
    symlinkSync(kept, path);
    await profiles(directory).change((current) => ({ ...current, active: 'a' }));
    expect(readFileSync(kept, 'utf8')).toContain('"active": "a"');
  });

  test('a change that fails writes nothing', async () => {
    given('{"active":"a"}');
    const reject = () => {
      throw new Error('refused');
    };
    await expect(profiles(directory).change(reject)).rejects.toThrow('refused');
    expect(readFileSync(path, 'utf8')).toBe('{"active":"a"}');
  });

  test('is written next to it and renamed also in a terminal that a snap opened', async () => {
    given('{}');
    const before = statSync(path).ino;
    const child = spawn(process.execPath, [program('add-profile.ts'), directory, 'a'], {
      env: { ...process.env, SNAP: '/snap/editor/1' },
      stdio: 'inherit',
    });
    expect(await ends(child)).toBe(0);
    expect(statSync(path).ino).not.toBe(before);
  });

  test(`${processes} processes that change it at once lose nothing`, async () => {
    const names = Array.from({ length: processes }, (_, index) => `p${index}`);
    const children = names.map((name) =>
      spawn(process.execPath, [program('add-profile.ts'), directory, name], { stdio: 'inherit' }),
    );
    expect(await Promise.all(children.map(ends))).toEqual(names.map(() => 0));
    const { profiles: held } = await profiles(directory).read();
    expect(Object.keys(held).sort()).toEqual(names.sort());
    expect(readdirSync(directory).sort()).toEqual(['config.json', 'config.json.lock']);
  });

  test('waits for the process that holds the lock, and continues when that is killed', async () => {
    given('{}');
    const holder = spawn(process.execPath, [program('hold-lock.ts'), path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    let done = false;
    const change = profiles(directory)
      .change((current) => ({ ...current, active: 'a' }))
      .then(() => {
        done = true;
      });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(done).toBe(false);
    holder.kill('SIGKILL');
    // Else it would hold the lock for ten minutes, and who waits would give up.
    await change;
    expect(done).toBe(true);
  });

  test('changes of one process wait for each other too', async () => {
    const { change, read } = profiles(directory);
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) =>
        change((current) => ({ ...current, profiles: { ...current.profiles, [name]: {} } })),
      ),
    );
    expect(Object.keys((await read()).profiles).sort()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('a lock that is not ours is named', async () => {
    given('{}');
    writeFileSync(`${path}.lock`, 'something that somebody wrote there '.repeat(100));
    await expect(profiles(directory).change((current) => current)).rejects.toMatchObject({
      kind: 'failure',
      message: `cannot lock ${path}.lock: file is not a database`,
    });
  });
});

describe('the name of a profile', () => {
  test.each(['a', 'prod', 'a.b-c_d', '9', 'constructor', 'x'.repeat(64)])('%s may be one', (name) => {
    expect(checkProfileName(name)).toBe(name);
  });

  test.each(['', '.', '..', '-a', '_a', '__proto__', 'a/b', 'a b', 'ä', 'a\n', 'x'.repeat(65)])(
    '%j may not',
    (name) => {
      expect(() => checkProfileName(name)).toThrow(expect.objectContaining({ kind: 'usage' }));
    },
  );
});
