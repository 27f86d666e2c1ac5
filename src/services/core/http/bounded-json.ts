import type { Json } from '../../../wire/json.ts';
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

type Container =
  | { readonly array: Json[] }
  | { readonly object: { [key: string]: Json }; key: string; entries: number };

/** A partially read string. */
interface PartialString {
  readonly role: 'name' | 'value';
  readonly pieces: string[];
  /** UTF-16 units so far; never more than UTF-8 bytes. */
  units: number;
}

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
  const parser = new BoundedParser(text);
  if (parser.isEmpty) return undefined;
  // Many large bodies may arrive at once: each also yields before it starts.
  if (text.length > immediateLength) await yieldToEventLoop();
  while (!parser.run()) await yieldToEventLoop();
  return parser.result;
}

class BoundedParser {
  readonly #text: string;
  readonly #containers: Container[] = [];
  #at = 0;
  #values = 0;
  #partialString: PartialString | undefined;
  result: Json = null;

  constructor(text: string) {
    this.#text = text;
    this.#skipWhitespace();
  }

  get isEmpty(): boolean {
    return this.#at === this.#text.length;
  }

  /** Works for one slice; true: the result is complete. */
  run(): boolean {
    const end = performance.now() + sliceMs;
    for (let steps = 1; ; steps++) {
      if (this.#partialString ? this.#readPiece(this.#partialString) : this.#readValue()) return true;
      if ((steps % 256 === 0 || this.#partialString) && performance.now() > end) return false;
    }
  }

  /** Reads one value, or opens one container; true when the text has been read. */
  #readValue(): boolean {
    if (++this.#values > jsonLimits.values) throw limitError('value count', 413);
    const start = this.#text[this.#at];
    if (start === '{' || start === '[') {
      if (this.#containers.length === jsonLimits.depth) throw limitError('nesting depth');
      this.#at++;
      this.#skipWhitespace();
      if (start === '[') {
        this.#containers.push({ array: [] });
        if (this.#text[this.#at] !== ']') return false;
      } else {
        this.#containers.push({ object: {}, key: '', entries: 0 });
        if (this.#text[this.#at] !== '}') return this.#readKey();
      }
      return this.#closeContainer();
    }
    return start === '"' ? this.#beginString('value') : this.#addValue(this.#readScalar(start));
  }

  /** Adds a value to its container and continues with the next one. */
  #addValue(value: Json): boolean {
    const container = this.#containers.at(-1);
    this.#skipWhitespace();
    if (!container) {
      this.result = value;
      if (this.#at < this.#text.length) throw this.#syntaxError();
      return true;
    }
    if ('array' in container) {
      if (container.array.push(value) > jsonLimits.elements) throw limitError('array element count');
    } else {
      if (++container.entries > jsonLimits.entries) throw limitError('object entry count');
      setProperty(container.object, container.key, value);
    }
    if (this.#text[this.#at] !== ',') return this.#closeContainer();
    this.#at++;
    this.#skipWhitespace();
    return 'array' in container ? false : this.#readKey();
  }

  #closeContainer(): boolean {
    const container = this.#containers.at(-1);
    const value = container && ('array' in container ? container.array : container.object);
    if (!value || this.#text[this.#at] !== (Array.isArray(value) ? ']' : '}')) throw this.#syntaxError();
    this.#at++;
    this.#containers.pop();
    return this.#addValue(value);
  }

  #readKey(): boolean {
    if (this.#text[this.#at] !== '"') throw this.#syntaxError();
    return this.#beginString('name');
  }

  #setKey(name: string): boolean {
    const container = this.#containers.at(-1);
    if (container && 'object' in container) container.key = name;
    this.#skipWhitespace();
    if (this.#text[this.#at] !== ':') throw this.#syntaxError();
    this.#at++;
    this.#skipWhitespace();
    return false;
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

  /** Starts a string, which may take several steps. */
  #beginString(what: 'name' | 'value'): boolean {
    this.#at++;
    this.#partialString = { role: what, pieces: [], units: 0 };
    return this.#readPiece(this.#partialString);
  }

  /** Continues a string: to its end, or by one piece. */
  #readPiece(partial: PartialString): boolean {
    const from = this.#at;
    const ended = this.#scanString(from + pieceLength);
    let piece: string;
    try {
      // A copy: a slice would keep the entire body in memory.
      piece = JSON.parse(`"${this.#text.slice(from, this.#at)}"`) as string;
    } catch {
      this.#at = from;
      throw this.#syntaxError();
    }
    partial.units += piece.length;
    if (partial.units > jsonLimits.stringBytes) throw limitError('string value length');
    partial.pieces.push(piece);
    if (!ended) return false;
    this.#at++;
    this.#partialString = undefined;
    const value = partial.pieces.join('');
    if (Buffer.byteLength(value) > jsonLimits.stringBytes) throw limitError('string value length');
    return partial.role === 'name' ? this.#setKey(value) : this.#addValue(value);
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

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** `__proto__` is an ordinary name. */
function setProperty(object: { [key: string]: Json }, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

function limitError(what: string, status = 400): HttpError {
  return new HttpError(status, `JSON input exceeds allowed ${what}`);
}
