/** A JSON value; integers that a number cannot hold exactly are bigints. */
export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };

// Numbers that may be more than a number holds: many digits, or an exponent of three.
const large = /\d{16}|[eE]\+?0*[1-9]\d\d/;
/** The message for a number that would become no number. */
export const tooLarge = 'a number is too large';
const integer = /^-?\d+$/;

/**
 * Parses JSON without losing integers beyond 2^53 (they become bigints) and without losing keys (`__proto__`
 * is an own property like any other).
 *
 * @throws SyntaxError when the text is not JSON, or has a number that is beyond what JSON's readers hold (1e400).
 */
export function parseJson(text: string): Json {
  if (!large.test(text)) return JSON.parse(text) as Json;
  return JSON.parse(text, exact) as Json;
}

function exact(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  if (source !== undefined && integer.test(source)) return BigInt(source);
  if (!Number.isFinite(value)) throw new SyntaxError(tooLarge);
  return value;
}

/** Writes JSON; bigints come out as the integers they are. `indent` is a number of spaces, 0 for one line. */
export function formatJson(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    // There is a bigint in it, which is rare: without asking about each member it takes a quarter of the time.
    return JSON.stringify(value, exactly, indent);
  }
}

const exactly = (_key: string, member: unknown): unknown =>
  typeof member === 'bigint' ? rawInteger(member) : member;

// JSON.rawJSON is in every runtime above the floor, and not yet in TypeScript's library.
const rawInteger = (JSON as unknown as { rawJSON(text: string | bigint): unknown }).rawJSON;
