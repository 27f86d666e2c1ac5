/**
 * A separate program for one operation on the operating system's keyring. It reads a KeyringRequest as JSON from
 * stdin and writes a KeyringResponse as JSON to stdout. keyring.ts starts it and explains why it is a process.
 */
import { spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { KeyringRequest, KeyringResponse } from './keyring.ts';

async function handleRequest({ action, account, token, noPrompt }: KeyringRequest): Promise<KeyringResponse> {
  if (noPrompt && !isUnlocked()) return { error: 'may be locked' };
  const { Entry } = await import('@napi-rs/keyring');
  // Without this option the library falls back to the kernel's keyring, which is lost at a restart.
  const entry = new Entry('lanyard', account, { linux: { store: 'secret-service' } });
  if (action === 'set') entry.setPassword(token ?? '');
  else if (action === 'delete') entry.deleteCredential();
  else return { token: entry.getPassword() };
  return {};
}

/**
 * Whether the keyring is read without a prompt. The library unlocks a locked one, which opens a dialog, and cannot tell
 * before; on macOS a dialog may also ask for the permission to read.
 */
function isUnlocked(): boolean {
  if (process.platform === 'win32') return true;
  // Without an address, dbus-send would start a session bus.
  if (process.platform !== 'linux' || !process.env.DBUS_SESSION_BUS_ADDRESS) return false;
  const collection = '/org/freedesktop/secrets/aliases/default';
  const property = ['string:org.freedesktop.Secret.Collection', 'string:Locked'];
  const { stdout } = spawnSync(
    'dbus-send',
    [
      ...['--session', '--print-reply=literal', '--reply-timeout=200', '--dest=org.freedesktop.secrets'],
      ...[collection, 'org.freedesktop.DBus.Properties.Get', ...property],
    ],
    { encoding: 'utf8', timeout: 250, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  return stdout?.trim().endsWith('boolean false') === true;
}

async function respond(): Promise<KeyringResponse> {
  try {
    return await handleRequest(JSON.parse(await text(process.stdin)) as KeyringRequest);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Without a session bus or a keyring service: containers, CI, ssh.
    if (/^(Platform failure|Couldn't access platform)/i.test(message))
      return { error: `is not running${message.includes('DBus error') ? ' (DBus error)' : ''}` };
    return { error: `returned an error (${message})` };
  }
}

respond().then((request) => process.stdout.write(JSON.stringify(request)));
