import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode, osFailure, usage } from '../errors.ts';
import { formatJson } from '../wire/json.ts';
import { parseConfiguration, parseObject } from './config-schema.ts';
import { readTrusted } from './private-file.ts';
import type { Configuration } from './profile.ts';

export type Profiles = ReturnType<typeof profiles>;

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * Checks the name of a profile: 1 to 64 letters, digits, `.`, `_` and `-`, the first a letter or digit.
 *
 * @throws LanyardError usage.
 */
export function checkProfileName(name: string): string {
  if (namePattern.test(name)) return name;
  throw usage(`invalid profile name ${JSON.stringify(name)}`, {
    hint: 'Use 1 to 64 letters, digits, ".", "_" and "-", starting with a letter or digit.',
  });
}

/**
 * The configuration in `<directory>/config.json` (mode 0600; a new directory has 0700). conf writes it and is loaded
 * only for that (docs/adr/0021-conf-and-sshpk.md). A symbolic link is followed; the file must exist, and other users
 * must not be able to write it (docs/adr/0016-permissions-of-configuration-files.md).
 *
 * @param directory an absolute path; it need not exist.
 */
export function profiles(directory: string) {
  const path = join(directory, 'config.json');
  const parse = (text: string): Configuration => parseConfiguration(parseObject(text, path), path);

  /** The current configuration; empty when the file does not exist. @throws LanyardError failure: it is damaged. */
  async function read(): Promise<Configuration> {
    try {
      return parse((await readTrusted(path)) ?? '{}');
    } catch (error) {
      throw fileError('read', path, error);
    }
  }

  /** Reads again under the lock, applies the change, writes atomically. */
  async function change(apply: (current: Configuration) => Configuration): Promise<Configuration> {
    const [Conf, { withLock }, { createPrivateDirectory }] = await Promise.all([
      loadConf(),
      import('./lock.ts'),
      import('./private-directory.ts'),
    ]);
    try {
      await createPrivateDirectory(directory);
      return await withLock(path, async () => {
        // conf itself would follow a dangling link, and wait for a pipe.
        await readTrusted(path);
        removeStale(path);
        return withPrivateUmask(() => {
          const conf = new Conf<Record<string, unknown>>({
            cwd: directory,
            configName: 'config',
            configFileMode: 0o600,
            // The names of profiles may contain dots.
            accessPropertiesByDotNotation: false,
            deserialize: (text) => ({ ...parse(text) }),
            serialize: (configuration) => `${formatJson(configuration, 2)}\n`,
          });
          const current = parseConfiguration(conf.store, path);
          const next = parseConfiguration({ ...apply(current) }, path);
          for (const name of Object.keys(next.profiles))
            if (!(name in current.profiles)) checkProfileName(name);
          withAtomicWrites(() => {
            conf.store = { ...next };
          });
          return next;
        });
      });
    } catch (error) {
      throw fileError('change', path, error);
    }
  }

  return { path, read, change };
}

const handledSignals = (): NodeJS.Signals[] =>
  process.eventNames().filter((name): name is NodeJS.Signals => /^SIG/.test(String(name)));

/**
 * conf, without the signal listeners that its dependency `when-exit` adds: they treat every signal as the end of the
 * process and send it again, so that one ^C would count as two. They would only remove temporary files, and conf
 * writes synchronously.
 */
async function loadConf(): Promise<typeof import('conf')['default']> {
  const before = new Set(handledSignals().flatMap((name) => process.rawListeners(name)));
  const { default: Conf } = await import('conf');
  for (const name of handledSignals()) {
    for (const listener of process.rawListeners(name)) {
      const isOnce = 'listener' in listener;
      if (isOnce && !before.has(listener)) process.removeListener(name, listener as () => void);
    }
  }
  return Conf;
}

/** Removes temporary files of conf that a killed process left. Call it under the lock. */
function removeStale(path: string): void {
  try {
    const real = existsSync(path) ? realpathSync(path) : path;
    const names = readdirSync(dirname(real)).filter((name) => name.startsWith(`${basename(real)}.tmp-`));
    for (const name of names.filter((each) => /\.tmp-\d{10}[0-9a-f]{6}$/.test(each)))
      rmSync(join(dirname(real), name), { force: true });
  } catch {
    // The change itself reports problems of the directory.
  }
}

/**
 * conf writes a new file, syncs and renames it, but writes in place if SNAP is set, as in every terminal started from
 * a snap; a full disk would then leave half a file. The write is synchronous: nothing else sees the change.
 */
function withAtomicWrites(write: () => void): void {
  const { SNAP } = process.env;
  delete process.env.SNAP;
  try {
    write();
  } finally {
    if (SNAP !== undefined) process.env.SNAP = SNAP;
  }
}

/** The requested modes of files do not depend on the umask. The work is synchronous: nothing else sees the change. */
function withPrivateUmask<Result>(work: () => Result): Result {
  const mask = process.umask(0o077);
  try {
    return work();
  } finally {
    process.umask(mask);
  }
}

/** The error for a failed call of the operating system; other errors are unchanged. */
const fileError = (act: string, path: string, error: unknown): unknown =>
  errorCode(error) === undefined ? error : osFailure(`${act} ${path}`, error);
