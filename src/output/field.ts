import { notFound, usage } from '../errors.ts';
import { printable } from '../wire/printable.ts';
import { json } from './json.ts';
import { isObject } from './values.ts';

const first = /([^.[\]"]+)|\[(\d+|"(?:[^"\\]|\\.)*")\]/y;
const further = /\.([^.[\]"]+)|\[(\d+|"(?:[^"\\]|\\.)*")\]/y;
const bare = /^[^.[\]"\s]+$/;
const mostMembers = 30;

/**
 * Reads a path into its steps: names and indexes between dots, and `["any name"]` (a JSON string) or `[0]`.
 *
 * @throws a usage error that says where the path stops being one.
 */
export function parsePath(path: string): string[] {
  const steps: string[] = [];
  let at = 0;
  do {
    const step = at === 0 ? first : further;
    step.lastIndex = at;
    const match = step.exec(path);
    if (match === null) throw malformed(path, at);
    steps.push(match[1] ?? bracketed(match[2] ?? '', path, at));
    at = step.lastIndex;
  } while (at < path.length);
  return steps;
}

/**
 * The value at a path, as text that ends in a newline: a string raw, other values as compact JSON. It is looked
 * for in each of `places` in turn; only own fields count. On a terminal, control characters become visible.
 *
 * @throws a usage error for a malformed path; "not found" that names the fields there are, never values.
 */
export function field(path: string, places: readonly unknown[], terminal: boolean): string {
  const steps = parsePath(path);
  const lookups = places.map((place) => lookUp(place, steps));
  const found = lookups.find(({ depth }) => depth === steps.length);
  if (found === undefined) throw missing(path, steps, lookups);
  if (typeof found.value !== 'string') return `${json(found.value, terminal)}\n`;
  const text = terminal ? printable(found.value) : found.value;
  return text.endsWith('\n') ? text : `${text}\n`;
}

/**
 * Where an expression of `--select` found null: is that what stands there?
 *
 * @throws "not found" that names the fields there are.
 */
export function requireMember(expression: string, data: unknown): void {
  const steps = isPath(expression) ? parsePath(expression) : undefined;
  if (steps && lookUp(data, steps).depth === steps.length) return;
  throw notFound(`--select ${quoted(expression)} matches nothing`, {
    details: [described(data, 'the response')],
  });
}

function isPath(expression: string): boolean {
  try {
    return parsePath(expression).length > 0;
  } catch {
    return false;
  }
}

interface Lookup {
  /** The steps that could be gone. */
  readonly depth: number;
  /** What is there. */
  readonly value: unknown;
}

function lookUp(place: unknown, steps: readonly string[]): Lookup {
  let value = place;
  for (const [depth, step] of steps.entries()) {
    const member = memberOf(value, step);
    if (member === undefined) return { depth, value };
    value = member;
  }
  return { depth: steps.length, value };
}

function memberOf(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(step) ? value[Number(step)] : undefined;
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

function missing(path: string, steps: readonly string[], lookups: readonly Lookup[]) {
  const furthest = lookups.reduce((best, next) => (next.depth >= best.depth ? next : best));
  const { depth, value } = furthest;
  const place = depth === 0 ? 'the response' : quoted(written(steps.slice(0, depth)));
  return notFound(`--field ${quoted(path)}: no field ${quoted(steps[depth] ?? '')} in ${place}`, {
    details: [described(value, place)],
  });
}

/** Says what could have been named instead; the values stay unsaid, they may be secret. */
function described(value: unknown, place: string): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return `${place} is an empty list`;
    return `${place} is a list of ${value.length}; the first is 0, the last is ${value.length - 1}`;
  }
  if (!isObject(value)) return `${place} is ${kindOf(value)} and has no fields`;
  const names = Object.keys(value);
  if (names.length === 0) return `${place} has no fields`;
  const listed = names.slice(0, mostMembers).map((name) => written([name]));
  const more = names.length - listed.length;
  return `fields of ${place}: ${listed.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'empty';
  if (typeof value === 'string') return 'a string';
  return typeof value === 'boolean' ? 'a boolean' : 'a number';
}

/** Steps as they are typed. */
function written(steps: readonly string[]): string {
  return steps
    .map((step) => (bare.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`))
    .join('')
    .replace(/^\./, '');
}

function bracketed(content: string, path: string, at: number): string {
  if (!content.startsWith('"')) return content;
  try {
    return JSON.parse(content) as string;
  } catch {
    throw malformed(path, at);
  }
}

function malformed(path: string, at: number) {
  return usage(`invalid --field ${quoted(path)}: syntax error at character ${at + 1}`, {
    hint: 'Separate names and indexes with dots (keys.0.name), and put other names in ["..."].',
  });
}

function quoted(text: string): string {
  return `"${text}"`;
}
