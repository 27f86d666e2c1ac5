import { usage } from '../errors.ts';
import { isObject } from '../wire/objects.ts';

/**
 * Replaces every bigint by a unique number, so that a library which knows only numbers can carry, compare and sort
 * it: equal integers get equal numbers, smaller integers smaller ones. Objects get no prototype, so that only own
 * fields are found.
 *
 * @returns the values, and `restore`, which throws a usage error for a computed number that is not exact.
 */
export function replaceBigints(values: readonly unknown[]) {
  const integers = new Set<bigint>();
  const originals = new Map<number, number | bigint>();
  collect(values, integers, originals);
  const placeholders = new Map<bigint, number>();
  let previous = Number.NEGATIVE_INFINITY;
  for (const integer of [...integers].sort((a, b) => (a < b ? -1 : 1))) {
    let number = Number(integer);
    if (!Number.isFinite(number)) {
      throw usage('--select: an integer in the expression or the response is too large');
    }
    if (number <= previous) number = nextNumber(previous);
    while (!Number.isSafeInteger(number) && originals.has(number)) number = nextNumber(number);
    placeholders.set(integer, number);
    originals.set(number, integer);
    previous = number;
  }
  return {
    values: values.map((value) => replace(value, placeholders)),
    restore: (value: unknown): unknown => restore(value, originals),
  };
}

function collect(value: unknown, integers: Set<bigint>, originals: Map<number, number | bigint>): void {
  if (typeof value === 'bigint') integers.add(value);
  else if (isInexact(value)) originals.set(value, value);
  else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) collect(member, integers, originals);
  }
}

function replace(value: unknown, numbers: ReadonlyMap<bigint, number>): unknown {
  if (typeof value === 'bigint') return numbers.get(value);
  if (Array.isArray(value)) return value.map((item) => replace(item, numbers));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, replace(member, numbers)] as const);
  return Object.setPrototypeOf(Object.fromEntries(members), null);
}

function restore(value: unknown, originals: ReadonlyMap<number, number | bigint>): unknown {
  if (typeof value === 'number') return restoreNumber(value, originals);
  if (Array.isArray(value)) return value.map((item) => restore(item, originals));
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, restore(member, originals)]),
    );
  }
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}

function restoreNumber(value: number, originals: ReadonlyMap<number, number | bigint>): number | bigint {
  const integer = originals.get(value);
  if (integer !== undefined) return integer;
  if (!isInexact(value)) return value;
  throw usage('--select: the expression computes an integer beyond 2^53, which would not be exact');
}

function isInexact(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
}

const bits = new BigInt64Array(1);
const numbers = new Float64Array(bits.buffer);

/** The next double above a number that is far from zero. */
function nextNumber(number: number): number {
  numbers[0] = number;
  bits[0] = (bits[0] ?? 0n) + (number > 0 ? 1n : -1n);
  return numbers[0] ?? number;
}
