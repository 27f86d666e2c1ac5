/**
 * A separate program for one operation on the operating system's keyring. It reads a KeyringRequest as JSON from
 * stdin and writes a KeyringResponse as JSON to stdout. keyring.ts starts it and explains why it is a process.
 */
import { text } from 'node:stream/consumers';
import type { KeyringRequest, KeyringResponse } from './keyring.ts';

async function handleRequest({ action, account, token }: KeyringRequest): Promise<KeyringResponse> {
  const { Entry } = await import('@napi-rs/keyring');
  // Without this option the library falls back to the kernel's keyring, which is lost at a restart.
  const entry = new Entry('lanyard', account, { linux: { store: 'secret-service' } });
  if (action === 'set') entry.setPassword(token ?? '');
  else if (action === 'delete') entry.deleteCredential();
  else return { token: entry.getPassword() };
  return {};
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
