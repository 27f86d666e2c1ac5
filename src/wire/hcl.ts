/** A token, as written, with its position: line and column from 1. */
export interface HclToken {
  /** A scalar is a word, number, quoted string or heredoc. */
  readonly kind: 'comment' | 'scalar' | 'mark' | 'end';
  readonly text: string;
  readonly line: number;
  readonly column: number;
  /** Line breaks between the previous token and this one. */
  readonly lineBreaks: number;
}

/** The contents of a text or of a pair of braces. */
export interface HclBody {
  readonly items: readonly HclItem[];
  /** After the last item. */
  readonly comments: readonly HclToken[];
}

/** The value of an item or an element of a list. */
export interface HclValue {
  /** Its first token: a scalar, `[` of a list, or `{` of a body. */
  readonly first: HclToken;
  /** Elements of a list. */
  readonly elements?: readonly HclValue[];
  readonly body?: HclBody;
}

/** A block (`key "label" { ... }`) or an assignment (`key = value`). */
export interface HclItem extends HclValue {
  /** Before it, and within it. */
  readonly comments: readonly HclToken[];
  /** The key and the labels: scalars. */
  readonly keys: readonly [HclToken, ...HclToken[]];
  readonly isAssignment: boolean;
  /** First tokens of the elements of a list: scalars, unless the syntax has nested lists. */
  readonly list?: readonly HclToken[];
  /** The comment at the end of its last line, or an empty string. */
  readonly trailingComment: string;
}

/** Restrictions of a language that is written in HCL. */
export interface HclSyntax {
  /** Maximum depth of nested bodies (default `maxHclDepth`). */
  readonly maxDepth?: number;
  /** Maximum number of labels of a block (default unlimited). */
  readonly maxLabels?: number;
  /** Whether blocks contain assignments only, and with `hasNestedLists` blocks without labels. */
  readonly isFlat?: boolean;
  /** Whether lists may contain lists and bodies. */
  readonly hasNestedLists?: boolean;
  /** What errors name as expected. */
  readonly expected?: Partial<typeof defaultExpected>;
}

/** Limits the stack that the parser uses. */
export const maxHclDepth = 32;

const defaultExpected = {
  item: 'a name',
  /** In place of an item of a block. */
  field: 'a name or "}"',
  /** After the key of a block. */
  label: '"=" or "{"',
  element: 'a value',
  /** After an element of a list. */
  separator: '"]"',
};

/** Invalid HCL; the message begins with the line. */
export class HclError extends Error {
  readonly line: number;
  readonly column: number;

  constructor({ line, column }: Pick<HclToken, 'line' | 'column'>, message: string) {
    super(`line ${line}: ${message}`);
    this.line = line;
    this.column = column;
  }
}

/**
 * Parses HCL version 1: blocks, assignments, and lists. Values are not interpreted, and comments are
 * kept.
 * @throws HclError
 */
export function parseHcl(text: string, syntax: HclSyntax = {}): HclBody {
  return new Parser(tokenize(text), syntax).body('end');
}

/** The string that a token quotes. @throws HclError */
export function unquote(token: HclToken): string {
  if (!token.text.startsWith('"')) throw unexpectedToken('a quoted string', token);
  try {
    return JSON.parse(token.text) as string;
  } catch {
    throw new HclError(token, `invalid quoted string ${token.text}`);
  }
}

/** The items of a block. @throws HclError: it is an assignment */
export function blockItems({ body, first, isAssignment }: HclItem): readonly HclItem[] {
  if (isAssignment || !body) throw unexpectedToken('"{"', first);
  return body.items;
}

export function unexpectedToken(expected: string, token: HclToken): HclError {
  return new HclError(token, `expected ${expected}, found ${token.text}`);
}

