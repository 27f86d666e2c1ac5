import { formatJson } from '../wire/json.ts';
import { unsafeCharacterPattern } from '../wire/printable.ts';

/** What JSON leaves as it is and a terminal would obey or not show: DEL, C1 controls, marks of the writing direction. */
const unsafeCharacters = new RegExp(unsafeCharacterPattern, 'gu');

/**
 * Writes a value as JSON, without a newline at the end. For a terminal, characters that it would obey are
 * written as `\uXXXX`: the value stays the same. Nothing at all (`undefined`) is `null`.
 */
export function renderJson(value: unknown, terminal: boolean, indent = 0): string {
  const written = formatJson(value ?? null, indent);
  return terminal ? written.replace(unsafeCharacters, escapeCharacter) : written;
}

/** Astral characters are two escapes, as JSON has them. */
function escapeCharacter(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
