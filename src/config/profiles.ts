import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode, LanyardError, osErrorMessage, usage } from '../errors.ts';
import { formatJson } from '../wire/json.ts';
import { parseConfiguration, parseObject } from './config-schema.ts';
import { withLock } from './lock.ts';
import { createPrivateDirectory } from './private-directory.ts';
import { readTrusted } from './private-file.ts';
import type { Configuration, Profiles } from './profile.ts';

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
 * The configuration in `<directory>/config.json` (0600; the directory is created with 0700). conf is loaded only to
 * change it. A link at the path is followed, so that the file may be elsewhere; its target must exist, and must not
 * be writable by others (docs/adr/0016).
 *
 * @param directory an absolute path; it need not exist.
 */
export function profiles(directory: string): Profiles {
  const path = join(directory, 'config.json');

  async function read(): Promise<Configuration> {
    try {
      const text = await readTrusted(path);
      return parseConfiguration(text === undefined ? {} : parseObject(text, path), path);
    } catch (error) {
      throw fileError('read', path, error);
    }
  }

  async function change(apply: (current: Configuration) => Configuration): Promise<Configuration> {
    const Conf = await loadConf();
    try {
      await createPrivateDirectory(directory);
      return await withLock(path, async () => {
        // Rejects a dangling link, which conf would follow, and a pipe, for which it would wait.
        await read();
        removeStale(path);
        const conf = withPrivateUmask(
          () =>
            new Conf<{ [member: string]: unknown }>({
              cwd: directory,
              configName: 'config',
              configFileMode: 0o600,
              // Otherwise conf takes the periods of a name for a path.
              accessPropertiesByDotNotation: false,
              deserialize: (text) => ({ ...parseObject(text, path) }),
              serialize: (members) => `${formatJson(members, 2)}\n`,
            }),
        );
        const current = parseConfiguration(conf.store, path);
        const next = parseConfiguration({ ...apply(current) }, path);
        for (const name of Object.keys(next.profiles))
          if (!(name in current.profiles)) checkProfileName(name);
        withPrivateUmask(() =>
          withAtomicWrites(() => {
            conf.store = { ...next };
          }),
        );
        return next;
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
 * Loads conf and removes the signal listeners of one of its libraries: they treat every signal as the end of the
 * process and send it again, so that one ^C would arrive twice, and a second one means "stop now". They are not
 * needed: the write is synchronous, so no signal can interrupt it.
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
    // The change itself reports what is wrong with the directory.
  }
}

/**
 * conf writes to a temporary file, syncs and renames, except if SNAP is set, as in every terminal that a snap opened:
 * there it writes in place, and a full disk would leave half a file. The write is synchronous, so no other code can
 * observe that the variable is missing.
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

/**
 * Creates files with exactly the requested mode, whatever the umask. The work is synchronous, so no other code can
 * observe the changed umask.
 */
function withPrivateUmask<Result>(work: () => Result): Result {
  const mask = process.umask(0o077);
  try {
    return work();
  } finally {
    process.umask(mask);
  }
}

/** Converts an error of the operating system; other errors are returned unchanged. */
function fileError(act: string, path: string, error: unknown): unknown {
  if (errorCode(error) === undefined || error instanceof LanyardError) return error;
  return new LanyardError('failure', `cannot ${act} ${path}: ${osErrorMessage(error)}`, { cause: error });
}
