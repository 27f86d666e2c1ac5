/** An expression that cannot be parsed, or that takes too much work. */
export class ExpressionError extends Error {}

/** A piece of an expression: a word, a text (without its quotes), a number, or punctuation. */
export interface Token {
  readonly kind: 'word' | 'text' | 'number' | 'mark' | 'end';
  readonly text: string;
  /** Position of its first character, from 1. */
  readonly at: number;
}

const maxLength = 8192;

const space = /\s*/y;
const tokenPatterns = [
  // The index of a list item, after a dot.
  ['word', /(?<=\.)\d+(?!\w)/y],
  ['number', /-?\d+(?:\.\d+)?(?![\w.])/y],
  ['word', /[A-Za-z_][\w/-]*/y],
  ['text', /"(?:[^"\\]|\\.)*"|`[^`]*`/y],
  ['mark', /==|!=|[().,[\]{}]/y],
] as const;

/** @throws ExpressionError */
export function tokenize(text: string): Token[] {
  if (text.length > maxLength)
    throw new ExpressionError(`the expression is longer than ${maxLength} characters`);
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(text)?.[0];
    at += match?.length ?? 0;
    return match;
  };
  for (;;) {
    take(space);
    const position = at + 1;
    if (at === text.length) return [...tokens, { kind: 'end', text: 'the end', at: position }];
    const token = readToken(take, position);
    if (!token) throw new ExpressionError(`unexpected character at ${position}`);
    tokens.push(token);
  }
}

function readToken(take: (pattern: RegExp) => string | undefined, at: number): Token | undefined {
  for (const [kind, pattern] of tokenPatterns) {
    const match = take(pattern);
    if (match !== undefined) return { kind, text: kind === 'text' ? unquote(match, at) : match, at };
  }
  return undefined;
}

function unquote(text: string, at: number): string {
  if (text.startsWith('`')) return text.slice(1, -1);
  try {
    return JSON.parse(text) as string;
  } catch {
    throw new ExpressionError(`the text at ${at} contains an unknown escape`);
  }
}
