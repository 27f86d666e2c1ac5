/** A filter expression that cannot be parsed or evaluated. */
export class ExpressionError extends Error {
  /** Where it cannot be parsed: characters before it. Undefined: it is too large, does not fit, or takes too much work. */
  readonly at: number | undefined;

  constructor(message: string, at?: number) {
    super(message);
    this.at = at;
  }
}

/**
 * A parser of ordered choices, as the generated one of go-bexpr: the first choice that matches is taken. An error
 * names what was expected at the farthest position. A problem rejects the text even if another choice matches.
 */
export class OrderedChoiceParser {
  protected readonly text: string;
  protected at = 0;
  readonly #expected = new Set<string>();
  /** By their texts: where they are. */
  readonly #problems = new Map<string, number>();
  #farthest = 0;
  #isInverted = false;

  constructor(text: string) {
    this.text = text;
  }

  /** @throws ExpressionError with every problem, or what was expected */
  protected checked<Result>(result: Result | undefined): Result {
    const [[, first] = []] = this.#problems;
    if (first !== undefined) throw new ExpressionError([...this.#problems.keys()].join('\n'), first);
    if (result === undefined) throw new ExpressionError(this.#noMatch(), this.#farthest);
    return result;
  }

  protected optionalSpace(): true {
    this.space();
    return true;
  }

  protected space(): boolean {
    const start = this.at;
    while (this.character(/^[ \t\r\n]/, '[ \\t\\r\\n]'));
    return this.at > start;
  }

  protected end(): boolean {
    return this.absent(() => this.any());
  }

  protected any(): boolean {
    return this.character(/^./su, '.');
  }

  protected literal(text: string): boolean {
    return this.#take(this.text.startsWith(text, this.at) ? text.length : 0, JSON.stringify(text));
  }

  /** @param label how the grammar writes the pattern */
  protected character(pattern: RegExp, label: string): boolean {
    const code = this.text.codePointAt(this.at);
    const found = code === undefined ? '' : String.fromCodePoint(code);
    return this.#take(pattern.test(found) ? found.length : 0, label);
  }

  #take(length: number, label: string): boolean {
    const matched = length > 0;
    if (matched === this.#isInverted && this.at >= this.#farthest) {
      if (this.at > this.#farthest) this.#expected.clear();
      this.#farthest = this.at;
      this.#expected.add(this.#isInverted ? `!${label}` : label);
    }
    this.at += length;
    return matched;
  }

  /** Whether something does not follow. */
  protected absent(read: () => unknown): boolean {
    const start = this.at;
    this.#isInverted = !this.#isInverted;
    const found = read();
    this.#isInverted = !this.#isInverted;
    this.at = start;
    return found === undefined || found === false;
  }

  /** What is read, or undefined without any progress. */
  protected attempt<Result>(read: () => Result | false | undefined): Result | undefined {
    const start = this.at;
    const result = read();
    if (result !== undefined && result !== false) return result;
    this.at = start;
    return undefined;
  }

  protected problem(rule: string, message: string, at = this.at): undefined {
    this.#problems.set(`${this.#position(at)}: rule ${rule}: ${message}`, at);
  }

  #noMatch(): string {
    const expected = [...this.#expected].filter((label) => label !== '!.').sort();
    if (this.#expected.has('!.')) expected.push('EOF');
    const last = expected.pop() ?? '';
    const list = expected.length === 0 ? last : `${expected.join(', ')} or ${last}`;
    return `${this.#position(this.#farthest)}: no match found, expected: ${list}`;
  }

  /** Line, column and offset in bytes. */
  #position(at: number): string {
    const lines = this.text.slice(0, at + 1).split('\n');
    const line = lines.at(-1) ?? '';
    const column = [...line].length + (at >= this.text.length ? 1 : 0);
    return `${lines.length}:${column} (${Buffer.byteLength(this.text.slice(0, at))})`;
  }
}
