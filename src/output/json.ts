import { formatJson } from '../wire/json.ts';

/** What JSON leaves as it is and a terminal would obey: DEL, C1 controls, overrides of the writing direction. */
const obeyed = /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Writes a value as JSON, without a newline at the end. For a terminal, characters that it would obey are
 * written as `\uXXXX`: the value stays the same. Nothing at all (`undefined`) is `null`.
 */
export function json(value: unknown, terminal: boolean, indent = 0): string {
  const written = formatJson(value ?? null, indent);
  return terminal ? written.replace(obeyed, escaped) : written;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
