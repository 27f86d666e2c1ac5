/**
 * Characters that a terminal interprets or does not show, as the source of a regular expression with the flag `u`:
 * control characters except newline and tab, line and paragraph separators, and default ignorable characters
 * (zero-width characters, bidirectional marks and overrides, tags). Variation selectors, and the joiner within an
 * emoji, are permitted.
 */
export const unsafeCharacterPattern =
  '(?![\\n\\t])\\p{Cc}|[\\u2028\\u2029\\ufff9-\\ufffb]|(?![\\ufe00-\\ufe0f\\u200d])\\p{Default_Ignorable_Code_Point}' +
  '|\\u200d(?:(?<!\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?\\u200d)|(?!\\p{Extended_Pictographic}))';

/** Most texts. The properties of Unicode take longer to load than most commands to run. */
const plainText = /^[\n\t\x20-\x7e]*$/;

let unsafeCharacters: RegExp | undefined;

/** A word for a POSIX shell, in single quotes. */
export const shellQuote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** A word for a POSIX shell, in single quotes if it needs them. */
export const shellWord = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellQuote(word));

/**
 * Makes text safe for a terminal: replaces every unsafe character by a visible escape (`\x1b`, `\u202e`,
 * `\u{e0041}`).
 */
export function toPrintable(text: string): string {
  if (plainText.test(text)) return text;
  unsafeCharacters ??= new RegExp(unsafeCharacterPattern, 'gu');
  return text.replace(unsafeCharacters, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    if (code.length > 4) return `\\u{${code}}`;
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
  });
}
