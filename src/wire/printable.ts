const hidden = /(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Makes text safe to show on a terminal: every control character but newline and tab, and every mark or override
 * of the direction of writing, becomes a visible escape (`\x1b`, `\u202e`).
 */
export function printable(text: string): string {
  return text.replace(hidden, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
  });
}
