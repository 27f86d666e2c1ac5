/** The value of a text as Go reads it (`strconv.ParseBool`); undefined: not a truth value. */
export function goBoolean(text: string): boolean | undefined {
  if (/^(1|t|T|TRUE|true|True)$/.test(text)) return true;
  return /^(0|f|F|FALSE|false|False)$/.test(text) ? false : undefined;
}
