import type { Json } from '../wire/json.ts';
import { isObject } from '../wire/objects.ts';
import { suggest } from '../wire/suggest.ts';
import { fieldOf, type ObjectSchema, type Schema } from './schema.ts';

/** What is wrong with a file, and where. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly what: string;
}

interface Options {
  /** Fields of the object that may have any value: those that only the service sets. */
  readonly ignored?: readonly string[];
}

/** Unknown fields and values of the wrong type of an object that a file has in the form of the API. */
export function* fieldProblems(
  schema: ObjectSchema,
  value: Json,
  { ignored = [] }: Options = {},
  path: Problem['path'] = [],
): Generator<Problem> {
  if (!isObject(value)) return yield { path, what: 'expected an object' };
  for (const [name, member] of Object.entries(value)) {
    if (ignored.includes(name)) continue;
    const property = fieldOf(schema, name);
    const inside = [...path, name];
    if (property === undefined) yield { path: inside, what: `unknown field${suggestion(schema, name)}` };
    else if (member !== null) yield* valueProblems(property, member, inside);
  }
}

function* valueProblems(schema: Schema, value: Json, path: Problem['path']): Generator<Problem> {
  if (schema.type === 'object') return yield* fieldProblems(schema, value, {}, path);
  if (schema.type === 'list' && schema.items.type === 'object') {
    if (!Array.isArray(value)) return yield { path, what: 'expected a list' };
    for (const [index, item] of value.entries()) yield* valueProblems(schema.items, item, [...path, index]);
    return;
  }
  const [isRight, what] = forms[schema.type] ?? [() => true];
  if (!isRight(value)) yield { path, what: what ?? '' };
}

const isText = (value: Json): boolean => typeof value === 'string';
const quoteHint = 'quote numbers and words like true';
const text = [isText, `expected a string; ${quoteHint}`] as const;

const forms: {
  readonly [Type in Schema['type']]?: readonly [isRight: (value: Json) => boolean, what: string];
} = {
  string: text,
  duration: text,
  boolean: [(value) => typeof value === 'boolean', 'expected true or false'],
  integer: [
    (value) => Number.isSafeInteger(value) && Number(value) >= 0,
    'expected an integer of at least 0',
  ],
  list: [(value) => Array.isArray(value) && value.every(isText), `expected a list of strings; ${quoteHint}`],
  map: [
    (value) => isObject(value) && Object.values(value).every(isText),
    `expected an object with string values; ${quoteHint}`,
  ],
};

function suggestion(schema: ObjectSchema, name: string): string {
  const names = Object.keys(schema.properties);
  const near = suggest(name, names);
  if (near !== undefined) return `; did you mean "${near}"?`;
  const part = names.find((each) => {
    const property = fieldOf(schema, each);
    return property?.type === 'object' && fieldOf(property, name) !== undefined;
  });
  if (part !== undefined) return `; it belongs in ${part}`;
  return `; valid fields: ${names.filter((each) => fieldOf(schema, each)?.flag !== false).join(', ')}`;
}
