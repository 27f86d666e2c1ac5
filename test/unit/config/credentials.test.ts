import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { credentials } from '../../../src/config/credentials.ts';
import { folderForAll } from '../../support/folders.ts';
import { has } from '../../support/require.ts';

const root = folderForAll();

const source = join(import.meta.dirname, '../../../src/config');
const keyringProgram = [process.execPath, join(source, 'keyring-program.ts')] as const;
const folderKeyring = [process.execPath, join(import.meta.dirname, 'folder-keyring.ts')] as const;

const secretService =
  process.platform === 'linux' && ['dbus-daemon', 'dbus-send', 'gnome-keyring-daemon'].every(has);

let directory: string;
let path: string;
let kept: string;
beforeEach(() => {
  const folder = mkdtempSync(join(root, 'case-'));
  directory = join(folder, 'lanyard');
  path = join(directory, 'credentials.json');
  kept = join(folder, 'keyring');
  mkdirSync(kept);
});

const inFile = () =>
  credentials({ directory, env: { LANYARD_KEYRING: 'off' }, keyring: ['no-such-program'] });
const inKeyring = () =>
  credentials({ directory, env: { ...process.env, KEYRING: kept }, keyring: folderKeyring });

function given(text: string, mode = 0o600): void {
  mkdirSync(directory, { mode: 0o700 });
  writeFileSync(path, text);
  chmodSync(path, mode);
}

describe('in a file', () => {
  test('nothing stored is undefined, and makes no file', async () => {
    expect(await inFile().get('a', 'secrets')).toBeUndefined();
    expect(readdirSync(join(directory, '..'))).toEqual(['keyring']);
  });

  test('a token is stored for profile and service, with owner-only permissions', async () => {
    await inFile().set('a', 'secrets', 'one');
    await inFile().set('a', 'box', 'two');
    await inFile().set('b', 'secrets', 'three');
    await inFile().set('constructor', 'secrets', 'four');
    expect(await inFile().get('a', 'secrets')).toBe('one');
    expect(await inFile().get('a', 'box')).toBe('two');
    expect(await inFile().get('b', 'secrets')).toBe('three');
    expect(await inFile().get('constructor', 'secrets')).toBe('four');
    expect(await inFile().get('toString', 'secrets')).toBeUndefined();
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory).sort()).toEqual(['credentials.json', 'credentials.json.lock']);
  });

  test('the first token reports where it was stored and why, the next ones do not', async () => {
    expect(await inFile().set('a', 'secrets', 'one')).toEqual({
      where: 'file',
      notice: `The keyring is disabled by LANYARD_KEYRING=off; tokens are stored in ${path} (mode 0600).`,
    });
    expect(await inFile().set('b', 'secrets', 'two')).toEqual({ where: 'file' });
  });

  test('a deleted token is removed from the file', async () => {
    await inFile().set('a', 'secrets', 'hidden-word');
    await inFile().delete('a', 'secrets');
    await inFile().delete('a', 'box');
    expect(await inFile().get('a', 'secrets')).toBeUndefined();
    expect(readFileSync(path, 'utf8')).not.toContain('hidden-word');
  });

  test('unknown fields stay', async () => {
    given('{"later":[1],"tokens":{"a":{"later":{"where":"file","token":"x"}}}}');
    await inFile().set('a', 'secrets', 'one');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      later: [1],
      tokens: { a: { later: { where: 'file', token: 'x' }, secrets: { where: 'file', token: 'one' } } },
    });
  });

  test('a file that others can read is rejected, with what to do', async () => {
    given('{"tokens":{"a":{"secrets":{"where":"file","token":"hidden-word"}}}}', 0o644);
    const error = {
      kind: 'failure',
      message: `${path} is accessible to other users (mode 0644); it was not used`,
      hint: expect.stringContaining(`chmod 600 ${path}`),
    };
    await expect(inFile().get('a', 'secrets')).rejects.toMatchObject(error);
    await expect(inFile().set('a', 'secrets', 'x')).rejects.toMatchObject(error);
  });

  test('a folder that others can enter is rejected before a token is written', async () => {
    mkdirSync(directory);
    chmodSync(directory, 0o755);
    await expect(inFile().set('a', 'secrets', 'x')).rejects.toMatchObject({
      kind: 'failure',
      message: `cannot store a token in ${directory}: other users have access to the directory`,
    });
    expect(readdirSync(directory)).toEqual([]);
  });

  test('a link at the path is rejected, and its target is not changed', async () => {
    const target = join(directory, '..', 'target');
    writeFileSync(target, '{}', { mode: 0o600 });
    mkdirSync(directory, { mode: 0o700 });
    symlinkSync(target, path);
    const error = { kind: 'failure', message: `${path} is a symbolic link; it was not used` };
    await expect(inFile().get('a', 'secrets')).rejects.toMatchObject(error);
    await expect(inFile().set('a', 'secrets', 'x')).rejects.toMatchObject(error);
    expect(readFileSync(target, 'utf8')).toBe('{}');
  });

  test.each([
    ['{"tokens":', 'it is not valid JSON'],
    ['{"tokens":[]}', 'tokens must be an object'],
    ['{"tokens":{"a":{"secrets":{"where":"file"}}}}', 'tokens.a.secrets must be "keyring" or a token'],
  ])('a damaged file (%s) is reported and not changed', async (text, message) => {
    given(text);
    const error = { kind: 'failure', message: `invalid file ${path}: ${message}` };
    await expect(inFile().get('a', 'secrets')).rejects.toMatchObject(error);
    await expect(inFile().set('a', 'secrets', 'x')).rejects.toMatchObject(error);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});

