import { createHash } from 'node:crypto';
import { chmod, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { LanyardError, usage } from '../errors.ts';
import { type OnSignal, runChild } from './child.ts';
import { readText } from './files.ts';
import { lstat } from './output-files.ts';
import { createTemporaryDirectory, newFolder, runtimeDirectory } from './private-directory.ts';
import { withoutCredentials } from './without-credentials.ts';

interface EditorEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly platform: string;
  readonly signal: AbortSignal;
  readonly onSignal: OnSignal;
  /** Whether the user is at a terminal. Otherwise only an editor from `$VISUAL` or `$EDITOR` is run. */
  readonly interactive: boolean;
  /** `--no-input`: no prompts. */
  readonly noInput: boolean;
}

const maxBytes = 64 * 1024 * 1024;

/**
 * Opens a YAML text in the user's editor: `$VISUAL`, else `$EDITOR`, else vi. The text is in a file of mode 0600 in a
 * directory of mode 0700; both are always removed. A shell runs the editor, as in git, so that `EDITOR='code --wait'`
 * works; its standard output goes to standard error, because standard output is for results.
 *
 * @returns the changed text; undefined: unchanged, or only comments are left.
 * @throws LanyardError usage: no editor, or no terminal; interrupted: a signal ended it; failure: its exit code is
 * not 0.
 */
export async function editText(content: string, environment: EditorEnvironment): Promise<string | undefined> {
  const editor = resolveEditor(environment);
  const directory = await createTemporaryDirectory('lanyard-edit-');
  try {
    const file = join(directory.path, 'edit.yaml');
    await writePrivate(file, content);
    const code = await runChild(
      { ...editorCommand(editor, file, environment.platform), stdout: 'stderr', interrupts: true },
      { ...environment, env: withoutCredentials(environment.env) },
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

/** The prefix of the directories with saved texts of an object. */
const savedPrefixOf = (object: string): string =>
  `${savedPrefix}${createHash('sha256').update(object).digest('hex').slice(0, 16)}-`;

/**
 * Saves an edited text after a failure: in a new file of mode 0600 in the user's runtime directory
 * (`$XDG_RUNTIME_DIR`, removed at logout), else in the temporary directory.
 *
 * @param kept the text, and the full name of its object, by which `savedTexts` finds it.
 * @param hintOf a hint that names the file.
 * @returns the failure, with that hint before its own; an internal error is returned unchanged.
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
 * Removes a text that `saveEditedText` wrote, with its directory.
 *
 * @returns false for any other file, which is not changed.
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
 * The files with texts of an object that `saveEditedText` wrote.
 *
 * @param object its full name
 */
export async function savedTexts(object: string, env: EditorEnvironment['env']): Promise<readonly string[]> {
  const prefix = savedPrefixOf(object);
  const found: string[] = [];
  for (const directory of new Set([runtimeDirectory(env) ?? tmpdir(), tmpdir()])) {
    const names = await readdir(directory).catch(() => []);
    found.push(
      ...names.filter((name) => name.startsWith(prefix)).map((name) => join(directory, name, savedFileName)),
    );
  }
  return found;
}

/** A new file of mode 0600, whatever the umask. */
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

/** The command of the editor, for the shell; the file is its last argument. */
function editorCommand(editor: string, file: string, platform: string) {
  if (platform === 'win32')
    return { command: 'cmd.exe', args: ['/d', '/s', '/c', `"${editor} "${file}""`], verbatim: true };
  // `exec` replaces the shell by a plain command, so that signals reach it; `A=b vi` and the like cannot use it. A
  // missing editor is reported here, not by the shell.
  const isSimple = !/^\s*\w+=|[;&|()]/.test(editor);
  const line = isSimple ? `${checkCommand} ${editor} || exit 127; exec ${editor} "$@"` : `${editor} "$@"`;
  return { command: 'sh', args: ['-c', line, editor, file] };
}
