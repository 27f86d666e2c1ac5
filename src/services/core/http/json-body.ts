import { formatJson } from '../../../wire/json.ts';
import { concatInSlices } from '../in-slices.ts';
import { isList, isMap, isObjectType, type Type } from '../schema/types.ts';
import { fieldsOf, writerOf } from '../schema/write.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';

/** Values, or 256 characters of a text, that are encoded at once; and without yielding to the event loop. */
const maxWeight = 256;
const sliceWeight = 1024;

/**
 * A body in JSON, encoded when it is sent: in slices, if it is long. Nothing may change its value. Indented JSON ends in
 * a line break.
 */
export class JsonBody {
  readonly #value: unknown;
  readonly #indent: number;
  readonly #type: Type | undefined;

  constructor(value: unknown, indent = 0, type?: Type) {
    this.#value = value;
    this.#indent = indent;
    this.#type = type;
  }

  /** The same with the fields of a type only. */
  as(type: Type): JsonBody {
    return new JsonBody(this.#value, this.#indent, type);
  }

  encode(): string | Promise<Buffer> {
    if (weigh(this.#value, 0, sliceWeight) > sliceWeight) return this.#encodeInSlices();
    const text = formatted(this.#value, this.#type, this.#indent);
    return this.#indent === 0 ? text : `${text}\n`;
  }

  async #encodeInSlices(): Promise<Buffer> {
    const buffers: Buffer[] = [];
    let parts: string[] = [];
    let weight = 0;
    for (const piece of pieces(this.#value, this.#type, this.#indent, 0)) {
      parts.push(piece.text);
      weight += piece.weight;
      if (weight < sliceWeight) continue;
      buffers.push(Buffer.from(parts.join('')));
      parts = [];
      weight = 0;
      await yieldToEventLoop();
    }
    buffers.push(Buffer.from(this.#indent === 0 ? parts.join('') : `${parts.join('')}\n`));
    return concatInSlices(buffers);
  }
}

/** An object as its entries, whose names differ: one with many names takes long to make and to go through. */
export class JsonEntries {
  readonly entries: readonly (readonly [name: string, value: unknown])[];

  constructor(entries: readonly (readonly [name: string, value: unknown])[]) {
    this.entries = entries;
  }

  toJSON(): object {
    return Object.fromEntries(this.entries);
  }
}

const formatted = (value: unknown, type: Type | undefined, indent: number): string =>
  formatJson(type ? writerOf(type)(value) : value, indent);

interface Piece {
  readonly text: string;
  readonly weight: number;
}

function* pieces(value: unknown, type: Type | undefined, indent: number, depth: number): Generator<Piece> {
  const weight = weigh(value, 0, maxWeight);
  if (weight <= maxWeight || !isContainer(value)) {
    const text = formatted(value, type, indent);
    yield { text: indent === 0 ? text : text.replaceAll('\n', `\n${' '.repeat(indent * depth)}`), weight };
    return;
  }
  const lineBreak = (level: number): string => (indent === 0 ? '' : `\n${' '.repeat(indent * level)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  let start = `${open}${lineBreak(depth + 1)}`;
  for (const [name, member, memberType] of members(value, type)) {
    yield { text: name === '' ? start : `${start}${name}:${indent === 0 ? '' : ' '}`, weight: 1 };
    yield* pieces(member, memberType, indent, depth + 1);
    start = `,${lineBreak(depth + 1)}`;
  }
  yield { text: `${lineBreak(depth)}${close}`, weight: 1 };
}

/** The items of a list, without a name; the fields of an object, with their names in quotes. */
function* members(
  value: object,
  type: Type | undefined,
): Generator<readonly [name: string, member: unknown, type: Type | undefined]> {
  if (Array.isArray(value)) {
    const itemType = type && isList(type) ? type.items : undefined;
    for (const item of value) yield ['', item === undefined ? null : item, itemType];
    return;
  }
  if (type && isObjectType(type) && !type.isOpen) {
    for (const [name, member, field] of fieldsOf(type, value)) yield [JSON.stringify(name), member, field];
    return;
  }
  const memberType = type && isMap(type) ? type.values : undefined;
  if (value instanceof JsonEntries) {
    for (const [name, member] of value.entries)
      if (member !== undefined) yield [JSON.stringify(name), member, memberType];
    return;
  }
  for (const name in value) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (member !== undefined) yield [JSON.stringify(name), member, memberType];
  }
}

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && (value instanceof JsonEntries || !('toJSON' in value));

/** Adds the weight of a value; beyond the maximum, not all of it. */
function weigh(value: unknown, weight: number, max: number): number {
  if (typeof value === 'string') return weight + 1 + (value.length >> 8);
  if (typeof value !== 'object' || value === null) return weight + 1;
  let sum = weight + 1;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && sum <= max; at++) sum = weigh(value[at], sum, max);
    return sum;
  }
  for (const name in value) {
    if (sum > max) break;
    sum = weigh((value as Readonly<Record<string, unknown>>)[name], sum, max);
  }
  return sum;
}
