import { OrderedChoiceParser } from './ordered-choice-parser.ts';

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

/** A parser of the numbers and texts of filter expressions. */
export class LiteralParser extends OrderedChoiceParser {
  /** A number in decimal digits, with what follows it unread. */
  protected number(): string | undefined {
    const start = this.at;
    const digits = () => {
      this.literal('-');
      return this.#digits();
    };
    return (
      this.attempt(() => {
        if (!digits() || !this.#isNumberEnd()) return undefined;
        return this.text.slice(start, this.at);
      }) ??
      this.attempt(() => {
        if (!digits() || !this.absent(() => this.#isNumberEnd())) return undefined;
        return this.problem('"number"', 'Invalid number literal');
      })
    );
  }

  #digits(): boolean {
    const digit = () => this.character(/^[0-9]/, '[0-9]');
    if (!this.literal('0')) {
      if (!this.character(/^[1-9]/, '[1-9]')) return false;
      while (digit());
    }
    this.attempt(() => {
      if (!this.literal('.') || !digit()) return undefined;
      while (digit());
      return true;
    });
    return true;
  }

  #isNumberEnd(): boolean {
    const start = this.at;
    const isEnd = this.space() || this.end() || this.literal(')');
    this.at = start;
    return isEnd;
  }

  /** The content of a text in quotes or backquotes. */
  protected string(): string | undefined {
    const start = this.at;
    const quotes = ['`', '"'];
    const closed = quotes.some((quote) => this.attempt(() => this.#quoted(quote) && this.literal(quote)));
    if (closed) {
      const text = unquote(this.text.slice(start, this.at));
      if (text === undefined) this.problem('"string"', 'invalid syntax', start);
      return text ?? '';
    }
    return this.attempt(() => {
      if (!quotes.some((quote) => this.attempt(() => this.#quoted(quote))) || !this.end()) return undefined;
      return this.problem('"string"', 'Unterminated string literal');
    });
  }

  /** A quote and the characters after it, without the closing quote. */
  #quoted(quote: string): boolean {
    if (!this.literal(quote)) return false;
    while (this.absent(() => this.literal(quote)) && this.any());
    return true;
  }
}

/**
 * The text of a literal in quotes or backquotes, with the escapes of Go. Bytes (`\xff`, `\377`) count as characters.
 *
 * @returns undefined: an invalid escape or a line break
 */
function unquote(literal: string): string | undefined {
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
