import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { keyPair } from '../support/keys.ts';
import { installed } from './programs.ts';
import type { Finding } from './report.ts';

/** The embedded services, running in a process of their own. */
export interface Services {
  readonly secrets: string;
  readonly registry: string;
  readonly box: string;
  readonly scheduler: string;
  readonly accounts: string;
  /** Of the secrets service. */
  readonly token: string;
  /** Of the first user of the box registry. */
  readonly boxToken: string;
  /** Of the administrator of the account service. */
  readonly accountsToken: string;
  readonly pid: number;
  /** The configuration is in it, and the data; it goes away with the services, unless it was given. */
  readonly folder: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the embedded services on free ports with a configuration of their own.
 *
 * @param durable keep the state on the disk that temporary folders are on, instead of in memory.
 * @param given a folder to use, and to keep; its services have run before, or it is empty.
 * @throws Error that says how `lanyard dev` ended, when it does not come up.
 */
export async function startServices({
  durable = false,
  folder: given,
}: {
  readonly durable?: boolean;
  readonly folder?: string;
} = {}): Promise<Services> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'lanyard-bench-')));
  const data = durable ? ['--data', join(folder, 'data')] : [];
  const { command, args } = installed(['dev', '--port', '0', '--output', 'jsonl', ...data]);
  const child = spawn(command, args, {
    // The profile that it writes goes away with the folder, and so do the profile's tokens.
    env: { ...process.env, LANYARD_CONFIG_DIR: folder, LANYARD_KEYRING: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
    if (given === undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    const { addresses, tokens } = await announcement(child);
    child.stdout.resume();
    const { secrets: token, accounts: accountsToken, box: boxToken } = tokens;
    return { ...addresses, token, accountsToken, boxToken, pid: child.pid ?? 0, folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Announcement {
  readonly addresses: Pick<Services, 'secrets' | 'registry' | 'box' | 'scheduler' | 'accounts'>;
  readonly tokens: { readonly secrets: string; readonly accounts: string; readonly box: string };
}

async function announcement({
  stdout,
  stderr,
}: ChildProcessByStdio<null, Readable, Readable>): Promise<Announcement> {
  let errors = '';
  stderr.on('data', (chunk) => {
    errors += chunk;
  });
  for await (const line of createInterface(stdout)) return JSON.parse(line);
  throw new Error(`lanyard dev ended: ${errors.replace(/\s+/g, ' ').trim()}`);
}

/** Measures services of their own, which end after that. Says why when they do not start. */
export async function withServices(
  say: (line: string) => void,
  measure: (services: Services) => Promise<Finding[]>,
  options: Parameters<typeof startServices>[0] = {},
): Promise<Finding[]> {
  let services: Services;
  try {
    services = await startServices(options);
  } catch (error) {
    say(`left out: ${error instanceof Error ? error.message : error}`);
    return [];
  }
  try {
    return await measure(services);
  } finally {
    await services.stop();
  }
}

/** A fresh certificate authority in place of the one that is there, and the role "bench" for users. */
export async function prepareAuthority(services: Services, keyType: string, keyBits: number): Promise<void> {
  await send(services, 'DELETE', '/v1/ssh/config/ca');
  await send(services, 'POST', '/v1/ssh/config/ca', {
    generate_signing_key: true,
    key_type: keyType,
    key_bits: keyBits,
  });
  await send(services, 'POST', '/v1/ssh/roles/bench', {
    key_type: 'ca',
    allow_user_certificates: true,
    allowed_users: '*',
    ttl: '30m',
  });
}

/** Makes one call with the services' own token; gives what the answer's body says. */
export async function send(
  { secrets, token }: Services,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(secrets + path, {
    method,
    headers: { 'X-Secrets-Token': token, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** A new ed25519 public key as OpenSSH writes it, and the body that asks to sign it. */
export function signRequest(): { readonly publicKey: string; readonly body: string } {
  const publicKey = keyPair('ed25519', 'bench').publicLine.trim();
  return { publicKey, body: JSON.stringify({ public_key: publicKey, valid_principals: 'bench' }) };
}

/** The device and file system that a folder is on, as far as the system tells. */
export function diskOf(folder: string): string {
  const { stdout } = spawnSync('df', ['-PT', folder], { encoding: 'utf8' });
  const [device, system] = stdout?.trim().split('\n').at(-1)?.split(/\s+/) ?? [];
  return device ? `${device} (${system})` : 'a disk that this system does not name';
}
