import { RulesError, type Token, tokenize } from './tokens.ts';

/** What stands between braces, or in the whole text: items, each after the comments that belong to it. */
export interface Body {
  readonly items: readonly Item[];
  /** After the last item. */
  readonly comments: readonly Comment[];
}

export interface Comment {
  readonly text: string;
  /** Was there an empty line before it? */
  readonly followsBlankLine: boolean;
}

/** `key "name" { ... }` or `key = value`. */
export interface Item {
  /** Before it. */
  readonly comments: readonly Comment[];
  readonly followsBlankLine: boolean;
  /** As they are written, quoted or not. */
  readonly keys: readonly string[];
  readonly value: Value;
  /** Behind it, on its line. */
  readonly trailingComment: string;
}

/** A text, number or truth as it is written; a list of these; or a body. */
export type Value = string | readonly string[] | Body;

/** Bodies within one another, at the most: each takes its part of the stack. */
export const maxDepth = 32;

/** Reads the configuration language, as much of it as rules have. @throws RulesError */
export function readText(text: string): Body {
  return new Reader(tokenize(text)).parse();
}

const isScalar = ({ kind }: Token): boolean => kind === 'word' || kind === 'text';

/** Behind the end. */
const endToken: Token = { kind: 'end', text: 'the end', line: 0, lastLine: 0 };

class Reader {
  readonly #tokens: readonly Token[];
  #position = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Body {
    return this.#body('end');
  }

  #body(end: 'end' | '}'): Body {
    const items: Item[] = [];
    for (;;) {
      const comments = this.#comments();
      const { kind, text } = this.#peek;
      if (kind === 'end' || text === '}') {
        if ((kind === 'end') !== (end === 'end')) throw this.#unexpected('a name');
        this.#position++;
        return { items, comments };
      }
      items.push(this.#item(comments));
    }
  }

  #item(before: readonly Comment[]): Item {
    const followsBlankLine = this.#followsBlankLine;
    const keys: string[] = [];
    // A comment within an item goes before it: behind it, it would end the line.
    const innerComments: Comment[] = [];
    for (;;) {
      innerComments.push(...this.#comments());
      if (!isScalar(this.#peek)) break;
      keys.push(this.#take().text);
    }
    if (keys.length === 0) throw this.#unexpected('a name');
    const isAssignment = this.#isNext('=');
    if (isAssignment) {
      if (keys.length > 1) throw this.#unexpected('"{"');
      this.#position++;
      innerComments.push(...this.#comments());
    } else if (!this.#isNext('{')) throw this.#unexpected('"=" or "{"');
    const value = this.#value(innerComments);
    if (this.#isNext(',')) this.#position++;
    const comments = [
      ...before,
      ...innerComments.map((comment) => ({ ...comment, followsBlankLine: false })),
    ];
    return { comments, followsBlankLine, keys, value, trailingComment: this.#trailingComment() };
  }

  /** @param comments takes those that stand in a list */
  #value(comments: Comment[]): Value {
    const token = this.#take();
    if (isScalar(token)) return token.text;
    if (token.text === '[') return this.#list(comments);
    if (token.text !== '{') throw this.#unexpected('a value', token);
    if (++this.#depth > maxDepth) throw new RulesError(token.line, 'too deeply nested');
    const body = this.#body('}');
    this.#depth--;
    return body;
  }

  #list(comments: Comment[]): string[] {
    const values: string[] = [];
    for (;;) {
      comments.push(...this.#comments());
      if (this.#isNext(']')) break;
      const value = this.#take();
      // Behind a text of several lines nothing can stand.
      if (!isScalar(value) || value.text.startsWith('<<')) throw this.#unexpected('a value', value);
      values.push(value.text);
      comments.push(...this.#comments());
      if (!this.#isNext(',')) break;
      this.#position++;
    }
    const end = this.#take();
    if (end.text !== ']') throw this.#unexpected('"]"', end);
    return values;
  }

  #comments(): Comment[] {
    const comments: Comment[] = [];
    while (this.#peek.kind === 'comment')
      comments.push({ followsBlankLine: this.#followsBlankLine, text: this.#take().text });
    return comments;
  }

  /** The comment that is behind what was just read, and ends its line. */
  #trailingComment(): string {
    const { kind, line } = this.#peek;
    const next = this.#tokens[this.#position + 1];
    const isTrailing = kind === 'comment' && line === this.#tokens[this.#position - 1]?.lastLine;
    return isTrailing && (next?.kind === 'end' || next?.line !== line) ? this.#take().text : '';
  }

  /** Is there an empty line before the next token? */
  get #followsBlankLine(): boolean {
    const before = this.#tokens[this.#position - 1];
    return before !== undefined && this.#peek.line - before.lastLine > 1;
  }

  #isNext(text: string): boolean {
    return this.#peek.text === text;
  }

  get #peek(): Token {
    return this.#tokens[this.#position] ?? endToken;
  }

  #take(): Token {
    const token = this.#peek;
    this.#position++;
    return token;
  }

  #unexpected(expected: string, { line, text } = this.#peek): RulesError {
    return new RulesError(line, `expected ${expected}, found ${text}`);
  }
}