describe('in the keyring', () => {
  test('a token is stored there, and the file records it without the token', async () => {
    expect(await inKeyring().set('a', 'secrets', 'hidden-word')).toEqual({ where: 'keyring' });
    expect(await inKeyring().get('a', 'secrets')).toBe('hidden-word');
    expect(readFileSync(path, 'utf8')).not.toContain('hidden-word');
    await inKeyring().delete('a', 'secrets');
    expect(readdirSync(kept)).toEqual([]);
    expect(await inKeyring().get('a', 'secrets')).toBeUndefined();
  });

  test('a token moves out of the file when the keyring responds again', async () => {
    await inFile().set('a', 'secrets', 'hidden-word');
    await inKeyring().set('a', 'secrets', 'other-word');
    expect(readFileSync(path, 'utf8')).not.toContain('word');
    expect(await inKeyring().get('a', 'secrets')).toBe('other-word');
  });

  test('two folders with a profile of one name do not overwrite each other', async () => {
    const other = credentials({
      directory: `${directory}-2`,
      env: { ...process.env, KEYRING: kept },
      keyring: folderKeyring,
    });
    await inKeyring().set('a', 'secrets', 'one');
    await other.set('a', 'secrets', 'two');
    expect(await inKeyring().get('a', 'secrets')).toBe('one');
  });

  test('a token that is in a keyring which is switched off is not passed off as absent', async () => {
    await inKeyring().set('a', 'secrets', 'one');
    await expect(inFile().get('a', 'secrets')).rejects.toMatchObject({
      kind: 'unauthenticated',
      message:
        'cannot read the token for secrets of profile a: the keyring is disabled by LANYARD_KEYRING=off',
    });
    await expect(inFile().delete('a', 'secrets')).rejects.toMatchObject({
      kind: 'failure',
      message: expect.stringContaining('cannot delete the token for '),
    });
  });

  test('an unreachable keyring leaves the token to the file', async () => {
    const store = credentials({ directory, env: process.env, keyring: ['no-such-program'] });
    expect(await store.set('a', 'secrets', 'one')).toMatchObject({
      where: 'file',
      notice: expect.stringContaining('No keyring is available; tokens are stored in '),
    });
    expect(await store.get('a', 'secrets')).toBe('one');
  });
});

describe.skipIf(process.platform !== 'linux')('the keyring of Linux', () => {
  const withBus = (address: string) =>
    credentials({
      directory,
      env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: address },
      keyring: keyringProgram,
    });

  test('without a session bus the token goes to the file, never to the keyring of the kernel', async () => {
    const store = withBus(`unix:path=${kept}/none`);
    expect(await store.set('a', 'secrets', 'one')).toMatchObject({ where: 'file' });
  });

  test('a session bus that does not respond costs 3 seconds, once: reading does not use it', async () => {
    let asked = 0;
    const bus = createServer((socket) => {
      asked++;
      socket.on('error', () => {});
      socket.resume();
    }).listen(join(kept, 'bus'));
    await once(bus, 'listening');
    const store = withBus(`unix:path=${kept}/bus`);
    const begin = performance.now();
    expect(await store.set('a', 'secrets', 'one')).toMatchObject({
      where: 'file',
      notice: expect.stringContaining('The keyring did not respond within 3 s; '),
    });
    expect(performance.now() - begin).toBeGreaterThan(2900);
    expect(asked).toBe(1);
    expect(await store.get('a', 'secrets')).toBe('one');
    bus.close();
    // Who asks it again is seen before the last connection is closed.
    await once(bus, 'close');
    expect(asked).toBe(1);
  });

  test.skipIf(!secretService)('a real secret service stores, returns and deletes the token', async () => {
    const env = { ...process.env, HOME: kept, XDG_DATA_HOME: kept, XDG_RUNTIME_DIR: kept };
    const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address'], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = await once(bus.stdout, 'data');
    const address = String(line).trim();
    const daemon = spawn('gnome-keyring-daemon', ['--foreground', '--components=secrets', '--unlock'], {
      env: { ...env, DBUS_SESSION_BUS_ADDRESS: address },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    daemon.stdin.end('password');
    try {
      const unlocked = () => existsSync(join(kept, 'keyrings/login.keyring'));
      while (!unlocked() || !isOnBus(address, 'org.freedesktop.secrets')) await delay(50);
      const store = withBus(address);
      expect(await store.set('a', 'secrets', 'hidden-word')).toEqual({ where: 'keyring' });
      expect(await store.get('a', 'secrets')).toBe('hidden-word');
      await store.delete('a', 'secrets');
      expect(await store.get('a', 'secrets')).toBeUndefined();
      expect(readFileSync(path, 'utf8')).not.toContain('hidden-word');
    } finally {
      daemon.kill();
      bus.kill();
    }
  });
});

function isOnBus(address: string, name: string): boolean {
  const question = ['--print-reply', '--dest=org.freedesktop.DBus', '/', 'org.freedesktop.DBus.NameHasOwner'];
  const { stdout } = spawnSync('dbus-send', [`--bus=${address}`, ...question, `string:${name}`]);
  return String(stdout).includes('true');
}
