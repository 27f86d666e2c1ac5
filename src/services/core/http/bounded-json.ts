import { type Json, maybeUnsafeNumber, parseJson, setMember } from '../../../wire/json.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';
import { HttpError } from './http-service.ts';

/** Limits of a JSON body (docs/protocol/common.md#limits). */
export const jsonLimits = {
  depth: 500,
  /** UTF-8 bytes of one string value or name, after unescaping. */
  stringBytes: 1_048_576,
  entries: 10_000,
  elements: 10_000,
  /** Values of all types in a body: more than a stored value can contain. */
  values: 1_000_000,
  /** Characters of a number: exact integers take more than linear time. */
  numberLength: 1_000,
  /** Consecutive white space characters. */
  whitespaceLength: 1_048_576,
} as const;

/** Milliseconds of work before yielding to other requests. */
const sliceMs = 4;

/** Maximum characters of a text that is parsed without yielding first. */
const immediateLength = 16_384;

/** Characters of a string read per step. */
const pieceLength = 16_384;

const quote = 0x22;
const backslash = 0x5c;

// Its repetitions are bounded, and so is its work.
const numberPattern = /-?(?:0|[1-9]\d{0,1000})(?:\.\d{1,1000})?(?:[eE][+-]?\d{1,1000})?/y;
const integerPattern = /^-?\d+$/;
const literals: Readonly<Record<string, readonly [string, Json]>> = {
  t: ['true', true],
  f: ['false', false],
  n: ['null', null],
};

/**
 * Parses JSON within `jsonLimits`, rejecting as soon as a limit is exceeded, and in short slices: a body of
 * 32 MiB does not block other requests. Values are as from `parseJson` (exact integers, every key);
 * undefined: empty or only white space.
 * @throws HttpError 400; 413 too many values
 */
export async function parseBounded(text: string): Promise<Json | undefined> {
  const value = parseShort(text);
  if (value !== undefined) return value;
  const parsing = new BoundedParser(text).parse();
  for (let step = parsing.next(); ; step = parsing.next()) {
    if (step.done) return step.value;
    await yieldToEventLoop();
  }
}

/**
 * Parses a short text that cannot exceed a limit, natively: several times as fast. Its length alone bounds strings,
 * white space, entries (of five characters), elements (of two) and values.
 * @returns undefined: the text is too long, empty or not JSON, or may exceed the depth or the length of a number
 */
function parseShort(text: string): Json | undefined {
  if (text.length > immediateLength || mayBeTooDeep(text) || maybeUnsafeNumber.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    // The other parser finds out where it is wrong.
    return undefined;
  }
}

/** Whether a text has more brackets that open than the maximum depth, in strings or not. */
function mayBeTooDeep(text: string): boolean {
  let count = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++count > jsonLimits.depth) return true;
    }
  }
  return false;
}

/** A parser that stops after each slice of work, until it is resumed. */
type Slices<Result> = Generator<void, Result>;

class BoundedParser {
  readonly #text: string;
  #at = 0;
  #values = 0;
  #sliceEnd = 0;

  constructor(text: string) {
    this.#text = text;
  }

