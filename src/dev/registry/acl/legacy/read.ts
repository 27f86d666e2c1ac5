import { RulesError, type Token, tokensOf } from './tokens.ts';

/** What stands between braces, or in the whole text: items, each after the comments that belong to it. */
export interface Body {
  readonly items: readonly Item[];
  /** After the last item. */
  readonly comments: readonly Comment[];
}

export interface Comment {
  readonly text: string;
  /** Was there an empty line before it? */
  readonly apart: boolean;
}

/** `key "name" { ... }` or `key = value`. */
export interface Item {
  /** Before it. */
  readonly comments: readonly Comment[];
  readonly apart: boolean;
  /** As they are written, quoted or not. */
  readonly keys: readonly string[];
  readonly value: Value;
  /** Behind it, on its line. */
  readonly remark: string;
}

/** A text, number or truth as it is written; a list of these; or a body. */
export type Value = string | readonly string[] | Body;

/** Bodies within one another, at the most: each takes its part of the stack. */
export const maxDepth = 32;

/** Reads the configuration language, as much of it as rules have. @throws RulesError */
export function readText(text: string): Body {
  return new Reader(tokensOf(text)).whole();
}

const isPlain = ({ kind }: Token): boolean => kind === 'word' || kind === 'text';

/** Behind the end. */
const nothing: Token = { kind: 'end', text: 'the end', line: 0, lastLine: 0 };

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Body {
    return this.#body('end');
  }

  #body(end: 'end' | '}'): Body {
    const items: Item[] = [];
    for (;;) {
      const comments = this.#comments();
      const { kind, text } = this.#peek;
      if (kind === 'end' || text === '}') {
        if ((kind === 'end') !== (end === 'end')) throw this.#unexpected('a name');
        this.#at++;
        return { items, comments };
      }
      items.push(this.#item(comments));
    }
  }

  #item(before: readonly Comment[]): Item {
    const apart = this.#apart;
    const keys: string[] = [];
    // A comment within an item goes before it: behind it, it would end the line.
    const within: Comment[] = [];
    for (;;) {
      within.push(...this.#comments());
      if (!isPlain(this.#peek)) break;
      keys.push(this.#take().text);
    }
    if (keys.length === 0) throw this.#unexpected('a name');
    const assigned = this.#is('=');
    if (assigned) {
      if (keys.length > 1) throw this.#unexpected('"{"');
      this.#at++;
      within.push(...this.#comments());
    } else if (!this.#is('{')) throw this.#unexpected('"=" or "{"');
    const value = this.#value(within);
    if (this.#is(',')) this.#at++;
    const comments = [...before, ...within.map((comment) => ({ ...comment, apart: false }))];
    return { comments, apart, keys, value, remark: this.#remark() };
  }

  /** @param comments takes those that stand in a list */
  #value(comments: Comment[]): Value {
    const token = this.#take();
    if (isPlain(token)) return token.text;
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
      if (this.#is(']')) break;
      const value = this.#take();
      // Behind a text of several lines nothing can stand.
      if (!isPlain(value) || value.text.startsWith('<<')) throw this.#unexpected('a value', value);
      values.push(value.text);
      comments.push(...this.#comments());
      if (!this.#is(',')) break;
      this.#at++;
    }
    const end = this.#take();
    if (end.text !== ']') throw this.#unexpected('"]"', end);
    return values;
  }

  #comments(): Comment[] {
    const comments: Comment[] = [];
    while (this.#peek.kind === 'comment') comments.push({ apart: this.#apart, text: this.#take().text });
    return comments;
  }

  /** The comment that is behind what was just read, and ends its line. */
  #remark(): string {
    const { kind, line } = this.#peek;
    const next = this.#tokens[this.#at + 1];
    const behind = kind === 'comment' && line === this.#tokens[this.#at - 1]?.lastLine;
    return behind && (next?.kind === 'end' || next?.line !== line) ? this.#take().text : '';
  }

  /** Is there an empty line before the next token? */
  get #apart(): boolean {
    const before = this.#tokens[this.#at - 1];
    return before !== undefined && this.#peek.line - before.lastLine > 1;
  }

  #is(text: string): boolean {
    return this.#peek.text === text;
  }

  get #peek(): Token {
    return this.#tokens[this.#at] ?? nothing;
  }

  #take(): Token {
    const token = this.#peek;
    this.#at++;
    return token;
  }

  #unexpected(wanted: string, { line, text } = this.#peek): RulesError {
    return new RulesError(line, `expected ${wanted}, found ${text}`);
  }
}
