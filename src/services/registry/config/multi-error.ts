/** Several errors in one text, as the product formats them; undefined if there are none. */
export function multiError(messages: readonly string[]): string | undefined {
  if (messages.length === 0) return undefined;
  const count = messages.length === 1 ? '1 error' : `${messages.length} errors`;
  return `${count} occurred:\n${messages.map((message) => `\t* ${message}\n`).join('')}\n`;
}
