import { usage } from '../errors.ts';
import { printable } from '../wire/printable.ts';
import { isObject, members, plain } from './values.ts';

/**
 * Writes an object as lines of `KEY='value'` that a POSIX shell reads with `.` or `eval` and gives back
 * exactly. Members of members are joined by `_`, lists and empty objects are compact JSON, null is empty.
 * On a terminal control characters are shown as escapes, which a shell does not undo.
 *
 * @throws a usage error when the value is not an object, when two keys come to the same name, when a key has
 * no name, or when a value cannot be held by a variable.
 */
export function env(value: unknown, terminal: boolean): string {
  if (value === undefined || value === null) return '';
  if (!isObject(value)) {
    throw usage('--output env shows the members of an object, and the answer is not one', {
      hint: 'Choose an object with --select, or another --output.',
    });
  }
  const lines = new Map<string, { path: string; line: string }>();
  for (const [path, text] of variables(value, [])) {
    const name = nameOf(path);
    const shown = path.join('.');
    const other = lines.get(name);
    if (other !== undefined) {
      throw usage(`--output env: "${other.path}" and "${shown}" would both be ${name}`, {
        hint: 'Choose one with --select, or use another --output.',
      });
    }
    // A variable of a shell ends at NUL, and half of a surrogate pair has no bytes.
    if (text.includes('\0') || !text.isWellFormed()) {
      throw usage(`--output env: "${shown}" has a character that no environment variable can hold`, {
        hint: 'Use --output json.',
      });
    }
    lines.set(name, { path: shown, line: `${name}='${text.replaceAll("'", "'\\''")}'\n` });
  }
  const written = [...lines.values()].map(({ line }) => line).join('');
  return terminal ? printable(written) : written;
}

function* variables(
  value: Readonly<Record<string, unknown>>,
  above: readonly string[],
): Generator<[path: readonly string[], text: string]> {
  for (const [key, member] of members(value)) {
    const path = [...above, key];
    if (isObject(member) && members(member).length > 0) yield* variables(member, path);
    else yield [path, member === null ? '' : plain(member)];
  }
}

function nameOf(path: readonly string[]): string {
  const name = path
    .join('_')
    .replace(/[^A-Za-z0-9_]/gu, '_')
    .toUpperCase()
    .replace(/^(?=\d)/, '_');
  // Shells keep `_` for themselves, and of a name in other letters nothing else is left.
  if (/^_*$/.test(name)) {
    throw usage(`--output env: the key "${path.join('.')}" cannot be the name of a variable`, {
      hint: 'Use --output json.',
    });
  }
  return name;
}
