import { createHash } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';
import { chmod, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';
import { LanyardError, usage } from '../errors.ts';
import { runChild } from './child.ts';
import { readText } from './files.ts';
import { lstat } from './output-files.ts';
import { createTemporaryDirectory, newFolder } from './private-directory.ts';

interface EditorEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly platform: string;
  readonly signal: AbortSignal;
  /** Is there a person at a terminal? Without one only an editor that was named is run. */
  readonly interactive: boolean;
  /** `--no-input`: no one is to be asked anything. */
  readonly noInput: boolean;
}

/** Bytes that an edited text may have. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Has a text of YAML edited in the user's editor: `$VISUAL`, else `$EDITOR`, else vi. The text is in a file of mode 0600
 * in a folder of mode 0700, both gone when this returns, whatever happens. The editor is run by the shell, as
 * git does, so that `EDITOR='code --wait'` works; what it writes to standard output goes to standard error,
 * because standard output is for results.
 *
 * @returns the text as it was changed; undefined: it was left as it was, or nothing but comments is left of it.
 * @throws LanyardError usage: no editor, or no one to use it; interrupted: it was ended by a signal;
 * failure: it said by its exit code that the text is not to be used.
 */
export async function editText(content: string, environment: EditorEnvironment): Promise<string | undefined> {
  const editor = resolveEditor(environment);
  const directory = await createTemporaryDirectory('lanyard-edit-');
  try {
    const file = join(directory.path, 'edit.yaml');
    await writePrivate(file, content);
    const code = await runChild(
      { ...editorCommand(editor, file, environment.platform), stdout: 'stderr' },
      environment,
    );
    if (code === 127 && !environment.signal.aborted)
      throw usage(`cannot run the editor "${editor}": command not found`, {
        hint: 'Set VISUAL or EDITOR to an installed editor.',
      });
    if (environment.signal.aborted || code > 128)
      throw new LanyardError('interrupted', 'interrupted in the editor; nothing was written');
    if (code !== 0)
      throw new LanyardError('failure', `the editor exited with code ${code}; nothing was written`);
    const edited = await readText(file, 'the edited text', maxBytes);
    const isEmptied = edited.replace(/^\s*(#.*)?$/gm, '').trim() === '';
    return edited === content || isEmptied ? undefined : edited;
  } finally {
    await directory.remove();
  }
}

const savedPrefix = 'lanyard-kept-';
const savedFileName = 'edited.yaml';

/** What the names of the folders begin with that keep texts of an object. */
const savedPrefixOf = (object: string): string =>
  `${savedPrefix}${createHash('sha256').update(object).digest('hex').slice(0, 16)}-`;

/**
 * A failure after the editing loses nothing: the text is kept in a new file of mode 0600 in the user's runtime folder
 * (`$XDG_RUNTIME_DIR`, which goes when the user logs out), else among the temporary ones.
 *
 * @param kept the text, and the full name of what it is of, by which `removeKeptOf` finds it.
 * @param hintOf what to do with the file.
 * @returns the failure, with that hint before its own; one that is a fault of the program as it is.
 */
export async function saveEditedText(
  error: unknown,
  { content, object }: { readonly content: string; readonly object: string },
  env: EditorEnvironment['env'],
  hintOf: (file: string) => string,
): Promise<unknown> {
  if (!(error instanceof LanyardError)) return error;
  const directory = await newFolder(savedPrefixOf(object), runtimeDirectory(env));
  const file = join(directory.path, savedFileName);
  await writePrivate(file, content);
  return new LanyardError(error.kind, error.message, {
    service: error.service,
    status: error.status,
    details: error.details,
    hint: `Your text is saved in ${file}${hintOf(file)}${error.hint ? ` ${error.hint}` : ''}`,
  });
}

/**
 * Removes a text that `keepingText` kept, with its folder, once it was used.
 *
 * @returns whether it was one: any other file stays.
 */
export async function removeSavedText(file: string, env: EditorEnvironment['env']): Promise<boolean> {
  const directory = dirname(file);
  const isSaved =
    basename(file) === savedFileName &&
    basename(directory).startsWith(savedPrefix) &&
    [runtimeDirectory(env), tmpdir()].includes(dirname(directory));
  const stats = isSaved ? lstat(file) : undefined;
  if (!stats?.isFile() || lstat(directory)?.isSymbolicLink() || stats.uid !== process.getuid?.())
    return false;
  await rm(file);
  await rmdir(directory).catch(() => undefined);
  return true;
}

/**
 * Removes every text of an object that `keepingText` kept, with its folder.
 *
 * @param object its full name
 * @returns the files that were removed.
 */
export async function removeSavedTexts(
  object: string,
  env: EditorEnvironment['env'],
): Promise<readonly string[]> {
  const prefix = savedPrefixOf(object);
  const removed: string[] = [];
  for (const directory of new Set([runtimeDirectory(env) ?? tmpdir(), tmpdir()])) {
    const names = await readdir(directory).catch(() => []);
    for (const name of names.filter((each) => each.startsWith(prefix))) {
      const file = join(directory, name, savedFileName);
      // Only what can be removed is: the object itself is written, whatever becomes of the text.
      if (await removeSavedText(file, env).catch(() => false)) removed.push(file);
    }
  }
  return removed;
}

/** The folder that the system makes for this user alone; undefined: none. */
function runtimeDirectory({ XDG_RUNTIME_DIR: path }: EditorEnvironment['env']): string | undefined {
  if (!path || !isAbsolute(path)) return undefined;
  let stats: Stats;
  try {
    stats = statSync(path);
  } catch {
    return undefined;
  }
  const isOwn = stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
  return isOwn ? normalize(path).replace(/(?<=.)\/+$/, '') : undefined;
}

/** A new file of mode 0600, whatever the mask of the process is. */
async function writePrivate(file: string, content: string): Promise<void> {
  await writeFile(file, content, { mode: 0o600, flag: 'wx' });
  await chmod(file, 0o600);
}

function resolveEditor({ env, interactive, noInput }: EditorEnvironment): string {
  const configured = env.VISUAL || env.EDITOR;
  if (noInput) throw usage('cannot open an editor: --no-input is set');
  if (configured) return configured;
  if (interactive && env.TERM !== 'dumb') return 'vi';
  throw usage('cannot open an editor: standard input is not a terminal', {
    hint: 'Set VISUAL or EDITOR to a program that edits the file without a terminal.',
  });
}

const checkCommand = 'is_there() { command -v "$1" >/dev/null 2>&1; }; is_there';

/** The editor is a line for the shell, the file its last argument. */
function editorCommand(editor: string, file: string, platform: string) {
  if (platform === 'win32')
    return { command: 'cmd.exe', args: ['/d', '/s', '/c', `"${editor} "${file}""`], verbatim: true };
  // A plain command takes the place of the shell, so that a signal reaches it; `A=b vi` and the like cannot.
  // One that is not there is told of by us, and not by the shell.
  const isSimple = !/^\s*\w+=|[;&|()]/.test(editor);
  const line = isSimple ? `${checkCommand} ${editor} || exit 127; exec ${editor} "$@"` : `${editor} "$@"`;
  return { command: 'sh', args: ['-c', line, editor, file] };
}
