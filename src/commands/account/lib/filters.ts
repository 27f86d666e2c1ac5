/**
 * A filter expression for items with one of several values; the service applies it page by page.
 *
 * @param selector such as `name`: the field of the item, or `attributes/login_name`.
 * @returns undefined: a value has both kinds of quotes, which no expression can have. A string has no escapes.
 */
export function anyOf(selector: string, values: readonly string[]): string | undefined {
  const literals = values.map(literal);
  if (literals.includes(undefined)) return undefined;
  return literals.map((each) => `"/item/${selector}" == ${each}`).join(' or ');
}

function literal(value: string): string | undefined {
  if (!/["\\]/.test(value)) return `"${value}"`;
  return value.includes('`') ? undefined : `\`${value}\``;
}
