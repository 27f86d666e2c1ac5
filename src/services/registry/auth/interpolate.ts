/** A text whose placeholders cannot be replaced; the message has the words of Consul. */
export class InterpolationError extends Error {}

/**
 * Replaces placeholders, such as `${value.x}`, by variables in lower case.
 *
 * @param lookup the value of a variable; undefined: unknown
 * @throws InterpolationError an unknown variable, or an unterminated placeholder
 */
export function interpolate(text: string, lookup: (variable: string) => string | undefined): string {
  let result = '';
  let at = 0;
  for (;;) {
    const start = text.indexOf('${', at);
    if (start < 0) return result + text.slice(at);
    const end = text.indexOf('}', start);
    if (end < 0) {
      throw new InterpolationError(
        `parse error at 1:${text.length + 1}: expected "}" but found end of string`,
      );
    }
    const variable = text.slice(start + 2, end);
    const value = lookup(variable.trim());
    if (value === undefined) {
      const column = start + 3 + variable.length - variable.trimStart().length;
      throw new InterpolationError(`1:${column}: unknown variable accessed: ${variable.trim()}`);
    }
    result += text.slice(at, start) + value.toLowerCase();
    at = end + 1;
  }
}
