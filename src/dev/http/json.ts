import type { Json } from '../../wire/json.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';
import { HttpRefusal } from './service.ts';

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
  space: 1_048_576,
} as const;

/** Milliseconds of work before yielding to other requests. */
const slice = 4;

/** Maximum characters of a text that is parsed without yielding first. */
const shortLength = 16_384;

type Container =
  | { readonly array: Json[] }
  | { readonly object: { [key: string]: Json }; key: string; entries: number };

/** A partially read string. */
interface Reading {
  readonly what: 'name' | 'value';
  readonly pieces: string[];
  /** UTF-16 units so far; never more than UTF-8 bytes. */
  units: number;
}

/** Characters of a string read per step. */
const pieceLength = 16_384;

const quote = 0x22;
const backslash = 0x5c;

// Its repetitions are bounded, and so is its work.
const number = /-?(?:0|[1-9]\d{0,1000})(?:\.\d{1,1000})?(?:[eE][+-]?\d{1,1000})?/y;
const integer = /^-?\d+$/;
const words: Readonly<Record<string, readonly [string, Json]>> = {
  t: ['true', true],
  f: ['false', false],
  n: ['null', null],
};

/**
 * Parses JSON within `jsonLimits`, rejecting as soon as a limit is exceeded, and in short slices: a body of
 * 32 MiB does not block other requests. Values are as from `parseJson` (exact integers, every key);
 * undefined: empty or only white space.
 * @throws HttpRefusal 400; 413 too many values
 */
export async function parseBounded(text: string): Promise<Json | undefined> {
  const parser = new BoundedParser(text);
  if (parser.empty) return undefined;
  // Many large bodies may arrive at once: each also yields before it starts.
  if (text.length > shortLength) await yieldToEventLoop();
  while (!parser.run()) await yieldToEventLoop();
  return parser.result;
}

class BoundedParser {
  readonly #text: string;
  readonly #open: Container[] = [];
  #at = 0;
  #values = 0;
  #reading: Reading | undefined;
  result: Json = null;

  constructor(text: string) {
    this.#text = text;
    this.#skip();
  }

  get empty(): boolean {
    return this.#at === this.#text.length;
  }

  /** Works for one slice; true: the result is complete. */
  run(): boolean {
    const until = performance.now() + slice;
    for (let steps = 1; ; steps++) {
      if (this.#reading ? this.#piece(this.#reading) : this.#value()) return true;
      if ((steps % 256 === 0 || this.#reading) && performance.now() > until) return false;
    }
  }

  /** Reads one value, or opens one container; true when the text has been read. */
  #value(): boolean {
    if (++this.#values > jsonLimits.values) throw over('value count', 413);
    const start = this.#text[this.#at];
    if (start === '{' || start === '[') {
      if (this.#open.length === jsonLimits.depth) throw over('nesting depth');
      this.#at++;
      this.#skip();
      if (start === '[') {
        this.#open.push({ array: [] });
        if (this.#text[this.#at] !== ']') return false;
      } else {
        this.#open.push({ object: {}, key: '', entries: 0 });
        if (this.#text[this.#at] !== '}') return this.#name();
      }
      return this.#close();
    }
    return start === '"' ? this.#string('value') : this.#took(this.#scalar(start));
  }

  /** Adds a value to its container and continues with the next one. */
  #took(value: Json): boolean {
    const container = this.#open.at(-1);
    this.#skip();
    if (!container) {
      this.result = value;
      if (this.#at < this.#text.length) throw this.#malformed();
      return true;
    }
    if ('array' in container) {
      if (container.array.push(value) > jsonLimits.elements) throw over('array element count');
    } else {
      if (++container.entries > jsonLimits.entries) throw over('object entry count');
      set(container.object, container.key, value);
    }
    if (this.#text[this.#at] !== ',') return this.#close();
    this.#at++;
    this.#skip();
    return 'array' in container ? false : this.#name();
  }

  #close(): boolean {
    const container = this.#open.at(-1);
    const value = container && ('array' in container ? container.array : container.object);
    if (!value || this.#text[this.#at] !== (Array.isArray(value) ? ']' : '}')) throw this.#malformed();
    this.#at++;
    this.#open.pop();
    return this.#took(value);
  }

  #name(): boolean {
    if (this.#text[this.#at] !== '"') throw this.#malformed();
    return this.#string('name');
  }

  #named(name: string): boolean {
    const container = this.#open.at(-1);
    if (container && 'object' in container) container.key = name;
    this.#skip();
    if (this.#text[this.#at] !== ':') throw this.#malformed();
    this.#at++;
    this.#skip();
    return false;
  }

  #scalar(start: string | undefined): Json {
    const [word, value] = words[start ?? ''] ?? [];
    if (word !== undefined && value !== undefined) {
      if (!this.#text.startsWith(word, this.#at)) throw this.#malformed();
      this.#at += word.length;
      return value;
    }
    number.lastIndex = this.#at;
    const source = number.exec(this.#text)?.[0];
    if (source === undefined) throw this.#malformed();
    if (source.length > jsonLimits.numberLength) throw over('number length');
    this.#at += source.length;
    const read = Number(source);
    if (Number.isSafeInteger(read)) return read;
    if (integer.test(source)) return BigInt(source);
    if (!Number.isFinite(read)) throw over('number size');
    return read;
  }

  /** Starts a string, which may take several steps. */
  #string(what: 'name' | 'value'): boolean {
    this.#at++;
    this.#reading = { what, pieces: [], units: 0 };
    return this.#piece(this.#reading);
  }

  /** Continues a string: to its end, or by one piece. */
  #piece(reading: Reading): boolean {
    const from = this.#at;
    const ended = this.#pass(from + pieceLength);
    let piece: string;
    try {
      // A copy: a slice would keep the entire body in memory.
      piece = JSON.parse(`"${this.#text.slice(from, this.#at)}"`) as string;
    } catch {
      this.#at = from;
      throw this.#malformed();
    }
    reading.units += piece.length;
    if (reading.units > jsonLimits.stringBytes) throw over('string value length');
    reading.pieces.push(piece);
    if (!ended) return false;
    this.#at++;
    this.#reading = undefined;
    const value = reading.pieces.join('');
    if (Buffer.byteLength(value) > jsonLimits.stringBytes) throw over('string value length');
    return reading.what === 'name' ? this.#named(value) : this.#took(value);
  }

  /** Skips characters of a string, escapes included, up to a position; true: the closing quote is next. */
  #pass(until: number): boolean {
    for (; this.#at < until; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === quote) return true;
      if (code === backslash) this.#at += this.#text[this.#at + 1] === 'u' ? 5 : 1;
      if (this.#at >= this.#text.length) throw this.#malformed();
    }
    return false;
  }

  #skip(): void {
    const limit = this.#at + jsonLimits.space;
    while (isSpace(this.#text.charCodeAt(this.#at))) {
      if (this.#at++ === limit) throw over('white space');
    }
  }

  #malformed(): HttpRefusal {
    const what =
      this.#at < this.#text.length ? `invalid character at ${this.#at + 1}` : 'unexpected end of input';
    return new HttpRefusal(400, `error parsing JSON: ${what}`);
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** `__proto__` is an ordinary name. */
function set(object: { [key: string]: Json }, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

function over(what: string, status = 400): HttpRefusal {
  return new HttpRefusal(status, `JSON input exceeds allowed ${what}`);
}