/** A hint for a file name that was given instead of HCL, without `@`; undefined: the text is no file name. */
export const fileNameHint = (text: string): string | undefined =>
  /^[^\s{}="]+$/.test(text) ? `Use @${text} to read the file.` : undefined;

/** White space, then a comment, a scalar (quoted string, heredoc, word or number), a punctuation mark or the end. */
const tokenPattern =
  /\s*(?:(#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)|("(?:[^"\\\n]|\\.)*"|<<-?([A-Za-z_]\w*)[^\S\n]*\n(?:[\s\S]*?\n)?[^\S\n]*\3(?=\n|$)|[A-Za-z_][\w.-]*|-?\d[\w.+-]*)|([{}[\]=,])|$)/y;

function tokenize(source: string): HclToken[] {
  const text = source.replaceAll('\r\n', '\n');
  const tokens: HclToken[] = [];
  let line = 1;
  let column = 1;
  /** Moves the position past a text; returns its line breaks. */
  const skip = (skipped: string): number => {
    const lineBreaks = skipped.split('\n').length - 1;
    line += lineBreaks;
    column = lineBreaks > 0 ? skipped.length - skipped.lastIndexOf('\n') : column + skipped.length;
    return lineBreaks;
  };
  tokenPattern.lastIndex = 0;
  for (;;) {
    const offset = tokenPattern.lastIndex;
    const [all, comment, scalar, , mark] = tokenPattern.exec(text) ?? [];
    if (all === undefined) {
      const rest = text.slice(offset);
      skip(rest.slice(0, rest.search(/\S/)));
      throw new HclError({ line, column }, 'unexpected character');
    }
    const matched = comment ?? scalar ?? mark ?? '';
    const lineBreaks = skip(all.slice(0, all.length - matched.length));
    const kind = comment ? 'comment' : scalar ? 'scalar' : mark ? 'mark' : 'end';
    tokens.push({ kind, text: matched.trimEnd() || 'the end', line, column, lineBreaks });
    if (kind === 'end') return tokens;
    skip(matched);
  }
}

class Parser {
  readonly #tokens: readonly HclToken[];
  readonly #syntax: HclSyntax;
  readonly #expected: typeof defaultExpected;
  #position = 0;
  #depth = 0;

  constructor(tokens: readonly HclToken[], syntax: HclSyntax) {
    this.#tokens = tokens;
    this.#syntax = syntax;
    this.#expected = { ...defaultExpected, ...syntax.expected };
  }

  body(end: 'end' | 'mark'): HclBody {
    const items: HclItem[] = [];
    for (;;) {
      const comments = this.#comments();
      const { kind, text } = this.#peek;
      if (kind === end && (end === 'end' || text === '}')) return { items, comments };
      if (kind !== 'scalar') throw this.#unexpected(this.#expected[this.#depth > 0 ? 'field' : 'item']);
      items.push(this.#item(comments));
    }
  }

  #item(before: readonly HclToken[]): HclItem {
    const isField = this.#depth > 0 && this.#syntax.isFlat === true;
    const maxKeys = isField ? 1 : 1 + (this.#syntax.maxLabels ?? Number.POSITIVE_INFINITY);
    const keys: [HclToken, ...HclToken[]] = [this.#take()];
    // A comment within an item is moved before it: after it, it would end the line.
    const inner = this.#comments();
    while (this.#peek.kind === 'scalar' && keys.length < maxKeys) {
      keys.push(this.#take());
      inner.push(...this.#comments());
    }
    const isAssignment = keys.length === 1 && this.#accept('=');
    if (isAssignment) inner.push(...this.#comments());
    else if (isField && !(this.#syntax.hasNestedLists && this.#peek.text === '{'))
      throw this.#unexpected('"="');
    else if (this.#peek.text !== '{') {
      const isBlock = keys.length === maxKeys || this.#peek.text === '=';
      throw this.#unexpected(isBlock ? '"{"' : this.#expected.label);
    }
    const value = this.#value(inner);
    this.#accept(',');
    const comments = [...before, ...inner.map((comment) => ({ ...comment, lineBreaks: 1 }))];
    return { comments, keys, isAssignment, ...value, trailingComment: this.#trailingComment() };
  }

  /** @param comments receives those in a list */
  #value(comments: HclToken[]): HclValue & Pick<HclItem, 'list'> {
    const first = this.#take();
    if (first.kind === 'scalar') return { first };
    if (first.text !== '[' && first.text !== '{') throw unexpectedToken('a value', first);
    const isList = first.text === '[';
    if (!isList || this.#syntax.hasNestedLists) this.#depth++;
    if (this.#depth > (this.#syntax.maxDepth ?? maxHclDepth)) throw new HclError(first, 'too deeply nested');
    const value = isList ? this.#listValue(first, comments) : this.#bodyValue(first);
    if (!isList || this.#syntax.hasNestedLists) this.#depth--;
    return value;
  }

  #bodyValue(first: HclToken): HclValue {
    const body = this.body('mark');
    this.#position++;
    return { first, body };
  }

  #listValue(first: HclToken, comments: HclToken[]): HclValue & Pick<HclItem, 'list'> {
    const elements = this.#list(comments);
    return { first, elements, list: elements.map((element) => element.first) };
  }

  #list(comments: HclToken[]): HclValue[] {
    const elements: HclValue[] = [];
    for (;;) {
      comments.push(...this.#comments());
      if (this.#accept(']')) return elements;
      const { kind, text } = this.#peek;
      const isNested = this.#syntax.hasNestedLists === true && (text === '[' || text === '{');
      // Nothing can follow a heredoc on its line.
      if (!isNested && (kind !== 'scalar' || text.startsWith('<<')))
        throw this.#unexpected(this.#expected.element);
      elements.push(this.#value(comments));
      comments.push(...this.#comments());
      if (!this.#accept(',') && this.#peek.text !== ']') throw this.#unexpected(this.#expected.separator);
    }
  }

  #comments(): HclToken[] {
    const comments: HclToken[] = [];
    while (this.#peek.kind === 'comment') comments.push(this.#take());
    return comments;
  }

  /** The comment after the item, if nothing else follows on its line. */
  #trailingComment(): string {
    const { kind, lineBreaks, text } = this.#peek;
    if (kind !== 'comment' || lineBreaks > 0) return '';
    const next = this.#tokens[this.#position + 1] as HclToken;
    return next.kind === 'end' || next.lineBreaks > 0 || text.includes('\n') ? this.#take().text : '';
  }

  #accept(mark: string): boolean {
    if (this.#peek.text !== mark) return false;
    this.#position++;
    return true;
  }

  /** Nothing is read after the end. */
  get #peek(): HclToken {
    return this.#tokens[this.#position] as HclToken;
  }

  #take(): HclToken {
    const token = this.#peek;
    this.#position++;
    return token;
  }

  #unexpected(expected: string): HclError {
    return unexpectedToken(expected, this.#peek);
  }
}
