/** An expression that cannot be parsed, or that takes too much work. */
export class ExpressionError extends Error {}

/** A piece of an expression: a word, a text (without its quotes), a number, or punctuation. */
export interface Token {
  readonly kind: 'word' | 'text' | 'number' | 'mark' | 'end';
  readonly text: string;
  /** Position of its first character, from 1. */
  readonly at: number;
}

const longest = 8192;

const space = /\s*/y;
const forms = [
  // The index of a list item, after a dot.
  ['word', /(?<=\.)\d+(?!\w)/y],
  ['number', /-?\d+(?:\.\d+)?(?![\w.])/y],
  ['word', /[A-Za-z_][\w/-]*/y],
  ['text', /"(?:[^"\\]|\\.)*"|`[^`]*`/y],
  ['mark', /==|!=|[().,[\]{}]/y],
] as const;

/** @throws ExpressionError */
export function tokensOf(text: string): Token[] {
  if (text.length > longest) throw new ExpressionError(`the expression is longer than ${longest} characters`);
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  for (;;) {
    take(space);
    const begin = at + 1;
    if (at === text.length) return [...tokens, { kind: 'end', text: 'the end', at: begin }];
    const token = tokenBy(take, begin);
    if (!token) throw new ExpressionError(`unexpected character at ${begin}`);
    tokens.push(token);
  }
}

function tokenBy(take: (pattern: RegExp) => string | undefined, at: number): Token | undefined {
  for (const [kind, pattern] of forms) {
    const found = take(pattern);
    if (found !== undefined) return { kind, text: kind === 'text' ? unquoted(found, at) : found, at };
  }
  return undefined;
}

function unquoted(text: string, at: number): string {
  if (text.startsWith('`')) return text.slice(1, -1);
  try {
    return JSON.parse(text) as string;
  } catch {
    throw new ExpressionError(`the text at ${at} contains an unknown escape`);
  }
}
