import { notFound, usage } from '../errors.ts';
import { isObject } from '../wire/objects.ts';
import { toPrintable } from '../wire/printable.ts';
import { renderJson } from './json.ts';

const firstStep = /([^.[\]"]+)|\[(\d+|"(?:[^"\\]|\\.)*")\]/y;
const nextStep = /\.([^.[\]"]+)|\[(\d+|"(?:[^"\\]|\\.)*")\]/y;
const unquotedName = /^[^.[\]"\s]+$/;
const maxListedFields = 30;

/**
 * Parses a path: names and indexes between periods, and `["any name"]` (a JSON string) or `[0]`.
 *
 * @throws a usage error with the position.
 */
export function parsePath(path: string): string[] {
  const steps: string[] = [];
  let position = 0;
  do {
    const step = position === 0 ? firstStep : nextStep;
    step.lastIndex = position;
    const match = step.exec(path);
    if (match === null) throw malformedPathError(path, position);
    steps.push(match[1] ?? parseBracket(match[2] ?? '', path, position));
    position = step.lastIndex;
  } while (position < path.length);
  return steps;
}

/**
 * The value at a path, as text that ends in a newline: strings raw, other values as compact JSON. Searched in each of
 * `places` in turn; only own fields count. On a terminal, control characters are escaped.
 *
 * @throws a usage error for a malformed path; "not found" with the existing field names, never values.
 */
export function renderField(path: string, roots: readonly unknown[], terminal: boolean): string {
  const steps = parsePath(path);
  const lookups = roots.map((root) => lookUp(root, steps));
  const found = lookups.find(({ depth }) => depth === steps.length);
  if (found === undefined) throw missingFieldError(path, steps, lookups);
  if (typeof found.value !== 'string') return `${renderJson(found.value, terminal)}\n`;
  const text = terminal ? toPrintable(found.value) : found.value;
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** Whether the null of a `--select` expression is in the data. @throws "not found" with the existing field names. */
export function requireField(expression: string, data: unknown): void {
  const steps = isPath(expression) ? parsePath(expression) : undefined;
  if (steps && lookUp(data, steps).depth === steps.length) return;
  throw notFound(`--select ${quote(expression)} matches nothing`, {
    details: [describeFields(data, 'the response')],
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
  /** The steps that could be followed. */
  readonly depth: number;
  readonly value: unknown;
}

function lookUp(root: unknown, steps: readonly string[]): Lookup {
  let value = root;
  for (const [depth, step] of steps.entries()) {
    const member = valueAt(value, step);
    if (member === undefined) return { depth, value };
    value = member;
  }
  return { depth: steps.length, value };
}

function valueAt(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(step) ? value[Number(step)] : undefined;
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

function missingFieldError(path: string, steps: readonly string[], lookups: readonly Lookup[]) {
  const furthest = lookups.reduce((best, next) => (next.depth >= best.depth ? next : best));
  const { depth, value } = furthest;
  const root = depth === 0 ? 'the response' : quote(formatSteps(steps.slice(0, depth)));
  return notFound(`--field ${quote(path)}: no field ${quote(steps[depth] ?? '')} in ${root}`, {
    details: [describeFields(value, root)],
  });
}

/** Lists the existing names, without values: they may be secret. */
function describeFields(value: unknown, root: string): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return `${root} is an empty list`;
    return `${root} is a list of ${value.length}; the first is 0, the last is ${value.length - 1}`;
  }
  if (!isObject(value)) return `${root} is ${kindOf(value)} and has no fields`;
  const names = Object.keys(value);
  if (names.length === 0) return `${root} has no fields`;
  const listed = names.slice(0, maxListedFields).map((name) => formatSteps([name]));
  const more = names.length - listed.length;
  return `fields of ${root}: ${listed.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'empty';
  if (typeof value === 'string') return 'a string';
  return typeof value === 'boolean' ? 'a boolean' : 'a number';
}

/** Steps as the user writes them. */
function formatSteps(steps: readonly string[]): string {
  return steps
    .map((step) => (unquotedName.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`))
    .join('')
    .replace(/^\./, '');
}

function parseBracket(content: string, path: string, position: number): string {
  if (!content.startsWith('"')) return content;
  try {
    return JSON.parse(content) as string;
  } catch {
    throw malformedPathError(path, position);
  }
}

function malformedPathError(path: string, position: number) {
  return usage(`invalid --field ${quote(path)}: syntax error at character ${position + 1}`, {
    hint: 'Separate names and indexes with dots (keys.0.name), and put other names in ["..."].',
  });
}

function quote(text: string): string {
  return `"${text}"`;
}
