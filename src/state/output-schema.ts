import { kinds as errorKinds } from '../errors.ts';
import type { Json, JsonSchema } from '../wire/json.ts';
import { applySchema, planSchema } from './operations.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

const text: Json = { type: 'string' };
const count: Json = { type: 'integer', minimum: 0 };
const position: Json = { type: 'integer', minimum: 1 };
const described = (schema: Json, description: string): Json => ({ ...(schema as object), description });
const ref = (name: string): Json => ({ $ref: `#/$defs/${name}` });
const listOf = (items: Json): Json => ({ type: 'array', items });

/** Later versions may add fields, so none is rejected. */
const record = (
  required: { readonly [name: string]: Json },
  optional: { readonly [name: string]: Json } = {},
): Json => ({ type: 'object', properties: { ...required, ...optional }, required: Object.keys(required) });

const actions = ['create', 'update', 'delete', 'adopt', 'none', 'blocked', 'unknown'];

const id = record({
  kind: described(text, 'SERVICE.KIND, such as registry.policy.'),
  scope: {
    type: 'object',
    additionalProperties: text,
    description: 'What the name is unique in, such as a namespace or a mount.',
  },
  key: described(text, 'The name of the object.'),
});

const summary = record({
  create: count,
  update: count,
  delete: count,
  adopt: count,
  unchanged: count,
  blocked: count,
  unknown: count,
});

const change: Json = {
  ...(record(
    {
      path: { type: 'string', description: 'JSON pointer into the document.' },
      action: { enum: ['add', 'update', 'remove'] },
      sensitive: { type: 'boolean', description: 'A value that is not shown: before and after are absent.' },
    },
    { before: true, after: true },
  ) as object),
  if: { properties: { sensitive: { const: true } } },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: { properties: { before: false, after: false } },
};

const operation = record(
  {
    n: described(position, 'Position in the order of execution.'),
    action: { enum: actions },
    id: ref('id'),
    guard: record({
      type: { enum: ['version', 're-read'] },
      value: described(text, 'The version that the plan saw.'),
    }),
    dependsOn: described(listOf(position), 'Numbers of operations that must be done before.'),
    changes: listOf(ref('change')),
  },
  { source: record({ file: text, line: position }), reason: text },
);

/** Of a set that is planned together with the one that takes the object over. */
const moved = record({ id: ref('id'), to: record({ id: text, name: text }) });

const warning = record({ code: text, message: text }, { source: record({ file: text, line: position }) });

/** JSON Schema (draft 2020-12) of a plan as data: `plan -o json` and saved plans. */
export const planOutputSchema = (): JsonSchema => ({
  $schema: dialect,
  title: planSchema,
  description: 'What "lanyard plan -o json" and "lanyard apply --dry-run -o json" write, and saved plans.',
  ...(record(
    {
      schema: { const: planSchema },
      set: record({
        id: text,
        name: text,
        generation: described(count, 'Of the record of the set; 0: it does not exist.'),
      }),
      targets: {
        type: 'object',
        additionalProperties: { type: 'object', additionalProperties: text },
      },
      complete: { type: 'boolean', description: 'Every object could be read.' },
      operations: listOf(ref('operation')),
      summary: ref('summary'),
      warnings: listOf(ref('warning')),
    },
    {
      moved: listOf(ref('moved')),
      inputs: { type: 'object', description: 'Of a saved plan: what it was made of.' },
    },
  ) as object),
  $defs: { id, change, operation, moved, summary, warning },
});

/** JSON Schema (draft 2020-12) of what `apply -o json` writes; with `-o jsonl`: one result, or the last line. */
export const applyOutputSchema = (): JsonSchema => ({
  $schema: dialect,
  title: applySchema,
  description:
    'What "lanyard apply -o json" writes. With -o jsonl each line is a result ($defs/result), and the last one has no results.',
  ...(record(
    {
      schema: { const: applySchema },
      set: record({ id: text, name: text }),
      summary: ref('summary'),
    },
    { results: listOf(ref('result')) },
  ) as object),
  $defs: {
    id,
    summary,
    result: record(
      {
        n: position,
        action: { enum: ['create', 'update', 'delete', 'adopt'] },
        id: ref('id'),
        status: { enum: ['done', 'failed', 'unknown', 'not-started'] },
      },
      { error: record({ kind: { enum: Object.keys(errorKinds) }, message: text }) },
    ),
  },
});
