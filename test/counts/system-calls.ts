import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

// System calls by strace. Only those that do not depend on the load of the machine: none for memory, locks, waiting and
// wake-ups between threads, and none that receives from a socket, which depends on how the packets arrive.

/** What one run of a program asked of the kernel. */
export interface SystemCalls {
  /** Number of calls by kind. */
  readonly calls: Readonly<Record<CallKind, number>>;
  /** Bytes read from files. */
  readonly bytesRead: number;
  /** The files that were opened or looked for, without those that were created; sorted. */
  readonly opened: readonly string[];
}

const kinds = {
  /** Opens a file or directory, except those of the kernel: V8 and libc read some of /sys and /proc now and then. */
  open: ['open', 'openat'],
  /** Reads from a file. */
  read: ['read', 'readv', 'pread64', 'preadv'],
  /** Asks about a file, or lists a directory. */
  stat: [
    'stat',
    'lstat',
    'newfstatat',
    'statx',
    'access',
    'faccessat',
    'faccessat2',
    'readlink',
    'readlinkat',
    'getdents64',
  ],
  /** Changes files and directories. */
  change: [
    ...['mkdir', 'mkdirat', 'rename', 'renameat', 'renameat2', 'link', 'linkat', 'symlink', 'symlinkat'],
    ...['unlink', 'unlinkat', 'chmod', 'fchmod', 'fchmodat', 'ftruncate', 'fsync', 'fdatasync'],
  ],
  /** Writes to a file, or to standard output or error. */
  write: ['write', 'writev', 'pwrite64', 'pwritev'],
  /** Sends to a socket. */
  send: ['sendto', 'sendmsg'],
  /** Opens a socket or connects it. */
  connect: ['socket', 'connect'],
  /** Starts a process or thread, or another program. */
  start: ['clone', 'clone3', 'fork', 'vfork', 'execve'],
} as const;

export type CallKind = keyof typeof kinds;
export const callKinds = Object.keys(kinds) as CallKind[];

const kindOfCall = new Map(callKinds.flatMap((kind) => kinds[kind].map((name) => [name as string, kind])));
const strace = [
  ...['-ff', '-y', '-qq', '-s', '0', '-e', 'signal=none'],
  // "?": not every architecture has all of them.
  ...['-e', `trace=${[...kindOfCall.keys()].map((name) => `?${name}`).join(',')}`],
];

/** Why strace cannot trace here although it is installed; undefined: it can. */
export function tracingProblem(): string | undefined {
  const { status, stderr } = spawnSync('strace', ['-f', '-o', '/dev/null', process.execPath, '-e', '0'], {
    encoding: 'utf8',
  });
  return status === 0 ? undefined : stderr.trim().split('\n')[0];
}

/** The command line of a program under strace, whose output goes to files in `folder`. */
export function traced(folder: string, command: string, args: readonly string[]): readonly string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  return ['strace', ...strace, '-o', join(folder, 'thread'), command, ...args];
}

const line = /^(\w+)\((.*)\)\s+= (-?\d+)/;

/**
 * Counts what strace wrote: one file per thread, so that no call is in two parts.
 *
 * @param folders what is asked about the folders above these does not count: their number depends on the machine.
 */
export function readTrace(folder: string, folders: readonly string[]): SystemCalls {
  const isAbove = (path: string): boolean => folders.some((below) => below.startsWith(`${path}/`));
  const calls = Object.fromEntries(callKinds.map((kind) => [kind, 0])) as Record<CallKind, number>;
  const opened = new Set<string>();
  let bytesRead = 0;
  for (const file of readdirSync(folder)) {
    for (const text of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const [, name = '', parameters = '', result] = line.exec(text) ?? [];
      const kind = kindOf(name, parameters);
      const path = pathIn(parameters);
      if (kind === undefined || (kind === 'stat' && isAbove(path))) continue;
      calls[kind]++;
      if (kind === 'read') bytesRead += Math.max(Number(result), 0);
      if (kind === 'open' && !parameters.includes('O_CREAT')) opened.add(path);
    }
  }
  return { calls, bytesRead, opened: [...opened].sort() };
}

const standardStream = /^[12]</;
const ofKernel = /^\/(?:proc|sys|dev)\//;
const ofFile = /^\d+<\/(?!proc\/|sys\/|dev\/)/;
const ofSocket = /^\d+<(?:socket|TCP|UNIX|UDP)/i;

/** The path that a call names; '': none. */
const pathIn = (parameters: string): string => /"([^"]*)"/.exec(parameters)?.[1] ?? '';

/** The kind of a call; undefined: it does not count. */
function kindOf(name: string, parameters: string): CallKind | undefined {
  const kind = kindOfCall.get(name);
  if (kind === 'open') return ofKernel.test(pathIn(parameters)) ? undefined : kind;
  if (kind === 'read') return ofFile.test(parameters) ? kind : undefined;
  if (kind !== 'write') return kind;
  if (ofSocket.test(parameters)) return 'send';
  return standardStream.test(parameters) || ofFile.test(parameters) ? kind : undefined;
}
