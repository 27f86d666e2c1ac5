import type { Json, JsonObject } from '../../../wire/json.ts';

/** Values by the lower-case name of a parameter, which may be `*`; an empty list: every value. */
export type Parameters = ReadonlyMap<string, readonly Json[]>;

/** What a policy demands of the data of a request. */
export interface ParameterLimits {
  readonly allowed: Parameters | undefined;
  readonly denied: Parameters | undefined;
  readonly required: readonly string[];
  readonly paginationLimit: number | undefined;
}

const limitName = 'limit';

/** Whether a read or a write may have this data. */
export function allowsData({ allowed, denied, required }: ParameterLimits, data: JsonObject): boolean {
  if (!required.every((name) => Object.hasOwn(data, name.toLowerCase()))) return false;
  const entries = Object.entries(data).map(([name, value]) => [name.toLowerCase(), value] as const);
  if (entries.length === 0) return true;
  if (denied?.has('*')) return false;
  if (entries.some(([name, value]) => matches(denied?.get(name), value))) return false;
  if (allowed === undefined || allowed.size === 0) return true;
  const isOpen = allowed.has('*');
  if (isOpen && allowed.size === 1) return true;
  return entries.every(([name, value]) => {
    const values = allowed.get(name);
    return values === undefined ? isOpen : matches(values, value);
  });
}

/** The data of a list within the limit of its policies (`max`: the largest page); undefined: not permitted. */
export function pageWithin({ paginationLimit, required }: ParameterLimits, data: JsonObject) {
  const given = data[limitName];
  if (paginationLimit === undefined) return given === 'max' ? { ...data, [limitName]: '0' } : data;
  const largest = { ...data, [limitName]: String(paginationLimit) };
  if (given === undefined)
    return required.some((name) => name.toLowerCase() === limitName) ? undefined : largest;
  if (given === 'max') return largest;
  const limit = /^[+-]?\d+$/.test(String(given)) ? Number(given) : Number.NaN;
  if (!(limit >= 0 && limit <= paginationLimit)) return undefined;
  return limit === 0 ? largest : data;
}

/** The union of two sets of parameters; of one name, every value if one of them has every value. */
export function mergeParameters(one: Parameters | undefined, other: Parameters | undefined) {
  if (one === undefined || other === undefined) return one ?? other;
  const merged = new Map(one);
  for (const [name, values] of other) {
    const existing = merged.get(name);
    const isAny = values.length === 0 || existing?.length === 0;
    merged.set(name, isAny ? [] : [...(existing ?? []), ...values]);
  }
  return merged;
}

/** Whether a value is in a list; the empty list has every value. */
const matches = (values: readonly Json[] | undefined, value: Json): boolean =>
  values !== undefined && (values.length === 0 || values.some((each) => matchesValue(each, value)));

/** As OpenBao compares them: texts with `*` at their ends, and numbers in policies never equal numbers in requests. */
function matchesValue(expected: Json, value: Json): boolean {
  if (typeof expected === 'string' && typeof value === 'string') return matchesText(expected, value);
  return isEqual(expected, value);
}

function matchesText(pattern: string, text: string): boolean {
  if (pattern.length < 2) return pattern === text;
  const [hasStart, hasEnd] = [pattern.startsWith('*'), pattern.endsWith('*')];
  const middle = pattern.slice(hasStart ? 1 : 0, hasEnd ? -1 : undefined);
  if (hasStart && hasEnd) return text.includes(middle);
  if (hasStart) return text.endsWith(middle);
  return hasEnd ? text.startsWith(middle) : text === pattern;
}

function isEqual(expected: Json, value: Json): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(value) &&
      expected.length === value.length &&
      expected.every((each, index) => isEqual(each, value[index] as Json))
    );
  return typeof expected !== 'number' && typeof expected !== 'object' && expected === value;
}
