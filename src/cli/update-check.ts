import { spawn } from 'node:child_process';
import { dirname, isAbsolute, join } from 'node:path';
import type { Host } from '../command/host.ts';
import { createPrivateDirectory } from '../config/private-directory.ts';
import { readPrivate, replacePrivate } from '../config/private-file.ts';
import { isObject } from '../wire/objects.ts';
import { toPrintable } from '../wire/printable.ts';
import { version } from './version.ts';

const intervalMs = 24 * 60 * 60 * 1000;
const timeoutMs = 5000;
const maxBytes = 64 * 1024;

/** The first argument of the process that reads the newest version (`fast-path.ts`). */
const updateCheckCommand = '__update-check';

type UpdateHost = Pick<
  Host,
  'clock' | 'cwd' | 'env' | 'home' | 'platform' | 'selfCommand' | 'stderr' | 'timeout'
>;

/** The last check. */
interface Checked {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly from: string;
  readonly version?: string;
  readonly page?: string;
}

/**
 * The note about a newer version that an earlier command found. At most once a day it also starts a process that reads
 * the newest version from the URL in LANYARD_UPDATE_CHECK, for a later command: nothing waits for it.
 *
 * @returns undefined: none is known, the variable is not set, standard error is no terminal, or this is CI.
 */
export async function updateNote(host: UpdateHost): Promise<string | undefined> {
  const { env, stderr, clock } = host;
  const url = updateUrl(env);
  if (url === undefined || stderr.isTTY !== true || env.CI || env.TF_BUILD) return undefined;
  try {
    const stored = await readChecked(host);
    const last = stored?.from === url.href ? stored : undefined;
    const age = clock().getTime() - (last?.at ?? 0);
    if (age < 0 || age >= intervalMs) {
      // Before the process is started: also a check that fails is made only once a day.
      await writeChecked(host, { ...last, from: url.href, at: clock().getTime() });
      startCheck(host);
    }
    if (last?.version === undefined || !isNewer(last.version, version)) return undefined;
    const page = last.page === undefined ? '' : ` (${last.page})`;
    return toPrintable(`A new version of lanyard is available: ${version} -> ${last.version}${page}`);
  } catch {
    // A check for updates is never a reason to fail.
    return undefined;
  }
}

/** Reads the newest version and stores it; fails silently. The request has no version, no cookie and no identifier. */
export async function checkForUpdate(host: UpdateHost): Promise<void> {
  const url = updateUrl(host.env);
  if (url === undefined) return;
  try {
    const response = await fetch(url, {
      headers: { Accept: 'application/json', 'User-Agent': 'lanyard' },
      redirect: 'error',
      signal: host.timeout(timeoutMs),
    });
    const found = response.ok ? newestIn(await readStart(response)) : undefined;
    if (found) await writeChecked(host, { ...found, from: url.href, at: host.clock().getTime() });
  } catch {
    // Nothing is known.
  }
}

/** https, or http on this machine. */
function updateUrl(env: Host['env']): URL | undefined {
  const url = URL.parse(env.LANYARD_UPDATE_CHECK ?? '');
  if (url === null) return undefined;
  const isLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback) ? url : undefined;
}

function startCheck({ selfCommand: [program = '', ...args], env }: UpdateHost): void {
  const child = spawn(program, [...args, updateCheckCommand], {
    detached: true,
    stdio: 'ignore',
    env: { ...env },
    windowsHide: true,
  });
  child.on('error', () => undefined);
  child.unref();
}

/** The body as text. @throws Error: it is longer than 64 KiB. */
async function readStart(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) throw new Error('too long');
  }
  return Buffer.concat(chunks).toString();
}

/** `{ "version", "url" }`, or a release as GitHub describes it. */
function newestIn(text: string): Pick<Checked, 'version' | 'page'> | undefined {
  const body: unknown = JSON.parse(text);
  if (!isObject(body)) return undefined;
  const found = String(body.version ?? body.tag_name ?? '').replace(/^v/, '');
  const page = String(body.url ?? body.html_url ?? '');
  if (!/^\d{1,9}(\.\d{1,9}){2}$/.test(found)) return undefined;
  return { version: found, ...(/^https:\/\/[\x21-\x7e]{1,200}$/.test(page) ? { page } : {}) };
}

function isNewer(one: string, other: string): boolean {
  const numbers = (text: string): number[] => (text.split('-')[0] ?? '').split('.').map(Number);
  const mine = numbers(other);
  const differing = numbers(one).findIndex((number, index) => number !== (mine[index] ?? 0));
  return differing >= 0 && (numbers(one)[differing] ?? 0) > (mine[differing] ?? 0);
}

function cachePath({ env, home, platform }: UpdateHost): string {
  const configured = (platform === 'win32' ? env.LOCALAPPDATA : env.XDG_CACHE_HOME) ?? '';
  const root = isAbsolute(configured) ? configured : join(home, '.cache');
  if (!isAbsolute(root)) throw new Error('no home directory');
  return join(root, 'lanyard', 'update.json');
}

async function readChecked(host: UpdateHost): Promise<Checked | undefined> {
  const text = await readPrivate(cachePath(host));
  const stored: unknown = text === undefined ? undefined : parsed(text);
  return isObject(stored) && typeof stored.at === 'number' && typeof stored.from === 'string'
    ? (stored as unknown as Checked)
    : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function writeChecked(host: UpdateHost, checked: Checked): Promise<void> {
  const path = cachePath(host);
  await createPrivateDirectory(dirname(path));
  replacePrivate(path, `${JSON.stringify(checked)}\n`);
}
