/** Maximum characters of a policy: as many as can be parsed without blocking other requests. */
export const maxPolicyLength = 64 * 1024;

/**
 * Skips white space and comments (`#` or `//` to the end of the line, or between slash-star and star-slash)
 * in a policy.
 * @returns the position of the next token, or of an unterminated comment
 */
export function skipSpace(text: string, from: number): number {
  for (let at = from; ; ) {
    const code = text.charCodeAt(at);
    const isLine = code === 0x23 || (code === 0x2f && text.charCodeAt(at + 1) === 0x2f);
    if (isLine) {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else if (code === 0x2f && text.charCodeAt(at + 1) === 0x2a) {
      const end = text.indexOf('*/', at + 2);
      if (end < 0) return at;
      at = end + 2;
    } else if (
      code === 0x20 ||
      (code >= 0x09 && code <= 0x0d) ||
      (code > 0x7f && /\s/.test(text.charAt(at)))
    ) {
      at++;
    } else {
      return at;
    }
  }
}
