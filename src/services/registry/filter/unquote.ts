const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
};

const escapePattern =
  /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|([abfnrtv\\"]))|[^\\\n]/uy;

/**
 * The text of a literal in quotes or backquotes, with the escapes of Go. Bytes (`\xff`, `\377`) count as characters.
 *
 * @returns undefined: an invalid escape or a line break
 */
export function unquote(literal: string): string | undefined {
  const content = literal.slice(1, -1);
  if (literal.startsWith('`')) return content.replaceAll('\r', '');
  let result = '';
  escapePattern.lastIndex = 0;
  while (escapePattern.lastIndex < content.length) {
    const match = escapePattern.exec(content);
    if (!match) return undefined;
    const [text, byte, short, long, octal, simple] = match;
    const code = Number.parseInt(byte ?? short ?? long ?? '', 16);
    const value = octal === undefined ? code : Number.parseInt(octal, 8);
    if (simple !== undefined) result += simpleEscapes[simple];
    else if (Number.isNaN(value)) result += text;
    else if (value > 0x10ffff || (octal !== undefined && value > 255)) return undefined;
    else if (byte === undefined && octal === undefined && value >= 0xd800 && value < 0xe000) return undefined;
    else result += String.fromCodePoint(value);
  }
  return result;
}
