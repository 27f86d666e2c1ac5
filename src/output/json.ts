import { formatJson } from '../wire/json.ts';
import { unsafeCharacterPattern } from '../wire/printable.ts';

/** Characters that JSON permits and a terminal would interpret or not show: DEL, C1 controls, bidirectional marks. */
const unsafeCharacters = new RegExp(unsafeCharacterPattern, 'gu');

/**
 * Writes a value as JSON, without a newline at the end. For a terminal, unsafe characters are written as `\uXXXX`,
 * which does not change the value. `undefined` is written as `null`.
 */
export function renderJson(value: unknown, terminal: boolean, indent = 0): string {
  const written = formatJson(value ?? null, indent);
  return terminal ? written.replace(unsafeCharacters, escapeCharacter) : written;
}

/** Characters beyond the BMP are two escapes, as JSON requires. */
function escapeCharacter(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
