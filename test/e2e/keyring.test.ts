import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { homeForAll } from '../support/command-tests.ts';
import { has } from '../support/require.ts';

// The keyring of a desktop: gnome-keyring on a session bus of its own.

const at = homeForAll();
const program = new URL('../../src/config/keyring-program.ts', import.meta.url).pathname;

const script = `
  printf pw | gnome-keyring-daemon --unlock --components=secrets > /dev/null 2>&1
  request() { printf '%s' "$1" | "$NODE" "$PROGRAM"; echo; }
  request '{"action":"set","account":"a","token":"hvs.a"}'
  request '{"action":"get","account":"a","noPrompt":true}'
  dbus-send --session --print-reply=literal --dest=org.freedesktop.secrets /org/freedesktop/secrets \\
    org.freedesktop.Secret.Service.Lock array:objpath:/org/freedesktop/secrets/collection/login > /dev/null
  request '{"action":"get","account":"a","noPrompt":true}'
  pgrep -P "$$" gcr-prompter
  unset DBUS_SESSION_BUS_ADDRESS
  request '{"action":"get","account":"a","noPrompt":true}'
`;

test.skipIf(!['dbus-run-session', 'gnome-keyring-daemon', 'dbus-send'].every(has))(
  'a keyring is read without a prompt only while it is unlocked',
  () => {
    const { stdout } = spawnSync('dbus-run-session', ['--', 'sh', '-c', script], {
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        NODE: process.execPath,
        PROGRAM: program,
        HOME: at.path,
        XDG_RUNTIME_DIR: at.path,
        XDG_DATA_HOME: at.file('data'),
      },
      timeout: 20_000,
    });
    const locked = '{"error":"may be locked"}';
    expect(stdout.trim().split('\n')).toEqual(['{}', '{"token":"hvs.a"}', locked, locked]);
  },
);
