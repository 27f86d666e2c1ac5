import { usage } from '../errors.ts';
import { isObject } from '../wire/objects.ts';
import { shellQuote, toPrintable } from '../wire/printable.ts';
import { isUnsafeVariable } from '../wire/unsafe-variables.ts';
import type { VariableFormat } from './formats.ts';
import { definedEntries, plainText } from './values.ts';

export interface VariableOptions {
  readonly format: VariableFormat;
  readonly terminal: boolean;
  readonly prefix?: string | undefined;
  /** Random bytes, for a delimiter that no value can contain. */
  readonly random: (length: number) => Uint8Array;
}

/**
 * Writes an object as environment variables. Names keep their case; nested fields are joined by `_`, lists and empty
 * objects are compact JSON, null is empty.
 * - `env`: lines of `KEY='value'` that a POSIX shell reads exactly with `.` or `eval`.
 * - `dotenv`: the subset that shells and the readers of `.env` files (Node, dotenv, Compose) read alike.
 * - `github-env`: the format of the file $GITHUB_ENV of GitHub Actions.
 * On a terminal control characters are shown as escapes, which a shell does not undo.
 *
 * @throws a usage error when the value is not an object, two keys have the same name, a key has no name or an unsafe
 * one (PATH, LD_PRELOAD), or a variable cannot hold a value.
 */
export function renderEnv(
  value: unknown,
  { format, terminal, prefix = '', random }: VariableOptions,
): string {
  if (value === undefined || value === null) return '';
  if (!isObject(value)) {
    throw usage(`--output ${format} requires an object, but the response is not an object`, {
      hint: 'Select an object with --select, or use another --output.',
    });
  }
  const lines = new Map<string, { path: string; line: string }>();
  for (const [path, text] of flattenVariables(value, [])) {
    const name = variableName(path, format, prefix);
    const displayed = path.join('.');
    const other = lines.get(name);
    if (other !== undefined) {
      throw usage(`--output ${format}: "${other.path}" and "${displayed}" would both be ${name}`, {
        hint: 'Select one with --select, or use another --output.',
      });
    }
    // A shell variable ends at NUL, and an unpaired surrogate has no UTF-8 form.
    if (text.includes('\0') || !text.isWellFormed()) {
      throw usage(
        `--output ${format}: "${displayed}" contains a character that environment variables cannot hold`,
        { hint: 'Use --output json.' },
      );
    }
    lines.set(name, { path: displayed, line: formatLine[format](name, text, displayed, random) });
  }
  const written = [...lines.values()].map(({ line }) => line).join('');
  return terminal ? toPrintable(written) : written;
}

type LineFormatter = (
  name: string,
  text: string,
  displayed: string,
  random: VariableOptions['random'],
) => string;

const formatLine: { readonly [F in VariableFormat]: LineFormatter } = {
  env: (name, text) => `${name}=${shellQuote(text)}\n`,
  dotenv: (name, text, displayed) => `${name}=${requireDotenvValue(text, displayed)}\n`,
  'github-env': (name, text, _shown, random) => {
    const delimiter = delimiterFor(text, random);
    return `${name}<<${delimiter}\n${text}\n${delimiter}\n`;
  },
};

/**
 * A value in quotes for a .env file: every reader agrees on single quotes, and on double quotes without characters that
 * some of them expand.
 *
 * @returns undefined: it contains a carriage return, or a single quote and one of `" \ $` and a backquote.
 */
export function dotenvValue(text: string): string | undefined {
  // Readers drop a carriage return or convert it to a newline.
  if (text.includes('\r')) return undefined;
  if (!text.includes("'")) return `'${text}'`;
  return /["\\$`]/.test(text) ? undefined : `"${text}"`;
}

function requireDotenvValue(text: string, displayed: string): string {
  const value = dotenvValue(text);
  if (value !== undefined) return value;
  throw usage(`--output dotenv: readers of .env files parse the value of "${displayed}" differently`, {
    hint: 'It contains a carriage return, or a single quote and one of " \\ $ `. Use --output env for a shell, or json.',
  });
}

function delimiterFor(text: string, random: VariableOptions['random']): string {
  for (;;) {
    const delimiter = `EOF_${Buffer.from(random(16)).toString('hex')}`;
    if (!text.includes(delimiter)) return delimiter;
  }
}

function* flattenVariables(
  value: Readonly<Record<string, unknown>>,
  parents: readonly string[],
): Generator<[path: readonly string[], text: string]> {
  for (const [key, member] of definedEntries(value)) {
    const path = [...parents, key];
    if (isObject(member) && definedEntries(member).length > 0) yield* flattenVariables(member, path);
    else yield [path, member === null ? '' : plainText(member)];
  }
}

/** Names that the runner of GitHub Actions reserves. */
const runnerVariable = /^(GITHUB|RUNNER)_/i;

function variableName(path: readonly string[], format: VariableFormat, prefix: string): string {
  const key = path.join('.');
  const name = `${prefix}${path.join('_')}`.replace(/[^A-Za-z0-9_]/gu, '_').replace(/^(?=\d)/, '_');
  // Shells reserve `_`, which is all that remains of a name in other letters.
  if (/^_*$/.test(name)) {
    throw usage(`--output ${format}: the key "${key}" is not a valid variable name`, {
      hint: 'Use --output json.',
    });
  }
  if (isUnsafeVariable(name) || (format === 'github-env' && runnerVariable.test(name))) {
    throw usage(`--output ${format}: the key "${key}" would set ${name}, which changes how programs run`, {
      hint: 'Add a prefix with --env-prefix APP_, or select other keys with --select.',
    });
  }
  return name;
}