  *parse(): Slices<Json | undefined> {
    this.#skipWhitespace();
    if (this.#at === this.#text.length) return undefined;
    // Many large bodies may arrive at once: each also yields before it starts.
    if (this.#text.length > immediateLength) yield;
    this.#sliceEnd = performance.now() + sliceMs;
    const value = yield* this.#readValue(0);
    this.#skipWhitespace();
    if (this.#at < this.#text.length) throw this.#syntaxError();
    return value;
  }

  *#readValue(depth: number): Slices<Json> {
    if (++this.#values > jsonLimits.values) throw limitError('value count', 413);
    if (this.#values % 256 === 0) yield* this.#endSlice();
    const start = this.#text[this.#at];
    if (start === '"') return yield* this.#readString();
    if (start !== '{' && start !== '[') return this.#readScalar(start);
    if (depth === jsonLimits.depth) throw limitError('nesting depth');
    return start === '{' ? yield* this.#readObject(depth + 1) : yield* this.#readArray(depth + 1);
  }

  *#readArray(depth: number): Slices<Json> {
    const array: Json[] = [];
    for (let hasNext = this.#openContainer(']'); hasNext; hasNext = this.#hasNext(']')) {
      if (array.push(yield* this.#readValue(depth)) > jsonLimits.elements)
        throw limitError('array element count');
    }
    return array;
  }

  *#readObject(depth: number): Slices<Json> {
    const object: { [key: string]: Json } = {};
    let entries = 0;
    for (let hasNext = this.#openContainer('}'); hasNext; hasNext = this.#hasNext('}')) {
      if (this.#text[this.#at] !== '"') throw this.#syntaxError();
      const key = yield* this.#readString();
      this.#skipWhitespace();
      this.#take(':');
      setMember(object, key, yield* this.#readValue(depth));
      if (++entries > jsonLimits.entries) throw limitError('object entry count');
    }
    return object;
  }

  /** Skips the opening bracket; false: the container is empty, and has been read. */
  #openContainer(close: string): boolean {
    this.#at++;
    this.#skipWhitespace();
    const isEmpty = this.#text[this.#at] === close;
    if (isEmpty) this.#at++;
    return !isEmpty;
  }

  /** Skips the comma after an item, or the closing bracket. */
  #hasNext(close: string): boolean {
    this.#skipWhitespace();
    const isComma = this.#text[this.#at] === ',';
    this.#take(isComma ? ',' : close);
    return isComma;
  }

  #readScalar(start: string | undefined): Json {
    const [literal, value] = literals[start ?? ''] ?? [];
    if (literal !== undefined && value !== undefined) {
      if (!this.#text.startsWith(literal, this.#at)) throw this.#syntaxError();
      this.#at += literal.length;
      return value;
    }
    numberPattern.lastIndex = this.#at;
    const source = numberPattern.exec(this.#text)?.[0];
    if (source === undefined) throw this.#syntaxError();
    if (source.length > jsonLimits.numberLength) throw limitError('number length');
    this.#at += source.length;
    const parsed = Number(source);
    if (Number.isSafeInteger(parsed)) return parsed;
    if (integerPattern.test(source)) return BigInt(source);
    if (!Number.isFinite(parsed)) throw limitError('number size');
    return parsed;
  }

  *#readString(): Slices<string> {
    const pieces: string[] = [];
    // UTF-16 units; never more than UTF-8 bytes.
    let units = 0;
    this.#at++;
    for (;;) {
      const from = this.#at;
      const isEnded = this.#scanString(from + pieceLength);
      const piece = this.#unescape(from);
      units += piece.length;
      if (units > jsonLimits.stringBytes) throw limitError('string value length');
      pieces.push(piece);
      if (isEnded) break;
      yield* this.#endSlice();
    }
    this.#at++;
    const value = pieces.join('');
    if (Buffer.byteLength(value) > jsonLimits.stringBytes) throw limitError('string value length');
    return value;
  }

  /** The characters of a string since a position, as a copy: a slice would keep the entire body in memory. */
  #unescape(from: number): string {
    try {
      return JSON.parse(`"${this.#text.slice(from, this.#at)}"`) as string;
    } catch {
      this.#at = from;
      throw this.#syntaxError();
    }
  }

  /** Skips characters of a string, escapes included, up to a position; true: the closing quote is next. */
  #scanString(end: number): boolean {
    for (; this.#at < end; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === quote) return true;
      if (code === backslash) this.#at += this.#text[this.#at + 1] === 'u' ? 5 : 1;
      if (this.#at >= this.#text.length) throw this.#syntaxError();
    }
    return false;
  }

  #take(character: string): void {
    if (this.#text[this.#at] !== character) throw this.#syntaxError();
    this.#at++;
    this.#skipWhitespace();
  }

  *#endSlice(): Slices<void> {
    if (performance.now() <= this.#sliceEnd) return;
    yield;
    this.#sliceEnd = performance.now() + sliceMs;
  }

  #skipWhitespace(): void {
    const limit = this.#at + jsonLimits.whitespaceLength;
    while (isSpace(this.#text.charCodeAt(this.#at))) {
      if (this.#at++ === limit) throw limitError('white space');
    }
  }

  #syntaxError(): HttpError {
    const what =
      this.#at < this.#text.length ? `invalid character at ${this.#at + 1}` : 'unexpected end of input';
    return new HttpError(400, `error parsing JSON: ${what}`);
  }
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

function limitError(what: string, status = 400): HttpError {
  return new HttpError(status, `JSON input exceeds allowed ${what}`);
}
