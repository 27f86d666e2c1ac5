import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  type Stats,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A file, link or folder that Lanyard did not create, at a path that it reads or writes. */
export interface Plant {
  readonly name: PlantName;
  /** Creates it at a path; `victim` is a folder of the test's own that a link may lead to. */
  readonly put: (path: string, victim: string) => Promise<void> | void;
}

const isRoot = process.getuid?.() === 0;
/** A user ID without permissions on the files of the tests. */
const otherUser = 65_534;

const precious = 'the only copy\n';

const file = (path: string, content: string | Buffer, mode = 0o600): void => {
  writeFileSync(path, content, { mode });
  chmodSync(path, mode);
};

const makers = {
  'a link to a file': (path: string, victim: string) => symlinkSync(join(victim, 'file'), path),
  'a link to a folder': (path: string, victim: string) => symlinkSync(join(victim, 'folder'), path),
  'a dangling link': (path: string, victim: string) => symlinkSync(join(victim, 'absent'), path),
  'a link to itself': (path: string) => symlinkSync(path, path),
  'a link to a device': (path: string) => symlinkSync('/dev/full', path),
  'a FIFO': (path: string) => void execFileSync('mkfifo', ['-m', '600', path]),
  'a socket': async (path: string, victim: string) => {
    const server = createServer();
    // The system takes short names only.
    const short = join(victim, 's');
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(short, resolve));
    renameSync(short, path);
    onTestFinished(() => void server.close());
  },
  'a folder': (path: string) => {
    mkdirSync(path, { mode: 0o700 });
    file(join(path, 'kept'), precious);
  },
  'a device': (path: string) => void execFileSync('mknod', ['-m', '600', path, 'c', '1', '7']),
  'a file of another user': (path: string) => {
    file(path, precious);
    chownSync(path, otherUser, otherUser);
  },
  'a file that others may write': (path: string) => file(path, precious, 0o666),
  'a hard link': (path: string, victim: string) => linkSync(join(victim, 'file'), path),
  'a huge file': (path: string) => {
    closeSync(openSync(path, 'wx', 0o600));
    truncateSync(path, 3 * 1024 ** 3);
  },
  'random bytes': (path: string) => file(path, Buffer.from('00ff1b5b324a0d0a9f8e', 'hex')),
  'truncated JSON': (path: string) => file(path, '{"profiles":{"default":{"services":{"secr'),
  'JSON of the wrong types': (path: string) => file(path, '{"profiles":[1],"tokens":7,"active":{}}'),
  'deep JSON': (path: string) => file(path, '['.repeat(200_000)),
  'an empty file': (path: string) => file(path, ''),
} as const;

export type PlantName = keyof typeof makers;

const ofRoot: readonly PlantName[] = ['a device', 'a file of another user'];

/** Those that this user can make. */
export const plants: readonly Plant[] = Object.entries(makers)
  .map(([name, put]) => ({ name: name as PlantName, put }))
  .filter(({ name }) => isRoot || !ofRoot.includes(name));

/** A folder that links lead to. */
export function makeVictim(path: string): void {
  mkdirSync(join(path, 'folder'), { recursive: true });
  file(join(path, 'file'), precious, 0o640);
  file(join(path, 'folder', 'inner'), precious, 0o640);
}

/** All that is known of what is below a folder: names, kinds, modes, owners, contents. */
export function stateOf(path: string): string[] {
  return [
    describe(path, lstatSync(path)),
    ...readdirSync(path, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => describe(join(path, name), lstatSync(join(path, name)))),
  ];
}

/** The same of one path; undefined: nothing is there. */
export function stateAt(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  return stats.isDirectory() ? stateOf(path).join('\n') : describe(path, stats);
}

function describe(path: string, stats: Stats): string {
  const content =
    stats.isFile() && stats.size < 1_000_000 ? readFileSync(path, 'base64') : String(stats.size);
  const size = stats.isDirectory() ? '' : content;
  return `${path} ${stats.ino} ${stats.mode.toString(8)} ${stats.uid} ${size}`;
}
