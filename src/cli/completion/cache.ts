import { createHmac } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Host } from '../../command/host.ts';
import type { Candidate } from './candidates.ts';

const lifetimeMs = 5000;
const maxBytes = 1024 * 1024;
const fileName = /^completion-[0-9a-f]{64}(\.[0-9a-f]{16}\.new)?$/;

export interface CandidateCache {
  /** The candidates of a key that were stored less than 5 s ago. */
  get(key: readonly unknown[]): readonly Candidate[] | undefined;
  set(key: readonly unknown[], candidates: readonly Candidate[]): void;
}

/**
 * Candidates in files of mode 0600, in a directory of mode 0700 that belongs to the user: `lanyard` in
 * `XDG_RUNTIME_DIR`, else in the temporary directory. Names of files are digests of keys, keyed by the token. Without such a
 * directory nothing is stored; no method throws.
 */
export function candidateCache(
  { env, clock, random }: Pick<Host, 'env' | 'clock' | 'random'>,
  token: string,
): CandidateCache {
  const directory = privateDirectory(env);
  const pathOf = (key: readonly unknown[]): string =>
    join(
      directory ?? '',
      `completion-${createHmac('sha256', token).update(JSON.stringify(key)).digest('hex')}`,
    );
  const isCurrent = (then: number): boolean => {
    const age = clock().getTime() - then;
    return age >= 0 && age < lifetimeMs;
  };
  return {
    get(key) {
      if (directory === undefined) return undefined;
      try {
        const stored: unknown = JSON.parse(readOwn(pathOf(key)));
        return isStored(stored) && isCurrent(stored.at) ? stored.candidates : undefined;
      } catch {
        return undefined;
      }
    },
    set(key, candidates) {
      if (directory === undefined) return;
      const at = clock().getTime();
      const text = JSON.stringify({ at, candidates });
      if (text.length > maxBytes) return;
      try {
        removeOld(directory);
        const path = pathOf(key);
        const temporaryPath = `${path}.${Buffer.from(random(8)).toString('hex')}.new`;
        writeFileSync(temporaryPath, text, { mode: 0o600, flag: 'wx' });
        renameSync(temporaryPath, path);
      } catch {
        // The next completion requests the list again.
      }
    },
  };
}

/** Creates the directory. @returns undefined: other users may have access to it. */
function privateDirectory(env: Host['env']): string | undefined {
  const runtime = env.XDG_RUNTIME_DIR;
  const user = process.geteuid?.();
  const path =
    runtime && isAbsolute(runtime)
      ? join(runtime, 'lanyard')
      : join(tmpdir(), user === undefined ? 'lanyard' : `lanyard-${user}`);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch {
    // It may exist.
  }
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isDirectory() && isOwn(stats) ? path : undefined;
}

/** Whether only the user has access. Windows has neither user IDs nor such modes. */
const isOwn = ({ uid, mode }: Stats): boolean => {
  const user = process.geteuid?.();
  return user === undefined || (uid === user && (mode & 0o077) === 0);
};

function readOwn(path: string): string {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    return stats.isFile() && isOwn(stats) && stats.size <= maxBytes ? readFileSync(file, 'utf8') : '';
  } finally {
    closeSync(file);
  }
}

/** Removes expired files of earlier completions, by the clock that the system dates files with. */
function removeOld(directory: string): void {
  const now = lstatOf(directory, '.')?.mtimeMs ?? 0;
  for (const name of readdirSync(directory)) {
    const stats = fileName.test(name) ? lstatOf(directory, name) : undefined;
    if (stats !== undefined && now - stats.mtimeMs > 2 * lifetimeMs)
      rmSync(join(directory, name), { force: true });
  }
}

const lstatOf = (directory: string, name: string): Stats | undefined =>
  lstatSync(join(directory, name), { throwIfNoEntry: false });

function isStored(value: unknown): value is { at: number; candidates: readonly Candidate[] } {
  const { at, candidates } = (value ?? {}) as { at?: unknown; candidates?: unknown };
  return (
    typeof at === 'number' &&
    Array.isArray(candidates) &&
    candidates.every(
      (each) =>
        typeof each?.value === 'string' &&
        (each.description === undefined || typeof each.description === 'string'),
    )
  );
}
